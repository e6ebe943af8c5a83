package study

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
)

// PoolOptions say what goes into a pool.
type PoolOptions struct {
	Depth int    // pages of each pipeline and question; at least 1
	Seed  uint64 // of the order
	All   bool   // also the pages that are judged already
	Chars int    // code points of text a page at most; 0 is no text
}

// Pool is what is to be judged: for every question the union of the first Depth pages of every
// pipeline (the pooling of Spärck Jones and van Rijsbergen, 1975, as TREC does it). Questions stand as
// in the dataset, and the pages of one in an order that a keyed hash gives, so that neither order nor
// text tells who found a page.
type Pool struct {
	Depth        int       `json:"depth"`
	Runs         int       `json:"runs"`
	Pipelines    int       `json:"pipelines"`
	Questions    int       `json:"questions"`    // that have pages in the pool
	Unanswerable int       `json:"unanswerable"` // questions left out: nothing is relevant to them
	Pages        int       `json:"pages"`        // pairs of question and page in the pool
	Judged       int       `json:"judged"`       // of them, those that the dataset judges already
	Rows         []PoolRow `json:"-"`
}

// PoolRow is one page to be judged for one question. Text is the passage of the page that has most
// words of the question, whoever found it.
type PoolRow struct {
	Query    string
	Page     string // "DOC#PAGE" with the plain document id
	Question string
	File     string // in the dataset
	Title    string
	Text     string
}

// MakePool reads the rankings of run folders over the dataset.
func MakePool(ds *datasets.Dataset, dirs []string, opt PoolOptions) (*Pool, error) {
	p := &Pool{Depth: opt.Depth, Runs: len(dirs)}
	byID := map[string]edb.Question{}
	for _, q := range ds.Questions {
		byID[q.ID] = q
	}
	found := map[string]map[string]bool{} // question -> pages
	for i, dir := range dirs {
		if j := slices.IndexFunc(dirs[:i], func(other string) bool { return sameFolder(dir, other) }); j >= 0 {
			return nil, fmt.Errorf("%s and %s are one run folder, which would count twice: name each run once", dirs[j], dir)
		}
		r, err := Open(dir)
		if err != nil {
			return nil, err
		}
		if r.Summary.Dataset != ds.Info.Name {
			return nil, fmt.Errorf("%s: the run is over dataset %q, %s is %q: name the dataset that the run was made over", dir, r.Summary.Dataset, ds.Dir, ds.Info.Name)
		}
		p.Pipelines += len(r.Summary.Arms)
		for _, arm := range r.Summary.Arms {
			if err := r.pooled(arm, opt.Depth, ds, byID, found); err != nil {
				return nil, err
			}
		}
	}
	for _, q := range ds.Questions {
		pages := found[q.ID]
		switch {
		case len(pages) == 0:
			continue
		case !q.Answerable():
			p.Unanswerable++
			continue
		}
		p.Questions++
		p.Pages += len(pages)
		for _, page := range shuffled(opt.Seed, q.ID, pages) {
			_, judged := ds.Qrels[q.ID][page]
			if judged {
				p.Judged++
			}
			if judged && !opt.All {
				continue
			}
			name, _ := splitPage(page)
			doc, _ := ds.Document(name)
			p.Rows = append(p.Rows, PoolRow{Query: q.ID, Page: page, Question: q.Text, File: doc.Path, Title: doc.Title})
		}
	}
	return p, p.texts(dirs, opt.Chars)
}

// pooled adds an arm's first pages to found. The run must be over the dataset.
func (r *Run) pooled(arm string, depth int, ds *datasets.Dataset, asked map[string]edb.Question, found map[string]map[string]bool) error {
	name := filepath.Join("trec", datasets.FileName(arm)+".trec")
	taken := map[string]int{}
	err := store.Lines(filepath.Join(r.Dir, name), func(_ int, raw []byte) error {
		query, page, err := datasets.ParseRanked(string(raw))
		if err != nil {
			return err
		}
		if taken[query] >= depth {
			return nil
		}
		taken[query]++
		doc, _ := splitPage(page)
		if _, ok := asked[query]; !ok {
			return &otherDataset{fmt.Sprintf("question %q", query)}
		}
		if _, ok := ds.Document(doc); !ok {
			return &otherDataset{fmt.Sprintf("document %q", doc)}
		}
		if found[query] == nil {
			found[query] = map[string]bool{}
		}
		found[query][page] = true
		return nil
	})
	var other *otherDataset
	if errors.As(err, &other) {
		return fmt.Errorf("%s: %s is not in dataset %s: name the dataset that the run was made over", r.Dir, other.what, ds.Dir)
	}
	if err != nil {
		return r.unfinished(name, err)
	}
	return nil
}

