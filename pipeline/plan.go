package pipeline

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/index"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
)

// arm is one pipeline as it is run: the settings, and which stages are truth or noise.
type arm struct {
	Stages
	name                                        string
	parsing                                     *parsing
	oracleParse, oracleRetrieve, oracleGenerate bool
}

// parsing is one way to get from files to parsed documents and passages; arms that agree on it
// share its results.
type parsing struct {
	label  string
	spec   parse.Spec
	oracle bool
	noise  string
	rate   float64
	chunk  Chunk

	docs []docResult // one per document of the run, in its order

	prepared metrics.Texts // of the contexts that answers were given
	indexed  sync.Once     // for search
	index    *index.BM25
	text     map[string]string // by passage
}

// arms expands the configuration: pipelines, then their oracle arms, then their noise arms.
func (c *Config) arms() ([]*arm, []*parsing, error) {
	var arms []*arm
	var ways []*parsing
	way := func(a *arm, noise string, rate float64) error {
		p := parsing{oracle: a.oracleParse, noise: noise, rate: rate, chunk: a.Chunk}
		if p.oracle {
			p.label = "oracle"
		} else {
			spec, err := a.Parse.spec()
			if err != nil {
				return fmt.Errorf("%s: %w", a.name, err)
			}
			if spec.Files != "" && !filepath.IsAbs(spec.Files) {
				spec.As, spec.Files = spec.Files, filepath.Join(c.base, spec.Files)
			}
			p.spec, p.label = spec, spec.Name()
		}
		if noise != "" {
			p.label += fmt.Sprintf("+%s=%v", noise, rate)
		}
		for _, w := range ways {
			if w.label == p.label && w.chunk == p.chunk {
				a.parsing = w
				return nil
			}
		}
		a.parsing = &p
		ways = append(ways, &p)
		return nil
	}
	for _, pl := range c.Pipelines {
		base := &arm{Stages: pl.Stages, name: pl.Name}
		if err := way(base, "", 0); err != nil {
			return nil, nil, err
		}
		arms = append(arms, base)
		for _, o := range c.Oracles {
			a := &arm{Stages: pl.Stages, name: pl.Name + "+oracle:" + o}
			a.oracleParse, a.oracleRetrieve, a.oracleGenerate = o == "parse", o == "retrieve", o == "generate"
			if err := way(a, "", 0); err != nil {
				return nil, nil, err
			}
			arms = append(arms, a)
		}
		for _, n := range c.Noise {
			for _, r := range n.Rates {
				if r == 0 {
					continue // the pipeline itself
				}
				a := &arm{Stages: pl.Stages, name: fmt.Sprintf("%s+noise:parse.%s=%v", pl.Name, n.Kind, r)}
				if err := way(a, n.Kind, r); err != nil {
					return nil, nil, err
				}
				arms = append(arms, a)
			}
		}
	}
	return arms, ways, nil
}

// selectUnits gives the documents and questions of a run, each sorted by ID. The index holds the
// documents of the query split; a question whose evidence lies outside is left out and counted.
func selectUnits(ds *datasets.Dataset, q Queries, seed uint64) (docs []edb.Document, questions []edb.Question, dropped int) {
	in := map[string]bool{}
	for _, d := range ds.Documents {
		if q.Split == "all" || q.Split == "" || d.Split == q.Split {
			docs = append(docs, d)
			in[d.ID] = true
		}
	}
	for _, x := range ds.Questions {
		inside := true
		for _, e := range x.Evidence {
			inside = inside && in[e.Doc]
		}
		if inside {
			questions = append(questions, x)
		} else {
			dropped++
		}
	}
	slices.SortFunc(docs, func(a, b edb.Document) int { return cmp.Compare(a.ID, b.ID) })
	if q.Limit > 0 && q.Limit < len(questions) {
		questions = sample(questions, q.Limit, seed)
	}
	slices.SortFunc(questions, func(a, b edb.Question) int { return cmp.Compare(a.ID, b.ID) })
	return docs, questions, dropped
}

// sample draws n questions, stratified by domain and modality, as a function of the seed and the
// IDs alone: inside a stratum questions stand in the order of a keyed hash, and strata are taken in
// proportion.
func sample(qs []edb.Question, n int, seed uint64) []edb.Question {
	strata := map[string][]edb.Question{}
	for _, q := range qs {
		k := q.Domain + "\x00" + q.Modality
		strata[k] = append(strata[k], q)
	}
	hash := func(id string) uint64 {
		h := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s", seed, id))
		return binary.BigEndian.Uint64(h[:])
	}
	type ranked struct {
		q    edb.Question
		at   float64
		hash uint64
	}
	var all []ranked
	for _, list := range strata {
		slices.SortFunc(list, func(a, b edb.Question) int {
			return cmp.Or(cmp.Compare(hash(a.ID), hash(b.ID)), cmp.Compare(a.ID, b.ID))
		})
		for i, q := range list {
			all = append(all, ranked{q, (float64(i) + 0.5) / float64(len(list)), hash(q.ID)})
		}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.hash, b.hash), cmp.Compare(a.q.ID, b.q.ID))
	})
	out := make([]edb.Question, n)
	for i := range out {
		out[i] = all[i].q
	}
	return out
}

// spec is what decides a run's outcome; its hash names the run folder.
type spec struct {
	Program string    `json:"program"`
	Config  *Config   `json:"config"`
	Corpus  store.Key `json:"corpus"`
	Engines []string  `json:"engines"`
}

// corpusPart is a part of what the run reads from the dataset, by what it is called in spec.json.
type corpusPart struct {
	name string
	of   any
}

// corpusKeys gives the key of what the run reads from the dataset (documents, questions, facts, the
// judgements of the questions, and the gold) and those of its parts, so that a comparison can say
// what differs.
func (r *runner) corpusKeys() (whole store.Key, parts map[string]store.Key) {
	golds := make([]string, len(r.docs))
	for i, d := range r.docs {
		golds[i] = r.ds.GoldSum(d.ID)
	}
	judged := map[string]map[string]int{}
	texts := make([][2]string, len(r.asked))
	for i, q := range r.asked {
		texts[i] = [2]string{q.ID, q.Text}
		if m := r.ds.Qrels[q.ID]; m != nil {
			judged[q.ID] = m
		}
	}
	parts = map[string]store.Key{}
	for _, p := range []corpusPart{{"documents", r.docs}, {"question texts", texts}, {"questions", r.asked}, {"judgements", judged}, {"gold", golds}, {"facts", r.ds.Facts}} {
		parts[p.name] = store.KeyOf("corpus part", p.name, p.of)
	}
	return store.KeyOf("corpus", r.docs, r.asked, r.ds.Facts, judged, golds), parts
}
