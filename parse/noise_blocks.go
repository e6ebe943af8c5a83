package parse

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"enterprisedocbench"
)

// shuffle exchanges blocks of a page. The log says of each block that ends elsewhere where.
func (n *noise) shuffle(pg *edb.Page) {
	es := pg.Elements
	was := make([]int, len(es))
	for j := range was {
		was[j] = j
	}
	before := append([]edb.Element(nil), es...)
	for j := 1; j < len(es); j++ {
		k := n.rand.IntN(j)
		if n.hit() {
			es[j], es[k] = es[k], es[j]
			was[j], was[k] = was[k], was[j]
		}
	}
	for now, old := range was {
		if now != old {
			n.note(old, before[old], Edit{Op: EditMove, From: strconv.Itoa(old), To: strconv.Itoa(now)})
		}
	}
}

// loseCaptions takes captions away.
func (n *noise) loseCaptions(pg *edb.Page) {
	kept := pg.Elements[:0:0]
	for j, e := range pg.Elements {
		if e.Kind == edb.KindCaption && e.Text != "" && n.hit() {
			n.note(j, e, Edit{Op: EditLose, From: e.Text})
			continue
		}
		kept = append(kept, e)
	}
	pg.Elements = kept
}

// perFurniture is how many code points of text a page without furniture has for each line that
// furniture may put into it: what a printed page holds.
const perFurniture = 3000

// furniture makes artifacts part of the text. A page without any gets lines such as those between its
// blocks.
func (n *noise) furniture(pg *edb.Page) {
	found := false
	for j := range pg.Elements {
		e := &pg.Elements[j]
		if !e.Artifact() || e.Text == "" {
			continue
		}
		found = true
		if n.hit() {
			n.note(j, *e, Edit{Op: EditKind, From: e.Kind, To: edb.KindParagraph})
			e.Kind = edb.KindParagraph
		}
	}
	if found {
		return
	}
	out := pg.Elements[:0:0]
	length, lines := 0, 0
	for j, e := range pg.Elements {
		out = append(out, e)
		length += utf8.RuneCountInString(e.Text)
		if length < perFurniture*(lines+1) && !(lines == 0 && j == len(pg.Elements)-1) {
			continue
		}
		lines++
		if !n.hit() {
			continue
		}
		text := fmt.Sprintf("For internal use only, not to be handed on. Page %d", pg.Number-1+lines)
		added := edb.Element{ID: fmt.Sprintf("noise-p%d-%d", pg.Number, lines), Kind: edb.KindParagraph, Text: text}
		n.note(j+1, added, Edit{Op: EditAdd, To: text})
		out = append(out, added)
	}
	pg.Elements = out
}

// merge runs blocks into the text block before them. Tables, figures, captions and artifacts stay
// apart.
func (n *noise) merge(pg *edb.Page) {
	joins := func(e edb.Element) bool {
		return e.Text != "" && !e.Artifact() && e.Kind != edb.KindTable && e.Kind != edb.KindFigure && e.Kind != edb.KindCaption
	}
	out := pg.Elements[:0:0]
	for j, e := range pg.Elements {
		if j > 0 && joins(e) && joins(pg.Elements[j-1]) && n.hit() {
			last := &out[len(out)-1]
			n.note(j, e, Edit{Op: EditJoin, From: "\n", To: " "})
			last.Text += " " + e.Text
			last.Kind, last.Level, last.Lines = edb.KindParagraph, 0, nil
			last.Box = around(last.Box, e.Box)
			continue
		}
		out = append(out, e)
	}
	pg.Elements = out
}

func around(a, b *edb.Box) *edb.Box {
	if a == nil || b == nil {
		return nil
	}
	return &edb.Box{min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])}
}
