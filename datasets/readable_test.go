package datasets_test

import (
	"path/filepath"
	"testing"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/parse"
)

// TestRebuiltPagesReadBack holds that the HTML of rebuilt documents, read by the reader of HTML,
// gives the gold: the same text, tables and headings.
func TestRebuiltPagesReadBack(t *testing.T) {
	for _, name := range []string{"finqa", "tatqa", "pubmedqa"} {
		t.Run(name, func(t *testing.T) {
			imp, err := datasets.LookupImporter(name)
			if err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(t.TempDir(), name)
			if err := imp.Import(t.Context(), testdata.Data(t, name), out, datasets.ImportOptions{}); err != nil {
				t.Fatal(err)
			}
			d, err := datasets.Open(out)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range d.Documents {
				path, err := d.File(x)
				if err != nil {
					t.Fatal(err)
				}
				got, err := parse.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				want, _, err := d.Gold(x.ID)
				if err != nil {
					t.Fatal(err)
				}
				g, w := got.Pages[0].Elements, want.Pages[0].Elements
				if len(g) != len(w) {
					t.Fatalf("%s: %d elements, gold has %d", x.ID, len(g), len(w))
				}
				for i := range w {
					if g[i].Kind != w[i].Kind || g[i].Text != w[i].Text || g[i].HTML != w[i].HTML || g[i].Level != w[i].Level {
						t.Fatalf("%s: element %d is %+v, gold %+v", x.ID, i+1, g[i], w[i])
					}
				}
			}
		})
	}
}
