package tokens

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"enterprisedocbench/internal/testdata"
)

func TestWords(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"numbers are canonical", "Rent: $1,234.50 or 1234.5", []string{"rent", "1234.5", "or", "1234.5"}},
		{"case and ligature", "ﬁnal OFFICE", []string{"final", "office"}},
		{"Han by character", "国際 test", []string{"国", "際", "test"}},
		{"hyphen splits", "well-known", []string{"well", "known"}},
		{"soft hyphen", "co\u00adop", []string{"coop"}},
		{"empty", " - ", nil},
	} {
		if got := WordKeys(c.in); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []float64
	}{
		{"The result is (3.14)", []float64{3.14}}, {"−5", []float64{-5}}, {"(2,500)", []float64{-2500}},
		{"20% of 100 people", []float64{20, 100}}, {"Q3 2024", []float64{2024}}, {"$4.2 million", []float64{4.2}},
		{"-$3,000.25", []float64{-3000.25}}, {"pages 3-5", []float64{3, 5}}, {"", nil},
	} {
		var got []float64
		for _, n := range Numbers(c.in) {
			got = append(got, n.Value)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.in, got, c.want)
		}
	}
	if n := Numbers("$4.2 million"); n[0].Scale != "million" || n[0].Currency != "$" {
		t.Errorf("scale and currency: %+v", n[0])
	}
	if n := Numbers("up 20 percent"); !n[0].Percent {
		t.Errorf("percent: %+v", n[0])
	}
}

func TestSentencesKeepAbbreviations(t *testing.T) {
	in := "Dr. Smith of Acme Corp. signed cf. Sec. 3. He left.\nNew line here"
	var got []string
	for _, s := range Sentences(in) {
		got = append(got, string([]rune(in)[s.Start:s.End]))
	}
	want := []string{"Dr. Smith of Acme Corp. signed cf. Sec. 3.", "He left.", "New line here"}
	if !slices.Equal(got, want) {
		t.Fatalf("got %q", got)
	}
}

func TestBPEEnds(t *testing.T) {
	b, err := NewBPE("cl100k")
	if err != nil {
		t.Fatal(err)
	}
	if n := b.Count("hello world"); n != 2 { // token ids 15339, 1917 of cl100k_base
		t.Fatalf("hello world is %d tokens", n)
	}
	if _, err := NewBPE("nope"); err == nil {
		t.Fatal("an unknown name must be an error")
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		for _, name := range []string{"o200k", "words", "characters"} {
			b, _ := NewBPE(name)
			ends := b.Ends(s)
			if len(ends) > 0 && ends[len(ends)-1] != utf8.RuneCountInString(s) {
				t.Fatalf("%s: last end %d of %q", name, ends[len(ends)-1], s)
			}
			if !slices.IsSorted(ends) {
				t.Fatalf("%s: ends fall: %v", name, ends)
			}
		}
	})
}

// A long text is encoded in pieces; the ends are those of the whole.
func TestBPEPiecesAreSeamless(t *testing.T) {
	var sb strings.Builder
	for i := range 3000 {
		sb.WriteString([]string{"Net sales\n", "  1,234\n\n", "per share;\n", "/ é 国\r\n", "x\n \n"}[(i*7+i/3)%5])
	}
	s := sb.String()
	for _, name := range []string{"o200k", "cl100k"} {
		b, err := NewBPE(name)
		if err != nil {
			t.Fatal(err)
		}
		whole := b.piece(s, 0, nil)
		if got := b.Ends(s); !slices.Equal(got, whole) {
			t.Errorf("%s: %d tokens in pieces, %d in one", name, len(got), len(whole))
		}
	}
}

// The places of words are theirs: the text cut there has the same key.
func TestWordsReproduceTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{"Rent", " ", "1,234.50", "\n", "é", "国際", "ﬁ", "co-op", "(", "\u00ad", "カナ", "초과"})).Draw(t, "parts"), "")
		rs := []rune(s)
		for _, w := range Words(s) {
			again := Words(string(rs[w.Start:w.End]))
			if len(again) != 1 || again[0].Key != w.Key {
				t.Fatalf("%q at %d is %q, read alone %v", s, w.Start, w.Key, again)
			}
		}
	})
}

func BenchmarkWords(b *testing.B) {
	s := strings.Repeat("Cost of goods sold was $1,234.50 in fiscal 2018.\n", 20000) // 1 MB, about 300 pages
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Words(s)
	}
}

func BenchmarkBPE(b *testing.B) {
	s := strings.Repeat("Cost of goods sold was $1,234.50 in fiscal 2018.\n", 20000)
	e, err := NewBPE("o200k")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		e.Ends(s)
	}
}

func BenchmarkNumbers(b *testing.B) {
	s := strings.Repeat("Cost of goods sold was $1,234.50 in fiscal 2018.\n", 2000)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Numbers(s)
	}
}

func TestNormalizeIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		once := Normalize(s)
		if Normalize(once) != once {
			t.Fatalf("%q", s)
		}
	})
}

func TestCaseCJK(t *testing.T) {
	found := false
	for _, c := range testdata.Cases(t, "index-retrieve") {
		if c.ID != "bm25-cjk" {
			continue
		}
		found = true
		var in struct {
			Docs  []string
			Query string
		}
		if err := json.Unmarshal(c.Input, &in); err != nil {
			t.Fatal(err)
		}
		shared := make([]int, len(in.Docs))
		for i, d := range in.Docs {
			for _, k := range WordKeys(in.Query) {
				if slices.Contains(WordKeys(d), k) {
					shared[i]++
				}
			}
		}
		if shared[0] != 5 || shared[1] != 0 || shared[2] != 0 {
			t.Errorf("%s: shared words %v", c.ID, shared)
		}
	}
	if !found {
		t.Error("no case bm25-cjk")
	}
}

func TestCaseAccents(t *testing.T) {
	for _, c := range testdata.Cases(t, "index-retrieve") {
		if c.ID != "bm25-accents" {
			continue
		}
		var in struct{ Text string }
		if err := json.Unmarshal(c.Input, &in); err != nil {
			t.Fatal(err)
		}
		got := WordKeys(in.Text)
		if !slices.Contains(got, "café") || !slices.Contains(got, "naïve") || len(got) < 3 {
			t.Errorf("%s: got %q", c.ID, got)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("$-0 $-5 (-3)")
	f.Add("Rent 1,234.5 in café\u00ad 国際 (2,500) Dr. X.")
	f.Fuzz(func(t *testing.T, s string) {
		n := utf8.RuneCountInString(s)
		last := 0
		for _, w := range Words(s) {
			if w.Start < last || w.End <= w.Start || w.End > n {
				t.Fatalf("word %+v of %q", w, s)
			}
			last = w.End
		}
		last = 0
		for _, w := range Sentences(s) {
			if w.Start < last || w.End <= w.Start || w.End > n {
				t.Fatalf("sentence %+v of %q", w, s)
			}
			last = w.End
		}
		for _, x := range Numbers(s) {
			if x.Start < 0 || x.End > n || x.End <= x.Start {
				t.Fatalf("number %+v of %q", x, s)
			}
		}
		if strings.TrimSpace(Normalize(s)) != Normalize(s) {
			t.Fatal("not trimmed")
		}
	})
}
