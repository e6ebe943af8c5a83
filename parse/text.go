package parse

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"enterprisedocbench"
)

// Text reads plain text: paragraphs by blank lines, pages by form feeds. UTF-8, UTF-16 with a byte
// order mark, else Latin-1 with a warning.
type Text struct{}

var _ Parser = Text{}

// Parse implements Parser.
func (Text) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	b, err := read(src.Path)
	if err != nil {
		return edb.Parsed{}, err
	}
	p, err := parseText(ctx, b)
	p.Doc = src.Doc.ID
	return p, err
}

func parseText(ctx context.Context, b []byte) (edb.Parsed, error) {
	if err := ctx.Err(); err != nil {
		return edb.Parsed{}, err
	}
	s, warning, err := decode(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	p := edb.Parsed{Engine: "text@1"}
	if warning != "" {
		p.Warnings = append(p.Warnings, warning)
	}
	pages := strings.Split(strings.TrimSuffix(s, "\f"), "\f")
	p.Paged = len(pages) > 1
	for i, text := range pages {
		pg := edb.Page{Number: i + 1, Elements: paragraphs(text, i+1)}
		pg.NoText = len(pg.Elements) == 0
		p.Pages = append(p.Pages, pg)
	}
	return p, nil
}

var blankLine = regexp.MustCompile(`\n[ \t]*(?:\n[ \t]*)+`)

func paragraphs(text string, page int) []edb.Element {
	var out []edb.Element
	for _, block := range blankLine.Split(strings.ReplaceAll(text, "\r\n", "\n"), -1) {
		block = strings.TrimSpace(block)
		if block != "" {
			out = append(out, edb.Element{ID: fmt.Sprintf("p%de%d", page, len(out)+1), Kind: edb.KindParagraph, Text: block})
		}
	}
	return out
}

// decode gives text from bytes of UTF-8, UTF-16 with a mark, or (with a warning) Latin-1. Bytes
// that are no text are a Damaged error.
func decode(b []byte) (text, warning string, err error) {
	switch {
	case bytes.HasPrefix(b, []byte{0xEF, 0xBB, 0xBF}):
		b = b[3:]
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}), bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		var order binary.ByteOrder = binary.LittleEndian
		if b[0] == 0xFE {
			order = binary.BigEndian
		}
		u := make([]uint16, 0, len(b)/2)
		for i := 2; i+1 < len(b); i += 2 {
			u = append(u, order.Uint16(b[i:]))
		}
		return string(utf16.Decode(u)), "", nil
	}
	if utf8.Valid(b) {
		if n := bytes.Count(b, []byte{0}); n > 0 {
			if n*20 > len(b) {
				return "", "", fail(Damaged, "the file holds %d zero bytes: it is no text", n)
			}
			b = bytes.ReplaceAll(b, []byte{0}, nil)
		}
		return string(b), "", nil
	}
	control := 0
	r := make([]rune, len(b))
	for i, c := range b {
		if c < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\f' {
			control++
		}
		r[i] = rune(c)
	}
	if control*20 > len(b) {
		return "", "", fail(Damaged, "the file is neither UTF-8 nor any other text: %d control bytes", control)
	}
	return string(r), "not UTF-8: read as Latin-1", nil
}
