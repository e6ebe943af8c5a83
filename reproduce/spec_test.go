package reproduce

import (
	"strings"
	"testing"

	"enterprisedocbench/expect"
)

// TestPagesAreSound: every declared page reads, names measures in their canonical form, and says
// something before the figures.
func TestPagesAreSound(t *testing.T) {
	pages, err := Pages()
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) != len(expect.Tables()) {
		t.Fatalf("%d pages of %d", len(pages), len(expect.Tables()))
	}
	ocr := 0
	for i, p := range pages {
		if p.Name != expect.Tables()[i] || len(p.Tables) == 0 || p.Intro == "" {
			t.Errorf("page %d is %q with %d tables", i, p.Name, len(p.Tables))
		}
		for _, tb := range p.Tables {
			if tb.Note == "" {
				t.Errorf("%s: no note", tb.Name)
			}
			n := map[string]int{"joss": 43}[tb.Dataset.Import] // read whole, as olmOCR-bench and Tabula are
			if n == 0 {
				n = 16
			}
			if s := tb.Dataset.Sample; s != nil {
				n = s.Pages
			}
			for _, a := range tb.Arms() {
				if a == "tesseract" || a == "rapidocr" {
					ocr += n * max(1, len(tb.Vary))
				}
			}
		}
	}
	if ocr > 600 { // 300 pages by two engines
		t.Errorf("OCR reads %d pages", ocr)
	}
}

func TestReadPageRefuses(t *testing.T) {
	const page = "page: p\ntitle: P\ntables:\n  - {name: a, title: A, dataset: {import: joss}, engines: [pdfium], measures: [parse.tis]}\n"
	if _, err := ReadPage([]byte(page), "x.yaml"); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"an unknown key":         {"title: P", "titel: P", "titel"},
		"no title":               {"title: P", "title: ''", "no name or no title"},
		"an unknown measure":     {"parse.tis", "parse.tos", "parse.tos"},
		"an unknown engine":      {"[pdfium]", "[acrobat]", "acrobat"},
		"no engine":              {"engines: [pdfium], ", "", "give engines or pipelines"},
		"an unknown collection":  {"{import: joss}", "{import: jozz}", "jozz"},
		"two sources":            {"{import: joss}", "{import: joss, world: 9}", "dataset"},
		"a sample of nothing":    {"{import: joss}", "{import: joss, sample: {pages: 0, each: page}}", "a sample has pages"},
		"a sample of paragraphs": {"{import: joss}", "{import: joss, sample: {pages: 2, each: paragraph}}", "each: document or page"},
		"a check of nothing":     {"title: P", "title: P\nchecks: [{id: c, tolerance: 0.1, tables: [a]}]", "give id, tolerance, tables"},
		"noise of no kind":       {"title: P", "title: P\nchecks: [{id: c, tolerance: 0.1, tables: [a], mean: parse.tis, noise: [{kind: fog, rates: [0.1]}]}]", "noise is a kind"},
		"noise of rate 0":        {"title: P", "title: P\nchecks: [{id: c, tolerance: 0.1, tables: [a], mean: parse.tis, noise: [{kind: ocr, rates: [0]}]}]", "rates above 0"},
		"a variation unnamed":    {"engines:", "vary: [{scan: {skew: 1}}], engines:", "variation has no name"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadPage([]byte(strings.Replace(page, c.from, c.to, 1)), "x.yaml")
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "x.yaml") {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestChecksNameTables(t *testing.T) {
	err := checkTables([]Page{{Tables: []Table{{Name: "a"}}, Checks: []Check{{ID: "c", Tables: []string{"b"}}}}})
	if err == nil || !strings.Contains(err.Error(), `no table is called "b"`) {
		t.Errorf("got %v", err)
	}
}

func FuzzReadPage(f *testing.F) {
	for _, name := range expect.Tables() {
		b, err := expect.Table(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("page: p\ntitle: t\ntables:\n- {name: a, engines: [{name: x, files: y}, pdfium]}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 20_000 {
			return
		}
		p, err := ReadPage(b, "f")
		if err == nil && (p.Name == "" || p.Title == "") {
			t.Error("a page without a name is taken")
		}
	})
}
