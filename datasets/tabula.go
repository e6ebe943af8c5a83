package datasets

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"strings"

	edb "enterprisedocbench"
)

// tabulaTable is a table of NAME.json: where it stands, in points from the top left, and its cells.
// Places that a span covers are cells of no size and no text.
type tabulaTable struct {
	Page   int            `json:"page_number"`
	Top    float64        `json:"top"`
	Left   float64        `json:"left"`
	Right  float64        `json:"right"`
	Bottom float64        `json:"bottom"`
	Rows   [][]tabulaCell `json:"data"`
}

type tabulaCell struct {
	Text string `json:"text"`
}

// tabulaLanguages are the languages of the documents that are not English.
var tabulaLanguages = map[string]string{"argentina_diputados_voting_record": "es", "twotables": "ja"}

// importTabula reads NAME.pdf with NAME.csv and, where it is there, NAME.json: the tables that
// tabula-java's authors hold its output against. JSON tells the tables apart, their page and box;
// CSV alone is one table of a PDF of one page. Only tables are gold, and only on the pages that
// have one; other tables of such a page may be missing, since some fixtures cover one area of it.
func importTabula(ctx context.Context, from, out string, opt ImportOptions) error {
	if err := opt.needParse("tabula"); err != nil {
		return err
	}
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	stems, err := listStems(from, ".pdf", "name the folder with NAME.pdf, NAME.csv and NAME.json")
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "tabula", Version: "1",
		Licence:   "repository MIT; the documents are public records without a licence of their own",
		Made:      "fixtures of tabula-java: tables that its authors expect of the extractor, reviewed by them; a fixture may cover one area or page of its PDF",
		Citation:  "tabula-java, tabulapdf",
		GoldParts: []string{edb.KindTable},
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(stems), func(ctx context.Context, i int) error {
		pdf := stems[i] + ".pdf"
		content, err := f.read(pdf)
		if err != nil {
			return err
		}
		sheets, scanned, err := opt.sheets(ctx, f.path(pdf))
		if err != nil {
			return err
		}
		gold, err := tabulaGold(f, stems[i], sheets)
		if err != nil {
			return err
		}
		d := f.document(stems[i], pdf)
		d.Pages, d.Scanned, d.Gold, d.Domain, d.Doctype = len(sheets), scanned, "human", "general", "report"
		if lang := tabulaLanguages[stems[i]]; lang != "" {
			d.Lang = lang
		}
		d.Licence = f.licence(pdf, edb.Licence{SPDX: "NOASSERTION", Evidence: "public record in a repository under MIT; the document states no licence"})
		return w.AddDocument(d, content, gold)
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// tabulaGold gives the pages that have tables.
func tabulaGold(f *folder, name string, sheets []edb.Page) (*edb.Parsed, error) {
	file := name + ".json"
	if !f.has(file) {
		file = name + ".csv"
	}
	raw, err := f.read(file)
	if err != nil {
		return nil, err
	}
	var tables []tabulaTable
	if strings.HasSuffix(file, ".json") {
		tables, err = parseTabula(f.path(file), raw)
	} else {
		tables, err = parseTabulaCSV(f.path(file), raw)
		if err == nil && len(sheets) != 1 {
			err = fmt.Errorf("%s: does not say on which of %s the table stands: add %s.json or take the file out", f.path(file), edb.Count(len(sheets), "page"), name)
		}
	}
	if err != nil {
		return nil, err
	}
	gold := &edb.Parsed{Paged: true, Mask: []string{"other-pages"}}
	for n, t := range tables {
		fail := func(problem, fix string) error {
			return fmt.Errorf("%s: table %d %s: %s", f.path(file), n+1, problem, fix)
		}
		if t.Page < 1 || t.Page > len(sheets) {
			return nil, fail(fmt.Sprintf("stands on page %d of %d", t.Page, len(sheets)), "correct the page")
		}
		last := len(gold.Pages) - 1
		if last < 0 || gold.Pages[last].Number < t.Page {
			gold.Pages, last = append(gold.Pages, sheets[t.Page-1]), last+1
		} else if gold.Pages[last].Number > t.Page {
			return nil, fail(fmt.Sprintf("of page %d follows one of page %d", t.Page, gold.Pages[last].Number), "sort the tables by page")
		}
		e := edb.Element{ID: fmt.Sprintf("t%d", n+1), Kind: edb.KindTable}
		if t.Right > t.Left {
			e.Box = &edb.Box{t.Left, t.Top, t.Right, t.Bottom}
		}
		g := t.grid()
		if e.Text, e.HTML = g.text(), g.html(); strings.TrimSpace(e.Text) == "" {
			return nil, fail("has no text", "correct its cells")
		}
		gold.Pages[last].Elements = append(gold.Pages[last].Elements, e)
	}
	return gold, nil
}

// grid makes all rows as long as the longest.
func (t tabulaTable) grid() grid {
	width := 0
	for _, r := range t.Rows {
		width = max(width, len(r))
	}
	var g grid
	for _, r := range t.Rows {
		row := make([]gridCell, width)
		for i := range row {
			row[i] = gridCell{rows: 1, cols: 1}
			if i < len(r) {
				row[i].text = strings.Join(strings.Fields(r[i].Text), " ")
			}
		}
		g.rows = append(g.rows, row)
	}
	return g
}

// parseTabula reads NAME.json: a table or a list of tables.
func parseTabula(path string, raw []byte) ([]tabulaTable, error) {
	var tables []tabulaTable
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("{")) {
		tables = make([]tabulaTable, 1)
		return tables, decodeJSON(path, raw, &tables[0])
	}
	if err := decodeJSON(path, raw, &tables); err != nil {
		return nil, err
	}
	if len(tables) == 0 {
		return nil, fmt.Errorf("%s:1: holds no table: fetch the file again", path)
	}
	return tables, nil
}

// parseTabulaCSV reads NAME.csv as one table of page 1.
func parseTabulaCSV(path string, raw []byte) ([]tabulaTable, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff"))))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		var pe *csv.ParseError
		if errors.As(err, &pe) {
			return nil, fmt.Errorf("%s:%d: %w: correct the line", path, pe.Line, pe.Err)
		}
		return nil, fmt.Errorf("%s: %w: fetch the file again", path, err)
	}
	t := tabulaTable{Page: 1}
	for _, row := range rows {
		cells := make([]tabulaCell, len(row))
		for i, c := range row {
			cells[i].Text = c
		}
		t.Rows = append(t.Rows, cells)
	}
	return []tabulaTable{t}, nil
}
