package parse

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"enterprisedocbench"
)

// NoiseVersion counts the changes of what Corrupt does for the same input.
const NoiseVersion = 1

// NoiseKinds are what Corrupt can do.
var NoiseKinds = []string{"ocr", "drop-lines", "merge-lines", "shuffle", "tables", "captions", "furniture", "hyphenation"}

// Edit is one deliberate error: what was there, what stands there now, and what that does.
//
// Chars is the number of code points that the edit puts in, takes out or exchanges in the document's
// text: the sum over the log bounds from above the edit distance between the texts before and after,
// and for ocr alone (exchanges only) is what 1 - TIS amounts to. An element moved by shuffle has
// Chars 0: what that costs depends on where it went. Lowers names the measure that the edit is there
// to lower.
type Edit struct {
	Page    int    `json:"page"`
	Element string `json:"element"`
	Kind    string `json:"kind"`
	From    string `json:"from"`
	To      string `json:"to"`
	Chars   int    `json:"chars"`
	Lowers  string `json:"lowers"`
}

// lowers is the measure that each kind of noise is made for.
var lowers = map[string]string{"ocr": "parse.tis", "drop-lines": "parse.tis", "merge-lines": "parse.heading_f1", "shuffle": "parse.order",
	"tables": "parse.tea", "captions": "parse.caption_f1", "furniture": "parse.tis", "hyphenation": "parse.tis"}

// Noisy wraps a parser and corrupts what it gives at a known rate.
type Noisy struct {
	Parser Parser
	Kind   string  // one of NoiseKinds
	Rate   float64 // 0 to 1
	Seed   uint64
}

var _ Parser = Noisy{}

// Parse gives the wrapped parser's result after Corrupt.
func (n Noisy) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	if !slices.Contains(NoiseKinds, n.Kind) {
		return edb.Parsed{}, fmt.Errorf("noise %q is not one of %s", n.Kind, strings.Join(NoiseKinds, ", "))
	}
	if !(n.Rate >= 0 && n.Rate <= 1) {
		return edb.Parsed{}, fmt.Errorf("noise rate %v is not between 0 and 1", n.Rate)
	}
	p, err := n.Parser.Parse(ctx, src)
	if err != nil {
		return edb.Parsed{}, err
	}
	p.Doc = src.Doc.ID
	p, _ = Corrupt(p, n.Kind, n.Rate, n.Seed)
	return p, nil
}

// Corrupt gives a copy of p with errors of one kind, each possible place hit with the given
// probability, and the log of what was done. The same document (its ID, else its text), kind, rate
// and seed give the same errors; rate 0 and unknown kinds change nothing; p stays as it is. Places by
// kind:
//
//	ocr          an ASCII letter or digit becomes one that prints alike
//	drop-lines   a line (or, where lines are not marked, a sentence) is lost
//	merge-lines  a block runs into the one before: the break between them is lost
//	shuffle      a block of a page changes place with an earlier one
//	tables       a table's row is lost, or moved by a column, or its spans are lost
//	captions     a caption is lost
//	furniture    page furniture becomes text; a page without any gets its number as text
//	hyphenation  a word of six letters or more stays broken, as at a line's end: "exam- ple"
func Corrupt(p edb.Parsed, kind string, rate float64, seed uint64) (edb.Parsed, []Edit) {
	h := fnv.New64a()
	h.Write([]byte(kind + "\x00" + p.Doc))
	if p.Doc == "" {
		h.Write([]byte(p.Text()))
	}
	n := noise{rand: rand.New(rand.NewPCG(seed, h.Sum64())), kind: kind, rate: rate}
	out := p
	out.Pages = slices.Clone(p.Pages)
	if !(rate > 0) || !slices.Contains(NoiseKinds, kind) {
		return out, nil
	}
	for i := range out.Pages {
		pg := &out.Pages[i]
		pg.Elements = slices.Clone(pg.Elements)
		n.page = pg.Number
		n.corrupt(pg)
	}
	return out, n.log
}

