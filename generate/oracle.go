package generate

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"enterprisedocbench"
)

// oracle answers with the gold and cites the gold evidence: the ceiling of a generation stage.
type oracle struct{}

var _ Generator = oracle{}

func (oracle) Generate(_ context.Context, q edb.Question, contexts []edb.Context) (edb.Answer, error) {
	a := edb.Answer{Query: q.ID, Contexts: contexts, Model: "oracle", Finish: "stop",
		Usage: &edb.Usage{PromptTokens: intp(0), CompletionTokens: intp(0), USD: floatp(0)}}
	if !q.Answerable() {
		a.Text, a.Finish = Refusal, "abstain"
		return a, nil
	}
	if q.Answer == nil {
		return a, fmt.Errorf("question %s has no gold answer for the oracle to give", q.ID)
	}
	a.Text = GoldText(*q.Answer)
	for _, e := range q.Evidence {
		a.Citations = append(a.Citations, edb.Citation{Doc: e.Doc, Page: e.Page, Quote: e.Quote, At: -1})
	}
	return a, nil
}

// GoldText is a typed gold answer as a person would write it: a number with its unit and scale, yes
// or no, a set as a list with commas; facts, where there are any, as their sentences.
func GoldText(g edb.GoldAnswer) string {
	if len(g.Facts) > 0 && g.Type == "text" {
		return strings.Join(g.Facts, " ")
	}
	s := ""
	switch v := g.Value.(type) {
	case nil:
		return ""
	case string:
		s = v
	case bool:
		if v {
			return "Yes"
		}
		return "No"
	case float64:
		s = strconv.FormatFloat(v, 'f', -1, 64)
	case int:
		s = strconv.Itoa(v)
	case []string:
		s = strings.Join(v, ", ")
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = fmt.Sprint(x)
		}
		s = strings.Join(parts, ", ")
	default:
		s = fmt.Sprint(v)
	}
	if g.Type != "number" {
		return s
	}
	switch {
	case g.Unit == "%" || g.Unit == "percent":
		if !strings.Contains(s, "%") {
			s += "%"
		}
	case g.Unit == "$" || g.Unit == "€" || g.Unit == "£":
		if !strings.Contains(s, g.Unit) {
			s = g.Unit + s
		}
	}
	if g.Scale != "" {
		s += " " + g.Scale
	}
	if g.Unit != "" && !strings.ContainsAny(g.Unit, "%$€£") && g.Unit != "percent" && g.Unit != "fraction" {
		s += " " + g.Unit
	}
	return s
}
