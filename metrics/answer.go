package metrics

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"enterprisedocbench"
)

// Outcomes of an answer; every answer has exactly one.
const (
	OutcomeCorrect     = "correct"
	OutcomeWrong       = "wrong"
	OutcomePartial     = "partial"
	OutcomeAbstained   = "correct abstention"
	OutcomeOver        = "over-abstention"
	OutcomeFabrication = "fabrication" // answered an unanswerable question
	OutcomeNone        = "no answer"   // empty, truncated, filtered or malformed; Detail says which
	OutcomeUngraded    = "not graded"  // answered, but there is no gold answer to judge by
)

// Outcomes lists them in the order in which reports print them.
var Outcomes = []string{OutcomeCorrect, OutcomePartial, OutcomeWrong, OutcomeAbstained, OutcomeOver, OutcomeFabrication, OutcomeNone, OutcomeUngraded}

// AnswerOptions is what the scorer may know beside question and answer.
type AnswerOptions struct {
	// Gold holds the text of each gold evidence (its sentences, row or page). A claim that is not in
	// the context but in one of them is absent-true.
	Gold []string
	// Corpus returns texts of the corpus that may bear a claim (the best few passages of a search), so
	// that what is true but was not retrieved is told from what is made up. nil: not searched.
	Corpus func(claim string) []string
	// Untold says that nobody knows what contexts the answer was given: claims are not judged, and what
	// rests on them is not measured.
	Untold bool
	// Texts keeps contexts prepared for verification from answer to answer; nil prepares them anew.
	Texts *Texts
	// Verifier is the name that claims carry; empty means "lexical", the only one built in.
	Verifier string
}

// Texts are passages prepared for the verification of claims: each text is prepared once, however
// many answers were given it, up to 16 MiB of them; the rest is prepared anew each time. Safe for
// concurrent use.
type Texts struct {
	prepared sync.Map // text -> *passage
	bytes    atomic.Int64
}

const maxTexts = 16 << 20

func (t *Texts) passage(text string) *passage {
	if t == nil {
		return newPassage(text)
	}
	if p, ok := t.prepared.Load(text); ok {
		return p.(*passage)
	}
	p := newPassage(text)
	if t.bytes.Load() < maxTexts {
		if _, there := t.prepared.LoadOrStore(text, p); !there {
			t.bytes.Add(int64(len(text)))
		}
	}
	return p
}

// AnswerScore is everything measured on one answer.
type AnswerScore struct {
	Claims  []edb.Claim
	Counts  ClaimCounts
	Outcome string
	Detail  string            // why there is no answer: length, filter, error, empty
	Correct *Correctness      // nil where there is no gold answer, or no answer
	Rows    []edb.Measurement // generate.*; Unit is the question, Repeat the answer's
}

// AnswerKeys are the measures that ScoreAnswer gives for every answer, in their order.
var AnswerKeys = []string{"generate.fa", "generate.fa(verdicts=strict)", "generate.hr", "generate.hr(verdicts=strict)", "generate.hr(kind=intrinsic)",
	"generate.hr(kind=extrinsic)", "generate.hr(kind=fabrication)", "generate.hr(mode=binary,unit=answer)", "generate.sap", "generate.sar",
	"generate.sar(against=gold)", "generate.ac", "generate.ac(mode=recall)", "generate.accuracy", "generate.accuracy(mode=f1)",
	"generate.accuracy(mode=answered)", "generate.abstain", "generate.g"}

