package metrics

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"enterprisedocbench"
)

// Categories of RIKER's questions (RIKER section 3.3).
const (
	CategorySingle      = "single"      // L01 to L04: one document holds the answer
	CategoryAggregation = "aggregation" // L05 to L10: many documents do
	CategoryProbe       = "probe"       // L11 and L12: none does
)

// Categories lists them in the order of their levels.
var Categories = []string{CategorySingle, CategoryAggregation, CategoryProbe}

// Category is the category of a level, L01 to L12; "" for anything else.
func Category(level string) string {
	if len(level) != 3 || level[0] != 'L' {
		return ""
	}
	switch n := int(level[1]-'0')*10 + int(level[2]-'0'); {
	case n >= 1 && n <= 4:
		return CategorySingle
	case n >= 5 && n <= 10:
		return CategoryAggregation
	case n == 11 || n == 12:
		return CategoryProbe
	}
	return ""
}

// Grade is one answer in RIKER's terms (RIKER sections 3.4 and 3.5).
type Grade struct {
	Query    string `json:"query"`
	Level    string `json:"level,omitempty"`
	Category string `json:"category,omitempty"`
	Repeat   int    `json:"repeat,omitempty"`
	// Right: correct by the type of the gold answer, which may be that something is not applicable;
	// on a probe: the answer says that there is nothing to say.
	Right bool `json:"right"`
	// Fabricated: a specific answer to a probe. What lost its coherence, is empty or failed is not
	// specific, yet not Right either.
	Fabricated bool `json:"fabricated,omitempty"`
	// Lost says how coherence was lost (see CoherenceLoss); "" where it was not.
	Lost string `json:"lost,omitempty"`
	// Failed says why there is no answer: error, filter, empty, length.
	Failed string `json:"failed,omitempty"`
}

// notApplicable are the answers that a gold value of this kind stands for: an optional part that the
// document does not have. To say so is grounding, not abstention.
var notApplicable = []string{"n/a", "not applicable"}

// Grader grades the answers to a set of questions.
type Grader struct {
	questions map[string]edb.Question
	longest   int // characters of the longest gold answer
}

// NewGrader prepares grading.
func NewGrader(questions []edb.Question) *Grader {
	g := &Grader{questions: make(map[string]edb.Question, len(questions))}
	for _, q := range questions {
		g.questions[q.ID] = q
		if q.Answer != nil {
			for _, v := range append(goldStrings(*q.Answer), strings.Join(goldStrings(*q.Answer), ", ")) {
				g.longest = max(g.longest, len([]rune(v)))
			}
		}
	}
	return g
}

// Question is the question of an ID.
func (g *Grader) Question(id string) (edb.Question, bool) {
	q, ok := g.questions[id]
	return q, ok
}

// Grade grades one answer. Where it names a final answer ("Final answer: 42"), that alone is graded.
// The error is for an answer to no question and for a gold answer that cannot be read.
func (g *Grader) Grade(a edb.Answer) (Grade, error) {
	q, ok := g.questions[a.Query]
	if !ok {
		return Grade{}, fmt.Errorf("answer to question %q: there is no such question in the dataset", a.Query)
	}
	out := Grade{Query: a.Query, Level: q.Level, Category: Category(q.Level), Repeat: a.Repeat, Failed: missingAnswer(a)}
	out.Lost = CoherenceLoss(a, g.longest)
	if out.Failed != "" {
		return out, nil
	}
	text := finalAnswer(a.Text)
	if !q.Answerable() {
		out.Right = a.Finish == "abstain" || Refuses(text)
		out.Fabricated = !out.Right && out.Lost == "" && strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
		return out, nil
	}
	if q.Answer == nil {
		return out, fmt.Errorf("question %s has no gold answer to grade by", q.ID)
	}
	if v, ok := q.Answer.Value.(string); ok && slices.Contains(notApplicable, strings.ToLower(v)) {
		out.Right = a.Finish == "abstain" || Refuses(text)
		return out, nil
	}
	if a.Finish == "abstain" {
		return out, nil
	}
	c, err := Correct(q.Text, text, *q.Answer)
	if err != nil {
		return out, fmt.Errorf("question %s: %w", q.ID, err)
	}
	out.Right = c.Accuracy == 1
	return out, nil
}

