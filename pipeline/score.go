package pipeline

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"enterprisedocbench"
	"enterprisedocbench/generate"
	"enterprisedocbench/index"
	"enterprisedocbench/internal/align"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
)

// alignVersion changes when alignments of the same texts come out otherwise.
const alignVersion = 1

// rankKeys are measured over pages (bare) and over documents.
var rankKeys = []string{"retrieve.ndcg@5", "retrieve.ndcg@10", "retrieve.p@3", "retrieve.p@5", "retrieve.r@5", "retrieve.rr", "retrieve.ap", "retrieve.hit@5", "retrieve.judged@5"}

// alignments are made once per document and way of parsing, and cached.
type alignments struct {
	r   *runner
	idf *align.IDF
	mu  sync.Mutex
	m   map[string]*alignment
}

type alignment struct {
	once   sync.Once
	a      *align.Alignment
	failed bool
	err    error
}

// newAlignments weighs words by how rare they are over the gold of all documents with evidence.
func (r *runner) newAlignments() *alignments {
	var ids []string
	seen := map[string]bool{}
	for _, q := range r.asked {
		for _, e := range q.Evidence {
			if !seen[e.Doc] {
				seen[e.Doc] = true
				ids = append(ids, e.Doc)
			}
		}
	}
	slices.Sort(ids)
	w := align.NewIDF()
	for _, id := range ids {
		if g := r.gold.get(id); g.ok && g.err == nil {
			w.Add(g.p)
		}
	}
	return &alignments{r: r, idf: w, m: map[string]*alignment{}}
}

func (as *alignments) get(ctx context.Context, way *parsing, doc string) *alignment {
	key := way.label + "\x00" + fmt.Sprint(way.chunk) + "\x00" + doc
	as.mu.Lock()
	e := as.m[key]
	if e == nil {
		e = &alignment{}
		as.m[key] = e
	}
	as.mu.Unlock()
	e.once.Do(func() { e.a, e.failed, e.err = as.make(ctx, way, doc) })
	return e
}

// make aligns one document. A failed parse is failed; a document without gold text has no
// alignment.
func (as *alignments) make(ctx context.Context, way *parsing, doc string) (*align.Alignment, bool, error) {
	r := as.r
	j, ok := slices.BinarySearchFunc(r.docs, doc, func(d edb.Document, id string) int { return strings.Compare(d.ID, id) })
	if !ok {
		return nil, false, nil
	}
	d := way.docs[j]
	if d.failure != nil {
		return nil, true, nil
	}
	gold := r.gold.get(doc)
	if !gold.ok || gold.err != nil {
		return nil, false, nil
	}
	key := store.KeyOf("align", alignVersion, d.key, gold.key)
	e, _, err := r.cache.Do(ctx, key, "align", func(context.Context) (store.Entry, error) {
		parsed, err := r.parsedOf(d.key)
		if err != nil {
			return store.Entry{}, err
		}
		b, err := align.New(gold.p, parsed).MarshalBinary()
		return store.Entry{Value: b}, err
	})
	if err != nil {
		return nil, false, fmt.Errorf("align %s: %w", doc, err)
	}
	a := &align.Alignment{}
	if err := a.UnmarshalBinary(e.Value); err != nil {
		return nil, false, fmt.Errorf("cache: alignment of %s: %w", doc, err)
	}
	a.SetIDF(as.idf)
	return a, false, nil
}

// locator gives the share of a question's evidence that a passage covers, for the retrieval oracle.
func (r *runner) locator(ctx context.Context, a *arm) func(edb.Question, edb.Passage) float64 {
	return func(q edb.Question, p edb.Passage) float64 {
		sum, weight := 0.0, 0.0
		for _, ev := range q.Evidence {
			al := r.alignments().get(ctx, a.parsing, ev.Doc)
			if al.a == nil {
				continue
			}
			var spans []edb.Span
			if ev.Doc == p.Doc {
				spans = p.Spans
			}
			c := al.a.Cover(ev, spans)
			sum += c.Located * c.Weight
			weight += c.Weight
		}
		if weight == 0 {
			return 0
		}
		return sum / weight
	}
}

func (r *runner) alignments() *alignments {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.aligned == nil {
		r.aligned = r.newAlignments()
	}
	return r.aligned
}

// claimsRecord is a line of claims.jsonl: how an answer ended, and its claims.
type claimsRecord struct {
	Arm      string      `json:"arm"`
	Query    string      `json:"query"`
	Repeat   int         `json:"repeat,omitempty"`
	Question string      `json:"question"`
	Modality string      `json:"modality"`
	Gold     string      `json:"gold"`
	Outcome  string      `json:"outcome"`
	Detail   string      `json:"detail,omitempty"`
	Claims   []edb.Claim `json:"claims"`
}

