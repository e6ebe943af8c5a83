package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/generate"
	"enterprisedocbench/index"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
	"enterprisedocbench/retrieve"
)

// Version of the program; it stands in every run's specification.
const Version = "0.1.0"

// Options are where and how a run is done; they never change its outcome.
type Options struct {
	Out      string                              // run folder; "" is runs/NAME-HASH
	Cache    string                              // cache folder; "" is .edb-cache
	Exe      string                              // the program whose __worker command parses; "" is this one
	Workers  int                                 // documents parsed at a time; 0 is one a core
	DryRun   bool                                // plan only: no stage runs, no file is written
	Budget   float64                             // dollars that model calls may cost; 0 is no limit
	Progress func(stage string, done, total int) // may be nil

	versions map[string]int // by engine, in place of its own: a test's
	retries  int            // of a model server, as generate.Config has them: a test's
}

// version is that of an engine's output.
func (o Options) version(s parse.Spec) int {
	if v, ok := o.versions[s.Name()]; ok {
		return v
	}
	return s.Version()
}

// Result is what a finished run tells its caller.
type Result struct {
	Dir     string
	Summary *edb.Summary
}

// runner carries one run through its steps.
type runner struct {
	cfg         *Config
	opt         Options
	ds          *datasets.Dataset
	docs        []edb.Document
	asked       []edb.Question
	grader      *metrics.Grader
	arms        []*arm
	ways        []*parsing
	cache       *store.Cache
	pool        *parse.Pool
	dir         string
	corpus      store.Key
	corpusParts map[string]store.Key // by name
	dropped     int
	prices      Prices
	spent       float64 // dollars of model calls made by this call of Run

	clusters map[string][]string
	facts    map[string][]edb.Fact // by document
	captions *metrics.GoldCaptions // nil where no measure rests on them
	outcomes map[string]map[string]int
	counts   map[string][]answerCounts
	aligned  *alignments

	mu       sync.Mutex // guards costs while a stage runs
	gold     *golds
	ranked   []*ranked
	answered [][]edb.Answer // by arm, then question and repeat
	failures []edb.Failure
	costs    []edb.Cost
	rows     []edb.Measurement
	stages   []edb.StageTime
}

