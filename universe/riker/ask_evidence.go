package riker

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	edb "enterprisedocbench"

	"enterprisedocbench/universe"
	"enterprisedocbench/universe/press"
)

// printer prints document number id of the corpus.
type printer func(id int) (press.Printed, error)

// provenWhole is the number of documents up to which absence is proven in all of them while
// questions are asked; above, in as many by lot. The check of a directory proves it in all.
const provenWhole = 20_000

// page is where the elements of a page stand.
type page struct {
	elements []edb.Element
	starts   []int // offset of each element in the page's text; -1: it is an artifact
	before   int   // code points of the pages before it
}

// layout finds the elements of a printed document.
func layout(gold edb.Parsed) (map[int]page, int) {
	out, total := map[int]page{}, 0
	for _, p := range gold.Pages {
		g, at := page{elements: p.Elements, before: total}, 0
		for _, e := range p.Elements {
			if e.Artifact() || e.Text == "" {
				g.starts = append(g.starts, -1)
				continue
			}
			g.starts = append(g.starts, at)
			at += len([]rune(e.Text)) + 1
		}
		out[p.Number] = g
		total += at
	}
	return out, max(total, 1)
}

// kind is the kind of element that a piece of evidence stands in; a caption is what it belongs to.
func (p page) kind(e edb.Evidence) string {
	for i, s := range p.starts {
		if s >= 0 && e.Start >= s && e.Start < s+len([]rune(p.elements[i].Text))+1 {
			if k := p.elements[i].Kind; k != edb.KindCaption {
				return k
			}
			of := slices.IndexFunc(p.elements, func(x edb.Element) bool { return x.ID == p.elements[i].CaptionOf })
			if of < 0 {
				return edb.KindCaption
			}
			return p.elements[of].Kind
		}
	}
	return ""
}

// piece is a place in a document and the facts that stand in it.
type piece struct {
	edb.Evidence
	fields []string
}

// subjects are the fields that name a document, by type: they are said wherever their words stand,
// whether or not that is where the document states them.
var subjects = [Kinds][]string{Leases: {"number", "lessee", "building"}, Reports: {"number", "customer"}, Reviews: {"number", "employee", "period"},
	Invoices: {"number", "customer"}, Statements: {"number", "company", "quarter"}, Handbooks: {"number", "territory"}}

// said lists the mentions whose value stands in a piece of evidence from a document of a type.
func said(k Kind, e edb.Evidence, mentions []press.Mention) []press.Mention {
	var out []press.Mention
	has := func(field string) bool {
		return slices.ContainsFunc(out, func(m press.Mention) bool { return m.Field == field })
	}
	for _, m := range mentions {
		if holds(e, m) && !has(m.Field) {
			out = append(out, m)
		}
	}
	quote := universe.Haystack{}
	for _, m := range mentions {
		if !slices.Contains(subjects[k], m.Field) || has(m.Field) {
			continue
		}
		if quote.Empty() {
			quote = universe.NewHaystack(e.Quote)
		}
		if quote.Holds(m.Value) {
			out = append(out, m)
		}
	}
	return out
}

// pieces gathers the mentions of a document of a type by the place that is their evidence.
func pieces(k Kind, mentions []press.Mention) []piece {
	var out []piece
	for _, m := range mentions {
		if !slices.ContainsFunc(out, func(p piece) bool { return sameSpan(p.Evidence, m.Evidence) }) {
			out = append(out, piece{Evidence: m.Evidence})
		}
	}
	for i := range out {
		for _, m := range said(k, out[i].Evidence, mentions) {
			out[i].fields = append(out[i].fields, m.Field)
		}
	}
	return out
}

func sameSpan(a, b edb.Evidence) bool {
	return a.Page == b.Page && a.Start == b.Start && a.End == b.End
}

// holds says whether the value of a mention stands inside of a piece of evidence.
func holds(e edb.Evidence, m press.Mention) bool {
	return e.Page == m.Evidence.Page && e.Start <= m.Start && m.End <= e.End
}

// cover chooses pieces that hold all fields, none of them dispensable; the missing field where there
// are no such pieces.
func cover(all []piece, fields []string) (chosen []piece, missing string) {
	left := slices.Clone(fields)
	for len(left) > 0 {
		best, most := -1, 0
		for i, p := range all {
			n := 0
			for _, f := range left {
				if slices.Contains(p.fields, f) {
					n++
				}
			}
			if n > most {
				best, most = i, n
			}
		}
		if best < 0 {
			return nil, left[0]
		}
		chosen = append(chosen, all[best])
		left = slices.DeleteFunc(left, func(f string) bool { return slices.Contains(all[best].fields, f) })
	}
	for i := len(chosen) - 1; i >= 0; i-- {
		rest := slices.Delete(slices.Clone(chosen), i, i+1)
		if !slices.ContainsFunc(fields, func(f string) bool {
			return !slices.ContainsFunc(rest, func(p piece) bool { return slices.Contains(p.fields, f) })
		}) {
			chosen = rest
		}
	}
	slices.SortFunc(chosen, func(a, b piece) int {
		if a.Page != b.Page {
			return a.Page - b.Page
		}
		return a.Start - b.Start
	})
	return chosen, ""
}

