package metrics

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"enterprisedocbench"
)

var (
	yesNoQuestion = regexp.MustCompile(`(?i)^\W*(is|are|was|were|does|do|did|has|have|had|can|could|may|must|will|would|should)\b`)
	falseLead     = regexp.MustCompile(`(?i)^\W*(no|false|incorrect|not)\b`)
	trueLead      = regexp.MustCompile(`(?i)^\W*(yes|true|correct)\b`)
)

// Correctness is how right an answer is by the type of its gold.
type Correctness struct {
	Accuracy  float64 // 1 or 0
	F1        float64 // token F1 (characters for CJK) of the best alias; F1 of the items for sets
	Precision float64 // of the items of a set
	Recall    float64 // of the items of a set; else Accuracy
	Typed     bool    // the answer holds a value of the gold's type, right or wrong
}

// Correct judges an answer by a typed gold (EnterpriseDocBench section 3.3; TAT-QA for the scale):
//
//   - number: one of the numbers that the answer gives as its value equals the gold within its
//     tolerance (relative; absolute where the gold is 0), with unit, scale, percentages, accounting
//     negatives and the minus sign of Unicode read;
//   - date: the answer names the gold's day, or month, or quarter, whichever the gold gives;
//   - boolean: the answer begins with yes or no, true or false, or denies in its first sentence;
//   - set: every item is named and no other; precision, recall and F1 beside it;
//   - text, exact: the words of the value or of an alias stand in the answer in a row.
//
// It is an error where the gold's value does not fit its type.
func Correct(question, answer string, gold edb.GoldAnswer) (Correctness, error) {
	var c Correctness
	values := append(goldStrings(gold), gold.Aliases...)
	for _, v := range values {
		c.F1 = max(c.F1, AnswerF1(answer, v))
	}
	hit := func(ok bool) {
		if ok {
			c.Accuracy = 1
		}
		c.Recall = c.Accuracy
	}
	switch gold.Type {
	case "number":
		g, err := readGoldNumber(gold)
		if err != nil {
			return c, err
		}
		ns := pick(question, answer, g)
		c.Typed = len(ns) > 0
		ok := false
		for _, n := range ns {
			ok = ok || g.matches(n)
		}
		for _, a := range gold.Aliases {
			ok = ok || holdsWords(answer, a)
		}
		hit(ok)
	case "date":
		want := datesOf(fmt.Sprint(gold.Value))
		if len(want) == 0 {
			return c, fmt.Errorf("gold value %v is no date", gold.Value)
		}
		got := datesOf(answer)
		c.Typed = len(got) > 0
		ok := false
		for _, d := range got {
			ok = ok || d.form == want[0].form || len(d.form) > len(want[0].form) && strings.HasPrefix(d.form, want[0].form)
		}
		for _, a := range gold.Aliases {
			ok = ok || holdsWords(answer, a)
		}
		hit(ok)
	case "boolean":
		want, ok := goldBool(gold.Value)
		if !ok {
			return c, fmt.Errorf("gold value %v is no boolean", gold.Value)
		}
		got, said := saidBool(answer)
		c.Typed = said
		hit(said && got == want)
	case "set":
		items := goldStrings(gold)
		if len(items) == 0 {
			return c, fmt.Errorf("gold value %v is no list", gold.Value)
		}
		c.set(answer, items)
	case "text", "exact", "":
		if len(values) == 0 || strings.TrimSpace(strings.Join(values, "")) == "" {
			return c, fmt.Errorf("gold value %v is no text", gold.Value)
		}
		ok := false
		for _, v := range values {
			ok = ok || holdsWords(answer, v)
			if n := datesOf(v); len(n) == 1 && len(v) == n[0].end-n[0].start {
				for _, d := range datesOf(answer) {
					ok = ok || d.form == n[0].form
				}
			}
		}
		c.Typed = ok
		hit(ok)
	default:
		return c, fmt.Errorf("gold answer of type %q: use text, exact, number, date, boolean or set", gold.Type)
	}
	return c, nil
}

var itemBreak = regexp.MustCompile(`(?i)\s*[;\n]\s*|,\s+(?:and\s+|or\s+)?|\s+(?:and|or|as well as)\s+`)
var itemLead = regexp.MustCompile(`(?i)^.*?\b(?:are|is|were|include|includes|including|namely)\b:?\s+|^[^,;:]*:\s+`)

func (c *Correctness) set(answer string, items []string) {
	named := 0
	for _, it := range items {
		if holdsWords(answer, it) {
			named++
		}
	}
	list := strings.TrimRight(strings.TrimSpace(citeMark.ReplaceAllString(answer, "")), ".")
	if m := itemLead.FindString(list); m != "" && m != list {
		list = list[len(m):]
	}
	given, good := 0, 0
	for _, part := range itemBreak.Split(list, -1) {
		if len(squad(part)) == 0 {
			continue
		}
		given++
		if slices.ContainsFunc(items, func(it string) bool { return holdsWords(part, it) || holdsWords(it, part) }) {
			good++
		}
	}
	c.Typed = named > 0
	c.Recall = float64(named) / float64(len(items))
	if given > 0 {
		c.Precision = float64(good) / float64(given)
	}
	c.F1 = 0
	if c.Recall+c.Precision > 0 {
		c.F1 = 2 * c.Recall * c.Precision / (c.Recall + c.Precision)
	}
	if named == len(items) && good == given {
		c.Accuracy = 1
	}
}

func goldStrings(g edb.GoldAnswer) []string {
	switch v := g.Value.(type) {
	case nil:
		return nil
	case []string:
		return slices.Clone(v)
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, fmt.Sprint(x))
		}
		return out
	case string:
		return []string{v}
	}
	return []string{fmt.Sprint(g.Value)}
}

func goldBool(v any) (value, ok bool) {
	switch x := v.(type) {
	case bool:
		return x, true
	case string:
		switch strings.ToLower(strings.TrimSpace(x)) {
		case "yes", "true":
			return true, true
		case "no", "false":
			return false, true
		}
	}
	return false, false
}

// saidBool reads yes or no from an answer: its first word, else whether its first sentence denies.
// An empty answer and a refusal say neither.
func saidBool(answer string) (value, said bool) {
	switch {
	case trueLead.MatchString(answer):
		return true, true
	case falseLead.MatchString(answer):
		return false, true
	case strings.TrimSpace(answer) == "" || Refuses(answer):
		return false, false
	}
	return !slotsOf(answer).denies, true
}
