package parse

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"enterprisedocbench"
)

// Markdown reads CommonMark with GFM tables and footnotes, and what pandoc adds to it in papers: a
// YAML head gives title and abstract, "Table:" lines are captions, an image that stands alone is a
// figure with its caption, attributes in braces are left out, and (with a head) dashes and quotes are
// those that pandoc prints. Formulas ($...$) and citation keys
// ([@key]) stay as they are written: gold may mask them. HTML tables are tables. The result has one
// page, number 1, and is not paged. Errors are Missing, Damaged or TooLarge.
type Markdown struct{}

var _ Parser = Markdown{}

// Parse implements Parser.
func (Markdown) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	return parseBytes(ctx, src, parseMarkdown)
}

var (
	pandocAttr = regexp.MustCompile(`\{\s*(?:[#.][\w:.-]+|[\w-]+\s*=\s*(?:"[^"]*"|[^\s{}"]+))(?:\s+(?:[#.][\w:.-]+|[\w-]+\s*=\s*(?:"[^"]*"|[^\s{}"]+)))*\s*\}`)
	texLink    = regexp.MustCompile(`\\href\{[^{}]*\}\{([^{}]*)\}`)
	texLabel   = regexp.MustCompile(`\\label\{[^{}]*\}`)
	mathAlone  = regexp.MustCompile(`\A\$\$[^$]*\$\$[.,]?\z`)
	tableMark  = regexp.MustCompile(`\A(?:Table:|table:|:)\s+`)
	htmlTables = regexp.MustCompile(`(?is)(?:\A|\n)[ \t]{0,3}<table[\s>].*?</table\s*>`)
	blankRuns  = regexp.MustCompile(`\n\s*\n[ \t]*`)
)

func parseMarkdown(b []byte) (edb.Parsed, error) {
	s, warning, err := decode(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	head, body, paper := yamlHead(s)
	w := &markdownWalker{smart: paper}
	if paper {
		w.add(edb.Element{Kind: edb.KindHeading, Level: 1, Text: inlineOf(head["title"])})
		w.add(edb.Element{Kind: edb.KindParagraph, Text: inlineOf(head["abstract"])})
	}
	// A blank line inside an HTML table would end it for a Markdown reader.
	body = htmlTables.ReplaceAllStringFunc(body, func(t string) string {
		return blankRuns.ReplaceAllString(t, "\n")
	})
	w.read(body)
	w.tableCaptions()
	return onePage(Spec{Engine: "markdown"}.Label(), w.out, warning), nil
}

// reader is built for every document: it is not said to be safe for concurrent use.
func reader() parser.Parser {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithParserOptions(
		parser.WithBlockParsers(util.Prioritized(formulaBlocks{}, 650)),
		parser.WithInlineParsers(util.Prioritized(formulaInline{}, 150)),
	))
	return md.Parser()
}

// inlineOf is the text of one line of Markdown.
func inlineOf(s string) string {
	w := &markdownWalker{src: []byte(s), smart: true}
	root := reader().Parse(text.NewReader(w.src))
	if n := root.FirstChild(); n != nil && n.NextSibling() == nil {
		if _, ok := n.(*ast.Paragraph); ok {
			return w.prose(n)
		}
	}
	return squeeze(s)
}

type markdownWalker struct {
	src   []byte
	smart bool // write dashes and quotes as pandoc prints them
	out   []edb.Element
}

func (w *markdownWalker) read(s string) {
	w.src = []byte(s)
	root := reader().Parse(text.NewReader(w.src))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		w.block(n, edb.KindParagraph, 0)
	}
}

// add appends an element and gives its ID; an element without text is left out unless it is a
// figure.
func (w *markdownWalker) add(e edb.Element) string {
	if strings.TrimSpace(e.Text) == "" && e.Kind != edb.KindFigure {
		return ""
	}
	e.ID = fmt.Sprintf("p1e%d", len(w.out)+1)
	w.out = append(w.out, e)
	return e.ID
}

// block adds a block's elements; kind is what a paragraph is here.
func (w *markdownWalker) block(n ast.Node, kind string, depth int) {
	if depth > maxDepth {
		return
	}
	switch n := n.(type) {
	case *ast.Heading:
		w.add(edb.Element{Kind: edb.KindHeading, Level: n.Level, Text: w.prose(n)})
	case *ast.Paragraph, *ast.TextBlock:
		w.paragraph(n, kind)
	case *ast.ListItem:
		w.children(n, edb.KindListItem, depth)
	case *east.Footnote:
		w.children(n, edb.KindFootnote, depth)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		w.add(edb.Element{Kind: edb.KindCode, Text: strings.TrimRight(string(n.Lines().Value(w.src)), "\n")})
	case *formulaNode:
		w.add(edb.Element{Kind: n.kind, Text: strings.TrimSpace(texLabel.ReplaceAllString(string(n.Lines().Value(w.src)), ""))})
	case *east.Table:
		w.table(n)
	case *ast.HTMLBlock:
		raw := bytes.Clone(n.Lines().Value(w.src))
		if n.HasClosure() {
			raw = append(raw, n.ClosureLine.Value(w.src)...)
		}
		w.html(raw)
	default:
		w.children(n, kind, depth)
	}
}

func (w *markdownWalker) children(n ast.Node, kind string, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.block(c, kind, depth+1)
	}
}

