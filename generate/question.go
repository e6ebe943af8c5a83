package generate

import (
	"regexp"
	"strings"
	"unicode"

	"enterprisedocbench/internal/tokens"
)

// What a question asks for.
const (
	wantAny = iota
	wantNumber
	wantDate
	wantName
	wantYesNo
)

// asked is a question as the reader sees it.
type asked struct {
	text     string
	want     int
	entities [][]string // names and codes, as normal forms in order
	inEntity map[string]bool
	field    []string // what is asked about them: content words outside entities, each once
	all      []string // field and entity words, each once
	extreme  int      // 1 highest, -1 lowest, 0 neither
}

var (
	howMuch = regexp.MustCompile(`(?i)\bhow (much|many|long|large|big|high|often)\b|\b(what|which) (is|was|were|are)? ?(the )?(\w+ ){0,4}(amount|price|rent|revenue|cost|costs|fee|deposit|total|number|percentage|rate|share|area|size|budget|profit|value|score|headcount|balance|cover|cash|dividend)\b`)
	when    = regexp.MustCompile(`(?i)\bwhen\b|\b(what|which|on what|on which|by what|by which)( \w+){0,3} (date|day)\b|\bwhat( \w+){0,2} date\b`)
	who     = regexp.MustCompile(`(?i)^\W*(who|whom|whose)\b|\bby whom\b|\bwho\b|\bwhich (person|company|firm|agent|tenant|landlord|bank|customer|employee|director|manager|supplier|auditor|competitor)\b|\bwhat is the name\b`)
	yesNo   = regexp.MustCompile(`(?i)^\W*(is|are|was|were|does|do|did|has|have|had|can|could|may|must|will|would|should)\b`)
	highest = regexp.MustCompile(`(?i)\b(highest|largest|greatest|most|maximum|biggest|best)\b`)
	lowest  = regexp.MustCompile(`(?i)\b(lowest|smallest|least|minimum|fewest|worst)\b`)
	legal   = words(`ltd inc llc plc gmbh ag corp co company limited incorporated`)
)

// instruction is a sentence at the end of a question that says how to answer, not what is asked.
var instruction = regexp.MustCompile(`(?i)\s+(please )?(reply|respond|answer|indicate|write|give|state)\b[^.?!]{0,40}\b(only|with|your|as|in)\b[^?]*$`)

func understand(q string) asked {
	q = instruction.ReplaceAllString(q, "")
	a := asked{text: q, inEntity: map[string]bool{}}
	switch {
	case yesNo.MatchString(q):
		a.want = wantYesNo
	case when.MatchString(q):
		a.want = wantDate
	case who.MatchString(q):
		a.want = wantName
	case howMuch.MatchString(q):
		a.want = wantNumber
	}
	switch {
	case highest.MatchString(q):
		a.extreme = 1
	case lowest.MatchString(q):
		a.extreme = -1
	}
	runes := []rune(q)
	var run []string
	end := -1
	flush := func() {
		for len(run) > 0 && legal[run[len(run)-1]] {
			run = run[:len(run)-1]
		}
		if len(run) > 0 {
			a.entities = append(a.entities, run)
			for _, k := range run {
				a.inEntity[k] = true
			}
		}
		run = nil
	}
	seen := map[string]bool{}
	for i, w := range tokens.Words(q) {
		k := stem(w.Key)
		first := runes[w.Start]
		name := unicode.IsUpper(first) && (i > 0 || !stop[w.Key]) || unicode.IsDigit(first)
		between := ""
		if end >= 0 {
			between = string(runes[end:w.Start])
		}
		if len(run) > 0 && (!name || strings.ContainsAny(between, ",;:?!()\"“”") || strings.Contains(between, ". ") && !initial(run[len(run)-1])) {
			flush()
		}
		if name && !(stop[w.Key] && len(run) == 0) && !(i == 0 && !unicode.IsDigit(first)) {
			run = append(run, k)
		}
		end = w.End
		if strings.HasSuffix(w.Key, "'s") || strings.HasSuffix(w.Key, "’s") {
			flush()
		}
		if !stop[w.Key] && !seen[k] {
			seen[k] = true
			a.all = append(a.all, k)
		}
	}
	flush()
	for _, k := range a.all {
		if !a.inEntity[k] && !legal[k] && !highest.MatchString(k) && !lowest.MatchString(k) {
			a.field = append(a.field, k)
		}
	}
	return a
}

func initial(k string) bool { return len(k) == 1 }

// holds reports whether keys stand in a text, given as its normal forms between single spaces.
func holds(joined string, keys []string) bool {
	return strings.Contains(joined, " "+strings.Join(keys, " ")+" ")
}

func joined(words []string) string { return " " + strings.Join(words, " ") + " " }
