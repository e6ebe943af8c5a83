package retrieve

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/index"
)

// Retriever ranks passages for a question, best first, at most depth of them. It is safe for
// concurrent use. One that also has Close (command, bleve) must be closed after its last use.
type Retriever interface {
	Retrieve(ctx context.Context, q edb.Question, depth int) ([]edb.Hit, error)
}

// Config says how to retrieve. Which fields count depends on Method:
//
//	bm25     K1 (at least 0) and B (0 to 1); EnterpriseDocBench section 4.2 has 1.5 and .75
//	dense    Encoder: a name of index.Encoders, or "static"
//	hybrid   both, and Weights (bm25, dense; sum 1; none means .5 and .5), Norm: "minmax" (also "") or "rrf"
//	bleve    nothing
//	all      nothing: every passage, in the order of the corpus
//	command  Command: program and arguments; Timeout
//	url      URL; Timeout
//
// Timeout bounds one query to a foreign retriever; 0 means DefaultTimeout. A method "oracle" cannot
// be opened, since it needs the truth: make an Oracle.
type Config struct {
	Method  string
	K1, B   float64
	Encoder string
	Weights []float64
	Norm    string
	Command []string
	URL     string
	Timeout time.Duration
}

// DefaultTimeout bounds one query to a foreign retriever.
const DefaultTimeout = time.Minute

// IndexInfo says what a retriever's index costs. Bytes on disk of everything a query needs; for a
// foreign retriever it is unknown and Known is false.
type IndexInfo struct {
	Bytes   int64
	Known   bool
	Encoder string // the encoder's full name, where there is one
}

// method is one line of the table of retrievers.
type method struct {
	name, what string
	version    func(cfg Config) int
	check      func(cfg Config) error
	open       func(ctx context.Context, cfg Config, ps []edb.Passage) (Retriever, IndexInfo, error)
}

// methods lists every retriever that a configuration can name.
var methods = []method{
	{"bm25", "own inverted index, Lucene's current formula", func(Config) int { return index.BM25Version }, checkBM25, openBM25},
	{"dense", "cosine of an encoder's vectors, exact", versionDense, checkDense, openDense},
	{"hybrid", "bm25 and dense, fused", func(c Config) int { return hybridVersion + 10*index.BM25Version + 100*versionDense(c) }, checkHybrid, openHybrid},
	{"bleve", "the library bleve with its own scorer", func(Config) int { return index.BleveVersion }, func(Config) error { return nil }, openBleve},
	{"all", "every passage in order: context stuffing", func(Config) int { return 1 }, func(Config) error { return nil }, openAll},
	{"command", "a foreign program, JSON lines", func(Config) int { return foreignVersion }, checkCommand, openCommand},
	{"url", "a foreign service, JSON over HTTP", func(Config) int { return foreignVersion }, checkURL, openURL},
}

func lookup(name string) (method, error) {
	var names []string
	for _, m := range methods {
		if m.name == name {
			return m, nil
		}
		names = append(names, m.name)
	}
	if name == "oracle" {
		return method{}, fmt.Errorf("retrieve.method oracle needs the truth: name it under oracles, not as a method")
	}
	return method{}, fmt.Errorf("retrieve.method %q is not known: use one of %s", name, strings.Join(names, ", "))
}

// Check reports a configuration that cannot be opened, without opening it.
func Check(cfg Config) error {
	m, err := lookup(cfg.Method)
	if err != nil {
		return err
	}
	return m.check(cfg)
}

// Version counts the changes of what a configuration returns for the same passages and question;
// 0 for an unknown method.
func Version(cfg Config) int {
	m, err := lookup(cfg.Method)
	if err != nil {
		return 0
	}
	return m.version(cfg)
}

