package metrics

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"enterprisedocbench"
	"enterprisedocbench/internal/vec"
)

// Facts counts the facts of one type ("" is every type) that a parse of their document meets, each by
// the text of its page, artifacts left out; a parse without page marks is looked at as a whole. A page
// that the parse does not have has no text: what must be absent is. The rules by type are those of
// olmOCR-bench, on text in which white-space runs are one space, quotes and dashes are ASCII's, and
// Unicode is NFC:
//
//   - present: the best likeness of the text and any stretch of the page as long as it is at least
//     1 - max_diffs/length; likeness is 1 - (insertions + deletions)/(both lengths). Without max_diffs
//     the text must stand there as it is. A page more than max_diffs shorter than the text has not.
//   - absent: not present.
//   - order: both texts stand on the page within max_diffs edits each, and some place of the first
//     begins before some place of the second.
//   - table: some cell of some table is at least 1 - max_diffs/length (and .5) like the text, and has,
//     for each neighbour that is named, a next cell on that side that is as like it; for a head, a
//     head cell (th, or in thead) on that side, at any distance, or the last cell where there is none.
//   - formula: the formula, in the form of [LaTeX], is a formula of the page or a part of one. Here
//     olmOCR-bench compares rendered symbols: a formula that is written in other commands fails here.
//   - baseline: see edb.Fact.
//
// met is within [0, n], and the measure is met ÷ n, in [0,1], higher is better. No fact of the type: n is
// 0 and there is nothing to measure. An empty parse meets the facts of absence alone.
//
// Source: olmOCR-bench, bench/tests.py and bench/table_parsing.py, on plain text in place of Markdown,
// so that no mark of emphasis has to be taken away.
func Facts(pred edb.Parsed, facts []edb.Fact, kind string) (met, n int) {
	pages := map[int]*factPage{}
	for _, f := range facts {
		if kind != "" && f.Type != kind {
			continue
		}
		number := f.Page
		if !pred.Paged {
			number = 1
		}
		pg := pages[number]
		if pg == nil {
			pg = newFactPage(pred, number)
			pages[number] = pg
		}
		n++
		if pg.meets(f) {
			met++
		}
	}
	return met, n
}

// factPage is a page ready for facts.
type factPage struct {
	raw      string
	text     string // folded
	tables   []factTable
	formulas []string
}

func newFactPage(p edb.Parsed, number int) *factPage {
	one := edb.Parsed{}
	for _, pg := range p.Pages {
		if pg.Number == number || !p.Paged {
			one.Pages = append(one.Pages, pg)
		}
	}
	out := &factPage{raw: one.Text(), formulas: formulasOf(one)}
	out.text = factText(out.raw)
	for _, t := range tablesOf(one) {
		out.tables = append(out.tables, newFactTable(t.raw))
	}
	return out
}

func (p *factPage) meets(f edb.Fact) bool {
	switch f.Type {
	case "present":
		return p.present(f)
	case "absent":
		return !p.present(f)
	case "order":
		before, after := []rune(factText(f.Before)), []rune(factText(f.After))
		text := []rune(p.text)
		first, ok := nearest(before, text, f.MaxDiffs, false)
		last, ok2 := nearest(after, text, f.MaxDiffs, true)
		return ok && ok2 && first < last
	case "table":
		for _, t := range p.tables {
			if t.meets(f) {
				return true
			}
		}
	case "formula":
		want := LaTeX(f.Formula)
		for _, have := range p.formulas {
			if holdsFormula(have, want) {
				return true
			}
		}
	case "baseline":
		return p.baseline(f)
	}
	return false
}

// factFold are the characters that facts take for one.
var factFold = strings.NewReplacer("‘", "'", "’", "'", "‚", "'", "“", `"`, "”", `"`, "„", `"`, "＿", "_",
	"–", "-", "—", "-", "‑", "-", "‒", "-", "−", "-", "\u00b5", "\u03bc")

func factText(s string) string { return factFold.Replace(norm.NFC.String(squash(s))) }

