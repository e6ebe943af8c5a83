package riker

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestGolden holds one whole document of each type and style, so that a change of the world or of
// the templates is seen.
func TestGolden(t *testing.T) {
	p, err := Sized(600, 7)
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	for k := range Kinds {
		var b strings.Builder
		for s := range styles {
			n := 0
			for w.style(k, n) != s {
				n++
			}
			d, err := w.Document(w.number(k, n))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s, %s %d, %s\n\n%s\n", d.ID, k, n, s, d.Printed.Content)
			for _, m := range d.Printed.Mentions {
				fmt.Fprintf(&b, "%s: %s\n", m.Field, m.Value)
			}
			b.WriteString("\n==========\n\n")
		}
		name := "testdata/" + k.String() + ".txt"
		if *update {
			if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := b.String(); got != string(want) {
			t.Errorf("%s: not the golden documents; run go test -update and look at the difference. Got\n%s", name, got)
		}
	}
}
