package press

import (
	"strconv"
	"strings"

	edb "enterprisedocbench"
)

const htmlStyle = `<style>body{font-family:sans-serif;max-width:46em;margin:2em auto;line-height:1.4}table{border-collapse:collapse}` +
	`td,th{border:1px solid #999;padding:.2em .6em}th{text-align:left}.r{text-align:right}.b{font-weight:bold}.l{list-style:none}</style>`

// html prints a story as an HTML page. Head and foot are artifacts; charts are SVG.
func (c *content) html() (Printed, error) {
	w := c.script()
	w.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>", escapeHTML(c.title.text), "</title>\n")
	if c.Author != "" {
		w.add(`<meta name="author" content="`, escapeHTML(c.Author), "\">\n")
	}
	if !c.Made.IsZero() {
		w.add(`<meta name="date" content="`, c.Made.UTC().Format("2006-01-02"), "\">\n")
	}
	w.add(htmlStyle, "\n</head>\n<body>\n")
	if c.Head != "" {
		w.tag("header", "", c.Head)
		w.text(edb.KindHeader, 0, passage{text: c.Head})
	}
	w.add("<main>\n")
	if c.title.text != "" {
		w.tag("h1", "", c.title.text)
		w.text(edb.KindHeading, 1, c.title)
	}
	lists, notes := 0, false // how deep lists are nested; whether the footnotes have begun
	for _, p := range c.last() {
		if p.Kind != edb.KindListItem {
			lists = w.list(lists, 0, false)
		}
		switch p.Kind {
		case edb.KindHeading:
			w.tag("h"+strconv.Itoa(p.depth()), "", p.text.text)
			w.text(p.Kind, p.depth(), p.text)
		case edb.KindParagraph:
			w.tag("p", "", p.text.text)
			w.text(p.Kind, 0, p.text)
		case edb.KindListItem:
			lists = w.list(lists, p.depth(), labelled(p.text.text))
			w.add("<li>", escapeHTML(p.text.text))
			w.text(p.Kind, 0, p.text)
		case edb.KindFootnote:
			if !notes {
				w.add("<section role=\"doc-endnotes\">\n")
				notes = true
			}
			w.tag("p", ` role="doc-footnote"`, p.text.text)
			w.text(p.Kind, 0, p.text)
		case edb.KindCode:
			w.add("<pre><code>", escapeHTML(p.text.text), "</code></pre>\n")
			w.text(p.Kind, 0, p.text)
		case edb.KindTable:
			w.htmlTable(p.grid)
			w.tabled(p.grid)
		case edb.KindFigure:
			w.htmlFigure(p.chart, c.Look.filled())
		}
	}
	w.list(lists, 0, false)
	if notes {
		w.add("</section>\n")
	}
	w.add("</main>\n")
	if c.Foot != "" {
		w.tag("footer", "", c.Foot)
		w.text(edb.KindFooter, 0, passage{text: c.Foot})
	}
	w.add("</body>\n</html>\n")
	return w.printed(c.ID, "text/html", ".html")
}

var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// escapeHTML writes text as text of a page or as the value of an attribute.
func escapeHTML(text string) string {
	if strings.ContainsAny(text, `&<>"`) {
		return htmlEscaper.Replace(text)
	}
	return text
}

// tag writes an element of text.
func (w *script) tag(name, attributes, text string) {
	w.add("<", name, attributes, ">", escapeHTML(text), "</", name, ">\n")
}

// list opens and closes lists until depth of the open ones are left and the item before is closed; a
// list stands inside of the item before it. It gives depth.
func (w *script) list(open, depth int, labelled bool) int {
	for ; open > depth; open-- {
		w.add("</li>\n</ul>\n")
	}
	if open == depth {
		if depth > 0 {
			w.add("</li>\n")
		}
		return depth
	}
	for ; open < depth; open++ {
		if open > 0 {
			w.b = append(w.b, '\n')
		}
		if labelled {
			w.add("<ul class=\"l\">\n")
		} else {
			w.add("<ul>\n")
		}
		if open+1 < depth {
			w.add("<li>")
		}
	}
	return depth
}

