package parse_test

import (
	"path/filepath"
	"testing"

	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/parse"
	"enterprisedocbench/parse/parsetest"
)

func TestEnginesKeepTheContract(t *testing.T) {
	pdfs := func(t *testing.T) []string {
		return []string{filepath.Join(testdata.Data(t, "joss"), "ecodive.pdf")}
	}
	files := map[string]func(t *testing.T) []string{
		"pdfium": pdfs, "ledongthuc": pdfs, "poppler": pdfs, "mupdf": pdfs,
		"tesseract": func(t *testing.T) []string {
			return []string{filepath.Join(testdata.Data(t, "olmocr_bench"), "pdfs", "small_page_size.pdf")}
		},
		"rapidocr": func(t *testing.T) []string {
			return []string{filepath.Join(testdata.Data(t, "olmocr_bench"), "pdfs", "small_page_size.pdf")}
		},
		"auto":     pdfs,
		"docling":  pdfs,
		"docx":     func(t *testing.T) []string { return parse.OfficeFiles(t)[:1] },
		"xlsx":     func(t *testing.T) []string { return parse.OfficeFiles(t)[1:] },
		"html":     func(*testing.T) []string { return []string{"testdata/page.html", "testdata/report.html"} },
		"jats":     func(*testing.T) []string { return []string{"testdata/article.xml"} },
		"tei":      func(*testing.T) []string { return []string{"testdata/letter.xml"} },
		"xml":      func(*testing.T) []string { return []string{"testdata/label.xml", "testdata/article.xml"} },
		"json":     func(*testing.T) []string { return []string{"testdata/record.json"} },
		"markdown": func(*testing.T) []string { return []string{"testdata/paper.md"} },
		"text":     func(*testing.T) []string { return []string{"testdata/two-pages.txt"} },
	}
	for _, e := range parse.All() {
		t.Run(e.Name, func(t *testing.T) {
			if e.Available != nil {
				if err := e.Available(); err != nil {
					t.Skipf("%v: %s", err, e.Get)
				}
			}
			parsetest.Run(t, e, files[e.Name](t)...)
		})
	}
}

func TestLookup(t *testing.T) {
	for _, e := range parse.All() {
		got, err := parse.Lookup(e.Name)
		if err != nil || got.Name != e.Name || got.Version < 1 || got.What == "" || len(got.Accepts) == 0 {
			t.Errorf("%s: %+v, %v", e.Name, got, err)
		}
		if s := (parse.Spec{Engine: e.Name}); s.Name() != e.Name || s.Version() != e.Version {
			t.Errorf("spec of %s: %s@%d", e.Name, s.Name(), s.Version())
		}
	}
	if _, err := parse.Lookup("pdfum"); err == nil {
		t.Error("an unknown engine was found")
	}
	if s := (parse.Spec{URL: "http://localhost:1/x"}); s.Version() != 0 || s.Name() != "url:http://localhost:1/x" {
		t.Errorf("url: %s@%d", s.Name(), s.Version())
	}
}
