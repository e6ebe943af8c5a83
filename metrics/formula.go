package metrics

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/vec"
)

var (
	texMark    = regexp.MustCompile(`[\\^_{=]`)
	texSpaces  = regexp.MustCompile(`\\[,;:!> ]|\\(?:quad|qquad|thinspace|nobreak|displaystyle|nonumber|notag|limits)\b|~|\\label\{[^{}]*\}|[\s\x{85}\p{Z}]+`)
	texCommand = regexp.MustCompile(`\\[A-Za-z]+$`)
	texOne     = regexp.MustCompile(`\{(\\[A-Za-z]+|[^\\{}\s])\}`)
	texOuter   = regexp.MustCompile(`(?s)\A\s*(?:\$\$(.*)\$\$|\$(.*)\$|\\\[(.*)\\\]|\\\((.*)\\\)|\\begin\{(?:equation|displaymath|math)\*?\}(.*)\\end\{(?:equation|displaymath|math)\*?\})\s*[.,;]?\s*\z`)
)

// LaTeX is the form in which formulas are compared: without the marks around them ($, $$, \[, \(,
// equation), without white space, spacing commands, labels and other commands that print nothing
// (one blank stays where a letter follows a command's name), and without braces around one symbol
// (x^{2} is x^2). It is idempotent. Other ways to write the same picture stay different.
func LaTeX(s string) string {
	for {
		m := texOuter.FindStringSubmatch(s)
		if m == nil {
			break
		}
		s = m[1] + m[2] + m[3] + m[4] + m[5]
	}
	for {
		out := without(texSpaces, s, func(string) string { return "" })
		out = without(texOne, out, func(braced string) string { return braced[1 : len(braced)-1] })
		if out == s {
			return out
		}
		s = out
	}
}

// without replaces what a pattern matches, with a blank where a letter comes to stand behind a command.
func without(pattern *regexp.Regexp, s string, replace func(match string) string) string {
	var b strings.Builder
	glue := func(part string) {
		if part != "" && letter(part[0]) && texCommand.MatchString(tail(b.String())) {
			b.WriteByte(' ')
		}
		b.WriteString(part)
	}
	at := 0
	for _, m := range pattern.FindAllStringIndex(s, -1) {
		glue(s[at:m[0]])
		glue(replace(s[m[0]:m[1]]))
		at = m[1]
	}
	glue(s[at:])
	return b.String()
}

// tail is the end of a text that a command's name may fill.
func tail(s string) string { return s[max(0, len(s)-40):] }

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// formulasOf lists the formulas of a parse in reading order: formula elements, and what stands between
// formula marks in the text of others; between single dollar signs only where a sign of TeX stands
// (\ ^ _ { =), since dollars are money too.
func formulasOf(p edb.Parsed) (out []string) {
	for _, e := range p.Elements {
		switch {
		case e.Artifact() || e.Text == "" || e.Kind == edb.KindCode:
		case e.Kind == edb.KindFormula:
			if f := LaTeX(e.Text); f != "" {
				out = append(out, f)
			}
		default:
			for _, m := range formulaMarkup.FindAllString(e.Text, -1) {
				if strings.HasPrefix(m, "$") && !strings.HasPrefix(m, "$$") && !texMark.MatchString(m) {
					continue
				}
				if f := LaTeX(m); f != "" {
					out = append(out, f)
				}
			}
		}
	}
	return out
}

// maxFormulaPairs bounds the pairs of formulas that are compared.
const maxFormulaPairs = 1 << 20

// FormulaSim is the likeness of formulas: 1 - Levenshtein/longer length in code points of two
// formulas in the form of [LaTeX], summed over pairs ÷ the larger number of formulas. Equal formulas
// pair first; the rest is assigned one to one so that the sum is greatest. In [0,1], higher is better,
// symmetric. It compares how formulas are written: the same picture written in other commands scores
// below 1.
// No gold formula: nothing to measure (ok is false). More than 2^20 pairs left: an error that says so.
// Source: ours, after the normalised edit distance of formulas in OmniDocBench (Ouyang et al. 2024).
func FormulaSim(pred, gold []string) (value float64, ok bool, err error) {
	if len(gold) == 0 {
		return 0, false, nil
	}
	n := max(len(gold), len(pred))
	left := map[string]int{}
	for _, p := range pred {
		left[p]++
	}
	var g, p []string
	same := 0
	for _, x := range gold {
		if left[x] > 0 {
			left[x]--
			same++
			continue
		}
		g = append(g, x)
	}
	for _, x := range pred {
		if left[x] > 0 {
			left[x]--
			p = append(p, x)
		}
	}
	if len(g)*len(p) > maxFormulaPairs {
		return 0, true, fmt.Errorf("too many formulas to compare: %d of gold and %d predicted differ, at most %d pairs", len(g), len(p), maxFormulaPairs)
	}
	rest := 0.0
	if len(g) > 0 {
		slices.Sort(g) // so that neither order nor which of equal ones paired matters
		slices.Sort(p)
		rest, _ = assigned(len(p), len(g), func(j, i int) float64 { return vec.Similarity(p[j], g[i]) })
		rest *= float64(max(len(g), len(p)))
	}
	return (float64(same) + rest) / float64(n), true, nil
}
