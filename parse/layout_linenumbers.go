package parse

import (
	"slices"
	"strconv"
	"strings"

	"enterprisedocbench"
)

// lineNumbers takes the numbers of numbered lines out of the pages' words: whole numbers that stand
// under each other, rise by one and have a line of text beside them (drafts are printed so). Their
// column is found on each page; it must run down half of the page or go on from the page before.
func lineNumbers(pages []rawPage, artifacts [][]edb.Element) {
	last := 0
	for i := range pages {
		col := numberColumn(&pages[i], last)
		if col == nil {
			last = 0
			continue
		}
		last = col[len(col)-1].value
		drop := map[int]bool{}
		var texts []string
		box := pages[i].words[col[0].word].box
		for _, n := range col {
			drop[n.word] = true
			texts = append(texts, pages[i].words[n.word].text)
			box = union(box, pages[i].words[n.word].box)
		}
		var keep []wordRun
		for k, w := range pages[i].words {
			if !drop[k] {
				keep = append(keep, w)
			}
		}
		pages[i].words = keep
		artifacts[i] = append(artifacts[i], edb.Element{Kind: edb.KindPageNumber, Text: strings.Join(texts, " "), Box: roundBox(box)})
	}
}

// marginal is a word that is a whole number.
type marginal struct{ word, value int }

// numberColumn finds the column of line numbers of a page, top to bottom; nil where there is none.
// last is the last line number of the page before, 0 if it had none.
func numberColumn(pg *rawPage, last int) []marginal {
	var all []marginal
	for i, w := range pg.words {
		if v, err := strconv.Atoi(w.text); err == nil && v > 0 && v < 100000 && w.text[0] != '+' {
			all = append(all, marginal{i, v})
		}
	}
	if len(all) < 3 {
		return nil
	}
	box := func(m marginal) edb.Box { return pg.words[m.word].box }
	var best []marginal
	for side := 0; side <= 2; side += 2 { // aligned at the left edge, or at the right
		slices.SortStableFunc(all, func(a, b marginal) int { return compare(box(a)[side], box(b)[side]) })
		for from := 0; from < len(all); {
			to := from + 1
			for to < len(all) && box(all[to])[side]-box(all[to-1])[side] < 1 {
				to++
			}
			if col := run(pg, slices.Clone(all[from:to])); len(col) > len(best) {
				best = col
			}
			from = to
		}
	}
	if len(best) < 3 {
		return nil
	}
	goesOn := last > 0 && best[0].value == last+1
	top, bottom := box(best[0])[1], box(best[len(best)-1])[3]
	if !goesOn && (len(best) < 8 || bottom-top < 0.35*pg.height) {
		return nil
	}
	// A ranked table has such a column too: there one side of it holds no line of running text.
	beside := 0
	for _, n := range best {
		b := box(n)
		mid, wide := (b[1]+b[3])/2, 0.0
		for _, w := range pg.words {
			if w.box[1] < mid && w.box[3] > mid && w.box[0] > b[2]-1 {
				wide += w.box[2] - w.box[0]
			}
		}
		if wide > 0.25*pg.width {
			beside++
		}
	}
	if !goesOn && beside*2 < len(best) {
		return nil
	}
	return best
}

// run is the longest part of a column of numbers that rises by one from line to line.
func run(pg *rawPage, col []marginal) []marginal {
	slices.SortStableFunc(col, func(a, b marginal) int { return compare(pg.words[a.word].box[1], pg.words[b.word].box[1]) })
	var best []marginal
	for i := 0; i < len(col); {
		cur := []marginal{col[i]}
		for k := i + 1; k < len(col); k++ {
			if col[k].value == cur[len(cur)-1].value+1 {
				cur = append(cur, col[k])
			}
		}
		if len(cur) > len(best) {
			best = cur
		}
		i += len(cur)
	}
	return best
}
