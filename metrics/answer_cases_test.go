package metrics

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/internal/tokens"
)

func unmarshal(t *testing.T, raw json.RawMessage, v any) {
	t.Helper()
	if err := json.Unmarshal(raw, v); err != nil {
		t.Fatal(err)
	}
}

func almost(t *testing.T, what string, got *float64, want float64) {
	t.Helper()
	if got == nil {
		t.Fatalf("%s is undefined, want %g", what, want)
	}
	if math.Abs(*got-want) > 1e-6 {
		t.Errorf("%s = %.7f, want %.7f", what, *got, want)
	}
}

func correct(t *testing.T, question, answer string, gold edb.GoldAnswer) bool {
	t.Helper()
	c, err := Correct(question, answer, gold)
	if err != nil {
		t.Fatal(err)
	}
	return c.Accuracy == 1
}

func TestCasesOfAnswerScorer(t *testing.T) {
	for _, c := range testdata.Cases(t, "answer-scorer") {
		t.Run(c.ID, func(t *testing.T) {
			var in struct {
				Answer, Scorer, Scale string
				Gold                  any
				GoldUnit              string  `json:"gold_unit"`
				Tolerance             float64 `json:"relative_tolerance"`
				Pairs                 [][2]string
			}
			var want struct {
				Parsed  float64
				TokenF1 any     `json:"token_f1"`
				CharF1  float64 `json:"char_f1"`
				SpaceF1 float64 `json:"whitespace_f1"`
			}
			unmarshal(t, c.Input, &in)
			unmarshal(t, c.Expected, &want)
			gold := edb.GoldAnswer{Type: "number", Value: in.Gold, Unit: in.GoldUnit, Scale: in.Scale, Tolerance: in.Tolerance}
			if s, ok := in.Gold.(string); ok && c.ID == "qa-percent-scale" {
				gold.Value = tokens.Numbers(s)[0].Value
			}
			switch c.ID {
			case "qa-decimal-parenthesis":
				if ns := tokens.Numbers(in.Answer); len(ns) != 1 || ns[0].Value != want.Parsed {
					t.Errorf("parsed %+v", ns)
				}
				fallthrough
			case "qa-unicode-minus", "qa-percent", "qa-percent-scale", "qa-accounting-negative":
				if !correct(t, "", in.Answer, gold) {
					t.Errorf("%q is not %v", in.Answer, in.Gold)
				}
				if c.ID == "qa-percent" && correct(t, "", in.Answer, edb.GoldAnswer{Type: "number", Value: "100%"}) {
					t.Error("picks 100")
				}
				if c.ID == "qa-decimal-parenthesis" && correct(t, "", in.Answer, edb.GoldAnswer{Type: "number", Value: 314.0}) {
					t.Error("reads 314")
				}
			case "qa-f1-repeat":
				f := TokenF1(in.Answer, in.Gold.(string))
				almost(t, "token F1", &f, want.TokenF1.(float64))
			case "qa-f1-cjk":
				f, w, d := CharF1(in.Answer, in.Gold.(string)), TokenF1(in.Answer, in.Gold.(string)), AnswerF1(in.Answer, in.Gold.(string))
				almost(t, "character F1", &f, want.CharF1)
				almost(t, "token F1", &w, want.SpaceF1)
				almost(t, "default F1", &d, want.CharF1)
			case "qa-empty":
				for i, p := range in.Pairs {
					f := TokenF1(p[0], p[1])
					almost(t, strings.Join(p[:], "|"), &f, want.TokenF1.([]any)[i].(float64))
				}
			default:
				t.Errorf("no test for this case")
			}
		})
	}
}

func ask(answerable bool, gold any) edb.Question {
	q := edb.Question{ID: "q", Text: "Which city is it?", Modality: edb.ModalitySingleHop}
	if !answerable {
		q.Modality = edb.ModalityUnanswerable
	} else if gold != nil {
		q.Answer = &edb.GoldAnswer{Type: "text", Value: gold}
	}
	return q
}

func find(t *testing.T, s AnswerScore, key string) edb.Measurement {
	t.Helper()
	for _, r := range s.Rows {
		if r.Key == key {
			return r
		}
	}
	t.Fatalf("no row %s", key)
	return edb.Measurement{}
}

