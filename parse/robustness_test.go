package parse

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
)

// hostile lists the malformed, encrypted and otherwise odd PDFs.
func hostile(t *testing.T) []string {
	t.Helper()
	var files []string
	dir := testdata.Data(t, "robustness")
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".pdf" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 90 {
		t.Fatalf("only %d files", len(files))
	}
	return files
}

// silent says whether a page has nothing to say and does not say that it has no text.
func silent(p edb.Page) bool {
	return !p.NoText && !slices.ContainsFunc(p.Elements, func(e edb.Element) bool { return e.Text != "" })
}

// Every hostile PDF ends, through each engine that runs a program, with pages or with a failure that
// has a kind and words, within the limits; nothing goes down but the worker. Some files by default,
// all of them under EDB_LONG (OCR: 20 of them).
func TestHostilePDFsThroughPrograms(t *testing.T) {
	long := os.Getenv("EDB_LONG") != ""
	for _, c := range []struct {
		engine          string
		sample, longRun int // 0 is all
	}{{"poppler", 12, 0}, {"mupdf", 12, 0}, {"auto", 4, 0}, {"tesseract", 1, 20}, {"rapidocr", 0, 4}} {
		t.Run(c.engine, func(t *testing.T) {
			e, err := Lookup(c.engine)
			if err != nil {
				t.Fatal(err)
			}
			if err := e.Available(); err != nil {
				t.Skipf("%v: %s", err, e.Get)
			}
			files := hostile(t)
			n := c.sample
			if long {
				n = c.longRun
			} else if n == 0 {
				t.Skip("set EDB_LONG to read with it")
			}
			r := rand.New(rand.NewPCG(7, 11))
			r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
			if n > 0 {
				files = files[:n]
			}
			lim := Limits{CPU: 40 * time.Second, Wall: 4 * time.Minute, RSS: 2 << 30}
			pool := testPool(t, 1, lim)
			ends := map[string]int{}
			for _, f := range files {
				name := filepath.Base(f)
				out, u, err := pool.Parse(t.Context(), Spec{Engine: c.engine}, Source{Doc: edb.Document{ID: name, MIME: "application/pdf"}, Path: f})
				var pe *Error
				switch {
				case err == nil && len(out.Pages) == 0:
					t.Errorf("%s: no pages and no error", name)
				case err == nil && slices.ContainsFunc(out.Pages, silent):
					t.Errorf("%s: a page without text does not say so", name)
				case err == nil:
					ends["pages"]++
				case !errors.As(err, &pe) || pe.Error() == "":
					t.Errorf("%s: %v is no named failure", name, err)
				default:
					ends[pe.Kind]++
					if pe.Kind == Crash || pe.Kind == Timeout || pe.Kind == Memory {
						t.Logf("%s: %s: %v", name, pe.Kind, err)
					}
				}
				if u.PeakRSS > lim.RSS+lim.RSS/4 {
					t.Errorf("%s: %d MB of memory, the limit is %d", name, u.PeakRSS>>20, lim.RSS>>20)
				}
			}
			t.Logf("%d files: %v", len(files), ends)
		})
	}
}
