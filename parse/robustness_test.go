package parse

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
)

// hostile lists the malformed, encrypted and otherwise odd files of the collection: 98 PDFs and a
// JSON file.
func hostile(t *testing.T) []string {
	t.Helper()
	var files []string
	dir := testdata.Data(t, "robustness")
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && slices.Contains([]string{".pdf", ".json"}, filepath.Ext(path)) {
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

// hostileRun is what became of the hostile files in one engine.
type hostileRun struct {
	ends map[string]int // "text", "no text", or the kind of the failure
	peak int64          // bytes
	most time.Duration  // CPU time of one file
}

// hostileEnds are the columns of the page: the ways in which a file ends.
var hostileEnds = []string{"text", "no text", Encrypted, Damaged, Unsupported, TooLarge, Timeout, Memory, Crash}

// hostileLimits are what the files are held to.
var hostileLimits = Limits{CPU: 40 * time.Second, Wall: 4 * time.Minute, RSS: 2 << 30}

// throughHostile reads files with one engine in workers and holds each to the contract: pages that say
// so where they have no text, or a failure with a kind and words, within the limits.
func throughHostile(t *testing.T, engine string, files []string) hostileRun {
	t.Helper()
	lim := hostileLimits
	pool := testPool(t, 1, lim)
	run := hostileRun{ends: map[string]int{}}
	for _, f := range files {
		name := filepath.Base(f)
		out, u, err := pool.Parse(t.Context(), Spec{Engine: engine}, Source{Doc: edb.Document{ID: name, MIME: "application/pdf"}, Path: f})
		var pe *Error
		switch {
		case err == nil && len(out.Pages) == 0:
			t.Errorf("%s: no pages and no error", name)
		case err == nil && slices.ContainsFunc(out.Pages, silent):
			t.Errorf("%s: a page without text does not say so", name)
		case err == nil && out.Text() == "":
			run.ends["no text"]++
		case err == nil:
			run.ends["text"]++
		case !errors.As(err, &pe) || pe.Error() == "" || !slices.Contains(hostileEnds, pe.Kind):
			t.Errorf("%s: %v is no named failure", name, err)
		default:
			run.ends[pe.Kind]++
			if pe.Kind == Crash || pe.Kind == Timeout || pe.Kind == Memory {
				t.Logf("%s: %s: %v", name, pe.Kind, err)
			}
		}
		if u.PeakRSS > lim.RSS+lim.RSS/4 {
			t.Errorf("%s: %d MB of memory, the limit is %d", name, u.PeakRSS>>20, lim.RSS>>20)
		}
		if u.Wall > lim.Wall+time.Minute {
			t.Errorf("%s: ended after %v, the limit is %v", name, u.Wall, lim.Wall)
		}
		run.peak, run.most = max(run.peak, u.PeakRSS), max(run.most, u.CPU)
	}
	// After all of them the pool still serves.
	path := filepath.Join(t.TempDir(), "plain.txt")
	if err := os.WriteFile(path, []byte("Still here."), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _, err := pool.Parse(t.Context(), Spec{Engine: "text"}, Source{Doc: edb.Document{ID: "plain"}, Path: path}); err != nil || out.Text() != "Still here." {
		t.Errorf("after the hostile files the pool gives %q, %v", out.Text(), err)
	}
	return run
}

// Every hostile file ends, through each engine there is, with pages or with a failure that has a kind
// and words, within the limits; nothing goes down but the worker. Some files by default; all of them
// under EDB_LONG, where the table on the page of engines is held to what comes (-update writes it).
func TestHostileFilesThroughEngines(t *testing.T) {
	long := os.Getenv("EDB_LONG") != ""
	sample := map[string]int{"poppler": 12, "mupdf": 12, "auto": 4, "tesseract": 1}
	rows := map[string]string{}
	for _, e := range All() {
		if e.Named { // a service elsewhere
			continue
		}
		t.Run(e.Name, func(t *testing.T) {
			if e.Available != nil {
				if err := e.Available(); err != nil {
					t.Skipf("%v: %s", err, e.Get)
				}
			}
			files := hostile(t)
			if n := cmp.Or(sample[e.Name], 20); !long {
				r := rand.New(rand.NewPCG(7, 11))
				r.Shuffle(len(files), func(i, j int) { files[i], files[j] = files[j], files[i] })
				files = files[:n]
			}
			run := throughHostile(t, e.Name, files)
			t.Logf("%d files: %v; at most %d MB and %v of CPU time", len(files), run.ends, run.peak>>20, run.most)
			rows[e.Name] = run.row(e.Name)
		})
	}
	if long && !t.Failed() {
		hostilePage(t, rows)
	}
}

// row is a line of the table on the page.
func (r hostileRun) row(engine string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| `%s` |", engine)
	for _, end := range hostileEnds {
		fmt.Fprintf(&b, " %d |", r.ends[end])
	}
	return b.String()
}

// hostilePage holds the table of the page to the rows of the engines that are here, or writes it.
func hostilePage(t *testing.T, rows map[string]string) {
	t.Helper()
	b, err := os.ReadFile(enginesPage)
	if err != nil {
		t.Fatal(err)
	}
	const from, to = "<!-- hostile -->\n", "<!-- end of hostile -->"
	head, rest, ok := strings.Cut(string(b), from)
	old, tail, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		t.Fatal("the page has no place for the table of hostile files")
	}
	if !*update {
		for name, row := range rows {
			if strings.Contains(old, "| `"+name+"` |") && !strings.Contains(old, row) {
				t.Errorf("%s gives %s, the page says something else: run with -update", name, row)
			}
		}
		return
	}
	var w strings.Builder
	w.WriteString("\n| engine | " + strings.Join(hostileEnds, " | ") + " |\n|---" + strings.Repeat("|---", len(hostileEnds)) + "|\n")
	for _, e := range All() {
		row := rows[e.Name]
		if row == "" { // not here: what the page says stays
			for line := range strings.Lines(old) {
				if strings.HasPrefix(line, "| `"+e.Name+"` |") {
					row = strings.TrimSpace(line)
				}
			}
		}
		if row != "" {
			w.WriteString(row + "\n")
		}
	}
	if err := os.WriteFile(enginesPage, []byte(head+from+w.String()+"\n"+to+tail), 0o644); err != nil {
		t.Fatal(err)
	}
}