func (p *factPage) present(f edb.Fact) bool {
	want, text := factText(f.Text), p.text
	if f.AnyCase {
		want, text = strings.ToLower(want), strings.ToLower(text)
	}
	w, t := []rune(want), []rune(text)
	switch {
	case f.FirstN > 0 && f.LastN > 0:
		t = append(append([]rune{}, t[:min(f.FirstN, len(t))]...), t[max(0, len(t)-f.LastN):]...)
	case f.FirstN > 0:
		t = t[:min(f.FirstN, len(t))]
	case f.LastN > 0:
		t = t[max(0, len(t)-f.LastN):]
	}
	if len(w) == 0 || len(t) < len(w)-f.MaxDiffs {
		return false
	}
	if strings.Contains(string(t), want) {
		return true
	}
	return f.MaxDiffs > 0 && partialRatio(w, t) >= 1-float64(f.MaxDiffs)/float64(len(w))
}

// partialRatio is the greatest likeness (see indel) of the shorter text and a stretch of the longer
// that is as long, or that is cut by either end of it.
func partialRatio(a, b []rune) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	m, best := len(a), 0.0
	if m == 0 {
		if len(b) == 0 {
			return 1
		}
		return 0
	}
	if m == len(b) {
		best = partialOver(b, a)
	}
	return max(best, partialOver(a, b))
}

func partialOver(a, b []rune) (best float64) {
	m := len(a)
	for end := 1; end < len(b)+m; end++ {
		best = max(best, indel(a, b[max(0, end-m):min(end, len(b))]))
	}
	return best
}

// nearest is the start of the first (or last) place of a text that is at most limit edits from it.
func nearest(want, text []rune, limit int, last bool) (start int, ok bool) {
	if len(want) == 0 {
		return 0, false
	}
	for _, p := range vec.Find(want, text, limit) {
		s := startOf(want, text, p)
		if !ok || !last && s < start || last && s > start {
			start, ok = s, true
		}
	}
	return start, ok
}

// startOf is where a place begins: of the starts that give its distance the earliest.
func startOf(want, text []rune, p vec.Place) int {
	for s := max(0, p.End-len(want)-p.Distance); s < p.End; s++ {
		if vec.LevenshteinRunes(want, text[s:p.End]) == p.Distance {
			return s
		}
	}
	return p.End
}

// holdsFormula says whether a formula is the other or a part of it, commands being whole.
func holdsFormula(have, want string) bool {
	if want == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(have[from:], want)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(want)
		open := texCommand.MatchString(have[:i]) && letter(want[0])
		cut := texCommand.MatchString(want) && end < len(have) && letter(have[end])
		if !open && !cut {
			return true
		}
		from = i + 1
	}
}

// unlikely are characters that pages of Latin script do not have: Han, Kana, emoji.
var unlikely = regexp.MustCompile(`[\x{4e00}-\x{9fff}\x{3040}-\x{30ff}\x{1f600}-\x{1f64f}\x{1f300}-\x{1f5ff}\x{1f680}-\x{1f6ff}\x{1f1e0}-\x{1f1ff}]`)

const (
	mostRepeats  = 30 // where the fact names no number
	longestCycle = 5  // characters of a repetition
)

func (p *factPage) baseline(f edb.Fact) bool {
	n := 0
	for _, r := range p.raw {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			n++
		}
	}
	if f.MaxLength > 0 {
		return n <= f.MaxLength
	}
	limit := f.MaxRepeats
	if limit == 0 {
		limit = mostRepeats
	}
	if n == 0 || unlikely.MatchString(p.raw) {
		return false
	}
	for size := 1; size <= longestCycle; size++ {
		if repeats([]rune(squash(p.raw)), size) > limit {
			return false
		}
	}
	return true
}

// repeats counts how often the last size characters stand in a row at the end.
func repeats(text []rune, size int) (n int) {
	if len(text) < size {
		return 0
	}
	last := string(text[len(text)-size:])
	for at := len(text) - size; at >= 0 && string(text[at:at+size]) == last; at -= size {
		n++
	}
	return n
}
