package generate

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/metrics"
)

// corpusOf makes n documents, each with one rent, and questions over them.
func corpusOf(n int) (contexts []edb.Context, questions []edb.Question) {
	var all []edb.Evidence
	sum := 0.0
	for i := range n {
		doc := fmt.Sprintf("doc-%d", i)
		quote := fmt.Sprintf("The monthly rent of lease %d is $%d.", i, 1000+i)
		contexts = append(contexts, edb.Context{Doc: doc, Page: 1, Text: "Lease agreement. " + quote + " It is due in advance."})
		e := edb.Evidence{Doc: doc, Page: 1, Quote: quote}
		all = append(all, e)
		sum += float64(1000 + i)
		questions = append(questions, edb.Question{ID: fmt.Sprintf("one-%d", i), Level: "L01", Modality: edb.ModalitySingleHop, Text: fmt.Sprintf("What is the monthly rent of lease %d?", i),
			Answer: &edb.GoldAnswer{Type: "number", Value: float64(1000 + i), Unit: "USD"}, Evidence: []edb.Evidence{e}})
	}
	for i := 0; i+3 <= n; i += 3 {
		questions = append(questions, edb.Question{ID: fmt.Sprintf("few-%d", i), Level: "L06", Modality: edb.ModalityMultiHop, Text: fmt.Sprintf("What is the total rent of leases %d to %d?", i, i+2),
			Answer: &edb.GoldAnswer{Type: "number", Value: float64(3003 + 3*i), Unit: "USD"}, Evidence: all[i : i+3]})
		questions = append(questions, edb.Question{ID: fmt.Sprintf("ghost-%d", i), Level: "L11", Modality: edb.ModalityUnanswerable, Text: fmt.Sprintf("What deposit does Brangate Foods %d pay?", i)})
	}
	return contexts, questions
}

// TestScriptedReaders holds each fault against what the grades must show, over eight repeats.
func TestScriptedReaders(t *testing.T) {
	contexts, questions := corpusOf(60)
	grader := metrics.NewGrader(questions)
	for _, fault := range Faults {
		seed := 5
		g, err := New(Config{Provider: "scripted", Fault: fault, Seed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		right, n := map[string]int{}, map[string]int{}
		fabricated, lost := 0, map[string]int{}
		for repeat := range 8 {
			r := g.(Repeated).Again(repeat)
			for _, q := range questions {
				a, err := r.Generate(context.Background(), q, contexts)
				if err != nil {
					t.Fatal(err)
				}
				grade, err := grader.Grade(a)
				if err != nil {
					t.Fatal(err)
				}
				n[grade.Category]++
				if grade.Right {
					right[grade.Category]++
				}
				if grade.Fabricated {
					fabricated++
				}
				if grade.Lost != "" {
					lost[grade.Category]++
				}
			}
		}
		share := func(c string) float64 { return float64(right[c]) / float64(n[c]) }
		near := func(got, want, within float64) bool { return got >= want-within && got <= want+within }
		single, aggregation, probe := share(metrics.CategorySingle), share(metrics.CategoryAggregation), share(metrics.CategoryProbe)
		ok := false
		switch fault {
		case FaultNone:
			ok = single == 1 && aggregation == 1 && probe == 1 && fabricated == 0
		case FaultHalf: // all of one document, and of three, are seen with chance 1/2 and 1/8
			ok = near(single, .5, .08) && near(aggregation, .125, .1) && probe == 1
		case FaultProbes:
			ok = single == 1 && aggregation == 1 && probe == 0 && fabricated == n[metrics.CategoryProbe]
		case FaultLoops:
			ok = single == 1 && near(aggregation, .5, .13) && lost[metrics.CategoryAggregation] == n[metrics.CategoryAggregation]-right[metrics.CategoryAggregation] && len(lost) == 1
		case FaultRefuses:
			ok = single == 0 && aggregation == 0 && probe == 1 && fabricated == 0
		}
		if !ok || fault != FaultLoops && len(lost) > 0 {
			t.Errorf("%s: single %.3f, aggregation %.3f, probes %.3f, fabricated %d, lost %v", fault, single, aggregation, probe, fabricated, lost)
		}
	}
	if _, err := New(Config{Provider: "scripted", Fault: "sleepy"}); err == nil {
		t.Error("an unknown fault: no error")
	}
}

// TestScriptedCeiling: without a fault the reader answers what its contexts bear, and nothing else.
func TestScriptedCeiling(t *testing.T) {
	contexts, questions := corpusOf(9)
	g, _ := New(Config{Provider: "scripted"})
	for _, c := range []struct {
		query string
		given []edb.Context
		want  string
	}{
		{"one-4", contexts[4:5], "1004"}, {"one-4", contexts[:4], ""}, {"few-3", contexts[3:6], "3012"}, {"few-3", contexts[2:5], "2008"}, {"ghost-0", contexts, ""},
	} {
		for _, q := range questions {
			if q.ID != c.query {
				continue
			}
			a, err := g.Generate(context.Background(), q, c.given)
			if err != nil || (a.Finish == "abstain") != (c.want == "") || c.want != "" && !strings.Contains(a.Text, c.want) {
				t.Errorf("%s: %q (%s), %v; want %q", c.query, a.Text, a.Finish, err, c.want)
			}
		}
	}
}

func TestDecompose(t *testing.T) {
	contexts, _ := corpusOf(6)
	contexts = append(contexts, edb.Context{Doc: "other", Page: 1, Text: "The canteen opens at eight."})
	g, err := New(Config{Provider: "extractive", Decompose: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ question, want string }{
		{"What is the total monthly rent of the leases?", "6015"},
		{"What is the average monthly rent of the leases?", "1002.5"},
		{"What is the monthly rent of lease 3?", "1003"},
	} {
		a, err := g.Generate(context.Background(), edb.Question{ID: "q", Text: c.question}, contexts)
		if err != nil || !strings.Contains(strings.ReplaceAll(a.Text, ",", ""), c.want) {
			t.Errorf("%s: %q, %v; want %s", c.question, a.Text, err, c.want)
		}
	}
	a, err := g.Generate(context.Background(), edb.Question{ID: "q", Text: "Who chairs the supervisory board of Quillon?"}, contexts)
	if err != nil || a.Finish != "abstain" {
		t.Errorf("a question that no part bears: %+v, %v", a, err)
	}
	if _, err := New(Config{Provider: "extractive", Decompose: -1}); err == nil {
		t.Error("decompose -1: no error")
	}
	// A model is asked once more about the parts.
	calls := 0
	m := decomposed{generatorFunc(func(_ edb.Question, cs []edb.Context) edb.Answer {
		calls++
		if len(cs) > 2 {
			return edb.Answer{Text: fmt.Sprintf("%d parts", len(cs)), Finish: "stop"}
		}
		return edb.Answer{Text: cs[0].Doc, Finish: "stop", Usage: &edb.Usage{PromptTokens: intp(3)}}
	}), 2}
	a, err = m.Generate(context.Background(), edb.Question{ID: "q"}, contexts)
	if err != nil || a.Text != "4 parts" || calls != 5 || a.Usage != nil {
		t.Errorf("map and reduce by a model: %+v after %d calls, %v", a, calls, err)
	}
}

type generatorFunc func(edb.Question, []edb.Context) edb.Answer

func (f generatorFunc) Generate(_ context.Context, q edb.Question, cs []edb.Context) (edb.Answer, error) {
	return f(q, cs), nil
}
