package parse

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"enterprisedocbench"
)

// Text reads plain text: paragraphs by blank lines, pages by form feeds; with no form feed the
// result is not paged. UTF-8, UTF-16 with a byte order mark, else Latin-1 with a warning. Errors are
// Missing, Damaged (no text) or TooLarge.
type Text struct{}

var _ Parser = Text{}

// Parse implements Parser.
func (Text) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	return parseBytes(ctx, src, parseText)
}

// maxPages bounds the pages that form feeds make.
const maxPages = 100_000

func parseText(b []byte) (edb.Parsed, error) {
	s, warning, err := decode(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	pages := strings.Split(strings.TrimSuffix(strings.TrimRight(s, " \t\n"), "\f"), "\f")
	if len(pages) > maxPages {
		return edb.Parsed{}, fail(TooLarge, "the text has %d form feeds, more than %d pages", len(pages)-1, maxPages)
	}
	p := edb.Parsed{Engine: Spec{Engine: "text"}.Label(), Paged: len(pages) > 1}
	if warning != "" {
		p.Warnings = append(p.Warnings, warning)
	}
	for i, text := range pages {
		pg := edb.Page{Number: i + 1, Elements: paragraphs(text, i+1)}
		pg.NoText = len(pg.Elements) == 0
		p.Pages = append(p.Pages, pg)
	}
	return p, nil
}

var blankLine = regexp.MustCompile(`\n[ \t\v]*(?:\n[ \t\v]*)+`)

func paragraphs(text string, page int) []edb.Element {
	var out []edb.Element
	for _, block := range blankLine.Split(text, -1) {
		if block = strings.TrimSpace(block); block != "" {
			out = append(out, edb.Element{ID: fmt.Sprintf("p%de%d", page, len(out)+1), Kind: edb.KindParagraph, Text: block})
		}
	}
	return out
}
