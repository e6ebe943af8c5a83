package press

import (
	"strings"

	edb "enterprisedocbench"
)

// markdown prints a story as Markdown with pipe tables; a table with spans, which pipes cannot say, is
// HTML. Captions of tables stand before them as pandoc writes them; charts are printed as their data;
// footnotes are small print at the end.
func (c *content) markdown() (Printed, error) {
	w := c.script()
	if c.title.text != "" {
		w.add("# ")
		w.marked(c.title.text, true)
		w.b = append(w.b, '\n')
		w.text(edb.KindHeading, 1, c.title)
	}
	blocks := c.last()
	depth := 0 // of the last list item; 0 outside of lists
	for i, p := range blocks {
		if len(w.b) > 0 && (p.Kind != edb.KindListItem || depth == 0) {
			w.b = append(w.b, '\n')
		}
		if p.Kind != edb.KindListItem {
			depth = 0
		}
		switch p.Kind {
		case edb.KindHeading:
			w.add("######"[:p.depth()], " ")
			w.marked(p.text.text, true)
			w.b = append(w.b, '\n')
			w.text(p.Kind, p.depth(), p.text)
		case edb.KindListItem:
			depth = min(p.depth(), depth+1)
			for range depth - 1 {
				w.add("  ")
			}
			w.add("- ")
			w.marked(p.text.text, false)
			w.b = append(w.b, '\n')
			w.text(p.Kind, 0, p.text)
		case edb.KindFootnote:
			w.tag("p", ` role="doc-footnote"`, p.text.text)
			w.text(p.Kind, 0, p.text)
		case edb.KindCode:
			w.fenced(p.text.text)
			w.text(p.Kind, 0, p.text)
		case edb.KindTable, edb.KindFigure:
			g := p.grid
			if g == nil {
				g = p.chart.data()
			}
			// The caption of a table that follows another at once would be taken for that one's.
			if after := i > 0 && (blocks[i-1].Kind == edb.KindTable || blocks[i-1].Kind == edb.KindFigure); after || len(g.Spans) > 0 {
				w.htmlTable(g)
			} else {
				w.piped(g)
			}
			w.tabled(g)
		default:
			w.marked(p.text.text, false)
			w.b = append(w.b, '\n')
			w.text(p.Kind, 0, p.text)
		}
	}
	return w.printed(c.ID, "text/markdown", ".md")
}

// fenced writes code between fences that are longer than any run of backticks in it.
func (w *script) fenced(code string) {
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	w.add(fence, "\n", code, "\n", fence, "\n")
}

func (w *script) piped(g *grid) {
	if g.caption.text != "" {
		w.add(": ")
		w.marked(g.caption.text, true)
		w.add("\n\n")
	}
	if g.head == 0 {
		w.add(strings.Repeat("|  ", g.columns), "|\n")
		w.rule(g)
	}
	for r, row := range g.rows {
		for _, c := range row {
			w.add("| ")
			w.marked(c.text, true)
			w.b = append(w.b, ' ')
		}
		w.add("|\n")
		if r < g.head {
			w.rule(g)
		}
	}
}

// rule writes the line below the header of a pipe table.
func (w *script) rule(g *grid) {
	for c := range g.columns {
		if g.Right != nil && g.Right[c] {
			w.add("| --: ")
		} else {
			w.add("| --- ")
		}
	}
	w.add("|\n")
}

// marked writes text so that a reader of Markdown gets it back: marks that mean something are escaped,
// those that cannot, like the dollar signs of an amount or underscores inside of words, are left alone.
// inside says that the text does not begin a line.
func (w *script) marked(text string, inside bool) {
	if !strings.ContainsAny(text, "\\`*_[]{}<>&~|$#+-=:@.)!\"") {
		w.add(text)
		return
	}
	link := strings.Contains(text, "://") || strings.Contains(text, "www.") || strings.Contains(text, "@")
	braces, dollars := strings.Contains(text, "{"), strings.Count(text, "$")
	for i := 0; i < len(text); i++ {
		c := text[i]
		escape := false
		switch c {
		case '\\', '`', '*', '[', ']', '{', '}', '<', '>', '~', '|':
			escape = true
		case '_':
			escape = !(wordByte(text, i-1) && wordByte(text, i+1))
		case '$':
			escape = dollars > 1 && !(i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9')
		case '#':
			escape = !inside && i == 0 || inside && (i+1 == len(text) || text[i+1] == '#' || text[i+1] == ' ')
		case '+', '-':
			escape = !inside && i == 0
		case '=':
			escape = !inside && i == 0 || braces // {key=value} is an attribute to pandoc
		case '.', ')':
			escape = !inside && i > 0 && i < 10 && digits(text[:i])
		case '@', ':':
			escape = link && strings.ContainsAny(text, "_*~")
		case '&':
			if i+1 < len(text) && (wordByte(text, i+1) || text[i+1] == '#') {
				w.add("&amp;")
				continue
			}
		}
		if escape {
			w.b = append(w.b, '\\')
		}
		w.b = append(w.b, c)
	}
}

func wordByte(s string, i int) bool {
	return i >= 0 && i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z')
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
