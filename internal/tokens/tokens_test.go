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

func TestNormalizeIsIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		once := Normalize(s)
		if Normalize(once) != once {
			t.Fatalf("%q", s)
		}
	})
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
