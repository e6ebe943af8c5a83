// Package parsetest holds what every engine of package parse must keep to, whatever it reads. It
// takes an engine and files that the engine accepts and fails the test where the contract is
// broken.
package parsetest

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/parse"
)

// Run holds an engine to the contract of parse.Parser. files are documents that it reads without
// error. Checked are: the same result twice; pages numbered from 1 and rising; known kinds; IDs
// given once and captions that point at them; finite boxes inside the page; the document's ID and
// the engine's name and version on the result; JSON that reads back; a cancelled context, a missing
// file (kind missing), an empty file, a folder and random bytes give errors, never a panic.
func Run(t *testing.T, e parse.Engine, files ...string) {
	t.Helper()
	p, err := e.New()
	if err != nil {
		t.Fatalf("%s: %v", e.Name, err)
	}
	if len(files) == 0 {
		t.Fatal("no files to read")
	}
	ctx := context.Background()
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src := parse.Source{Doc: edb.Document{ID: "doc/" + filepath.Base(f)}, Path: f}
			got, err := p.Parse(ctx, src)
			if err != nil {
				t.Fatal(err)
			}
			Check(t, got)
			if got.Doc != src.Doc.ID {
				t.Errorf("the result is of document %q, want %q", got.Doc, src.Doc.ID)
			}
			if want := (parse.Spec{Engine: e.Name}).Label(); got.Engine != want {
				t.Errorf("the result is of engine %q, want %q", got.Engine, want)
			}
			again, err := p.Parse(ctx, src)
			if err != nil || encode(t, got) != encode(t, again) {
				t.Errorf("a second parse differs (%v)", err)
			}
		})
	}
	bad := func(name string, ctx context.Context, path, kind string) {
		t.Run(name, func(t *testing.T) {
			got, err := p.Parse(ctx, parse.Source{Doc: edb.Document{ID: "bad"}, Path: path})
			var pe *parse.Error
			switch {
			case err == nil:
				t.Errorf("no error, but %d pages", len(got.Pages))
			case kind != "" && (!errors.As(err, &pe) || pe.Kind != kind):
				t.Errorf("error %v, want kind %q", err, kind)
			case err.Error() == "":
				t.Error("an error without words")
			}
		})
	}
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	write(t, empty, nil)
	done, cancel := context.WithCancel(ctx)
	cancel()
	bad("cancelled", done, files[0], "")
	bad("missing", ctx, filepath.Join(dir, "nothing"), parse.Missing)
	bad("folder", ctx, dir, parse.Missing)
	bad("empty", ctx, empty, parse.Damaged)
	t.Run("random bytes", func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for n := range 30 {
			b := make([]byte, 1+r.IntN(4000))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			if n%2 == 1 { // the head of a real file, then noise
				head, err := os.ReadFile(files[0])
				if err != nil {
					t.Fatal(err)
				}
				b = append(slices.Clone(head[:min(len(head), 1+r.IntN(2000))]), b...)
			}
			path := filepath.Join(dir, "random")
			write(t, path, b)
			got, err := p.Parse(ctx, parse.Source{Doc: edb.Document{ID: "random"}, Path: path})
			if err == nil {
				Check(t, got)
			}
		}
	})
	t.Run("after trouble", func(t *testing.T) {
		if _, err := p.Parse(ctx, parse.Source{Doc: edb.Document{ID: "d"}, Path: files[0]}); err != nil {
			t.Errorf("the engine no longer reads what it read before: %v", err)
		}
	})
}

// Check holds one parse to the form that all stages rely on.
func Check(t testing.TB, p edb.Parsed) {
	t.Helper()
	if len(p.Pages) == 0 {
		t.Error("no pages")
	}
	if !p.Paged && (len(p.Pages) != 1 || p.Pages[0].Number != 1) {
		t.Errorf("not paged, but %d pages", len(p.Pages))
	}
	ids := map[string]bool{}
	for _, e := range p.Elements {
		if e.ID != "" && ids[e.ID] {
			t.Errorf("id %q is given twice", e.ID)
		}
		ids[e.ID] = true
	}
	for i, pg := range p.Pages {
		if last := i > 0 && pg.Number <= p.Pages[i-1].Number; pg.Number < 1 || last {
			t.Errorf("page %d of the list has number %d", i+1, pg.Number)
		}
		if pg.NoText && pg.Text() != "" {
			t.Errorf("page %d: said to be without text, has %q", pg.Number, pg.Text())
		}
		for _, e := range pg.Elements {
			if !slices.Contains(edb.Kinds, e.Kind) {
				t.Errorf("page %d: kind %q is unknown", pg.Number, e.Kind)
			}
			if e.CaptionOf != "" && !ids[e.CaptionOf] {
				t.Errorf("page %d: a caption of %q, which is not there", pg.Number, e.CaptionOf)
			}
			if (e.HTML != "") && e.Kind != edb.KindTable {
				t.Errorf("page %d: a %s with table markup", pg.Number, e.Kind)
			}
			if e.Level < 0 {
				t.Errorf("page %d: level %d", pg.Number, e.Level)
			}
			checkBox(t, pg, e.Box)
			for _, l := range e.Lines {
				checkBox(t, pg, l.Box)
			}
		}
	}
	encode(t, p)
}

// slack is how far, in points, a box may reach over the page's edge: glyphs do.
const slack = 2

func checkBox(t testing.TB, pg edb.Page, b *edb.Box) {
	t.Helper()
	if b == nil {
		return
	}
	for _, v := range b {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Errorf("page %d: box %v is not finite", pg.Number, *b)
			return
		}
	}
	if b[0] > b[2] || b[1] > b[3] {
		t.Errorf("page %d: box %v is inside out", pg.Number, *b)
	}
	if b[0] < -slack || b[1] < -slack || b[2] > pg.Width+slack || b[3] > pg.Height+slack {
		t.Errorf("page %d of %v by %v: box %v is off the page", pg.Number, pg.Width, pg.Height, *b)
	}
}

func encode(t testing.TB, p edb.Parsed) string {
	t.Helper()
	b, err := json.Marshal(p)
	if err != nil {
		t.Errorf("the parse is no JSON: %v", err)
	}
	return string(b)
}

func write(t testing.TB, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}
