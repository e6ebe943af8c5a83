package universe_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench/datasets"
	"enterprisedocbench/universe"

	"github.com/ledongthuc/pdf"
)

func ExampleWriteDemo() {
	dir, err := os.MkdirTemp("", "universe")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	world := filepath.Join(dir, "world")
	if err := universe.WriteDemo(context.Background(), world, universe.Options{Seed: 7}); err != nil {
		fmt.Println(err)
		return
	}
	d, err := datasets.Open(world)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(d.Documents), "documents,", len(d.Questions), "questions")
	fmt.Println(d.Documents[0].Doctype)
	// Output:
	// 36 documents, 100 questions
	// commercial lease agreement
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSameSeedSameBytes(t *testing.T) {
	write := func(seed uint64) map[string]string {
		dir := filepath.Join(t.TempDir(), "w")
		if err := universe.WriteDemo(t.Context(), dir, universe.Options{Seed: seed}); err != nil {
			t.Fatal(err)
		}
		if faults, err := datasets.Check(dir); err != nil || len(faults) > 0 {
			t.Fatalf("the dataset has faults: %v %v", faults, err)
		}
		return files(t, dir)
	}
	a, b, c := write(7), write(7), write(8)
	if len(a) < 36*2+4 {
		t.Fatalf("%d files", len(a))
	}
	for name, content := range a {
		if b[name] != content {
			t.Errorf("%s differs from one time to the next", name)
		}
		if c[name] == content && name != "qrels.txt" {
			t.Errorf("%s is the same for two seeds", name)
		}
	}
	// Any document alone is the same bytes as in the whole.
	for _, id := range []int{35, 1, 17} {
		d, err := universe.Make(7, id)
		if err != nil {
			t.Fatal(err)
		}
		if a[filepath.Join("files", d.ID+".pdf")] != string(d.PDF) {
			t.Errorf("document %s made alone differs", d.ID)
		}
		g, err := universe.MakeGold(7, id)
		if err != nil || g.Gold.Text() != d.Gold.Text() || len(g.Mentions) != len(d.Mentions) {
			t.Errorf("document %s: gold without PDF differs (%v)", d.ID, err)
		}
	}
}

// An independent reader finds the words of every gold line on its page, furniture included.
func TestPDFsSayWhatTheGoldSays(t *testing.T) {
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	for id := range 12 {
		d, err := universe.Make(21, id)
		if err != nil {
			t.Fatal(err)
		}
		r, err := pdf.NewReader(bytes.NewReader(d.PDF), int64(len(d.PDF)))
		if err != nil {
			t.Fatalf("%s: %v", d.ID, err)
		}
		if r.NumPage() != d.Pages {
			t.Fatalf("%s: %d pages in the file, %d in the gold", d.ID, r.NumPage(), d.Pages)
		}
		for _, p := range d.Gold.Pages {
			text, err := r.Page(p.Number).GetPlainText(nil)
			if err != nil {
				t.Fatal(err)
			}
			got, total := squeeze(text), 0
			for _, e := range p.Elements {
				for _, l := range e.Lines {
					if !strings.Contains(got, squeeze(l.Text)) {
						t.Errorf("%s page %d: %q is not in the file", d.ID, p.Number, l.Text)
					}
					total += len(squeeze(l.Text))
				}
			}
			if total != len(got) {
				t.Errorf("%s page %d: the file holds %d bytes of text, the gold %d", d.ID, p.Number, len(got), total)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	for name, opt := range map[string]universe.Options{
		"too few documents":  {Documents: 6},
		"too many questions": {Documents: 9, Questions: 5000},
		"negative":           {Questions: -1},
	} {
		if err := universe.WriteDemo(t.Context(), filepath.Join(dir, "w"), opt); err == nil {
			t.Errorf("%s: written", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := universe.WriteDemo(ctx, filepath.Join(dir, "w"), universe.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "w")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("something was left behind")
	}
	if _, err := universe.Make(1, -1); err == nil {
		t.Error("document -1 was made")
	}
	if d, err := universe.Make(1, 299_999); err != nil || d.ID != "statement-100000" || d.Gold.Pages[0].Text() == "" {
		t.Errorf("document 299,999 alone: %s, %v", d.ID, err)
	}
}

func BenchmarkMake(b *testing.B) {
	pages := 0
	for i := range b.N {
		d, err := universe.Make(1, i)
		if err != nil {
			b.Fatal(err)
		}
		pages += d.Pages
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
}
