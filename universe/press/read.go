package press

import (
	"fmt"
	"math"
	"strings"

	edb "enterprisedocbench"
)

// content is a story whose texts are read and found in order.
type content struct {
	Story
	title  passage
	blocks []piece
	marks  int // facts in all
}

// piece is a block with its text read; a table's and a figure's text is in the grid.
type piece struct {
	*Block
	text  passage
	grid  *grid
	chart *plot
}

// read reads a story's texts.
func read(s Story) (*content, error) {
	c := &content{Story: s, blocks: make([]piece, len(s.Blocks))}
	var err error
	if c.title, err = readText(s.Title, false); err != nil {
		return nil, fmt.Errorf("title: %w", err)
	}
	for _, f := range []*string{&c.Author, &c.Head, &c.Foot} {
		p, err := readText(Escape(*f), false)
		if err != nil {
			return nil, err
		}
		*f = p.text
	}
	if len(s.Blocks) == 0 && s.Title == "" {
		return nil, fmt.Errorf("it has neither title nor blocks: give it some")
	}
	for i := range s.Blocks {
		p, err := readBlock(&s.Blocks[i])
		if err != nil {
			return nil, fmt.Errorf("block %d (%s): %w", i+1, s.Blocks[i].Kind, err)
		}
		c.blocks[i] = p
		c.marks += p.facts()
	}
	c.marks += len(c.title.marks)
	return c, nil
}

func (p piece) facts() int {
	switch {
	case p.grid != nil:
		return p.grid.facts
	case p.chart != nil:
		return p.chart.facts
	}
	return len(p.text.marks)
}

func readBlock(b *Block) (piece, error) {
	p := piece{Block: b}
	var err error
	switch b.Kind {
	case edb.KindTable:
		if b.Table == nil {
			return p, fmt.Errorf("it has no Table: give it one")
		}
		p.grid, err = readTable(b.Table)
		return p, err
	case edb.KindFigure:
		if b.Chart == nil {
			return p, fmt.Errorf("it has no Chart: give it one")
		}
		p.chart, err = readChart(b.Chart)
		return p, err
	case edb.KindCode:
		code := strings.ReplaceAll(strings.ReplaceAll(b.Text, "\r\n", "\n"), "\t", "    ")
		if p.text, err = readText(strings.Trim(code, "\n"), true); err == nil && strings.TrimSpace(p.text.text) == "" {
			err = errEmpty
		}
		p.text = p.text.byLine()
		return p, err
	case edb.KindHeading, edb.KindParagraph, edb.KindListItem, edb.KindFootnote:
	default:
		return p, fmt.Errorf("it is of no kind that can be printed: choose heading, paragraph, list-item, table, figure, footnote or code")
	}
	if p.text, err = readText(b.Text, false); err == nil && p.text.text == "" {
		err = errEmpty
	}
	if b.Level < 0 || b.Kind == edb.KindHeading && b.Level > 6 || b.Kind == edb.KindListItem && b.Level > 6 {
		err = fmt.Errorf("level %d: choose 1 to 6, or 0", b.Level)
	}
	if b.Kind == edb.KindParagraph || b.Kind == edb.KindFootnote {
		p.text = p.text.bySentence()
	}
	return p, err
}

// depth is the level of a heading or list item, filled in.
func (p piece) depth() int {
	switch {
	case p.Level > 0:
		return p.Level
	case p.Kind == edb.KindHeading:
		return 2
	}
	return 1
}

// grid is a table whose cells are read. Row 0 is the header where there is one.
type grid struct {
	*Table
	caption passage
	rows    [][]cell
	head    int // header rows: 0 or 1
	columns int
	facts   int
	tied    []bool // row i is held to the row before it by a span; nil where there are no spans
}

// cell is a cell that is printed: it stands in the column col and takes rows and cols.
type cell struct {
	passage
	col, rows, cols int
}

func readTable(t *Table) (*grid, error) {
	g := &grid{Table: t}
	var err error
	if g.caption, err = readText(t.Caption, false); err != nil {
		return nil, fmt.Errorf("caption: %w", err)
	}
	g.facts = len(g.caption.marks)
	all := t.Rows
	g.columns = len(t.Header)
	if t.Header != nil {
		g.head = 1
		all = append([][]string{t.Header}, t.Rows...)
	} else if len(t.Rows) > 0 {
		g.columns = len(t.Rows[0])
	}
	if len(t.Rows) == 0 || g.columns == 0 {
		return nil, fmt.Errorf("it has no cells: leave it out")
	}
	if n := len(t.Right); n != 0 && n != g.columns {
		return nil, fmt.Errorf("Right has %d entries for %d columns: give one for each, or none", n, g.columns)
	}
	if n := len(t.Widths); n != 0 && n != g.columns {
		return nil, fmt.Errorf("Widths has %d entries for %d columns: give one for each, or none", n, g.columns)
	}
	for _, w := range t.Widths {
		if !(w > 0) || w > 1 {
			return nil, fmt.Errorf("width %g: choose a share above 0 and up to 1", w)
		}
	}
	covered, spans, err := g.cover(all)
	if err != nil {
		return nil, err
	}
	cells := make([]cell, 0, len(all)*g.columns)
	g.rows = make([][]cell, len(all))
	filled := false
	for r, row := range all {
		if len(row) != g.columns {
			return nil, fmt.Errorf("row %d has %d cells, the table has %d columns: fill it up with empty ones", r+1-g.head, len(row), g.columns)
		}
		from := len(cells)
		for c, written := range row {
			if covered != nil && covered[r*g.columns+c] {
				if written != "" {
					return nil, fmt.Errorf("the cell %q lies under another one's span: leave it empty", written)
				}
				continue
			}
			p, err := readText(written, false)
			if err != nil {
				return nil, fmt.Errorf("row %d: %w", r+1-g.head, err)
			}
			one := cell{p, c, 1, 1}
			if sp, ok := spans[[2]int{r, c}]; ok {
				one.rows, one.cols = sp.Rows, sp.Columns
			}
			filled = filled || p.text != ""
			g.facts += len(p.marks)
			cells = append(cells, one)
		}
		g.rows[r] = cells[from:len(cells):len(cells)]
	}
	if !filled {
		return nil, errEmpty
	}
	return g, nil
}

