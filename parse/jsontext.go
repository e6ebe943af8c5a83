package parse

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"enterprisedocbench"
)

// JSON reads documents that are JSON of unknown layout, such as the records of S2ORC: strings of
// more than one word in document order as paragraphs. Strings called title, heading or section are
// headings where running text, or a string called text, stands beside or below them, said once for what follows; strings that
// repeat a piece of the text around them (marked citations), and running text that was said before
// (an abstract given twice), are not said again. Numbers, single words
// and identifiers are not text. The result has one page, number 1, and is not paged. Errors are
// Missing, Damaged or TooLarge.
type JSON struct{}

var _ Parser = JSON{}

// Parse implements Parser.
func (JSON) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	return parseBytes(ctx, src, parseJSON)
}

// Limits on a JSON document.
const (
	maxJSON      = 64 << 20 // bytes
	maxJSONDepth = 256
	maxJSONNodes = 2 << 20
)

// jsonNode is a value: a string, or the members of an object or array in file order. Other values are
// nil.
type jsonNode struct {
	key   string // in an object
	text  string
	kids  []*jsonNode
	prose bool // running text stands in it
}

var jsonTitles = []string{"title", "heading", "head", "headline", "section", "section_title", "subtitle"}

// runningWords is how many words a string needs to count as running text.
const runningWords = 12

func parseJSON(b []byte) (edb.Parsed, error) {
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if len(b) > maxJSON {
		return edb.Parsed{}, fail(TooLarge, "%d bytes of JSON are more than %d: take the file out", len(b), maxJSON)
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	r := &jsonReader{d: d, said: map[string]bool{}}
	root, err := r.value("", 0)
	if err == nil && root == nil {
		err = errors.New("the document is a bare value")
	}
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("more stands behind the document: one value a file")
		}
	}
	var pe *Error
	switch {
	case errors.As(err, &pe):
		return edb.Parsed{}, err
	case err != nil:
		line := 1 + bytes.Count(b[:min(d.InputOffset(), int64(len(b)))], []byte{'\n'})
		return edb.Parsed{}, fail(Damaged, "line %d: %w", line, err)
	}
	r.add(root, "", 1)
	return onePage(Spec{Engine: "json"}.Label(), r.els, ""), nil
}

type jsonReader struct {
	flow
	d     *json.Decoder
	nodes int
	head  string          // the heading said last
	said  map[string]bool // running text
}

// value reads the next value; nil is a number, true, false or null.
func (r *jsonReader) value(key string, depth int) (*jsonNode, error) {
	t, err := r.d.Token()
	if err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	if r.nodes++; r.nodes > maxJSONNodes || depth > maxJSONDepth {
		return nil, fail(TooLarge, "more than %d values, or %d of them inside of each other: take the file out", maxJSONNodes, maxJSONDepth)
	}
	switch v := t.(type) {
	case string:
		return &jsonNode{key: key, text: squeeze(v), prose: len(strings.Fields(v)) >= runningWords}, nil
	case json.Delim:
		n := &jsonNode{key: key}
		for r.d.More() {
			name := ""
			if v == '{' {
				k, err := r.d.Token()
				if err != nil {
					return nil, err
				}
				name = fmt.Sprint(k)
			}
			kid, err := r.value(name, depth+1)
			if err != nil {
				return nil, err
			}
			if kid != nil {
				n.kids, n.prose = append(n.kids, kid), n.prose || kid.prose
			}
		}
		if _, err := r.d.Token(); err == io.EOF {
			return nil, io.ErrUnexpectedEOF
		} else if err != nil {
			return nil, err
		}
		return n, nil
	}
	return nil, nil
}

// add adds what stands in an object or array inside of others whose text is around.
func (r *jsonReader) add(n *jsonNode, around string, level int) {
	if n.text != "" {
		if strings.Contains(n.text, " ") && !strings.Contains(around, n.text) && !r.said[n.text] {
			r.text(edb.KindParagraph, n.text)
			if n.prose {
				r.said[n.text] = true
			}
		}
		return
	}
	heads := n.prose || slices.ContainsFunc(n.kids, func(k *jsonNode) bool { return k.key == "text" && k.text != "" })
	title := func(k *jsonNode) bool {
		return heads && k.text != "" && slices.Contains(jsonTitles, strings.ToLower(k.key))
	}
	below := level
	own := around
	for _, k := range n.kids {
		if k.text != "" && k.key != "" {
			own += "\n" + k.text
		}
		if title(k) {
			if below = level + 1; k.text != r.head {
				r.heading(level, k.text)
				r.head = k.text
			}
		}
	}
	for _, k := range n.kids {
		switch {
		case title(k):
		case k.text != "":
			r.add(k, around, below)
		default:
			r.add(k, own, below)
		}
	}
}
