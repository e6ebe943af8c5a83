package metrics

import (
	"math"
	"strings"
	"testing"

	"enterprisedocbench"

	"pgregory.net/rapid"
)

const leaseText = `This lease is made on 12 March 2024 between Calmont Estates LLC and Verdal Foods Ltd.
Verdal Foods Ltd pays a security deposit of $27,000 to the landlord. It is held without interest.
Rent is due in advance on the first working day of each month. The tenant may not sublet the premises.
Lease year	From	Monthly rent	Annual rent
Year 1	1 April 2024	$9,000	$108,000
Year 2	1 April 2025	$9,270	$111,240
The rent rises by 3% on each anniversary.`

// Verdicts worked out by hand from definitions.md, section Generation.
func TestVerdicts(t *testing.T) {
	gold := []string{"The premises measure 4,500 square feet."}
	corpus := func(string) []string { return []string{"The auditor of Verdal Foods Ltd is Lunstead."} }
	for _, c := range []struct{ name, question, claim, verdict, slot string }{
		{"stands as it is", "What deposit is paid?", "Verdal Foods Ltd pays a security deposit of $27,000 to the landlord.", "supported", ""},
		{"two letters off", "What deposit is paid?", "Verdal Foods Ltd pays a secority deposit of $27,000 to the landlard", "supported", ""},
		{"reworded", "What deposit is paid?", "The security deposit of Verdal Foods Ltd is $27,000.", "supported", ""},
		{"only the value", "What security deposit does Verdal Foods Ltd pay?", "$27,000", "supported", ""},
		{"only a name", "Who pays the security deposit to the landlord?", "Verdal Foods", "supported", ""},
		{"a row and its header", "What is the monthly rent in year 2?", "Year 2, Monthly rent: $9,270.", "supported", ""},
		{"the sum in words of scale", "What deposit is paid?", "The security deposit of Verdal Foods Ltd is $27 thousand.", "supported", ""},
		{"yes", "Does the rent rise by 3% on each anniversary?", "Yes.", "supported", ""},
		{"no", "May the tenant sublet the premises?", "No.", "supported", ""},
		{"one digit off", "What deposit is paid?", "Verdal Foods Ltd pays a security deposit of $27,500 to the landlord.", "contradicted", "number"},
		{"another date", "When was the lease made?", "This lease is made on 13 March 2024 between Calmont Estates LLC and Verdal Foods Ltd.", "contradicted", "date"},
		{"another name", "Who pays the deposit?", "The security deposit of $27,000 is paid to the landlord by Dunrick Optics.", "contradicted", "entity"},
		{"the opposite", "May the tenant sublet?", "The tenant may sublet the premises.", "contradicted", "polarity"},
		{"two slots differ", "Who pays what?", "Dunrick Optics pays a security deposit of $99,000 to the landlord.", "absent-unknown", ""},
		{"another predicate", "How many staff are there?", "Verdal Foods Ltd employs 27 bakers in Norrick.", "absent-unknown", ""},
		{"in gold", "How large are the premises?", "The premises measure 4,500 square feet.", "absent-true", ""},
		{"elsewhere in the corpus", "Who is the auditor?", "The auditor of Verdal Foods Ltd is Lunstead.", "absent-true", ""},
		{"a question", "What deposit is paid?", "Is the deposit $27,000?", "uncheckable", ""},
		{"a hedge", "What deposit is paid?", "It seems hard to tell.", "uncheckable", ""},
		{"a repetition", "What security deposit does Verdal Foods Ltd pay?", "Verdal Foods Ltd pays a security deposit.", "uncheckable", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := edb.Question{ID: "q", Text: c.question}
			s := ScoreAnswer(q, edb.Answer{Text: c.claim, Contexts: []edb.Context{{Doc: "d", Page: 1, Text: leaseText}}}, AnswerOptions{Gold: gold, Corpus: corpus})
			if len(s.Claims) != 1 {
				t.Fatalf("%d claims: %+v", len(s.Claims), s.Claims)
			}
			if got := s.Claims[0]; got.Verdict != c.verdict || got.Slot != c.slot {
				t.Errorf("%s %s against %q", got.Verdict, got.Slot, got.Against)
			}
		})
	}
}

func TestUnanswerableMakesClaimsFabricated(t *testing.T) {
	q := edb.Question{ID: "q", Text: "What is the break fee?", Modality: edb.ModalityUnanswerable}
	s := ScoreAnswer(q, edb.Answer{Text: "The break fee is $27,000.", Contexts: []edb.Context{{Text: leaseText}}}, AnswerOptions{})
	if s.Outcome != OutcomeFabrication || s.Claims[0].Verdict != edb.VerdictFabricated {
		t.Fatalf("%+v", s)
	}
	almost(t, "hr", find(t, s, "generate.hr").Value, 1)
	almost(t, "hr kind", find(t, s, "generate.hr(kind=fabrication)").Value, 1)
	almost(t, "abstain", find(t, s, "generate.abstain").Value, 0)
	almost(t, "g", find(t, s, "generate.g").Value, 0)
}

