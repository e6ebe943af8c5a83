package metrics

import (
	"context"
	"html"
	"regexp"
	"strings"
	"unicode"

	"enterprisedocbench/internal/vec"
)

// The measures of DP-Bench compare two Markdown texts as they are written: pipe tables become HTML
// tables first, and nothing else is read as Markdown but the # of headings. Its lines and its white
// space are Python's.

// NID is the Normalised Indel Distance of DP-Bench, a similarity: 1 - (insertions + deletions) /
// (both lengths) in code points between two Markdown texts, pipe tables written as HTML tables and
// white-space runs as one space. With noTables (DP-Bench's NID-S) every HTML table is taken out of
// both first. In [0,1], higher is better, symmetric.
// Gold without text: nothing to measure (ok is false). Gold that holds tables alone, with noTables:
// 1 where the prediction has no text beside tables either, or else 0.
// Source: opendataloader-bench, evaluator_reading_order, at the revision that made the published
// scores (later ones take the marks of emphasis away first).
func NID(pred, gold string, noTables bool) (value float64, ok bool) {
	g := htmlTablesOf(gold)
	if squash(g) == "" {
		return 0, false
	}
	p := htmlTablesOf(pred)
	if noTables {
		g, p = wholeTable.ReplaceAllString(g, " "), wholeTable.ReplaceAllString(p, " ")
	}
	return indel([]rune(squash(p)), []rune(squash(g))), true
}

// indel is 1 - (insertions + deletions)/(both lengths); two empty sequences: 1. It is multiplied and
// divided by 100 like the ratio that DP-Bench takes, so that the last bit agrees too.
func indel(a, b []rune) float64 {
	n := len(a) + len(b)
	if n == 0 {
		return 1
	}
	d := n - 2*vec.LCS(a, b)
	return (1 - float64(d)/float64(n)) * 100 / 100
}

// MHS is the Markdown Heading Similarity of DP-Bench: 1 - d/max(nodes), with d the tree edit
// distance of two trees of three floors: the document, its headings in order whatever their level,
// and below each heading its text up to the next as one node (text before the first heading hangs
// from the document). Inserting or deleting a node costs 1, and so does changing a heading to text;
// changing the words of either costs their normalised Levenshtein distance (code points), or nothing
// with structure (DP-Bench's MHS-S). The document counts as a node. In [0,1], higher is better.
// Gold without heading: nothing to measure (ok is false). Prediction without: 0. Trees too large to
// compare, or a context that ends, give the error of [TEDS].
// Source: opendataloader-bench, evaluator_heading_level.
func MHS(ctx context.Context, pred, gold string, structure bool) (value float64, ok bool, err error) {
	g, heads := headingTree(htmlTablesOf(gold))
	if heads == 0 {
		return 0, false, nil
	}
	p, heads := headingTree(htmlTablesOf(pred))
	if heads == 0 {
		return 0, true, nil
	}
	if err := tooLarge(p, g, "headings and texts"); err != nil {
		return 0, true, err
	}
	d, err := treeDistance(ctx, p, g, structure)
	if err != nil {
		return 0, true, err
	}
	return max(1-d/float64(max(len(g.left), len(p.left))), 0), true, nil
}

// DPBenchTEDS is TEDS as DP-Bench takes it: all tables of a Markdown text, pipe tables among them,
// hang in order below one root, which is not counted; every element inside counts as a node towards
// max(nodes), also inline markup; th is td; a cell's text keeps its inline markup as characters,
// white space is collapsed. With structure (DP-Bench's TEDS-S) cell texts cost nothing. In [0,1],
// higher is better.
// Gold without table: nothing to measure (ok is false). Prediction without: 0. Two sets of tables
// too large to compare give the error of [TEDS].
// Source: opendataloader-bench, evaluator_table, after Zhong, ShafieiBavani and Jimeno Yepes 2020.
func DPBenchTEDS(ctx context.Context, pred, gold string, structure bool) (value float64, ok bool, err error) {
	g := allTables(parseMarkup(htmlTablesOf(gold)), nil)
	if len(g) == 0 {
		return 0, false, nil
	}
	p := allTables(parseMarkup(htmlTablesOf(pred)), nil)
	if len(p) == 0 {
		return 0, true, nil
	}
	a, n := underOneRoot(p)
	b, m := underOneRoot(g)
	if err := tooLarge(a, b, "tables"); err != nil {
		return 0, true, err
	}
	d, err := treeDistance(ctx, a, b, structure)
	if err != nil {
		return 0, true, err
	}
	return max(1-d/float64(max(n, m)), 0), true, nil
}