// Run carries a configuration through all stages and writes the run folder. Running it again
// resumes: what is finished comes from the cache. A unit that fails is a row in failures.jsonl and
// counts as the worst value; Run itself fails only on bad input, a full disk, or the end of ctx.
func Run(ctx context.Context, cfg *Config, opt Options) (*Result, error) {
	r := &runner{cfg: cfg, opt: opt}
	if r.opt.Workers == 0 {
		r.opt.Workers = runtime.NumCPU()
	}
	if r.opt.Cache == "" {
		r.opt.Cache = ".edb-cache"
	}
	if r.opt.Progress == nil {
		r.opt.Progress = func(string, int, int) {}
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	if opt.DryRun {
		return &Result{Dir: r.dir, Summary: r.plan()}, nil
	}
	release, err := r.claim()
	if err != nil {
		return nil, err
	}
	defer release()
	if r.cache, err = store.OpenCache(r.opt.Cache); err != nil {
		return nil, store.Full(err)
	}
	defer r.cache.Close()
	for _, dir := range []string{r.dir, filepath.Join(r.dir, "trec")} { // what a run that was killed was writing
		if err := store.RemoveTemporary(dir); err != nil {
			return nil, err
		}
	}
	if r.opt.Exe == "" {
		if r.opt.Exe, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	l := cfg.Limits
	code := "" // compiled engines: the user's cache folder, shared by all runs
	if _, err := os.UserCacheDir(); err != nil {
		code = r.opt.Cache
	}
	r.pool = parse.NewPool(r.opt.Exe, r.opt.Workers, parse.Limits{
		CPU: seconds(l.CPUSeconds), Wall: seconds(l.WallSeconds), RSS: int64(l.MemoryMB) << 20,
	}, code)
	defer r.pool.Close()

	var summary *edb.Summary
	steps := []struct {
		file string // what the step leaves behind
		do   func(context.Context) error
	}{
		{"spec.json", r.describe},
		{"parsed.jsonl.zst, passages.jsonl", r.parse},
		{"rankings.jsonl", r.retrieve},
		{"answers.jsonl", r.generate},
		{"claims.jsonl", r.score},
		{"units.jsonl, measurements.jsonl, costs.jsonl, failures.jsonl", r.record},
		{"summary.json", func(context.Context) (err error) { summary, err = r.summarize(); return err }},
	}
	for _, s := range steps {
		start := time.Now()
		if err := s.do(ctx); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", cfg.Name, s.file, store.Full(err))
		}
		r.stages = append(r.stages, edb.StageTime{Stage: s.file, WallSeconds: time.Since(start).Seconds()})
	}
	summary.Stages = r.stages
	if err := store.WriteFile(filepath.Join(r.dir, "summary.json"), append(store.JSON(summary), '\n')); err != nil {
		return nil, store.Full(err)
	}
	return &Result{Dir: r.dir, Summary: summary}, nil
}

// claim makes this the only run that writes the folder, and takes away what says that the folder is
// finished: until the last step has written it anew, the folder holds a run that is not.
func (r *runner) claim() (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(r.dir), 0o755); err != nil {
		return nil, err
	}
	release, err = store.Lock(r.dir + ".lock")
	if errors.Is(err, store.ErrBusy) {
		return nil, fmt.Errorf("%s: another run is at work on this folder: wait for it to end, or give --out another", r.dir)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"summary.json", "report.html"} {
		if err := os.Remove(filepath.Join(r.dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			release()
			return nil, err
		}
	}
	return release, nil
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// open reads the dataset and expands the configuration.
func (r *runner) open() error {
	var err error
	if r.ds, err = datasets.Open(r.cfg.Dataset); err != nil {
		return err
	}
	if err := r.ds.Runnable(); err != nil {
		return err
	}
	r.ds.Markdown = parse.ReadFile
	r.docs, r.asked, r.dropped = selectUnits(r.ds, r.cfg.Queries, r.cfg.Seed)
	r.grader = metrics.NewGrader(r.asked)
	if len(r.docs) == 0 {
		return fmt.Errorf("%s: no document is in split %q: set queries.split to all, or split the dataset", r.cfg.Dataset, r.cfg.Queries.Split)
	}
	if err := r.ds.CheckEvidence(r.asked); err != nil {
		return err
	}
	if r.arms, r.ways, err = r.cfg.arms(); err != nil {
		return err
	}
	if err := r.private(); err != nil {
		return err
	}
	r.gold = newGolds(r.ds)
	r.facts = map[string][]edb.Fact{}
	for _, f := range r.ds.Facts {
		r.facts[f.Doc] = append(r.facts[f.Doc], f)
	}
	if r.prices, err = LoadPrices(r.cfg.Prices); err != nil {
		return err
	}
	r.corpus, r.corpusParts = r.corpusKeys()
	r.dir = r.opt.Out
	if r.dir == "" {
		r.dir = filepath.Join("runs", fmt.Sprintf("%s-%s", safeName(r.cfg.Name), store.KeyOf(r.spec()).String()[:12]))
	}
	return nil
}

// spec is what decides the outcome. Paths are left out: the corpus is named by its content.
func (r *runner) spec() spec {
	c := *r.cfg
	c.Dataset = filepath.Base(c.Dataset)
	if c.Prices != "" {
		c.Prices = filepath.Base(c.Prices)
	}
	var engines []string
	for _, w := range r.ways {
		if !w.oracle {
			engines = append(engines, fmt.Sprintf("%s@%d", w.spec.Name(), r.opt.version(w.spec)))
		}
	}
	engines = append(engines, fmt.Sprintf("chunk@%d", index.ChunkVersion), fmt.Sprintf("align@%d", alignVersion), fmt.Sprintf("score@%d", scoreVersion))
	for _, a := range r.arms {
		if cfg, err := a.retrieveConfig(); err == nil {
			engines = append(engines, fmt.Sprintf("retrieve:%s@%d", cfg.Method, retrieve.Version(cfg)))
		}
		if cfg, err := a.generateConfig(r.cfg.Seed); err == nil {
			engines = append(engines, fmt.Sprintf("generate:%s@%d", cfg.Provider, generate.Version(cfg)))
		}
	}
	slices.Sort(engines)
	return spec{Version, &c, r.corpus, slices.Compact(engines)}
}

func (r *runner) describe(context.Context) error {
	host := map[string]any{"os": runtime.GOOS, "arch": runtime.GOARCH, "cpus": runtime.NumCPU(), "go": runtime.Version()}
	b := append(store.JSON(struct {
		Spec    spec                 `json:"spec"`
		Hash    string               `json:"hash"`
		Corpus  map[string]store.Key `json:"corpus_parts"`
		Machine map[string]any       `json:"machine"`
	}{r.spec(), store.KeyOf(r.spec()).String(), r.corpusParts, host}), '\n')
	return store.WriteFile(filepath.Join(r.dir, "spec.json"), b)
}

// record writes what the stages have gathered, sorted by unit.
func (r *runner) record(context.Context) error {
	slices.SortStableFunc(r.rows, func(a, b edb.Measurement) int {
		return firstNonZero(strings.Compare(a.Arm, b.Arm), strings.Compare(a.Unit, b.Unit), strings.Compare(a.Key, b.Key), a.Repeat-b.Repeat)
	})
	slices.SortStableFunc(r.costs, func(a, b edb.Cost) int {
		return firstNonZero(strings.Compare(a.Arm, b.Arm), strings.Compare(a.Stage, b.Stage), strings.Compare(a.Unit, b.Unit))
	})
	slices.SortStableFunc(r.failures, func(a, b edb.Failure) int {
		return firstNonZero(strings.Compare(a.Arm, b.Arm), strings.Compare(a.Stage, b.Stage), strings.Compare(a.Unit, b.Unit))
	})
	return errors.Join(
		store.WriteJSONL(filepath.Join(r.dir, "units.jsonl"), r.units()),
		store.WriteJSONL(filepath.Join(r.dir, "measurements.jsonl"), r.rows),
		store.WriteJSONL(filepath.Join(r.dir, "costs.jsonl"), r.costs),
		store.WriteJSONL(filepath.Join(r.dir, "failures.jsonl"), r.failures),
	)
}

func firstNonZero(xs ...int) int {
	for _, x := range xs {
		if x != 0 {
			return x
		}
	}
	return 0
}

// safeName keeps a run's name usable as a folder's.
func safeName(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '/' || c == '\\' || c == os.PathSeparator || c < ' ' {
			return '_'
		}
		return c
	}, s)
}

// jsonLines writes rows of any kind to w, one a line.
func jsonLine(w io.Writer, v any) error {
	_, err := w.Write(append(store.JSON(v), '\n'))
	return err
}