type noise struct {
	rand *rand.Rand
	kind string
	rate float64
	page int
	log  []Edit
}

func (n *noise) hit() bool { return n.rand.Float64() < n.rate }

func (n *noise) note(e edb.Element, from, to string, chars int) {
	n.log = append(n.log, Edit{n.page, e.ID, n.kind, from, to, chars, lowers[n.kind]})
}

func (n *noise) corrupt(pg *edb.Page) {
	switch n.kind {
	case "shuffle":
		for j := 1; j < len(pg.Elements); j++ {
			if n.hit() {
				k := n.rand.IntN(j)
				n.note(pg.Elements[j], pg.Elements[j].ID, pg.Elements[k].ID, 0)
				pg.Elements[j], pg.Elements[k] = pg.Elements[k], pg.Elements[j]
			}
		}
	case "captions":
		pg.Elements = slices.DeleteFunc(pg.Elements, func(e edb.Element) bool {
			lost := e.Kind == edb.KindCaption && n.hit()
			if lost {
				n.note(e, e.Text, "", utf8.RuneCountInString(e.Text)+1)
			}
			return lost
		})
	case "furniture":
		n.furniture(pg)
	case "merge-lines":
		n.merge(pg)
	default:
		for j := range pg.Elements {
			e := &pg.Elements[j]
			if e.Artifact() || e.Text == "" {
				continue
			}
			switch {
			case n.kind == "ocr":
				n.ocr(e)
			case n.kind == "tables" && e.Kind == edb.KindTable:
				n.table(e)
			case n.kind == "drop-lines" && e.Kind != edb.KindHeading && e.Kind != edb.KindTable:
				n.drop(e)
			case n.kind == "hyphenation" && e.Kind != edb.KindTable:
				n.hyphenate(e)
			}
		}
	}
}

// furniture makes artifacts part of the text.
func (n *noise) furniture(pg *edb.Page) {
	found := false
	for j := range pg.Elements {
		e := &pg.Elements[j]
		if !e.Artifact() {
			continue
		}
		found = true
		if n.hit() {
			n.note(*e, e.Kind, edb.KindParagraph, utf8.RuneCountInString(e.Text)+1)
			e.Kind = edb.KindParagraph
		}
	}
	if !found && n.hit() {
		text := fmt.Sprintf("Page %d", pg.Number)
		e := edb.Element{ID: fmt.Sprintf("noise-p%d", pg.Number), Kind: edb.KindParagraph, Text: text}
		n.note(e, "", text, len(text)+1)
		pg.Elements = append(pg.Elements, e)
	}
}

// merge runs blocks into the text block before them. Tables, figures, captions and artifacts stay
// apart.
func (n *noise) merge(pg *edb.Page) {
	joins := func(e edb.Element) bool {
		return e.Text != "" && !e.Artifact() && e.Kind != edb.KindTable && e.Kind != edb.KindFigure && e.Kind != edb.KindCaption
	}
	var out []edb.Element
	for _, e := range pg.Elements {
		if len(out) > 0 && joins(e) && joins(out[len(out)-1]) && n.hit() {
			last := &out[len(out)-1]
			n.note(e, "\n", " ", 1)
			last.Text += " " + e.Text
			last.Kind, last.Level, last.Lines = edb.KindParagraph, 0, nil
			last.Box = around(last.Box, e.Box)
			continue
		}
		out = append(out, e)
	}
	pg.Elements = out
}

func around(a, b *edb.Box) *edb.Box {
	if a == nil || b == nil {
		return nil
	}
	return &edb.Box{min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])}
}

