package riker

import (
	"embed"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	edb "enterprisedocbench"
)

// The texts of documents stand in templates/TYPE-STYLE.txt, one sentence a line:
//
//	title, head, foot, author TEXT  of the document
//	= HEADING           a section; neighbouring ones change places from document to document
//	== HEADING          a section that keeps its place; either may have no heading
//	TEXT                a sentence; a blank line begins a new paragraph
//	| TEXT              another wording of the line before
//	- TEXT  ^ TEXT      a list item; a footnote
//	~ TEXT              filler: printed in a share of the documents (Plan.Filler)
//	?FIELD, ?!FIELD     before any of these: only where the record has the fact, or has it not
//	@table CAPTION      with @head, @row and @total lines below it, cells between " | "
//	@chart KIND CAPTION with a @bar line "LABEL | VALUE" below it, in forms that can draw
//
// Inside a text, {FIELD} states a fact, <FIELD> repeats a value without stating it, <FIELD:day:days>
// agrees with the number of a fact, and [a|b|] is one of several wordings, to any depth. A # in a
// field makes the line one for each of FIELD 1, 2, ... that the record has; in a heading or caption
// it is the running number.

//go:embed templates/*.txt
var templateFiles embed.FS

// repeats is how often a line with # can be printed: no record has more of a kind.
const repeats = 8

type textTemplate struct {
	title, head, foot, author sentence
	sections                  []textSection
	lines, filler             int // how many there are
}

type textSection struct {
	heading sentence // without wordings: none
	fixed   bool
	blocks  []textBlock
}

type textBlock struct {
	kind  string
	lines []sentence // the sentences of a paragraph, in order; else one
	chart string     // its kind
	head  []sentence
	rows  []tableRow // of a table, or the bars of a chart
}

type tableRow struct {
	sentence // what it needs
	cells    []sentence
	total    bool
}

// sentence is one sentence in all its wordings.
type sentence struct {
	id       int    // draws its wording
	need     string // the field without which it is left out
	not      bool   // need must not be there
	filler   int    // its number among the filler, from 1; 0: it is none
	wordings [][]node
}

type nodeKind byte

const (
	nodeText nodeKind = iota
	nodeFact
	nodeValue
	nodeAgreement // with a number: one or many
	nodeChoice
)

type node struct {
	kind      nodeKind
	text      string // or the field
	one, many string
	choices   [][]node
}

// textTemplates are read once, when the first document is asked for.
var textTemplates = sync.OnceValue(func() (all [Kinds][styles]*textTemplate) {
	for k := range all {
		for s := range all[k] {
			name := fmt.Sprintf("templates/%s-%s.txt", Kind(k), Style(s))
			b, err := templateFiles.ReadFile(name)
			if err == nil {
				all[k][s], err = readTemplate(string(b))
			}
			if err != nil {
				panic(fmt.Sprintf("riker: %s: %v", name, err)) // the files are part of the program; tests read all
			}
		}
	}
	return all
})

// templateReader holds what is open while a template is read.
type templateReader struct {
	t    *textTemplate
	last *sentence // that another wording may follow
}

func readTemplate(text string) (*textTemplate, error) {
	r := &templateReader{t: &textTemplate{}}
	fresh := true // the next sentence begins a paragraph
	for i, src := range strings.Split(text, "\n") {
		src = strings.TrimSpace(src)
		if src == "" {
			fresh = true
			continue
		}
		if err := r.line(src, fresh); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		fresh = false
	}
	return r.t, nil
}

func (r *templateReader) line(src string, fresh bool) error {
	t := r.t
	if other, ok := strings.CutPrefix(src, "| "); ok {
		if r.last == nil {
			return fmt.Errorf("%q is another wording of nothing", src)
		}
		w, err := readNodes(other)
		r.last.wordings = append(r.last.wordings, w)
		return err
	}
	var at sentence
	if cond, ok := strings.CutPrefix(src, "?"); ok {
		at.need, src, ok = strings.Cut(cond, " ")
		if !ok {
			return fmt.Errorf("%q has nothing after its condition", src)
		}
		at.need, at.not = strings.CutPrefix(at.need, "!")
	}
	word, rest, _ := strings.Cut(src, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "title", "head", "foot", "author":
		to := map[string]*sentence{"title": &t.title, "head": &t.head, "foot": &t.foot, "author": &t.author}[word]
		return r.set(to, at, rest)
	case "=", "==":
		t.sections = append(t.sections, textSection{fixed: word == "=="})
		s := &t.sections[len(t.sections)-1]
		if rest == "" {
			r.last = nil
			return nil
		}
		return r.set(&s.heading, at, rest)
	}
	if len(t.sections) == 0 {
		return fmt.Errorf("%q stands before the first section", src)
	}
	s := &t.sections[len(t.sections)-1]
	switch word {
	case "-", "^":
		return r.add(s, map[string]string{"-": edb.KindListItem, "^": edb.KindFootnote}[word], at, rest, true)
	case "~":
		t.filler++
		at.filler = t.filler
		return r.add(s, edb.KindParagraph, at, rest, fresh)
	case "@table":
		return r.add(s, edb.KindTable, at, rest, true)
	case "@chart":
		kind, caption, _ := strings.Cut(rest, " ")
		if !slices.Contains([]string{"bars", "columns", "line"}, kind) {
			return fmt.Errorf("%q is no kind of chart", kind)
		}
		err := r.add(s, edb.KindFigure, at, caption, true)
		s.blocks[len(s.blocks)-1].chart = kind
		return err
	case "@head", "@row", "@total", "@bar":
		if len(s.blocks) == 0 {
			return fmt.Errorf("%q stands in no table", src)
		}
		return r.row(&s.blocks[len(s.blocks)-1], word, at, rest)
	}
	return r.add(s, edb.KindParagraph, at, src, fresh)
}

