package datasets

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"path/filepath"
	"strings"
	"testing"

	edb "enterprisedocbench"
)

// sized stands in for a parser: n empty pages of the size.
func sized(n int, width, height float64) func(context.Context, string) (edb.Parsed, error) {
	return func(context.Context, string) (edb.Parsed, error) {
		p := edb.Parsed{Engine: "sizes@1", Paged: true}
		for i := range n {
			p.Pages = append(p.Pages, edb.Page{Number: i + 1, Width: width, Height: height})
		}
		return p, nil
	}
}

func pngOf(t *testing.T, width, height int) string {
	t.Helper()
	var b bytes.Buffer
	must(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))))
	return b.String()
}

// made imports files that the test lays out, and holds that the dataset has no fault.
func made(t *testing.T, importer string, files map[string]string, opt ImportOptions) *Dataset {
	t.Helper()
	from, out := t.TempDir(), filepath.Join(t.TempDir(), "out")
	lay(t, from, files)
	imp, err := LookupImporter(importer)
	must(t, err)
	must(t, imp.Import(t.Context(), from, out, opt))
	faults, err := Check(out)
	must(t, err)
	for _, f := range faults {
		t.Error(f)
	}
	d, err := Open(out)
	must(t, err)
	return d
}

// omniDemo is a page of 1000 x 2000 pixels in the layout of the benchmark, and one that is an image.
const omniDemo = `[{"layout_dets":[
 {"category_type":"text_block","poly":[100,400,900,400,900,500,100,500],"ignore":false,"order":2,"anno_id":7,"text":"a para"},
 {"category_type":"text_block","poly":[100,900,900,900,900,950,100,950],"ignore":false,"order":5,"anno_id":8,"text":"graph","line_with_spans":[]},
 {"category_type":"title","poly":[100.5,100,900,100,900,200,100.5,200],"ignore":false,"order":1,"anno_id":3,"text":"Report"},
 {"category_type":"table","poly":[100,600,900,600,900,800,100,800],"ignore":false,"order":3,"anno_id":4,"html":"<table><tr><td colspan=\"2\">A &amp; B</td></tr><tr><td>1</td><td>2</td></tr></table>","latex":"x"},
 {"category_type":"table_caption","poly":[100,550,900,550,900,590,100,590],"ignore":false,"order":4,"anno_id":5,"text":"Table 1"},
 {"category_type":"equation_isolated","poly":[100,1000,900,1000,900,1100,100,1100],"ignore":false,"order":6,"anno_id":9,"latex":"$$x^2$$"},
 {"category_type":"page_number","poly":[480,1950,520,1950,520,2100,480,2100],"ignore":false,"order":null,"anno_id":10,"text":"12"},
 {"category_type":"text_mask","poly":[0,0,10,0,10,10,0,10],"ignore":false,"order":null,"anno_id":11},
 {"category_type":"text_block","poly":[0,0,10,0,10,10,0,10],"ignore":true,"order":0,"anno_id":12,"text":"to be ignored"},
 {"category_type":"list_group","poly":[100,1200,900,1200,900,1300,100,1300],"ignore":false,"order":7,"anno_id":13,
  "merge_list":[{"category_type":"text_block","text":"- one"},{"category_type":"text_block","line_with_spans":[{"category_type":"text_span","text":"- two"}]}]}],
 "page_info":{"page_no":0,"height":2000,"width":1000,"image_path":"demo.pdf_3.jpg","page_attribute":{"data_source":"research_report","language":"english","layout":"single_column"}},
 "extra":{"relation":[{"source_anno_id":4,"target_anno_id":5,"relation":"parent_son"},{"source_anno_id":8,"target_anno_id":7,"relation_type":"truncated"}]}},
{"layout_dets":[{"category_type":"table","poly":[0,0,50,0,50,40,0,40],"order":1,"anno_id":1,"latex":"\\begin{tabular}{|c|c|}\\hline \\multirow{2}{*}{Rent} & \\$ 5\\\\ & 6\\\\ \\hline\\end{tabular}"}],
 "page_info":{"height":80,"width":100,"image_path":"images/scan.png","page_attribute":{"data_source":"note","language":"en_ch_mixed"}},"extra":{}}]`

