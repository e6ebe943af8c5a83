package parse

import (
	"strings"
	"unicode/utf8"

	"enterprisedocbench"
)

// oblique takes slanted words out of a page: they are stamps and watermarks (DRAFT), not text.
// nil where there are none.
func oblique(pg *rawPage) *edb.Element {
	var texts []string
	var box edb.Box
	keep := pg.words[:0:0]
	for _, w := range pg.words {
		if w.turn >= 0 {
			keep = append(keep, w)
			continue
		}
		if len(texts) == 0 {
			box = w.box
		}
		box = union(box, w.box)
		texts = append(texts, w.text)
	}
	if len(texts) == 0 {
		return nil
	}
	pg.words = keep
	return &edb.Element{Kind: edb.KindHeader, Text: strings.Join(texts, " "), Box: roundBox(box)}
}

// turnBox turns a box on a page of w by h points clockwise by quarter turns.
func turnBox(b edb.Box, quarters int, w, h float64) edb.Box {
	switch quarters {
	case 1:
		return edb.Box{h - b[3], b[0], h - b[1], b[2]}
	case 2:
		return edb.Box{w - b[2], h - b[3], w - b[0], h - b[1]}
	case 3:
		return edb.Box{b[1], w - b[2], b[3], w - b[0]}
	}
	return b
}

// level turns a page most of whose characters do not stand upright until they do, and puts the
// words that run otherwise aside. The result turns boxes back; nil where nothing was turned.
func level(pg *rawPage) func(edb.Box) edb.Box {
	var count [4]int
	for _, w := range pg.words {
		count[w.turn&3] += utf8.RuneCountInString(w.text)
	}
	most := 0
	for q := range count {
		if count[q] > count[most] {
			most = q
		}
	}
	var back func(edb.Box) edb.Box
	if most != 0 {
		w, h := pg.width, pg.height
		for i := range pg.words {
			pg.words[i].box = turnBox(pg.words[i].box, most, w, h)
			pg.words[i].turn = (pg.words[i].turn - most + 4) & 3
		}
		for _, list := range [][]edb.Box{pg.images, pg.rules, pg.grounds, pg.paths} {
			for i := range list {
				list[i] = turnBox(list[i], most, w, h)
			}
		}
		if most != 2 {
			pg.width, pg.height = h, w
		}
		nw, nh := pg.width, pg.height
		back = func(b edb.Box) edb.Box { return turnBox(b, 4-most, nw, nh) }
	}
	keep := pg.words[:0:0]
	for _, w := range pg.words {
		if w.turn == 0 {
			keep = append(keep, w)
		} else {
			pg.aside = append(pg.aside, w)
		}
	}
	pg.words = keep
	return back
}

// asideElements makes paragraphs of the words that run across the page's direction.
func asideElements(pg *rawPage, body float64, hyphens map[string]bool) []edb.Element {
	var out []edb.Element
	for q := 1; q <= 3; q++ {
		var ws []wordRun
		for _, w := range pg.aside {
			if w.turn == q {
				w.box = turnBox(w.box, q, pg.width, pg.height)
				ws = append(ws, w)
			}
		}
		w, h := pg.width, pg.height
		if q != 2 {
			w, h = h, w
		}
		for _, s := range segmentsOf(ws) {
			e := textBlock([]segment{s}, s.box[0], s.box[2], body, hyphens)
			e.Kind, e.Level = edb.KindParagraph, 0
			turnElement(&e, func(b edb.Box) edb.Box { return turnBox(b, 4-q, w, h) })
			out = append(out, e)
		}
	}
	return out
}

func turnElement(e *edb.Element, turn func(edb.Box) edb.Box) {
	if turn == nil {
		return
	}
	if e.Box != nil {
		e.Box = roundBox(turn(*e.Box))
	}
	for i := range e.Lines {
		if e.Lines[i].Box != nil {
			e.Lines[i].Box = roundBox(turn(*e.Lines[i].Box))
		}
	}
}