func TestCasesOfGeneration(t *testing.T) {
	for _, c := range testdata.Cases(t, "generation") {
		t.Run(c.ID, func(t *testing.T) {
			switch c.ID {
			case "gen-abstain-correct":
				var in struct {
					Items []struct {
						Answerable bool
						Answer     string
						Gold       any
					}
				}
				var want struct {
					Verdicts []string
					Fab      float64 `json:"fabrication_rate"`
					Over     float64 `json:"over_abstention_rate"`
					Answered float64 `json:"accuracy_on_answered"`
				}
				unmarshal(t, c.Input, &in)
				unmarshal(t, c.Expected, &want)
				n := map[string]float64{}
				asked := map[bool]float64{}
				var answered []edb.Measurement
				for i, x := range in.Items {
					s := ScoreAnswer(ask(x.Answerable, x.Gold), edb.Answer{Text: x.Answer, Finish: "stop"}, AnswerOptions{})
					if s.Outcome != want.Verdicts[i] {
						t.Errorf("%q: %s, want %s", x.Answer, s.Outcome, want.Verdicts[i])
					}
					n[s.Outcome]++
					asked[x.Answerable]++
					answered = append(answered, find(t, s, "generate.accuracy(mode=answered)"))
				}
				fab, over := n[OutcomeFabrication]/asked[false], n[OutcomeOver]/asked[true]
				almost(t, "fabrication rate", &fab, want.Fab)
				almost(t, "over-abstention rate", &over, want.Over)
				almost(t, "accuracy on answered", Aggregate(answered).Value, want.Answered)
			case "gen-empty-answer":
				var in struct {
					Answers    []string
					Gold       []any
					Answerable []bool
					Finish     []string `json:"finish_reason"`
				}
				var want struct {
					Verdicts                 []string
					Hallucinated, Unscorable int
				}
				unmarshal(t, c.Input, &in)
				unmarshal(t, c.Expected, &want)
				hallucinated, unscorable := 0, 0
				for i, text := range in.Answers {
					s := ScoreAnswer(ask(in.Answerable[i], in.Gold[i]), edb.Answer{Text: text, Finish: in.Finish[i],
						Contexts: []edb.Context{{Doc: "d", Page: 1, Text: "It is Bob."}}}, AnswerOptions{})
					got := s.Outcome
					if s.Detail != "" {
						got += " (" + s.Detail + ")"
						unscorable++
					}
					if got != want.Verdicts[i] {
						t.Errorf("%q: %s, want %s", text, got, want.Verdicts[i])
					}
					hallucinated += s.Counts.Hallucinated(true)
				}
				if hallucinated != want.Hallucinated || unscorable != want.Unscorable {
					t.Errorf("%d hallucinated, %d unscorable", hallucinated, unscorable)
				}
			case "gen-no-claims":
				var in struct {
					Contexts []string
					Answer   string
				}
				var want struct{ Reason string }
				unmarshal(t, c.Input, &in)
				unmarshal(t, c.Expected, &want)
				if cs := SplitClaims("What is it?", in.Answer); CountClaims(cs).Checkable() != 0 {
					t.Errorf("claims %+v", cs)
				}
				s := ScoreAnswer(ask(true, "x"), edb.Answer{Text: "What would that be?", Contexts: []edb.Context{{Text: in.Contexts[0]}}}, AnswerOptions{})
				for _, key := range []string{"generate.fa", "generate.hr"} {
					if r := find(t, s, key); r.Value != nil || r.Failed || r.Reason != want.Reason {
						t.Errorf("%+v", r)
					}
				}
				if f := Aggregate([]edb.Measurement{find(t, s, "generate.fa"), row("generate.fa", 0.5)}); *f.Value != 0.5 || f.Missing != 1 || f.N != 1 {
					t.Errorf("the mean does not leave it out: %+v", f)
				}
			case "gen-judge-failure":
				var in struct{ Scores []*float64 }
				var want struct {
					Value  float64
					OK     float64 `json:"value_ok"`
					N      int
					NOK    int `json:"n_ok"`
					Bounds [2]float64
				}
				unmarshal(t, c.Input, &in)
				unmarshal(t, c.Expected, &want)
				var rows []edb.Measurement
				for _, x := range in.Scores {
					if x == nil {
						rows = append(rows, failed("generate.fa", "judge failed"))
						continue
					}
					rows = append(rows, Judged("generate.fa", *x))
				}
				f := Aggregate(rows)
				almost(t, "value", f.Value, want.Value)
				almost(t, "value_ok", f.ValueOK, want.OK)
				lo, hi := FailureBounds(rows)
				almost(t, "lower bound", lo, want.Bounds[0])
				almost(t, "upper bound", hi, want.Bounds[1])
				if f.N != want.N || f.NOK != want.NOK {
					t.Errorf("n %d, n_ok %d", f.N, f.NOK)
				}
			case "gen-score-range":
				var in struct {
					Value float64 `json:"judge_value"`
				}
				unmarshal(t, c.Input, &in)
				r := Judged("generate.fa", in.Value)
				if r.Value != nil || !r.Failed || !strings.HasPrefix(r.Reason, "out of range: rejected") {
					t.Errorf("%+v", r)
				}
				if r := Judged("generate.fa", math.NaN()); r.Value != nil || !r.Failed {
					t.Errorf("NaN: %+v", r)
				}
			case "gen-hr-two-kinds":
				var in struct {
					Flags [][]int `json:"claim_flags"`
				}
				var want struct {
					Continuous float64 `json:"hr_continuous"`
					Binary     float64 `json:"hr_binary"`
					Micro      float64 `json:"hr_micro"`
				}
				unmarshal(t, c.Input, &in)
				unmarshal(t, c.Expected, &want)
				var counts []ClaimCounts
				for _, fs := range in.Flags {
					var x ClaimCounts
					for _, f := range fs {
						x.AbsentUnknown += f
						x.Supported += 1 - f
					}
					counts = append(counts, x)
				}
				continuous, micro, binary := HR(append(counts, ClaimCounts{Uncheckable: 1}))
				almost(t, "continuous", continuous, want.Continuous)
				almost(t, "micro", micro, want.Micro)
				almost(t, "binary", binary, want.Binary)
			default:
				t.Errorf("no test for this case")
			}
		})
	}
}
