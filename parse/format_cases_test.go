package parse

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	stdhtml "html"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/metrics"
)

// formatReaders are the readers of formats that state their structure, each with a writer that sets
// paragraphs, headings and a table in the format. What a format cannot hold is nil.
var formatReaders = []struct {
	name  string
	read  func([]byte) (edb.Parsed, error)
	prose func(t *testing.T, kind, text string) string // of one element
	table func(t *testing.T, rows [][]htmlCell) string
	file  func(t *testing.T, body string) []byte
}{
	{"html", parseHTML, htmlProse, htmlRows, func(_ *testing.T, b string) []byte { return []byte("<!doctype html><body>" + b) }},
	{"markdown", parseMarkdown, func(_ *testing.T, kind, text string) string {
		if kind == edb.KindHeading {
			return "# " + text + "\n\n"
		}
		return text + "\n\n"
	}, htmlRows, func(_ *testing.T, b string) []byte { return []byte(b + "\n") }},
	{"jats", readAs(JATS{}), func(_ *testing.T, kind, text string) string {
		if kind == edb.KindHeading {
			return "<sec><title>" + stdhtml.EscapeString(text) + "</title></sec>"
		}
		return "<p>" + stdhtml.EscapeString(text) + "</p>"
	}, func(t *testing.T, rows [][]htmlCell) string {
		return "<table-wrap>" + htmlRows(t, rows) + "</table-wrap>"
	},
		func(_ *testing.T, b string) []byte { return []byte("<article><body>" + b + "</body></article>") }},
	{"tei", readAs(TEI{}), func(_ *testing.T, kind, text string) string {
		if kind == edb.KindHeading {
			return "<div><head>" + stdhtml.EscapeString(text) + "</head></div>"
		}
		return "<p>" + stdhtml.EscapeString(text) + "</p>"
	}, teiRows, func(_ *testing.T, b string) []byte {
		return []byte(`<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>` + b + "</body></text></TEI>")
	}},
	{"docx", parseDocx, func(_ *testing.T, kind, text string) string {
		style := ""
		if kind == edb.KindHeading {
			style = `<w:pPr><w:pStyle w:val="H2"/></w:pPr>`
		}
		return "<w:p>" + style + "<w:r><w:t>" + stdhtml.EscapeString(text) + "</w:t></w:r></w:p>"
	}, wordRows, func(t *testing.T, b string) []byte {
		return pack(t, map[string]string{
			"_rels/.rels":                  `<Relationships><Relationship Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>`,
			"word/_rels/document.xml.rels": `<Relationships><Relationship Type="http://x/styles" Target="styles.xml"/></Relationships>`,
			"word/styles.xml":              `<w:styles ` + wordSpace + `><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style></w:styles>`,
			"word/document.xml":            `<w:document ` + wordSpace + `><w:body>` + b + `</w:body></w:document>`,
		})
	}},
	{"xlsx", parseXlsx, nil, excelRows, func(_ *testing.T, b string) []byte { return []byte(b) }},
	{"doctags", readDocTags, func(_ *testing.T, kind, text string) string {
		tag := "text"
		if kind == edb.KindHeading {
			tag = "section_header_level_1"
		}
		return "<" + tag + ">" + text + "</" + tag + ">\n"
	}, otslRows, func(_ *testing.T, b string) []byte { return []byte("<doctag>" + b + "</doctag>") }},
}

func readAs(p Parser) func([]byte) (edb.Parsed, error) {
	return func(b []byte) (edb.Parsed, error) {
		f, err := os.CreateTemp("", "case-*.xml")
		if err != nil {
			return edb.Parsed{}, err
		}
		defer os.Remove(f.Name())
		_, err = f.Write(b)
		if err = errors.Join(err, f.Close()); err != nil {
			return edb.Parsed{}, err
		}
		return p.Parse(context.Background(), Source{Path: f.Name()})
	}
}

func htmlProse(_ *testing.T, kind, text string) string {
	tag := "p"
	if kind == edb.KindHeading {
		tag = "h1"
	}
	return "<" + tag + ">" + stdhtml.EscapeString(text) + "</" + tag + ">"
}

func spanAttrs(c htmlCell, cols, rows string) string {
	s := ""
	if c.colspan > 1 {
		s += fmt.Sprintf(" %s=\"%d\"", cols, c.colspan)
	}
	if c.rowspan > 1 {
		s += fmt.Sprintf(" %s=\"%d\"", rows, c.rowspan)
	}
	return s
}

