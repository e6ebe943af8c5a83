package datasets

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
)

// docbankPage is one line of index.jsonl: the annotated page of a paper, counted from 0.
type docbankPage struct {
	PDF    string `json:"pdf"`
	Tokens string `json:"tokens"`
	Index  *int   `json:"page_index"`
	ArXiv  string `json:"arxiv_id"`
}

// docbankToken is one line of tokens/: a word or, as ##LTFigure## and ##LTLine##, a drawn thing, with
// its box in thousandths of the page and its label.
type docbankToken struct {
	text  string
	box   [4]float64
	label string
}

// docbankKinds maps labels onto kinds of elements. Tables are paragraphs here: their words have no
// rows and cells. A footer is what the paper sets as a footnote.
var docbankKinds = map[string]string{
	"abstract": edb.KindParagraph, "author": edb.KindParagraph, "caption": edb.KindCaption, "date": edb.KindParagraph,
	"equation": edb.KindFormula, "figure": edb.KindFigure, "footer": edb.KindFootnote, "list": edb.KindListItem,
	"paragraph": edb.KindParagraph, "reference": edb.KindParagraph, "section": edb.KindHeading, "table": edb.KindParagraph,
	"title": edb.KindHeading,
}

// docbankRuns are the labels of which one run of words can hold several elements, whose bounds the labels
// do not tell: paragraphs that follow each other, the items of a list, all references of a page.
var docbankRuns = map[string]bool{"abstract": true, "author": true, "equation": true, "list": true, "paragraph": true, "reference": true, "table": true}