func TestClaimsAreCutAndPlaced(t *testing.T) {
	answer := "The deposit of the lease is $27,000 and the rent was $9,000 a month. The lease ends on 31 March 2029; perhaps. Is that all?"
	cs := SplitClaims("What are the terms?", answer)
	var got []string
	r := []rune(answer)
	for _, c := range cs {
		if string(r[c.Start:c.End]) != c.Text {
			t.Errorf("%q stands at %q", c.Text, string(r[c.Start:c.End]))
		}
		got = append(got, c.Text+"="+c.Verdict)
	}
	want := "The deposit of the lease is $27,000=|the rent was $9,000 a month.=|The lease ends on 31 March 2029; perhaps.=|Is that all?=uncheckable"
	if strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
	if cs := SplitClaims("?", "It was $5 and it is $6; so. It ends."); len(cs) != 1 {
		t.Errorf("a short answer has %d claims", len(cs))
	}
}

func TestAttribution(t *testing.T) {
	contexts := []edb.Context{{Doc: "a", Page: 1, Text: "The deposit of the lease is $27,000."}, {Doc: "b", Page: 2, Text: "The rent of the premises was $9,000 a month."}}
	text := "The deposit of the lease is $27,000. The rent of the premises was $9,000 a month. The lease ends on 31 March 2029."
	at := func(s string) int { return strings.Index(text, s) + len(s) }
	q := edb.Question{ID: "q", Text: "What are the terms?", Evidence: []edb.Evidence{{Doc: "a", Page: 1}, {Doc: "c", Page: 1}}}
	s := ScoreAnswer(q, edb.Answer{Text: text, Contexts: contexts, Citations: []edb.Citation{
		{Doc: "a", Page: 1, At: at("27,000.")}, // supports
		{Doc: "a", Page: 1, At: at("month.")},  // the wrong passage
		{Doc: "b", Page: 2, At: at("month.")},  // supports
		{Doc: "z", Page: 9, At: at("2029.")},   // not supplied
	}}, AnswerOptions{})
	almost(t, "sap", find(t, s, "generate.sap").Value, 0.5)
	almost(t, "sar", find(t, s, "generate.sar").Value, 2.0/3)
	almost(t, "sar against gold", find(t, s, "generate.sar(against=gold)").Value, 0.5)
	almost(t, "fa", find(t, s, "generate.fa").Value, 2.0/3)
	almost(t, "hr", find(t, s, "generate.hr").Value, 1.0/3)
	if c := s.Claims[1].Cited; len(c) != 2 || c[0] != 1 || c[1] != 2 {
		t.Errorf("claim 2 is followed by %v", c)
	}
	// no citation: SAP has nothing to measure, SAR is 0
	s = ScoreAnswer(q, edb.Answer{Text: text, Contexts: contexts}, AnswerOptions{})
	if r := find(t, s, "generate.sap"); r.Value != nil || r.Reason != "no citation" {
		t.Errorf("%+v", r)
	}
	almost(t, "sar without citations", find(t, s, "generate.sar").Value, 0)
	// a citation of the whole answer
	s = ScoreAnswer(q, edb.Answer{Text: text, Contexts: contexts, Citations: []edb.Citation{{Doc: "b", Page: 2, At: -1}}}, AnswerOptions{})
	almost(t, "sap of the whole", find(t, s, "generate.sap").Value, 1)
	almost(t, "sar of the whole", find(t, s, "generate.sar").Value, 1.0/3)
}

func TestOutcomesAndRows(t *testing.T) {
	number := edb.Question{ID: "q", Text: "What deposit is paid?", Answer: &edb.GoldAnswer{Type: "number", Value: 27000.0, Unit: "$"}}
	facts := edb.Question{ID: "q", Text: "What are the terms?", Answer: &edb.GoldAnswer{Type: "text", Value: "deposit 27,000, rent 9,000, due monthly",
		Facts: []string{"deposit is $27,000", "rent is $9,000", "rent is due monthly"}}}
	for _, c := range []struct {
		name     string
		q        edb.Question
		a        edb.Answer
		outcome  string
		accuracy float64
		ac       float64
	}{
		{"right", number, edb.Answer{Text: "The deposit is $27,000."}, OutcomeCorrect, 1, 1},
		{"wrong", number, edb.Answer{Text: "The deposit is $2,700."}, OutcomeWrong, 0, 0},
		{"a hedge with a value is an answer", number, edb.Answer{Text: "The lease does not say it clearly, but the deposit is $27,000."}, OutcomeCorrect, 1, 1},
		{"refused", number, edb.Answer{Text: "The documents do not say.", Finish: "abstain"}, OutcomeOver, 0, 0},
		{"two of three facts", facts, edb.Answer{Text: "The deposit is $27,000; the rent is $9,000."}, OutcomePartial, 0, 2.0 / 3},
		{"all facts in other words", facts, edb.Answer{Text: "The deposit is $27,000; the rent is $9,000. The rent is due monthly."}, OutcomeCorrect, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := ScoreAnswer(c.q, c.a, AnswerOptions{})
			if s.Outcome != c.outcome {
				t.Errorf("outcome %s, want %s", s.Outcome, c.outcome)
			}
			almost(t, "accuracy", find(t, s, "generate.accuracy").Value, c.accuracy)
			almost(t, "ac", find(t, s, "generate.ac").Value, c.ac)
		})
	}
	for _, a := range []edb.Answer{{Error: "503"}, {Finish: "length"}, {Text: "x", Finish: "filter"}, {Text: "  "}} {
		s := ScoreAnswer(number, a, AnswerOptions{})
		if s.Outcome != OutcomeNone || s.Detail == "" || len(s.Rows) != len(AnswerKeys) {
			t.Errorf("%+v", s)
		}
		for _, r := range s.Rows {
			if !r.Failed || r.Value != nil || r.Unit != "q" {
				t.Errorf("%+v", r)
			}
		}
	}
}