// ScoreAnswer judges one answer: its claims against the contexts it was given, its citations, its
// completeness and correctness by the gold answer, and the decision to answer at all. It gives one
// row for each of [AnswerKeys]; where the answer failed (error, empty, cut off, filtered) the rows
// are failed ones and strict figures take the worst value. A correct abstention has no claims.
func ScoreAnswer(q edb.Question, a edb.Answer, opt AnswerOptions) AnswerScore {
	var s AnswerScore
	if opt.Verifier == "" {
		opt.Verifier = "lexical"
	}
	if detail := missingAnswer(a); detail != "" {
		s.Outcome, s.Detail = OutcomeNone, detail
		for _, key := range AnswerKeys {
			s.Rows = append(s.Rows, failed(key, "no answer ("+detail+")"))
		}
		return s.named(q, a)
	}
	contexts := make([]*passage, len(a.Contexts))
	for i, c := range a.Contexts {
		contexts[i] = opt.Texts.passage(c.Text)
	}
	if !opt.Untold {
		s.judge(q, a, contexts, opt)
	}
	var gradeError error
	if q.Answerable() && q.Answer != nil {
		c, err := Correct(q.Text, a.Text, *q.Answer)
		if err != nil {
			gradeError = err
		} else {
			c.facts(a.Text, *q.Answer)
			s.Correct = &c
		}
	}
	typed := s.Correct != nil && s.Correct.Typed
	if s.Correct != nil && s.Correct.Typed && s.Correct.Accuracy == 0 && q.Answer.Type == "boolean" {
		typed = false // "no ... is given" is no boolean
	}
	abstained := a.Finish == "abstain" || Abstains(a.Text, typed, s.Counts.Supported)
	if abstained {
		for i := range s.Claims {
			c := &s.Claims[i]
			c.Verdict, c.Against, c.Slot = edb.VerdictUncheckable, "", ""
		}
		s.Counts = CountClaims(s.Claims)
	}
	s.outcome(q, abstained)
	s.rows(q, a, contexts, abstained, gradeError)
	if opt.Untold {
		for i, r := range s.Rows {
			if claimed(r.Key) {
				s.Rows[i] = none(r.Key, "the answer names no contexts")
			}
		}
	}
	return s.named(q, a)
}

// claimed reports whether a measure rests on claims and contexts.
func claimed(key string) bool {
	base, _, _ := strings.Cut(key, "(")
	return base == "generate.fa" || base == "generate.hr" || base == "generate.sap" || base == "generate.sar" && key != "generate.sar(against=gold)" || base == "generate.g"
}

// missingAnswer says why an answer cannot be scored, or "".
func missingAnswer(a edb.Answer) string {
	switch {
	case a.Error != "" || a.Finish == "error":
		return "error"
	case a.Finish == "filter":
		return "filter"
	case strings.TrimSpace(a.Text) == "":
		if a.Finish == "length" {
			return "length"
		}
		return "empty"
	}
	return ""
}

func (s AnswerScore) named(q edb.Question, a edb.Answer) AnswerScore {
	for i := range s.Rows {
		s.Rows[i].Unit, s.Rows[i].Repeat = q.ID, a.Repeat
	}
	for i := range s.Claims {
		s.Claims[i].Query = q.ID
	}
	return s
}

// judge gives every claim its verdict.
func (s *AnswerScore) judge(q edb.Question, a edb.Answer, contexts []*passage, opt AnswerOptions) {
	s.Claims = SplitClaims(q.Text, a.Text)
	for i := range s.Claims {
		c := &s.Claims[i]
		c.Verifier = opt.Verifier
		if c.Verdict == edb.VerdictUncheckable {
			continue
		}
		st := newStatement(q.Text, c.Text)
		c.Verdict, c.Against, c.Slot = verdict(st, contexts)
		if !q.Answerable() {
			c.Verdict, c.Slot = edb.VerdictFabricated, ""
			continue
		}
		if c.Verdict != edb.VerdictAbsentUnknown {
			continue
		}
		elsewhere := opt.Gold
		if opt.Corpus != nil {
			elsewhere = append(append([]string{}, opt.Gold...), opt.Corpus(c.Text)...)
		}
		for _, text := range elsewhere {
			if where, ok := opt.Texts.passage(text).supports(st); ok {
				c.Verdict, c.Against = edb.VerdictAbsentTrue, where
				break
			}
		}
	}
	for j, cite := range a.Citations {
		if i := s.follows(cite); i >= 0 {
			s.Claims[i].Cited = append(s.Claims[i].Cited, j)
		}
	}
	s.Counts = CountClaims(s.Claims)
}

