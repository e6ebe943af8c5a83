package datasets

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// dpbenchDocument is the value of a PDF's name in reference_elements.json.
type dpbenchDocument struct {
	Elements []dpbenchElement `json:"elements"`
}

// dpbenchElement is an element of the reference, in reading order. Coordinates are the corners of
// its box as fractions of the page.
type dpbenchElement struct {
	Category    string `json:"category"`
	Page        int    `json:"page"`
	Coordinates []struct {
		X float64 `json:"x"`
		Y float64 `json:"y"`
	} `json:"coordinates"`
	Content struct {
		Text string `json:"text"`
		HTML string `json:"html"`
	} `json:"content"`
}

var dpbenchKinds = map[string]string{
	"Header": edb.KindHeader, "Footer": edb.KindFooter, "Paragraph": edb.KindParagraph, "Heading1": edb.KindHeading,
	"Caption": edb.KindCaption, "List": edb.KindListItem, "Chart": edb.KindFigure, "Figure": edb.KindFigure,
	"Footnote": edb.KindFootnote, "Table": edb.KindTable, "Equation": edb.KindFormula, "Index": edb.KindParagraph,
}

// importDPBench reads reference_elements.json, and pdfs/ID.pdf where they are there. The PDFs are
// not published with the reference: the Markdown of ground_truth/ID.md then stands in as the file,
// and documents of dataset.yaml is external, so that nobody takes reading it for parsing. Words
// inside of figures and charts are not gold: the reference has them for most.
//
// prediction_ENGINE/ are outputs of parsers and scores_ENGINE.json their official scores; they stay
// where they are, for edb eval parse with the gold of the dataset or with ground_truth/.
func importDPBench(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	const file = "reference_elements.json"
	var reference map[string]dpbenchDocument
	if err := f.json(file, &reference); err != nil {
		return err
	}
	if len(reference) == 0 {
		return fmt.Errorf("%s:1: holds no document: fetch the collection again", f.path(file))
	}
	names := slices.Sorted(maps.Keys(reference))
	info := Info{
		Name: "dpbench", Version: "1",
		Licence:  "MIT",
		Made:     "DP-Bench as carried by opendataloader-bench: elements of single pages in reading order; where a PDF is missing its Markdown stands in as the file",
		Citation: "Upstage, DP-Bench: Document Parsing Benchmark, 2024",
	}
	for _, n := range names {
		if !f.has("pdfs/" + n) {
			info.Documents = "external"
		}
	}
	w, err := opt.create(out, info)
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(names), func(ctx context.Context, i int) error {
		id := stem(names[i])
		name := "pdfs/" + names[i]
		if !f.has(name) {
			name = "ground_truth/" + id + ".md"
		}
		content, err := f.read(name)
		if err != nil {
			return err
		}
		var sheets []edb.Page
		if strings.HasSuffix(name, ".pdf") {
			if sheets, _, err = opt.sheets(ctx, f.path(name)); err != nil {
				return err
			}
		}
		gold, layout, err := reference[names[i]].gold(sheets)
		if err != nil {
			return fmt.Errorf("%s: %q: %w", f.path(file), names[i], err)
		}
		d := f.document(id, name)
		d.Gold, d.Domain, d.Doctype, d.Layout = "human", "general", "page", layout
		d.Licence = f.licence(name, edb.Licence{SPDX: "MIT", Redistribute: true, Derivatives: true, Commercial: true,
			Evidence: "the benchmark is published under MIT"})
		return w.AddDocument(d, content, gold)
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// gold gives the elements on their pages. Boxes need the size of the page, which only a PDF has.
func (r dpbenchDocument) gold(sheets []edb.Page) (*edb.Parsed, *edb.Layout, error) {
	gold, layout := &edb.Parsed{Paged: true, Mask: []string{"formula"}}, &edb.Layout{}
	for n, e := range r.Elements {
		fail := func(problem, fix string) (*edb.Parsed, *edb.Layout, error) {
			return nil, nil, fmt.Errorf("element %d: %s: %s", n+1, problem, fix)
		}
		kind := dpbenchKinds[e.Category]
		if kind == "" {
			return fail(fmt.Sprintf("category is %q", e.Category), "use a category of DP-Bench")
		}
		last := len(gold.Pages) - 1
		switch {
		case e.Page < 1 || (len(sheets) > 0 && e.Page > len(sheets)):
			return fail(fmt.Sprintf("page %d of %d", e.Page, len(sheets)), "count pages from 1")
		case last < 0 || gold.Pages[last].Number < e.Page:
			pg := edb.Page{Number: e.Page}
			if len(sheets) > 0 {
				pg = sheets[e.Page-1]
			}
			gold.Pages, last = append(gold.Pages, pg), last+1
		case gold.Pages[last].Number > e.Page:
			return fail(fmt.Sprintf("page %d follows page %d", e.Page, gold.Pages[last].Number), "sort the elements by page")
		}
		pg := &gold.Pages[last]
		x := edb.Element{Kind: kind, Text: e.Content.Text, Box: e.box(*pg)}
		switch kind {
		case edb.KindHeading:
			x.Level = 1
		case edb.KindFigure:
			x.Text = ""
			layout.Figures++
		case edb.KindTable:
			g, ok := htmlGrid(e.Content.HTML)
			if !ok {
				return fail("the table has no cells", "correct its html")
			}
			x.Text, x.HTML = g.text(), g.html()
			layout.Tables++
		}
		pg.Elements = append(pg.Elements, x)
	}
	if len(gold.Pages) == 0 {
		return nil, nil, fmt.Errorf("has no elements: fetch the collection again")
	}
	return gold, layout, nil
}

// box is nil where the size of the page or the corners are not known.
func (e dpbenchElement) box(pg edb.Page) *edb.Box {
	if pg.Width <= 0 || pg.Height <= 0 || len(e.Coordinates) == 0 {
		return nil
	}
	b := edb.Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, c := range e.Coordinates {
		x, y := math.Round(c.X*pg.Width*100)/100, math.Round(c.Y*pg.Height*100)/100
		b = edb.Box{min(b[0], x), min(b[1], y), max(b[2], x), max(b[3], y)}
	}
	return &b
}