// cover says which cells lie under the span of another one, by row and column.
func (g *grid) cover(all [][]string) ([]bool, map[[2]int]Span, error) {
	if len(g.Spans) == 0 {
		return nil, nil, nil
	}
	covered := make([]bool, len(all)*g.columns)
	spans := map[[2]int]Span{}
	g.tied = make([]bool, len(all))
	for _, sp := range g.Spans {
		r := sp.Row + g.head
		if r < 0 || sp.Column < 0 || sp.Rows < 1 || sp.Columns < 1 || r+sp.Rows > len(all) || sp.Column+sp.Columns > g.columns || g.head == 1 && r == 0 && sp.Rows > 1 {
			return nil, nil, fmt.Errorf("the span %+v leaves the table or its header: make it smaller", sp)
		}
		for i := r; i < r+sp.Rows; i++ {
			for j := sp.Column; j < sp.Column+sp.Columns; j++ {
				if _, twice := spans[[2]int{i, j}]; twice || covered[i*g.columns+j] {
					return nil, nil, fmt.Errorf("the span %+v overlaps another one: move it", sp)
				}
				covered[i*g.columns+j] = i != r || j != sp.Column
			}
			g.tied[i] = g.tied[i] || i > r
		}
		spans[[2]int{r, sp.Column}] = sp
	}
	return covered, spans, nil
}

// plot is a chart whose texts are read.
type plot struct {
	*Chart
	caption         passage
	labels, printed []passage
	top             float64
	facts           int
}

func readChart(c *Chart) (*plot, error) {
	p := &plot{Chart: c, top: c.Top}
	var err error
	if p.caption, err = readText(c.Caption, false); err != nil {
		return nil, fmt.Errorf("caption: %w", err)
	}
	p.facts = len(p.caption.marks)
	switch {
	case c.Kind != Bars && c.Kind != Columns && c.Kind != Curve:
		return nil, fmt.Errorf("chart kind %q: choose %s, %s or %s", c.Kind, Bars, Columns, Curve)
	case len(c.Labels) == 0:
		return nil, fmt.Errorf("it has no values: leave it out")
	case len(c.Labels) != len(c.Values) || len(c.Labels) != len(c.Printed):
		return nil, fmt.Errorf("it has %d labels, %d values and %d printed ones: give as many of each", len(c.Labels), len(c.Values), len(c.Printed))
	}
	for i, v := range c.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 && c.Kind != Curve {
			return nil, fmt.Errorf("value %g cannot be drawn as %s: choose a finite one, for bars and columns 0 or more", v, c.Kind)
		}
		if c.Top == 0 {
			p.top = max(p.top, v)
		}
		for _, t := range []struct {
			written string
			list    *[]passage
		}{{c.Labels[i], &p.labels}, {c.Printed[i], &p.printed}} {
			q, err := readText(t.written, false)
			if err == nil && q.text == "" {
				err = fmt.Errorf("value %d has no label or is not printed: give both", i+1)
			}
			if err == nil && c.Above && len(q.marks) > 0 {
				err = fmt.Errorf("%q holds a fact and no label stands with it: write it into the caption, or unset Above", q.text)
			}
			if err != nil {
				return nil, err
			}
			p.facts += len(q.marks)
			*t.list = append(*t.list, q)
		}
	}
	if p.top <= 0 {
		p.top = 1
	}
	return p, nil
}

// row is what a chart says of value i, label and printed value joined by one space.
func (p *plot) row(i int) passage {
	n := len([]rune(p.labels[i].text)) + 1
	out := passage{text: p.labels[i].text + " " + p.printed[i].text}
	out.marks = append(out.marks, p.labels[i].marks...)
	for _, m := range p.printed[i].marks {
		m.start, m.end = m.start+n, m.end+n
		out.marks = append(out.marks, m)
	}
	for j := range out.marks {
		out.marks[j].evStart, out.marks[j].evEnd = 0, n+len([]rune(p.printed[i].text))
	}
	return out
}

// data is a chart as the table of its data.
func (p *plot) data() *grid {
	g := &grid{Table: &Table{Right: []bool{false, true}}, caption: p.caption, columns: 2, facts: p.facts}
	for i := range p.labels {
		g.rows = append(g.rows, []cell{{p.labels[i], 0, 1, 1}, {p.printed[i], 1, 1, 1}})
	}
	return g
}
