package parse

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"enterprisedocbench"
)

// HTML reads a page in DOM order: headings with their level, paragraphs, list items, code, tables
// with their spans, captions tied to what they describe, footnotes. Scripts, styles, form controls
// and what is hidden are left out; navigation and the page's own header and footer are artifacts. A
// table that only lays out others is read through. The result has one page, number 1, and is not
// paged. Errors are Missing, Damaged or TooLarge.
type HTML struct{}

var _ Parser = HTML{}

// Parse implements Parser.
func (HTML) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	return parseBytes(ctx, src, func(b []byte) (edb.Parsed, error) { return htmlPage(b, true) })
}

// parseHTML reads a page with no more headings than its markup names: what a prediction or gold says.
func parseHTML(b []byte) (edb.Parsed, error) { return htmlPage(b, false) }

func htmlPage(b []byte, styled bool) (edb.Parsed, error) {
	s, warning, err := decodeHTML(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	root, err := html.ParseWithOptions(strings.NewReader(closeIX(s)), html.ParseOptionEnableScripting(false))
	if err != nil {
		return edb.Parsed{}, fail(Damaged, "the HTML does not parse: %w", err)
	}
	w := &htmlWalker{fresh: -1}
	w.walk(root, htmlBlock{kind: edb.KindParagraph, style: htmlStyle{size: htmlSize}}, 0)
	w.flush(htmlBlock{kind: edb.KindParagraph})
	if styled {
		w.styledHeadings(root)
	}
	p := onePage(Spec{Engine: "html"}.Label(), w.out, warning)
	if p.Tagged, warning = inlineXBRL(root, w.out); warning != "" {
		p.Warnings = append(p.Warnings, warning)
	}
	return p, nil
}

// onePage is the parse of a format without pages.
func onePage(engine string, els []edb.Element, warning string) edb.Parsed {
	p := edb.Parsed{Engine: engine, Pages: []edb.Page{{Number: 1, Elements: els}}}
	p.Pages[0].NoText = p.Pages[0].Text() == ""
	if warning != "" {
		p.Warnings = append(p.Warnings, warning)
	}
	return p
}

// maxDepth bounds the nesting that is followed; the HTML reader refuses deeper documents.
const maxDepth = 600

type htmlWalker struct {
	out   []edb.Element
	marks []*htmlMark // how the text of each element is shown; nil for figures and captions of tables
	text  strings.Builder
	mark  htmlMark // of text
	fresh int      // elements since a page break; -1 before the first
}

// htmlBlock is what the text being read belongs to.
type htmlBlock struct {
	kind     string
	level    int
	artifact string // header or footer, else ""
	figure   bool
	style    htmlStyle
}

func (w *htmlWalker) add(e edb.Element) string {
	e.ID = fmt.Sprintf("p1e%d", len(w.out)+1)
	w.out, w.marks = append(w.out, e), append(w.marks, nil)
	if w.fresh >= 0 {
		w.fresh++
	}
	return e.ID
}

// flush ends the running text as an element of b's kind.
func (w *htmlWalker) flush(b htmlBlock) {
	t := w.text.String()
	w.text.Reset()
	m := w.mark
	w.mark = htmlMark{}
	if b.artifact != "" {
		b.kind, b.level = b.artifact, 0
	}
	if b.kind == edb.KindCode {
		t = strings.Trim(t, "\r\n")
		if strings.TrimSpace(t) == "" {
			w.mark.ids = m.ids
			return
		}
	} else if t = squeeze(t); t == "" {
		w.mark.ids = m.ids // they name what follows
		return
	}
	m.fresh = w.fresh
	w.add(edb.Element{Kind: b.kind, Level: b.level, Text: t})
	w.marks[len(w.marks)-1] = &m
}

// unseen are elements whose content is not printed.
var unseen = atoms(atom.Script, atom.Style, atom.Head, atom.Noscript, atom.Template, atom.Iframe, atom.Svg, atom.Object,
	atom.Select, atom.Textarea, atom.Button, atom.Canvas, atom.Audio, atom.Video, atom.Annotation, atom.Rp)

// blockTags are elements that begin and end a block of text.
var blockTags = atoms(atom.P, atom.Div, atom.Section, atom.Article, atom.Main, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd,
	atom.Blockquote, atom.Figure, atom.Hr, atom.Body, atom.Html, atom.Address, atom.Form, atom.Fieldset, atom.Aside, atom.Details,
	atom.Summary, atom.Header, atom.Footer, atom.Nav, atom.Li, atom.Figcaption, atom.Caption, atom.Pre, atom.Center,
	atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Tr, atom.Td, atom.Th,
	atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6)

func atoms(list ...atom.Atom) map[atom.Atom]bool {
	m := map[atom.Atom]bool{}
	for _, a := range list {
		m[a] = true
	}
	return m
}

// annotationXML is a formula's source beside its printed form.
const annotationXML = "annotation-xml"

func (w *htmlWalker) walk(n *html.Node, in htmlBlock, depth int) {
	if depth > maxDepth {
		return
	}
	if n.Type == html.TextNode {
		w.text.WriteString(n.Data)
		w.mark.take(n.Data, in.style)
		return
	}
	if n.Type == html.ElementNode && (unseen[n.DataAtom] || n.Data == annotationXML || hidden(n)) {
		return
	}
	is := blockTags[n.DataAtom]
	b := in
	b.style = in.style.of(n)
	switch n.DataAtom {
	case atom.Br:
		w.br(in)
		return
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		b.kind, b.level = edb.KindHeading, int(n.Data[1]-'0')
	case atom.Li:
		if b.kind != edb.KindFootnote {
			b.kind, b.level = edb.KindListItem, 0
		}
	case atom.Figcaption, atom.Caption:
		b.kind, b.level = edb.KindCaption, 0
	case atom.Pre:
		b.kind, b.level = edb.KindCode, 0
	case atom.Math:
		if attr(n, "display") == "block" {
			is = true
			b.kind, b.level = edb.KindFormula, 0
		}
	case atom.Nav:
		b.artifact = edb.KindHeader
	case atom.Header:
		if parentIs(n, atom.Body) {
			b.artifact = edb.KindHeader
		}
	case atom.Footer:
		if parentIs(n, atom.Body) {
			b.artifact = edb.KindFooter
		}
	case atom.Img:
		w.image(n, in)
		return
	case atom.Table:
		if !layoutTable(n) {
			w.flush(in)
			w.table(n, in)
			return
		}
	}
	switch attr(n, "role") {
	case "navigation", "banner":
		b.artifact = edb.KindHeader
	case "contentinfo":
		b.artifact = edb.KindFooter
	case "doc-footnote", "doc-endnotes":
		b.kind, b.level = edb.KindFootnote, 0
	}
	if slices.Contains(strings.Fields(attr(n, "class")), "footnotes") {
		b.kind, b.level = edb.KindFootnote, 0
	}
	from := len(w.out)
	if n.DataAtom == atom.Figure {
		b.figure = true
	}
	if is {
		w.flush(in)
	}
	w.mark.ids = append(w.mark.ids, names(n)...)
	before, after := pageBreaks(n)
	if before {
		w.fresh = 0
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.walk(c, b, depth+1)
	}
	if is {
		w.flush(b)
	}
	if after {
		w.fresh = 0
	}
	if n.DataAtom == atom.Figure {
		w.tie(from)
	}
}

func (w *htmlWalker) br(in htmlBlock) {
	if in.kind == edb.KindCode {
		w.text.WriteByte('\n')
		return
	}
	w.text.WriteByte(' ')
}

// image adds a figure where a picture says what it is or stands in a <figure>; ornaments are left
// out.
func (w *htmlWalker) image(n *html.Node, in htmlBlock) {
	alt := squeeze(attr(n, "alt"))
	if in.artifact != "" || alt == "" && !in.figure {
		return
	}
	w.flush(in)
	w.add(edb.Element{Kind: edb.KindFigure, Text: alt})
}

// tie gives the captions of a <figure> to its picture or table; a figure without either (drawn by a
// script) becomes an empty one before its caption.
func (w *htmlWalker) tie(from int) {
	target, caption := "", -1
	for i := from; i < len(w.out); i++ {
		switch w.out[i].Kind {
		case edb.KindFigure, edb.KindTable:
			if target == "" {
				target = w.out[i].ID
			}
		case edb.KindCaption:
			if caption < 0 && w.out[i].CaptionOf == "" {
				caption = i
			}
		}
	}
	if caption < 0 {
		return
	}
	if target == "" {
		target = fmt.Sprintf("p1e%d", caption+1)
		w.out = slices.Insert(w.out, caption, edb.Element{Kind: edb.KindFigure})
		w.marks = slices.Insert(w.marks, caption, nil)
		for i := caption; i < len(w.out); i++ {
			w.out[i].ID = fmt.Sprintf("p1e%d", i+1)
		}
	}
	for i := from; i < len(w.out); i++ {
		if w.out[i].Kind == edb.KindCaption && w.out[i].CaptionOf == "" {
			w.out[i].CaptionOf = target
		}
	}
}

// table adds a table, its caption before it as it is printed. Inside an artifact it is text of the
// artifact.
func (w *htmlWalker) table(n *html.Node, in htmlBlock) {
	t := tableOf(n)
	if in.artifact != "" {
		w.text.WriteString(t.caption + " " + t.text())
		w.flush(in)
		return
	}
	if len(t.rows) == 0 {
		return
	}
	if t.caption != "" {
		w.add(edb.Element{Kind: edb.KindCaption, Text: t.caption, CaptionOf: fmt.Sprintf("p1e%d", len(w.out)+2)})
	}
	m := htmlMark{ids: w.mark.ids, fresh: w.fresh}
	w.mark = htmlMark{}
	w.add(edb.Element{Kind: edb.KindTable, Text: t.text(), HTML: t.html()})
	if m.line = t.line(); m.line != "" {
		m.below(n, in.style, 0)
		m.label = 0
	}
	w.marks[len(w.marks)-1] = &m
}

// layoutTable says whether a table only lays out a page: it holds tables or headings, or says so.
func layoutTable(n *html.Node) bool {
	if r := attr(n, "role"); r == "presentation" || r == "none" {
		return true
	}
	for d := range n.Descendants() {
		switch d.DataAtom {
		case atom.Table, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			return true
		}
	}
	return false
}

// hidden says whether an element is marked as not shown.
func hidden(n *html.Node) bool {
	if n.Data == ixHeader {
		return true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return a.Val != "until-found"
		case "style":
			s := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			if strings.Contains(s, "display:none") || strings.Contains(s, "visibility:hidden") {
				return true
			}
		}
	}
	return false
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

// textOf is the printed text below a node; blocks and line breaks part words.
func textOf(n *html.Node, depth int) string {
	var b strings.Builder
	writeText(&b, n, depth)
	return b.String()
}

func writeText(b *strings.Builder, n *html.Node, depth int) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
		return
	}
	if depth > maxDepth || n.Type == html.ElementNode && (unseen[n.DataAtom] || n.Data == annotationXML || hidden(n)) {
		return
	}
	apart := n.DataAtom == atom.Br || blockTags[n.DataAtom]
	if apart {
		b.WriteByte(' ')
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		writeText(b, c, depth+1)
	}
	if apart {
		b.WriteByte(' ')
	}
}
