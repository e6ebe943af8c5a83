package datasets

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"enterprisedocbench/internal/store"
)

// TREC collections are SGML only in name: elements of a few known names in upper or lower case, often
// not closed, in Latin-1 or UTF-8.

var (
	sgmlTag   = regexp.MustCompile(`</?[A-Za-z!?][^<>]*>`)
	blockTag  = regexp.MustCompile(`(?i)^</?(p|br|text|headline|title|hl|head|ttl|dd|date|lp|leadpara|table|row|cell)\b`)
	manyLines = regexp.MustCompile(`[ \t]*\n([ \t]*\n)+`)
	docOpen   = regexp.MustCompile(`(?i)<doc(\s[^<>]*)?>`)
	docNumber = regexp.MustCompile(`(?is)<docno>(.*?)</docno>`)
	topicOpen = regexp.MustCompile(`(?i)<top(ic)?(\s[^<>]*)?>`)
	topicEnd  = regexp.MustCompile(`(?i)</top(ic)?>`)
	topicAttr = regexp.MustCompile(`(?i)\b(number|id|num)\s*=\s*["']([^"']*)["']`)
	contents  = elementsOf("TEXT", "HEADLINE", "TITLE", "HL", "HEAD", "TTL", "DD", "DATE", "LP", "LEADPARA")
	headlines = []string{"headline", "title", "hl", "head", "ttl"}
)

// elementsOf matches elements of the given names: submatch 2k+1 is the name and 2k+2 the content of
// name k.
func elementsOf(names ...string) *regexp.Regexp {
	var alt []string
	for _, n := range names {
		alt = append(alt, `<(`+n+`)>(.*?)</`+n+`>`)
	}
	return regexp.MustCompile(`(?is)` + strings.Join(alt, "|"))
}

// trecDoc is one <DOC>. Title is its headline; Text is all of its elements that hold text, in order,
// headlines included (the elements that ir_datasets takes), or everything but the number where it
// has none of them.
type trecDoc struct {
	id, title, text string
}

// trecDocs calls do with every <DOC> of a file, plain or packed. Only one is in memory at a time.
// Errors name file and line.
func trecDocs(path string, do func(line int, d trecDoc) error) error {
	f, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.fault(scanDocs(f, f.path, do))
}

func scanDocs(r io.Reader, path string, do func(line int, d trecDoc) error) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 0, 1<<16), store.MaxLine)
	sc.Split(untilDocEnd())
	line, n := 1, 0
	for sc.Scan() {
		raw := sc.Bytes()
		at, d, err := readDoc(raw)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", path, line+at, err)
		}
		if d.id != "" {
			n++
			if err := do(line+at, d); err != nil {
				return fmt.Errorf("%s:%d: %w", path, line+at, err)
			}
		}
		line += bytes.Count(raw, []byte("\n"))
	}
	switch err := sc.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%s:%d: a <DOC> is longer than %d MiB: add the </DOC> that it lacks", path, line, store.MaxLine>>20)
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	case n == 0:
		return fmt.Errorf("%s:1: holds no <DOC>: fetch the collection again", path)
	}
	return nil
}

// untilDocEnd cuts a stream after each </DOC>; what follows the last is a piece too.
func untilDocEnd() bufio.SplitFunc {
	looked := 0 // bytes of the piece known to hold no end
	return func(data []byte, atEOF bool) (int, []byte, error) {
		for {
			i := bytes.Index(data[looked:], []byte("</"))
			if i < 0 {
				looked = max(looked, len(data)-1)
				break
			}
			end := looked + i + len("</doc>")
			if end > len(data) {
				looked += i
				break
			}
			if strings.EqualFold(string(data[looked+i:end]), "</doc>") {
				looked = 0
				return end, data[:end], nil
			}
			looked += i + 2
		}
		if atEOF && len(data) > 0 {
			looked = 0
			return len(data), data, nil
		}
		return 0, nil, nil
	}
}

