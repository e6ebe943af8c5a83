package ingest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// reader is an engine for tests: pages by form feeds, blocks by blank lines, headings by "# ", tables
// by tabs. What it reads goes through change.
func reader(name string, accepts []string, change func(string) string) Engine {
	return Engine{Name: name, Accepts: accepts, Parse: func(ctx context.Context, path string, _ edb.Document) (edb.Parsed, error) {
		b, err := os.ReadFile(path)
		if err != nil {
			return edb.Parsed{}, err
		}
		text := strings.TrimPrefix(string(b), "%PDF-\n")
		if strings.HasPrefix(text, "locked") {
			return edb.Parsed{}, errors.New("a password is needed")
		}
		pages := strings.Split(change(text), "\f")
		p := edb.Parsed{Engine: name, Paged: len(pages) > 1}
		for i, page := range pages {
			pg := edb.Page{Number: i + 1, Width: 600, Height: 800}
			for block := range strings.SplitSeq(strings.TrimSpace(page), "\n\n") {
				e := edb.Element{Kind: edb.KindParagraph, Text: block, Box: &edb.Box{-5, 0, 700, 20}}
				switch {
				case block == "":
					continue
				case strings.HasPrefix(block, "# "):
					e.Kind, e.Text, e.Level = edb.KindHeading, block[2:], 1
				case strings.Contains(block, "\t"):
					e.Kind = edb.KindTable
				}
				pg.Elements = append(pg.Elements, e)
			}
			pg.NoText = len(pg.Elements) == 0
			p.Pages = append(p.Pages, pg)
		}
		return p, ctx.Err()
	}}
}

// find is a Locate for tests: the quote as it stands.
func find(p edb.Parsed, page int, quote string) (edb.Evidence, float64, bool) {
	for _, pg := range p.Pages {
		if i := strings.Index(pg.Text(), quote); i >= 0 && (page == 0 || page == pg.Number) {
			start := length(pg.Text()[:i])
			return edb.Evidence{Doc: p.Doc, Page: pg.Number, Start: start, End: start + length(quote), Quote: quote}, 1, true
		}
	}
	return edb.Evidence{}, 0, false
}

func options() Options {
	same := func(s string) string { return s }
	return Options{
		Engines: []Engine{reader("one@1", []string{"application/pdf"}, same), reader("two@3", []string{"application/pdf"}, func(s string) string { return strings.ReplaceAll(s, "o", "0") }),
			reader("plain@1", []string{"text/plain", "text/markdown"}, same)},
		Seed: 7, N: 6, Workers: 2, Locate: find, OCR: OCR{Missing: "there is none in tests"},
	}
}

// mine is a folder of somebody's files.
func mine(t testing.TB) string {
	dir := filepath.Join(t.TempDir(), "my files")
	put(t, dir, map[string]string{
		"plant/report.pdf":    "%PDF-\n# Melting schedules abroad\n\n" + zinc + " " + furnace + "\n\nSegment\tRevenue 2023\nSmelting\t1,204\n\f" + copper + "\f",
		"plant/locked.pdf":    "%PDF-\nlocked",
		"plant/Agreement.txt": notice + "\n\n" + furnace,
		"plant/agreement.TXT": "The été assembly of 契約 partners approves quarterly dividends and elects auditors by acclamation.",
		"photo.png":           "\x89PNG\r\n\x1a\n picture",
		"broken.pdf":          "<html>404</html>",
		"empty.md":            "",
	})
	return dir
}

