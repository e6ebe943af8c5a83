package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"sync"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/index"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/retrieve"
)

// indexResult is what building an arm's index gave and cost.
type indexResult struct {
	BuildSeconds float64 `json:"build_s"`
	Bytes        *int64  `json:"bytes"` // nil is unknown: a foreign retriever's index
	Pages        int     `json:"pages"`
	PageEquiv    bool    `json:"page_equivalents,omitempty"`
	Passages     int     `json:"passages"`
	// QuerySeconds is the mean wall time of a query on an idle index, unknown (nil) where every
	// ranking came from the cache of another run and none was timed.
	QuerySeconds *float64 `json:"query_s,omitempty"`
}

// ranked is an arm's answers to the questions, by position in runner.asked.
type ranked struct {
	arm      *arm
	rankings []edb.Ranking
	byID     map[string]edb.Passage
	index    indexResult
	key      store.Key // of all passages
}

// rankingRecord is a line of rankings.jsonl.
type rankingRecord struct {
	Arm string `json:"arm"`
	edb.Ranking
}

// retrieve ranks passages for every question and arm.
func (r *runner) retrieve(ctx context.Context) error {
	r.ranked = make([]*ranked, len(r.arms))
	total := len(r.arms) * len(r.asked)
	return store.WriteWith(filepath.Join(r.dir, "rankings.jsonl"), func(w io.Writer) error {
		for i, a := range r.arms {
			rk := &ranked{arm: a, byID: map[string]edb.Passage{}, rankings: make([]edb.Ranking, len(r.asked))}
			r.ranked[i] = rk
			if err := r.rankArm(ctx, rk, w, i*len(r.asked), total); err != nil {
				return fmt.Errorf("%s: %w", a.name, err)
			}
		}
		return nil
	})
}

func (a *arm) retrieveConfig() (retrieve.Config, error) {
	s := a.Stages.Retrieve
	c := retrieve.Config{Method: s.Method, K1: s.K1, B: s.B, Encoder: s.Encoder, Weights: s.Weights, Norm: s.Norm}
	if s.Engine != nil {
		f, err := foreign(s.Engine, false)
		if err != nil {
			return c, err
		}
		c = retrieve.Config{Method: "command", Command: f.Command}
		if f.URL != "" {
			c = retrieve.Config{Method: "url", URL: f.URL}
		}
	}
	return c, nil
}

// settings are the parts of a retrieval configuration that its method reads, so that changing k1
// does not rerun a dense pipeline.
func settings(c retrieve.Config) map[string]any {
	m := map[string]any{"method": c.Method, "version": retrieve.Version(c)}
	switch c.Method {
	case "bm25", "bleve":
		m["k1"], m["b"] = c.K1, c.B
	case "dense":
		m["encoder"] = c.Encoder
	case "hybrid":
		m["k1"], m["b"], m["encoder"], m["weights"], m["norm"] = c.K1, c.B, c.Encoder, c.Weights, c.Norm
	case "command":
		m["command"] = c.Command
	case "url":
		m["url"] = c.URL
	}
	return m
}

