package metrics

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
)

// shortAnswer is the number of words (UAX 29) below which an answer is one claim
// (EnterpriseDocBench section 3.4).
const shortAnswer = 15

// SplitClaims takes an answer apart into minimal statements, in order, with code point offsets and
// no verdicts yet, except that what asserts nothing is [edb.VerdictUncheckable]: hedges and refusals
// without a value, questions, and repetitions of the question. Below 15 words the answer is one
// claim. An empty answer has none.
func SplitClaims(question, answer string) []edb.Claim {
	var out []edb.Claim
	add := func(start int, text string) {
		lead := utf8.RuneCountInString(text) - utf8.RuneCountInString(strings.TrimLeft(text, " \t\n\r,;-–—•*"))
		text = strings.TrimLeft(text, " \t\n\r,;-–—•*")
		text = strings.TrimRight(text, " \t\n\r,;")
		start += lead
		if text == "" {
			return
		}
		out = append(out, edb.Claim{N: len(out), Text: text, Start: start, End: start + utf8.RuneCountInString(text)})
	}
	if n := len(tokens.Words(answer)); n == 0 {
		return nil
	} else if n < shortAnswer {
		add(0, answer)
	} else {
		r := []rune(answer)
		for _, s := range tokens.Sentences(answer) {
			at := s.Start
			pieces := clauses(string(r[s.Start:s.End]))
			for i, piece := range pieces {
				text := piece
				if i < len(pieces)-1 {
					text = jointEnd.ReplaceAllString(text, "")
				}
				add(at, text)
				at += utf8.RuneCountInString(piece)
			}
		}
	}
	q := slotsOf(question)
	for i := range out {
		if !checkable(q, question, out[i].Text) {
			out[i].Verdict = edb.VerdictUncheckable
		}
	}
	return out
}

// joint is where one sentence may hold two statements.
var joint = regexp.MustCompile(`;\s+|\n+|,?\s+(?:and|but|while|whereas|although)\s+|,\s+(?:which|who)\s+`)

// jointEnd is what a joint leaves at the end of its left side.
var jointEnd = regexp.MustCompile(`(?:;\s+|\n+|,?\s+(?:and|but|while|whereas|although)\s+|,\s+(?:which|who)\s+)$`)

// finite are words that mark a clause with a verb of its own.
var finite = regexp.MustCompile(`(?i)\b(is|are|was|were|has|have|had|will|would|shall|can|may|must|does|did|pays?|paid|costs?|amounts?|runs?|rose|fell|grew|ends?|ended|starts?|started|begins?|began|expires?|holds?|held|signed|visited|owns?|totals?|totall?ed|equals?|employs?|manages?|rises?|[a-z]{3,}ed)\b`)

// clauses cuts a sentence where both sides hold a verb and assert something; the pieces joined give
// the sentence.
func clauses(s string) []string {
	var out []string
	from := 0
	for _, m := range joint.FindAllStringIndex(s, -1) {
		left, right := s[from:m[0]], s[m[1]:]
		if next := joint.FindStringIndex(right); next != nil {
			right = right[:next[0]]
		}
		if finite.MatchString(left) && finite.MatchString(right) && len(strings.Fields(left)) >= 3 && len(strings.Fields(right)) >= 3 {
			out = append(out, s[from:m[1]])
			from = m[1]
		}
	}
	return append(out, s[from:])
}

var booleanLead = regexp.MustCompile(`(?i)^\W*(yes|no|true|false|correct|incorrect)\b`)

// checkable reports whether a statement asserts a number, date, entity, boolean or relation that
// the question does not already say.
func checkable(q slots, question, claim string) bool {
	if strings.HasSuffix(strings.TrimSpace(claim), "?") {
		return false
	}
	s := slotsOf(claim)
	news := 0
	for _, l := range [][2][]string{{s.numbers, q.numbers}, {s.dates, q.dates}} {
		for _, x := range l[0] {
			if !has(l[1], x) {
				news++
			}
		}
	}
	for _, l := range [][]string{s.entities, s.anchors} {
		for _, x := range l {
			if !q.all[x] {
				news++
			}
		}
	}
	values := 0
	for _, x := range append(append([]string{}, s.numbers...), s.dates...) {
		if !has(q.numbers, x) && !has(q.dates, x) {
			values++
		}
	}
	for _, x := range s.entities {
		if !q.all[x] {
			values++
		}
	}
	if refusal.MatchString(strings.Join(strings.Fields(claim), " ")) && values == 0 {
		return false
	}
	if hedge.MatchString(claim) && values == 0 {
		return false
	}
	if booleanLead.MatchString(claim) && yesNoQuestion.MatchString(question) {
		return true
	}
	return news > 0
}

func has(list []string, x string) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// ClaimCounts are the verdicts of one answer, counted.
type ClaimCounts struct {
	Supported, Contradicted, AbsentTrue, AbsentUnknown, Fabricated, Uncheckable int
}

// Checkable is the number of claims that got a verdict other than uncheckable.
func (c ClaimCounts) Checkable() int {
	return c.Supported + c.Contradicted + c.AbsentTrue + c.AbsentUnknown + c.Fabricated
}

// Hallucinated is the numerator of the hallucination rate; strict adds what is true but not in the
// context.
func (c ClaimCounts) Hallucinated(strict bool) int {
	n := c.Contradicted + c.AbsentUnknown + c.Fabricated
	if strict {
		n += c.AbsentTrue
	}
	return n
}

// CountClaims counts verdicts. A claim without one counts as uncheckable.
func CountClaims(claims []edb.Claim) ClaimCounts {
	var c ClaimCounts
	for _, x := range claims {
		switch x.Verdict {
		case edb.VerdictSupported:
			c.Supported++
		case edb.VerdictContradicted:
			c.Contradicted++
		case edb.VerdictAbsentTrue:
			c.AbsentTrue++
		case edb.VerdictAbsentUnknown:
			c.AbsentUnknown++
		case edb.VerdictFabricated:
			c.Fabricated++
		default:
			c.Uncheckable++
		}
	}
	return c
}

// HR gives the three hallucination rates of a set of answers, which are never mixed: the mean over
// answers of the share of bad claims (the continuous one), the share of bad claims of all (micro),
// and the share of answers with at least one (binary). Answers without checkable claims enter none;
// all are nil where no answer has one.
func HR(answers []ClaimCounts) (continuous, micro, binary *float64) {
	var sum, bad, all, any, n float64
	for _, c := range answers {
		if c.Checkable() == 0 {
			continue
		}
		b, m := float64(c.Hallucinated(false)), float64(c.Checkable())
		sum += b / m
		bad += b
		all += m
		n++
		if b > 0 {
			any++
		}
	}
	if n == 0 {
		return nil, nil, nil
	}
	sum, bad, any = sum/n, bad/all, any/n
	return &sum, &bad, &any
}
