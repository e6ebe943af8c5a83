package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
	"enterprisedocbench/study"
)

func evalAnswersCmd(s *streams) *cobra.Command {
	var dir, list, rowsFile string
	var files []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "answers --dataset DIR --answers FILE",
		Short: "Score anybody's answers to the questions of a dataset",
		Long: `Scores answers to the questions of a dataset: right or wrong by the type of the gold answer, refusals,
fabrications; where answers name the contexts they were given, also their claims and citations. On a
universe (edb universe new) RIKER's measures stand beside them.

FILE holds one JSON object a line, and --answers may be given several times:

  {"query": "q0001", "answer": "$4,250", "system": "my-model", "repeat": 0, "finish": "stop",
   "contexts": [{"doc": "doc-000004", "page": 1, "text": "..."}],
   "citations": [{"doc": "doc-000004", "page": 1, "quote": "..."}],
   "usage": {"prompt_tokens": 900, "completion_tokens": 6, "usd": null}}

Only query and answer are needed. A context without text is the gold text of its page. Lines of several
systems (or the arms of an answers.jsonl that edb run left) are scored apart. repeat numbers the runs of
one system, from 0; they are averaged by question. finish says how the answer ended: stop, length,
filter, abstain or error. A question that a system leaves out in a run counts as the worst value.

The output of --json is what edb universe tables and edb universe stability read.`,
		Example: `  edb eval answers --dataset riker-32K --answers answers.jsonl
  edb eval answers --dataset riker-32K --answers run1.jsonl --answers run2.jsonl --json > scored.json`,
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if dir == "" || len(files) == 0 {
				return errors.New("give --dataset, a dataset directory, and --answers, a file of answers")
			}
			if err := outputFile("--rows", rowsFile, append([]string{dir}, files...)...); err != nil {
				return err
			}
			keys, err := splitKeys(list)
			if err != nil {
				return err
			}
			for _, k := range keys {
				if _, _, err := metrics.Lookup(k); err != nil {
					return err
				}
			}
			ds, err := datasets.Open(dir)
			if err != nil {
				return err
			}
			if len(ds.Questions) == 0 {
				return fmt.Errorf("%s has no questions: answers cannot be scored", dir)
			}
			ds.Markdown = parse.ReadFile
			all, err := study.ReadAnswers(ds, files...)
			if err != nil {
				return err
			}
			return s.scoreAnswers(c.Context(), ds, all, keys, rowsFile, asJSON)
		},
	}
	c.Flags().StringVar(&dir, "dataset", "", "dataset directory")
	c.Flags().StringArrayVar(&files, "answers", nil, "file of answers, one JSON object a line; may be repeated")
	c.Flags().StringVar(&list, "measures", "", "comma-separated keys; default all that have a value")
	c.Flags().StringVar(&rowsFile, "rows", "", "write one JSON line a question and measure to this file")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// scoredAnswers is what eval answers prints with --json: the systems, and of the first one what every
// eval command prints.
type scoredAnswers struct {
	Measures map[string]edb.Figure  `json:"measures"`
	Systems  []*study.AnswersScored `json:"systems"`
}

func (s *streams) scoreAnswers(ctx context.Context, ds *datasets.Dataset, all []study.Answered, keys []string, rowsFile string, asJSON bool) error {
	p := newProgress(s.err)
	defer p.close()
	var out scoredAnswers
	var rows []edb.Measurement
	scored := false
	for _, a := range all {
		x, err := study.ScoreAnswers(ctx, ds, a, func(done, total int) { p.show("score "+a.System, done, total) })
		if err != nil {
			return err
		}
		if keys != nil {
			maps.DeleteFunc(x.Measures, func(k string, _ edb.Figure) bool { return !slices.Contains(keys, k) })
			for _, k := range keys {
				if _, ok := x.Measures[k]; !ok {
					x.Measures[k] = edb.Figure{Reason: "nothing to measure: no question of the dataset enters it", Def: metrics.Def(k)}
				}
			}
		}
		for i := range x.Rows {
			x.Rows[i].Arm = x.System
		}
		rows = append(rows, x.Rows...)
		out.Systems = append(out.Systems, x)
		for _, f := range x.Measures {
			scored = scored || f.NOK > 0
		}
		if n := len(x.Missing); n > 0 {
			fmt.Fprintf(s.err, "edb: %s leaves %s unanswered in some run: %s; they count as the worst value\n", x.System, plural(n, "question"), shortList(x.Missing))
		}
	}
	p.close()
	out.Measures = out.Systems[0].Measures
	if err := writeRows(rowsFile, rows); err != nil {
		return err
	}
	if asJSON {
		if err := s.printJSON(out); err != nil {
			return err
		}
	} else if err := s.answerTables(out.Systems); err != nil {
		return err
	}
	if !scored {
		return &exitError{exitCheck, "nothing could be scored"}
	}
	return nil
}

func (s *streams) answerTables(systems []*study.AnswersScored) error {
	for i, x := range systems {
		if i > 0 {
			fmt.Fprintln(s.out)
		}
		fmt.Fprintf(s.out, "%s on %s, %s: ", x.System, x.Dataset, plural(x.Repeats, "run"))
		var parts []string
		for _, o := range metrics.Outcomes {
			if n := x.Outcomes[o]; n > 0 {
				parts = append(parts, fmt.Sprintf("%s %d", o, n))
			}
		}
		fmt.Fprintln(s.out, strings.Join(parts, ", "))
		var keys []string
		for _, k := range slices.Concat(metrics.FidelityKeys, metrics.AnswerKeys, slices.Sorted(maps.Keys(x.Measures))) {
			if f, ok := x.Measures[k]; ok && !slices.Contains(keys, k) && (f.N > 0 || f.Reason != "") {
				keys = append(keys, k)
			}
		}
		if err := s.measured(measured{Measures: x.Measures}, keys, false); err != nil {
			return err
		}
	}
	return nil
}

// shortList names the first few of many.
func shortList(list []string) string {
	const most = 5
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}