// scored is what scoring one question of one arm gives.
type scored struct {
	rows    []edb.Measurement
	records []claimsRecord
	counts  []metrics.ClaimCounts
	pages   folded
}

// score measures every ranking and every answer. The pages that it folds rankings to are written as
// a TREC run file an arm.
func (r *runner) score(ctx context.Context) error {
	r.outcomes, r.counts = map[string]map[string]int{}, map[string][]answerCounts{}
	return store.WriteWith(filepath.Join(r.dir, "claims.jsonl"), func(w io.Writer) error {
		for i, rk := range r.ranked {
			r.outcomes[rk.arm.name] = map[string]int{}
			do := func(ctx context.Context, j int) (scored, error) { return r.scoreQuestion(ctx, i, j) }
			emit := func(j int, s scored) error {
				for _, c := range s.counts {
					r.counts[rk.arm.name] = append(r.counts[rk.arm.name], answerCounts{r.asked[j].ID, c})
				}
				r.opt.Progress("score", i*len(r.asked)+j+1, len(r.arms)*len(r.asked))
				r.rows = append(r.rows, s.rows...)
				for _, rec := range s.records {
					r.outcomes[rk.arm.name][rec.Outcome]++
					if err := jsonLine(w, rec); err != nil {
						return err
					}
				}
				return nil
			}
			err := store.WriteWith(r.trecFile(rk.arm), func(run io.Writer) error {
				return ordered(ctx, len(r.asked), r.opt.Workers, do, func(j int, s scored) error {
					if err := trec(run, rk.arm.name, r.asked[j].ID, s.pages); err != nil {
						return err
					}
					return emit(j, s)
				})
			})
			if err != nil {
				return fmt.Errorf("%s: %w", rk.arm.name, err)
			}
		}
		return nil
	})
}

// search finds passages of the corpus that may bear a claim, so that what is true but was not
// retrieved is told from what is made up. Arms that parse alike share one index, built at the first
// claim that asks.
func (w *parsing) search(claim string) []string {
	w.indexed.Do(func() {
		var ps []edb.Passage
		w.text = map[string]string{}
		for _, d := range w.docs {
			ps = append(ps, d.passages...)
			for _, p := range d.passages {
				w.text[p.ID] = p.Text
			}
		}
		w.index = index.BuildBM25(ps)
	})
	var out []string
	for _, h := range w.index.Search(claim, 1.5, 0.75, 5) {
		out = append(out, w.text[h.Passage])
	}
	return out
}

func (r *runner) scoreQuestion(ctx context.Context, i, j int) (scored, error) {
	var s scored
	rk, q := r.ranked[i], r.asked[j]
	a := rk.arm
	paged := q.Answerable() && r.pageGrain(r.ds.Qrels[q.ID])
	s.pages = r.foldPages(ctx, rk, rk.rankings[j].Hits, paged)
	rows, err := r.scoreRanking(ctx, rk, j, s.pages.pages, paged)
	if err != nil {
		return s, err
	}
	s.rows = rows
	if r.answered[i] != nil {
		opt := metrics.AnswerOptions{Corpus: a.parsing.search, Verifier: r.cfg.Metrics.Verifier, Texts: &a.parsing.prepared}
		for _, ev := range q.Evidence {
			if g := r.gold.get(ev.Doc); g.ok && g.err == nil {
				opt.Gold = append(opt.Gold, evidenceText(g.p, ev))
			}
		}
		for k := range r.cfg.Repeats {
			ans := r.answered[i][j*r.cfg.Repeats+k]
			sc := metrics.ScoreAnswer(q, ans, opt)
			s.counts = append(s.counts, sc.Counts)
			for _, row := range sc.Rows {
				row.Repeat = k
				s.rows = append(s.rows, row)
			}
			if metrics.Category(q.Level) != "" && (!q.Answerable() || q.Answer != nil) {
				// A gold answer that cannot be read is told of by generate.accuracy.
				if grade, err := r.grader.Grade(ans); err == nil {
					grade.Repeat = k
					s.rows = append(s.rows, grade.Rows()...)
				}
			}
			gold := ""
			if q.Answer != nil {
				gold = generate.GoldText(*q.Answer)
			}
			s.records = append(s.records, claimsRecord{a.name, q.ID, k, q.Text, q.Modality, gold, sc.Outcome, sc.Detail, sc.Claims})
		}
	}
	for n := range s.rows {
		s.rows[n].Arm, s.rows[n].Unit = a.name, q.ID
	}
	return s, nil
}

// evidenceText is the gold text of an evidence: its page, which holds the sentence or the table.
func evidenceText(g edb.Parsed, ev edb.Evidence) string {
	for _, p := range g.Pages {
		if p.Number == ev.Page {
			return p.Text()
		}
	}
	return ev.Quote
}

