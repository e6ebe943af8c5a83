package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"enterprisedocbench"
)

// TestScorePairsOrder holds rows, broken files and errors to the order of the pairs, on one processor
// and on many.
func TestScorePairsOrder(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var pairs []pair
	for i := range 40 {
		p := pair{unit: fmt.Sprintf("d%02d", i)}
		p.gold = goldFile(write(p.unit+"-gold.txt", fmt.Sprintf("The pump of line %d was changed.\n", i)))
		p.pred = write(p.unit+"-pred.txt", fmt.Sprintf("The pump of lime %d was changd.\n", i*i))
		if i%13 == 5 {
			p.pred = write(p.unit+"-pred.json", "{")
		}
		pairs = append(pairs, p)
	}
	type result struct {
		Rows   []edb.Measurement
		Broken []string
	}
	score := func(procs int) (r result) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		var err error
		if r.Rows, r.Broken, err = scorePairs(t.Context(), pairs, []string{"parse.tis"}); err != nil {
			t.Fatal(err)
		}
		return r
	}
	one, many := score(1), score(8)
	if diff := cmp.Diff(one, many); diff != "" {
		t.Errorf("one processor and eight differ (-one +eight):\n%s", diff)
	}
	if len(one.Broken) != 3 {
		t.Errorf("%d pairs are broken, want 3: %v", len(one.Broken), one.Broken)
	}
	if len(one.Rows) != len(pairs) {
		t.Fatalf("%d rows of %d pairs", len(one.Rows), len(pairs))
	}
	for i, r := range one.Rows {
		if r.Unit != pairs[i].unit || r.Failed != (i%13 == 5) {
			t.Errorf("row %d is of %s, failed %v; want %s", i, r.Unit, r.Failed, pairs[i].unit)
		}
	}
	if _, _, err := scorePairs(t.Context(), pairs, []string{"parse.none"}); err == nil || errors.As(err, new(*unreadError)) {
		t.Errorf("a measure that is none gives %v, want its error", err)
	}
}
