package parse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench"
)

func TestReadDocTags(t *testing.T) {
	const tags = `<doctag><page_header><loc_1><loc_2><loc_3><loc_4>Harbour report</page_header>
<title><loc_1><loc_2><loc_3><loc_4>Salt &amp; tide</title>
<section_header_level_1>Methods</section_header_level_1>
<text>a < b and <unknown> stays
in one line</text>
<unordered_list><list_item>one</list_item>
<list_item>two</list_item></unordered_list>
<otsl><loc_1><loc_2><loc_3><loc_4><caption><loc_1>Table 1.</caption><ched>Depth<lcel><ched>Salt<nl><rhed>low<fcel>1<fcel>30<nl><ucel><fcel>2<ecel><nl></otsl>
<picture><bar_chart><loc_1><text>words in it</text><caption>Figure 1.</caption></picture>
<code><_Python_>x = 1
  y</code>
<page_break>
<formula>a=b</formula><footnote>note</footnote><page_footer>2</page_footer>
</doctag>`
	p, err := ReadFile(put(t, "a.doctags", tags))
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, lines(p), []string{"header: Harbour report", "heading1: Salt & tide", "heading2: Methods", "paragraph: a < b and <unknown> stays in one line",
		"list-item: one", "list-item: two", "caption of e8: Table 1.", "e8 table: Depth\tSalt\nlow\t1\t30\n2\t", "e9 figure: ", "caption of e9: Figure 1.",
		"code: x = 1\n  y", "formula: a=b", "footnote: note", "footer: 2"})
	if !p.Paged || len(p.Pages) != 2 {
		t.Errorf("paged %v, %d pages", p.Paged, len(p.Pages))
	}
	want := `<table><tr><th colspan="2">Depth</th><th>Salt</th></tr><tr><td rowspan="2">low</td><td>1</td><td>30</td></tr><tr><td>2</td><td></td></tr></table>`
	for _, e := range p.Pages[0].Elements {
		if e.Kind == edb.KindTable && e.HTML != want {
			t.Errorf("%s, want %s", e.HTML, want)
		}
	}
	txt, err := ReadFile(put(t, "a.doctags.txt", "<doctag><text>one</text>\n</doctag>"))
	if err != nil || txt.Text() != "one" || txt.Paged {
		t.Errorf("%+v, %v", txt, err)
	}
	if _, err := ReadFile(put(t, "deep.doctags", "\n"+strings.Repeat("<text>", 100))); err == nil || !strings.Contains(err.Error(), ":2: more than 64 blocks") {
		t.Errorf("deep: %v", err)
	}
}

const hocrSample = `<!DOCTYPE html><html><head><meta name="ocr-system" content="tesseract 5.3.0"/></head><body>
<div class='ocr_page' title='image "a.png"; bbox 0 0 2000 1000; ppageno 0; scan_res 200 200'>
<div class='ocr_carea' title="bbox 100 100 900 300"><p class='ocr_par' title="bbox 100 100 900 300">
<span class='ocr_header' title="bbox 100 100 900 140; x_size 30"><span class='ocrx_word' title='bbox 100 100 200 140; x_wconf 96'>One</span> <span class='ocrx_word'>har-</span></span>
<span class='ocr_line' title="bbox 100 200 800 240"><span class='ocrx_word'>bour</span></span></p></div>
<div class='ocr_photo' title="bbox 500 500 900 900"></div>
<p class="ocr_caption" title="bbox 500 910 900 930">Figure 1</p>
<div class='ocr_carea'><span class='ocr_line' title="bbox 10 950 90 970">loose</span><span class='ocr_line' title="bbox 10 980 5000 990">line</span></div>
<div class="ocr_pageno">7</div></div>
<div class='ocr_page' title='bbox 0 0 100 100'><h1 class="ocr_chapter">Two</h1><p class='ocr_par'>without lines</p></div></body></html>`

func TestReadHOCR(t *testing.T) {
	for _, name := range []string{"a.hocr", "a.html"} {
		p, err := ReadFile(put(t, name, hocrSample))
		if err != nil {
			t.Fatal(err)
		}
		compareLines(t, lines(p), []string{"paragraph: One harbour", "e2 figure: ", "caption: Figure 1", "paragraph: loose line", "page-number: 7", "heading1: Two", "paragraph: without lines"})
		if !p.Paged || len(p.Pages) != 2 || p.Pages[0].Width != 720 || p.Pages[1].Width != 0 || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "page 2 states no scan_res") {
			t.Errorf("pages %+v, warnings %v", p.Pages, p.Warnings)
		}
		els := p.Pages[0].Elements
		if *els[0].Box != (edb.Box{36, 36, 324, 108}) || len(els[0].Lines) != 2 || *els[0].Lines[1].Box != (edb.Box{36, 72, 288, 86.4}) || els[3].Box[2] != 720 || p.Pages[1].Elements[0].Box != nil {
			t.Errorf("boxes %v, lines %+v", *els[0].Box, els[0].Lines)
		}
	}
	if _, err := ReadFile(put(t, "b.hocr", "<p>no page</p>")); err == nil || !strings.Contains(err.Error(), ":1: no element of the class ocr_page") {
		t.Errorf("no page: %v", err)
	}
}

// A DoclingDocument is read as a prediction, also from a folder of them.
func TestStoredForeignFormats(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"a.json": doclingSample, "b.doctags.txt": "<doctag><text>tags</text></doctag>", "c.hocr": hocrSample, "d.doctags": "<text>bare</text>"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for id, want := range map[string]string{"a": "Salt", "b": "tags", "c": "One harbour", "d": "bare"} {
		p, err := stored(dir, Source{Doc: edb.Document{ID: id}, Path: id + ".pdf"})
		if err != nil || !strings.Contains(p.Text(), want) {
			t.Errorf("%s: %q, %v", id, p.Text(), err)
		}
	}
}

func FuzzReadDocTags(f *testing.F) {
	f.Add([]byte("<doctag><otsl><caption>c</caption><ched>a<lcel><nl><ucel><xcel><nl></otsl><page_break><picture><chart><caption>d</caption></chart></picture></doctag>"))
	f.Add([]byte("<text><list_item></text></otsl><nl><fcel>"))
	f.Fuzz(func(t *testing.T, b []byte) { readsSoundly(t, b, readDocTags) })
}

func FuzzReadHOCR(f *testing.F) {
	f.Add([]byte(hocrSample))
	f.Add([]byte("<div class=ocr_page title='bbox 9 9 1 1; scan_res 1 1'><div class=ocr_page><span class=ocr_line title='bbox nan 1e999 -1 0'>x"))
	f.Fuzz(func(t *testing.T, b []byte) { readsSoundly(t, b, readHOCR) })
}