// found is what one document gives.
type found struct {
	id     int
	pieces [][]edb.Evidence // by question that needs the document
	kinds  [][]string
	depths [][]float64
	holds  []bool // of the phrases: it stands here
	err    error
}

// locate prints the documents that questions rest on, once each, and finds the evidence in them; and
// it looks for the phrases of probes.
func (w *World) locate(ctx context.Context, qs []Question, c *columns, print printer) error {
	type need struct {
		q      int
		fields []string
	}
	needs := map[int][]need{}
	for i, q := range qs {
		for _, c := range q.need {
			id := w.number(c.kind, int(c.n))
			list := needs[id]
			if len(list) == 0 || list[len(list)-1].q != i {
				list = append(list, need{q: i})
			}
			at := len(list) - 1
			if !slices.Contains(list[at].fields, c.field) {
				list[at].fields = append(list[at].fields, c.field)
			}
			needs[id] = list
		}
	}
	phrases := newPhrases(qs, w)
	var ids []int
	for id := range w.Documents() {
		if len(needs[id]) > 0 || phrases.in(w, id) {
			ids = append(ids, id)
		}
	}
	one := func(id int) (f found) {
		f.id = id
		d, err := print(id)
		if err != nil {
			f.err = fmt.Errorf("%s: %w", DocumentID(id), err)
			return f
		}
		if phrases.in(w, id) {
			f.holds = phrases.look(id, d.Gold)
		}
		if len(needs[id]) == 0 {
			return f
		}
		pages, total := layout(d.Gold)
		k, _ := w.at(id)
		all := pieces(k, d.Mentions)
		for _, n := range needs[id] {
			chosen, missing := cover(all, n.fields)
			if missing != "" {
				f.err = fmt.Errorf("%s does not print %s, on which question %q (%s) rests", DocumentID(id), missing, qs[n.q].Text, qs[n.q].Template)
				return f
			}
			var es []edb.Evidence
			var kinds []string
			var depths []float64
			for _, p := range chosen {
				p.Doc = DocumentID(id)
				es = append(es, p.Evidence)
				kinds = append(kinds, pages[p.Page].kind(p.Evidence))
				depths = append(depths, (float64(id)+float64(pages[p.Page].before+p.Start)/float64(total))/float64(w.Documents()))
			}
			f.pieces, f.kinds, f.depths = append(f.pieces, es), append(f.kinds, kinds), append(f.depths, depths)
		}
		return f
	}
	kinds, depths := make([][]string, len(qs)), make([][]float64, len(qs))
	err := each(ctx, ids, one, func(f found) error {
		if f.err != nil {
			return f.err
		}
		for i, n := range needs[f.id] {
			if i < len(f.pieces) {
				qs[n.q].Evidence = append(qs[n.q].Evidence, f.pieces[i]...)
				kinds[n.q], depths[n.q] = append(kinds[n.q], f.kinds[i]...), append(depths[n.q], f.depths[i]...)
			}
		}
		phrases.add(f.holds)
		return nil
	})
	if err != nil {
		return err
	}
	for i := range qs {
		q := &qs[i]
		if len(depths[i]) > 0 {
			sum := 0.0
			for _, d := range depths[i] {
				sum += d
			}
			q.Depth = sum / float64(len(depths[i]))
		}
		if q.Modality == edb.ModalitySingleHop {
			switch {
			case slices.Contains(kinds[i], edb.KindFigure):
				q.Modality = edb.ModalityFigure
			case slices.Contains(kinds[i], edb.KindTable):
				q.Modality = edb.ModalityTable
			}
		}
	}
	phrases.settle(qs)
	return nil
}

// each works on items with all cores and uses the results in the items' order.
func each[T, R any](ctx context.Context, items []T, work func(T) R, use func(R) error) error {
	const batch = 256
	for len(items) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		now := items[:min(batch, len(items))]
		items = items[len(now):]
		out := make([]R, len(now))
		var wg sync.WaitGroup
		cores := min(runtime.GOMAXPROCS(0), len(now))
		for c := range cores {
			wg.Go(func() {
				for i := c; i < len(now); i += cores {
					if ctx.Err() != nil {
						return
					}
					out[i] = work(now[i])
				}
			})
		}
		wg.Wait()
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, r := range out {
			if err := use(r); err != nil {
				return err
			}
		}
	}
	return nil
}
