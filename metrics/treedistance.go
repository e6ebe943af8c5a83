package metrics

import (
	"context"
	"fmt"
	"math"

	"enterprisedocbench/internal/vec"
)

// unit is the cost of an insertion or deletion: costs are whole numbers of unit/2^38.
const unit = int64(1) << 38

// treeDistance is the edit distance of two ordered trees: the cheapest mapping that keeps order and
// ancestors, an unmapped node costing 1 and a mapped pair what renames says.
//
// It is Zhang and Shasha's algorithm on flat arrays, bounded like Ukkonen's: a mapping in which node x
// stands for node y leaves at least as many nodes unmapped as the numbers of nodes before them differ
// and those after them differ, so pairs for which that is a limit or more are left out; where the
// distance turns out to be above the limit, the limit is doubled. Text distances are taken when a
// pair within the limit asks for them. Leaves are compared with whole subtrees in closed form.
// Source: Zhang and Shasha 1989; Ukkonen 1985 for the bound.
func treeDistance(ctx context.Context, a, b *tree, structure bool) (float64, error) {
	p := newTreePair(a, b, structure)
	defer p.close()
	n, m := len(a.left), len(b.left)
	apart := max(n-m, m-n)
	for limit := apart + max(8, (n+m)/16); ; limit *= 2 {
		limit = min(limit, n+m+1)
		d, err := p.within(ctx, limit)
		if err != nil {
			return 0, fmt.Errorf("trees of %d and %d nodes: %w", n-1, m-1, err)
		}
		if d <= int64(limit)*unit || limit > n+m {
			return float64(d) / float64(unit), nil
		}
	}
}

// treePair is two trees under comparison.
type treePair struct {
	a, b           *tree
	n, m           int
	structure      bool
	far            int64   // more than any distance
	td             []int64 // distance of the subtrees of x and y at x*m+y, far where it is not known
	fd             []int64 // distances of forests
	best           []int64
	texts          []int64 // distance of two texts, -1 where it was not asked for
	pattern        *vec.Pattern
	patternOf      int32
	aRoots, bRoots []int
}

func newTreePair(a, b *tree, structure bool) *treePair {
	n, m := len(a.left), len(b.left)
	p := &treePair{a: a, b: b, n: n, m: m, structure: structure, far: int64(n+m+1) * unit, patternOf: -1,
		td: make([]int64, n*m), fd: make([]int64, (n+1)*(m+1)), best: make([]int64, m),
		aRoots: a.keyRoots(), bRoots: b.keyRoots()}
	if !structure {
		p.texts = make([]int64, len(a.texts)*len(b.texts))
		fill(p.texts, -1)
	}
	return p
}

func (p *treePair) close() {
	if p.pattern != nil {
		p.pattern.Close()
	}
}

func fill(x []int64, v int64) {
	for i := range x {
		x[i] = v
	}
}

// rename is the cost of node x standing for node y: 1 where the labels differ, else the normalised
// distance of their texts.
func (p *treePair) rename(x, y int) int64 {
	if p.a.label[x] != p.b.label[y] {
		return unit
	}
	s, t := p.a.text[x], p.b.text[y]
	if s < 0 || t < 0 || p.structure {
		return 0
	}
	at := &p.texts[int(s)*len(p.b.texts)+int(t)]
	if *at < 0 {
		*at = p.text(s, t)
	}
	return *at
}

func (p *treePair) text(s, t int32) int64 {
	x, y := p.a.texts[s], p.b.texts[t]
	n := max(len(x), len(y))
	if n == 0 {
		return 0
	}
	if p.patternOf != s {
		p.close()
		p.pattern, p.patternOf = vec.NewPattern(x), s
	}
	return int64(math.Round(float64(p.pattern.Distance(y)) / float64(n) * float64(unit)))
}

// band is the y, from lo to before hi, for which |u-y| + |(n-u)-(m-y)| + more < limit, u of n on the
// one side against y of m on the other, kept within 0 and top.
func band(u, n, m, more, limit, top int) (lo, hi int) {
	limit -= more
	d := n - m
	if limit <= max(d, -d) {
		return 0, 0
	}
	// y lies between u-(d+limit)/2 and u-(d-limit)/2, both excluded
	lo = u - (d+limit-1)>>1
	hi = u + (limit-d-1)>>1 + 1
	return min(max(lo, 0), top), max(min(hi, top), 0)
}

// within is the distance where it is below limit, else something that is no less than the distance.
func (p *treePair) within(ctx context.Context, limit int) (int64, error) {
	fill(p.td, p.far)
	for x := range p.n {
		if int(p.a.left[x]) == x {
			p.leaf(x, limit)
		} else {
			p.againstLeaves(x, limit)
		}
	}
	for _, i := range p.aRoots {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if int(p.a.left[i]) == i {
			continue
		}
		for _, j := range p.bRoots {
			if int(p.b.left[j]) != j {
				p.forests(i, j, limit)
			}
		}
	}
	return p.td[p.n*p.m-1], nil
}

