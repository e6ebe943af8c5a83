package study

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/internal/vec"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
)

// Expected is what a measure should say of a document after known noise, or why that does not follow
// from the log of the edits.
type Expected struct {
	Value  float64
	Reason string
}

// Expect computes from a log alone what each of ValidateKeys should say of a gold document to which
// one kind of noise was done. The noisy document is not looked at and no measure is called on it:
// text loses the edited characters of each edit ÷ the longer length; tables lose the edited rows,
// cells and spans ÷ their nodes; captions the words, numbers and headings that edits touch; orders
// what the moves of the log leave of them.
func Expect(gold edb.Parsed, noise string, log []parse.Edit) map[string]Expected {
	l := newLedger(gold, log)
	out := map[string]Expected{}
	for _, key := range ValidateKeys {
		e := Expected{Reason: notPredicted(noise, key)}
		if e.Reason == "" {
			e.Value = 1
			if len(log) > 0 {
				e.Value = expectations[key](l)
			}
		}
		out[key] = e
	}
	return out
}

// expectations computes each measure from the ledger of the edits; one that no kind moves in a way
// that is predicted is 1.
var expectations = map[string]func(l *ledger) float64{
	"parse.tis":                  func(l *ledger) float64 { return l.text(false, false) },
	"parse.tis(mode=raw)":        func(l *ledger) float64 { return l.text(true, false) },
	"parse.tis(level=page)":      func(l *ledger) float64 { return l.text(false, true) },
	"parse.tea":                  func(l *ledger) float64 { return l.tables(false, false) },
	"parse.teds":                 func(l *ledger) float64 { return l.tables(false, true) },
	"parse.teds(mode=structure)": func(l *ledger) float64 { return l.tables(true, true) },
	"parse.caption_f1":           (*ledger).captions,
	"parse.lf":                   (*ledger).headingOrder,
	"parse.heading_f1":           (*ledger).headingLabels,
	"parse.order":                (*ledger).order,
	"parse.element_f1":           (*ledger).boxes,
	"parse.number_recall":        (*ledger).numbers,
	"parse.caption_chrf":         untouched,
	"parse.heading_tree":         untouched,
	"parse.formula_sim":          untouched,
	"parse.entity_recall":        untouched,
}

func untouched(*ledger) float64 { return 1 }

// rewrites are the kinds of noise that change characters inside of texts.
var rewrites = []string{"ocr", "mojibake", "unmapped", "hyphenation", "drop-lines"}

// notPredicted says why what a kind of noise does to a measure does not follow from the log, "" where
// it does.
func notPredicted(noise, key string) string {
	words := slices.Contains(rewrites, noise)
	switch key {
	case "parse.tis", "parse.tis(mode=raw)", "parse.tis(level=page)":
		if noise == "shuffle" {
			return "what a moved block costs depends on how like it is to what stands where it went"
		}
	case "parse.caption_chrf":
		if words || noise == "captions" || noise == "ligatures" {
			return "runs of six characters overlap: the log does not say how many an edit touches"
		}
	case "parse.heading_tree":
		if words || noise == "merge-lines" || noise == "shuffle" {
			return "the parent of a heading depends on which of the headings before it are still known"
		}
	case "parse.formula_sim":
		if words || noise == "ligatures" || noise == "merge-lines" {
			return "formulas are compared after rewriting: the log does not say what of an edit is left"
		}
	case "parse.entity_recall":
		if words || noise == "table-rows" || noise == "captions" {
			return "a name is found wherever its words stand, also where the log has no edit"
		}
	case "parse.order":
		if words || noise == "table-rows" {
			return "a block that is not found again counts in neither order, and with none found the order is 0"
		}
	case "parse.element_f1":
		if noise == "merge-lines" {
			return "the box around joined blocks may still be near enough to one of them"
		}
	}
	return ""
}

// place is an element: index of its page and place on it before the noise.
type place struct{ page, at int }

// ledger is a log sorted by what it edits, beside the gold.
type ledger struct {
	gold    edb.Parsed
	log     []parse.Edit
	edits   map[place][]parse.Edit // that change text inside of the element, by At
	rows    map[place][]parse.Edit // that take rows out of the element, a table
	lost    map[place]bool
	joined  map[place]bool // with the block before
	moved   map[place]int
	charged map[int][]parse.Edit // every edit, by index of the page
}

func newLedger(gold edb.Parsed, log []parse.Edit) *ledger {
	l := &ledger{gold: gold, log: log, edits: map[place][]parse.Edit{}, rows: map[place][]parse.Edit{}, lost: map[place]bool{}, joined: map[place]bool{},
		moved: map[place]int{}, charged: map[int][]parse.Edit{}}
	index := map[int]int{}
	for i, pg := range gold.Pages {
		index[pg.Number] = i
	}
	for _, e := range log {
		at := place{index[e.Page], e.Element}
		l.charged[at.page] = append(l.charged[at.page], e)
		switch e.Op {
		case parse.EditLose:
			l.lost[at] = true
		case parse.EditJoin:
			l.joined[at] = true
			before := at
			before.at--
			l.joined[before] = true // its label is lost too
		case parse.EditMove:
			l.moved[at], _ = strconv.Atoi(e.To)
		case parse.EditReplace:
			l.edits[at] = append(l.edits[at], e)
		case parse.EditRow:
			l.rows[at] = append(l.rows[at], e)
		}
	}
	for _, es := range l.edits {
		slices.SortStableFunc(es, func(a, b parse.Edit) int { return a.At - b.At })
	}
	return l
}

