package parse

import (
	"context"
	"path/filepath"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/metrics"
)

// means imports a collection with this package's parsers and gives the mean of each measure over
// the documents whose gold has the part.
func means(t *testing.T, set string, keys ...string) map[string]float64 {
	t.Helper()
	ctx := context.Background()
	from := testdata.Data(t, set)
	p := testPdfium(t)
	imp, err := datasets.LookupImporter(set)
	if err != nil {
		t.Fatal(err)
	}
	markdown := func(path string) (edb.Parsed, error) { return Markdown{}.Parse(ctx, Source{Path: path}) }
	dir := filepath.Join(t.TempDir(), set)
	if err := imp.Import(ctx, from, dir, datasets.ImportOptions{Parse: func(ctx context.Context, path string) (edb.Parsed, error) {
		if filepath.Ext(path) == ".md" {
			return markdown(path)
		}
		return p.Parse(ctx, Source{Path: path})
	}}); err != nil {
		t.Fatal(err)
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ds.Markdown = markdown
	sum, n := map[string]float64{}, map[string]float64{}
	for _, d := range ds.Documents {
		gold, ok, err := ds.Gold(d.ID)
		if err != nil || !ok {
			t.Fatalf("%s: gold %v, %v", d.ID, ok, err)
		}
		path, err := ds.File(d)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Parse(ctx, Source{Doc: d, Path: path})
		if err != nil {
			t.Errorf("%s: %v", d.ID, err)
			continue
		}
		rows, err := metrics.EvalParse(ctx, gold, got, keys)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if r.Value != nil {
				sum[r.Key] += *r.Value
				n[r.Key]++
			}
		}
	}
	for k := range sum {
		sum[k] /= n[k]
		t.Logf("%s %s %.3f (n=%.0f)", set, k, sum[k], n[k])
	}
	return sum
}

// TestPdfiumOnPapers holds the text, the headings and the captions of real papers (drafts with
// margin columns, line numbers and watermarks) to their Markdown sources.
func TestPdfiumOnPapers(t *testing.T) {
	m := means(t, "joss", "parse.tis", "parse.lf", "parse.caption_f1", "parse.heading_f1", "parse.order")
	for key, floor := range map[string]float64{"parse.tis": 0.89, "parse.lf": 0.99, "parse.caption_f1": 0.95, "parse.heading_f1": 0.78, "parse.order": 0.99} {
		if m[key] < floor {
			t.Errorf("%s is %.3f, was at least %.2f", key, m[key], floor)
		}
	}
}

// TestPdfiumOnTables holds the tables of 45 real reports to their annotated cells.
func TestPdfiumOnTables(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 165 pages twice")
	}
	m := means(t, "icdar2013", "parse.tea", "parse.teds", "parse.teds(mode=structure)")
	for key, floor := range map[string]float64{"parse.tea": 0.84, "parse.teds": 0.90, "parse.teds(mode=structure)": 0.91} {
		if m[key] < floor {
			t.Errorf("%s is %.3f, was at least %.2f", key, m[key], floor)
		}
	}
}
