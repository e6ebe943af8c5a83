package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func show(t *Table) string {
	var b strings.Builder
	fmt.Fprintln(&b, strings.Join(t.Columns, "|"))
	for i := range t.Len() {
		var cells []string
		for _, c := range t.Columns {
			texts, err := t.Texts(c)
			if err != nil {
				return err.Error()
			}
			if texts[i] == nil {
				cells = append(cells, "·")
			} else {
				cells = append(cells, *texts[i])
			}
		}
		fmt.Fprintln(&b, t.At(i), strings.Join(cells, "|"))
	}
	return b.String()
}

func TestReadCSV(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain", "a,b\n1,2\n3,4\n", "a|b\nf:2 1|2\nf:3 3|4\n"},
		{"mark, spaces, blank lines, no last line end", "\ufeffa, b\n\n 1 ,\n  \n3,4", "a|b\nf:3 1|·\nf:5 3|4\n"},
		{"quotes over lines", "a,b\n\"x, \"\"y\"\"\nz\",2\n3,4\n", "a|b\nf:2 x, \"y\"\nz|2\nf:4 3|4\n"},
		{"only a head", "a\n", "a\n"},
		{"line ends of Windows", "a,b\r\n1,2\r\n", "a|b\nf:2 1|2\n"},
		{"one column with a hole keeps its row", "a\n1\n\" \"\n2\n", "a\nf:2 1\nf:3 ·\nf:4 2\n"},
	} {
		got, err := ReadCSV(strings.NewReader(c.in), "f")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if diff := cmp.Diff(c.want, show(got)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestReadJSONL(t *testing.T) {
	in := `{"b": 1.50, "a": "x"}` + "\n\n" + `{"a": null, "c": [1, 2], "d": true}` + "\n"
	got, err := ReadJSONL(strings.NewReader(in), "f")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("b|a|c|d\nf:1 1.50|x|·|·\nf:3 ·|·|[1, 2]|true\n", show(got)); diff != "" {
		t.Error(diff)
	}
}

func TestBadTablesAreRefused(t *testing.T) {
	csv := func(s string) error { _, err := ReadCSV(strings.NewReader(s), "f.csv"); return err }
	jsonl := func(s string) error { _, err := ReadJSONL(strings.NewReader(s), "f.jsonl"); return err }
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"nothing", csv(""), "f.csv: empty: the first line names the columns"},
		{"ragged", csv("a,b\n1,2\n3\n"), "f.csv:3: 1 cells under 2 columns: give each column a cell"},
		{"too long", csv("a,b\n1,2,3\n"), "f.csv:2: 3 cells under 2 columns"},
		{"no name", csv("a,\n1,2\n"), "f.csv:1: column 2 has no name"},
		{"one name twice", csv("a,a\n1,2\n"), `f.csv:1: two columns are named "a"`},
		{"open quote", csv("a\n\"1\n"), "double quotes"},
		{"no text", csv("a\n1\n\x00\n"), "f.csv:3: not text in UTF-8"},
		{"Latin-1", csv("a\n\xe9\n"), "f.csv:2: not text in UTF-8"},
		{"no line", jsonl(" \n"), "f.jsonl: empty"},
		{"a list", jsonl("[1]\n"), "f.jsonl:1: no JSON object: write one object a line"},
		{"half an object", jsonl("{\"a\":1}\n{\"a\":"), "f.jsonl:2: no JSON object ("},
		{"two objects", jsonl("{} {}"), "f.jsonl:1: more after the JSON object"},
		{"a key twice", jsonl(`{"a":1,"a":2}`), `f.jsonl:1: the key "a" stands twice`},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, c.err, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	table, err := ReadCSV(strings.NewReader("x,y\n1,2\n-.5,\n1e3,0.25\n"), "f")
	if err != nil {
		t.Fatal(err)
	}
	x, err := table.Numbers("x")
	if err != nil || *x[0] != 1 || *x[1] != -.5 || *x[2] != 1000 {
		t.Errorf("%v, %v", x, err)
	}
	y, err := table.Numbers("y")
	if err != nil || y[1] != nil || *y[2] != .25 {
		t.Errorf("%v, %v", y, err)
	}
	if _, err := table.Numbers("z"); err == nil || err.Error() != `f: no column "z": the columns are "x", "y"` {
		t.Error(err)
	}
	at, err := table.Missing("x", "y")
	if err != nil || at != `f:3: column "y" is empty` {
		t.Error(at, err)
	}
	whole, left, err := table.Without("x", "y")
	if err != nil || whole.Len() != 2 || left != 1 || whole.At(1) != "f:4" {
		t.Error(whole, left, err)
	}
	for s, want := range map[string]string{
		"NaN": "not a finite number", "inf": "not a finite number", "1e999": "not a finite number",
		"28.1%": "share", "1,5": "not a number", "0x10": "not a number", "abc": "not a number", "1_0": "not a number", "": "not a number",
	} {
		if v, err := Number(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %g, %v", s, v, err)
		}
	}
	bad, _ := ReadCSV(strings.NewReader("x\n1\nzwei\n"), "f")
	if _, err := bad.Numbers("x"); err == nil || !strings.HasPrefix(err.Error(), `f:3: column "x": "zwei" is not a number`) {
		t.Error(err)
	}
}

func TestNewTablesHaveNoLines(t *testing.T) {
	one := "1"
	got := New("runs/x", []string{"unit", "v"}, [][]*string{{&one, nil}})
	if got.At(0) != "runs/x: row 1" || show(got) != "unit|v\nruns/x: row 1 1|·\n" {
		t.Error(show(got))
	}
}

// Whatever comes in, every column can be read, every number is finite and every error has its place.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n", "\ufeff\"a\"\"\",b\n,\n", "{\"a\":1}\n{\"b\":null}", "{\"a\":\"\\ud800\"}", "a\n\"\n", "a,a\n", "{\"\":1}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, read := range []func(string) (*Table, error){
			func(s string) (*Table, error) { return ReadCSV(strings.NewReader(s), "f") },
			func(s string) (*Table, error) { return ReadJSONL(strings.NewReader(s), "f") },
		} {
			got, err := read(s)
			if err != nil {
				if got != nil || !strings.HasPrefix(err.Error(), "f:") {
					t.Fatalf("%v without a place", err)
				}
				continue
			}
			for _, c := range got.Columns {
				texts, err := got.Texts(c)
				if err != nil || len(texts) != got.Len() {
					t.Fatalf("column %q: %v", c, err)
				}
				numbers, err := got.Numbers(c)
				if err == nil && slices.ContainsFunc(numbers, func(x *float64) bool { return x != nil && (math.IsNaN(*x) || math.IsInf(*x, 0)) }) {
					t.Fatalf("column %q has a number that is none", c)
				}
			}
		}
	})
}