var (
	wholeTable = regexp.MustCompile(`(?is)<table[^>]*>.*?</table>`)
	brTag      = regexp.MustCompile(`<br[\s\x{85}\p{Z}\x1c-\x1f]*/?>`)
)

// underOneRoot is the tree of all tables, with the number of elements.
func underOneRoot(tables []*node) (t *tree, elements int) {
	t = &tree{known: map[string]int32{}}
	for _, n := range tables {
		elements += 1 + n.elements() - n.bareSections()
		walkDPBench(n, t)
	}
	t.add(0, tagLabel("table"), -1)
	return t, elements
}

// bareSections counts the thead and tbody below a node that have no attributes: DP-Bench takes these
// tags away.
func (n *node) bareSections() (count int) {
	for _, c := range n.children {
		if c.tag == "" {
			continue
		}
		if c.bareSection() {
			count++
		}
		count += c.bareSections()
	}
	return count
}

func (n *node) bareSection() bool {
	return (n.tag == "thead" || n.tag == "tbody") && len(n.attr) == 0
}

func walkDPBench(n *node, out *tree) {
	if n.bareSection() {
		for _, c := range n.children {
			if c.tag != "" {
				walkDPBench(c, out)
			}
		}
		return
	}
	first := len(out.left)
	if n.tag == "td" || n.tag == "th" {
		c := Cell{ColSpan: n.span("colspan", 1<<14), RowSpan: n.span("rowspan", 1<<15)}
		var b strings.Builder
		n.written(&b)
		text := squash(brTag.ReplaceAllString(html.UnescapeString(b.String()), "\n"))
		out.add(first, cellLabel(c), out.intern(text, []rune(text)))
		return
	}
	for _, c := range n.children {
		if c.tag != "" {
			walkDPBench(c, out)
		}
	}
	out.add(first, tagLabel(n.tag), -1)
}

// written is what stands below a node, with its tags but without their attributes.
func (n *node) written(b *strings.Builder) {
	for _, c := range n.children {
		if c.tag == "" {
			b.WriteString(c.text)
			continue
		}
		b.WriteString("<" + c.tag + ">")
		c.written(b)
		b.WriteString("</" + c.tag + ">")
	}
}

// allTables lists every table below a node, nested ones again by themselves.
func allTables(n *node, out []*node) []*node {
	for _, c := range n.children {
		if c.tag == "table" {
			out = append(out, c)
		}
		out = allTables(c, out)
	}
	return out
}

const (
	labelDocument = -1
	labelHeading  = -2
	labelProse    = -3
)

var headingLine = regexp.MustCompile(`^#{1,6}[\s\x{85}\p{Z}\x1c-\x1f]+(.*)$`)

// headingTree reads a Markdown text as document, headings and texts.
func headingTree(markdown string) (t *tree, headings int) {
	t = &tree{known: map[string]int32{}}
	var pending []string
	heading := "" // the open one
	first := 0    // its leftmost leaf
	text := func(s string) int32 { return t.intern(s, []rune(s)) }
	flush := func() {
		if len(pending) > 0 {
			t.add(len(t.left), labelProse, text(strings.Join(pending, " ")))
			pending = nil
		}
	}
	end := func() {
		if headings > 0 {
			t.add(first, labelHeading, text(heading))
		}
	}
	for _, line := range pythonLines(markdown) {
		if m := headingLine.FindStringSubmatch(strings.TrimRight(line, lineEnds)); m != nil {
			flush()
			end()
			heading, first = squash(m[1]), len(t.left)
			headings++
			continue
		}
		if s := squash(line); s != "" {
			pending = append(pending, s)
		}
	}
	flush()
	end()
	t.add(0, labelDocument, -1)
	return t, headings
}

