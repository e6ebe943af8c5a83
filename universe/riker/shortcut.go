package riker

import (
	"cmp"
	"slices"

	"enterprisedocbench/stats"
	"enterprisedocbench/universe"
)

// Shortcuts measures ways to answers round the documents, over the answerable questions:
//
//   - the best constant answer: the one that is right most often; questions of small sets that share it
//     because there were no others to ask are counted and set apart;
//   - the best constant answer of each template, where it is right twice or more;
//   - the answer inside of the question;
//   - one candidate: the template has the same answer whatever its questions name;
//   - always yes, or always no: what the better one gains over a coin;
//   - always the first, or always the second, of two named candidates: likewise.
//
// Choices of two are left out of the first four, for half the guesses hit them. [universe.Shortcut.Fault]
// says whether a way leads too far: 2 % or more.
func Shortcuts(qs []Question) []universe.Shortcut {
	overall, template, forced := map[string]int{}, map[[2]string]int{}, map[string]int{}
	lead, forcedIn := map[string]int{}, map[[2]string]int{}
	inside, alone, open, all := 0, 0, 0, 0
	for _, q := range qs {
		if !q.Answerable() {
			continue
		}
		all++
		if way, first, two := twoWay(q); two {
			lead[way] += map[bool]int{true: 1, false: -1}[first]
			continue
		}
		open++
		overall[answerKey(q)]++
		if q.forced {
			forced[answerKey(q)]++
			forcedIn[[2]string{q.Template, answerKey(q)}]++
		}
		template[[2]string{q.Template, answerKey(q)}]++
		if givenAway(q) {
			inside++
		}
		if q.alone {
			alone++
		}
	}
	// The worst is the answer that most questions share of their own accord.
	most, spared, byTemplate := 0, 0, map[string][2]int{} // how many, of them forced
	for k, n := range overall {
		if n > 1 && cmp.Or(cmp.Compare(n-forced[k], most-spared), cmp.Compare(n, most)) > 0 {
			most, spared = n, forced[k]
		}
	}
	for k, n := range template {
		if n > 1 {
			best := byTemplate[k[0]]
			if cmp.Or(cmp.Compare(n-forcedIn[k], best[0]-best[1]), cmp.Compare(n, best[0])) > 0 {
				byTemplate[k[0]] = [2]int{n, forcedIn[k]}
			}
		}
	}
	sum, sumSpared := 0, 0
	for _, n := range byTemplate {
		sum += n[0]
		sumSpared += n[1]
	}
	gain := func(way string) int { return max(lead[way], -lead[way]) / 2 }
	var out []universe.Shortcut
	for _, s := range []universe.Shortcut{{Name: "the best constant answer", N: most, Of: open, Forced: spared}, {Name: "the best constant answer of each template", N: sum, Of: open, Forced: sumSpared},
		{Name: "the answer inside the question", N: inside, Of: open}, {Name: "one candidate", N: alone, Of: open}, {Name: "always yes or always no, beyond a coin", N: gain("yes"), Of: all},
		{Name: "always the first or the second of two, beyond a coin", N: gain("first"), Of: all}} {
		if s.Of == 0 {
			continue
		}
		s.Share = float64(s.N) / float64(s.Of)
		if lo := stats.WilsonCount(s.N-s.Forced, s.Of, .95).Lo; lo != nil {
			s.Lo = *lo
		}
		out = append(out, s)
	}
	return out
}

// tolerable says whether a shortcut that is right n times of all is no fault.
func tolerable(n, all int) bool {
	s := universe.Shortcut{N: n, Of: all, Share: float64(n) / float64(max(all, 1))}
	if lo := stats.WilsonCount(n, max(all, 1), .95).Lo; lo != nil {
		s.Lo = *lo
	}
	return !s.Fault()
}

// givenAway says whether the answer, or an item of it, stands in the question.
func givenAway(q Question) bool {
	if q.Answer == nil || q.Answer.Type == "boolean" || q.raw == notApplicable {
		return false
	}
	h := universe.NewHaystack(q.Text)
	said := slices.Clone(q.Answer.Aliases)
	switch v := q.raw.(type) {
	case string:
		said = append(said, v)
	case []string:
		said = append(said, v...)
	}
	return slices.ContainsFunc(said, h.Holds)
}