func markupRows(rows [][]htmlCell, table, row, head, cell, cols, lines string) string {
	var b strings.Builder
	b.WriteString("<" + table + ">")
	for _, r := range rows {
		b.WriteString("<" + row + ">")
		for _, c := range r {
			tag := cell
			if c.head {
				tag = head
			}
			b.WriteString("<" + tag + spanAttrs(c, cols, lines) + ">" + stdhtml.EscapeString(c.text) + "</" + tag + ">")
		}
		b.WriteString("</" + row + ">")
	}
	b.WriteString("</" + table + ">")
	return b.String()
}

func htmlRows(_ *testing.T, rows [][]htmlCell) string {
	return markupRows(rows, "table", "tr", "th", "td", "colspan", "rowspan")
}

func teiRows(_ *testing.T, rows [][]htmlCell) string {
	return markupRows(rows, "table", "row", "cell", "cell", "cols", "rows")
}

func wordRows(_ *testing.T, rows [][]htmlCell) string {
	var b strings.Builder
	b.WriteString("<w:tbl>")
	for _, r := range rows {
		b.WriteString("<w:tr>")
		for _, c := range r {
			b.WriteString("<w:tc>")
			if c.colspan > 1 {
				fmt.Fprintf(&b, `<w:tcPr><w:gridSpan w:val="%d"/></w:tcPr>`, c.colspan)
			}
			b.WriteString("<w:p><w:r><w:t>" + stdhtml.EscapeString(c.text) + "</w:t></w:r></w:p></w:tc>")
		}
		b.WriteString("</w:tr>")
	}
	return b.String() + "</w:tbl>"
}