// elements lists the gold's elements with their places, in reading order before the noise.
func (l *ledger) elements(yield func(at place, e edb.Element) bool) {
	for i, pg := range l.gold.Pages {
		for j, e := range pg.Elements {
			if !yield(place{i, j}, e) {
				return
			}
		}
	}
}

// text is TIS: 1 - edited characters / longer length, of the document or as the mean over pages.
func (l *ledger) text(raw, byPage bool) float64 {
	form := tokens.Normalize
	if raw {
		form = func(s string) string { return s }
	}
	score := func(text string, log []parse.Edit) (float64, bool) {
		length := utf8.RuneCountInString(form(text))
		cost, grown := 0, 0
		for _, e := range log {
			c, g := l.cost(e, form)
			cost, grown = cost+c, grown+g
		}
		longer := max(length, length+grown)
		if longer == 0 {
			return 1, false
		}
		return max(0, 1-float64(cost)/float64(longer)), true
	}
	if !byPage {
		v, _ := score(l.gold.Text(), l.log)
		return v
	}
	sum, n := 0.0, 0
	for i, pg := range l.gold.Pages {
		if v, ok := score(pg.Text(), l.charged[i]); ok {
			sum, n = sum+v, n+1
		}
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}

// cost is how many characters an edit puts in, takes out or exchanges in the text, and by how many it
// makes it longer, in a form of the text.
func (l *ledger) cost(e parse.Edit, form func(string) string) (cost, grown int) {
	between := func(from, to string) (int, int) {
		a, b := []rune(form("|"+from+"|")), []rune(form("|"+to+"|"))
		return vec.LevenshteinRunes(a, b), len(b) - len(a)
	}
	block := func(s string) int { // of a block with the break beside it
		if n := utf8.RuneCountInString(form(s)); n > 0 {
			return n + 1
		}
		return utf8.RuneCountInString(form("|\n\n|")) - utf8.RuneCountInString(form("|\n|"))
	}
	switch e.Op {
	case parse.EditReplace, parse.EditJoin:
		return between(e.From, e.To)
	case parse.EditShift:
		return between("\n"+e.From, "\n"+e.To)
	case parse.EditLose, parse.EditRow:
		return block(e.From), -block(e.From)
	case parse.EditAdd:
		return block(e.To), block(e.To)
	case parse.EditKind:
		text := l.textOf(e)
		return block(text), block(text)
	}
	return 0, 0
}

// textOf is the gold's text of the element of an edit.
func (l *ledger) textOf(e parse.Edit) string {
	for _, pg := range l.gold.Pages {
		if pg.Number == e.Page && e.Element < len(pg.Elements) {
			return pg.Elements[e.Element].Text
		}
	}
	return ""
}

// damaged is a stretch of an element's text, in code points, as the edits leave it; whole is false
// where an edit touches it.
func damaged(text []rune, start, end int, edits []parse.Edit) (now string, whole bool) {
	var out []rune
	at, whole := start, true
	for _, e := range edits {
		n := utf8.RuneCountInString(e.From)
		if e.At+n <= start || e.At >= end {
			continue
		}
		whole = false
		out = append(out, text[at:max(at, e.At)]...)
		out = append(out, []rune(e.To)...)
		at = min(end, max(at, e.At+n))
	}
	return string(append(out, text[at:end]...)), whole
}

// captions is the mean over figure captions of the F1 of their words: those that no edit changes,
// over those of gold and those that are left.
func (l *ledger) captions() float64 {
	figure := metrics.FigureCaption(l.gold)
	sum, gold := 0.0, 0
	for at, e := range l.elements {
		if !figure(e) {
			continue
		}
		gold++
		if l.lost[at] {
			continue
		}
		words := tokens.Words(e.Text)
		kept, now := 0, 0
		r := []rune(e.Text)
		for _, w := range words {
			s, whole := damaged(r, w.Start, w.End, l.edits[at])
			if whole || tokens.Normalize(s) == tokens.Normalize(string(r[w.Start:w.End])) { // a ligature is its letters
				kept++
				now++
			} else {
				now += len(tokens.Words(s))
			}
		}
		if len(words)+now > 0 {
			sum += 2 * float64(kept) / float64(len(words)+now)
		}
	}
	if gold == 0 {
		return 1
	}
	return sum / float64(gold)
}

// boxes is the F1 of elements with boxes: lost ones are missing, those of another kind match none.
func (l *ledger) boxes() float64 {
	gold, pred, same := 0, 0, 0
	kinds := map[place]bool{}
	for i, es := range l.charged {
		for _, e := range es {
			if e.Op == parse.EditKind {
				kinds[place{i, e.Element}] = true
			}
		}
	}
	for at, e := range l.elements {
		if e.Box == nil {
			continue
		}
		gold++
		if l.lost[at] {
			continue
		}
		pred++
		if !kinds[at] {
			same++
		}
	}
	if gold == 0 {
		return 1
	}
	return 2 * float64(same) / float64(gold+pred)
}

// rowStart is where a row (from 1) of a table's text begins, in code points.
func rowStart(text string, row int) int {
	at := 0
	for _, c := range text {
		if row <= 1 {
			break
		}
		if c == '\n' {
			row--
		}
		at++
	}
	return at
}
