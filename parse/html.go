package parse

import (
	"bytes"
	"context"
	"fmt"
	stdhtml "html"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"enterprisedocbench"
)

// HTML reads a page in DOM order: headings, paragraphs, lists, tables with spans, captions. Scripts
// and styles are left out; nav, header and footer of the page are artifacts.
type HTML struct{}

var _ Parser = HTML{}

// Parse implements Parser.
func (HTML) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	b, err := read(src.Path)
	if err != nil {
		return edb.Parsed{}, err
	}
	if err := ctx.Err(); err != nil {
		return edb.Parsed{}, err
	}
	p, err := parseHTML(b)
	p.Doc = src.Doc.ID
	return p, err
}

func parseHTML(b []byte) (edb.Parsed, error) {
	s, warning, err := decode(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	root, err := html.ParseWithOptions(strings.NewReader(s), html.ParseOptionEnableScripting(false))
	if err != nil {
		return edb.Parsed{}, fail(Damaged, "the HTML does not parse: %w", err)
	}
	w := &htmlWalker{}
	w.walk(root, "", 0)
	w.flush(edb.KindParagraph, 0)
	p := edb.Parsed{Engine: "html@1", Pages: []edb.Page{{Number: 1, NoText: len(w.out) == 0, Elements: w.out}}}
	if warning != "" {
		p.Warnings = append(p.Warnings, warning)
	}
	for i := range w.out {
		if w.out[i].ID == "" {
			w.out[i].ID = fmt.Sprintf("p1e%d", i+1)
		}
	}
	return p, nil
}

// maxDepth bounds the nesting that is followed.
const maxDepth = 400

type htmlWalker struct {
	out  []edb.Element
	text strings.Builder
}

// flush ends the running block and appends it.
func (w *htmlWalker) flush(kind string, level int) {
	t := squeeze(w.text.String())
	w.text.Reset()
	if t != "" {
		w.out = append(w.out, edb.Element{Kind: kind, Level: level, Text: t})
	}
}

func (w *htmlWalker) walk(n *html.Node, artifact string, depth int) {
	if depth > maxDepth {
		return
	}
	if n.Type == html.TextNode {
		w.text.WriteString(n.Data)
		return
	}
	kind, level := edb.KindParagraph, 0
	block := false
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Head, atom.Noscript, atom.Template, atom.Iframe, atom.Svg, atom.Object:
		return
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		kind, level, block = edb.KindHeading, int(n.Data[1]-'0'), true
	case atom.Li:
		kind, block = edb.KindListItem, true
	case atom.Figcaption, atom.Caption:
		kind, block = edb.KindCaption, true
	case atom.Pre:
		kind, block = edb.KindCode, true
	case atom.Br:
		w.text.WriteByte(' ')
	case atom.Table:
		w.flush(pick(artifact, edb.KindParagraph), 0)
		w.table(n)
		return
	case atom.Img:
		w.flush(pick(artifact, edb.KindParagraph), 0)
		w.out = append(w.out, edb.Element{Kind: edb.KindFigure, Text: squeeze(attr(n, "alt"))})
		return
	case atom.Nav:
		artifact, block = edb.KindHeader, true
	case atom.Header:
		if parentIs(n, atom.Body) {
			artifact = edb.KindHeader
		}
		block = true
	case atom.Footer:
		if parentIs(n, atom.Body) {
			artifact = edb.KindFooter
		}
		block = true
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd, atom.Blockquote,
		atom.Figure, atom.Hr, atom.Body, atom.Html, atom.Address, atom.Form, atom.Fieldset, atom.Aside, atom.Details, atom.Summary:
		block = true
	}
	if block {
		w.flush(pick(artifact, edb.KindParagraph), 0)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.walk(c, artifact, depth+1)
	}
	if block {
		w.flush(pick(artifact, kind), level)
	}
}

func pick(artifact, kind string) string {
	if artifact != "" {
		return artifact
	}
	return kind
}

func parentIs(n *html.Node, a atom.Atom) bool { return n.Parent != nil && n.Parent.DataAtom == a }

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// table writes a clean table: rows, cells, spans and text; its caption stands before it.
func (w *htmlWalker) table(n *html.Node) {
	id := fmt.Sprintf("p1t%d", len(w.out)+1)
	var h strings.Builder
	var rows []string
	var visit func(n *html.Node, depth int)
	visit = func(n *html.Node, depth int) {
		if depth > maxDepth {
			return
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch c.DataAtom {
			case atom.Caption:
				if t := squeeze(textOf(c, 0)); t != "" {
					w.out = append(w.out, edb.Element{Kind: edb.KindCaption, Text: t, CaptionOf: id})
				}
			case atom.Tr:
				h.WriteString("<tr>")
				var cells []string
				for d := c.FirstChild; d != nil; d = d.NextSibling {
					if d.DataAtom != atom.Td && d.DataAtom != atom.Th {
						continue
					}
					t := squeeze(textOf(d, 0))
					h.WriteString("<" + d.Data)
					for _, a := range []string{"rowspan", "colspan"} {
						if v, err := strconv.Atoi(strings.TrimSpace(attr(d, a))); err == nil && v > 1 && v <= 1000 {
							fmt.Fprintf(&h, ` %s="%d"`, a, v)
						}
					}
					h.WriteString(">" + stdhtml.EscapeString(t) + "</" + d.Data + ">")
					cells = append(cells, t)
				}
				h.WriteString("</tr>")
				rows = append(rows, strings.Join(cells, "\t"))
			default:
				visit(c, depth+1)
			}
		}
	}
	visit(n, 0)
	if len(rows) == 0 {
		return
	}
	w.out = append(w.out, edb.Element{ID: id, Kind: edb.KindTable, Text: strings.Join(rows, "\n"), HTML: "<table>" + h.String() + "</table>"})
}

func textOf(n *html.Node, depth int) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	if depth > maxDepth || n.DataAtom == atom.Script || n.DataAtom == atom.Style {
		return ""
	}
	if n.DataAtom == atom.Br {
		return " "
	}
	var b bytes.Buffer
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.WriteString(textOf(c, depth+1))
	}
	if n.DataAtom == atom.P || n.DataAtom == atom.Div || n.DataAtom == atom.Li || n.DataAtom == atom.Td {
		b.WriteByte(' ')
	}
	return b.String()
}
