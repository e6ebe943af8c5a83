package align

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/internal/tokens"
)

// shortRun is how many filings are read unless EDB_LONG is set.
const shortRun = 6

// pdfText reads a PDF by poppler's pdftotext: paragraphs are blocks, every page is there.
func pdfText(t *testing.T, path string, flags ...string) edb.Parsed {
	t.Helper()
	out, err := exec.Command("pdftotext", append(flags, path, "-")...).Output()
	if err != nil {
		t.Fatalf("%s: %v", filepath.Base(path), err)
	}
	p := edb.Parsed{Doc: filepath.Base(path), Paged: true}
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

// On real filings, whose evidence is quoted from another text layer than ours and numbered from 0, a
// perfect page ranker hits at least .97 of the evidences, and one that returns the most similar
// other page of the filing hits none. Gold is poppler's text in its own order; the parse is the
// text as laid out on the page, another order with other line breaks.
func TestFinanceBenchPageRankers(t *testing.T) {
	dir := testdata.Data(t, "financebench")
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("needs pdftotext: install poppler-utils")
	}
	type evidence struct {
		Doc  string `json:"doc_name"`
		Text string `json:"evidence_text"`
		Page int    `json:"evidence_page_num"` // from 0
	}
	byDoc := map[string][]evidence{}
	f, err := os.Open(filepath.Join(dir, "questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	labelled := map[string]map[int]bool{}
	for sc.Scan() {
		var q struct{ Evidence []evidence }
		if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		for _, e := range q.Evidence {
			byDoc[e.Doc] = append(byDoc[e.Doc], e)
			if labelled[e.Doc] == nil {
				labelled[e.Doc] = map[int]bool{}
			}
			labelled[e.Doc][e.Page+1] = true
		}
	}
	var docs []string
	for d := range byDoc {
		docs = append(docs, d)
	}
	slices.Sort(docs)
	if os.Getenv("EDB_LONG") == "" {
		docs = docs[:min(shortRun, len(docs))]
	}
	n, right, wrong, quoted, spaceless := 0, 0, 0, 0, 0
	for _, doc := range docs {
		path := filepath.Join(dir, "pdfs", doc+".pdf")
		gold, parsed := pdfText(t, path), pdfText(t, path, "-layout")
		a := New(gold, parsed)
		idf := NewIDF(gold)
		a.SetIDF(idf)
		same, other, place, lost := a.Shares()
		t.Logf("%s: %d pages, same %.3f misread %.3f placed %.3f lost %.4f", doc, len(gold.Pages), same, other, place, lost)
		page := func(number int) []edb.Span {
			text := parsed.Pages[number-1].Text()
			return []edb.Span{{Page: number, Start: 0, End: utf8.RuneCountInString(text)}}
		}
		for _, e := range byDoc[doc] {
			n++
			ev := edb.Evidence{Doc: doc, Page: e.Page + 1, Quote: e.Text}
			m := a.Evidence(ev)
			if m.By == "quote" {
				quoted++
			}
			glued := ev
			glued.Quote = strings.Join(strings.Fields(e.Text), "")
			if g := a.Evidence(glued); g.By == "quote" && len(g.Tokens) >= len(m.Tokens)*9/10 && len(g.Tokens) <= len(m.Tokens)*11/10+1 {
				spaceless++
			}
			if c := a.CoverMask(m, page(ev.Page)); c.Located >= .5 {
				right++
			} else {
				t.Logf("%s page %d: perfect ranker locates %.3f", doc, ev.Page, c.Located)
			}
			near := mostSimilar(gold, e.Text, idf, func(p int) bool { return !labelled[doc][p] })
			if c := a.CoverMask(m, page(near)); c.Located >= .5 {
				wrong++
				t.Logf("%s page %d: page %d locates %.3f", doc, ev.Page, near, c.Located)
			}
		}
	}
	t.Logf("%d evidences of %d filings: %d by quote, %d by quote without spaces, %d hit by the right page, %d by the most similar other page", n, len(docs), quoted, spaceless, right, wrong)
	if n == 0 || float64(right) < .97*float64(n) {
		t.Errorf("a perfect page ranker hits %d of %d evidences, want .97", right, n)
	}
	if wrong > 0 {
		t.Errorf("the most similar other page hits %d evidences", wrong)
	}
	if float64(spaceless) < .9*float64(n) {
		t.Errorf("only %d of %d quotes were found without their spaces", spaceless, n)
	}
	if float64(quoted) < .9*float64(n) {
		t.Errorf("only %d of %d quotes were found on their page", quoted, n)
	}
}

// mostSimilar is the allowed page that shares most of a text's words, by idf.
func mostSimilar(p edb.Parsed, text string, idf *IDF, allowed func(page int) bool) int {
	want := map[string]bool{}
	for _, k := range tokens.WordKeys(text) {
		want[k] = true
	}
	best, bestScore := 0, -1.0
	for _, pg := range p.Pages {
		if !allowed(pg.Number) {
			continue
		}
		seen := map[string]bool{}
		score := 0.0
		for _, k := range tokens.WordKeys(pg.Text()) {
			if want[k] && !seen[k] {
				seen[k] = true
				score += idf.Weight(k)
			}
		}
		if score > bestScore {
			best, bestScore = pg.Number, score
		}
	}
	return best
}
