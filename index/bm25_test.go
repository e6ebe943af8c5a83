package index

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"

	"pgregory.net/rapid"
)

func passages(texts ...string) []edb.Passage {
	var out []edb.Passage
	for i, t := range texts {
		out = append(out, edb.Passage{ID: fmt.Sprintf("doc%d@0", i+1), Doc: fmt.Sprintf("doc%d", i+1), Text: t})
	}
	return out
}

func scores(hits []edb.Hit, n int) []float64 {
	out := make([]float64, n)
	for _, h := range hits {
		var i int
		fmt.Sscanf(h.Doc, "doc%d", &i)
		out[i-1] = h.Score
	}
	return out
}

func near(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 1e-6 })
}

func TestBM25Cases(t *testing.T) {
	n := 0
	for _, c := range testdata.Cases(t, "index-retrieve") {
		if !strings.HasPrefix(c.ID, "bm25-") {
			continue
		}
		n++
		t.Run(c.ID, func(t *testing.T) {
			var in struct {
				Docs        []string
				Text, Query string
				K1, B       float64
			}
			var want struct {
				Scores   []float64 `json:"scores_idf_plus_one"`
				Without  []float64 `json:"scores_lucene_without_k1_plus_1"`
				First    string
				Order    []string
				Hits     int
				Contain  []string `json:"tokens_contain"`
				Unwanted any      `json:"not_allowed"`
			}
			if err := json.Unmarshal(c.Input, &in); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(c.Expected, &want); err != nil {
				t.Fatal(err)
			}
			if in.Text != "" {
				got := Terms(in.Text)
				for _, w := range want.Contain {
					if !slices.Contains(got, w) {
						t.Errorf("terms %q lack %q", got, w)
					}
				}
				for _, w := range want.Unwanted.([]any) {
					if slices.Contains(got, w.(string)) {
						t.Errorf("terms %q hold %q", got, w)
					}
				}
				if len(got) <= len(want.Contain) {
					t.Errorf("terms %q: none for the Hangul word", got)
				}
				return
			}
			if in.K1 == 0 {
				in.K1, in.B = 1.5, .75
			}
			hits := BuildBM25(passages(in.Docs...)).Search(in.Query, in.K1, in.B, 10)
			if want.Without != nil && !near(scores(hits, len(in.Docs)), want.Without) {
				t.Errorf("hits %v, want scores %v", hits, want.Without)
			}
			if want.Scores != nil {
				got := scores(hits, len(in.Docs))
				for i := range got {
					got[i] *= in.K1 + 1
				}
				for i := range got {
					if math.Abs(got[i]-want.Scores[i]) > 3e-6 {
						t.Errorf("times k1 + 1: %v, want %v", got, want.Scores)
					}
				}
			}
			for i, d := range want.Order {
				if hits[i].Doc != d && strings.TrimSpace(d) != hits[i].Doc {
					t.Errorf("place %d is %s, want %s", i, hits[i].Doc, d)
				}
			}
			if want.First != "" && (len(hits) == 0 || hits[0].Doc != want.First || hits[0].Score <= 0) {
				t.Errorf("hits %v, want %s first", hits, want.First)
			}
			if want.Hits != 0 && len(hits) != want.Hits {
				t.Errorf("%d hits, want %d", len(hits), want.Hits)
			}
		})
	}
	if n < 4 {
		t.Errorf("only %d cases bm25-*", n)
	}
}

// Two settings on one index. By hand: three passages of 3, 2 and 1 terms, mean 2; "red" in two:
// idf = ln(1 + 1.5/2.5) = .4700036; "blue" in two likewise.
// k1 = 1.5, b = .75: norm(3) = 1.5(.25 + .75*1.5) = 2.0625; norm(2) = 1.5; norm(1) = .9375.
// doc1 "red red blue": .4700036(2/4.0625 + 1/3.0625) = .3848572; doc2 "blue green": .4700036/2.5 = .1880015;
// doc3 "red": .4700036/1.9375 = .2425825.
// k1 = 1.2, b = 0: norm = 1.2: doc1: .4700036(2/3.2 + 1/2.2) = .5073903; doc2 = doc3 = .4700036/2.2 = .2136380.
func TestTwoSettingsInOneProcess(t *testing.T) {
	x := BuildBM25(passages("red red blue", "blue green", "Red."))
	for range 2 {
		if got := scores(x.Search("red blue", 1.5, .75, 9), 3); !near(got, []float64{.384857, .188001, .242583}) {
			t.Errorf("k1 1.5, b .75: %v", got)
		}
		if got := scores(x.Search("red blue", 1.2, 0, 9), 3); !near(got, []float64{.507390, .213638, .213638}) {
			t.Errorf("k1 1.2, b 0: %v", got)
		}
	}
	for i := range 2 * maxReady { // more settings than are kept ready
		x.Search("red", float64(i), .5, 9)
	}
	if got := scores(x.Search("red blue", 1.5, .75, 9), 3); !near(got, []float64{.384857, .188001, .242583}) {
		t.Errorf("k1 1.5, b .75 again: %v", got)
	}
	if h := x.Search("red blue", 1.2, 0, 9); h[1].Doc != "doc2" || h[2].Doc != "doc3" {
		t.Errorf("equal scores not by id: %v", h)
	}
}

