package parse

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"enterprisedocbench"
)

const wordSpace = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="urn:mc" xmlns:a="urn:a"`

// pack makes a package of parts.
func pack(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(parts)) { // the same bytes every time
		f, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, parts[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func word(t testing.TB, body string) []byte {
	return pack(t, map[string]string{
		"_rels/.rels": `<Relationships><Relationship Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/_rels/document.xml.rels": `<Relationships><Relationship Type="http://x/styles" Target="styles.xml"/><Relationship Type="http://x/footnotes" Target="/word/footnotes.xml"/>` +
			`<Relationship Type="http://x/header" Target="header1.xml"/><Relationship Type="http://x/footer" Target="footer1.xml"/><Relationship Type="http://x/image" TargetMode="External" Target="http://nowhere/x.png"/></Relationships>`,
		"word/styles.xml": `<w:styles ` + wordSpace + `><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H2"/></w:style>` +
			`<w:style w:styleId="T"><w:name w:val="Title"/></w:style><w:style w:styleId="C"><w:name w:val="caption"/></w:style><w:style w:styleId="L"><w:name w:val="List Bullet"/><w:pPr><w:numPr/></w:pPr></w:style>` +
			`<w:style w:styleId="Loop"><w:name w:val="loop"/><w:basedOn w:val="Loop"/></w:style></w:styles>`,
		"word/footnotes.xml": `<w:footnotes ` + wordSpace + `><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> See page 9.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		"word/header1.xml":   `<w:hdr ` + wordSpace + `><w:p><w:r><w:t>Draft</w:t></w:r></w:p></w:hdr>`,
		"word/footer1.xml":   `<w:ftr ` + wordSpace + `><w:p><w:r><w:t>Confidential</w:t></w:r></w:p></w:ftr>`,
		"word/document.xml":  `<w:document ` + wordSpace + `><w:body>` + body + `</w:body></w:document>`,
	})
}

func TestDocx(t *testing.T) {
	para := func(style, text string) string {
		if style != "" {
			style = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`
		}
		return `<w:p>` + style + `<w:r><w:t xml:space="preserve">` + text + `</w:t></w:r></w:p>`
	}
	cell := func(props, text string) string {
		return `<w:tc><w:tcPr>` + props + `</w:tcPr>` + para("", text) + `</w:tc>`
	}
	body := para("T", "Annual report") + para("Mine", "Results") + para("Loop", "Text with a loop of styles.") + para("L", "a point") +
		`<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr><w:r><w:t>Deeper</w:t></w:r></w:p>` +
		`<w:p><w:r><w:t xml:space="preserve">Net </w:t></w:r><w:del><w:r><w:delText>loss</w:delText></w:r></w:del><w:ins><w:r><w:t>profit</w:t></w:r></w:ins><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:noBreakHyphen/><w:t>rose</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>` +
		`<mc:AlternateContent><mc:Choice>` + para("", "once") + `</mc:Choice><mc:Fallback>` + para("", "once") + `</mc:Fallback></mc:AlternateContent>` +
		`<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>` + cell(`<w:gridSpan w:val="2"/>`, "Year") + `</w:tr><w:tr>` + cell(`<w:vMerge w:val="restart"/>`, "2025") + cell("", "12 &lt; 13") + `</w:tr><w:tr>` + cell(`<w:vMerge/>`, "") + cell("", "14") + `</w:tr></w:tbl>` +
		para("C", "Table 1: Profit") +
		`<w:p><w:r><w:drawing><a:blip/></w:drawing></w:r></w:p>` + para("C", "Figure 1: A chart") +
		`<w:p><w:r><w:t>Around</w:t></w:r><w:r><w:pict><w:txbxContent>` + para("", "In the box") + `</w:txbxContent></w:pict></w:r></w:p>`
	got, err := parseDocx(word(t, body))
	if err != nil {
		t.Fatal(err)
	}
	want := []edb.Element{
		{ID: "e1", Kind: edb.KindHeader, Text: "Draft"},
		{ID: "e2", Kind: edb.KindHeading, Level: 1, Text: "Annual report"},
		{ID: "e3", Kind: edb.KindHeading, Level: 2, Text: "Results"},
		{ID: "e4", Kind: edb.KindParagraph, Text: "Text with a loop of styles."},
		{ID: "e5", Kind: edb.KindListItem, Text: "a point"},
		{ID: "e6", Kind: edb.KindHeading, Level: 3, Text: "Deeper"},
		{ID: "e7", Kind: edb.KindParagraph, Text: "Net profit-rose"},
		{ID: "e8", Kind: edb.KindParagraph, Text: "once"},
		{ID: "e9", Kind: edb.KindTable, Text: "Year\n2025\t12 < 13\n14", HTML: `<table><tr><th colspan="2">Year</th></tr><tr><td rowspan="2">2025</td><td>12 &lt; 13</td></tr><tr><td>14</td></tr></table>`},
		{ID: "e10", Kind: edb.KindCaption, Text: "Table 1: Profit", CaptionOf: "e9"},
		{ID: "e11", Kind: edb.KindFigure},
		{ID: "e12", Kind: edb.KindCaption, Text: "Figure 1: A chart", CaptionOf: "e11"},
		{ID: "e13", Kind: edb.KindParagraph, Text: "Around"},
		{ID: "e14", Kind: edb.KindParagraph, Text: "In the box"},
		{ID: "e15", Kind: edb.KindFootnote, Text: "See page 9."},
		{ID: "e16", Kind: edb.KindFooter, Text: "Confidential"},
	}
	if diff := cmp.Diff(want, got.Pages[0].Elements); diff != "" {
		t.Error(diff)
	}
	if got.Paged || len(got.Warnings) > 0 {
		t.Errorf("paged %v, warnings %v", got.Paged, got.Warnings)
	}
}