// ocr exchanges characters; in a table the same cells change in markup and text.
func (n *noise) ocr(e *edb.Element) {
	before := e.Text
	changed := 0
	t, ok := readTable(e.HTML)
	if ok && e.Kind == edb.KindTable && t.text() == e.Text {
		for _, row := range t.rows {
			for j := range row {
				var k int
				row[j].text, k = n.confuse(row[j].text)
				changed += k
			}
		}
		if changed > 0 {
			e.Text, e.HTML = t.text(), t.html()
		}
	} else if e.Text, changed = n.confuse(e.Text); changed > 0 && e.HTML != "" {
		e.HTML = textTable(e.Text).html() // markup and text said different things: the text stays
	}
	if changed > 0 {
		e.Lines = nil
		n.note(*e, before, e.Text, changed)
	}
}

// alike gives for each ASCII letter and digit one that prints much like it.
var alike = map[rune]rune{}

func init() {
	for _, pair := range strings.Fields("lI Il 1l 0O O0 oc ce ec il jl S5 5S sz zs B8 8B ao un nu hb bh tf ft gq qg Z2 2Z 6b 38 83 9g rn mn 4A 7T " +
		"AR CG DO EF FE GC HN JI KX LI MN NM PF QO RA TY UV VU WV XK YV dc kx pq vy wv xk yv") {
		r := []rune(pair)
		alike[r[0]] = r[1]
	}
}

func (n *noise) confuse(s string) (string, int) {
	changed := 0
	t := strings.Map(func(c rune) rune {
		to, ok := alike[c]
		if ok && n.hit() {
			changed++
			return to
		}
		return c
	}, s)
	return t, changed
}

// drop loses lines, or sentences where an element's lines are not marked.
func (n *noise) drop(e *edb.Element) {
	parts := strings.SplitAfter(e.Text, "\n")
	if len(parts) == 1 {
		parts = strings.SplitAfter(e.Text, ". ")
	}
	kept := parts[:0:0]
	for _, s := range parts {
		if n.hit() {
			n.note(*e, s, "", utf8.RuneCountInString(s)+1)
			continue
		}
		kept = append(kept, s)
	}
	if len(kept) < len(parts) {
		e.Text, e.Lines = strings.Join(kept, ""), nil
	}
}

// table loses rows, moves their cells by one column, or loses their spans.
func (n *noise) table(e *edb.Element) {
	t, ok := readTable(e.HTML)
	if !ok {
		t = textTable(e.Text)
	}
	changed := false
	var rows [][]htmlCell
	for _, row := range t.rows {
		if !n.hit() {
			rows = append(rows, row)
			continue
		}
		changed = true
		before := htmlTable{rows: [][]htmlCell{row}}.text()
		chars := utf8.RuneCountInString(before)
		spanned := slices.ContainsFunc(row, func(c htmlCell) bool { return c.rowspan > 1 || c.colspan > 1 })
		switch k := n.rand.IntN(3); {
		case k == 2 && spanned:
			row = slices.Clone(row)
			for j := range row {
				row[j].rowspan, row[j].colspan = 1, 1
			}
			n.note(*e, before, "spans lost", 0)
			rows = append(rows, row)
		case k == 1:
			row = slices.Concat([]htmlCell{{rowspan: 1, colspan: 1}}, row)
			n.note(*e, before, "\t"+before, 1)
			rows = append(rows, row)
		default:
			n.note(*e, before, "", chars+1)
		}
	}
	if changed {
		t.rows = rows
		e.Text, e.HTML, e.Lines = t.text(), t.html(), nil
	}
}

// hyphenate leaves words broken in the middle.
func (n *noise) hyphenate(e *edb.Element) {
	words := strings.SplitAfter(e.Text, " ")
	changed := false
	for i, w := range words {
		r := []rune(strings.TrimRight(w, " "))
		if len(r) < 6 || slices.ContainsFunc(r, func(c rune) bool { return !unicode.IsLetter(c) }) || !n.hit() {
			continue
		}
		at := len(r) / 2
		to := string(r[:at]) + "- " + string(r[at:])
		n.note(*e, string(r), to, 2)
		words[i] = to + w[len(string(r)):]
		changed = true
	}
	if changed {
		e.Text, e.Lines = strings.Join(words, ""), nil
	}
}