func (w *script) htmlTable(g *grid) {
	w.add("<table>\n")
	if g.caption.text != "" {
		w.tag("caption", "", g.caption.text)
	}
	for r, row := range g.rows {
		name := "td"
		switch {
		case r < g.head:
			name = "th"
			w.add("<thead>\n")
		case r == g.head:
			w.add("<tbody>\n")
		}
		w.add("<tr>")
		for _, c := range row {
			w.add("<", name)
			w.b = c.attributes(w.b)
			switch right, bold := g.Right != nil && g.Right[c.col], r >= g.head && g.heavy(r); {
			case right && bold:
				w.add(` class="r b"`)
			case right:
				w.add(` class="r"`)
			case bold:
				w.add(` class="b"`)
			}
			w.add(">")
			w.add(escapeHTML(c.text))
			w.add("</", name, ">")
		}
		w.add("</tr>\n")
		if r < g.head {
			w.add("</thead>\n")
		}
	}
	w.add("</tbody>\n</table>\n")
}

// htmlFigure writes a chart as SVG with its caption; the gold text of the figure is its labels, one
// a line, in the order in which the SVG holds them.
func (w *script) htmlFigure(p *plot, look Look) {
	w.add("<figure>\n")
	p.svg(w, look)
	text := make([]string, len(p.labels))
	var marks []mark
	n := 0
	for i := range p.labels {
		row := p.row(i)
		text[i] = row.text
		marks = append(marks, shifted(row.marks, n)...)
		n += len([]rune(row.text)) + 1
	}
	id := w.element(edb.Element{Kind: edb.KindFigure, Text: strings.Join(text, "\n")}, marks)
	if p.caption.text != "" {
		w.tag("figcaption", "", p.caption.text)
		w.element(edb.Element{Kind: edb.KindCaption, Text: p.caption.text, CaptionOf: id}, p.caption.marks)
	}
	w.add("</figure>\n")
}

// svg draws a chart; label and value of each entry stand together.
func (p *plot) svg(w *script, look Look) {
	const width, row, base = 640, 24, 170.0
	height := 210
	if p.Kind == Bars {
		height = row*len(p.labels) + 10
	}
	color := "#"
	for _, v := range look.Accent {
		color += string("0123456789abcdef"[v>>4]) + string("0123456789abcdef"[v&15])
	}
	num := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
	w.add(`<svg xmlns="http://www.w3.org/2000/svg" role="img" width="`, strconv.Itoa(width), `" height="`, strconv.Itoa(height), "\" font-size=\"12\">\n")
	slot := float64(width) / float64(len(p.labels))
	heights := p.scaled()
	if p.Kind == Curve {
		w.add(`<polyline fill="none" stroke="`, color, `" points="`)
		for i, h := range heights {
			w.add(num(slot*(float64(i)+.5)), ",", num(base-150*h), " ")
		}
		w.add("\"/>\n")
	}
	for i := range p.labels {
		label, value := escapeHTML(p.labels[i].text), escapeHTML(p.printed[i].text)
		if p.Kind == Bars {
			y, long := float64(row*i+5), 300*heights[i]
			w.add(`<rect x="200" y="`, num(y), `" width="`, num(long), `" height="14" fill="`, color, "\"/>\n",
				`<text x="192" y="`, num(y+11), `" text-anchor="end">`, label, "</text> ",
				`<text x="`, num(206+long), `" y="`, num(y+11), `">`, value, "</text>\n")
			continue
		}
		x := slot * (float64(i) + .5)
		if p.Kind == Columns {
			w.add(`<rect x="`, num(x-slot*.27), `" y="`, num(base-150*heights[i]), `" width="`, num(slot*.54), `" height="`, num(150*heights[i]), `" fill="`, color, "\"/>\n")
		} else {
			w.add(`<circle cx="`, num(x), `" cy="`, num(base-150*heights[i]), `" r="3" fill="`, color, "\"/>\n")
		}
		w.add(`<text x="`, num(x), `" y="186" text-anchor="middle">`, label, "</text> ",
			`<text x="`, num(x), `" y="202" text-anchor="middle">`, value, "</text>\n")
	}
	w.add("</svg>\n")
}
