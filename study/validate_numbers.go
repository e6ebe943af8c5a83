package study

import (
	"slices"
	"unicode/utf8"

	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/parse"
)

// numberKey is what makes two numbers the same to the recall of numbers.
type numberKey struct {
	value   float64
	scale   string
	percent bool
}

func keyOf(n tokens.Number) numberKey { return numberKey{n.Value, n.Scale, n.Percent} }

// numbers is the share of the gold's numbers that no edit touches, or that edits of other numbers made
// again: each as often as gold has it.
func (l *ledger) numbers() float64 {
	text := l.gold.Text()
	all := tokens.Numbers(text)
	if len(all) == 0 {
		return 1
	}
	edits := l.inText()
	r := []rune(text)
	gold, now := map[numberKey]int{}, map[numberKey]int{}
	first := 0
	for _, n := range all {
		gold[keyOf(n)]++
		start, end := reach(r, n)
		for first < len(edits) && edits[first].At+utf8.RuneCountInString(edits[first].From) <= start-maxReach {
			first++
		}
		near := edits[first:]
		if i := slices.IndexFunc(near, func(e parse.Edit) bool { return e.At >= end }); i >= 0 {
			near = near[:i]
		}
		made, whole := damaged(r, start, end, near)
		if whole {
			now[keyOf(n)]++
			continue
		}
		for _, m := range tokens.Numbers(made) {
			now[keyOf(m)]++
		}
	}
	kept := 0
	for k, n := range gold {
		kept += min(n, now[k])
	}
	return float64(kept) / float64(len(all))
}

// maxReach bounds how far before its digits a number begins.
const maxReach = 2

// reach is the stretch that makes a number what it is: with its sign, percent sign and scale.
func reach(r []rune, n tokens.Number) (start, end int) {
	start, end = n.Start, n.End
	if n.Value < 0 {
		start = max(0, start-maxReach)
	}
	word := func() {
		for end < len(r) && (r[end] == ' ' || r[end] == '\u00a0' || r[end] == ')') {
			end++
		}
		for end < len(r) && r[end] > ' ' && r[end] != ',' && r[end] != '.' {
			end++
		}
	}
	if n.Percent {
		word()
	}
	if n.Scale != "" {
		word()
	}
	return start, end
}

// inText lists the edits that take away or change text, as replacements in the document's text, by place.
func (l *ledger) inText() (out []parse.Edit) {
	at := 0
	for p, e := range l.elements {
		if e.Artifact() || e.Text == "" {
			continue
		}
		if l.lost[p] {
			out = append(out, parse.Edit{Op: parse.EditReplace, At: at, From: e.Text})
		}
		for _, d := range l.edits[p] {
			d.At += at
			out = append(out, d)
		}
		for _, d := range l.rows[p] {
			out = append(out, parse.Edit{Op: parse.EditReplace, At: at + rowStart(e.Text, d.Row), From: d.From})
		}
		at += utf8.RuneCountInString(e.Text) + 1 // and the break behind it
	}
	return out
}
