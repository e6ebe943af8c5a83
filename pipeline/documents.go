package pipeline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/index"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
)

// scoreVersion changes when the same parse scores differently.
const scoreVersion = 6

// docResult is one document after parsing, cutting and scoring. Failure is set when it could not be
// parsed; it then has no passages.
type docResult struct {
	key      store.Key // of the parse: the input of everything after it
	failure  *edb.Failure
	passages []edb.Passage
	parsed   edb.Parsed // held only until it is written
	rows     []edb.Measurement
	cost     edb.Cost
	pages    int
	paged    bool
	chars    int // code points of the text
	goldErr  error
}

// golds reads gold once per document; a gold that cannot be read is a failure of that document.
type golds struct {
	ds *datasets.Dataset
	mu sync.Mutex
	m  map[string]*goldEntry
}

type goldEntry struct {
	once sync.Once
	p    edb.Parsed
	ok   bool
	err  error
	key  store.Key
}

func newGolds(ds *datasets.Dataset) *golds { return &golds{ds: ds, m: map[string]*goldEntry{}} }

func (g *golds) get(id string) *goldEntry {
	g.mu.Lock()
	e := g.m[id]
	if e == nil {
		e = &goldEntry{}
		g.m[id] = e
	}
	g.mu.Unlock()
	e.once.Do(func() {
		if e.p, e.ok, e.err = g.ds.Gold(id); e.ok && e.err == nil {
			e.key = store.KeyOf("gold", e.p)
		}
	})
	return e
}

// forget lets a document's gold go once nothing needs it.
func (g *golds) forget(id string) {
	g.mu.Lock()
	delete(g.m, id)
	g.mu.Unlock()
}

// parsedRecord is a line of parsed.jsonl.zst.
type parsedRecord struct {
	Parse string `json:"parse"`
	edb.Parsed
}

// passageRecord is a line of passages.jsonl.
type passageRecord struct {
	Parse string `json:"parse"`
	edb.Passage
}