// importDocBank reads pdfs/, tokens/ and index.jsonl. A document is a whole paper, its gold one page
// of it. Elements are runs of tokens with one label, which their ID begins with. Their lines have places;
// a box of its own has an element only where its run is one element (see docbankRuns). On pages in
// columns tokens run from left to right across columns: the gold of such a page has its order masked, and
// only its headings and figures have boxes, since runs of words of the other kinds are cut and mixed there.
func importDocBank(ctx context.Context, from, out string, opt ImportOptions) error {
	if err := opt.needParse("docbank"); err != nil {
		return err
	}
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	const file = "index.jsonl"
	rows, err := jsonRows(f, file, func(p docbankPage) error {
		if p.PDF == "" || p.Tokens == "" || p.Index == nil || *p.Index < 0 {
			return errors.New("pdf, tokens or page_index (from 0) is missing: fetch the collection again")
		}
		return nil
	})
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "docbank", Version: "1",
		Licence:  "annotations Apache-2.0; the papers stand under what their authors chose at arXiv, which is not stated: for tests only",
		Made:     "samples of DocBank: one page of each paper with labelled tokens made from its LaTeX; labels are kept in the ids of elements; runs that can hold several elements have lines and no box; tables are running text",
		Citation: "Li et al., DocBank: A Benchmark Dataset for Document Layout Analysis, 2020",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(rows), func(ctx context.Context, i int) error {
		p := rows[i].v
		content, err := f.read(p.PDF)
		if err != nil {
			return err
		}
		sheets, _, err := opt.sheets(ctx, f.path(p.PDF))
		if err != nil {
			return err
		}
		if *p.Index >= len(sheets) {
			return fmt.Errorf("%s:%d: page_index %d (from 0) of a paper of %s: correct it", f.path(file), rows[i].line, *p.Index, edb.Count(len(sheets), "page"))
		}
		if _, err := f.read(p.Tokens); err != nil {
			return err
		}
		tokens, err := docbankTokens(f.path(p.Tokens))
		if err != nil {
			return err
		}
		d := f.document(stem(p.PDF), p.PDF)
		d.Pages, d.Gold, d.Domain, d.Doctype = len(sheets), "source", "science", "paper"
		d.Layout = &edb.Layout{Columns: 1}
		mask := []string{"other-pages"}
		if inColumns(tokens) {
			d.Layout.Columns, mask = 2, append(mask, "order")
		}
		if p.ArXiv != "" {
			d.Source, d.Date = &edb.Origin{Name: "arXiv", ID: p.ArXiv}, arxivDate(p.ArXiv)
		}
		page := sheets[*p.Index]
		page.Elements = docbankElements(tokens, page, d.Layout.Columns)
		d.Licence = f.licence(p.PDF, edb.Licence{SPDX: "NOASSERTION",
			Evidence: "the author chose a licence at arXiv that DocBank does not record; by default arXiv alone may pass the paper on"})
		return w.AddDocument(d, content, &edb.Parsed{Paged: true, Mask: mask, Pages: []edb.Page{page}})
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// docbankTokens reads a file of tokens: token, x0, y0, x1, y1, red, green, blue, font, label.
func docbankTokens(path string) ([]docbankToken, error) {
	var out []docbankToken
	err := store.Lines(path, func(_ int, raw []byte) error {
		t, err := parseDocBank(string(raw))
		out = append(out, t)
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: holds no token: fetch the file again", path)
	}
	return out, err
}

func parseDocBank(line string) (docbankToken, error) {
	c := strings.Split(line, "\t")
	if len(c) != 10 {
		return docbankToken{}, fmt.Errorf("has %s: write token, x0, y0, x1, y1, R, G, B, font and label with tabs", edb.Count(len(c), "column"))
	}
	t := docbankToken{text: c[0], label: c[9]}
	if docbankKinds[t.label] == "" {
		return t, fmt.Errorf("label is %q: use a label of DocBank", t.label)
	}
	for i := range t.box {
		v, err := strconv.ParseFloat(c[i+1], 64)
		if err != nil || !(v >= 0 && v <= 1000) {
			return t, fmt.Errorf("coordinate %q is no number from 0 to 1000: correct it", c[i+1])
		}
		t.box[i] = v
	}
	if t.box[0] > t.box[2] || t.box[1] > t.box[3] {
		return t, fmt.Errorf("box %v is turned over: write x0 <= x1 and y0 <= y1", t.box)
	}
	return t, nil
}

// drawn reports whether a token stands for something drawn.
func (t docbankToken) drawn() bool { return strings.HasPrefix(t.text, "##LT") }

// docbankNumber is the first word of a numbered heading.
var docbankNumber = regexp.MustCompile(`^(?:\d+(?:\.\d+)*\.?|[A-Z]\.|[IVX]+\.)$`)

// anotherHeading says whether a token of a heading's label begins another heading than the one before it: it
// stands in another column, or on a line that begins with a number or is further away than a line is high.
func (t docbankToken) anotherHeading(before docbankToken, columns int) bool {
	const middle = 500
	if columns > 1 && (before.box[2] <= middle) != (t.box[2] <= middle) && (t.box[0] >= middle || before.box[0] >= middle) {
		return true
	}
	height := max(before.box[3]-before.box[1], t.box[3]-t.box[1])
	return t.box[0] <= before.box[0] && (docbankNumber.MatchString(t.text) || t.box[1]-before.box[3] > height)
}

// docbankElements makes one element of each run of tokens with the same label, with a line wherever a
// token stands left of the one before; a run of headings is cut where another begins. Each figure is its
// own; drawn lines are left out.
func docbankElements(tokens []docbankToken, page edb.Page, columns int) []edb.Element {
	var out []edb.Element
	count := map[string]int{}
	last, left := "", 0.0
	var before docbankToken
	for _, t := range tokens {
		figure := t.text == "##LTFigure##"
		if t.drawn() && !figure {
			continue
		}
		points := func(v, size float64) float64 { return math.Round(v/1000*size*100) / 100 }
		box := edb.Box{points(t.box[0], page.Width), points(t.box[1], page.Height), points(t.box[2], page.Width), points(t.box[3], page.Height)}
		if figure || t.label != last || docbankKinds[t.label] == edb.KindHeading && t.anotherHeading(before, columns) {
			count[t.label]++
			e := edb.Element{ID: fmt.Sprintf("%s-%d", t.label, count[t.label]), Kind: docbankKinds[t.label]}
			if t.label == "title" {
				e.Level = 1
			}
			last = t.label
			if figure {
				e.Kind, e.Box, last = edb.KindFigure, &box, ""
			}
			out, left = append(out, e), math.Inf(1)
		}
		if figure {
			continue
		}
		e := &out[len(out)-1]
		if t.box[0] < left {
			b := box
			e.Lines = append(e.Lines, edb.Line{Text: t.text, Box: &b})
		} else {
			l := &e.Lines[len(e.Lines)-1]
			l.Text += " " + t.text
			*l.Box = around(*l.Box, box)
		}
		left, before = t.box[0], t
	}
	for i := range out {
		e := &out[i]
		var text []string
		for j, l := range e.Lines {
			text = append(text, l.Text)
			if label, _, _ := strings.Cut(e.ID, "-"); docbankRuns[label] || columns > 1 && e.Kind != edb.KindHeading {
				continue
			}
			if j == 0 {
				b := *l.Box
				e.Box = &b
			}
			*e.Box = around(*e.Box, *l.Box)
		}
		e.Text = strings.Join(text, " ")
	}
	return out
}

// around is the smallest box around two.
func around(a, b edb.Box) edb.Box {
	return edb.Box{min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])}
}

// inColumns reports whether the page is set in two columns: of the lines of running text with words
// on both sides of the middle, more than half leave it free. Lines with formulas or tables say
// nothing, since they have gaps of their own.
func inColumns(tokens []docbankToken) bool {
	const (
		left, right = 480, 520 // the middle, in thousandths of the width
		gutter      = 15       // a gap no space between words has
	)
	words := slices.DeleteFunc(slices.Clone(tokens), docbankToken.drawn)
	free, crossed := 0, 0
	count := func(line []docbankToken) {
		end, begin := -1.0, -1.0
		for _, t := range line {
			switch {
			case t.label == "equation" || t.label == "table" || t.label == "figure":
				return
			case t.box[0] < left && t.box[2] > right, t.box[0] >= left && t.box[2] <= right: // over it, or in it
				crossed++
				return
			case t.box[0] >= left:
				if begin < 0 || t.box[0] < begin {
					begin = t.box[0]
				}
			default:
				end = max(end, t.box[2])
			}
		}
		switch {
		case end < 0 || begin < 0: // on one side only
		case begin-end >= gutter:
			free++
		default:
			crossed++
		}
	}
	from := 0
	for i := range words {
		if i > from && words[i].box[0] < words[i-1].box[0] {
			count(words[from:i])
			from = i
		}
	}
	count(words[from:])
	return free > crossed
}
