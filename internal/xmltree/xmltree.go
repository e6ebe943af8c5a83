// Package xmltree reads XML documents that nobody vouches for. It takes the bytes of a file and
// gives a tree of [Node] within fixed bounds on size, depth and number of nodes, and the rows of the
// tables that stand in it. No entity grows, and nothing outside of the bytes is read.
package xmltree

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"
)

// Limits on an XML document: what a hostile or damaged file may cost.
const (
	maxBytes = 64 << 20 // bytes
	maxDepth = 256      // elements inside of elements
	maxNodes = 2 << 20  // elements and runs of text
)

// ErrLarge is in errors over a document that passes one of the limits.
var ErrLarge = errors.New("take the file out")

// Node is an element of an XML document, or a run of text where Name is empty. Names are without
// their name space.
type Node struct {
	Name  string
	Attrs []xml.Attr
	Data  string // of a run of text
	Kids  []*Node
	Line  int // where an element begins, from 1
}

// Read reads a whole document and gives its root, which must be called one of roots where any are
// named. No entities but those of XML, HTML and the Greek letters of ISO 8879 are resolved, none of
// them holds another, and nothing outside of the file is read. An error begins with "LINE: ".
func Read(raw []byte, roots ...string) (*Node, error) {
	if len(raw) > maxBytes {
		return nil, fmt.Errorf("1: %d bytes of XML are more than %d: %w", len(raw), maxBytes, ErrLarge)
	}
	raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	dec := xml.NewDecoder(bytes.NewReader(raw))
	dec.Entity = entities(raw)
	dec.CharsetReader = charset.NewReaderLabel
	var (
		root  *Node
		stack []*Node
		nodes int
	)
	for {
		line, _ := dec.InputPos()
		tok, err := dec.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, Fault(dec, err)
		}
		if nodes++; nodes > maxNodes {
			return nil, fmt.Errorf("%d: holds more than %d elements and texts: %w", line, maxNodes, ErrLarge)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			n := &Node{Name: t.Name.Local, Attrs: t.Attr, Line: line}
			switch {
			case len(stack) >= maxDepth:
				return nil, fmt.Errorf("%d: more than %d elements stand inside of each other: %w", line, maxDepth, ErrLarge)
			case len(stack) > 0:
				up := stack[len(stack)-1]
				up.Kids = append(up.Kids, n)
			case root != nil:
				return nil, fmt.Errorf("%d: a second root element <%s>: fetch the file again", line, n.Name)
			default:
				if root = n; len(roots) > 0 && !slices.Contains(roots, n.Name) {
					return nil, fmt.Errorf("%d: the root element is <%s>, not <%s>: fetch the file again", line, n.Name, strings.Join(roots, "> or <"))
				}
			}
			stack = append(stack, n)
		case xml.EndElement:
			if len(stack) == 0 || stack[len(stack)-1].Name != t.Name.Local {
				open := "nothing is open"
				if len(stack) > 0 {
					open = fmt.Sprintf("<%s> of line %d is open", stack[len(stack)-1].Name, stack[len(stack)-1].Line)
				}
				return nil, fmt.Errorf("%d: </%s> where %s: fetch the file again", line, t.Name.Local, open)
			}
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if len(stack) > 0 {
				up := stack[len(stack)-1]
				up.Kids = append(up.Kids, &Node{Data: string(t)})
			}
		}
	}
	line, _ := dec.InputPos()
	switch {
	case root == nil:
		return nil, fmt.Errorf("%d: holds no element: fetch the file again", line)
	case len(stack) > 0:
		return nil, fmt.Errorf("%d: the file ends inside of <%s> of line %d: fetch the file again", line, stack[len(stack)-1].Name, stack[len(stack)-1].Line)
	}
	return root, nil
}

var entityName = regexp.MustCompile(`&[A-Za-z][A-Za-z0-9]{0,30};`)

// greek is ISO 8879's entity set for Greek letters without "gr" at the end: &agr; is alpha.
var greek = func() map[string]string {
	m := map[string]string{}
	for i, name := range strings.Fields("a b g d e z ee th i k l m n x o p r sf s t u ph kh ps oh") {
		m["&"+name+"gr;"] = string(rune('α' + i))
		if name != "sf" { // the final sigma has no capital
			m["&"+strings.ToUpper(name)+"gr;"] = string(rune('Α' + i))
		}
	}
	return m
}()