// leaf sets the distances of a leaf x to subtrees: all nodes of the subtree are inserted save the one
// that x stands for.
func (p *treePair) leaf(x, limit int) {
	lo, hi := band(x, p.n-1, p.m-1, 0, limit, p.m)
	row := p.td[x*p.m : (x+1)*p.m]
	left := p.b.left[:p.m]
	for y := lo; y < hi; y++ {
		r, l := p.rename(x, y), int(left[y])
		if l == y {
			row[y], p.best[y] = r, r
			continue
		}
		for c := y - 1; c >= l && c >= lo; c = int(left[c]) - 1 {
			r = min(r, p.best[c])
		}
		p.best[y] = r
		row[y] = int64(y-l)*unit + r
	}
}

// againstLeaves sets the distances of the subtree of an inner node x to leaves.
func (p *treePair) againstLeaves(x, limit int) {
	l := int(p.a.left[x])
	lo, _ := band(x, p.n-1, p.m-1, 0, limit, p.m)
	_, hi := band(l, p.n-1, p.m-1, 0, limit, p.m) // the nodes below x reach back to l
	row := p.td[x*p.m : (x+1)*p.m]
	for y := lo; y < hi; y++ {
		if int(p.b.left[y]) == y {
			row[y] = p.rename(x, y)
		}
	}
	for c := x - 1; c >= l; c = int(p.a.left[c]) - 1 {
		more := int64(c-int(p.a.left[c])) * unit
		below := p.td[c*p.m : (c+1)*p.m]
		for y := lo; y < hi; y++ {
			if v := below[y] - more; v < row[y] {
				row[y] = v
			}
		}
	}
	inserted := int64(x-l) * unit
	for y := lo; y < hi; y++ {
		if int(p.b.left[y]) == y {
			row[y] += inserted
		} else {
			row[y] = p.far
		}
	}
}

// forests sets the distances of all pairs of inner nodes that begin where the key roots i and j begin,
// as far as the limit allows.
func (p *treePair) forests(i, j, limit int) {
	li, lj := int(p.a.left[i]), int(p.b.left[j])
	i, j, ok := p.reach(i, j, limit)
	if !ok {
		return
	}
	w := j - lj + 2
	fd, left := p.fd, p.b.left[:j+1]
	for c := range w {
		fd[c] = int64(c) * unit
	}
	before := max(li-lj, lj-li)
	for x := li; x <= i; x++ {
		r := x - li + 1 // nodes of the forest
		up, cur := fd[(r-1)*w:r*w], fd[r*w:(r+1)*w]
		fill(cur, p.far)
		cur[0] = int64(r) * unit
		lo, hi := band(r, p.n-li, p.m-lj, before, limit, w)
		if hi <= lo {
			continue
		}
		lo = max(lo, 1)
		start := int(p.a.left[x]) - li
		far := fd[start*w : (start+1)*w]
		row := p.td[x*p.m : x*p.m+j+1]
		if start == 0 && x != li {
			p.edge(x, lj, lo, hi, up, cur, far, row)
			continue
		}
		last := cur[lo-1]
		for c := lo; c < hi; c++ {
			y := lj + c - 1
			d := min(up[c]+unit, far[int(left[y])-lj]+row[y])
			last = min(last+unit, d)
			cur[c] = last
		}
	}
}

// edge is a row of forests of an inner node x on the left edge: where y is one too, both forests are
// trees, whose distance is kept.
func (p *treePair) edge(x, lj, lo, hi int, up, cur, far, row []int64) {
	for c := lo; c < hi; c++ {
		y := lj + c - 1
		l := int(p.b.left[y])
		d := min(up[c], cur[c-1]) + unit
		if l == lj && y != lj {
			d = min(d, up[c-1]+p.rename(x, y))
			row[y] = d
		} else {
			d = min(d, far[l-lj]+row[y])
		}
		cur[c] = d
	}
}

// reach finds the last inner nodes on the left edges of two key roots that take part in a pair within
// the limit.
func (p *treePair) reach(i, j, limit int) (lastI, lastJ int, ok bool) {
	li, lj := int(p.a.left[i]), int(p.b.left[j])
	for x := li + 1; x <= i; x++ {
		if int(p.a.left[x]) != li {
			continue
		}
		for y := lj + 1; y <= j; y++ {
			if int(p.b.left[y]) != lj {
				continue
			}
			if abs(li-lj)+abs((x-li)-(y-lj))+abs((p.n-x)-(p.m-y)) < limit {
				lastI, lastJ, ok = max(lastI, x), max(lastJ, y), true
			}
		}
	}
	return lastI, lastJ, ok
}

func abs(x int) int { return max(x, -x) }

// keyRoots lists the root and every node with a left sibling, in post-order.
func (t *tree) keyRoots() []int {
	seen := make([]bool, len(t.left))
	var out []int
	for i := len(t.left) - 1; i >= 0; i-- {
		if l := t.left[i]; !seen[l] {
			seen[l] = true
			out = append(out, i)
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}