// html adds what a piece of HTML holds, its IDs made those of this document.
func (w *markdownWalker) html(raw []byte) {
	p, err := parseHTML(raw)
	if err != nil {
		return
	}
	base := len(w.out)
	for _, e := range p.Pages[0].Elements {
		if n := 0; e.CaptionOf != "" {
			_, _ = fmt.Sscanf(e.CaptionOf, "p1e%d", &n)
			e.CaptionOf = fmt.Sprintf("p1e%d", base+n)
		}
		e.ID = fmt.Sprintf("p1e%d", len(w.out)+1)
		w.out = append(w.out, e)
	}
}

// paragraph adds a paragraph, a formula, or figures with their captions where images stand alone.
func (w *markdownWalker) paragraph(n ast.Node, kind string) {
	if images := w.onlyImages(n); len(images) > 0 {
		for _, img := range images {
			id := w.add(edb.Element{Kind: edb.KindFigure})
			w.add(edb.Element{Kind: edb.KindCaption, Text: w.prose(img), CaptionOf: id})
		}
		return
	}
	t := w.prose(n)
	if mathAlone.MatchString(t) {
		kind = edb.KindFormula
	}
	w.add(edb.Element{Kind: kind, Text: t})
}

// onlyImages gives a paragraph's images if, attributes aside, it holds nothing else.
func (w *markdownWalker) onlyImages(n ast.Node) []ast.Node {
	var images []ast.Node
	rest := w.inlineBut(n, func(c ast.Node) bool {
		_, is := c.(*ast.Image)
		if is {
			images = append(images, c)
		}
		return is
	})
	if strings.TrimSpace(rest) != "" {
		return nil
	}
	return images
}

// table adds a table. pandoc lets its caption follow at once, which GFM reads as a last row; a
// header row without text is there only because GFM asks for one.
func (w *markdownWalker) table(n *east.Table) {
	var t htmlTable
	caption := ""
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		_, head := r.(*east.TableHeader)
		var row []htmlCell
		filled := 0
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			cell := htmlCell{head, 1, 1, w.prose(c)}
			if cell.text != "" {
				filled++
			}
			row = append(row, cell)
		}
		switch {
		case head && filled == 0:
		case r.NextSibling() == nil && filled == 1 && len(row) > 1 && tableMark.MatchString(row[0].text):
			caption = row[0].text
		default:
			t.rows = append(t.rows, row)
		}
	}
	if len(t.rows) > 0 {
		w.add(edb.Element{Kind: edb.KindTable, Text: t.text(), HTML: t.html()})
		w.add(edb.Element{Kind: edb.KindParagraph, Text: caption})
	}
}

// tableCaptions turns the paragraph "Table: ..." after a table, or else before it, into the table's
// caption, put where it is printed: before the table.
func (w *markdownWalker) tableCaptions() {
	marked := func(i int) bool {
		return i >= 0 && i < len(w.out) && w.out[i].Kind == edb.KindParagraph && tableMark.MatchString(w.out[i].Text)
	}
	claim := func(i int, id string) {
		w.out[i].Kind, w.out[i].CaptionOf = edb.KindCaption, id
		w.out[i].Text = tableMark.ReplaceAllString(w.out[i].Text, "")
	}
	for i := 0; i < len(w.out); i++ {
		if w.out[i].Kind != edb.KindTable {
			continue
		}
		switch {
		case marked(i + 1):
			claim(i+1, w.out[i].ID)
			w.out[i], w.out[i+1] = w.out[i+1], w.out[i]
			i++
		case marked(i - 1):
			claim(i-1, w.out[i].ID)
		}
	}
}

// prose is the text of a node's children in one line, without pandoc's attributes and TeX's links
// and labels.
func (w *markdownWalker) prose(n ast.Node) string {
	return squeeze(texLink.ReplaceAllString(texLabel.ReplaceAllString(w.inline(n), ""), "$1"))
}

func (w *markdownWalker) inline(n ast.Node) string { return w.inlineBut(n, nil) }

// inlineBut leaves children out that skip names. Text is put together from its pieces first: an
// attribute in braces may span several.
func (w *markdownWalker) inlineBut(n ast.Node, skip func(ast.Node) bool) string {
	var b strings.Builder
	var run []byte
	end := func() {
		run = pandocAttr.ReplaceAll(run, nil) // not in formulas and code: those are other nodes
		run = util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(run)))
		if w.smart {
			before, _ := utf8.DecodeLastRuneInString(" " + b.String())
			run = []byte(smart(before, string(run)))
		}
		b.Write(run)
		run = nil
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok && !t.IsRaw() {
			run = append(run, t.Value(w.src)...)
			if t.SoftLineBreak() || t.HardLineBreak() {
				run = append(run, ' ')
			}
			continue
		}
		end()
		if skip == nil || !skip(c) {
			b.WriteString(w.one(c))
		}
	}
	end()
	return b.String()
}

func (w *markdownWalker) one(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Text: // raw: code
		return string(n.Value(w.src))
	case *ast.String:
		return string(n.Value)
	case *ast.AutoLink:
		return string(n.Label(w.src))
	case *ast.RawHTML:
		if tag := strings.ToLower(string(n.Segments.Value(w.src))); strings.HasPrefix(tag, "<br") {
			return " "
		}
		return ""
	case *east.FootnoteLink, *east.FootnoteBacklink, *east.TaskCheckBox:
		return ""
	}
	return w.inline(n)
}