// parse takes every document through every way of parsing: parsed, cut and scored one document at
// a time, so that memory does not grow with the corpus.
func (r *runner) parse(ctx context.Context) error {
	evidence := map[string]bool{}
	for _, q := range r.asked {
		for _, e := range q.Evidence {
			evidence[e.Doc] = true
		}
	}
	r.goldCaptions()
	total := len(r.docs) * len(r.ways)
	hashes := make([]string, len(r.docs))
	return store.WriteWith(filepath.Join(r.dir, "parsed.jsonl.zst"), func(w io.Writer) error {
		z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
		if err != nil {
			return err
		}
		defer z.Close()
		err = store.WriteWith(filepath.Join(r.dir, "passages.jsonl"), func(pw io.Writer) error {
			for i, way := range r.ways {
				way.docs = make([]docResult, len(r.docs))
				do := func(ctx context.Context, j int) (docResult, error) { return r.document(ctx, way, j, hashes) }
				emit := func(j int, d docResult) error {
					r.opt.Progress("parse", i*len(r.docs)+j+1, total)
					return r.keep(way, j, d, z, pw, evidence)
				}
				if err := ordered(ctx, len(r.docs), r.opt.Workers, do, emit); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return z.Close()
	})
}

// goldCaptions reads the gold captions of all documents where a measure rests on them. Gold that cannot
// be read is a failure of its document when that is scored.
func (r *runner) goldCaptions() {
	if !metrics.NeedCaptions(r.cfg.Metrics.further()) {
		return
	}
	r.captions = &metrics.GoldCaptions{}
	for _, d := range r.docs {
		if !d.GoldScoresParsing() {
			continue
		}
		if gold, ok, err := r.ds.Gold(d.ID); err == nil && ok {
			r.captions.Add(gold)
		}
	}
}

// keep writes one document's records and notes its failure, cost and rows for every arm that
// parses this way.
func (r *runner) keep(way *parsing, j int, d docResult, z, pw io.Writer, evidence map[string]bool) error {
	id := r.docs[j].ID
	if d.failure == nil {
		if err := jsonLine(z, parsedRecord{way.label, d.parsed}); err != nil {
			return err
		}
		for _, p := range d.passages {
			if err := jsonLine(pw, passageRecord{way.label, p}); err != nil {
				return err
			}
		}
	}
	shared := false // by an arm before: the parse was made for that one
	for _, a := range r.arms {
		if a.parsing != way {
			continue
		}
		if d.failure != nil {
			f := *d.failure
			f.Arm, f.Fix = a.name, parse.Remedy(f.Kind)
			r.failures = append(r.failures, f)
		}
		if d.goldErr != nil {
			r.failures = append(r.failures, edb.Failure{Arm: a.name, Stage: "gold", Unit: id, Kind: "gold", Error: d.goldErr.Error()})
		}
		c := d.cost
		c.Arm, c.Cached = a.name, c.Cached || shared
		shared = true
		r.costs = append(r.costs, c)
		for _, row := range d.rows {
			row.Arm, row.Unit = a.name, id
			r.rows = append(r.rows, row)
		}
	}
	d.pages, d.paged = len(d.parsed.Pages), d.parsed.Paged
	if !d.paged {
		d.chars = utf8.RuneCountInString(d.parsed.Text())
	}
	d.parsed, d.rows = edb.Parsed{}, nil
	way.docs[j] = d
	if !evidence[id] {
		r.gold.forget(id)
	}
	return nil
}

// document parses, cuts and scores one document. A failed document is a result, not an error.
func (r *runner) document(ctx context.Context, way *parsing, j int, hashes []string) (docResult, error) {
	doc := r.docs[j]
	var d docResult
	fail := func(stage, kind string, err error) {
		d.failure = &edb.Failure{Stage: stage, Unit: doc.ID, Kind: kind, Error: err.Error()}
	}
	gold := r.gold.get(doc.ID)
	d.goldErr = gold.err
	path, err := r.ds.File(doc)
	if err == nil && hashes[j] == "" {
		hashes[j], _, err = store.HashFile(path)
	}
	if err != nil {
		fail("parse", "missing", err)
	} else {
		spec := forFormat(way.spec, doc, path)
		e, found, err := r.cachedParse(ctx, way, spec, doc, path, hashes[j], gold, &d.key)
		switch {
		case ctx.Err() != nil:
			return d, ctx.Err()
		case err != nil:
			kind := "crash"
			var pe *parse.Error
			if errors.As(err, &pe) {
				kind = pe.Kind
			}
			fail("parse", kind, err)
		case e.Failure != "":
			d.failure = &edb.Failure{}
			if err := json.Unmarshal([]byte(e.Failure), d.failure); err != nil {
				return d, fmt.Errorf("cache: failure of %s: %w", doc.ID, err)
			}
			d.failure.Unit = doc.ID
		default:
			if err := json.Unmarshal(e.Value, &d.parsed); err != nil {
				return d, fmt.Errorf("cache: parse of %s: %w", doc.ID, err)
			}
		}
		if len(e.Cost) > 0 {
			if err := json.Unmarshal(e.Cost, &d.cost); err != nil {
				return d, fmt.Errorf("cache: cost of %s: %w", doc.ID, err)
			}
			d.cost.Cached = found
		}
	}
	d.parsed.Doc = doc.ID
	d.cost.Stage, d.cost.Unit = "parse", doc.ID
	if d.failure == nil {
		if err := r.cut(ctx, way, &d); err != nil {
			return d, err
		}
	}
	if err := r.scoreParse(ctx, doc, gold, &d); err != nil {
		return d, err
	}
	d.rows = append(d.rows, r.scoreFacts(doc, &d)...)
	return d, nil
}

// forFormat leaves a built-in engine for one that reads the document's format where it does not
// itself: `engine: pdfium` reads the PDFs of a mixed corpus, the text files are read as text. What
// XML is, its root element says.
func forFormat(s parse.Spec, doc edb.Document, path string) parse.Spec {
	if s.Engine == "" {
		return s
	}
	mime := parse.TypeOf(path, doc.MIME)
	e, err := parse.Lookup(s.Engine)
	if err != nil || accepts(e, mime) {
		return s
	}
	for _, other := range parse.All() {
		if !other.Named && accepts(other, mime) {
			return parse.Spec{Engine: other.Name}
		}
	}
	return s
}

func accepts(e parse.Engine, mime string) bool {
	if mime == "" {
		return true
	}
	for _, m := range e.Accepts {
		if m == mime {
			return true
		}
	}
	return false
}

// cachedParse gives the parse of one document under its key. Deterministic failures are entries;
// time-outs, memory breaches, crashes and transport errors are errors and are tried again.
func (r *runner) cachedParse(ctx context.Context, way *parsing, spec parse.Spec, doc edb.Document, path, hash string, gold *goldEntry, key *store.Key) (store.Entry, bool, error) {
	type settings struct {
		Engine  string
		Version int
		Noise   string
		Rate    float64
		Seed    uint64
		// Noise is drawn by document: equal files get noise of their own.
		Doc          string `json:",omitempty"`
		NoiseVersion int    `json:",omitempty"`
	}
	s := settings{Noise: way.noise, Rate: way.rate}
	if way.noise != "" {
		s.Seed, s.Doc, s.NoiseVersion = r.cfg.Seed, doc.ID, parse.NoiseVersion
	}
	input := any(hash)
	if way.oracle {
		s.Engine, s.Version = "oracle", 1
		input = gold.key
	} else {
		s.Engine, s.Version = spec.Name(), r.opt.version(spec)
	}
	*key = store.KeyOf("parse", s, input)
	parsed := func(ctx context.Context) (edb.Parsed, parse.Usage, error) {
		return r.pool.Parse(ctx, spec, parse.Source{Doc: doc, Path: path})
	}
	if !way.oracle && spec.Files != "" {
		// Predictions may be made anew between runs: what they hold now is the input, and reading
		// them is the whole work.
		p, usage, err := parsed(ctx)
		if err != nil {
			return store.Entry{}, false, err
		}
		*key = store.KeyOf("parse", s, input, p)
		parsed = func(context.Context) (edb.Parsed, parse.Usage, error) { return p, usage, nil }
	}
	if way.oracle && !gold.ok {
		return store.Entry{}, false, &parse.Error{Kind: "gold", Err: errors.New("no gold text: the parse oracle has nothing to give")}
	}
	return r.cache.Do(ctx, *key, "parse", func(ctx context.Context) (store.Entry, error) {
		start := time.Now()
		var p edb.Parsed
		var usage parse.Usage
		var err error
		if way.oracle {
			p = gold.p
		} else {
			p, usage, err = parsed(ctx)
		}
		if err == nil && way.noise != "" {
			p.Doc = doc.ID
			p, _ = parse.Corrupt(p, way.noise, way.rate, r.cfg.Seed)
		}
		cost := edb.Cost{Stage: "parse", WallSeconds: time.Since(start).Seconds()}
		if usage.CPU > 0 {
			cpu, peak := usage.CPU.Seconds(), usage.PeakRSS
			cost.CPUSeconds, cost.PeakBytes = &cpu, &peak
		}
		e := store.Entry{Cost: store.JSON(cost)}
		if err != nil {
			var pe *parse.Error
			if !errors.As(err, &pe) || !lasting(pe.Kind) {
				return e, err
			}
			e.Failure = string(store.JSON(edb.Failure{Stage: "parse", Kind: pe.Kind, Error: pe.Error()}))
			return e, nil
		}
		p.Doc = doc.ID
		e.Value = store.JSON(p)
		return e, nil
	})
}

// lasting says whether a failure would come again on another try.
func lasting(kind string) bool {
	switch kind {
	case "encrypted", "damaged", "unsupported", "too-large":
		return true
	}
	return false
}

// cut makes the passages of a document.
func (r *runner) cut(ctx context.Context, way *parsing, d *docResult) error {
	key := store.KeyOf("chunk", index.ChunkVersion, way.chunk, d.key)
	e, _, err := r.cache.Do(ctx, key, "chunk", func(context.Context) (store.Entry, error) {
		c := index.Chunker{Tokens: way.chunk.Tokens, Overlap: way.chunk.Overlap, Tokenizer: way.chunk.Tokenizer}
		ps, err := c.Cut(d.parsed)
		return store.Entry{Value: store.JSON(ps)}, err
	})
	if err != nil {
		return fmt.Errorf("chunk %s: %w", d.parsed.Doc, err)
	}
	if err := json.Unmarshal(e.Value, &d.passages); err != nil {
		return fmt.Errorf("cache: passages of %s: %w", d.parsed.Doc, err)
	}
	for i := range d.passages {
		// Two documents with the same bytes share a parse; their passages keep their own names.
		d.passages[i].Doc = d.parsed.Doc
		d.passages[i].ID = fmt.Sprintf("%s@%d", d.parsed.Doc, i)
	}
	return nil
}

// scoreParse measures the parse against gold that may score it. A failed document has failed rows
// for what its gold holds; a document without such gold has rows that say so.
func (r *runner) scoreParse(ctx context.Context, doc edb.Document, gold *goldEntry, d *docResult) error {
	reason := ""
	switch {
	case gold.err != nil:
		reason = "gold unreadable: " + gold.err.Error()
	case !gold.ok:
		reason = "no gold"
	case !doc.GoldScoresParsing():
		reason = "gold is " + doc.Gold + ": it locates evidence and scores no parse"
	}
	if reason != "" {
		for _, k := range slices.Concat(metrics.ParseKeys, r.cfg.Metrics.further()) {
			d.rows = append(d.rows, edb.Measurement{Key: k, Reason: reason, Def: metrics.Def(k)})
		}
		return nil
	}
	defer func() { metrics.Annotated(d.rows, r.ds.GoldHolds) }()
	// A failed document was not parsed; scoring the gold against itself tells which rows it owes.
	if d.failure != nil {
		for _, row := range (metrics.ParseInput{Gold: gold.p, Pred: gold.p, Captions: r.captions}).All(r.cfg.Metrics.further()...) {
			if row.Value != nil {
				row.Value, row.Failed, row.Reason = nil, true, d.failure.Kind
			}
			d.rows = append(d.rows, row)
		}
		return nil
	}
	inputs := []any{"score-parse", scoreVersion, d.key, gold.key}
	more := r.cfg.Metrics.further()
	if len(more) > 0 {
		inputs = append(inputs, more)
		if v := metrics.EncoderVersions(more); v != nil {
			inputs = append(inputs, v)
		}
		if r.captions != nil {
			inputs = append(inputs, r.captions.Sum())
		}
	}
	key := store.KeyOf(inputs...)
	e, _, err := r.cache.Do(ctx, key, "score", func(context.Context) (store.Entry, error) {
		return store.Entry{Value: store.JSON(metrics.ParseInput{Gold: gold.p, Pred: d.parsed, Captions: r.captions}.All(more...))}, nil
	})
	if err != nil {
		return fmt.Errorf("score %s: %w", doc.ID, err)
	}
	return json.Unmarshal(e.Value, &d.rows)
}

// scoreFacts measures the parse by what is known about its document; a failed document meets no fact.
func (r *runner) scoreFacts(doc edb.Document, d *docResult) []edb.Measurement {
	rows := metrics.FactMeasures(d.parsed, r.facts[doc.ID])
	if d.failure != nil {
		for i := range rows {
			rows[i].Value, rows[i].Failed, rows[i].Reason = nil, true, d.failure.Kind
		}
	}
	return rows
}

// parsedOf reads a finished parse back from the cache.
func (r *runner) parsedOf(key store.Key) (edb.Parsed, error) {
	var p edb.Parsed
	e, ok, err := r.cache.Get(key)
	if err == nil && !ok {
		err = errors.New("cache: a parse is gone: was the folder changed during the run?")
	}
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(e.Value, &p)
}