func workbook(t testing.TB) []byte {
	t.Helper()
	f := excelize.NewFile()
	set := func(sheet string, cells map[string]any) {
		for at, v := range cells {
			if err := f.SetCellValue(sheet, at, v); err != nil {
				t.Fatal(err)
			}
		}
	}
	set("Sheet1", map[string]any{"B2": "Region", "C2": "Sales", "B4": "North", "C4": 1234.5, "B5": "South", "C5": 7, "B8": "A note of its own."})
	if err := f.MergeCell("Sheet1", "B2", "B3"); err != nil {
		t.Fatal(err)
	}
	set("Sheet1", map[string]any{"C3": "in EUR"})
	style, err := f.NewStyle(&excelize.Style{NumFmt: 4})
	if err != nil {
		t.Fatal(err)
	}
	if err := f.SetCellStyle("Sheet1", "C4", "C4", style); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Empty", "Secret"} {
		if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.SetSheetVisible("Secret", false); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestXlsx(t *testing.T) {
	got, err := parseXlsx(workbook(t))
	if err != nil {
		t.Fatal(err)
	}
	want := []edb.Page{
		{Number: 1, Elements: []edb.Element{
			{ID: "p1e1", Kind: edb.KindHeading, Level: 1, Text: "Sheet1"},
			{ID: "p1e2", Kind: edb.KindTable, Text: "Region\tSales\nin EUR\nNorth\t1,234.50\nSouth\t7",
				HTML: `<table><tr><td rowspan="2">Region</td><td>Sales</td></tr><tr><td>in EUR</td></tr><tr><td>North</td><td>1,234.50</td></tr><tr><td>South</td><td>7</td></tr></table>`},
			{ID: "p1e3", Kind: edb.KindParagraph, Text: "A note of its own."},
		}},
		{Number: 2, Elements: []edb.Element{{ID: "p2e1", Kind: edb.KindHeading, Level: 1, Text: "Empty"}}},
	}
	if diff := cmp.Diff(want, got.Pages); diff != "" {
		t.Error(diff)
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], `"Secret" is hidden`) {
		t.Errorf("warnings %v", got.Warnings)
	}
}

