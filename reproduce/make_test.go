package reproduce

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/parse"
)

// TestMain lets the test binary be a parser's worker.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__worker" {
		if err := parse.ServeWorker(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const small = `page: small
title: Small
intro: A page.
strata: [parse.tis]
tables:
  - name: native
    title: Native
    dataset: {world: 9, seed: 3, sample: {pages: 4, seed: 1, each: page}}
    engines: [pdfium, ledongthuc, tesseract]
    measures: [parse.tis, parse.tea]
  - name: scanned
    title: Scanned
    dataset: {world: 9, seed: 3, sample: {pages: 2, seed: 1, each: page}}
    engines: [pdfium]
    measures: [parse.tis]
    vary: [{name: clean, scan: {dpi: 50}}, {name: skew 2, scan: {dpi: 50, skew: 2}}]
  - name: absent
    title: Absent
    dataset: {import: joss}
    engines: [pdfium]
    measures: [parse.tis]
checks:
  - {id: c, tolerance: 0.1, published: 0.9, tables: [native], mean: parse.tis, engines: [pdfium]}
  - {id: n, tolerance: 0.1, published: 0.9, tables: [native], correlate: [parse.tis, parse.number_recall], noise: [{kind: ocr, rates: [0.1, 0.3]}]}
`

// TestMake: a page of a generated world from data to figures; what is not here is named with what
// brings it, and a second call finds everything done.
func TestMake(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no tesseract
	p, err := ReadPage([]byte(small), "small.yaml")
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Work: t.TempDir(), Workers: 2}
	got, err := Make(t.Context(), []Page{p}, []string{"small"}, opt)
	if err != nil {
		t.Fatal(err)
	}
	r := got["small"]
	native, scanned, absent := r.Tables[0], r.Tables[1], r.Tables[2]
	if native.Documents != 4 || native.Pages != 4 || len(native.Rows) != 2 || native.Baseline != "pdfium" || len(native.Paired) != 2 {
		t.Errorf("native: %d documents, %d pages, %d rows, %d differences against %s", native.Documents, native.Pages, len(native.Rows), len(native.Paired), native.Baseline)
	}
	tis := native.Rows[0].Figures["parse.tis"]
	if tis.Value == nil || *tis.Value < .9 || tis.N != 4 || native.Rows[0].PerSecond == nil || native.Rows[0].PeakBytes == nil {
		t.Errorf("pdfium: %+v", native.Rows[0])
	}
	if len(native.Missing) != 1 || native.Missing[0].Name != "tesseract" || !strings.Contains(native.Missing[0].Get, "apt-get install tesseract-ocr") {
		t.Errorf("not available: %+v", native.Missing)
	}
	if len(scanned.Rows) != 2 || *scanned.Rows[1].Figures["parse.tis"].Value != 0 || scanned.Rows[1].Name != "pdfium, skew 2" || scanned.Baseline != "clean" {
		t.Errorf("scanned: %+v", scanned.Rows)
	}
	if len(absent.Rows) != 0 || len(absent.Missing) != 1 || absent.Missing[0].Name != "joss" {
		t.Errorf("absent: %+v", absent)
	}
	if c := r.Checks[0]; *c.Measured.Value != *tis.Value || c.Documents != 4 {
		t.Errorf("check: %+v", c)
	}
	// Two engines, each as it is and at two rates, on four documents; the table has its two rows.
	if c := r.Checks[1]; c.Measured.N != 2*3*4 || c.Measured.Value == nil || len(native.Rows) != 2 {
		t.Errorf("check with noise: %+v", c)
	}
	kinds := map[string]int{}
	for _, s := range r.Strata {
		if s.By == "kind of page" {
			kinds[s.Value] = s.Figures["pdfium"].N
		}
	}
	if kinds[kindLayer] != 4 || kinds[kindScan] != 4 {
		t.Errorf("strata: %v", kinds)
	}
	again, err := Make(t.Context(), []Page{p}, []string{"native"}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(native, again["small"].Tables[0], cmp.AllowUnexported(Result{}, unit{})); d != "" {
		t.Errorf("the second call gives something else: %s", d)
	}
	if _, err := Make(t.Context(), []Page{p}, []string{"nativ"}, opt); err == nil || !strings.Contains(err.Error(), `no table is called "nativ"`) {
		t.Errorf("an unknown table: %v", err)
	}
}

// TestPart: a sample keeps to its number of pages, is the same on every call, and its gold is that of
// the page, which is now the first.
func TestPart(t *testing.T) {
	m := maker{opt: Options{Work: t.TempDir(), Progress: func(string, int, int) {}}, made: map[string]bool{}}
	open := func(s Source) *datasets.Dataset {
		dir, err := m.dataset(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if faults, err := datasets.Check(dir); err != nil || len(faults) > 0 {
			t.Fatalf("%v %v", faults, err)
		}
		ds, err := datasets.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	whole := open(Source{World: 9, Seed: 3})
	docs := open(Source{World: 9, Seed: 3, Sample: &Sample{Pages: 8, Seed: 5, Each: "document"}})
	pages := 0
	for _, d := range docs.Documents {
		pages += d.Pages
	}
	if pages == 0 || pages > 8 || len(docs.Documents) == len(whole.Documents) {
		t.Errorf("%d pages in %d documents", pages, len(docs.Documents))
	}
	kept := map[string]bool{}
	for _, d := range docs.Documents {
		kept[d.ID] = true
	}
	asked := 0
	for _, q := range whole.Questions {
		on := q.Documents()
		if len(on) > 0 && !slices.ContainsFunc(on, func(id string) bool { return !kept[id] }) {
			asked++
		}
	}
	if asked == 0 || len(docs.Questions) != asked {
		t.Errorf("%d questions stay with %d documents, want %d", len(docs.Questions), len(docs.Documents), asked)
	}
	one := open(Source{World: 9, Seed: 3, Sample: &Sample{Pages: 3, Seed: 5, Each: "page"}})
	if len(one.Questions) > 0 {
		t.Errorf("%d questions are asked of pages", len(one.Questions))
	}
	if len(one.Documents) != 3 {
		t.Fatalf("%d documents, want 3", len(one.Documents))
	}
	for _, d := range one.Documents {
		name, _, _ := strings.Cut(d.ID, "#")
		gold, _, err := one.Gold(d.ID)
		if err != nil {
			t.Fatal(err)
		}
		all, _, err := whole.Gold(name)
		if err != nil {
			t.Fatal(err)
		}
		same := slices.ContainsFunc(all.Pages, func(pg edb.Page) bool {
			return pg.Text() == gold.Text() && d.ID == fmt.Sprintf("%s#%d", name, pg.Number)
		})
		if d.Pages != 1 || len(gold.Pages) != 1 || gold.Pages[0].Number != 1 || !same {
			t.Errorf("%s: %d pages, gold %+v", d.ID, d.Pages, gold.Pages)
		}
	}
	sum := func() string {
		b, err := os.ReadFile(filepath.Join(one.Dir, datasets.DocumentsFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	before := sum()
	m.opt.Fresh, m.made = true, map[string]bool{}
	open(Source{World: 9, Seed: 3, Sample: &Sample{Pages: 3, Seed: 5, Each: "page"}})
	if sum() != before {
		t.Error("the sample differs from call to call")
	}
	if _, err := m.dataset(t.Context(), Source{World: 9, Seed: 3, Types: "text/html"}); err == nil || !strings.Contains(err.Error(), "no document is left") {
		t.Errorf("a part without documents: %v", err)
	}
}
