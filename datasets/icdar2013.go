package datasets

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	edb "enterprisedocbench"
)

// importICDAR reads NAME.pdf with NAME-reg.xml (where the tables are) and NAME-str.xml (their
// cells). Only tables are annotated, which gold_parts of dataset.yaml says. The coordinates of the
// collection have their origin at the bottom left; opt.Parse gives the height of the pages.
func importICDAR(ctx context.Context, from, out string, opt ImportOptions) error {
	if err := opt.needParse("icdar2013"); err != nil {
		return err
	}
	stems, err := listStems(from, ".pdf", "name the folder with NAME.pdf, NAME-reg.xml and NAME-str.xml")
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "icdar2013", Version: "1",
		Licence:   "annotations MIT; pages of US federal agencies (public domain) and EU institutions (reuse with attribution)",
		Made:      "competition set of the ICDAR 2013 table competition; header cells are not told apart; empty cells are filled in",
		Citation:  "Göbel et al., ICDAR 2013 Table Competition",
		GoldParts: []string{edb.KindTable},
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	known, err := origins(from)
	if err != nil {
		return err
	}
	err = opt.each(ctx, len(stems), func(ctx context.Context, i int) error {
		pdf := filepath.Join(from, stems[i]+".pdf")
		content, err := readAll(pdf)
		if err != nil {
			return err
		}
		p, err := opt.Parse(ctx, pdf)
		if err != nil {
			return fmt.Errorf("%s: %w: take the file out or try another engine", pdf, err)
		}
		gold := &edb.Parsed{Paged: true}
		for _, pg := range p.Pages {
			gold.Pages = append(gold.Pages, edb.Page{Number: pg.Number, Width: pg.Width, Height: pg.Height})
		}
		d := edb.Document{ID: stems[i], Path: pdf, Domain: "government", Doctype: "report", Lang: "en", Split: "test", Gold: "human",
			Source: known[stems[i]+".pdf"].source(), Licence: icdarLicence(stems[i])}
		if d.Layout, err = addTables(gold, filepath.Join(from, stems[i])); err != nil {
			return err
		}
		return w.AddDocument(d, content, gold)
	})
	if err != nil {
		return err
	}
	return w.Close()
}

func icdarLicence(stem string) edb.Licence {
	l := edb.Licence{SPDX: "NOASSERTION", Evidence: "the collection's note names US federal and EU pages; this name is neither"}
	switch {
	case strings.HasPrefix(stem, "us-"):
		l = edb.Licence{SPDX: "LicenseRef-US-Government-Work", Redistribute: true, Derivatives: true, Commercial: true,
			Evidence: "page of a US federal agency, public domain by the collection's note; annotations MIT"}
	case strings.HasPrefix(stem, "eu-"):
		l = edb.Licence{SPDX: "LicenseRef-EU-Reuse", Redistribute: true, Derivatives: true, Commercial: true,
			Evidence: "page of an EU institution, reuse with attribution by the collection's note; annotations MIT"}
	}
	return l
}

type icdarDocument struct {
	Tables []icdarTable `xml:"table"`
}

type icdarTable struct {
	ID      string        `xml:"id,attr"`
	Regions []icdarRegion `xml:"region"`
}

type icdarRegion struct {
	Page  int         `xml:"page,attr"`
	Right int         `xml:"col-increment,attr"`
	Down  int         `xml:"row-increment,attr"`
	Box   *icdarBox   `xml:"bounding-box"`
	Cells []icdarCell `xml:"cell"`
}

type icdarBox struct {
	X1 float64 `xml:"x1,attr"`
	Y1 float64 `xml:"y1,attr"`
	X2 float64 `xml:"x2,attr"`
	Y2 float64 `xml:"y2,attr"`
}

// icdarCell is a cell of the structure file; ends are left out where a cell spans one row or column.
type icdarCell struct {
	Row    int       `xml:"start-row,attr"`
	Col    int       `xml:"start-col,attr"`
	EndRow *int      `xml:"end-row,attr"`
	EndCol *int      `xml:"end-col,attr"`
	ColEnd *int      `xml:"col-end,attr"` // one file writes it so
	Box    *icdarBox `xml:"bounding-box"`
	Text   string    `xml:"content"`
}

