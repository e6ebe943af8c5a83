package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
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
func byPoppler(ctx context.Context, path string) (edb.Parsed, error) {
	out, err := exec.CommandContext(ctx, "pdftotext", "-enc", "UTF-8", path, "-").Output()
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
	return p, err
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
	type hits struct {
		right, wrong [2]int
		said         []string
	}
	docs := slices.Sorted(maps.Keys(byDoc))
	read := func(ctx context.Context, j int) (h hits, err error) {
		path := filepath.Join(dir, "pdfs", docs[j]+".pdf")
		ours, _, err := pool.Parse(ctx, parse.Spec{Engine: "pdfium"}, parse.Source{Doc: edb.Document{ID: docs[j], MIME: "application/pdf"}, Path: path})
		if err != nil {
			return h, fmt.Errorf("%s: %w", docs[j], err)
		}
		theirs, err := byPoppler(ctx, path)
		if err != nil {
			return h, fmt.Errorf("%s: pdftotext: %w", docs[j], err)
		}
		if len(ours.Pages) != len(theirs.Pages) {
			return h, fmt.Errorf("%s: %d pages and %d", docs[j], len(ours.Pages), len(theirs.Pages))
		}
		for i, pair := range [][2]edb.Parsed{{theirs, ours}, {ours, theirs}} {
			gold, parsed := pair[0], pair[1]
			a, idf := align.New(gold, parsed), align.NewIDF(gold)
			a.SetIDF(idf)
			page := func(number int) []edb.Span {
				return []edb.Span{{Page: number, Start: 0, End: utf8.RuneCountInString(parsed.Pages[number-1].Text())}}
			}
			for _, e := range byDoc[docs[j]] {
				m := a.Evidence(edb.Evidence{Doc: docs[j], Page: e.Page + 1, Quote: e.Text})
				if c := a.CoverMask(m, page(e.Page+1)); c.Located >= .5 {
					h.right[i]++
				} else {
					h.said = append(h.said, fmt.Sprintf("%s: %s page %d: the right page locates %.3f", directions[i], docs[j], e.Page+1, c.Located))
				}
				near := nearest(gold, e.Text, idf, labelled[docs[j]])
				if c := a.CoverMask(m, page(near)); c.Located >= .5 {
					h.wrong[i]++
					h.said = append(h.said, fmt.Sprintf("%s: %s page %d: page %d locates %.3f", directions[i], docs[j], e.Page+1, near, c.Located))
				}
			}
		}
		return h, nil
	}
	n, right, wrong := 0, [2]int{}, [2]int{}
	err = ordered(t.Context(), len(docs), runtime.NumCPU(), read, func(j int, h hits) error {
		n += len(byDoc[docs[j]])
		for i := range directions {
			right[i], wrong[i] = right[i]+h.right[i], wrong[i]+h.wrong[i]
		}
		for _, s := range h.said {
			t.Log(s)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
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