func TestEveryAnswerHasEveryRowOnce(t *testing.T) {
	for _, key := range AnswerKeys {
		if _, _, err := Lookup(key); err != nil {
			t.Error(err)
		}
	}
	q := edb.Question{ID: "q", Text: "What rent is paid?", Answer: &edb.GoldAnswer{Type: "text", Value: "a lot"}}
	rapid.Check(t, func(t *rapid.T) {
		a := edb.Answer{Text: rapid.StringMatching(`([A-Za-z0-9$%.,;:?\[\]\n-]{0,9} ){0,30}`).Draw(t, "text"), Repeat: 2,
			Contexts: []edb.Context{{Doc: "d", Page: 1, Text: rapid.String().Draw(t, "context")}}}
		if rapid.Bool().Draw(t, "cites") {
			a.Citations = []edb.Citation{{Doc: "d", Page: 1, At: rapid.IntRange(-1, 50).Draw(t, "at")}}
		}
		if !rapid.Bool().Draw(t, "answerable") {
			q.Modality = edb.ModalityUnanswerable
		} else {
			q.Modality = edb.ModalitySingleHop
		}
		s := ScoreAnswer(q, a, AnswerOptions{})
		var keys []string
		for _, r := range s.Rows {
			keys = append(keys, r.Key)
			if r.Value != nil && (*r.Value < 0 || *r.Value > 1 || math.IsNaN(*r.Value)) || r.Unit != "q" || r.Repeat != 2 || r.Def != 1 {
				t.Fatalf("%+v", r)
			}
			if r.Value == nil && r.Reason == "" {
				t.Fatalf("no reason: %+v", r)
			}
		}
		if strings.Join(keys, " ") != strings.Join(AnswerKeys, " ") {
			t.Fatalf("rows %v", keys)
		}
		for _, c := range s.Claims {
			if c.Verdict == "" {
				t.Fatalf("no verdict: %+v", c)
			}
		}
	})
}

func FuzzScoreAnswer(f *testing.F) {
	f.Add("The deposit is $27,000.", leaseText, "What deposit is paid?")
	f.Add("是的", "是的。", "吗")
	f.Fuzz(func(t *testing.T, answer, context, question string) {
		s := ScoreAnswer(edb.Question{ID: "q", Text: question}, edb.Answer{Text: answer, Contexts: []edb.Context{{Text: context}}}, AnswerOptions{})
		if s.Outcome == "" {
			t.Fatal("no outcome")
		}
	})
}

func TestCompositesSayWhatTheyLack(t *testing.T) {
	x := func(v float64) *float64 { return &v }
	// EnterpriseDocBench section 3.4: FA .85, SAP .61, SAR .61, HR .15, AC .40 give G .71
	g := G(x(0.85), x(0.61), x(0.61), x(0.15), x(0.40))
	almost(t, "G", g.Full, 0.709)
	p := P(x(0.9), nil, nil, x(0.6), "caption_f1")
	if p.Full != nil || p.Key != "parse.p(parts=tis+lf)" || p.Reason == "" || p.Variant != "" {
		t.Errorf("%+v", p)
	}
	almost(t, "P of two parts", p.Value, (0.4*0.9+0.15*0.6)/0.55)
	full := P(x(1), x(1), x(1), x(0), "caption_f1")
	if full.Key != "parse.p" || full.Variant != "fcq=caption_f1" {
		t.Errorf("%+v", full)
	}
	almost(t, "P", full.Full, 0.85)
	q := Q(full.Full, x(0.8), g.Full, full.Variant)
	almost(t, "Q", q.Full, 0.25*0.85+0.5*0.8+0.25*0.709)
	if q.Variant != "fcq=caption_f1" {
		t.Errorf("%+v", q)
	}
	without := Q(nil, x(0.8), x(0.5), "v")
	if without.Full != nil || without.Key != "quality.q(without=parse)" || without.Variant != "" {
		t.Errorf("%+v", without)
	}
	almost(t, "Q without parse", without.Value, (0.5*0.8+0.25*0.5)/0.75)
	if v := Q(full.Full, nil, x(1), ""); v.Value != nil {
		t.Errorf("%+v", v)
	}
	if v := P(nil, nil, nil, nil, ""); v.Value != nil || v.Key != "parse.p" {
		t.Errorf("%+v", v)
	}
}