func (r *runner) rankArm(ctx context.Context, rk *ranked, w io.Writer, done, total int) error {
	a := rk.arm
	cfg, err := a.retrieveConfig()
	if err != nil {
		return err
	}
	var passages []edb.Passage
	keys := make([]any, 0, len(r.docs))
	for j, d := range a.parsing.docs {
		if d.failure != nil {
			continue
		}
		keys = append(keys, [2]string{r.docs[j].ID, d.key.String()})
		passages = append(passages, d.passages...)
		rk.index.Pages += r.pageCount(j, d)
		rk.index.PageEquiv = rk.index.PageEquiv || !d.paged
	}
	for _, p := range passages {
		rk.byID[p.ID] = p
	}
	rk.index.Passages = len(passages)
	rk.key = store.KeyOf("passages", index.ChunkVersion, a.parsing.chunk, keys)

	// The index is built once, when the first question is not in the cache.
	var once sync.Once
	var engine retrieve.Retriever
	var openErr error
	indexKey := store.KeyOf("index", settings(cfg), rk.key)
	open := func() (retrieve.Retriever, error) {
		once.Do(func() {
			// Tables in the binary are unpacked before the clock starts: they are not part of an index.
			if len(passages) > 1 && (cfg.Method == "dense" || cfg.Method == "hybrid") {
				if _, _, openErr = retrieve.Open(ctx, cfg, passages[:1]); openErr != nil {
					return
				}
			}
			start := time.Now()
			var info retrieve.IndexInfo
			if engine, info, openErr = retrieve.Open(ctx, cfg, passages); openErr != nil {
				return
			}
			res := indexResult{BuildSeconds: time.Since(start).Seconds()}
			if info.Known {
				res.Bytes = &info.Bytes
			}
			openErr = r.cache.Put(indexKey, "index", store.Entry{Value: store.JSON(res)})
		})
		return engine, openErr
	}
	defer func() {
		if c, ok := engine.(io.Closer); ok {
			c.Close()
		}
	}()
	oracle := ""
	var located func(edb.Question, edb.Passage) float64
	if a.oracleRetrieve {
		oracle = "retrieve"
		located = r.locator(ctx, a)
	}
	var gate *breaker
	if cfg.Method == "command" || cfg.Method == "url" {
		gate = newBreaker()
	}
	var timed float64
	var timedN int
	do := func(ctx context.Context, i int) (edb.Ranking, error) {
		q := r.asked[i]
		key := store.KeyOf("retrieve", settings(cfg), a.Stages.Retrieve.Depth, oracle, rk.key, q.Text)
		if oracle != "" {
			key = store.KeyOf(key, q.Evidence)
		}
		e, found, err := r.cache.Do(ctx, key, "retrieve", func(ctx context.Context) (store.Entry, error) {
			engine, err := open()
			if err != nil {
				return store.Entry{}, err
			}
			if oracle != "" {
				engine = retrieve.Oracle{Passages: passages, Located: located, Rest: engine}
			}
			var start time.Time
			var hits []edb.Hit
			err = gate.call(ctx, func() (err error) {
				start = time.Now()
				hits, err = engine.Retrieve(ctx, q, a.Stages.Retrieve.Depth)
				return err
			})
			if err != nil {
				return store.Entry{}, err
			}
			cost := edb.Cost{Stage: "retrieve", WallSeconds: time.Since(start).Seconds()}
			return store.Entry{Value: store.JSON(hits), Cost: store.JSON(cost)}, nil
		})
		out := edb.Ranking{Query: q.ID}
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			out.Error = err.Error()
			return out, nil
		}
		if err := json.Unmarshal(e.Value, &out.Hits); err != nil {
			return out, fmt.Errorf("cache: ranking of %s: %w", q.ID, err)
		}
		var c edb.Cost
		if err := json.Unmarshal(e.Cost, &c); err != nil {
			return out, fmt.Errorf("cache: cost of %s: %w", q.ID, err)
		}
		c.Arm, c.Unit, c.Cached = a.name, q.ID, found
		r.mu.Lock()
		r.costs = append(r.costs, c)
		timed += c.WallSeconds
		timedN++
		r.mu.Unlock()
		return out, nil
	}
	emit := func(i int, v edb.Ranking) error {
		r.opt.Progress("retrieve", done+i+1, total)
		rk.rankings[i] = v
		if v.Error != "" {
			r.failures = append(r.failures, edb.Failure{Arm: a.name, Stage: "retrieve", Unit: v.Query, Kind: "retrieve", Error: v.Error})
		}
		return jsonLine(w, rankingRecord{a.name, v})
	}
	if err := ordered(ctx, len(r.asked), r.opt.Workers, do, emit); err != nil {
		return err
	}
	if e, ok, err := r.cache.Get(indexKey); err != nil {
		return err
	} else if ok {
		var res indexResult
		if err := json.Unmarshal(e.Value, &res); err != nil {
			return fmt.Errorf("cache: index: %w", err)
		}
		rk.index.BuildSeconds, rk.index.Bytes = res.BuildSeconds, res.Bytes
	}
	if timedN > 0 {
		mean := timed / float64(timedN)
		rk.index.QuerySeconds = &mean
	}
	return nil
}

// pageCount is the physical pages of a document, or page-equivalents of 3,000 characters where the
// format has none (definitions: Pages and grains).
func (r *runner) pageCount(j int, d docResult) int {
	if d.paged {
		return max(1, d.pages)
	}
	return max(1, (d.chars+2999)/3000)
}
