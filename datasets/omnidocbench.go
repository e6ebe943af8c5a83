package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// omniPage is one value of OmniDocBench.json: a page and what stands on it.
type omniPage struct {
	Elements []omniElement `json:"layout_dets"`
	Info     struct {
		Width     float64       `json:"width"`
		Height    float64       `json:"height"`
		Image     string        `json:"image_path"`
		Attribute omniAttribute `json:"page_attribute"`
	} `json:"page_info"`
	Extra struct {
		Relations []omniRelation `json:"relation"`
	} `json:"extra"`
}

type omniAttribute struct {
	Source   string `json:"data_source"`
	Language string `json:"language"`
	Layout   string `json:"layout"`
}

// omniRelation joins a figure or table with its caption (parent_son), or two halves of a paragraph
// (truncated).
type omniRelation struct {
	Source int    `json:"source_anno_id"`
	Target int    `json:"target_anno_id"`
	Type   string `json:"relation_type"`
	Kind   string `json:"relation"` // the older name of Type
}

// omniElement is a block. Poly holds the corners x, y from the top left in pixels; Order is null for
// what has no place in the text.
type omniElement struct {
	Category string        `json:"category_type"`
	Poly     []float64     `json:"poly"`
	Ignore   bool          `json:"ignore"`
	Order    *float64      `json:"order"`
	ID       int           `json:"anno_id"`
	Text     string        `json:"text"`
	LaTeX    string        `json:"latex"`
	HTML     string        `json:"html"`
	Merged   []omniElement `json:"merge_list"`
	Spans    []struct {
		Text  string `json:"text"`
		LaTeX string `json:"latex"`
	} `json:"line_with_spans"`
}

// omniKinds maps categories onto kinds; "" is left out: regions that the benchmark masks or throws
// away.
var omniKinds = map[string]string{
	"title": edb.KindHeading, "text_block": edb.KindParagraph, "list_group": edb.KindListItem, "reference": edb.KindParagraph,
	"figure": edb.KindFigure, "figure_caption": edb.KindCaption, "figure_footnote": edb.KindFootnote,
	"table": edb.KindTable, "table_caption": edb.KindCaption, "table_footnote": edb.KindFootnote,
	"equation_isolated": edb.KindFormula, "equation_caption": edb.KindFormula, "equation_semantic": edb.KindFormula,
	"equation_explanation": edb.KindParagraph, "header": edb.KindHeader, "footer": edb.KindFooter,
	"page_number": edb.KindPageNumber, "page_footnote": edb.KindFootnote, "code_txt": edb.KindCode,
	"code_txt_caption": edb.KindCaption, "code_algorithm": edb.KindCode, "code_algorithm_caption": edb.KindCaption,
	"abandon": "", "chart_mask": "", "table_mask": "", "text_mask": "", "organic_chemical_formula_mask": "",
	"algorithm_mask": "", "unknown_mask": "", "need_mask": "",
}

var (
	omniLanguages = map[string]string{"english": "en", "simplified_chinese": "zh-Hans", "traditional_chinese": "zh-Hant", "en_ch_mixed": "mul"}
	omniColumns   = map[string]int{"single_column": 1, "double_column": 2, "three_column": 3}
)