// slowBM25 scores by the formula as it stands.
func slowBM25(ps []edb.Passage, query string, k1, b float64, depth int) []edb.Hit {
	var docs [][]string
	total := 0
	for _, p := range ps {
		docs = append(docs, Terms(p.Text))
		total += len(docs[len(docs)-1])
	}
	count := func(d []string, t string) (n int) {
		for _, x := range d {
			if x == t {
				n++
			}
		}
		return
	}
	var hits []edb.Hit
	for i, d := range docs {
		var s float64
		for _, t := range Terms(query) {
			n := 0
			for _, e := range docs {
				n += min(1, count(e, t))
			}
			if tf := float64(count(d, t)); tf > 0 {
				s += math.Log(1+(float64(len(docs))-float64(n)+.5)/(float64(n)+.5)) * tf / (tf + k1*(1-b+b*float64(len(d))*float64(len(docs))/float64(total)))
			}
		}
		if s > 0 {
			hits = append(hits, edb.Hit{Passage: ps[i].ID, Doc: ps[i].Doc, Score: Round(s)})
		}
	}
	return Rank(hits, depth)
}

func TestSearchEqualsFormula(t *testing.T) {
	words := strings.Fields("a bb ccc dddd eeeee internationalisation internationalization naïve 12.5 国際 zeta")
	text := rapid.Custom(func(t *rapid.T) string {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		var out []string
		for range n {
			i := min(rapid.IntRange(0, len(words)-1).Draw(t, "i"), rapid.IntRange(0, len(words)-1).Draw(t, "j"))
			out = append(out, words[i])
		}
		return strings.Join(out, " ")
	})
	rapid.Check(t, func(t *rapid.T) {
		ps := passages(rapid.SliceOfN(text, 1, 60).Draw(t, "texts")...)
		q, depth := text.Draw(t, "query"), rapid.IntRange(1, 12).Draw(t, "depth")
		k1, b := rapid.SampledFrom([]float64{0, .9, 1.5}).Draw(t, "k1"), rapid.SampledFrom([]float64{0, .4, 1}).Draw(t, "b")
		x := BuildBM25(ps)
		got, want := x.Search(q, k1, b, depth), slowBM25(ps, q, k1, b, depth)
		if len(got) != len(want) {
			t.Fatalf("%d hits, want %d:\n%v\n%v", len(got), len(want), got, want)
		}
		for i := range got {
			// A sum may fall on the other side of a rounding edge; the order of the rest must hold.
			if math.Abs(got[i].Score-want[i].Score) > 1.1e-6 || (got[i].Score == want[i].Score && got[i].Passage != want[i].Passage) {
				t.Fatalf("place %d: %v, want %v", i, got[i], want[i])
			}
		}
		y, err := ReadBM25(x.AppendBinary(nil), ps)
		if err != nil {
			t.Fatal(err)
		}
		if again := y.Search(q, k1, b, depth); !slices.Equal(again, got) {
			t.Fatalf("read back: %v, want %v", again, got)
		}
	})
}

func TestTerms(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "",
		"The QUICK brown-fox":           "the|quick|brown|fox",
		"It's 1,234.50 or 1,23 (3.5%).": "it's|1234.50|or|1|23|3.5",
		"rock 'n' roll, dogs' U.S.":     "rock|n|roll|dogs|u|s",
		"Straße ΣΑΣ co\u00ADoperate":    "strasse|σασ|cooperate",
		"ﬁnance Ｆｕｌｌ １２":                "finance|full|12",
		"x国際y":                          "x|国|国際|際|y",
		"Telecommunications2024 end":    "telecommunications2024|end",
		"don’t":                         "don't",
	} {
		if got := strings.Join(Terms(in), "|"); got != want {
			t.Errorf("Terms(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestBM25Edges(t *testing.T) {
	if h := BuildBM25(nil).Search("x", 1.5, .75, 5); h != nil {
		t.Errorf("empty index: %v", h)
	}
	x := BuildBM25(passages("a", "", "b a"))
	for _, q := range []string{"", "zzz", "?!"} {
		if h := x.Search(q, 1.5, .75, 5); h != nil {
			t.Errorf("query %q: %v", q, h)
		}
	}
	if h := x.Search("a", 1.5, .75, 0); h != nil {
		t.Errorf("depth 0: %v", h)
	}
	if h := x.Search("a a", 1.5, .75, 99); len(h) != 2 || x.Bytes() < 10 || x.Terms() != 2 || x.Len() != 3 {
		t.Errorf("hits %v, %d bytes, %d terms", h, x.Bytes(), x.Terms())
	}
}

func FuzzReadBM25(f *testing.F) {
	ps := passages("red red blue", "internationalisation green", "Red.")
	f.Add(BuildBM25(ps).AppendBinary(nil))
	f.Add([]byte(bm25Magic))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := ReadBM25(data, ps)
		if err != nil {
			return
		}
		x.Search("red internationalisation", 1.5, .75, 3)
		if _, err := ReadBM25(x.AppendBinary(nil), ps); err != nil {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
	})
}

func FuzzTerms(f *testing.F) {
	f.Add("It's 1,234.5 国際 café co\u00ADop \xff\x00 ١٢٣")
	f.Fuzz(func(t *testing.T, s string) {
		for _, w := range Terms(s) {
			if strings.ContainsRune(w, 0) {
				t.Fatalf("term %q holds a zero byte", w)
			}
		}
	})
}

func TestPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.SliceOfNDistinct(rapid.Uint32Range(0, 499), 0, 200, rapid.ID[uint32]).Draw(t, "docs")
		slices.Sort(docs)
		list := make([]scored, len(docs))
		for i, d := range docs {
			list[i].doc = d
		}
		doc := rapid.Uint32Range(0, 499).Draw(t, "doc")
		want, _ := slices.BinarySearch(docs, doc)
		if got := place(list, doc, 500); got != want {
			t.Fatalf("place of %d in %v is %d, want %d", doc, docs, got, want)
		}
	})
}
