package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/figure"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
	"enterprisedocbench/stats"
)

// Answered are the answers of one system to the questions of a dataset, over one run or more.
type Answered struct {
	System  string
	Answers []edb.Answer // sorted by question and repeat
	Repeats int
	Missing []string // questions without an answer in some repeat, sorted
}

// maxRepeats bounds the runs of a system.
const maxRepeats = 1000

// answerLine is a line of a file of answers: what edb run writes (with arm), or anybody else.
type answerLine struct {
	Arm    string `json:"arm"`
	System string `json:"system"`
	edb.Answer
}

// ReadAnswers reads files of answers, one JSON object a line ({"query", "answer", "contexts",
// "citations", "usage", "finish", "repeat", "system"}; docs/formats.md), to questions of a dataset.
// Lines are told apart by system, else by arm, else by model; without any of them they are one system
// called "answers". Questions that are unknown, answers that stand twice, and values that cannot be
// are errors that name file and line.
func ReadAnswers(ds *datasets.Dataset, paths ...string) ([]Answered, error) {
	known := map[string]bool{}
	for _, q := range ds.Questions {
		known[q.ID] = true
	}
	type id struct {
		system, query string
		repeat        int
	}
	seen := map[id]string{}
	by := map[string][]edb.Answer{}
	for _, path := range paths {
		err := store.Lines(path, func(line int, raw []byte) error {
			var a answerLine
			if err := json.Unmarshal(raw, &a); err != nil {
				var syntax *json.SyntaxError
				if errors.As(err, &syntax) {
					return fmt.Errorf("is no JSON (%w): write one JSON object a line", err)
				}
				return err // in plain words by Lines
			}
			// A key that is not there is a key that is misspelt, until the line says that there is no answer.
			var has struct {
				Answer json.RawMessage `json:"answer"`
			}
			if err := json.Unmarshal(raw, &has); err != nil {
				return err
			}
			switch {
			case has.Answer == nil && a.Query != "" && a.Finish != "error" && a.Finish != "abstain":
				return fmt.Errorf(`no "answer": write what was answered, or "finish": "error" where nothing came`)
			case a.Usage != nil && negative(*a.Usage):
				return fmt.Errorf("usage below 0: write what was used, or null where it is not known")
			case a.Query == "":
				return fmt.Errorf(`no "query": name the question that is answered`)
			case !known[a.Query]:
				return fmt.Errorf("question %q is not in %s: answer the questions of this dataset, or name the one that was answered", a.Query, ds.Dir)
			case a.Repeat < 0 || a.Repeat >= maxRepeats:
				return fmt.Errorf("repeat is %d: number runs from 0, %d at most", a.Repeat, maxRepeats-1)
			case !slices.Contains([]string{"", "stop", "length", "filter", "abstain", "error"}, a.Finish):
				return fmt.Errorf("finish %q is not one of stop, length, filter, abstain, error", a.Finish)
			}
			for _, c := range a.Contexts {
				if c.Text != "" {
					continue
				}
				doc, ok := ds.Document(c.Doc)
				switch {
				case !ok:
					return fmt.Errorf("a context without text names document %q, which is not in %s: write its text, or a document of the dataset", c.Doc, ds.Dir)
				case c.Page < 0 || doc.Pages > 0 && c.Page > doc.Pages:
					return fmt.Errorf("a context without text names page %d of document %q: count pages from 1, or write its text", c.Page, c.Doc)
				}
			}
			n := len([]rune(a.Text))
			for _, c := range a.Citations {
				if c.At < -1 || c.At > n {
					return fmt.Errorf("a citation at %d lies outside the answer of %d code points: use -1 for the whole answer", c.At, n)
				}
			}
			system := a.System
			for _, s := range []string{a.Arm, a.Model, "answers"} {
				if system == "" {
					system = s
				}
			}
			k := id{system, a.Query, a.Repeat}
			here := fmt.Sprintf("%s:%d", path, line)
			if at, twice := seen[k]; twice {
				return fmt.Errorf("%s answers %q in repeat %d at %s already: number repeats, or name systems", system, a.Query, a.Repeat, at)
			}
			seen[k] = here
			by[system] = append(by[system], a.Answer)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(by) == 0 {
		return nil, fmt.Errorf("%s: no answers: write one JSON object a line", strings.Join(paths, ", "))
	}
	var out []Answered
	for _, system := range slices.Sorted(maps.Keys(by)) {
		out = append(out, answered(system, by[system], ds.Questions))
	}
	return out, nil
}

// negative reports whether a known part of a usage is below 0.
func negative(u edb.Usage) bool {
	return u.PromptTokens != nil && *u.PromptTokens < 0 || u.CompletionTokens != nil && *u.CompletionTokens < 0 || u.USD != nil && *u.USD < 0
}

// answered sorts a system's answers and adds the ones that are not there as failed: a system gains
// nothing by leaving questions out.
func answered(system string, answers []edb.Answer, questions []edb.Question) Answered {
	a := Answered{System: system}
	at := map[string]map[int]edb.Answer{}
	for _, x := range answers {
		if at[x.Query] == nil {
			at[x.Query] = map[int]edb.Answer{}
		}
		at[x.Query][x.Repeat] = x
		a.Repeats = max(a.Repeats, x.Repeat+1)
	}
	for _, q := range questions {
		whole := true
		for r := range a.Repeats {
			x, ok := at[q.ID][r]
			if !ok {
				x, whole = edb.Answer{Query: q.ID, Repeat: r, Finish: "error", Error: "not answered"}, false
			}
			a.Answers = append(a.Answers, x)
		}
		if !whole {
			a.Missing = append(a.Missing, q.ID)
		}
	}
	slices.Sort(a.Missing)
	return a
}

// AnswersScored are the figures of one system on a dataset.
type AnswersScored struct {
	System   string                `json:"system"`
	Dataset  string                `json:"dataset"`
	Repeats  int                   `json:"repeats"`
	Measures map[string]edb.Figure `json:"measures"`
	Outcomes map[string]int        `json:"outcomes"`
	Missing  []string              `json:"missing_answers,omitempty"`
	// Depth is the accuracy by where the evidence stands in the corpus, in fifths from its start.
	Depth []DepthBin `json:"depth,omitempty"`

	Rows []edb.Measurement `json:"-"`
}

// ScoreAnswers measures answers by the questions' gold: the claims of those that name their contexts,
// what every answer says, and, where questions have RIKER's levels, RIKER's measures. Repeats of a
// question are averaged; intervals resample documents as a run's do. The error is ctx's.
func ScoreAnswers(ctx context.Context, ds *datasets.Dataset, a Answered, progress func(done, total int)) (*AnswersScored, error) {
	questions := map[string]edb.Question{}
	for _, q := range ds.Questions {
		questions[q.ID] = q
	}
	grader := metrics.NewGrader(ds.Questions)
	var texts metrics.Texts
	rows := make([][]edb.Measurement, len(a.Answers))
	outcomes := make([]string, len(a.Answers))
	next := make(chan [2]int)
	var done int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for at := range next {
				for i := at[0]; i < at[1]; i++ {
					rows[i], outcomes[i] = scoreOne(ds, questions[a.Answers[i].Query], a.Answers[i], grader, &texts)
				}
				mu.Lock()
				done += at[1] - at[0]
				if progress != nil {
					progress(done, len(a.Answers))
				}
				mu.Unlock()
			}
		})
	}
	const batch = 64
	for i := 0; i < len(a.Answers) && ctx.Err() == nil; i += batch {
		next <- [2]int{i, min(i+batch, len(a.Answers))}
	}
	close(next)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &AnswersScored{System: a.System, Dataset: ds.Info.Name, Repeats: a.Repeats, Missing: a.Missing, Outcomes: map[string]int{}}
	for i := range rows {
		out.Rows = append(out.Rows, rows[i]...)
		out.Outcomes[outcomes[i]]++
	}
	out.Measures = answerFigures(ds, out.Rows)
	out.Depth = depthBins(positions(ds), evidenceDocs(ds), out.Rows)
	return out, nil
}

