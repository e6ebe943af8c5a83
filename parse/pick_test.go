package parse

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
)

// TestPickPages: the picked pages read as they do in the whole, in the order of their numbers, and the
// bytes are the same on every call.
func TestPickPages(t *testing.T) {
	path := filepath.Join(testdata.Data(t, "joss"), "effmass.pdf")
	pick, err := PickPages()
	if err != nil {
		t.Fatal(err)
	}
	reader, err := newPdfium()
	if err != nil {
		t.Fatal(err)
	}
	words := func(file string) (pages []string) {
		p, err := reader.Parse(t.Context(), Source{Doc: edb.Document{ID: "x"}, Path: file})
		if err != nil {
			t.Fatal(err)
		}
		for _, pg := range p.Pages {
			var b strings.Builder
			for _, e := range pg.Elements { // what is furniture, or a word that another page ends, a page alone cannot tell
				if len(e.Lines) == 0 {
					b.WriteString(e.Text + "\n")
				}
				for _, l := range e.Lines {
					b.WriteString(l.Text + "\n")
				}
			}
			pages = append(pages, b.String())
		}
		return pages
	}
	whole := words(path)
	got, err := pick(t.Context(), path, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "picked.pdf")
	if err := os.WriteFile(file, got, 0o600); err != nil {
		t.Fatal(err)
	}
	picked := words(file)
	if len(picked) != 2 {
		t.Fatalf("%d pages, want 2", len(picked))
	}
	for i, text := range picked {
		if a, b := strings.Join(strings.Fields(text), ""), strings.Join(strings.Fields(whole[i+1]), ""); len(a) != len(b) {
			t.Errorf("page %d has %d characters in the whole and %d alone", i+2, len(b), len(a))
		}
	}
	again, err := pick(t.Context(), path, 2, 3)
	if err != nil || !bytes.Equal(got, again) {
		t.Errorf("the second call gives other bytes (%v)", err)
	}
	for name, pages := range map[string][]int{"none": nil, "beyond the end": {99}, "zero": {0}} {
		if _, err := pick(t.Context(), path, pages...); err == nil {
			t.Errorf("pages %s: no error", name)
		}
	}
}
