package riker

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
	"enterprisedocbench/universe"
)

// CheckOptions are what Check needs from the rest of the program.
type CheckOptions struct {
	// Words reads the words of a PDF with their boxes, page by page, independently of the generator;
	// nil leaves PDFs unread. Reader is its name. It is called by one goroutine at a time.
	Words  func(ctx context.Context, path string) ([][]edb.Line, error)
	Reader string
	// Read reads Markdown and gold in Markdown, independently of the generator; nil leaves it unread.
	Read func(path string) (edb.Parsed, error)
	// Progress and Workers are as in WriteOptions.
	Progress func(stage string, done, total int)
	Workers  int
}

// maxFaults bounds the faults that are listed: a world that was damaged as a whole is not described
// row by row.
const maxFaults = 1000

// Check proves the world in a directory that Write made, in one pass over its documents: every fact is
// printed as the truth says, at its span, on its page and in its box, in the gold and as an
// independent reader finds it in the file; what must be absent is absent, whatever the case, accents
// and line breaks; totals add up; truth.sqlite, the world of the plan and the documents agree; every
// question's answer is what its query and the world's records give, and its evidence suffices and is
// needed (see CheckQuestions). The error is for a directory that cannot be looked at.
func Check(ctx context.Context, dir string, opt CheckOptions) (universe.Checked, error) {
	p, size, err := ReadPlan(dir)
	if err != nil {
		return universe.Checked{}, err
	}
	w, err := New(p)
	if err != nil {
		return universe.Checked{}, fmt.Errorf("%s: %w", filepath.Join(dir, PlanFile), err)
	}
	c := &checker{ctx: ctx, dir: dir, opt: opt, world: w, size: size, proven: map[string]int{}, unlisted: map[string]int{}, evidence: map[string][]cited{}}
	c.out = universe.Checked{Faults: []datasets.Fault{}, Proven: []datasets.Count{}, Skipped: []string{}, Shortcuts: []universe.Shortcut{}}
	if c.opt.Workers <= 0 {
		c.opt.Workers = runtime.GOMAXPROCS(0)
	}
	if err := c.check(); err != nil {
		return universe.Checked{}, err
	}
	for file, n := range c.unlisted {
		c.skip("%d faults more of %s", n, file)
	}
	slices.Sort(c.out.Skipped)
	slices.SortStableFunc(c.out.Faults, func(a, b datasets.Fault) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	c.out.Faults = slices.Compact(c.out.Faults)
	for _, name := range provenNames {
		c.out.Proven = append(c.out.Proven, datasets.Count{Name: name, N: c.proven[name]})
	}
	return c.out, nil
}

// What is counted as proven, in the order of the report.
const (
	provenRows       = "rows of the truth that are those of the world"
	provenFiles      = "documents that the plan makes again byte for byte"
	provenQuotes     = "quotes at their span, page and box"
	provenWords      = "quotes found in the files by the reader"
	provenFacts      = "facts printed as the truth says"
	provenAbsences   = "absences, document by document"
	provenTotals     = "kinds of totals that add up"
	provenAnswers    = "answers: dataset, SQL and memory agree"
	provenSufficient = "evidence sets that suffice"
	provenMinimal    = "evidence pieces that cannot go"
)

var provenNames = []string{provenRows, provenFiles, provenQuotes, provenWords, provenFacts, provenAbsences, provenTotals, provenAnswers, provenSufficient, provenMinimal}

const remake = "make the world again with edb universe new"

type checker struct {
	ctx   context.Context
	dir   string
	opt   CheckOptions
	world *World
	size  int // of a shard; 0: a dataset directory
	db    *sql.DB
	ds    *datasets.Dataset // of a directory

	questions []edb.Question
	lines     map[string]int     // of questions, in queries.jsonl
	evidence  map[string][]cited // by document
	probes    []probe

	everywhere []folded                     // probes of all documents
	of         map[string][]folded          // probes of one
	clauses    map[string][]universe.Needle // phrases of clauses
	rowOf      *sql.Stmt                    // of documents
	placesOf   *sql.Stmt                    // of renderings
	kept       kept

	reading  sync.Mutex // of PDFs
	out      universe.Checked
	proven   map[string]int
	unlisted map[string]int // faults beyond maxFaults, by file
}

// cited is evidence of a question.
type cited struct {
	edb.Evidence
	what string
	line int
}

// probe is a phrase that a question asks for: it must not stand in a document, or with doc "" in any.
type probe struct{ doc, phrase, question string }

// folded is a probe as it is looked for.
type folded struct {
	probe
	needles []universe.Needle
}

func (c *checker) fault(faults ...datasets.Fault) {
	for _, f := range faults {
		if len(c.out.Faults) < maxFaults {
			c.out.Faults = append(c.out.Faults, f)
		} else {
			c.unlisted[f.File]++
		}
	}
}

func (c *checker) skip(format string, args ...any) {
	c.out.Skipped = append(c.out.Skipped, fmt.Sprintf(format, args...))
}

func (c *checker) progress(stage string, done, total int) {
	if c.opt.Progress != nil {
		c.opt.Progress(stage, done, total)
	}
}

// check runs all proofs. Faults that keep others from being looked at end it early.
func (c *checker) check() error {
	if ok, err := c.open(); !ok || err != nil {
		return err
	}
	path := filepath.Join(c.dir, TruthFile)
	switch _, err := os.Stat(path); {
	case err == nil:
		if c.db, err = universe.OpenTruth(path, readingTruth); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		defer c.db.Close()
		c.db.SetMaxOpenConns(c.opt.Workers + maxScans)
	case errors.Is(err, os.ErrNotExist) && c.size > 0:
		c.skip("truth and questions: the shards have no %s", TruthFile)
	default:
		return fmt.Errorf("%s: no %s is there: %s", c.dir, TruthFile, remake)
	}
	if c.db != nil {
		if err := c.loadProbes(); err != nil {
			return c.sqlFault(err)
		}
		if err := c.tables(); err != nil {
			return c.sqlFault(err)
		}
		if err := c.totals(); err != nil {
			return c.sqlFault(err)
		}
	}
	if err := c.documents(); err != nil {
		return err
	}
	if c.db == nil {
		return nil
	}
	return c.asked()
}

// sqlFault makes a fault of an error of the database, which says that it is damaged, and an error of
// anything else.
func (c *checker) sqlFault(err error) error {
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	c.fault(datasets.Fault{File: TruthFile, Problem: err.Error(), Fix: remake})
	c.skip("what follows a truth that cannot be read")
	return nil
}

// open opens the dataset or the questions of shards; false where faults come first.
func (c *checker) open() (bool, error) {
	if c.size > 0 {
		return c.openShards()
	}
	c.progress("dataset", 0, 0)
	faults, err := datasets.CheckWith(c.dir, c.opt.Read)
	if err != nil {
		return false, err
	}
	c.fault(faults...)
	ds, err := datasets.Open(c.dir)
	if fault := (*datasets.FaultError)(nil); errors.As(err, &fault) {
		c.skip("everything behind the tables: the faults above come first")
		return false, nil
	} else if err != nil {
		return false, err
	}
	ds.Markdown = c.opt.Read
	c.ds, c.questions = ds, ds.Questions
	return true, c.cite(filepath.Join(c.dir, datasets.QuestionsFile))
}