// importOmniDocBench reads OmniDocBench.json with the page of each entry: ori_pdfs/NAME.pdf,
// pdfs/NAME.pdf or else images/. Blocks stand in the order of the annotation, halves of a paragraph
// are put together as the benchmark does, blocks to ignore are left out. Sizes are those of the
// PDF in points, or one point for each pixel of an image.
func importOmniDocBench(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	const file = "OmniDocBench.json"
	var list []omniPage
	if err := f.json(file, &list); err != nil {
		return err
	}
	if len(list) == 0 {
		return fmt.Errorf("%s:1: holds no page: fetch the collection again", f.path(file))
	}
	w, err := opt.create(out, Info{
		Name: "omnidocbench", Version: "1",
		Licence:  "for research, not for commercial use; the pages are from public sources without a licence of their own",
		Made:     "OmniDocBench: single pages with blocks in reading order; masked and ignored regions are left out of the gold",
		Citation: "Ouyang et al., OmniDocBench: Benchmarking Diverse PDF Document Parsing with Comprehensive Annotations, 2024",
		Mask:     []MaskRule{{Documents: "*", LeaveOut: []string{"formula"}}},
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(list), func(ctx context.Context, i int) error {
		p := list[i]
		if err := addOmniPage(ctx, w, f, p, opt); err != nil {
			return fmt.Errorf("%s: page %d, %q: %w", f.path(file), i+1, p.Info.Image, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.Close()
}

func addOmniPage(ctx context.Context, w *Writer, f *folder, p omniPage, opt ImportOptions) error {
	if p.Info.Image == "" {
		return errors.New("image_path is missing: fetch the collection again")
	}
	id := stem(p.Info.Image)
	name := "images/" + path.Base(p.Info.Image)
	for _, pdf := range []string{"pdfs/" + id + ".pdf", "ori_pdfs/" + id + ".pdf"} {
		if f.has(pdf) {
			name = pdf
		}
	}
	content, err := f.read(name)
	if err != nil {
		return err
	}
	page, scanned := edb.Page{Number: 1, Width: p.Info.Width, Height: p.Info.Height}, false
	if strings.HasSuffix(name, ".pdf") {
		var sheets []edb.Page
		if sheets, scanned, err = opt.sheets(ctx, f.path(name)); err != nil {
			return err
		}
		if len(sheets) > 0 {
			page = sheets[0]
		}
	} else if page, err = imagePage(f.path(name), content); err != nil {
		return err
	} else {
		scanned = true
	}
	layout, err := p.fill(&page)
	if err != nil {
		return err
	}
	d := f.document(id, name)
	d.Pages, d.Scanned, d.Gold, d.Layout, d.Domain = 1, scanned, "human", layout, "general"
	d.Doctype, d.Lang = cmp.Or(p.Info.Attribute.Source, "page"), cmp.Or(omniLanguages[p.Info.Attribute.Language], "und")
	if d.Source == nil {
		d.Source = &edb.Origin{Name: "OmniDocBench", ID: p.Info.Image}
	}
	d.Licence = f.licence(name, edb.Licence{SPDX: "LicenseRef-OmniDocBench",
		Evidence: "the publishers allow research and no commercial use; the page states no licence of its own"})
	return w.AddDocument(d, content, &edb.Parsed{Paged: true, Pages: []edb.Page{page}})
}

// fill puts the blocks on the page, whose size they are scaled to.
func (p omniPage) fill(page *edb.Page) (*edb.Layout, error) {
	blocks, err := p.ordered()
	if err != nil {
		return nil, err
	}
	parent := map[int]int{}
	kind := map[int]string{}
	for _, b := range blocks {
		kind[b.ID] = omniKinds[b.Category]
	}
	for _, r := range p.Extra.Relations {
		if cmp.Or(r.Type, r.Kind) == "parent_son" && (kind[r.Source] == edb.KindFigure || kind[r.Source] == edb.KindTable) {
			parent[r.Target] = r.Source
		}
	}
	layout := &edb.Layout{Columns: omniColumns[p.Info.Attribute.Layout]}
	for _, b := range blocks {
		e := edb.Element{ID: fmt.Sprintf("a%d", b.ID), Kind: kind[b.ID], Text: b.text()}
		if e.Box, err = b.box(p.Info.Width, p.Info.Height, *page); err != nil {
			return nil, fmt.Errorf("anno_id %d: %w", b.ID, err)
		}
		switch e.Kind {
		case edb.KindCaption:
			if of, ok := parent[b.ID]; ok {
				e.CaptionOf = fmt.Sprintf("a%d", of)
			}
		case edb.KindFigure:
			e.Text = ""
			layout.Figures++
		case edb.KindFormula:
			e.Text = cmp.Or(b.LaTeX, e.Text)
		case edb.KindTable:
			layout.Tables++
			g, ok := htmlGrid(b.HTML)
			if !ok {
				if g, ok = latexGrid(b.LaTeX); !ok {
					return nil, fmt.Errorf("anno_id %d: a table without html and latex: fetch the collection again", b.ID)
				}
			}
			e.Text, e.HTML = g.text(), g.html()
		}
		page.Elements = append(page.Elements, e)
	}
	return layout, nil
}

// ordered gives the blocks that are gold in reading order, those without a place last, and halves of
// paragraphs put together in the place of the first.
func (p omniPage) ordered() ([]omniElement, error) {
	var out []omniElement
	seen := map[int]bool{}
	for _, b := range p.Elements {
		k, known := omniKinds[b.Category]
		if !known {
			return nil, fmt.Errorf("anno_id %d: category_type is %q: use a category of OmniDocBench", b.ID, b.Category)
		}
		if k == "" || b.Ignore {
			continue
		}
		if seen[b.ID] {
			return nil, fmt.Errorf("anno_id %d is given twice: give every block its own", b.ID)
		}
		seen[b.ID] = true
		out = append(out, b)
	}
	slices.SortStableFunc(out, func(a, b omniElement) int {
		switch {
		case a.Order != nil && b.Order != nil:
			return cmp.Compare(*a.Order, *b.Order)
		case a.Order == nil && b.Order == nil:
			return 0
		case a.Order == nil:
			return 1
		}
		return -1
	})
	at := map[int]int{}
	for i, b := range out {
		at[b.ID] = i
	}
	// A chain of halves ends in the first of them, whatever the order of the relations.
	first := make([]int, len(out))
	for i := range first {
		first[i] = i
	}
	root := func(i int) int {
		for first[i] != i {
			i = first[i]
		}
		return i
	}
	for _, r := range p.Extra.Relations {
		s, ok1 := at[r.Source]
		t, ok2 := at[r.Target]
		if cmp.Or(r.Type, r.Kind) == "truncated" && ok1 && ok2 {
			a, b := root(s), root(t)
			first[max(a, b)] = min(a, b)
		}
	}
	joined := out[:0:0]
	place := map[int]int{}
	for i, b := range out {
		if r := root(i); r != i {
			to := &joined[place[r]]
			to.Text = to.text() + b.text()
			continue
		}
		place[i] = len(joined)
		joined = append(joined, b)
	}
	return joined, nil
}

// text is that of the block, or of what it was merged from, or of its lines.
func (b omniElement) text() string {
	if b.Text != "" {
		return b.Text
	}
	var parts []string
	for _, m := range b.Merged {
		if t := m.text(); t != "" {
			parts = append(parts, t)
		}
	}
	if len(parts) == 0 {
		for _, s := range b.Spans {
			if t := cmp.Or(s.Text, s.LaTeX); t != "" {
				parts = append(parts, t)
			}
		}
	}
	return strings.Join(parts, "\n")
}

// box scales the corners from an annotation of width x height pixels to the page, and moves what
// stands out onto its edge.
func (b omniElement) box(width, height float64, page edb.Page) (*edb.Box, error) {
	if len(b.Poly) == 0 {
		return nil, nil
	}
	if len(b.Poly) != 8 {
		return nil, fmt.Errorf("poly has %d numbers: write the x and y of four corners", len(b.Poly))
	}
	if !(width > 0 && height > 0) {
		return nil, fmt.Errorf("the page is %v x %v pixels: correct page_info", width, height)
	}
	box := edb.Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for i := 0; i < 8; i += 2 {
		x := math.Round(min(max(b.Poly[i]/width, 0), 1)*page.Width*100) / 100
		y := math.Round(min(max(b.Poly[i+1]/height, 0), 1)*page.Height*100) / 100
		box = edb.Box{min(box[0], x), min(box[1], y), max(box[2], x), max(box[3], y)}
	}
	return &box, nil
}