// entities resolves the names that stand in the document as far as they are known.
func entities(raw []byte) map[string]string {
	out := map[string]string{}
	for _, m := range entityName.FindAll(raw, -1) {
		ref := string(m)
		name := ref[1 : len(ref)-1]
		if _, done := out[name]; done {
			continue
		}
		if s := html.UnescapeString(ref); s != ref {
			out[name] = s
		} else if s, ok := greek[ref]; ok {
			out[name] = s
		}
	}
	return out
}

// Fault says where a decoder met an error: "LINE: PROBLEM: FIX".
func Fault(dec *xml.Decoder, err error) error {
	line, _ := dec.InputPos()
	var se *xml.SyntaxError
	if errors.As(err, &se) {
		line, err = se.Line, errors.New(se.Msg)
	}
	return fmt.Errorf("%d: %w: fetch the file again", line, err)
}

// Attr gives an attribute by its name without name space, "" where it is not there. A nil node has
// none.
func (n *Node) Attr(name string) string {
	if n == nil {
		return ""
	}
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// Child gives the first element below n on the path of names; nil where there is none. A nil node
// has no children.
func (n *Node) Child(path ...string) *Node {
	for _, name := range path {
		if n == nil {
			return nil
		}
		var found *Node
		for _, k := range n.Kids {
			if k.Name == name {
				found = k
				break
			}
		}
		n = found
	}
	return n
}

// All calls yield for the elements of the name at any depth below n, in document order.
func (n *Node) All(name string) func(yield func(*Node) bool) {
	return func(yield func(*Node) bool) { n.visit(name, yield) }
}

func (n *Node) visit(name string, yield func(*Node) bool) bool {
	if n == nil {
		return true
	}
	for _, k := range n.Kids {
		if k.Name == name && !yield(k) || !k.visit(name, yield) {
			return false
		}
	}
	return true
}

// Text is all text below n with white space squeezed; a nil node has none. Elements that skip names
// give nothing, those that apart names end the word before them.
func (n *Node) Text(skip, apart map[string]bool) string {
	var b strings.Builder
	n.write(&b, skip, apart)
	return strings.Join(strings.Fields(b.String()), " ")
}

// Raw is all text below n as it stands; a nil node has none.
func (n *Node) Raw() string {
	var b strings.Builder
	n.write(&b, nil, nil)
	return b.String()
}

func (n *Node) write(b *strings.Builder, skip, apart map[string]bool) {
	switch {
	case n == nil || skip[n.Name]:
		return
	case n.Name == "":
		b.WriteString(n.Data)
		return
	}
	if apart[n.Name] {
		b.WriteByte(' ')
	}
	for _, k := range n.Kids {
		k.write(b, skip, apart)
	}
	if apart[n.Name] {
		b.WriteByte(' ')
	}
}

// Split calls run for each stretch of running text below n and block for each element of blocks, in
// document order, also where a block stands inside of other markup.
func (n *Node) Split(blocks map[string]bool, run func(text *Node), block func(*Node)) {
	var kids []*Node
	flush := func() {
		if len(kids) > 0 {
			run(&Node{Name: n.Name, Kids: kids})
		}
		kids = nil
	}
	for _, k := range n.Kids {
		switch {
		case blocks[k.Name]:
			flush()
			block(k)
		case k.Holds(blocks):
			flush()
			k.Split(blocks, run, block)
		default:
			kids = append(kids, k)
		}
	}
	flush()
}

// Holds says whether an element of blocks stands at any depth below n; below a nil node stands none.
func (n *Node) Holds(blocks map[string]bool) bool {
	return n != nil && slices.ContainsFunc(n.Kids, func(k *Node) bool { return blocks[k.Name] || k.Holds(blocks) })
}

// Set makes a set of names.
func Set(list ...string) map[string]bool {
	m := map[string]bool{}
	for _, s := range list {
		m[s] = true
	}
	return m
}
