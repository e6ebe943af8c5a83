package universe

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
	"enterprisedocbench/universe/press"
)

// document holds one document against everything that is said about it.
func (c *checker) document(d edb.Document) error {
	gold, ok, err := c.ds.Gold(d.ID)
	if err != nil || !ok {
		c.fault(datasets.DocumentsFile, c.ds.Line(d.ID), fmt.Sprintf("document %q has no gold that can be read: nothing about it was proven", d.ID), remake)
		return nil //nolint:nilerr // the fault says it
	}
	var words [][]edb.Line
	read := c.opt.Words != nil && !d.Scanned
	if d.Scanned {
		c.scanned++
	}
	if read {
		path, err := c.ds.File(d)
		if err == nil {
			words, err = c.opt.Words(c.ctx, path)
		}
		if c.ctx.Err() != nil {
			return c.ctx.Err()
		}
		if err != nil {
			c.fault(datasets.DocumentsFile, c.ds.Line(d.ID), fmt.Sprintf("document %q cannot be read by %s: %v", d.ID, c.opt.Reader, err), "put the file that was generated there")
			read = false
		}
	}
	for _, p := range c.places[d.ID] {
		if problem := InGold(gold, p.Evidence); problem != "" {
			c.fault(p.file, p.line, p.what+": "+problem, "correct the place or the quote, or "+remake)
			continue
		}
		if p.printed != "" && !strings.Contains(p.Quote, p.printed) {
			c.fault(p.file, p.line, fmt.Sprintf("%s: %q does not say %q", p.what, p.Quote, p.printed), remake)
			continue
		}
		c.proven[provenSpans]++
		if p.field != "" {
			k := [2]string{d.ID, p.field}
			c.mentions[k] = append(c.mentions[k], Mention{Field: p.field, Value: p.printed, Evidence: p.Evidence})
		}
		if !read {
			continue
		}
		if missing := InWords(words, p.Evidence); missing != "" {
			c.fault(p.file, p.line, fmt.Sprintf("%s: %s finds no %q in its box on page %d of the file of document %q", p.what, c.opt.Reader, missing, p.Page, d.ID), "correct the box, or "+remake)
			continue
		}
		c.proven[provenWords]++
	}
	c.absent(d, gold, words)
	for page, e := range gold.Elements {
		if e.Kind != edb.KindTable {
			continue
		}
		faults := tableFaults(e.Text)
		for _, f := range faults {
			c.fault(datasets.GoldDir+"/"+datasets.FileName(d.ID)+".json", 0, fmt.Sprintf("page %d, table %s: %s", page, e.ID, f), remake)
		}
		if len(faults) == 0 {
			c.proven[provenTotals]++
		}
	}
	return nil
}

// InGold says why a quote is not at its page, span and box of the gold; "" where it is. The box must
// be the one around the lines that hold the span, to a fiftieth of a point.
func InGold(gold edb.Parsed, e edb.Evidence) string { return NewShown(gold).Says(e) }

// Shown is gold of which many quotes are to be proven; not for use by several goroutines.
type Shown struct {
	gold edb.Parsed
	text [][]rune // of pages; nil until it is asked for
}

// NewShown takes gold.
func NewShown(gold edb.Parsed) *Shown { return &Shown{gold, make([][]rune, len(gold.Pages))} }

// Says is [InGold].
func (g *Shown) Says(e edb.Evidence) string {
	for i, p := range g.gold.Pages {
		if p.Number != e.Page {
			continue
		}
		if g.text[i] == nil {
			g.text[i] = []rune(p.Text())
		}
		text := g.text[i]
		if e.Start < 0 || e.End <= e.Start || e.End > len(text) {
			return fmt.Sprintf("code points %d to %d are not on page %d, which has %d", e.Start, e.End, e.Page, len(text))
		}
		if got := string(text[e.Start:e.End]); got != e.Quote {
			return fmt.Sprintf("quote %q is not what stands at %d to %d of page %d: %q", e.Quote, e.Start, e.End, e.Page, got)
		}
		want := pageBox(p, e.Start, e.End)
		if want == nil {
			return ""
		}
		if e.Box == nil {
			return "it has no box, the gold has lines with boxes"
		}
		for i := range want {
			if math.Abs(want[i]-e.Box[i]) > .02 {
				return fmt.Sprintf("its box %v is not that of its lines, %v", *e.Box, *want)
			}
		}
		return ""
	}
	return fmt.Sprintf("page %d is not in the gold", e.Page)
}

// pageBox is the box around the lines that hold code points [start, end) of a page's text; nil where
// they lie in more than one element or the lines have no boxes.
func pageBox(p edb.Page, start, end int) *edb.Box {
	at := 0
	for _, e := range p.Elements {
		if e.Artifact() || e.Text == "" {
			continue
		}
		n := utf8.RuneCountInString(e.Text)
		if start >= at && end <= at+n {
			return press.BoxOf(e, start-at, end-at)
		}
		at += n + 1
	}
	return nil
}

// reach is how far, in points, the middle of a word may lie outside of a box that holds it.
const reach = 1.5

// InWords gives the first word of the quote that the reader did not find in the box, "" where all
// are there, as often as the quote has them.
func InWords(pages [][]edb.Line, e edb.Evidence) string {
	have := map[string]int{}
	if e.Page <= len(pages) {
		for _, w := range pages[e.Page-1] {
			if w.Box == nil {
				continue
			}
			x, y := (w.Box[0]+w.Box[2])/2, (w.Box[1]+w.Box[3])/2
			if b := e.Box; b == nil || x > b[0]-reach && x < b[2]+reach && y > b[1]-reach && y < b[3]+reach {
				have[fold(w.Text)]++
			}
		}
	}
	for _, word := range strings.Fields(e.Quote) {
		f := fold(word)
		if f == " " {
			continue
		}
		if have[f]--; have[f] < 0 {
			return word
		}
	}
	return ""
}

// absent proves what must not stand in a document: in its title, in all of its gold, furniture
// included, and in what the reader found in the file. Each page is searched by itself and all
// together, so that a name broken over two pages is found too.
func (c *checker) absent(d edb.Document, gold edb.Parsed, words [][]edb.Line) {
	var texts [2]strings.Builder
	texts[0].WriteString(d.Title)
	for _, e := range gold.Elements {
		texts[0].WriteString("\n" + e.Text)
	}
	for _, page := range words {
		for _, w := range page {
			texts[1].WriteString("\n" + w.Text)
		}
	}
	stacks := [2]Haystack{NewHaystack(texts[0].String()), NewHaystack(texts[1].String())}
	for _, a := range c.absences {
		if a.doc != "" && a.doc != d.ID {
			continue
		}
		file, line, what := TruthFile, 0, fmt.Sprintf("absence of %s", a.what)
		if n, ok := c.line[a.question]; ok {
			file, line, what = datasets.QuestionsFile, n, fmt.Sprintf("question %q", a.question)
		}
		found := false
		for i, where := range []string{"the gold", "the file as " + c.opt.Reader + " reads it"} {
			if stacks[i].Holds(a.phrase) {
				c.fault(file, line, fmt.Sprintf("%s: %q is meant to be absent, but stands in document %q, in %s", what, a.phrase, d.ID, where), "ask for something else, or "+remake)
				found = true
				break
			}
		}
		if !found {
			c.proven[provenAbsences]++
		}
	}
}