func TestImportOmniDocBench(t *testing.T) {
	d := made(t, "omnidocbench", map[string]string{
		"OmniDocBench.json": omniDemo, "images/scan.png": pngOf(t, 200, 160),
		"images/demo.pdf_3.jpg": "\xff\xd8\xff", "pdfs/demo.pdf_3.pdf": "%PDF-1.4 as images", "ori_pdfs/demo.pdf_3.pdf": "%PDF-1.4 the slice",
	}, ImportOptions{Parse: sized(1, 500, 1000), Workers: 2})
	if len(d.Documents) != 2 || d.Documents[0].ID != "demo.pdf_3" {
		t.Fatalf("%+v", d.Documents)
	}
	x := d.Documents[0]
	if x.MIME != "application/pdf" || x.Doctype != "research_report" || x.Lang != "en" || *x.Layout != (edb.Layout{Tables: 1, Columns: 1}) ||
		x.Licence.Commercial || x.Licence.Redistribute || x.Bytes != int64(len("%PDF-1.4 the slice")) || x.Scanned {
		t.Errorf("%+v %+v", x, x.Layout)
	}
	g := readGoldOf(t, d, x.ID)
	if got, want := g.Text(), "Report\na paragraph\nA & B\n1\t2\nTable 1\n$$x^2$$\n- one\n- two"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	es := g.Pages[0].Elements
	if *es[0].Box != (edb.Box{50.25, 50, 450, 100}) || es[2].HTML != `<table><tr><td colspan="2">A &amp; B</td></tr><tr><td>1</td><td>2</td></tr></table>` ||
		es[3].CaptionOf != es[2].ID || es[4].Kind != edb.KindFormula || es[6].Kind != edb.KindPageNumber || es[6].Box[3] != 1000 || g.Mask[0] != "formula" {
		t.Errorf("%+v", es)
	}
	x = d.Documents[1]
	g = readGoldOf(t, d, x.ID)
	if pg := g.Pages[0]; x.MIME != "image/png" || !x.Scanned || x.Lang != "mul" || pg.Width != 200 || *pg.Elements[0].Box != (edb.Box{0, 0, 100, 80}) {
		t.Errorf("%+v %+v", x, pg)
	}
	if e := g.Pages[0].Elements[0]; e.Text != "Rent\t$ 5\n6" || e.HTML != `<table><tr><td rowspan="2">Rent</td><td>$ 5</td></tr><tr><td>6</td></tr></table>` {
		t.Errorf("%+v", e)
	}
}

func TestLaTeXGrid(t *testing.T) {
	for _, c := range []struct{ name, latex, text, html string }{
		{"spans", `\begin{tabular}{|l|r r|} \hline A & \multicolumn{2}{c}{B \& C} \\ \cline{2-3} \multirow[t]{2}{4cm}{D} & 1 & {2 & 3} \\ & 4 & 5 \end{tabular}`,
			"A\tB & C\nD\t1\t{2 & 3}\n4\t5", `<table><tr><td>A</td><td colspan="2">B &amp; C</td></tr><tr><td rowspan="2">D</td><td>1</td><td>{2 &amp; 3}</td></tr><tr><td>4</td><td>5</td></tr></table>`},
		{"both", `\begin{tabular}{cc}\multicolumn{2}{c}{\multirow{2}{*}{X}} & y\\ && z\end{tabular}`, "X\ty\nz", `<table><tr><td rowspan="2" colspan="2">X</td><td>y</td></tr><tr><td>z</td></tr></table>`},
		{"width", `\begin{tabularx}{\textwidth}{XX}a&b\\[2pt]\bottomrule\end{tabularx}`, "a\tb\n[2pt]", ""},
		{"money", `\begin{tabular}{ll}\$ & $(4,156)$ & $23 \%$ & $x_1$\end{tabular}`, "$\t(4,156)\t23 %\t$x_1$", ""},
		{"huge", `\begin{tabular}{l}\multicolumn{99999}{c}{a} & \multirow{-2}{*}{b}\end{tabular}`, `\multicolumn{99999}{c}{a}` + "\t" + `\multirow{-2}{*}{b}`, ""},
		{"open", `\begin{tabular}{l a & b`, "", ""},
		{"none", `a & b`, "", ""},
	} {
		g, ok := latexGrid(c.latex)
		if ok != (c.text != "") || g.text() != c.text || (c.html != "" && g.html() != c.html) {
			t.Errorf("%s: %v %q %s", c.name, ok, g.text(), g.html())
		}
	}
}

func TestHTMLGrid(t *testing.T) {
	for _, c := range []struct{ name, html, text, want string }{
		{"bare rows", `<tr><td rowspan="2">a</td><th>b<br>c</th></tr><tr><td>d</td></tr>`, "a\tb c\nd", `<table><tr><td rowspan="2">a</td><td>b c</td></tr><tr><td>d</td></tr></table>`},
		{"nested", `<p>x</p><table><tbody><tr><td>a<table><tr><td>in</td><td>side</td></tr></table></td></tr></tbody></table><table><tr><td>second</td></tr></table>`, "a in side", ""},
		{"spans", `<table><tr><td colspan="0">a</td><td colspan="99999">b</td><td rowspan="x">c</td></tr></table>`, "a\tb\tc", "<table><tr><td>a</td><td>b</td><td>c</td></tr></table>"},
		{"none", `words`, "", ""},
	} {
		g, ok := htmlGrid(c.html)
		if ok != (c.text != "") || g.text() != c.text || (c.want != "" && g.html() != c.want) {
			t.Errorf("%s: %v %q %s", c.name, ok, g.text(), g.html())
		}
	}
	if _, ok := htmlGrid(strings.Repeat("<table><tr><td>", 100)); !ok {
		t.Error("a table in tables has no cell")
	}
	if _, ok := htmlGrid(strings.Repeat("<table><tr><td>", 30000)); ok {
		t.Error("tables without end are read")
	}
}