// finalAnswer is what stands behind the last "Final answer:", or the whole text (RIKER section 3.4.2).
func finalAnswer(text string) string {
	const mark = "final answer:"
	for i := len(text) - len(mark); i >= 0; i-- {
		if strings.EqualFold(text[i:i+len(mark)], mark) {
			if rest := strings.Trim(text[i+len(mark):], " \t\r\n*[]\""); rest != "" {
				return rest
			}
			return text
		}
	}
	return text
}

// FidelityKeys are the measures that [Grade.Rows] gives, in the order in which tables print them.
var FidelityKeys = []string{"generate.riker", "generate.riker(part=single)", "generate.riker(part=aggregation)", "generate.riker(part=detection)", "generate.hall_rate",
	"generate.riker(part=faithfulness)", "generate.riker(part=grounding)", "generate.fabrication",
	"generate.coherence_loss", "generate.coherence_loss(part=single)", "generate.coherence_loss(part=aggregation)", "generate.coherence_loss(part=probe)"}

// IntervalMethod is what a figure says of how its interval was made: of a measure that resamples
// questions, each question is its own cluster, and the words of package stats would name documents.
func IntervalMethod(key, method string) string {
	if PerQuestion(key) {
		return strings.Replace(method, "clustered by documents", "over questions, each a cluster of its own", 1)
	}
	return method
}

// PerQuestion reports whether a measure's interval resamples questions and not documents: RIKER's
// measures do, because in a universe one question rests on many documents and all share them, while
// questions are drawn one by one.
func PerQuestion(key string) bool {
	base, _, _ := strings.Cut(key, "(")
	switch base {
	case "generate.riker", "generate.fabrication", "generate.hall_rate", "generate.coherence_loss":
		return true
	}
	return false
}

// Rows are the measurements of one grade: those of [FidelityKeys] that its category enters, and its
// level's accuracy. Overall is the pooled accuracy of all three categories, faithfulness that of
// single-document questions and probes, grounding that of single-document questions alone,
// fabrication the share of probes that got a specific answer; the hall rate, 100 % less detection,
// also counts garbage (RIKER sections 3.5 and 5.1). Answers that failed are failed rows.
func (g Grade) Rows() []edb.Measurement {
	var out []edb.Measurement
	put := func(key string, v float64) {
		m := edb.Measurement{Unit: g.Query, Key: key, Def: 1, Repeat: g.Repeat}
		if g.Failed != "" {
			m.Failed, m.Reason = true, "no answer ("+g.Failed+")"
		} else {
			m.Value = &v
		}
		out = append(out, m)
	}
	if g.Category == "" {
		return nil
	}
	right := boolean(g.Right)
	put("generate.riker", right)
	switch g.Category {
	case CategorySingle:
		put("generate.riker(part=single)", right)
		put("generate.riker(part=faithfulness)", right)
		put("generate.riker(part=grounding)", right)
	case CategoryAggregation:
		put("generate.riker(part=aggregation)", right)
	case CategoryProbe:
		put("generate.riker(part=detection)", right)
		put("generate.riker(part=faithfulness)", right)
		put("generate.hall_rate", 1-right)
		put("generate.fabrication", boolean(g.Fabricated))
	}
	put("generate.riker(part="+g.Level+")", right)
	// An answer cut off before its first word has lost its coherence all the same.
	lost := boolean(g.Lost != "")
	for _, key := range []string{"generate.coherence_loss", "generate.coherence_loss(part=" + g.Category + ")"} {
		m := edb.Measurement{Unit: g.Query, Key: key, Def: 1, Repeat: g.Repeat, Value: &lost}
		out = append(out, m)
	}
	return out
}
