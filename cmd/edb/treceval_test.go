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