// scoreRanking measures one ranking at page, document and evidence grain; pages is the ranking folded,
// paged whether pages can be measured. An unanswerable question
// has nothing to find; a failed ranking has failed rows.
func (r *runner) scoreRanking(ctx context.Context, rk *ranked, j int, pages []string, paged bool) ([]edb.Measurement, error) {
	q, ranking := r.asked[j], rk.rankings[j]
	var docKeys []string
	for _, k := range rankKeys {
		docKeys = append(docKeys, k+"(grain=document)")
	}
	keys := slices.Concat(rankKeys, docKeys, metrics.EvidenceKeys)
	if !q.Answerable() || ranking.Error != "" {
		var out []edb.Measurement
		for _, k := range keys {
			m := edb.Measurement{Key: k, Def: metrics.Def(k), Reason: "unanswerable: nothing to find"}
			if q.Answerable() {
				m.Failed, m.Reason = true, "the retriever failed"
			}
			out = append(out, m)
		}
		return out, nil
	}
	passage := func(id string) (edb.Passage, bool) { p, ok := rk.byID[id]; return p, ok }
	judged := r.ds.Qrels[q.ID]
	byDoc := map[string]int{}
	for id, grade := range judged {
		doc, _, _ := cutLast(id, '#')
		byDoc[doc] = max(byDoc[doc], grade)
	}
	var err error
	aligned := func(doc string) (*align.Alignment, bool) {
		al := r.alignments().get(ctx, rk.arm.parsing, doc)
		if al.err != nil {
			err = al.err
		}
		return al.a, al.failed
	}
	var rows []edb.Measurement
	if paged {
		rows = metrics.RankMeasures(judged, pages, rankKeys)
	} else {
		for _, k := range rankKeys {
			rows = append(rows, edb.Measurement{Key: k, Def: metrics.Def(k), Reason: "the gold has no pages: document grain only"})
		}
	}
	rows = append(rows, metrics.RankMeasures(byDoc, metrics.FoldDocs(ranking.Hits, passage), docKeys)...)
	if len(q.Evidence) == 0 {
		for _, k := range metrics.EvidenceKeys {
			rows = append(rows, edb.Measurement{Key: k, Def: metrics.Def(k), Reason: "no evidence is given, only judgements"})
		}
		return rows, err
	}
	rows = append(rows, metrics.EvidenceMeasures(q.Evidence, ranking.Hits, passage, aligned, metrics.EvidenceKeys)...)
	return rows, err
}

// pageGrain reports whether all judged documents have pages, as far as their gold says.
func (r *runner) pageGrain(judged map[string]int) bool {
	for id := range judged {
		if doc, _, _ := cutLast(id, '#'); r.unpagedGold(doc) {
			return false
		}
	}
	return true
}

// unpagedGold reports that a document's gold is there and has no pages.
func (r *runner) unpagedGold(doc string) bool {
	d, ok := r.ds.Document(doc)
	if !ok || d.Gold == "none" || d.Gold == "" {
		return false
	}
	g := r.gold.get(doc)
	return g.ok && g.err == nil && !g.p.Paged
}

// foldPages folds passages to pages. Where the parser gives no pages and the gold does, a passage
// stands on the gold pages that its words are aligned to. Where pages are not measured, gold without
// pages is not worth an alignment.
func (r *runner) foldPages(ctx context.Context, rk *ranked, hits []edb.Hit, measured bool) folded {
	pages := func(h edb.Hit) []string {
		p, ok := rk.byID[h.Passage]
		if !ok {
			return []string{edb.PageID(h.Doc, 1)}
		}
		j, found := slices.BinarySearchFunc(r.docs, h.Doc, func(d edb.Document, id string) int { return strings.Compare(d.ID, id) })
		if found && !rk.arm.parsing.docs[j].paged && (measured || !r.unpagedGold(h.Doc)) {
			if al := r.alignments().get(ctx, rk.arm.parsing, h.Doc); al.a != nil {
				var out []string
				for _, s := range al.a.PageShares(p.Spans) {
					out = append(out, edb.PageID(h.Doc, s.Page))
				}
				return out
			}
		}
		return metrics.FoldPages([]edb.Hit{h}, func(string) (edb.Passage, bool) { return p, true })
	}
	score := map[string]float64{}
	f := folded{pages: metrics.Fold(hits, func(h edb.Hit) []string {
		ids := pages(h)
		for _, id := range ids {
			if _, seen := score[id]; !seen {
				score[id] = h.Score
			}
		}
		return ids
	})}
	for _, id := range f.pages {
		f.scores = append(f.scores, score[id])
	}
	return f
}

func cutLast(s string, sep byte) (before, after string, found bool) {
	if i := strings.LastIndexByte(s, sep); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}