// set reads the first wording of a line.
func (r *templateReader) set(l *sentence, at sentence, text string) error {
	*l = at
	l.id = r.t.lines
	r.t.lines++
	w, err := readNodes(text)
	l.wordings = [][]node{w}
	r.last = l
	return err
}

// add puts a line into the paragraph that is open, or into a block of its own. One with # is put in
// as often as it may be printed.
func (r *templateReader) add(s *textSection, kind string, at sentence, text string, fresh bool) error {
	copies := []string{text}
	if kind != edb.KindTable && kind != edb.KindFigure {
		copies = numberedCopies(text)
	}
	for i, text := range copies {
		if len(copies) > 1 {
			at.need, at.not = firstField(text), false
		}
		last := len(s.blocks) - 1
		if fresh && (i == 0 || kind != edb.KindParagraph) || last < 0 || s.blocks[last].kind != kind {
			s.blocks = append(s.blocks, textBlock{kind: kind})
			last++
		}
		b := &s.blocks[last]
		b.lines = append(b.lines, sentence{})
		if err := r.set(&b.lines[len(b.lines)-1], at, text); err != nil {
			return err
		}
	}
	if len(copies) > 1 {
		r.last = nil // wordings of numberedCopies lines are written with [|]
	}
	return nil
}

func (r *templateReader) row(b *textBlock, word string, at sentence, text string) error {
	for _, text := range numberedCopies(text) {
		to := tableRow{sentence: at, total: word == "@total"}
		if strings.Contains(text, "{") && at.need == "" && word != "@total" {
			to.need = firstField(text)
		}
		for strings.Contains(text, "| |") {
			text = strings.ReplaceAll(text, "| |", "|  |") // an empty cell
		}
		for cell := range strings.SplitSeq(text, " | ") {
			to.cells = append(to.cells, sentence{})
			if err := r.set(&to.cells[len(to.cells)-1], sentence{}, strings.TrimSpace(cell)); err != nil {
				return err
			}
		}
		if word == "@head" {
			b.head = to.cells
			continue
		}
		b.rows = append(b.rows, to)
	}
	r.last = nil
	return nil
}

// numberedCopies gives a text with # in a field once for each number.
func numberedCopies(text string) []string {
	if !strings.Contains(text, "#") {
		return []string{text}
	}
	out := make([]string, repeats)
	for i := range out {
		out[i] = strings.ReplaceAll(text, "#", strconv.Itoa(i+1))
	}
	return out
}

// firstField is the first fact that a text states, or the first value in it where it states none.
func firstField(text string) string {
	for _, ends := range []string{"{}", "<>"} {
		if _, after, ok := strings.Cut(text, ends[:1]); ok {
			field, _, _ := strings.Cut(after, ends[1:])
			return field
		}
	}
	return ""
}

// readNodes reads the text of a wording.
func readNodes(s string) ([]node, error) {
	out, rest, err := readUntil(s, "")
	if err == nil && rest != "" {
		err = fmt.Errorf("%q has a ] too many", s)
	}
	return out, err
}

// readUntil reads up to one of the bytes in stop, outside of brackets, and gives what is left from there.
func readUntil(s, stop string) (out []node, rest string, err error) {
	special := "{<[]|"
	if stop == "" {
		special = "{<[]"
	}
	for s != "" {
		i := strings.IndexAny(s, special)
		if i < 0 {
			i = len(s)
		}
		if i > 0 {
			out = append(out, node{kind: nodeText, text: s[:i]})
		}
		if s = s[i:]; s == "" {
			break
		}
		switch c := s[0]; c {
		case ']', '|':
			return out, s, nil
		case '[':
			n := node{kind: nodeChoice}
			for {
				var one []node
				if one, s, err = readUntil(s[1:], "|]"); err != nil {
					return nil, "", err
				}
				n.choices = append(n.choices, one)
				if s == "" {
					return nil, "", errors.New("a [ has no ]")
				}
				if s[0] == ']' {
					s = s[1:]
					break
				}
			}
			out = append(out, n)
		default:
			end := strings.IndexByte(s, map[byte]byte{'{': '}', '<': '>'}[c])
			if end < 2 {
				return nil, "", fmt.Errorf("%q has no end", s)
			}
			n := node{kind: nodeFact, text: s[1:end]}
			if c == '<' {
				n.kind = nodeValue
				if parts := strings.Split(n.text, ":"); len(parts) == 3 {
					n = node{kind: nodeAgreement, text: parts[0], one: parts[1], many: parts[2]}
				}
			}
			out = append(out, n)
			s = s[end+1:]
		}
	}
	return out, "", nil
}
