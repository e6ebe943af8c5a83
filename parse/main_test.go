package parse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"enterprisedocbench"
)

// The test binary is its own worker: run with __worker it serves the engines below, run with
// __parent it is a program that owns a pool and a document that never ends.
func TestMain(m *testing.M) {
	find = func(name string) (Engine, error) {
		if _, ok := fakes[name]; ok {
			e := Engine{Name: name, Version: 1}
			if strings.HasPrefix(name, "runs-") {
				e.Needs = "sh"
			}
			return e, nil
		}
		return Lookup(name)
	}
	switch {
	case len(os.Args) > 1 && os.Args[1] == "__worker":
		err := serve(context.Background(), os.Stdin, os.Stdout, func(name string) (Parser, error) {
			if f, ok := fakes[name]; ok {
				if name == "late" {
					burn(600 * time.Millisecond)
					time.Sleep(300 * time.Millisecond)
				}
				return f, nil
			}
			e, err := Lookup(name)
			if err != nil {
				return nil, err
			}
			return e.New()
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	case len(os.Args) > 3 && os.Args[1] == "__parent":
		exe, _ := os.Executable()
		p := NewPool(exe, 1, Limits{}, "")
		p.Parse(context.Background(), Spec{Engine: os.Args[3]}, Source{Doc: edb.Document{ID: "d"}, Path: os.Args[2]})
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fake is an engine that behaves as its function does. Every one first writes its process number
// into the document's file, so that tests see which process had it.
type fake func(src Source) (edb.Parsed, error)

func (f fake) Parse(_ context.Context, src Source) (edb.Parsed, error) {
	if err := os.WriteFile(src.Path, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return edb.Parsed{}, err
	}
	return f(src)
}

var held [][]byte

func take(mb int) {
	for range mb {
		b := make([]byte, 1<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		held = append(held, b)
	}
}

var fakes = map[string]fake{
	"late":  func(src Source) (edb.Parsed, error) { return paged(src.Doc.ID), nil },
	"fine":  func(src Source) (edb.Parsed, error) { return paged(src.Doc.ID), nil },
	"spin":  func(Source) (edb.Parsed, error) { spin(); return edb.Parsed{}, nil },
	"hang":  func(Source) (edb.Parsed, error) { time.Sleep(time.Hour); return edb.Parsed{}, nil },
	"panic": func(Source) (edb.Parsed, error) { panic("a page without a tree") },
	"exit": func(Source) (edb.Parsed, error) {
		fmt.Fprintln(os.Stderr, "out of ideas")
		os.Exit(3)
		return edb.Parsed{}, nil
	},
	"eat": func(Source) (edb.Parsed, error) {
		for {
			take(8)
		}
	},
	"leak": func(src Source) (edb.Parsed, error) { take(80); return paged(src.Doc.ID), nil },
	"work": func(src Source) (edb.Parsed, error) {
		burn(60 * time.Millisecond)
		take(40)
		return paged(src.Doc.ID), nil
	},
	"refuse": func(Source) (edb.Parsed, error) { return edb.Parsed{}, fail(Encrypted, "a password is needed") },
	"plain":  func(Source) (edb.Parsed, error) { return edb.Parsed{}, errors.New("no luck") },
	"garble": func(src Source) (edb.Parsed, error) {
		os.Stdout.WriteString("\xff\xff\xff\xff oops")
		time.Sleep(time.Hour)
		return paged(""), nil
	},
	"no-num":    func(Source) (edb.Parsed, error) { p := paged("d"); p.Pages[0].Width = math.NaN(); return p, nil },
	"runs-hog":  func(Source) (edb.Parsed, error) { return shell("head -c 400000000 /dev/zero | tail") },
	"runs-wait": func(Source) (edb.Parsed, error) { return shell("exec sleep 3600") },
	"runs-spin": func(Source) (edb.Parsed, error) { return shell("while :; do :; done") },
	"litter":    func(Source) (edb.Parsed, error) { litter(); time.Sleep(time.Hour); return edb.Parsed{}, nil },
	"slippery":  func(src Source) (edb.Parsed, error) { time.Sleep(30 * time.Millisecond); return paged(src.Doc.ID), nil },
}

func spin() {
	for n := 0; ; n++ {
		if n < 0 {
			return
		}
	}
}

func burn(d time.Duration) {
	for from := selfCPU(); selfCPU()-from < d; {
	}
}

// shell runs a script as the engines run their programs.
func shell(script string) (edb.Parsed, error) {
	_, err := program(context.Background(), nil, "sh", "-c", script)
	return edb.Parsed{}, err
}

// litter starts a program that would outlive the worker.
func litter() { exec.Command("sleep", "3600").Start() }

func paged(doc string) edb.Parsed {
	return edb.Parsed{Doc: doc, Paged: true, Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{ID: "e", Kind: edb.KindParagraph, Text: "text of " + doc}}}}}
}

// kindOf is the kind of an *Error, else "".
func kindOf(err error) string {
	var pe *Error
	if errors.As(err, &pe) {
		return pe.Kind
	}
	return ""
}
