package universe

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
)

// CheckOptions are what Check needs from the rest of the program.
type CheckOptions struct {
	// Words reads the words of a PDF with their boxes, page by page, independently of the generator;
	// nil leaves the files unread. Reader is its name.
	Words  func(ctx context.Context, path string) ([][]edb.Line, error)
	Reader string
	// Markdown reads gold in Markdown, as in datasets.CheckWith.
	Markdown func(path string) (edb.Parsed, error)
}

// Checked is what Check found: everything that is wrong, how many of each kind were proven right,
// what could not be looked at and why, and how far shortcuts lead.
type Checked struct {
	Faults    []datasets.Fault `json:"faults"`
	Proven    []datasets.Count `json:"proven"`
	Skipped   []string         `json:"skipped"`
	Shortcuts []Shortcut       `json:"shortcuts"`
}

// Check proves a generated dataset directory in one pass over its documents: every quote stands at
// its span, on its page and in its box, in the gold and through an independent reader of the files;
// what must be absent is absent from both, whatever the case, accents and line breaks; totals add
// up; the answer, the truth in SQL, the truth in memory and what the documents print agree; every
// set of evidence suffices and none of its pieces can go; shortcuts lead nowhere. The error is for a
// directory that cannot be looked at.
func Check(ctx context.Context, dir string, opt CheckOptions) (Checked, error) {
	faults, err := datasets.CheckWith(dir, opt.Markdown)
	if err != nil {
		return Checked{}, err
	}
	path := filepath.Join(dir, TruthFile)
	if _, err := os.Stat(path); err != nil {
		return Checked{}, fmt.Errorf("%s: no %s is there: name a dataset directory that edb demo or edb universe new made", dir, TruthFile)
	}
	c := &checker{ctx: ctx, dir: dir, opt: opt, proven: map[string]int{}}
	c.out.Faults = append([]datasets.Fault{}, faults...)
	c.out.Skipped = []string{}
	c.out.Shortcuts = []Shortcut{}
	ds, err := datasets.Open(dir)
	var fault *datasets.FaultError
	if errors.As(err, &fault) {
		c.out.Skipped = append(c.out.Skipped, "everything behind the tables: the faults above come first")
		c.out.Proven = []datasets.Count{}
		return c.out, nil
	} else if err != nil {
		return Checked{}, err
	}
	ds.Markdown = opt.Markdown
	db, err := OpenTruth(path, "mode=ro&_pragma=query_only(1)")
	if err != nil {
		return Checked{}, fmt.Errorf("%s: %w", path, err)
	}
	defer db.Close()
	c.ds, c.db = ds, db
	if err := c.check(); err != nil {
		return Checked{}, err
	}
	slices.SortStableFunc(c.out.Faults, func(a, b datasets.Fault) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	c.out.Faults = slices.CompactFunc(c.out.Faults, func(a, b datasets.Fault) bool { return a == b })
	for _, name := range provenNames {
		c.out.Proven = append(c.out.Proven, datasets.Count{Name: name, N: c.proven[name]})
	}
	return c.out, nil
}

// What is counted as proven, in the order of the report.
const (
	provenSpans      = "quotes at their span, page and box in the gold"
	provenWords      = "quotes found in the files by the reader"
	provenAbsences   = "absences, document by document"
	provenTotals     = "tables and truths that add up"
	provenAnswers    = "answers: dataset, SQL, memory and print agree"
	provenSufficient = "evidence sets that suffice"
	provenMinimal    = "evidence pieces that cannot go"
)

var provenNames = []string{provenSpans, provenWords, provenAbsences, provenTotals, provenAnswers, provenSufficient, provenMinimal}

type checker struct {
	ctx    context.Context
	dir    string
	opt    CheckOptions
	ds     *datasets.Dataset
	db     *sql.DB
	out    Checked
	proven map[string]int

	line     map[string]int // of questions
	places   map[string][]placed
	absences []absence
	mentions map[[2]string][]Mention // document, field -> where the gold was found to print it
	scanned  int
}

func (c *checker) fault(file string, line int, problem, fix string) {
	c.out.Faults = append(c.out.Faults, datasets.Fault{File: file, Line: line, Problem: problem, Fix: fix})
}

func (c *checker) skip(format string, args ...any) {
	c.out.Skipped = append(c.out.Skipped, fmt.Sprintf(format, args...))
}

const remake = "make the world again"

func (c *checker) check() error {
	if err := c.load(); err != nil {
		return err
	}
	if c.opt.Words == nil {
		c.skip("the files: no reader of PDFs was given")
	}
	for _, d := range c.ds.Documents {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		if err := c.document(d); err != nil {
			return err
		}
	}
	if c.scanned > 0 {
		c.skip("%d scanned documents hold no text for a reader of PDFs: their quotes were held against the gold alone", c.scanned)
	}
	problems, err := totalFaults(c.ctx, c.db)
	if err != nil {
		return fmt.Errorf("%s: %w", TruthFile, err)
	}
	for _, p := range problems {
		c.fault(TruthFile, 0, p, remake)
	}
	if len(problems) == 0 {
		c.proven[provenTotals] += len(truthTotals)
	}
	return c.answers()
}

// placed is a quote that must stand at a place: evidence of a question or a rendering of a fact.
type placed struct {
	edb.Evidence
	what           string // "evidence 1 of question q001", "rendering 5"
	file           string
	line           int
	field, printed string // of renderings
}

// absence is a phrase that must not stand in a document, or with doc "" in any.
type absence struct {
	doc, what, phrase, question string
}

// load reads what must be held against the documents.
func (c *checker) load() error {
	c.line, c.places, c.mentions = map[string]int{}, map[string][]placed{}, map[[2]string][]Mention{}
	err := store.Lines(filepath.Join(c.dir, datasets.QuestionsFile), func(line int, raw []byte) error {
		var q struct{ ID string }
		if json.Unmarshal(raw, &q) == nil {
			c.line[q.ID] = line
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, q := range c.ds.Questions {
		for i, e := range q.Evidence {
			c.places[e.Doc] = append(c.places[e.Doc], placed{Evidence: e, what: fmt.Sprintf("evidence %d of question %q", i+1, q.ID), file: datasets.QuestionsFile, line: c.line[q.ID]})
		}
		if q.Probe != nil && q.Probe.Entity != "" {
			c.absences = append(c.absences, absence{"", "probe", q.Probe.Entity, q.ID})
		}
	}
	rows, err := c.db.QueryContext(c.ctx, `SELECT r.id, f.field, f.printed, r.doc, r.page, r.start, r.end, r.x0, r.y0, r.x1, r.y1, r.quote
		FROM renderings r JOIN facts f ON f.id = r.fact ORDER BY r.id`)
	if err != nil {
		return fmt.Errorf("%s: %w", TruthFile, err)
	}
	defer rows.Close()
	for rows.Next() {
		p := placed{file: TruthFile}
		var id int
		var box [4]sql.NullFloat64
		if err := rows.Scan(&id, &p.field, &p.printed, &p.Doc, &p.Page, &p.Start, &p.End, &box[0], &box[1], &box[2], &box[3], &p.Quote); err != nil {
			return fmt.Errorf("%s: %w", TruthFile, err)
		}
		if box[0].Valid {
			p.Box = &edb.Box{box[0].Float64, box[1].Float64, box[2].Float64, box[3].Float64}
		}
		p.what = "rendering " + strconv.Itoa(id) + " (" + p.field + ")"
		c.places[p.Doc] = append(c.places[p.Doc], p)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("%s: %w", TruthFile, err)
	}
	gone, err := c.db.QueryContext(c.ctx, "SELECT coalesce(doc, ''), what, phrase, coalesce(question, '') FROM absences ORDER BY id")
	if err != nil {
		return fmt.Errorf("%s: %w", TruthFile, err)
	}
	defer gone.Close()
	for gone.Next() {
		var a absence
		if err := gone.Scan(&a.doc, &a.what, &a.phrase, &a.question); err != nil {
			return fmt.Errorf("%s: %w", TruthFile, err)
		}
		if !slices.ContainsFunc(c.absences, func(b absence) bool { return a.doc == b.doc && a.phrase == b.phrase && a.question == b.question }) {
			c.absences = append(c.absences, a)
		}
	}
	return gone.Err()
}
