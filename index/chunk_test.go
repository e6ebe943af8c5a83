package index

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"

	"pgregory.net/rapid"
)

func document(pages ...string) edb.Parsed {
	p := edb.Parsed{Doc: "d", Paged: true}
	for i, t := range pages {
		p.Pages = append(p.Pages, edb.Page{Number: i + 1, Elements: []edb.Element{{Kind: edb.KindHeader, Text: "not text"}, {Kind: edb.KindParagraph, Text: t}}})
	}
	return p
}

func TestCutCase(t *testing.T) {
	n := 0
	for _, c := range testdata.Cases(t, "chunk") {
		if c.ID != "chunk-no-duplicate-tail" {
			continue
		}
		n++
		var in struct {
			Size, Overlap int
			Lengths       []int `json:"text_lengths"`
		}
		var want struct {
			Lengths map[string][]int `json:"chunk_lengths"`
		}
		if err := json.Unmarshal(c.Input, &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(c.Expected, &want); err != nil {
			t.Fatal(err)
		}
		for _, l := range in.Lengths {
			ps, err := Chunker{Tokens: in.Size, Overlap: in.Overlap, Tokenizer: "characters"}.Cut(document(strings.Repeat("x", l)))
			if err != nil {
				t.Fatal(err)
			}
			w := want.Lengths[strconv.Itoa(l)]
			if len(ps) != len(w) {
				t.Fatalf("%d characters: %d passages, want %d", l, len(ps), len(w))
			}
			for i, p := range ps {
				if p.Tokens != w[i] || utf8.RuneCountInString(p.Text) != w[i] {
					t.Errorf("%d characters: passage %d has %d, want %d", l, i, p.Tokens, w[i])
				}
			}
		}
	}
	if n == 0 {
		t.Skip("the cases hold no chunk-no-duplicate-tail")
	}
}

func TestCutOverPages(t *testing.T) {
	ps, err := Chunker{Tokens: 6, Overlap: 2, Tokenizer: "characters"}.Cut(document("abcd", "", "éfgh"))
	if err != nil {
		t.Fatal(err)
	}
	// whole text: a b c d \n é f g h
	if len(ps) != 2 || ps[0].Text != "abcd\né" || ps[1].Text != "éfgh" || ps[0].ID != "d@0" || ps[1].ID != "d@1" {
		t.Fatalf("passages: %+v", ps)
	}
	if s := ps[0].Spans; len(s) != 2 || s[0] != (edb.Span{Page: 1, Start: 0, End: 4}) || s[1] != (edb.Span{Page: 3, Start: 0, End: 1}) {
		t.Errorf("spans of the first passage: %v", s)
	}
	if s := ps[1].Spans; len(s) != 1 || s[0] != (edb.Span{Page: 3, Start: 0, End: 4}) {
		t.Errorf("spans of the second passage: %v", s)
	}
}

func TestCutRefuses(t *testing.T) {
	for _, c := range []Chunker{{}, {Tokens: -1}, {Tokens: 8, Overlap: 8}, {Tokens: 8, Overlap: -1}, {Tokens: 8, Tokenizer: "no such"}} {
		if _, err := c.Cut(document("a")); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
	ps, err := Chunker{Tokens: 8}.Cut(edb.Parsed{Doc: "empty"})
	if err != nil || len(ps) != 0 {
		t.Errorf("an empty document: %v, %v", ps, err)
	}
}

func TestCutProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pages := rapid.SliceOfN(rapid.StringOfN(rapid.RuneFrom([]rune("ab c.é\n国👍🏽")), 0, 40, -1), 0, 5).Draw(t, "pages")
		size := rapid.IntRange(1, 30).Draw(t, "size")
		c := Chunker{Tokens: size, Overlap: rapid.IntRange(0, size-1).Draw(t, "overlap"), Tokenizer: rapid.SampledFrom([]string{"characters", "words", "o200k"}).Draw(t, "tokenizer")}
		p := document(pages...)
		ps, err := c.Cut(p)
		if err != nil {
			t.Fatal(err)
		}
		covered := map[int][]bool{}
		for _, pg := range p.Pages {
			covered[pg.Number] = make([]bool, utf8.RuneCountInString(pg.Text()))
		}
		for i, x := range ps {
			if x.Tokens < 1 || x.Tokens > size {
				t.Fatalf("passage %d has %d tokens of %d", i, x.Tokens, size)
			}
			var texts []string
			for _, s := range x.Spans {
				r := []rune(p.Pages[s.Page-1].Text())
				texts = append(texts, string(r[s.Start:s.End]))
				for k := s.Start; k < s.End; k++ {
					covered[s.Page][k] = true
				}
			}
			if x.Text != strings.Join(texts, "\n") {
				t.Fatalf("text %q, spans hold %q", x.Text, texts)
			}
			if i > 0 && !after(x.Spans, ps[i-1].Spans) {
				t.Fatalf("passage %d lies inside the one before", i)
			}
		}
		for n, c := range covered {
			for k, ok := range c {
				if !ok {
					t.Fatalf("page %d: code point %d is in no passage", n, k)
				}
			}
		}
	})
}
