package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain makes the test binary stand in for edb: under the name edb in scripts, and where a pool
// starts the running program again as a worker.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "__worker" || os.Args[1] == pagesName || os.Args[1] == asEDB) {
		if os.Args[1] == asEDB {
			os.Args = append(os.Args[:1], os.Args[2:]...)
		}
		main()
		return
	}
	testscript.Main(m, map[string]func(){"edb": main})
}

// asEDB as first argument makes the test binary behave as edb with the arguments after it.
const asEDB = "__as_edb"

// TestScripts runs the scripts of testdata/script. Beside testscript's own commands there are
//
//	code N ARG...     edb ARG... ends with exit code N
//	figure PATH VALUE the JSON object on standard output holds the number at PATH, to 1e-6
//	keys PATH KEY...  the JSON object at PATH ("." is the whole) has exactly these keys
//	json FILE         the file, or stdout, is one JSON value
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code": code, "figure": figureIs, "keys": keys, "json": isJSON, "world": world,
		},
	})
}

func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: code N ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec("edb", args[1:]...); err != nil {
		var e *exec.ExitError
		if !errors.As(err, &e) {
			ts.Fatalf("edb: %v", err)
		}
		got = e.ExitCode()
	}
	if got != want {
		ts.Fatalf("edb %s: exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
	stderr := ts.ReadFile("stderr")
	if want == exitInput && strings.TrimSpace(stderr) == "" {
		ts.Fatalf("edb %s: refused without a word", strings.Join(args[1:], " "))
	}
	for _, bad := range []string{"panic:", "goroutine ", "runtime error"} {
		if strings.Contains(stderr, bad) {
			ts.Fatalf("edb %s: a crash on standard error", strings.Join(args[1:], " "))
		}
	}
}

// at walks a path of keys and list positions joined by /.
func at(ts *testscript.TestScript, path string) any {
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &v); err != nil {
		ts.Fatalf("standard output is not one JSON value: %v", err)
	}
	if path == "." {
		return v
	}
	for _, k := range strings.Split(path, "/") {
		var ok bool
		switch x := v.(type) {
		case map[string]any:
			v, ok = x[k]
		case []any:
			if i, err := strconv.Atoi(k); err == nil && i < len(x) {
				v, ok = x[i], true
			}
		}
		if !ok {
			ts.Fatalf("%s: nothing at %q", path, k)
		}
	}
	return v
}

func figureIs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: figure PATH VALUE")
	}
	got := at(ts, args[0])
	if want, err := strconv.ParseFloat(args[1], 64); err == nil {
		x, ok := got.(float64)
		if !ok || math.Abs(x-want) > 1e-6 {
			ts.Fatalf("%s is %v, want %v", args[0], got, want)
		}
		return
	}
	if fmt.Sprint(got) != args[1] {
		ts.Fatalf("%s is %v, want %v", args[0], got, args[1])
	}
}

func keys(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: keys PATH KEY...")
	}
	m, ok := at(ts, args[0]).(map[string]any)
	if !ok {
		ts.Fatalf("%s is no object", args[0])
	}
	for _, k := range args[1:] {
		if _, ok := m[k]; !ok {
			ts.Fatalf("%s has no key %q", args[0], k)
		}
	}
	if len(m) != len(args)-1 {
		ts.Fatalf("%s has %d keys, want %v: %v", args[0], len(m), args[1:], m)
	}
}

func isJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: json FILE")
	}
	if json.Valid([]byte(ts.ReadFile(args[0]))) == neg {
		ts.Fatalf("%s: valid JSON is %v", args[0], neg)
	}
}
