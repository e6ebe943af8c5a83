package parse

import (
	"bytes"
	"context"
	"fmt"
	stdhtml "html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"enterprisedocbench"
)

// Markdown reads CommonMark with GFM tables and footnotes, as pandoc writes papers: a YAML head
// gives the title; an image alone in its paragraph is a figure with a caption; formulas and
// citation keys stay in the text as they are written (gold may mask them).
type Markdown struct{}

var _ Parser = Markdown{}

// Parse implements Parser.
func (Markdown) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	b, err := read(src.Path)
	if err != nil {
		return edb.Parsed{}, err
	}
	if err := ctx.Err(); err != nil {
		return edb.Parsed{}, err
	}
	p, err := parseMarkdown(b)
	p.Doc = src.Doc.ID
	return p, err
}

var (
	yamlHead  = regexp.MustCompile(`(?s)\A---\r?\n(.*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\z)`)
	yamlTitle = regexp.MustCompile(`(?m)^title:[ \t]*(.+)$`)
	pandocAt  = regexp.MustCompile(`\{[#.][^{}\n]*\}`)
	mathBlock = regexp.MustCompile(`^\$\$[\s\S]*\$\$$|^\\begin\{`)
)

func parseMarkdown(b []byte) (edb.Parsed, error) {
	s, warning, err := decode(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	w := &markdownWalker{}
	if m := yamlHead.FindStringSubmatchIndex(s); m != nil {
		if t := yamlTitle.FindStringSubmatch(s[m[2]:m[3]]); t != nil {
			w.add(edb.Element{Kind: edb.KindHeading, Level: 1, Text: strings.Trim(strings.TrimSpace(t[1]), `"'`)})
		}
		s = s[m[1]:]
	}
	w.src = []byte(s)
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	root := md.Parser().Parse(text.NewReader(w.src))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n, 0)
	}
	p := edb.Parsed{Engine: "markdown@1", Pages: []edb.Page{{Number: 1, NoText: len(w.out) == 0, Elements: w.out}}}
	if warning != "" {
		p.Warnings = append(p.Warnings, warning)
	}
	return p, nil
}

type markdownWalker struct {
	src []byte
	out []edb.Element
}

func (w *markdownWalker) add(e edb.Element) {
	if strings.TrimSpace(e.Text) == "" && e.Kind != edb.KindFigure {
		return
	}
	if e.ID == "" {
		e.ID = fmt.Sprintf("p1e%d", len(w.out)+1)
	}
	w.out = append(w.out, e)
}

func (w *markdownWalker) block(n ast.Node, depth int) {
	if depth > maxDepth {
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		w.add(edb.Element{Kind: edb.KindHeading, Level: n.Level, Text: strings.TrimSpace(pandocAt.ReplaceAllString(w.inline(n), ""))})
	case *ast.Paragraph, *ast.TextBlock:
		w.paragraph(n)
	case *ast.List:
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			w.item(item, depth+1)
		}
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		w.add(edb.Element{Kind: edb.KindCode, Text: strings.TrimRight(string(n.Lines().Value(w.src)), "\n")})
	case *east.Table:
		w.table(n)
	case *ast.HTMLBlock:
		raw := n.Lines().Value(w.src)
		if n.HasClosure() {
			raw = append(bytes.Clone(raw), n.ClosureLine.Value(w.src)...)
		}
		if p, err := parseHTML(raw); err == nil {
			for _, e := range p.Pages[0].Elements {
				e.ID = ""
				e.CaptionOf = ""
				w.add(e)
			}
		}
	case *ast.Blockquote, *east.FootnoteList, *east.Footnote:
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			from := len(w.out)
			w.block(c, depth+1)
			if _, ok := n.(*east.Footnote); ok {
				for i := from; i < len(w.out); i++ {
					w.out[i].Kind = edb.KindFootnote
				}
			}
		}
	}
}

func (w *markdownWalker) item(item ast.Node, depth int) {
	var parts []string
	for c := item.FirstChild(); c != nil; c = c.NextSibling() {
		switch c.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			parts = append(parts, w.inline(c))
		default:
			if len(parts) > 0 {
				w.add(edb.Element{Kind: edb.KindListItem, Text: strings.Join(parts, " ")})
				parts = nil
			}
			w.block(c, depth+1)
		}
	}
	if len(parts) > 0 {
		w.add(edb.Element{Kind: edb.KindListItem, Text: strings.Join(parts, " ")})
	}
}

// paragraph adds a paragraph, or a figure and its caption where an image stands alone.
func (w *markdownWalker) paragraph(n ast.Node) {
	if img, ok := n.FirstChild().(*ast.Image); ok && aloneImage(w, n, img) {
		id := fmt.Sprintf("p1e%d", len(w.out)+1)
		w.add(edb.Element{ID: id, Kind: edb.KindFigure})
		w.add(edb.Element{Kind: edb.KindCaption, Text: squeeze(w.inline(img)), CaptionOf: id})
		return
	}
	t := w.inline(n)
	kind := edb.KindParagraph
	if mathBlock.MatchString(strings.TrimSpace(t)) {
		kind = edb.KindFormula
	}
	w.add(edb.Element{Kind: kind, Text: t})
}

// aloneImage says whether an image is all that a paragraph holds, pandoc's attributes aside.
func aloneImage(w *markdownWalker, n ast.Node, img ast.Node) bool {
	var rest strings.Builder
	for c := img.NextSibling(); c != nil; c = c.NextSibling() {
		rest.WriteString(w.one(c))
	}
	return strings.TrimSpace(pandocAt.ReplaceAllString(rest.String(), "")) == ""
}

func (w *markdownWalker) table(n *east.Table) {
	var h strings.Builder
	var rows []string
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		tag := "td"
		if _, ok := r.(*east.TableHeader); ok {
			tag = "th"
		}
		h.WriteString("<tr>")
		var cells []string
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			t := squeeze(w.inline(c))
			h.WriteString("<" + tag + ">" + stdhtml.EscapeString(t) + "</" + tag + ">")
			cells = append(cells, t)
		}
		h.WriteString("</tr>")
		rows = append(rows, strings.Join(cells, "\t"))
	}
	w.add(edb.Element{Kind: edb.KindTable, Text: strings.Join(rows, "\n"), HTML: "<table>" + h.String() + "</table>"})
}

// inline is the text of a node's children.
func (w *markdownWalker) inline(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(w.one(c))
	}
	return b.String()
}

func (w *markdownWalker) one(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Text:
		s := string(n.Value(w.src))
		if n.SoftLineBreak() || n.HardLineBreak() {
			s += " "
		}
		return s
	case *ast.String:
		return string(n.Value)
	case *ast.AutoLink:
		return string(n.Label(w.src))
	case *ast.RawHTML:
		return ""
	case *east.FootnoteLink, *east.FootnoteBacklink:
		return ""
	}
	return w.inline(n)
}
