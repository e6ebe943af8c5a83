package datasets

import (
	"fmt"
	"strings"

	edb "enterprisedocbench"
)

// textGold is gold without pages for a plain text, one paragraph between blank lines. Its page text
// is the text to the letter, so offsets into the text stay what they are.
func textGold(text string) *edb.Parsed {
	pg := edb.Page{Number: 1}
	for _, s := range paragraphs(text) {
		pg.Elements = append(pg.Elements, edb.Element{Kind: edb.KindParagraph, Text: s})
	}
	return &edb.Parsed{Pages: []edb.Page{pg}}
}

// paragraphs cuts a text at its blank lines into pieces that, joined by one newline, are the text
// again: a piece keeps all newlines after it but one. Only an empty text has no piece.
func paragraphs(text string) []string {
	var out []string
	from := 0
	for from < len(text) {
		i := from
		for i < len(text) && text[i] == '\n' { // at the very beginning
			i++
		}
		n := strings.Index(text[i:], "\n\n")
		if n < 0 {
			break
		}
		end := i + n + 1
		for end < len(text) && text[end] == '\n' {
			end++
		}
		if end == len(text) {
			break
		}
		out = append(out, text[from:end-1])
		from = end
	}
	if from < len(text) {
		out = append(out, text[from:])
	}
	return out
}

// runeOffsets checks a range of code points of a text that has n of them.
func runeOffsets(start, end, n int) error {
	if start < 0 || end <= start || end > n {
		return fmt.Errorf("the range %d to %d of a text of %d code points", start, end, n)
	}
	return nil
}
