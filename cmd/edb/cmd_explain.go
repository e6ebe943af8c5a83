package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
	"enterprisedocbench/report"
	"enterprisedocbench/study"
)

func explainCmd(s *streams) *cobra.Command {
	var arm string
	c := &cobra.Command{
		Use:   "explain RUN UNIT KEY",
		Short: "Say why a unit got its value: the passages, answer, claims and verdicts behind it",
		Long: `Walks a run's records backwards from one value: the question, what was retrieved, what was answered,
each claim with its verdict and what it was held against. UNIT is a question's or document's id as in
measurements.jsonl; KEY may be a prefix such as generate or retrieve.ndcg@5.`,
		Example: "  edb explain edb-demo/run q001 generate.fa --arm bm25",
		Args:    exactly(3),
		RunE: func(_ *cobra.Command, args []string) error {
			dir, unit, key := args[0], args[1], args[2]
			if n, err := metrics.ParseName(key); err == nil {
				key = n.String()
			}
			if _, err := study.Open(dir); err != nil {
				return err
			}
			rows, err := store.ReadJSONL[edb.Measurement](filepath.Join(dir, "measurements.jsonl"), false)
			if err != nil {
				return err
			}
			arms, found := map[string]bool{}, [][]string{{"Pipeline", "Measure", "Value", "Reason"}}
			var units []string // a few that have values of the key
			known := false
			for _, r := range rows {
				if !slices.Contains(units, r.Unit) && len(units) < 4 && strings.HasPrefix(r.Key, key) {
					units = append(units, r.Unit)
				}
				known = known || r.Unit == unit
				if r.Unit != unit || arm != "" && r.Arm != arm || !strings.HasPrefix(r.Key, key) {
					continue
				}
				arms[r.Arm] = true
				reason := r.Reason
				if r.Failed {
					reason = "failed: " + reason
				}
				found = append(found, []string{r.Arm, r.Key, report.Num(r.Value), reason})
			}
			if len(found) == 1 {
				where := ""
				if arm != "" {
					where = fmt.Sprintf(" in pipeline %q", arm)
				}
				some := ""
				if len(units) > 0 && !known {
					some = fmt.Sprintf("; units with such values are %s", strings.Join(units[:min(3, len(units))], ", "))
					if len(units) > 3 {
						some += " and others"
					}
				}
				return fmt.Errorf("%s: no value %q of unit %q%s: measurements.jsonl lists the units, keys and pipelines there are%s", dir, key, unit, where, some)
			}
			if err := report.Columns(s.out, found); err != nil {
				return err
			}
			return s.behind(dir, unit, arms)
		},
	}
	c.Flags().StringVar(&arm, "arm", "", "one pipeline only")
	return c
}

// behind prints the records of one question: ranking, answer, claims.
func (s *streams) behind(dir, unit string, arms map[string]bool) error {
	type claims struct {
		Arm, Query, Question, Gold, Outcome, Detail string
		Claims                                      []edb.Claim
	}
	type ranking struct {
		Arm string
		edb.Ranking
	}
	type answer struct {
		Arm string
		edb.Answer
	}
	scored, err := store.ReadJSONL[claims](filepath.Join(dir, "claims.jsonl"), false)
	if err != nil {
		return err
	}
	rankings, err := store.ReadJSONL[ranking](filepath.Join(dir, "rankings.jsonl"), false)
	if err != nil {
		return err
	}
	answers, err := store.ReadJSONL[answer](filepath.Join(dir, "answers.jsonl"), false)
	if err != nil {
		return err
	}
	rankings = slices.DeleteFunc(rankings, func(r ranking) bool { return r.Query != unit || !arms[r.Arm] })
	for _, r := range rankings {
		fmt.Fprintf(s.out, "\n%s\n", r.Arm)
		for _, c := range scored {
			if c.Arm == r.Arm && c.Query == unit {
				fmt.Fprintf(s.out, "  question: %s\n  gold:     %s\n", c.Question, c.Gold)
				break
			}
		}
		for i, h := range r.Hits[:min(5, len(r.Hits))] {
			fmt.Fprintf(s.out, "  %d. %-28s %.4f\n", i+1, h.Passage, h.Score)
		}
		for _, a := range answers {
			if a.Arm != r.Arm || a.Query != unit {
				continue
			}
			fmt.Fprintf(s.out, "  answer:   %s\n", a.Text)
			for _, c := range a.Citations {
				fmt.Fprintf(s.out, "  cites:    %s page %d: %q\n", c.Doc, c.Page, c.Quote)
			}
		}
		for _, c := range scored {
			if c.Arm != r.Arm || c.Query != unit {
				continue
			}
			fmt.Fprintf(s.out, "  outcome:  %s %s\n", c.Outcome, c.Detail)
			for _, cl := range c.Claims {
				fmt.Fprintf(s.out, "  claim:    %s\n            %s", cl.Text, cl.Verdict)
				if cl.Slot != "" {
					fmt.Fprintf(s.out, " (%s differs)", cl.Slot)
				}
				if cl.Against != "" {
					fmt.Fprintf(s.out, ", held against: %s", cl.Against)
				}
				fmt.Fprintln(s.out)
			}
		}
	}
	return nil
}
