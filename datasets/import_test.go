package datasets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	edb "enterprisedocbench"
)

// fakes are importers that make a small dataset, fail, and panic if they are called.
func fakes(t *testing.T, ran *[]string) []Importer {
	imp := func(name string, do func(w *Writer) error) Importer {
		return Importer{Name: name, Import: func(_ context.Context, from, out string, opt ImportOptions) error {
			*ran = append(*ran, name+" "+filepath.Base(from))
			w, err := opt.create(out, Info{Name: name})
			if err != nil {
				return err
			}
			defer w.Abort()
			if err := do(w); err != nil {
				return err
			}
			return w.Close()
		}}
	}
	fill := func(w *Writer) error {
		for i, kind := range []string{"human", "human", "none"} {
			d := edb.Document{ID: fmt.Sprint("d", i), MIME: "text/plain", Pages: i + 1, Gold: kind, Licence: edb.Licence{SPDX: "CC0-1.0"}}
			var gold *edb.Parsed
			if kind != "none" {
				gold = &edb.Parsed{Paged: true, Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{Kind: "paragraph", Text: "t"}}}}}
			}
			if err := w.AddDocument(d, []byte("text"), gold); err != nil {
				return err
			}
		}
		if err := w.AddQuestion(edb.Question{ID: "q1", Text: "?", Answer: &edb.GoldAnswer{Type: "text", Value: "x"}}); err != nil {
			return err
		}
		if err := w.AddQuestion(edb.Question{ID: "q2", Text: "?"}); err != nil {
			return err
		}
		return w.AddQrel("q2", "d1", 1, 1)
	}
	return []Importer{
		imp("good", fill),
		imp("bad", func(*Writer) error { return errors.New("bad/file:3: nothing there: add it") }),
		imp("absent", func(*Writer) error { t.Error("absent was imported"); return nil }),
		imp("last", fill),
	}
}

func TestImportAllGoesOn(t *testing.T) {
	from, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"good", "bad", "last", "other"} {
		must(t, os.Mkdir(filepath.Join(from, name), 0o755))
	}
	put(t, from, "absent", "a file is no collection")
	var ran, heard []string
	clock := time.Unix(0, 0)
	after := ImportCheck{Check: true, Now: func() time.Time { clock = clock.Add(time.Second); return clock }}
	got, err := ImportAll(t.Context(), fakes(t, &ran), from, out, ImportOptions{}, after, func(n string) { heard = append(heard, n) })
	must(t, err)
	if len(got) != 3 || fmt.Sprint(ran) != "[good good bad bad last last]" || fmt.Sprint(heard) != "[good bad last]" {
		t.Fatalf("%+v %v %v", got, ran, heard)
	}
	for _, i := range []int{0, 2} {
		g := got[i]
		if g.Error != "" || g.Documents != 3 || g.Pages != 6 || g.Questions != 2 || g.Answers != 1 || g.Judged != 1 || fmt.Sprint(g.Gold) != "[{human 2} {none 1}]" || *g.Faults != 0 || g.Seconds != 1 {
			t.Errorf("%+v", g)
		}
	}
	if g := got[1]; g.Error != "bad/file:3: nothing there: add it" || g.Faults != nil || g.Documents != 0 {
		t.Errorf("%+v", g)
	}
	if _, err := os.Stat(filepath.Join(out, "bad")); !os.IsNotExist(err) {
		t.Error("the failed import left a folder")
	}

	// Again: what is there is refused, and with Replace made anew.
	got, err = ImportAll(t.Context(), fakes(t, &ran), from, out, ImportOptions{}, after, nil)
	if must(t, err); !strings.Contains(got[0].Error, "the folder is not empty: delete it or name another") {
		t.Errorf("%+v", got[0])
	}
	got, err = ImportAll(t.Context(), fakes(t, &ran), from, out, ImportOptions{Replace: true}, after, nil)
	if must(t, err); got[0].Error != "" || got[2].Error != "" {
		t.Errorf("%+v", got)
	}
}

func TestImportAllRefuses(t *testing.T) {
	var ran []string
	after := ImportCheck{Now: time.Now}
	if _, err := ImportAll(t.Context(), fakes(t, &ran), "nowhere", t.TempDir(), ImportOptions{}, after, nil); err == nil || err.Error() != "nowhere: no such file or directory: name the folder that holds the collections" {
		t.Errorf("got %v", err)
	}
	if _, err := ImportAll(t.Context(), fakes(t, &ran), t.TempDir(), t.TempDir(), ImportOptions{}, after, nil); err == nil || !strings.Contains(err.Error(), "holds no folder that is named like an importer") {
		t.Errorf("got %v", err)
	}
	from := t.TempDir()
	must(t, os.Mkdir(filepath.Join(from, "good"), 0o755))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ImportAll(ctx, fakes(t, &ran), from, t.TempDir(), ImportOptions{}, after, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
