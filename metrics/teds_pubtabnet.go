package metrics

import "strings"

// rawTree is the tree of the reference implementation: every element as written, but td a leaf
// whose text is the symbols of its inner markup: one for each code point and each inner tag.
// Children of th, and its text, are nodes like any others (their text does not count).
func rawTree(n *node, structure bool) *tree {
	out := &tree{known: map[string]int32{}}
	walkRaw(n, out, structure)
	return out
}

// tagLabel numbers tags by a hash of their name, the same for both trees of a comparison, below the
// labels of cells, which are positive.
func tagLabel(tag string) int32 {
	h := uint32(2166136261)
	for i := range len(tag) {
		h = (h ^ uint32(tag[i])) * 16777619
	}
	return -int32(h>>1) - 3
}

func walkRaw(n *node, out *tree, structure bool) {
	first := len(out.left)
	if n.tag == "td" {
		c := Cell{ColSpan: n.span("colspan", 1<<14), RowSpan: n.span("rowspan", 1<<15)}
		var symbols []rune
		if !structure {
			symbols = n.symbols(nil)
		}
		out.add(first, cellLabel(c), out.intern(string32(symbols), symbols))
		return
	}
	for _, c := range n.children {
		if c.tag != "" {
			walkRaw(c, out, structure)
		}
	}
	out.add(first, tagLabel(n.tag), -1)
}

// symbols lists the code points below a node, with one symbol (outside Unicode) for each start and
// each end tag.
func (n *node) symbols(out []rune) []rune {
	for _, c := range n.children {
		if c.tag == "" {
			out = append(out, []rune(c.text)...)
			continue
		}
		tag := 0x110000 - tagLabel(c.tag)%0x1fffffff
		out = append(out, tag)
		out = c.symbols(out)
		out = append(out, tag+0x1fffffff)
	}
	return out
}

// string32 is a key that tells any two sequences of symbols apart.
func string32(rs []rune) string {
	var b strings.Builder
	for _, r := range rs {
		b.Write([]byte{byte(r), byte(r >> 8), byte(r >> 16), byte(r >> 24)})
	}
	return b.String()
}
