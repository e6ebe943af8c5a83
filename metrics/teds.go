package metrics

import (
	"context"
	"fmt"
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