// readICDAR reads one XML file; an error names its line.
func readICDAR(path string) (icdarDocument, error) {
	raw, err := readAll(path)
	if err != nil {
		return icdarDocument{}, err
	}
	d, err := parseICDAR(string(raw))
	if err != nil {
		return d, fmt.Errorf("%s%w", path, err)
	}
	return d, nil
}

func parseICDAR(s string) (icdarDocument, error) {
	var d icdarDocument
	dec := xml.NewDecoder(strings.NewReader(s))
	if err := dec.Decode(&d); err != nil {
		line, _ := dec.InputPos()
		var se *xml.SyntaxError
		if errors.As(err, &se) {
			line, err = se.Line, errors.New(se.Msg)
		} else if errors.Is(err, io.EOF) {
			err = errors.New("holds no element")
		}
		return d, fmt.Errorf(":%d: %w: fetch the file again", line, err)
	}
	return d, nil
}

// addTables puts the tables of stem-str.xml, with the boxes of stem-reg.xml, on their pages.
func addTables(gold *edb.Parsed, stem string) (*edb.Layout, error) {
	cells, err := readICDAR(stem + "-str.xml")
	if err != nil {
		return nil, err
	}
	regions, err := readICDAR(stem + "-reg.xml")
	if err != nil {
		return nil, err
	}
	boxes := map[string][]icdarRegion{}
	for _, t := range regions.Tables {
		boxes[t.ID] = append(boxes[t.ID], t.Regions...)
	}
	layout := &edb.Layout{}
	for _, t := range cells.Tables {
		for _, page := range t.pages() {
			fail := func(problem, fix string) error {
				return fmt.Errorf("%s-str.xml: table %q: %s: %s", stem, t.ID, problem, fix)
			}
			if page < 1 || page > len(gold.Pages) {
				return nil, fail(fmt.Sprintf("stands on page %d of %d", page, len(gold.Pages)), "correct the page")
			}
			g, err := t.grid(page)
			if err != nil {
				return nil, fail(err.Error(), "correct the cells")
			}
			pg := &gold.Pages[page-1]
			e := edb.Element{ID: fmt.Sprintf("t%s-p%d", t.ID, page), Kind: edb.KindTable, Text: g.text(), HTML: g.html()}
			var box *icdarBox
			for _, r := range boxes[t.ID] {
				if r.Page == page && r.Box != nil {
					box = box.union(*r.Box)
				}
			}
			if box == nil {
				box = g.box
			}
			e.Box = box.topLeft(pg.Height)
			pg.Elements = append(pg.Elements, e)
			layout.Tables++
		}
	}
	return layout, nil
}

// pages lists the pages a table has cells on, in the order of its regions.
func (t icdarTable) pages() []int {
	var out []int
	for _, r := range t.Regions {
		if len(out) == 0 || out[len(out)-1] != r.Page {
			out = append(out, r.Page)
		}
	}
	return out
}

// union is the smallest box around both; a nil box is empty.
func (b *icdarBox) union(o icdarBox) *icdarBox {
	o = icdarBox{min(o.X1, o.X2), min(o.Y1, o.Y2), max(o.X1, o.X2), max(o.Y1, o.Y2)}
	if b == nil {
		return &o
	}
	return &icdarBox{min(b.X1, o.X1), min(b.Y1, o.Y1), max(b.X2, o.X2), max(b.Y2, o.Y2)}
}

// topLeft turns coordinates with the origin at the bottom left into ours.
func (b *icdarBox) topLeft(height float64) *edb.Box {
	if b == nil || height <= 0 {
		return nil
	}
	return &edb.Box{b.X1, height - b.Y2, b.X2, height - b.Y1}
}

// maxCells bounds a table; a damaged file must not fill memory.
const maxCells = 1 << 20

