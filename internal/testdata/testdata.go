// Package testdata finds the real documents and the recorded cases that tests read. It takes a
// name and gives a path or the parsed cases; where they are absent the test says so and skips.
// It is imported by tests only.
package testdata

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Case is one line of cases.jsonl: a small input with its right answer.
type Case struct {
	ID       string          `json:"id"`
	Area     string          `json:"area"`
	Input    json.RawMessage `json:"input"`
	Expected json.RawMessage `json:"expected"`
	Verified string          `json:"verified"`
}

// find walks up from the working directory to the first shared/NAME beside or above it.
func find(name string) (string, bool) {
	dir, err := os.Getwd()
	if err != nil {
		return "", false
	}
	for {
		p := filepath.Join(dir, "shared", name)
		if _, err := os.Stat(p); err == nil {
			return p, true
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", false
		}
		dir = up
	}
}

// Data returns the folder of a data set (EDB_TESTDATA, else shared/data above the working
// directory), or skips the test.
func Data(t testing.TB, set string) string {
	t.Helper()
	root, ok := os.LookupEnv("EDB_TESTDATA")
	if !ok {
		root, ok = find("data")
	}
	p := filepath.Join(root, set)
	if _, err := os.Stat(p); !ok || err != nil {
		t.Skipf("needs the data set %q: set EDB_TESTDATA to the folder that holds it", set)
	}
	return p
}

// Cases returns the cases of an area in file order (EDB_CASES, else shared/cases/cases.jsonl above
// the working directory), or skips the test. An empty area returns all.
func Cases(t testing.TB, area string) []Case {
	t.Helper()
	path, ok := os.LookupEnv("EDB_CASES")
	if !ok {
		path, ok = find(filepath.Join("cases", "cases.jsonl"))
	}
	f, err := os.Open(path)
	if !ok || err != nil {
		t.Skip("needs cases.jsonl: set EDB_CASES to its path")
	}
	defer f.Close()
	var out []Case
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	for sc.Scan() {
		var c Case
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if area == "" || c.Area == area {
			out = append(out, c)
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