// sameFolder says whether two names are of one folder.
func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// otherDataset says that a run names what the dataset does not have.
type otherDataset struct{ what string }

func (e *otherDataset) Error() string { return e.what + " is unknown" }

// shuffled orders pages by a hash that is keyed by the seed and the question.
func shuffled(seed uint64, query string, pages map[string]bool) []string {
	key := map[string]string{}
	for page := range pages {
		h := sha256.Sum256(fmt.Appendf(nil, "pool\x00%d\x00%s\x00%s", seed, query, page))
		key[page] = string(h[:])
	}
	return slices.SortedFunc(maps.Keys(pages), func(a, b string) int { return cmp.Compare(key[a], key[b]) })
}

// texts gives every row the passage of its page that shares most words with the question; of a
// document whose passages have no such page, the best of all its passages.
func (p *Pool) texts(dirs []string, chars int) error {
	if chars <= 0 {
		return nil
	}
	byDoc := map[string][]int{}
	words := map[string]map[string]bool{} // of a question
	for i, r := range p.Rows {
		doc, _ := splitPage(r.Page)
		byDoc[doc] = append(byDoc[doc], i)
		if words[r.Query] == nil {
			words[r.Query] = wordSet(r.Question)
		}
	}
	type candidate struct {
		onPage bool
		shared int
		text   string
	}
	better := func(a, b candidate) bool {
		switch {
		case a.onPage != b.onPage:
			return a.onPage
		case a.shared != b.shared:
			return a.shared > b.shared
		}
		return b.text == "" || a.text < b.text
	}
	best := make([]candidate, len(p.Rows))
	for _, dir := range dirs {
		path := filepath.Join(dir, "passages.jsonl")
		err := store.Lines(path, func(_ int, raw []byte) error {
			var pass edb.Passage
			if err := json.Unmarshal(raw, &pass); err != nil {
				return err
			}
			rows := byDoc[pass.Doc]
			if len(rows) == 0 {
				return nil
			}
			has := wordSet(pass.Text)
			for _, i := range rows {
				_, page := splitPage(p.Rows[i].Page)
				c := candidate{text: pass.Text}
				c.onPage = slices.ContainsFunc(pass.Spans, func(s edb.Span) bool { return strconv.Itoa(s.Page) == page })
				for w := range words[p.Rows[i].Query] {
					if has[w] {
						c.shared++
					}
				}
				if better(c, best[i]) {
					best[i] = c
				}
			}
			return nil
		})
		if err != nil {
			return (&Run{Dir: dir}).unfinished("passages.jsonl", err)
		}
	}
	for i, c := range best {
		p.Rows[i].Text = clip(c.text, chars)
	}
	return nil
}

// splitPage parts "DOC#PAGE".
func splitPage(id string) (doc, page string) {
	i := strings.LastIndexByte(id, '#')
	return id[:i], id[i+1:]
}

// wordSet are the words of a text, letter case aside.
func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		set[w] = true
	}
	return set
}

// clip cuts a text to n code points.
func clip(text string, n int) string {
	r := []rune(text)
	if len(r) <= n {
		return text
	}
	return string(r[:n]) + " …"
}

// TREC is the pool as qrels without grades, "QUESTION 0 DOC#PAGE ?" a line.
func (p *Pool) TREC() []byte {
	var b bytes.Buffer
	for _, r := range p.Rows {
		fmt.Fprintf(&b, "%s 0 %s ?\n", datasets.EscapeID(r.Query), datasets.EscapePage(r.Page))
	}
	return b.Bytes()
}
