package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench/internal/testdata"
)

// The arguments of trec_eval's own cases, given to edb as they are.
func TestTrecEvalArguments(t *testing.T) {
	dir := testdata.Data(t, "trec_eval")
	raw, err := os.ReadFile(filepath.Join(dir, "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ Args, Qrels, Run, Expect string }
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("no case")
	}
	for _, c := range cases {
		var out, errs bytes.Buffer
		args := []string{"eval", "retrieval", "--format", "trec_eval", "--qrels", filepath.Join(dir, c.Qrels), "--run", filepath.Join(dir, c.Run)}
		if code := run(t.Context(), nil, &out, &errs, append(args, strings.Fields(c.Args)...)); code != exitDone {
			t.Errorf("%s: exit code %d: %s", c.Args, code, errs.String())
			continue
		}
		want, err := os.ReadFile(filepath.Join(dir, c.Expect))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%q differs from %s", c.Args, c.Expect)
		}
	}
}

// The judgements and the run of an imported dataset give the figures of the files they came from.
func TestTrecEvalOfADataset(t *testing.T) {
	dir := testdata.Data(t, "trec_eval")
	ds := filepath.Join(t.TempDir(), "ds")
	var out, errs bytes.Buffer
	if code := run(t.Context(), nil, &out, &errs, []string{"dataset", "import", "trec_eval", dir, "--out", ds}); code != exitDone {
		t.Fatal(errs.String())
	}
	out.Reset()
	args := []string{"eval", "retrieval", "--format", "trec_eval", "--qrels", filepath.Join(ds, "qrels.txt"), "--run", filepath.Join(ds, "runs", "test.txt"), "-m", "all_trec", "-q"}
	if code := run(t.Context(), nil, &out, &errs, args); code != exitDone {
		t.Fatal(errs.String())
	}
	want, err := os.ReadFile(filepath.Join(dir, "out.test.aq"))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Replace(out.String(), "all\ttest\n", "all\tSTANDARD\n", 1); got != string(want) {
		t.Error("the figures differ from out.test.aq")
	}
}