// readDoc reads a piece that ends in </DOC>, or what follows the last one: then d.id is empty. At is
// the line of the piece, from 0, that the document or fault is in.
func readDoc(raw []byte) (at int, d trecDoc, err error) {
	lineOf := func(i int) int { return bytes.Count(raw[:i], []byte("\n")) }
	open := docOpen.FindIndex(raw)
	before := raw
	if open != nil {
		before = raw[:open[0]]
	}
	before = sgmlTag.ReplaceAll(bytes.TrimPrefix(before, []byte("\ufeff")), nil)
	if len(bytes.TrimSpace(before)) > 0 || (open == nil && bytes.HasSuffix(bytes.ToLower(raw), []byte("</doc>"))) {
		first := len(raw) - len(bytes.TrimLeft(raw, " \r\n\t"))
		return lineOf(first), d, errors.New("text stands outside of <DOC>: put it inside or delete it")
	}
	if open == nil {
		return 0, d, nil
	}
	at = lineOf(open[0])
	body, ok := cutSuffixFold(raw[open[1]:], "</doc>")
	if !ok || docOpen.Match(body) {
		return at, d, errors.New("<DOC> is not closed: add </DOC>")
	}
	no := docNumber.FindSubmatchIndex(body)
	if no == nil {
		return at, d, errors.New("<DOC> has no <DOCNO>: add one")
	}
	if d.id = strings.TrimSpace(latin(body[no[2]:no[3]])); d.id == "" {
		return at, d, errors.New("<DOC> has an empty <DOCNO>: write the document's id into it")
	}
	var parts []string
	for _, m := range contents.FindAllSubmatch(body, -1) {
		for k := 1; k < len(m); k += 2 {
			if m[k] == nil {
				continue
			}
			text := plain(latin(m[k+1]))
			if d.title == "" && slices.Contains(headlines, strings.ToLower(string(m[k]))) {
				d.title = strings.Join(strings.Fields(text), " ")
			}
			if text != "" {
				parts = append(parts, text)
			}
		}
	}
	if d.text = strings.Join(parts, "\n\n"); len(parts) == 0 {
		rest := append(bytes.Clone(body[:no[0]]), body[no[1]:]...)
		d.text = plain(latin(rest))
	}
	if d.text == "" {
		return at, d, fmt.Errorf("document %q has no text: add it or take the record out", d.id)
	}
	return at, d, nil
}

func cutSuffixFold(b []byte, suffix string) ([]byte, bool) {
	n := len(b) - len(suffix)
	if n < 0 || !strings.EqualFold(string(b[n:]), suffix) {
		return b, false
	}
	return b[:n], true
}

// latin reads bytes that are no UTF-8 as Latin-1.
func latin(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	var s strings.Builder
	for _, c := range b {
		s.WriteRune(rune(c))
	}
	return s.String()
}

// plain takes tags out of a text, turns entities into their characters and keeps at most one blank
// line together.
func plain(s string) string {
	s = sgmlTag.ReplaceAllStringFunc(s, func(tag string) string {
		if blockTag.MatchString(tag) {
			return "\n"
		}
		return ""
	})
	s = html.UnescapeString(strings.ReplaceAll(s, "\r\n", "\n"))
	s = strings.ReplaceAll(s, "\x00", "")
	return strings.TrimSpace(manyLines.ReplaceAllString(s, "\n\n"))
}

// trecTopic is a <top> or <topic>: its number and its title, or the query or question that stands in
// place of one.
type trecTopic struct {
	line     int
	id, text string
}

// readTopics reads the topics of a file, in SGML or XML.
func readTopics(path string) ([]trecTopic, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(f)
	if err != nil {
		return nil, f.fault(err)
	}
	out, err := parseTopics(raw)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", f.path, err)
	}
	return out, nil
}

// parseTopics gives errors that begin with the line.
func parseTopics(raw []byte) ([]trecTopic, error) {
	var out []trecTopic
	lineNo, counted := 1, 0
	for pos := 0; ; {
		open := topicOpen.FindIndex(raw[pos:])
		if open == nil {
			break
		}
		from := pos + open[0]
		lineNo += bytes.Count(raw[counted:from], []byte("\n"))
		counted = from
		rest := raw[pos+open[1]:]
		end := topicEnd.FindIndex(rest)
		if end == nil || topicOpen.Match(rest[:end[0]]) {
			return nil, fmt.Errorf("%d: the topic is not closed: add </top> or </topic>", lineNo)
		}
		body := latin(rest[:end[0]])
		t := trecTopic{line: lineNo}
		if m := topicAttr.FindSubmatch(raw[from : pos+open[1]]); m != nil {
			t.id = strings.TrimSpace(latin(m[2]))
		} else {
			t.id = strings.TrimSpace(strings.TrimPrefix(topicField(body, "num", "number", "id", "qid"), "Number:"))
		}
		t.text = strings.TrimSpace(strings.TrimPrefix(topicField(body, "title", "query", "question", "desc", "description"), "Topic:"))
		switch {
		case t.id == "" || badID(t.id) != "":
			return nil, fmt.Errorf("%d: the topic has no number: add <num> or number=\"...\"", lineNo)
		case t.text == "":
			return nil, fmt.Errorf("%d: topic %q has no title: add <title>, <query> or <question>", lineNo, t.id)
		}
		out = append(out, t)
		pos += open[1] + end[1]
	}
	if len(out) == 0 {
		return nil, errors.New("1: holds no <top> or <topic>: fetch the collection again")
	}
	return out, nil
}

// topicField gives the text of the first of the named elements that is there, up to the next tag, on
// one line.
func topicField(body string, names ...string) string {
	lower := strings.ToLower(body)
	if len(lower) != len(body) {
		lower = body // letters that change length: names in lower case only
	}
	for _, n := range names {
		i := strings.Index(lower, "<"+n+">")
		if i < 0 {
			continue
		}
		text := body[i+len(n)+2:]
		if j := strings.IndexByte(text, '<'); j >= 0 {
			text = text[:j]
		}
		if text = strings.Join(strings.Fields(html.UnescapeString(text)), " "); text != "" {
			return text
		}
	}
	return ""
}
