package align

import "unicode/utf8"

// extend goes on from every matched word to the right and to the left.
func (m *matcher) extend(g, p pageRange, cross bool) {
	for i := g.from; i < g.to; i++ {
		if m.image[i] >= 0 && i+1 < g.to && m.image[i+1] < 0 {
			m.walk(i, int(m.image[i]), 1, g, p, cross)
		}
	}
	for i := g.to - 1; i >= g.from; i-- {
		if m.image[i] >= 0 && i > g.from && m.image[i-1] < 0 {
			m.walk(i, int(m.image[i]), -1, g, p, cross)
		}
	}
}

// maxCredit bounds how much good text can pay for bad text after it, in characters.
const maxCredit = 80

// walk pairs the words after (g, p) in direction dir. A word may differ by one edit in four
// characters; words that differ more, or that one side lacks, are passed over as long as the text
// before them holds four times as many characters.
func (m *matcher) walk(g, p, dir int, gr, pr pageRange, cross bool) {
	if p < pr.from || p >= pr.to {
		return
	}
	credit := 0
	for k, q := g, p; k >= gr.from && k < gr.to && q >= pr.from && q < pr.to && int(m.image[k]) == q && credit < maxCredit; k, q = k-dir, q-dir {
		credit += len(m.g.raw[k])
	}
	okG := func(i int) bool {
		return i >= gr.from && i < gr.to && m.image[i] < 0 && (cross || m.g.toks[i].elem == m.g.toks[g].elem)
	}
	okP := func(i int) bool {
		return i >= pr.from && i < pr.to && m.source[i] < 0 && (cross || m.p.toks[i].elem == m.p.toks[p].elem)
	}
	for {
		a, b := g+dir, p+dir
		if !okG(a) || !okP(b) {
			return
		}
		if m.g.toks[a].key == m.p.toks[b].key || m.similar(a, b) {
			m.pair(a, b)
			credit = min(maxCredit, credit+len(m.g.raw[a]))
			g, p = a, b
			continue
		}
		i, j, cost := m.resume(a, b, dir, okG, okP)
		if cost < 0 || 4*cost > credit {
			return
		}
		credit -= 4 * cost
		if i == j { // as many words on either side: they stand for each other, misread
			for k := range i {
				m.pair(a+dir*k, b+dir*k)
			}
		}
		g, p = a+dir*i, b+dir*j
		m.pair(g, p)
	}
}

// passes are the numbers of words of gold and parse that may be passed over, in the order tried.
var passes = [][2]int{{1, 1}, {1, 0}, {0, 1}, {2, 1}, {1, 2}, {2, 2}, {2, 0}, {0, 2}, {3, 1}, {1, 3}, {3, 0}, {0, 3}}

// resume looks for the next equal words within a few steps: i words of gold and j of the parse are
// passed over, at a cost in characters; -1 where there is none.
func (m *matcher) resume(a, b, dir int, okG, okP func(int) bool) (i, j, cost int) {
	for _, pass := range passes {
		i, j := pass[0], pass[1]
		if !m.reachable(a, i, dir, okG) || !m.reachable(b, j, dir, okP) || m.g.toks[a+dir*i].key != m.p.toks[b+dir*j].key {
			continue
		}
		cg, cp := 0, 0
		for k := range i {
			cg += len(m.g.raw[a+dir*k])
		}
		for k := range j {
			cp += len(m.p.raw[b+dir*k])
		}
		return i, j, max(cg, cp)
	}
	return 0, 0, -1
}

func (m *matcher) reachable(at, n, dir int, ok func(int) bool) bool {
	for k := range n + 1 {
		if !ok(at + dir*k) {
			return false
		}
	}
	return true
}

// similar reports whether two words differ by at most one edit in four characters.
func (m *matcher) similar(g, p int) bool {
	a, b := m.d.keys[m.g.toks[g].key], m.d.keys[m.p.toks[p].key]
	most := max(len(a), len(b)) / 4
	if most == 0 || len(a)-len(b) > most || len(b)-len(a) > most {
		return false
	}
	return within(a, b, most)
}

// within reports whether the edit distance of two short words is at most n.
func within(a, b string, n int) bool {
	if len(a) > 64 || len(b) > 64 {
		return false
	}
	if utf8.RuneCountInString(a) != len(a) || utf8.RuneCountInString(b) != len(b) {
		n = max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)) / 4
		if n == 0 {
			return a == b
		}
	}
	var row [65]int
	rb := []rune(b)
	for j := range len(rb) + 1 {
		row[j] = j
	}
	i := 0
	for _, ra := range a {
		diagonal := i
		i++
		row[0] = i
		best := i
		for j, r := range rb {
			c := diagonal
			if ra != r {
				c++
			}
			diagonal = row[j+1]
			row[j+1] = min(c, row[j]+1, diagonal+1)
			best = min(best, row[j+1])
		}
		if best > n {
			return false
		}
	}
	return row[len(rb)] <= n
}
