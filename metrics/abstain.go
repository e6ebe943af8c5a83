package metrics

import (
	"regexp"
	"strings"

	"enterprisedocbench/internal/tokens"
)

// refusal matches what people and models say when they do not answer. Its reach is the first two
// sentences of an answer; whether the answer then gives a value all the same is asked apart.
var refusal = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`\b(documents?|passages?|contexts?|texts?|sources?|reports?|excerpts?|records?|materials?|information|leases?|statements?|filings?)\b[^.]{0,60}\b(do|does|did|is|are|was|were|has|have|can)(n['’]t| not)\b[^.]{0,30}\b(say|state|mention|contain|specify|provide|include|give|indicate|disclose|hold|tell|answer|available|enough|sufficient)`,
	`\b(not|n['’]t|never|nowhere) (be )?(explicitly |directly |clearly )?(stated|mentioned|specified|provided|found|given|disclosed|available|included|indicated|contained|determined|known|answerable|reported|listed)\b`,
	`\b(can ?not|can['’]t|could ?n['’]t|could not|unable to|am not able to|is not possible to|not possible to)\b[^.]{0,40}\b(answer|find|determine|help|provide|name|say|tell|identify|assist|locate|give|confirm|establish|verify|infer|be (answered|determined|found))\b`,
	`^\W*(not (found|stated|available|mentioned|given|specified|known|applicable|provided|disclosed|answerable)|unknown|unanswerable|n/?a|none|no (answer|information|data|mention|such)|sorry)\b`,
	`\b(i (do not|don['’]t) (know|have)|there is no (information|mention|data|record|evidence|such|answer|indication)|no (information|mention|data|evidence|record)s? (is|are|was|were|on|about|of|regarding)|insufficient (information|context|evidence)|not enough (information|context)|(does|do) not (exist|appear))\b`,
	`(没有|沒有|无法|無法|未提及|不知道|記載されていません|わかりません|분명하지 않)`,
}, "|"))

// hedge opens statements that assert nothing by themselves.
var hedge = regexp.MustCompile(`(?i)^\W*(i (think|believe|guess|suppose|assume)|perhaps|maybe|possibly|presumably|it (is|may be|might be) (possible|likely|unclear|probable|hard|difficult)|it (seems|appears|depends)|in general|generally speaking|note that|please (note|consult|check|refer)|based on (the|these)|here (is|are)|sure|of course|let me|hope this|i hope|as an ai|thank)\b`)

// Refuses reports whether the first two sentences of a text hold a refusal. It does not look at
// whether the text answers nevertheless.
func Refuses(text string) bool {
	ss := tokens.Sentences(text)
	if len(ss) == 0 {
		return false
	}
	r := []rune(text)
	return refusal.MatchString(strings.Join(strings.Fields(string(r[ss[0].Start:ss[min(1, len(ss)-1)].End])), " "))
}

// Abstains reports whether an answer declines to answer: a refusal in its first two sentences, and
// no value of the kind asked for (typed says so) and no supported claim. A hedge with a value is an
// answer. An empty text is not an abstention.
func Abstains(text string, typed bool, supported int) bool {
	return Refuses(text) && !typed && supported == 0
}
