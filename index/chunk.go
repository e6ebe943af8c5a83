package index

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
)

// ChunkVersion counts the changes of what Cut returns for the same input.
const ChunkVersion = 1

// Chunker cuts a document's text into passages of Tokens tokens, each beginning Overlap tokens
// before the last one ends. Tokenizer names what a token is: "o200k" (also the empty name),
// "cl100k", "words", or "characters" (code points). EnterpriseDocBench section 4.2 uses 512 and 64.
type Chunker struct {
	Tokens    int
	Overlap   int
	Tokenizer string
}

// Check reports a setting that cannot work: a size below 1, an overlap that is negative or not
// smaller than the size, an unknown tokenizer.
func (c Chunker) Check() error {
	if c.Tokens < 1 {
		return fmt.Errorf("chunk.tokens is %d: it must be at least 1 (512 is usual)", c.Tokens)
	}
	if c.Overlap < 0 || c.Overlap >= c.Tokens {
		return fmt.Errorf("chunk.overlap is %d with chunk.tokens %d: it must be 0 or more and smaller than the size", c.Overlap, c.Tokens)
	}
	_, err := c.ends()
	return err
}

// ends gives the function that finds the code point at which each token of a text ends.
func (c Chunker) ends() (func(string) []int, error) {
	name := c.Tokenizer
	if name == "" {
		name = "o200k"
	}
	b, err := tokens.NewBPE(name)
	if err != nil {
		return nil, fmt.Errorf("chunk.tokenizer: %w", err)
	}
	return b.Ends, nil
}

// pageText is one page's text with where it stands in the whole text, in code points.
type pageText struct {
	number, start, end int
	text               string
}

// Cut returns the passages of p in reading order, with ids "DOC@N", N from 0. Cuts fall at token
// boundaries of the document's text (Parsed.Text); a passage over a page break has one span a page
// and its text is the spans' texts joined by a newline. No passage lies wholly inside another, and
// a document without text has none. An error means a setting that Check refuses.
func (c Chunker) Cut(p edb.Parsed) ([]edb.Passage, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	ends, err := c.ends()
	if err != nil {
		return nil, err
	}
	var pages []pageText
	var whole strings.Builder
	at := 0
	for _, pg := range p.Pages {
		t := strings.ToValidUTF8(pg.Text(), "\uFFFD")
		if t == "" {
			continue
		}
		if len(pages) > 0 {
			whole.WriteByte('\n')
			at++
		}
		whole.WriteString(t)
		n := utf8.RuneCountInString(t)
		pages = append(pages, pageText{pg.Number, at, at + n, t})
		at += n
	}
	tok := ends(whole.String())
	var out []edb.Passage
	for first := 0; first < len(tok); first += c.Tokens - c.Overlap {
		last := min(first+c.Tokens, len(tok)) // one past the last token
		start := 0
		if first > 0 {
			start = tok[first-1]
		}
		spans, text := cover(pages, start, tok[last-1])
		// A token may be part of a character, or only a page break: what adds nothing new is no passage.
		if len(spans) > 0 && (len(out) == 0 || after(spans, out[len(out)-1].Spans)) {
			out = append(out, edb.Passage{ID: p.Doc + "@" + strconv.Itoa(len(out)), Doc: p.Doc, Spans: spans, Text: text, Tokens: last - first})
		}
		if last == len(tok) {
			break
		}
	}
	return out, nil
}

// cover gives the spans of the range [start, end) of the whole text, and their joined text.
func cover(pages []pageText, start, end int) ([]edb.Span, string) {
	var spans []edb.Span
	var b strings.Builder
	i := sort.Search(len(pages), func(i int) bool { return pages[i].end > start })
	for ; i < len(pages) && pages[i].start < end; i++ {
		pg := pages[i]
		s, e := max(start, pg.start)-pg.start, min(end, pg.end)-pg.start
		if s >= e {
			continue
		}
		if len(spans) > 0 {
			b.WriteByte('\n')
		}
		spans = append(spans, edb.Span{Page: pg.number, Start: s, End: e})
		b.WriteString(slicePoints(pg.text, s, e))
	}
	return spans, b.String()
}

// after reports whether a ends later in the document than b. Pages stand in reading order.
func after(a, b []edb.Span) bool {
	x, y := a[len(a)-1], b[len(b)-1]
	return x.Page != y.Page || x.End > y.End
}

// slicePoints is s between two code point offsets.
func slicePoints(s string, start, end int) string {
	if len(s) == utf8.RuneCountInString(s) {
		return s[start:end]
	}
	from, to, n := len(s), len(s), 0
	for i := range s {
		if n == start {
			from = i
		}
		if n == end {
			to = i
			break
		}
		n++
	}
	return s[from:to]
}
