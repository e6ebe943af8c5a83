package pipeline

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/align"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/parse"
)

// quoted is an evidence of FinanceBench; its pages count from 0.
type quoted struct {
	Doc  string `json:"doc_name"`
	Text string `json:"evidence_text"`
	Page int    `json:"evidence_page_num"`
}

// byPoppler reads a PDF by pdftotext: every page is there, paragraphs are blocks.
func byPoppler(t *testing.T, path string) edb.Parsed {
	t.Helper()
	out, err := exec.Command("pdftotext", "-enc", "UTF-8", path, "-").Output()
	if err != nil {
		t.Fatalf("%s: %v", filepath.Base(path), err)
	}
	p := edb.Parsed{Paged: true}
	for i, text := range strings.Split(strings.TrimSuffix(string(out), "\f"), "\f") {
		pg := edb.Page{Number: i + 1}
		for para := range strings.SplitSeq(text, "\n\n") {
			if strings.TrimSpace(para) != "" {
				pg.Elements = append(pg.Elements, edb.Element{Kind: edb.KindParagraph, Text: para})
			}
		}
		p.Pages = append(p.Pages, pg)
	}
	return p
}

// Between two independent readers of the same filings, PDFium with its geometric layer and poppler,
// in either direction: a perfect page ranker hits at least .97 of the evidences, and one that returns the
// most similar other page of the filing hits none. What is quoted comes from a third text layer.
func TestFinanceBenchBetweenReaders(t *testing.T) {
	if os.Getenv("EDB_LONG") == "" {
		t.Skip("reads 2,653 pages by two readers: set EDB_LONG")
	}
	dir := testdata.Data(t, "financebench")
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("needs pdftotext: install poppler-utils")
	}
	byDoc := map[string][]quoted{}
	labelled := map[string]map[int]bool{}
	err := store.Lines(filepath.Join(dir, "questions.jsonl"), func(_ int, raw []byte) error {
		var q struct{ Evidence []quoted }
		if err := json.Unmarshal(raw, &q); err != nil {
			return err
		}
		for _, e := range q.Evidence {
			byDoc[e.Doc] = append(byDoc[e.Doc], e)
			if labelled[e.Doc] == nil {
				labelled[e.Doc] = map[int]bool{}
			}
			labelled[e.Doc][e.Page+1] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pool := parse.NewPool(exe, runtime.NumCPU(), parse.DefaultLimits, "")
	defer pool.Close()
	directions := []string{"gold poppler, parse pdfium", "gold pdfium, parse poppler"}
	n, right, wrong := 0, [2]int{}, [2]int{}
	for doc, evidences := range byDoc {
		path := filepath.Join(dir, "pdfs", doc+".pdf")
		ours, _, err := pool.Parse(t.Context(), parse.Spec{Engine: "pdfium"}, parse.Source{Doc: edb.Document{ID: doc, MIME: "application/pdf"}, Path: path})
		if err != nil {
			t.Fatalf("%s: %v", doc, err)
		}
		theirs := byPoppler(t, path)
		if len(ours.Pages) != len(theirs.Pages) {
			t.Fatalf("%s: %d pages and %d", doc, len(ours.Pages), len(theirs.Pages))
		}
		n += len(evidences)
		for i, pair := range [][2]edb.Parsed{{theirs, ours}, {ours, theirs}} {
			gold, parsed := pair[0], pair[1]
			a, idf := align.New(gold, parsed), align.NewIDF(gold)
			a.SetIDF(idf)
			page := func(number int) []edb.Span {
				return []edb.Span{{Page: number, Start: 0, End: utf8.RuneCountInString(parsed.Pages[number-1].Text())}}
			}
			for _, e := range evidences {
				m := a.Evidence(edb.Evidence{Doc: doc, Page: e.Page + 1, Quote: e.Text})
				if c := a.CoverMask(m, page(e.Page+1)); c.Located >= .5 {
					right[i]++
				} else {
					t.Logf("%s: %s page %d: the right page locates %.3f", directions[i], doc, e.Page+1, c.Located)
				}
				near := nearest(gold, e.Text, idf, labelled[doc])
				if c := a.CoverMask(m, page(near)); c.Located >= .5 {
					wrong[i]++
					t.Logf("%s: %s page %d: page %d locates %.3f", directions[i], doc, e.Page+1, near, c.Located)
				}
			}
		}
	}
	for i, d := range directions {
		t.Logf("%s: %d evidences, %d hit by the right page, %d by the most similar other page", d, n, right[i], wrong[i])
		if n == 0 || float64(right[i]) < .97*float64(n) {
			t.Errorf("%s: a perfect page ranker hits %d of %d evidences, want .97", d, right[i], n)
		}
		if wrong[i] > 0 {
			t.Errorf("%s: the most similar other page hits %d evidences", d, wrong[i])
		}
	}
}

// nearest is the page, none of the labelled ones, that shares most of a text's words, by idf.
func nearest(p edb.Parsed, text string, idf *align.IDF, labelled map[int]bool) int {
	want := tokens.WordKeys(text)
	slices.Sort(want)
	want = slices.Compact(want)
	best, bestScore := 0, -1.0
	for _, pg := range p.Pages {
		if labelled[pg.Number] {
			continue
		}
		have := tokens.WordKeys(pg.Text())
		slices.Sort(have)
		score := 0.0
		for _, k := range want {
			if _, ok := slices.BinarySearch(have, k); ok {
				score += idf.Weight(k)
			}
		}
		if score > bestScore {
			best, bestScore = pg.Number, score
		}
	}
	return best
}