type gridCell struct {
	text       string
	rows, cols int  // spans
	covered    bool // by the span of another cell
	set        bool
	head       bool // a header, where the source tells
}

// grid is a table with every place filled: by a cell, by its span or by an empty cell.
type grid struct {
	rows [][]gridCell
	box  *icdarBox
}

// grid puts the table's cells on one page into their places. Rows and columns count from the first
// that is used; regions side by side are moved by their col-increment.
func (t icdarTable) grid(page int) (*grid, error) {
	type span struct{ r0, c0, r1, c1 int }
	var cells []icdarCell
	var at []span
	var lo, hi span
	g := &grid{}
	for _, r := range t.Regions {
		if r.Page != page {
			continue
		}
		for _, c := range r.Cells {
			s := span{c.Row + r.Down, c.Col + r.Right, c.Row + r.Down, c.Col + r.Right}
			if c.EndRow != nil {
				s.r1 = *c.EndRow + r.Down
			}
			if c.EndCol == nil {
				c.EndCol = c.ColEnd
			}
			if c.EndCol != nil {
				s.c1 = *c.EndCol + r.Right
			}
			if s.r1 < s.r0 || s.c1 < s.c0 {
				return nil, fmt.Errorf("cell %q ends before it starts", c.Text)
			}
			if len(at) == 0 {
				lo, hi = s, s
			}
			lo = span{min(lo.r0, s.r0), min(lo.c0, s.c0), 0, 0}
			hi = span{0, 0, max(hi.r1, s.r1), max(hi.c1, s.c1)}
			cells, at = append(cells, c), append(at, s)
			if c.Box != nil {
				g.box = g.box.union(*c.Box)
			}
		}
	}
	if len(cells) == 0 {
		return nil, errors.New("has no cells")
	}
	rows, cols := hi.r1-lo.r0+1, hi.c1-lo.c0+1
	if rows < 1 || cols < 1 || rows > maxCells || cols > maxCells || rows*cols > maxCells {
		return nil, fmt.Errorf("has %s and %s", edb.Count(rows, "row"), edb.Count(cols, "column"))
	}
	g.rows = make([][]gridCell, rows)
	for i := range g.rows {
		g.rows[i] = make([]gridCell, cols)
	}
	for i, c := range cells {
		s := at[i]
		for r := s.r0; r <= s.r1; r++ {
			for k := s.c0; k <= s.c1; k++ {
				p := &g.rows[r-lo.r0][k-lo.c0]
				if p.set {
					return nil, fmt.Errorf("two cells stand in row %d, column %d", r, k)
				}
				*p = gridCell{set: true, covered: r > s.r0 || k > s.c0}
			}
		}
		p := &g.rows[s.r0-lo.r0][s.c0-lo.c0]
		p.text, p.rows, p.cols = strings.Join(strings.Fields(c.Text), " "), s.r1-s.r0+1, s.c1-s.c0+1
	}
	return g, nil
}

// text gives the cells in row order, a tab between cells and a newline between rows.
func (g *grid) text() string {
	var b strings.Builder
	for i, row := range g.rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		first := true
		for _, c := range row {
			if c.covered {
				continue
			}
			if !first {
				b.WriteByte('\t')
			}
			first = false
			b.WriteString(c.text)
		}
	}
	return b.String()
}

func (g *grid) html() string {
	var b strings.Builder
	b.WriteString("<table>")
	for _, row := range g.rows {
		b.WriteString("<tr>")
		for _, c := range row {
			if c.covered {
				continue
			}
			tag := "td"
			if c.head {
				tag = "th"
			}
			b.WriteString("<" + tag)
			if c.rows > 1 {
				b.WriteString(` rowspan="` + strconv.Itoa(c.rows) + `"`)
			}
			if c.cols > 1 {
				b.WriteString(` colspan="` + strconv.Itoa(c.cols) + `"`)
			}
			b.WriteString(">" + html.EscapeString(c.text) + "</" + tag + ">")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>")
	return b.String()
}