// htmlTablesOf is a Markdown text whose pipe tables (a row, a row of dashes, more rows) are written
// as HTML. A short row is filled up; one of three cells in a wider table is read as a head that
// spans: its middle cell is repeated. An empty head is left out.
func htmlTablesOf(markdown string) string {
	lines := pythonLines(markdown)
	var b strings.Builder
	for i := 0; i < len(lines); {
		head := pipeCells(lines[i])
		if head == nil || i+1 >= len(lines) || !dashes(pipeCells(lines[i+1])) {
			b.WriteString(lines[i])
			i++
			continue
		}
		width := max(len(head), len(pipeCells(lines[i+1])))
		rows := [][]string{filled(head, width)}
		next := i + 2
		for ; next < len(lines); next++ {
			cells := pipeCells(lines[next])
			if cells == nil {
				break
			}
			rows = append(rows, filled(cells, width))
		}
		if len(rows) > 1 && strings.Join(rows[0], "") == "" {
			rows = rows[1:]
		}
		b.WriteString("<table>")
		for k, cells := range rows {
			tag := "td"
			if k == 0 {
				tag = "th"
			}
			b.WriteString("<tr>")
			for _, c := range cells {
				b.WriteString("<" + tag + ">" + pythonEscape.Replace(c) + "</" + tag + ">")
			}
			b.WriteString("</tr>")
		}
		b.WriteString("</table>")
		b.WriteString(lines[i][len(strings.TrimRight(lines[i], "\r\n")):])
		i = next
	}
	return b.String()
}

// pythonEscape writes a text as Python's html.escape does, quotes included.
var pythonEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#x27;")

// pipeCells splits a row of a pipe table; nil where the line is none.
func pipeCells(line string) []string {
	s := strings.TrimFunc(line, pythonSpace)
	if !strings.Contains(s, "|") {
		return nil
	}
	cells := strings.Split(s, "|")
	if strings.HasPrefix(s, "|") {
		cells = cells[1:]
	}
	if len(cells) > 0 && strings.HasSuffix(s, "|") {
		cells = cells[:len(cells)-1]
	}
	if len(cells) == 0 {
		return nil
	}
	for i := range cells {
		cells[i] = strings.TrimFunc(cells[i], pythonSpace)
	}
	return cells
}

func dashes(cells []string) bool {
	for _, c := range cells {
		if c = strings.ReplaceAll(c, " ", ""); c == "" || strings.Trim(c, "-:") != "" {
			return false
		}
	}
	return len(cells) > 0
}

func filled(cells []string, width int) []string {
	if len(cells) == 3 && width > 3 {
		out := []string{cells[0]}
		for range width - 2 {
			out = append(out, cells[1])
		}
		return append(out, cells[2])
	}
	for len(cells) < width {
		cells = append(cells, "")
	}
	return cells[:width]
}

// lineEnds are the characters at which Python ends a line.
const lineEnds = "\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// pythonLines splits a text as Python's splitlines does, line ends kept.
func pythonLines(s string) (out []string) {
	for s != "" {
		i := strings.IndexAny(s, lineEnds)
		if i < 0 {
			return append(out, s)
		}
		n := i + 1
		switch {
		case strings.HasPrefix(s[i:], "\r\n"), strings.HasPrefix(s[i:], "\u0085"):
			n = i + 2
		case s[i] == 0xe2: // U+2028, U+2029
			n = i + 3
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// pythonSpace is what Python takes for white space: Unicode's and the four separators of ASCII.
func pythonSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// squash writes runs of white space as one space and takes them away at both ends.
func squash(s string) string { return strings.Join(strings.FieldsFunc(s, pythonSpace), " ") }