// follows is the index of the checkable claim that a citation follows: the last that begins before
// it; -1 for a citation of the whole answer, or before any.
func (s *AnswerScore) follows(c edb.Citation) int {
	if c.At < 0 {
		return -1
	}
	at := -1
	for i, x := range s.Claims {
		if x.Verdict != edb.VerdictUncheckable && x.Start < c.At {
			at = i
		}
	}
	return at
}

func (s *AnswerScore) outcome(q edb.Question, abstained bool) {
	switch {
	case abstained && !q.Answerable():
		s.Outcome = OutcomeAbstained
	case abstained:
		s.Outcome = OutcomeOver
	case !q.Answerable():
		s.Outcome = OutcomeFabrication
	case s.Correct == nil:
		s.Outcome = OutcomeUngraded
	case s.Correct.Accuracy == 1:
		s.Outcome = OutcomeCorrect
	case s.Correct.Recall > 0 || partialText(q.Answer.Type) && s.Correct.F1 >= 0.5:
		s.Outcome = OutcomePartial
	default:
		s.Outcome = OutcomeWrong
	}
}

func partialText(kind string) bool { return kind == "text" || kind == "" }

func (s *AnswerScore) rows(q edb.Question, a edb.Answer, contexts []*passage, abstained bool, gradeError error) {
	put := func(m edb.Measurement) { s.Rows = append(s.Rows, m) }
	c := s.Counts
	n := float64(c.Checkable())
	part := func(key string, k int) {
		if n == 0 {
			reason := "no checkable claim"
			if abstained {
				reason = "the answer is a refusal: no claims"
			}
			put(none(key, reason))
			return
		}
		put(row(key, float64(k)/n))
	}
	part("generate.fa", c.Supported)
	part("generate.fa(verdicts=strict)", c.Supported)
	part("generate.hr", c.Hallucinated(false))
	part("generate.hr(verdicts=strict)", c.Hallucinated(true))
	part("generate.hr(kind=intrinsic)", c.Contradicted)
	part("generate.hr(kind=extrinsic)", c.AbsentUnknown)
	part("generate.hr(kind=fabrication)", c.Fabricated)
	if n > 0 {
		any := 0.0
		if c.Hallucinated(false) > 0 {
			any = 1
		}
		put(row("generate.hr(mode=binary,unit=answer)", any))
	} else {
		put(none("generate.hr(mode=binary,unit=answer)", "no checkable claim"))
	}
	s.attribution(q, a, contexts, abstained, put)
	s.completeness(q, a, abstained, gradeError, put)
	right := abstained != q.Answerable()
	put(row("generate.abstain", boolean(right)))
	put(s.g())
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// g is the composite of this answer's parts, weights renormalised over those measured.
func (s *AnswerScore) g() edb.Measurement {
	get := func(key string) *float64 {
		for _, r := range s.Rows {
			if r.Key == key {
				return r.Value
			}
		}
		return nil
	}
	v := G(get("generate.fa"), get("generate.sap"), get("generate.sar"), get("generate.hr"), get("generate.ac")).Value
	if v == nil {
		return none("generate.g", "no part of g is measured")
	}
	return row("generate.g", *v)
}

// attribution measures citations: SAP, SAR and the gold evidence cited.
func (s *AnswerScore) attribution(q edb.Question, a edb.Answer, contexts []*passage, abstained bool, put func(edb.Measurement)) {
	statements := make([]statement, len(s.Claims))
	checkable := 0
	for i, c := range s.Claims {
		if c.Verdict != edb.VerdictUncheckable {
			statements[i] = newStatement(q.Text, c.Text)
			checkable++
		}
	}
	backed := make([]bool, len(s.Claims))
	good := 0
	for _, cite := range a.Citations {
		texts := cited(cite, a, contexts)
		from, to := 0, len(s.Claims)
		if i := s.follows(cite); i >= 0 {
			from, to = i, i+1
		} else if cite.At >= 0 {
			continue // before any claim: it follows none
		}
		hit := false
		for i := from; i < to; i++ {
			if s.Claims[i].Verdict == edb.VerdictUncheckable {
				continue
			}
			for _, p := range texts {
				if p.backs(statements[i]) {
					backed[i], hit = true, true
				}
			}
		}
		if hit {
			good++
		}
	}
	switch {
	case len(a.Citations) == 0:
		put(none("generate.sap", "no citation"))
	case checkable == 0:
		put(none("generate.sap", "no checkable claim"))
	default:
		put(row("generate.sap", float64(good)/float64(len(a.Citations))))
	}
	if checkable == 0 {
		put(none("generate.sar", "no checkable claim"))
	} else {
		n := 0
		for _, b := range backed {
			if b {
				n++
			}
		}
		put(row("generate.sar", float64(n)/float64(checkable)))
	}
	const gold = "generate.sar(against=gold)"
	switch {
	case len(q.Evidence) == 0:
		put(none(gold, "no gold evidence"))
	case abstained:
		put(none(gold, "the answer is a refusal: no claims"))
	default:
		n := 0
		for _, e := range q.Evidence {
			for _, c := range a.Citations {
				if c.Doc == e.Doc && (c.Page == e.Page || e.Page == 0) {
					n++
					break
				}
			}
		}
		put(row(gold, float64(n)/float64(len(q.Evidence))))
	}
}

// cited are the contexts of a citation's document and page; where there is none, those of the
// document that hold its quote. A citation of what was not supplied has none, and supports nothing.
func cited(c edb.Citation, a edb.Answer, contexts []*passage) []*passage {
	var out []*passage
	for i, x := range a.Contexts {
		if x.Doc == c.Doc && (x.Page == c.Page || c.Page == 0) {
			out = append(out, contexts[i])
		}
	}
	if out == nil && c.Quote != "" {
		for i, x := range a.Contexts {
			if x.Doc == c.Doc && contexts[i].exactly(c.Quote) {
				out = append(out, contexts[i])
			}
		}
	}
	return out
}

// completeness measures how much of the gold the answer gives, and whether it is right.
func (s *AnswerScore) completeness(q edb.Question, a edb.Answer, abstained bool, gradeError error, put func(edb.Measurement)) {
	keys := []string{"generate.ac", "generate.ac(mode=recall)", "generate.accuracy", "generate.accuracy(mode=f1)", "generate.accuracy(mode=answered)"}
	reason := ""
	switch {
	case !q.Answerable():
		reason = "unanswerable question"
	case gradeError != nil:
		reason = fmt.Sprintf("question %s: %v", q.ID, gradeError)
	case q.Answer == nil:
		reason = "no gold answer"
	}
	if reason != "" {
		for _, k := range keys {
			put(none(k, reason))
		}
		return
	}
	if abstained {
		for _, k := range keys[:4] {
			put(row(k, 0))
		}
		put(none(keys[4], "abstained"))
		return
	}
	r := s.Correct.Recall
	put(row(keys[0], Completeness(r)))
	put(row(keys[1], r))
	put(row(keys[2], s.Correct.Accuracy))
	put(row(keys[3], s.Correct.F1))
	put(row(keys[4], s.Correct.Accuracy))
}

// facts makes the recall that of the gold facts, where there are any: those whose words stand in the
// answer in a row, or that the lexical verifier finds borne out by it. A text with all of them is right.
func (c *Correctness) facts(answer string, gold edb.GoldAnswer) {
	if len(gold.Facts) == 0 {
		return
	}
	p := newPassage(answer)
	n := 0
	for _, f := range gold.Facts {
		if holdsWords(answer, f) {
			n++
		} else if _, ok := p.supports(statement{text: f, slots: slotsOf(f)}); ok {
			n++
		}
	}
	c.Recall = float64(n) / float64(len(gold.Facts))
	if c.Recall == 1 && partialText(gold.Type) {
		c.Accuracy = 1
	}
}

// Completeness is AC of a recall of gold facts in four steps (EnterpriseDocBench section 3.4):
// complete 1, mostly complete 2/3 (from 2/3 of the facts), partially complete 1/3 (any), incomplete 0.
func Completeness(recall float64) float64 {
	switch {
	case recall >= 1:
		return 1
	case recall >= 2.0/3-1e-12:
		return 2.0 / 3
	case recall > 0:
		return 1.0 / 3
	}
	return 0
}