func scoreOne(ds *datasets.Dataset, q edb.Question, a edb.Answer, grader *metrics.Grader, texts *metrics.Texts) ([]edb.Measurement, string) {
	opt := metrics.AnswerOptions{Untold: len(a.Contexts) == 0, Texts: texts}
	for i, c := range a.Contexts {
		if c.Text == "" {
			a.Contexts[i].Text = pageText(ds, c)
		}
	}
	for _, e := range q.Evidence {
		opt.Gold = append(opt.Gold, e.Quote)
	}
	s := metrics.ScoreAnswer(q, a, opt)
	rows := s.Rows
	if metrics.Category(q.Level) != "" {
		// A gold answer that cannot be read is told of by generate.accuracy.
		if g, err := grader.Grade(a); err == nil {
			rows = append(rows, g.Rows()...)
		}
	}
	return rows, s.Outcome
}

// pageText is the gold text of a context that was named without its text; empty where there is none.
func pageText(ds *datasets.Dataset, c edb.Context) string {
	p, ok, err := ds.Gold(c.Doc)
	if !ok || err != nil {
		return ""
	}
	if c.Page == 0 {
		return p.Text()
	}
	for _, pg := range p.Pages {
		if pg.Number == c.Page {
			return pg.Text()
		}
	}
	return ""
}

// evidenceDocs are the documents that each question rests on, by which questions cluster.
func evidenceDocs(ds *datasets.Dataset) map[string][]string {
	out := map[string][]string{}
	for _, q := range ds.Questions {
		out[q.ID] = q.Documents()
		if out[q.ID] == nil {
			out[q.ID] = []string{q.ID}
		}
	}
	return out
}

// answerFigures averages rows by measure, repeats of a unit first.
func answerFigures(ds *datasets.Dataset, rows []edb.Measurement) map[string]edb.Figure {
	docs := evidenceDocs(ds)
	out := map[string]edb.Figure{}
	for key, s := range figure.Samples(rows, func(unit string) []string { return docs[unit] }, nil) {
		out[key] = s.Figure(key, stats.Options{})
	}
	return out
}
