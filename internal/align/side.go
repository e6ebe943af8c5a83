package align

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
)

// token is a word of one side, or a piece of a glued word.
type token struct {
	key        int32 // index in the dictionary; equal keys are equal words
	word       int32 // key of the whole word, for its weight
	elem       int32 // running number of the element
	start, end int32 // code points of the page's text
	share      float32
	number     bool
	boxed      bool // x, y known to a line's height
	x, y       float32
}

// block is an element: tokens [from, to).
type block struct {
	from, to int
	box      *edb.Box
}

// pageRange is a page: tokens [from, to), blocks [firstBlock, lastBlock).
type pageRange struct {
	number                int
	from, to              int
	firstBlock, lastBlock int
	image                 bool // no text layer, or no words at all
}

type side struct {
	paged  bool
	toks   []token
	raw    []string // letters and digits of each token, folded: what is left when spaces are lost
	blocks []block
	pages  []pageRange
}

// dictionary numbers keys from 0.
type dictionary struct {
	ids  map[string]int32
	keys []string
}

func (d *dictionary) id(key string) int32 {
	if id, ok := d.ids[key]; ok {
		return id
	}
	id := int32(len(d.keys))
	key = strings.Clone(key)
	d.ids[key] = id
	d.keys = append(d.keys, key)
	return id
}

func newSide(p edb.Parsed, d *dictionary) *side {
	s := &side{paged: p.Paged}
	for _, pg := range p.Pages {
		r := pageRange{number: pg.Number, from: len(s.toks), firstBlock: len(s.blocks)}
		at := 0
		for _, e := range pg.Elements {
			if e.Artifact() || e.Text == "" {
				continue
			}
			if at > 0 {
				at++ // the newline between elements
			}
			at += s.element(e, at, d)
		}
		r.to, r.lastBlock = len(s.toks), len(s.blocks)
		r.image = pg.NoText || r.from == r.to
		s.pages = append(s.pages, r)
	}
	return s
}

// element adds an element's words; at is where its text starts. It returns the text's length.
func (s *side) element(e edb.Element, at int, d *dictionary) int {
	n := utf8.RuneCountInString(e.Text)
	b := block{from: len(s.toks), box: e.Box}
	place := placer(e, n)
	text, pos := e.Text, 0 // text[0] stands at code point pos
	ascii := len(e.Text) == n
	for _, w := range tokens.Words(e.Text) {
		var raw string
		if ascii {
			raw = e.Text[w.Start:w.End]
		} else {
			text = text[byteOffset(text, w.Start-pos):]
			pos = w.Start
			raw = text[:byteOffset(text, w.End-w.Start)]
		}
		t := token{key: d.id(w.Key), elem: int32(len(s.blocks)), start: int32(at + w.Start), end: int32(at + w.End), share: 1, number: isNumber(w.Key)}
		t.word = t.key
		t.x, t.y, t.boxed = place(float64(w.Start+w.End) / 2)
		s.toks = append(s.toks, t)
		s.raw = append(s.raw, characters(w.Key, raw))
	}
	b.to = len(s.toks)
	s.blocks = append(s.blocks, b)
	return n
}

func byteOffset(s string, runes int) int {
	i := 0
	for ; runes > 0 && i < len(s); runes-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}

// isNumber reports whether a key is a canonical number.
func isNumber(key string) bool {
	digits := false
	for i := range len(key) {
		switch c := key[i]; {
		case c >= '0' && c <= '9':
			digits = true
		case c != '.' && c != ',':
			return false
		}
	}
	return digits
}

// characters is the letters and digits of a word as written, folded.
func characters(key, raw string) string {
	plain := true
	for i := range len(key) {
		if c := key[i]; !(c >= 'a' && c <= 'z') {
			plain = false
			break
		}
	}
	if plain {
		return key
	}
	return lettersAndDigits(tokens.Key(raw))
}

func lettersAndDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				return r
			}
			return -1
		}
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, s)
}

// flat is the height in points up to which an element counts as one line.
const flat = 24

// placer gives the point on the page where a code point of the element stands, from its lines or,
// where it is one line high, its box.
func placer(e edb.Element, n int) func(at float64) (x, y float32, ok bool) {
	type piece struct {
		end float64
		box edb.Box
		len float64
	}
	var pieces []piece
	total := 0.0
	for _, l := range e.Lines {
		if l.Box == nil {
			pieces = nil
			break
		}
		c := float64(utf8.RuneCountInString(l.Text) + 1)
		total += c
		pieces = append(pieces, piece{total, *l.Box, c})
	}
	if pieces == nil && e.Box != nil && e.Box[3]-e.Box[1] <= flat {
		total = float64(n) + 1
		pieces = []piece{{total, *e.Box, total}}
	}
	if len(pieces) == 0 {
		return func(float64) (float32, float32, bool) { return 0, 0, false }
	}
	return func(at float64) (float32, float32, bool) {
		at *= total / float64(n+1)
		i, _ := slices.BinarySearchFunc(pieces, at, func(p piece, at float64) int {
			if p.end <= at {
				return -1
			}
			return 1
		})
		p := pieces[min(i, len(pieces)-1)]
		part := min(max((at-(p.end-p.len))/p.len, 0), 1)
		return float32(p.box[0] + part*(p.box[2]-p.box[0])), float32(p.box[1]+p.box[3]) / 2, true
	}
}

// page returns the page of a number.
func (s *side) page(number int) (pageRange, bool) {
	if i := number - 1; i >= 0 && i < len(s.pages) && s.pages[i].number == number {
		return s.pages[i], true
	}
	for _, p := range s.pages {
		if p.number == number {
			return p, true
		}
	}
	return pageRange{}, false
}