// tree reads a folder: path to content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(p)
		rel, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestInit(t *testing.T) {
	dir, out := mine(t), filepath.Join(t.TempDir(), "out")
	sheet, err := Init(context.Background(), dir, out, options())
	if err != nil {
		t.Fatal(err)
	}
	faults, err := datasets.Check(filepath.Join(out, DatasetDir))
	if err != nil || len(faults) > 0 {
		t.Errorf("the dataset has faults: %v, %v", faults, err)
	}
	got := tree(t, out)
	whole := maps.Clone(got)
	for _, f := range []string{"init.yaml", "sheet.json", "dataset/documents.jsonl", "dataset/queries.jsonl", "dataset/qrels.txt", "dataset/dataset.yaml"} {
		golden := filepath.Join("testdata", "init", filepath.Base(f))
		if f == SheetFile { // a row a measure: measures come and go
			from, to := strings.Index(got[f], ` "rows": [`), strings.Index(got[f], ` "labelling": [`)
			if from < 0 || to < from {
				t.Fatalf("%s has no rows before the labelling", f)
			}
			got[f] = got[f][:from] + got[f][to:]
		}
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, []byte(got[f]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got[f] != string(want) {
			t.Errorf("%s is not %s (rewrite it with -update):\n%s", f, golden, got[f])
		}
	}
	if sheet.Documents != 5 || len(sheet.LeftOut) != 2 || len(sheet.Failing) != 2 {
		t.Errorf("%d documents, left out %v, failing %v", sheet.Documents, sheet.LeftOut, sheet.Failing)
	}
	if s := strings.Join(sheet.Lines(), "\n"); strings.Contains(s, "P ") || strings.Contains(s, "quality.q") {
		t.Errorf("the sheet speaks of P or Q:\n%s", s)
	}
	// Again, over it, with another number of workers: the same bytes.
	opt := options()
	opt.Workers, opt.Replace = 1, true
	if _, err := Init(context.Background(), dir, out, opt); err != nil {
		t.Fatal(err)
	}
	again := tree(t, out)
	for p := range got {
		if again[p] != whole[p] {
			t.Errorf("%s differs the second time", p)
		}
	}
	if len(again) != len(got) {
		t.Errorf("%d files, then %d", len(got), len(again))
	}
	// A folder that is there is not taken without being told to.
	if _, err := Init(context.Background(), dir, out, options()); err == nil || !strings.Contains(err.Error(), "say --replace") {
		t.Errorf("over an earlier result: %v", err)
	}
}

func TestInitWithQuestions(t *testing.T) {
	dir := mine(t)
	put(t, dir, map[string]string{"asked.csv": "question,answer,document,page,quote\n" +
		"Where does scrap melt?,Lünen,report.pdf,1,The zinc furnace at Lünen\n" + // by file name, with page
		"Where do cathodes leave?,the Hamburg refinery,plant/report,,the Hamburg refinery\n" + // by quote alone
		"How long is notice?,ninety days,plant/Agreement.txt,,written notice ninety days\n" + // one page by itself
		"What does the page say?,,report.pdf,2,words that are not there\n" + // the page stands for it
		"What is locked?,,locked.pdf,1,\n" +
		"Who is the chair?,unanswerable,,,\n"})
	out := filepath.Join(t.TempDir(), "out")
	opt := options()
	opt.Questions = filepath.Join(dir, "asked.csv")
	// "plant/report" is neither a path nor a stem.
	_, err := Init(context.Background(), dir, out, opt)
	if want := `asked.csv:3: no file is called "plant/report": write the file's name`; err == nil || !strings.Contains(err.Error(), want) {
		t.Fatalf("got %v, want %s", err, want)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused file of questions leaves something behind")
	}
	b, err := os.ReadFile(opt.Questions)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(opt.Questions, []byte(strings.Replace(string(b), "plant/report,", "REPORT,", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	sheet, err := Init(context.Background(), dir, out, opt)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := datasets.Open(filepath.Join(out, DatasetDir))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range ds.Questions {
		for _, e := range q.Evidence {
			got = append(got, fmt.Sprintf("%s %s#%d %d-%d", q.ID, e.Doc, e.Page, e.Start, e.End))
		}
		if q.Review["synthetic"] != nil {
			t.Errorf("%s is called synthetic", q.ID)
		}
	}
	want := []string{"q0001 plant/report.pdf#1 25-50", "q0002 plant/report.pdf#2 22-42", "q0003 plant/Agreement.txt#1 52-78", "q0004 plant/report.pdf#2 0-0", "q0005 plant/locked.pdf#1 0-0"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	q := sheet.Questions
	if q.Synthetic || q.N != 6 || q.Answered != 3 || q.WithEvidence != 5 || q.Located != 3 || q.Loose != 1 || q.Unanswerable != 1 || q.Known != nil {
		t.Errorf("%+v", q)
	}
	if sheet.Documents != 5 { // asked.csv is not one
		t.Errorf("%d documents", sheet.Documents)
	}
}

func TestInitSaysWhichLineIsWrong(t *testing.T) {
	dir := mine(t)
	tests := []struct{ name, row, want string }{
		{"another page", "report.pdf,2,The zinc furnace", `q.csv:2: the quote does not stand on page 2 of "plant/report.pdf" but on page 1: correct the page`},
		{"nowhere", "report.pdf,,no such words", `q.csv:2: the quote does not stand in "plant/report.pdf" (0 % of it was found): copy it`},
		{"nowhere on the only page", "plant/Agreement.txt,,no such words", `q.csv:2: the quote does not stand in "plant/Agreement.txt"`},
		{"beyond the end", "report.pdf,4,", `q.csv:2: page 4 of "plant/report.pdf", which has 3 pages: count`},
		{"a document alone", "report.pdf,,", "q.csv:2: there is neither a page nor a quote: give"},
		{"a quote that cannot be looked for", "locked.pdf,,x", `q.csv:2: "plant/locked.pdf" cannot be read`},
		{"letter case decides", "AGREEMENT.TXT,,x", `q.csv:2: "AGREEMENT.TXT" may be plant/Agreement.txt or plant/agreement.TXT`},
		{"left out", "broken.pdf,1,", `q.csv:2: document "broken.pdf" is left out: it is named .pdf but is a web page`},
		{"unknown", "x.pdf,1,", `q.csv:2: no file is called "x.pdf": write`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tmp := t.TempDir()
			put(t, tmp, map[string]string{"q.csv": "question,document,page,quote\nA?," + tt.row + "\n"})
			opt := options()
			opt.Questions = filepath.Join(tmp, "q.csv")
			_, err := Init(context.Background(), dir, filepath.Join(tmp, "out"), opt)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
			if _, err := os.Stat(filepath.Join(tmp, "out")); err == nil {
				t.Error("a refused file of questions leaves a folder")
			}
		})
	}
}

// A name that is no UTF-8 could not be told to a worker: its file is read under another name.
func TestInitReadsFilesWithAnyName(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a\xff.txt"), []byte(notice), 0o644); err != nil {
		t.Skipf("no such names here: %v", err)
	}
	opt := options()
	plain := opt.Engines[2].Parse
	opt.Engines[2].Parse = func(ctx context.Context, path string, doc edb.Document) (edb.Parsed, error) {
		if strings.ToValidUTF8(path, "") != path {
			return edb.Parsed{}, errors.New("what is it called?")
		}
		return plain(ctx, path, doc)
	}
	sheet, err := Init(context.Background(), dir, filepath.Join(t.TempDir(), "out"), opt)
	if err != nil || len(sheet.Failing) > 0 || sheet.Questions.N != 1 {
		t.Errorf("%+v, %v", sheet, err)
	}
}

func TestInitRefuses(t *testing.T) {
	dir, empty := mine(t), t.TempDir()
	for name, tt := range map[string]struct{ folder, out, want string }{
		"a folder without documents": {empty, filepath.Join(t.TempDir(), "out"), "holds no document (0 files left out)"},
		"the folder itself":          {dir, dir, "the result would lie among your files"},
		"a folder that is not there": {filepath.Join(empty, "x"), filepath.Join(t.TempDir(), "out"), "name the folder that holds your files"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Init(context.Background(), tt.folder, tt.out, options()); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

func TestInterruptLeavesNothing(t *testing.T) {
	dir, out := mine(t), filepath.Join(t.TempDir(), "out")
	if _, err := Init(context.Background(), dir, out, options()); err != nil {
		t.Fatal(err)
	}
	before := tree(t, out)
	for _, stage := range []string{"look", "read", "ask"} {
		ctx, cancel := context.WithCancel(context.Background())
		opt := options()
		opt.Replace, opt.Seed = true, 8
		opt.Progress = func(s string, _, _ int) {
			if s == stage {
				cancel()
			}
		}
		if _, err := Init(ctx, dir, out, opt); !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted in %q: %v", stage, err)
		}
		after := tree(t, out)
		for p := range after {
			if after[p] != before[p] {
				t.Errorf("interrupted in %q: %s changed", stage, p)
			}
		}
		if len(after) != len(before) {
			t.Errorf("interrupted in %q: %d files were %d", stage, len(after), len(before))
		}
	}
}
