package press_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"enterprisedocbench/universe/press"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The sample in every format: the file itself where it is text, and gold and mentions of all.
func TestGolden(t *testing.T) {
	for _, f := range press.Formats {
		p, err := press.Print(sample(), f)
		if err != nil {
			t.Fatal(err)
		}
		if p.Ext != ".pdf" {
			golden(t, "sample"+p.Ext, p.Content)
		}
		b, err := json.MarshalIndent(map[string]any{"gold": p.Gold, "mentions": p.Mentions, "mime": p.MIME}, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "sample."+string(f)+".json", append(b, '\n'))
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs: look at it and run the test with -update\n%s", name, got)
	}
}

func TestSameBytesFromManyGoroutines(t *testing.T) {
	for _, f := range press.Formats {
		want, err := press.Print(paper(1), f)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if got, err := press.Print(paper(1), f); err != nil || !bytes.Equal(got.Content, want.Content) {
					t.Errorf("%s: other bytes (%v)", f, err)
				}
			})
		}
		wg.Wait()
	}
}
