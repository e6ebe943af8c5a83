package metrics

import (
	"context"
	"fmt"
	"math"

	"enterprisedocbench/internal/vec"
)

// TEDSMode chooses the variant of [TEDS].
type TEDSMode struct {
	Structure bool // cells are compared by their spans alone
	PubTabNet bool // exactly the reference implementation, see TEDS
}

// maxPairs bounds the work on two tables: nodes of one times nodes of the other. It takes about
// 130 MB and a second.
const maxPairs = 16 << 20

// TEDS is the tree-edit-distance similarity of two tables: 1 - d/max(nodes), with d the cheapest
// way to turn one ordered tree (table, rows, cells) into the other at cost 1 for an inserted or
// deleted node and for a changed row or column span, and the normalised Levenshtein distance (code
// points) for a changed cell text. The table node itself is not counted. In [0,1], higher is
// better. Two tables without rows: 1.
//
// th counts as td, thead and tbody are no nodes, inline markup is taken away, text is normalised
// (tokens.Normalize). With PubTabNet it is the score that the reference implementation prints:
// every element below table is a node and counts towards max(nodes), also inline markup inside
// cells; the text of th does not count; cell text keeps its white space and its inline tags as
// symbols; the value may fall below 0.
//
// Two tables whose node counts multiply to more than 16 Mi give an error that says so, as does a
// context that ends: no score then.
// Source: Zhong, ShafieiBavani and Jimeno Yepes 2020, section 5; Zhang and Shasha 1989.
func TEDS(ctx context.Context, pred, gold Table, mode TEDSMode) (float64, error) {
	var a, b *tree
	nodes := 0
	if mode.PubTabNet {
		a, b = rawTree(pred.raw, mode.Structure), rawTree(gold.raw, mode.Structure)
		nodes = max(pred.raw.elements(), gold.raw.elements())
	} else {
		a, b = tableTree(pred), tableTree(gold)
		nodes = max(pred.nodes(), gold.nodes())
	}
	if err := tooLarge(a, b, "table"); err != nil {
		return 0, err
	}
	if nodes == 0 {
		return 1, nil
	}
	d, err := treeDistance(ctx, a, b, mode.Structure)
	if err != nil {
		return 0, err
	}
	score := 1 - d/float64(nodes)
	if !mode.PubTabNet {
		score = max(score, 0)
	}
	return score, nil
}

// tooLarge is the error of two trees that would take too long.
func tooLarge(a, b *tree, what string) error {
	if n := len(a.left) * len(b.left); n > maxPairs {
		return fmt.Errorf("%s too large to compare: %d × %d nodes, at most %d pairs", what, len(a.left)-1, len(b.left)-1, maxPairs)
	}
	return nil
}

// tree is an ordered tree as flat arrays in post-order.
type tree struct {
	left  []int32 // leftmost leaf below each node
	label []int32 // equal labels rename at no cost but that of the text; see labels
	text  []int32 // index in texts, -1 for a node without
	texts [][]rune
	known map[string]int32
}

// add appends a node whose leftmost leaf is left (its own index for a leaf).
func (t *tree) add(left int, label int32, text int32) {
	t.left = append(t.left, int32(left))
	t.label = append(t.label, label)
	t.text = append(t.text, text)
}

func (t *tree) intern(s string, symbols []rune) int32 {
	if i, ok := t.known[s]; ok {
		return i
	}
	i := int32(len(t.texts))
	t.known[s] = i
	t.texts = append(t.texts, symbols)
	return i
}

// labels of the nodes: rows and the table, and cells by their spans (both fit: ≤ 1000, ≤ 65534).
const (
	labelTable = -1
	labelRow   = -2
)

func cellLabel(c Cell) int32 { return int32(c.ColSpan)<<16 | int32(c.RowSpan) }

func tableTree(t Table) *tree {
	out := &tree{known: map[string]int32{}}
	for _, r := range t.Rows {
		first := len(out.left)
		for _, c := range r {
			out.add(len(out.left), cellLabel(c), out.intern(c.Text, []rune(c.Text)))
		}
		out.add(first, labelRow, -1)
	}
	out.add(0, labelTable, -1)
	return out
}

const (
	unit = int64(1) << 38 // cost of an insertion or deletion
)

// treeDistance is Zhang and Shasha's algorithm on flat arrays, costs in fixed point; pairs with a
// leaf are taken in closed form.
func treeDistance(ctx context.Context, a, b *tree, structure bool) (float64, error) {
	n, m := len(a.left), len(b.left)
	cost := textCosts(a, b, structure)
	rename := func(x, y int) int64 {
		if a.label[x] != b.label[y] {
			return unit
		}
		if a.text[x] < 0 || b.text[y] < 0 {
			return 0
		}
		return cost[int(a.text[x])*len(b.texts)+int(b.text[y])]
	}
	td := make([]int64, n*m)
	fd := make([]int64, (n+1)*(m+1))
	ka, kb := a.keyRoots(), b.keyRoots()
	for _, i := range ka {
		if err := ctx.Err(); err != nil {
			return 0, fmt.Errorf("tables of %d and %d nodes: %w", n-1, m-1, err)
		}
		li := int(a.left[i])
		for _, j := range kb {
			lj := int(b.left[j])
			if li == i { // a leaf against each tree on the left edge of j
				best := unit
				for y := lj; y <= j; y++ {
					best = min(best, rename(i, y))
					if int(b.left[y]) == lj {
						td[i*m+y] = int64(y-lj)*unit + best
					}
				}
				continue
			}
			if lj == j {
				best := unit
				for x := li; x <= i; x++ {
					best = min(best, rename(x, j))
					if int(a.left[x]) == li {
						td[x*m+j] = int64(x-li)*unit + best
					}
				}
				continue
			}
			w := j - lj + 2
			for c := range w {
				fd[c] = int64(c) * unit
			}
			for x := li; x <= i; x++ {
				up := fd[(x-li)*w : (x-li)*w+w]
				cur := fd[(x-li+1)*w : (x-li+1)*w+w]
				cur[0] = up[0] + unit
				edge := int(a.left[x]) == li
				far := fd[(int(a.left[x])-li)*w : (int(a.left[x])-li)*w+w]
				row := td[x*m : x*m+m]
				for y := lj; y <= j; y++ {
					c := y - lj + 1
					d := min(up[c], cur[c-1]) + unit
					if edge && int(b.left[y]) == lj {
						d = min(d, up[c-1]+rename(x, y))
						row[y] = d
					} else {
						d = min(d, far[int(b.left[y])-lj]+row[y])
					}
					cur[c] = d
				}
			}
		}
	}
	return float64(td[n*m-1]) / float64(unit), nil
}

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

// textCosts is the matrix of the normalised distances of all texts of a to all texts of b.
func textCosts(a, b *tree, structure bool) []int64 {
	cost := make([]int64, len(a.texts)*len(b.texts))
	if structure {
		return cost
	}
	for i, x := range a.texts {
		row := cost[i*len(b.texts) : (i+1)*len(b.texts)]
		p := vec.NewPattern(x)
		for j, y := range b.texts {
			if n := max(len(x), len(y)); n > 0 {
				row[j] = int64(math.Round(float64(p.Distance(y)) / float64(n) * float64(unit)))
			}
		}
		p.Close()
	}
	return cost
}