func excelRows(t *testing.T, rows [][]htmlCell) string {
	f := excelize.NewFile()
	for y, r := range rows {
		x := 1
		for _, c := range r {
			at, err := excelize.CoordinatesToCellName(x, y+1)
			to, err2 := excelize.CoordinatesToCellName(x+c.colspan-1, y+1)
			if err = errors.Join(err, err2, f.SetCellValue("Sheet1", at, c.text)); err == nil && c.colspan > 1 {
				err = f.MergeCell("Sheet1", at, to)
			}
			if err != nil {
				t.Fatal(err)
			}
			x += c.colspan
		}
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func otslRows(_ *testing.T, rows [][]htmlCell) string {
	var b strings.Builder
	b.WriteString("<otsl>")
	for _, r := range rows {
		for _, c := range r {
			tag := "<fcel>"
			if c.head {
				tag = "<ched>"
			}
			b.WriteString(tag + c.text + strings.Repeat("<lcel>", c.colspan-1))
		}
		b.WriteString("<nl>")
	}
	return b.String() + "</otsl>"
}

// markupCells reads the rows of a <table>.
func markupCells(t *testing.T, markup string) [][]htmlCell {
	t.Helper()
	root, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.DataAtom == atom.Table {
			return tableOf(n).rows
		}
	}
	t.Fatalf("%q has no table", markup)
	return nil
}

// narrow says whether a table has a row of one cell: in a sheet that is a line of text.
func narrow(rows [][]htmlCell) bool {
	return slices.ContainsFunc(rows, func(r []htmlCell) bool { return len(r) < 2 })
}

// formatCase is a case scored through every reader; NaN where the format cannot hold what the case needs.
type formatCase struct {
	id, key string
	want    float64
	got     []float64 // by formatReaders
}

// formatCases sets both sides of the cases of text and of tables in every format, reads them back
// and scores what was read.
func formatCases(t *testing.T) (out []formatCase) {
	t.Helper()
	score := func(key string, gold, pred edb.Parsed) float64 {
		rows, err := metrics.EvalParse(t.Context(), gold, pred, []string{key})
		if err != nil || len(rows) != 1 {
			t.Fatalf("%s: %v, %+v", key, err, rows)
		}
		if rows[0].Value == nil {
			return -1
		}
		return *rows[0].Value
	}
	for _, c := range testdata.Cases(t, "parse-metric") {
		var in struct {
			Extracted, Reference, Pred, Gold, A, B json.RawMessage
		}
		var want map[string]any
		if err := errors.Join(json.Unmarshal(c.Input, &in), json.Unmarshal(c.Expected, &want)); err != nil {
			t.Fatal(err)
		}
		list := func(b json.RawMessage) (s []string) {
			if json.Unmarshal(b, &s) != nil {
				var one string
				if err := json.Unmarshal(b, &one); err != nil {
					t.Fatalf("%s: %v", c.ID, err)
				}
				s = []string{one}
			}
			return s
		}
		x := formatCase{id: c.ID}
		kind, pred, gold := "", []string(nil), []string(nil)
		name := ""
		switch {
		case c.ID == "teds-missing-counts-zero": // scores alone
			continue
		case c.ID == "teds-missed-table-shift":
			x.key, name, kind, pred, gold = "parse.tea", "tea", edb.KindTable, list(in.Pred), list(in.Gold)
		case strings.HasPrefix(c.ID, "teds-"):
			x.key, name, kind, pred, gold = "parse.teds", "teds", edb.KindTable, list(in.Pred), list(in.Gold)
			if gold[0] == "same string" {
				gold = pred
			}
		case c.ID == "text-reading-order":
			x.key, name, kind, pred, gold = "parse.lf", "lf", edb.KindHeading, list(in.Extracted), list(in.Reference)
		case c.ID == "text-codepoints":
			x.key, name, kind, pred, gold = "parse.tis", "similarity", edb.KindParagraph, list(in.A), list(in.B)
		case strings.HasPrefix(c.ID, "text-"):
			x.key, name, kind, pred, gold = "parse.tis", "tis_normalised", edb.KindParagraph, list(in.Extracted), list(in.Reference)
			if want[name] == nil {
				name = "tis"
			}
		default:
			continue
		}
		var ok bool
		if x.want, ok = want[name].(float64); !ok {
			t.Fatalf("%s: nothing is wanted of %s", c.ID, name)
		}
		for _, f := range formatReaders {
			write := func(parts []string) (edb.Parsed, bool) {
				var b strings.Builder
				for _, p := range parts {
					switch {
					case kind == edb.KindTable && f.name == "xlsx" && (len(parts) > 1 || narrow(markupCells(t, p))), kind != edb.KindTable && f.prose == nil:
						return edb.Parsed{}, false
					case kind == edb.KindTable:
						b.WriteString(f.table(t, markupCells(t, p)) + "\n")
					default:
						b.WriteString(f.prose(t, kind, p))
					}
				}
				p, err := f.read(f.file(t, b.String()))
				if err != nil {
					t.Fatalf("%s, %s: %v", f.name, c.ID, err)
				}
				return p, true
			}
			g, okG := write(gold)
			p, okP := write(pred)
			if !okG || !okP {
				x.got = append(x.got, math.NaN())
				continue
			}
			x.got = append(x.got, score(x.key, g, p))
		}
		out = append(out, x)
	}
	return out
}

// formatTable is the table of the page on engines.
func formatTable(cases []formatCase) string {
	var b strings.Builder
	b.WriteString("\n| case | measure | right |")
	for _, f := range formatReaders {
		fmt.Fprintf(&b, " %s |", f.name)
	}
	b.WriteString("\n|---|---|---|" + strings.Repeat("---|", len(formatReaders)) + "\n")
	for _, c := range cases {
		fmt.Fprintf(&b, "| `%s` | `%s` | %.3f |", c.id, c.key, c.want)
		for _, v := range c.got {
			switch {
			case math.IsNaN(v):
				b.WriteString(" · |")
			case math.Abs(v-c.want) < 1e-6:
				b.WriteString(" pass |")
			default:
				fmt.Fprintf(&b, " %.3f |", v)
			}
		}
		b.WriteString("\n")
	}
	return b.String() + "\n"
}

// TestFormatCases: the cases of text and tables survive every format, and the page shows it.
func TestFormatCases(t *testing.T) {
	cases := formatCases(t)
	if len(cases) < 14 {
		t.Fatalf("%d cases, want 14 or more", len(cases))
	}
	for _, c := range cases {
		for i, v := range c.got {
			if !math.IsNaN(v) && math.Abs(v-c.want) > 1e-6 {
				t.Errorf("%s through %s is %.6f, want %.6f", c.id, formatReaders[i].name, v, c.want)
			}
		}
	}
	b, err := os.ReadFile(enginesPage)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(b), "<!-- formats -->\n")
	old, tail, ok2 := strings.Cut(rest, "<!-- end of formats -->")
	if !ok || !ok2 {
		t.Fatal("the page has no place for the table of formats")
	}
	table := formatTable(cases)
	if *update {
		if err := os.WriteFile(enginesPage, []byte(head+"<!-- formats -->\n"+table+"<!-- end of formats -->"+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != table {
		t.Errorf("the page shows another table: run with -update\n%s", table)
	}
}
