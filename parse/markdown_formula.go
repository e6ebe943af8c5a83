package parse

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"enterprisedocbench"
)

// formulaInline keeps $...$ and $$...$$ as they are written, so that no underscore or star in them is
// taken for emphasis. A dollar sign opens a formula where no space follows it, and closes one where
// no space stands before and no digit after it (so "$5 and $6" is money).
type formulaInline struct{}

func (formulaInline) Trigger() []byte { return []byte{'$'} }

// maxFormula bounds how far the end of a formula is looked for, bytes.
const maxFormula = 4096

func (formulaInline) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, pos := block.Position()
	var got []byte
	mark := 0
	for len(got) < maxFormula {
		part, _ := block.PeekLine()
		if part == nil {
			break
		}
		whole := len(part)
		part = part[:min(whole, maxFormula)]
		from := len(got)
		got = append(got, part...)
		if from == 0 {
			mark = 1
			if len(got) > 1 && got[1] == '$' {
				mark = 2
			}
			if mark == 1 && (len(got) < 2 || got[1] == ' ' || got[1] == '\t' || got[1] == '\n') {
				return nil
			}
			from = mark
		}
		if end := formulaEnd(got, from, mark); end > 0 {
			block.Advance(len(part) - (len(got) - end))
			return ast.NewString(bytes.ReplaceAll(bytes.Clone(got[:end]), []byte{'\n'}, []byte{' '}))
		}
		if len(part) < whole {
			break
		}
		block.AdvanceLine()
	}
	block.SetPosition(line, pos)
	return nil
}

// formulaEnd is the offset behind the closing mark of s, looked for from an offset; 0 is none.
func formulaEnd(s []byte, from, mark int) int {
	for i := from; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			continue
		}
		if s[i] != '$' {
			continue
		}
		if mark == 2 {
			if i+1 < len(s) && s[i+1] == '$' && i > 2 {
				return i + 2
			}
			continue
		}
		space := i == 1 || s[i-1] == ' ' || s[i-1] == '\n' || s[i-1] == '\t'
		digit := i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9'
		if !space && !digit {
			return i + 1
		}
	}
	return 0
}

// formulaNode is a formula (or a TeX listing) that is a block of its own.
type formulaNode struct {
	ast.BaseBlock
	kind string
	end  string
	done bool
}

var formulaKind = ast.NewNodeKind("FormulaBlock")

func (*formulaNode) Kind() ast.NodeKind { return formulaKind }
func (*formulaNode) IsRaw() bool        { return true }

// Dump implements ast.Node.
func (n *formulaNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// texBlocks are the TeX environments that are read as they stand, with the kind that they are.
var texBlocks = map[string]string{
	"equation": edb.KindFormula, "align": edb.KindFormula, "gather": edb.KindFormula, "multline": edb.KindFormula,
	"eqnarray": edb.KindFormula, "displaymath": edb.KindFormula, "alignat": edb.KindFormula, "flalign": edb.KindFormula,
	"lstlisting": edb.KindCode, "verbatim": edb.KindCode, "minted": edb.KindCode,
}

// formulaBlocks reads $$ ... $$ over several lines and TeX's display environments.
type formulaBlocks struct{}

func (formulaBlocks) Trigger() []byte { return []byte{'$', '\\'} }

func (formulaBlocks) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	if pc.BlockOffset() < 0 || pc.BlockOffset() >= len(line) {
		return nil, parser.NoChildren
	}
	first := strings.TrimSpace(string(line[pc.BlockOffset():]))
	n := &formulaNode{kind: edb.KindFormula}
	switch {
	case strings.HasPrefix(first, "$$"):
		n.end = "$$"
		if strings.Contains(first[2:], n.end) {
			return nil, parser.NoChildren // one line: a paragraph of one formula
		}
	case strings.HasPrefix(first, `\begin{`):
		name, _, ok := strings.Cut(first[len(`\begin{`):], "}")
		kind := texBlocks[strings.TrimSuffix(name, "*")]
		if !ok || kind == "" {
			return nil, parser.NoChildren
		}
		n.kind, n.end = kind, `\end{`+name+`}`
		n.done = strings.Contains(first, n.end)
	default:
		return nil, parser.NoChildren
	}
	if !n.done && !closes(r.Source()[seg.Stop:], n.end) {
		return nil, parser.NoChildren
	}
	n.Lines().Append(seg)
	r.AdvanceToEOL()
	return n, parser.NoChildren
}

// closes says whether the mark comes in the rest before the rest gets too long, and, for $$, before
// a blank line.
func closes(rest []byte, mark string) bool {
	rest = rest[:min(len(rest), 4*maxFormula)]
	i := bytes.Index(rest, []byte(mark))
	return i >= 0 && (mark != "$$" || !bytes.Contains(rest[:i], []byte("\n\n")))
}

func (formulaBlocks) Continue(node ast.Node, r text.Reader, _ parser.Context) parser.State {
	n := node.(*formulaNode)
	if n.done {
		return parser.Close
	}
	line, seg := r.PeekLine()
	n.Lines().Append(seg)
	n.done = bytes.Contains(line, []byte(n.end))
	r.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}

func (formulaBlocks) Close(ast.Node, text.Reader, parser.Context) {}

func (formulaBlocks) CanInterruptParagraph() bool { return true }
func (formulaBlocks) CanAcceptIndentedLine() bool { return false }
