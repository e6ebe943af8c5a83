package press

import "math"

// stretch is what was set since the last block over all columns, or since the page began: what can be
// set again with shorter columns, so that both are filled.
type stretch struct {
	start  *saved // nil: it cannot be set again
	groups [][]piece
}

// mark begins a stretch where the sheet stands.
func (f *flow) mark() {
	f.stretch = stretch{}
	if f.columns > 1 {
		b := f.save()
		f.stretch.start = &b
	}
}

// placed says that a group was set; before it there were so many elements and pages.
func (f *flow) placed(group []piece, elements, pages int) {
	switch {
	case f.columns == 1:
	case len(f.pages) == pages:
		f.groups = append(f.groups, group)
	case f.fresh.sheet.next == elements: // all of it went to a new page
		f.stretch = stretch{f.fresh, [][]piece{group}}
	default:
		f.stretch = stretch{}
	}
}

// balance sets the last stretch again, in columns that are as short as can be, where the right one is
// much shorter than the left. What cannot be divided stays as it is.
func (f *flow) balance() {
	if f.stretch.start == nil || len(f.groups) < 2 || f.err != nil {
		return
	}
	again, start := f.stretch, *f.stretch.start
	left, right := f.y-start.sheet.y, 0.0
	if f.column > 0 {
		left, right = f.ends[0]-start.sheet.y, f.y-f.top
	}
	if right > .75*left {
		return
	}
	for _, share := range []float64{.5, .58, .66, .75, .85, math.Inf(1)} {
		f.restore(start)
		f.limit = start.sheet.y + share*(left+right)
		f.bottom = min(f.bottom, f.limit)
		pages := len(f.pages)
		for _, g := range again.groups {
			f.group(g)
		}
		if len(f.pages) == pages && f.err == nil {
			return
		}
	}
}
