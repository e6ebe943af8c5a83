package ingest

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/tokens"
)

// Kinds of known-item questions.
const (
	kindTerms   = "terms"   // rare words of a sentence
	kindCell    = "cell"    // row label and column header of a table's cell
	kindHeading = "heading" // a heading, as it stands
)

// candidate is a passage that may become a known-item question.
type candidate struct {
	kind       string
	doc        string
	page       int // number
	start, end int // code points of the page's text: the evidence
	quote      string
	words      []string // keys of the passage: what must stand nowhere else
	terms      []term   // what the query is made of
	answer     *edb.GoldAnswer
	query      string // fixed by the kind; empty where it is drawn from terms
}

// term is a word that a query may hold.
type term struct{ key, text string }

// Bounds of a passage, in words.
const (
	minSentence, maxSentence = 8, 60
	maxHeading               = 15
)

// rngFor gives random numbers that depend on the seed and a name alone.
func rngFor(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// candidates draws at most n passages of a document in an order drawn with the seed. The kinds take
// turns: sentence, cell, sentence, heading, as far as there are any. What comes first is drawn too,
// since a document often gives one question only; a sentence is twice as likely.
func candidates(doc string, p edb.Parsed, seed uint64, n int) []candidate {
	by := map[string][]candidate{}
	for _, pg := range p.Pages {
		at := 0
		for i, e := range pg.Elements {
			if e.Artifact() || e.Text == "" {
				continue
			}
			var found []candidate
			switch e.Kind {
			case edb.KindParagraph, edb.KindListItem, edb.KindFootnote:
				found = sentences(e.Text, at)
			case edb.KindTable:
				found = cells(e.Text, at)
			case edb.KindHeading:
				found = heading(pg.Elements[i:], at)
			}
			for _, c := range found {
				c.doc, c.page = doc, pg.Number
				by[c.kind] = append(by[c.kind], c)
			}
			at += length(e.Text) + 1
		}
	}
	rng := rngFor(seed, doc)
	for _, k := range []string{kindTerms, kindCell, kindHeading} {
		rng.Shuffle(len(by[k]), func(i, j int) { by[k][i], by[k][j] = by[k][j], by[k][i] })
	}
	var out []candidate
	order := []string{kindTerms, kindCell, kindTerms, kindHeading}
	for i := rng.IntN(len(order)); len(out) < n && len(by[kindTerms])+len(by[kindCell])+len(by[kindHeading]) > 0; i++ {
		k := order[i%len(order)]
		if len(by[k]) > 0 {
			out, by[k] = append(out, by[k][0]), by[k][1:]
		}
	}
	return out
}

// sentences gives the sentences of a text that say something: neither short nor endless, mostly
// letters, with enough words to ask by. at is the text's offset in its page.
func sentences(text string, at int) []candidate {
	var out []candidate
	r := []rune(text)
	for _, s := range tokens.Sentences(text) {
		quote := string(r[s.Start:s.End])
		words, terms := content(quote)
		if len(words) < minSentence || len(words) > maxSentence || len(terms) < minTerms || !prose(quote) {
			continue
		}
		out = append(out, candidate{kind: kindTerms, start: at + s.Start, end: at + s.End, quote: quote, words: words, terms: terms})
	}
	return out
}

// content gives the word keys of a text and, once each, the words that carry meaning: letters, three
// or more of them, or one of a script without spaces.
func content(text string) (words []string, terms []term) {
	r := []rune(text)
	seen := map[string]bool{}
	for _, w := range tokens.Words(text) {
		words = append(words, w.Key)
		if !seen[w.Key] && telling(w.Key) {
			seen[w.Key] = true
			terms = append(terms, term{w.Key, string(r[w.Start:w.End])})
		}
	}
	return words, terms
}

func telling(key string) bool {
	letters := 0
	for _, r := range key {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			return true
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			return false
		}
	}
	return letters >= 3
}

// prose says whether at least seven tenths of what is no space are letters: not a row of figures,
// a formula or a list of references.
func prose(s string) bool {
	letters, all := 0, 0
	for _, r := range s {
		if unicode.IsSpace(r) {
			continue
		}
		all++
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			letters++
		}
	}
	return letters*10 >= all*7
}

// heading makes a question of the heading es[0]: it asks for what stands below, so the evidence goes
// on to the end of the next element with text of the page.
func heading(es []edb.Element, at int) []candidate {
	text := es[0].Text
	words, terms := content(text)
	if len(terms) < 2 || len(words) > maxHeading || !prose(text) {
		return nil
	}
	end := at + length(text)
	for _, e := range es[1:] {
		if e.Artifact() || e.Text == "" {
			continue
		}
		if e.Kind == edb.KindHeading || e.Kind == edb.KindCaption || len(strings.Fields(e.Text)) < minSentence {
			break
		}
		quote := text + "\n" + e.Text
		return []candidate{{kind: kindHeading, start: at, end: end + 1 + length(e.Text), quote: quote, words: words, terms: terms,
			query: strings.Join(strings.Fields(text), " ")}}
	}
	return nil
}

// cells gives the cells of a table that a row label and a column header name: the first row is read
// as header, the first column as labels. The evidence is the row.
func cells(text string, at int) []candidate {
	rows := strings.Split(text, "\n")
	head := strings.Split(rows[0], "\t")
	var out []candidate
	offset := at
	for i, raw := range rows {
		start := offset
		offset += length(raw) + 1
		if i == 0 {
			continue
		}
		row := strings.Split(raw, "\t")
		label := strings.TrimSpace(row[0])
		_, labelTerms := content(label)
		if len(labelTerms) == 0 || len(row) > len(head) {
			continue
		}
		for c := 1; c < len(row); c++ {
			value, column := strings.TrimSpace(row[c]), strings.TrimSpace(head[c])
			if !strings.ContainsFunc(value, unicode.IsDigit) || length(value) > 30 || column == "" || length(column) > 60 || length(label) > 80 {
				continue
			}
			query := label + " " + column
			words, _ := content(raw)
			out = append(out, candidate{kind: kindCell, start: start, end: start + length(raw), quote: raw, words: words,
				terms: allTerms(query), query: strings.Join(strings.Fields(query), " "), answer: typed(value)})
		}
	}
	return out
}

// allTerms gives every word of a text once, numbers too.
func allTerms(text string) []term {
	r := []rune(text)
	var out []term
	for _, w := range tokens.Words(text) {
		if !slices.ContainsFunc(out, func(t term) bool { return t.key == w.Key }) {
			out = append(out, term{w.Key, string(r[w.Start:w.End])})
		}
	}
	return out
}