// Open builds the index that cfg needs and gives the retriever over it. Passages are kept, not
// copied. An empty corpus is no error: nothing is found in it.
func Open(ctx context.Context, cfg Config, passages []edb.Passage) (Retriever, IndexInfo, error) {
	m, err := lookup(cfg.Method)
	if err != nil {
		return nil, IndexInfo{}, err
	}
	if err := m.check(cfg); err != nil {
		return nil, IndexInfo{}, err
	}
	seen := make(map[string]bool, len(passages))
	for _, p := range passages {
		if p.ID == "" || seen[p.ID] {
			return nil, IndexInfo{}, fmt.Errorf("passage id %q is empty or stands twice: ids must be unique in a run", p.ID)
		}
		seen[p.ID] = true
	}
	return m.open(ctx, cfg, passages)
}

// Func makes a Retriever of a function.
type Func func(ctx context.Context, q edb.Question, depth int) ([]edb.Hit, error)

// Retrieve calls f unless ctx has ended.
func (f Func) Retrieve(ctx context.Context, q edb.Question, depth int) ([]edb.Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f(ctx, q, depth)
}

func checkBM25(c Config) error {
	if !(c.K1 >= 0) || math.IsInf(c.K1, 0) {
		return fmt.Errorf("retrieve.k1 is %v: it must be a number from 0 on (1.5 is usual)", c.K1)
	}
	if !(c.B >= 0 && c.B <= 1) {
		return fmt.Errorf("retrieve.b is %v: it must lie between 0 and 1 (0.75 is usual)", c.B)
	}
	return nil
}

func openBM25(_ context.Context, c Config, ps []edb.Passage) (Retriever, IndexInfo, error) {
	x := index.BuildBM25(ps)
	return bm25(x, c), IndexInfo{Bytes: x.Bytes(), Known: true}, nil
}

func bm25(x *index.BM25, c Config) Retriever {
	return Func(func(_ context.Context, q edb.Question, depth int) ([]edb.Hit, error) {
		return x.Search(q.Text, c.K1, c.B, depth), nil
	})
}

func versionDense(c Config) int {
	e, err := index.LookupEncoder(c.Encoder)
	if err != nil {
		return 0
	}
	return index.DenseVersion + 10*e.Version
}

func checkDense(c Config) error {
	_, err := index.LookupEncoder(c.Encoder)
	return err
}

func openDense(ctx context.Context, c Config, ps []edb.Passage) (Retriever, IndexInfo, error) {
	e, err := index.LookupEncoder(c.Encoder)
	if err != nil {
		return nil, IndexInfo{}, err
	}
	enc, err := e.Open(ctx, ps)
	if err != nil {
		return nil, IndexInfo{}, err
	}
	return Dense(ctx, enc, ps)
}

// Dense opens a dense retriever over any encoder.
func Dense(ctx context.Context, enc index.Encoder, ps []edb.Passage) (Retriever, IndexInfo, error) {
	x, err := index.BuildDense(ctx, ps, enc)
	if err != nil {
		return nil, IndexInfo{}, err
	}
	r := Func(func(ctx context.Context, q edb.Question, depth int) ([]edb.Hit, error) {
		return x.Search(ctx, q.Text, depth)
	})
	return r, IndexInfo{Bytes: x.Bytes(), Known: true, Encoder: enc.Name()}, nil
}

type bleveRetriever struct{ x *index.Bleve }

func (b bleveRetriever) Retrieve(ctx context.Context, q edb.Question, depth int) ([]edb.Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return b.x.Search(ctx, q.Text, depth)
}

func (b bleveRetriever) Close() error { return b.x.Close() }

func openBleve(_ context.Context, _ Config, ps []edb.Passage) (Retriever, IndexInfo, error) {
	x, err := index.BuildBleve(ps)
	if err != nil {
		return nil, IndexInfo{}, err
	}
	return bleveRetriever{x}, IndexInfo{Bytes: x.Bytes(), Known: true}, nil
}

// openAll gives every passage whatever the depth; scores count down to 1.
func openAll(_ context.Context, _ Config, ps []edb.Passage) (Retriever, IndexInfo, error) {
	return Func(func(_ context.Context, _ edb.Question, _ int) ([]edb.Hit, error) {
		hits := make([]edb.Hit, len(ps))
		for i, p := range ps {
			hits[i] = edb.Hit{Passage: p.ID, Doc: p.Doc, Score: float64(len(ps) - i)}
		}
		return hits, nil
	}), IndexInfo{Known: true}, nil
}