func TestBadOfficeFiles(t *testing.T) {
	var bomb bytes.Buffer
	z := zip.NewWriter(&bomb)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	f, err := z.Create("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	block := bytes.Repeat([]byte(" "), 1<<20)
	for range maxPart>>20 + 1 {
		if _, err := f.Write(block); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	deep := strings.Repeat("<w:sdt>", maxXMLDepth+1) + strings.Repeat("</w:sdt>", maxXMLDepth+1)
	for _, c := range []struct {
		name string
		b    []byte
		kind string
	}{
		{"no zip", []byte("PK is not enough"), Damaged},
		{"old binary", []byte(oleSignature + "rest"), Encrypted},
		{"another package", pack(t, map[string]string{"mimetype": "application/epub+zip"}), Damaged},
		{"cut", word(t, "<w:p/>")[:400], Damaged},
		{"broken XML", word(t, "<w:p><w:r></w:p>"), Damaged},
		{"deep", word(t, deep), TooLarge},
		{"bomb", bomb.Bytes(), TooLarge},
	} {
		if _, err := parseDocx(c.b); kindOf(err) != c.kind {
			t.Errorf("docx, %s: %v, want %s", c.name, err, c.kind)
		}
		if _, err := parseXlsx(c.b); kindOf(err) == "" {
			t.Errorf("xlsx, %s: %v, want a named failure", c.name, err)
		}
	}
}

func FuzzDocx(f *testing.F) {
	f.Add(`<w:p><w:pPr><w:pStyle w:val="H2"/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>`)
	f.Add(`<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="3"/><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr></w:tc></w:tr></w:tbl>`)
	f.Fuzz(func(t *testing.T, body string) {
		p, err := engineReads(t, word(t, body), parseDocx)
		if err == nil && p.Paged {
			t.Fatal("a Word document has no pages of its own")
		}
	})
}

// sheet is a workbook of one sheet with these rows and shared strings, as XML.
func sheet(t testing.TB, data, strings string) []byte {
	const main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	const types = "application/vnd.openxmlformats-officedocument.spreadsheetml."
	const rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	return pack(t, map[string]string{
		"[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + types + `sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + types + `worksheet+xml"/>` +
			`<Override PartName="/xl/sharedStrings.xml" ContentType="` + types + `sharedStrings+xml"/></Types>`,
		"_rels/.rels":     `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + rel + `officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml": `<workbook ` + main + ` xmlns:r="` + rel[:len(rel)-1] + `"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="` + rel + `worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="r2" Type="` + rel + `sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml": `<worksheet ` + main + `>` + data + `</worksheet>`,
		"xl/sharedStrings.xml":     `<sst ` + main + `>` + strings + `</sst>`,
	})
}

func TestXlsxMadeByHand(t *testing.T) {
	got, err := parseXlsx(sheet(t, `<sheetData><row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2"><v>3</v></c></row></sheetData>`, `<si><t>North</t></si>`))
	if err != nil || got.Text() != "One\nNorth\t3" {
		t.Errorf("%q, %v", got.Text(), err)
	}
}

// FuzzXlsx damages the parts of a workbook; FuzzOfficeFiles the package around them.
func FuzzXlsx(f *testing.F) {
	f.Add(`<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>in</t></is></c></row><row r="2"><c r="A2"><v>1e3</v></c><c r="C2" t="b"><v>1</v></c></row></sheetData>`, `<si><t>a</t></si>`)
	f.Add(`<sheetData><row r="3"><c r="B3" t="str"><f>SUM(A1)</f><v>x</v></c></row><row><c><v>9</v></c></row></sheetData><mergeCells><mergeCell ref="B3:D9"/></mergeCells>`, `<si><r><t>b</t></r><r><t>c</t></r></si>`)
	f.Fuzz(func(t *testing.T, data, strings string) { engineReads(t, sheet(t, data, strings), parseXlsx) })
}
