package datasets

import (
	"context"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// ohrPage is one page of retrieval_base/gt/DOMAIN/NAME.json, counted from 0; older files call the
// number page_no.
type ohrPage struct {
	Index  *int   `json:"page_idx"`
	Number *int   `json:"page_no"`
	Text   string `json:"text"`
}

// importOHRBench reads pdfs/DOMAIN/NAME.pdf, retrieval_base/gt/DOMAIN/NAME.json and qas_v2.json (or
// qas.json), in the folder or in its data/. Documents without gold text are left out. Gold is
// Markdown with LaTeX, a page a string: paragraphs stand between blank lines, tables become cells,
// escapes of single characters are undone; evidence is treated alike and looked for on its page.
// The other folders of retrieval_base/ are noise and outputs of readers; they stay where they are.
func importOHRBench(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	if _, err := f.list("data/retrieval_base/gt", "", ".json"); err == nil {
		f.from = f.path("data")
		for name, o := range f.known {
			if below, ok := strings.CutPrefix(name, "data/"); ok {
				f.known[below] = o
			}
		}
	}
	golds, err := f.list("retrieval_base/gt", "name the folder that holds pdfs/, retrieval_base/gt/ and qas_v2.json", ".json")
	if err != nil {
		return err
	}
	file := "qas_v2.json"
	if !f.has(file) && f.has("qas.json") {
		file = "qas.json"
	}
	var asked []ohrQuestion
	if err := f.json(file, &asked); err != nil {
		return err
	}
	byDoc := map[string][]int{}
	for i, q := range asked {
		if why := q.fault(); why != nil {
			return fmt.Errorf("%s: question %d, %q: %w", f.path(file), i+1, q.ID, why)
		}
		byDoc[q.Doc] = append(byDoc[q.Doc], i)
	}
	w, err := opt.create(out, Info{
		Name: "ohrbench", Version: "2",
		Licence:  "for research, not for commercial use; the PDFs are from public sources without a licence of their own",
		Made:     "OHR-Bench: PDFs with the text of their pages, checked by people, and questions; LaTeX tables turned into cells; pages of evidence turned from 0-based to physical pages from 1",
		Citation: "Zhang et al., OCR Hinders RAG: Evaluating the Cascading Impact of OCR on Retrieval-Augmented Generation, 2024",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	evidence := make([][]edb.Evidence, len(asked))
	err = opt.each(ctx, len(golds), func(ctx context.Context, i int) error {
		id := strings.TrimSuffix(strings.TrimPrefix(golds[i], "retrieval_base/gt/"), path.Ext(golds[i]))
		gold, err := addOHR(ctx, w, f, id, golds[i], opt)
		if err != nil {
			return err
		}
		for _, n := range byDoc[id] {
			if evidence[n], err = asked[n].evidence(*gold, opt); err != nil {
				return fmt.Errorf("%s: question %d, %q: %w", f.path(file), n+1, asked[n].ID, err)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i, q := range asked {
		if evidence[i] == nil {
			return fmt.Errorf("%s: question %d, %q: retrieval_base/gt/%s.json is missing: fetch it or take the question out", f.path(file), i+1, q.ID, q.Doc)
		}
		x, err := q.question(evidence[i])
		if err == nil {
			err = w.AddQuestion(x)
		}
		if err != nil {
			return fmt.Errorf("%s: question %d: %w", f.path(file), i+1, err)
		}
	}
	return w.Close()
}

func addOHR(ctx context.Context, w *Writer, f *folder, id, goldFile string, opt ImportOptions) (*edb.Parsed, error) {
	pdf := "pdfs/" + id + ".pdf"
	content, err := f.read(pdf)
	if err != nil {
		return nil, err
	}
	sheets, scanned, err := opt.sheets(ctx, f.path(pdf))
	if err != nil {
		return nil, err
	}
	raw, err := f.read(goldFile)
	if err != nil {
		return nil, err
	}
	gold, err := parseOHR(f.path(goldFile), raw)
	if err != nil {
		return nil, err
	}
	layout := &edb.Layout{}
	for i := range gold.Pages {
		pg := &gold.Pages[i]
		if len(sheets) > 0 {
			if pg.Number > len(sheets) {
				return nil, fmt.Errorf("%s: page_idx %d of a PDF of %s: correct it", f.path(goldFile), pg.Number-1, edb.Count(len(sheets), "page"))
			}
			pg.Width, pg.Height = sheets[pg.Number-1].Width, sheets[pg.Number-1].Height
		}
		for _, e := range pg.Elements {
			if e.Kind == edb.KindTable {
				layout.Tables++
			}
		}
	}
	domain, _, _ := strings.Cut(id, "/")
	d := f.document(id, pdf)
	d.Pages, d.Scanned, d.Gold, d.Layout, d.Domain, d.Doctype = len(sheets), scanned, "human", layout, domain, domain
	if d.Source == nil {
		d.Source = &edb.Origin{Name: "OHR-Bench", ID: id}
	}
	d.Licence = f.licence(pdf, edb.Licence{SPDX: "LicenseRef-OHR-Bench",
		Evidence: "the publishers allow research and no commercial use; the document states no licence of its own"})
	return gold, w.AddDocument(d, content, gold)
}

// parseOHR reads the text of the pages of a document.
func parseOHR(file string, raw []byte) (*edb.Parsed, error) {
	var pages []ohrPage
	if err := decodeJSON(file, raw, &pages); err != nil {
		return nil, err
	}
	gold := &edb.Parsed{Paged: true, Mask: []string{"formula"}}
	for i, p := range pages {
		at := p.Index
		if at == nil {
			at = p.Number
		}
		if at == nil || *at < 0 || *at > math.MaxInt32 {
			return nil, fmt.Errorf("%s: page %d of the list has no page_idx from 0: add it", file, i+1)
		}
		gold.Pages = append(gold.Pages, edb.Page{Number: *at + 1, Elements: ohrElements(p.Text)})
	}
	slices.SortStableFunc(gold.Pages, func(a, b edb.Page) int { return a.Number - b.Number })
	for i := 1; i < len(gold.Pages); i++ {
		if n := gold.Pages[i].Number; n == gold.Pages[i-1].Number {
			return nil, fmt.Errorf("%s: page_idx %d is given twice: keep one", file, n-1)
		}
	}
	if len(gold.Pages) == 0 {
		return nil, fmt.Errorf("%s: holds no page: fetch the collection again", file)
	}
	return gold, nil
}

var (
	ohrTable   = regexp.MustCompile(`(?s)` + tabularEnv.String() + `|<table.*?</table>`)
	ohrHeading = regexp.MustCompile(`^(#{1,6})\s+(\S.*)$`)
)

// ohrElements cuts the text of a page: tables by their markup, headings by their #, the rest at
// blank lines.
func ohrElements(text string) []edb.Element {
	var out []edb.Element
	plain := func(s string) {
		for block := range strings.SplitSeq(s, "\n\n") {
			var lines []string
			flush := func() {
				if len(lines) > 0 {
					out = append(out, edb.Element{Kind: edb.KindParagraph, Text: strings.Join(lines, "\n")})
					lines = nil
				}
			}
			for line := range strings.SplitSeq(block, "\n") {
				if m := ohrHeading.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
					flush()
					out = append(out, edb.Element{Kind: edb.KindHeading, Level: len(m[1]), Text: texPlain(m[2])})
				} else if line = texPlain(line); line != "" {
					lines = append(lines, line)
				}
			}
			flush()
		}
	}
	from := 0
	for _, at := range ohrTable.FindAllStringIndex(text, -1) {
		markup := text[at[0]:at[1]]
		g, ok := latexGrid(markup)
		if !ok {
			g, ok = htmlGrid(markup)
		}
		if !ok || strings.TrimSpace(g.text()) == "" {
			continue // stays text
		}
		plain(text[from:at[0]])
		out = append(out, edb.Element{Kind: edb.KindTable, Text: g.text(), HTML: g.html()})
		from = at[1]
	}
	plain(text[from:])
	return out
}
