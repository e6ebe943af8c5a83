package datasets

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"pgregory.net/rapid"
)

// TestBlocksCountCodePoints holds that the places that blocks give are those of the text of the page.
func TestBlocksCountCodePoints(t *testing.T) {
	word := rapid.StringOfN(rapid.RuneFrom([]rune("aé契 \u00a0\t\n<&")), 0, 8, -1)
	rapid.Check(t, func(t *rapid.T) {
		var b blocks
		type claim struct {
			at   stretch
			text string
		}
		var claims []claim
		for range rapid.IntRange(0, 8).Draw(t, "n") {
			s := word.Draw(t, "text")
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				claims = append(claims, claim{b.heading(1, s), squeeze(s)})
			case 1:
				claims = append(claims, claim{b.paragraph(s), squeeze(s)})
			case 2:
				b.figure(s)
			case 3:
				rows := [][]string{{s, word.Draw(t, "cell")}, {word.Draw(t, "cell")}}
				places := b.table(word.Draw(t, "caption"), gridOf(rows, 1))
				for i, at := range places {
					cells := slices.Clone(rows[i])
					for j := range cells {
						cells[j] = squeeze(cells[j])
					}
					claims = append(claims, claim{at, strings.Join(cells, "\t")})
				}
			}
		}
		text := []rune(b.text())
		if len(text) != b.size {
			t.Fatalf("%d code points, %d counted", len(text), b.size)
		}
		for _, c := range claims {
			if got := string(text[c.at.start:c.at.end]); got != c.text {
				t.Fatalf("%q at %v, want %q", got, c.at, c.text)
			}
		}
		if f := goldFaults(edb.Document{}, *b.onePage()); len(f) > 0 {
			t.Fatalf("%v", f)
		}
	})
}

func TestFinQAAnswer(t *testing.T) {
	for _, c := range []struct {
		value  any
		stated string
		want   edb.GoldAnswer
	}{
		{0.56197, "56%", edb.GoldAnswer{Type: "number", Value: 56.197, Unit: "%", Tolerance: .01, Aliases: []string{"56%"}}},
		{0.00563, "0.6%", edb.GoldAnswer{Type: "number", Value: .563, Unit: "%", Tolerance: .01, Aliases: []string{"0.6%"}}}, // its own rounding
		{-0.09091, "9.1%", edb.GoldAnswer{Type: "number", Value: -.09091, Tolerance: .01}},                                   // the sign differs
		{127.4, "127.40", edb.GoldAnswer{Type: "number", Value: 127.4, Tolerance: .01, Aliases: []string{"127.40"}}},
		{4302.67611, "8327.41", edb.GoldAnswer{Type: "number", Value: 4302.67611, Tolerance: .01}}, // the program decides
		{1393.0, "", edb.GoldAnswer{Type: "number", Value: 1393.0, Tolerance: .01}},
		{-16.0, "-3.2%", edb.GoldAnswer{Type: "number", Value: -16.0, Tolerance: .01}},
		{3.5, "3.5 million", edb.GoldAnswer{Type: "number", Value: 3.5, Scale: "million", Tolerance: .01, Aliases: []string{"3.5 million"}}},
		{12.0, "12%", edb.GoldAnswer{Type: "number", Value: 12.0, Unit: "%", Tolerance: .01, Aliases: []string{"12%"}}},
		{"yes", "yes", edb.GoldAnswer{Type: "boolean", Value: true}},
		{"no", "", edb.GoldAnswer{Type: "boolean", Value: false}},
	} {
		got, err := finqaAnswer(c.value, c.stated)
		must(t, err)
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(c.want)
		if string(a) != string(b) {
			t.Errorf("%v %q: %s, want %s", c.value, c.stated, a, b)
		}
	}
	for _, v := range []any{nil, "maybe", true, []any{}} {
		if a, err := finqaAnswer(v, ""); err == nil {
			t.Errorf("%v: %+v", v, a)
		}
	}
}

func TestTATQAAnswer(t *testing.T) {
	for _, c := range []struct {
		answer, kind, scale string
		want                edb.GoldAnswer
	}{
		{`-12.6`, "arithmetic", "million", edb.GoldAnswer{Type: "number", Value: -12.6, Scale: "million", Tolerance: .000396825396825}},
		{`-22.22`, "arithmetic", "percent", edb.GoldAnswer{Type: "number", Value: -22.22, Unit: "%", Tolerance: .00022502250225}},
		{`0.02`, "arithmetic", "", edb.GoldAnswer{Type: "number", Value: .02, Tolerance: .01}},
		{`0`, "arithmetic", "", edb.GoldAnswer{Type: "number", Value: 0.0}},
		{`"4"`, "count", "", edb.GoldAnswer{Type: "number", Value: 4.0}},
		{`["$1,496.5"]`, "span", "million", edb.GoldAnswer{Type: "number", Value: 1496.5, Scale: "million", Aliases: []string{"$1,496.5"}}},
		{`["(3.1)"]`, "span", "percent", edb.GoldAnswer{Type: "number", Value: -3.1, Unit: "%", Aliases: []string{"(3.1)"}}},
		{`["2019"]`, "span", "", edb.GoldAnswer{Type: "text", Value: "2019"}},
		{`["our costs"]`, "span", "", edb.GoldAnswer{Type: "text", Value: "our costs"}},
		{`["a","b",""]`, "multi-span", "thousand", edb.GoldAnswer{Type: "set", Value: []string{"a", "b"}}},
	} {
		got, err := tatqaQuestion{Answer: json.RawMessage(c.answer), Type: c.kind, Scale: c.scale}.answer()
		must(t, err)
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(c.want)
		if string(a) != string(b) {
			t.Errorf("%s: %s, want %s", c.answer, a, b)
		}
	}
}

// FuzzExamples reads any bytes as a line of FinQA, a file of TAT-QA and of PubMedQA, and a table of
// LegalBench: no panic, and what is accepted has evidence that agrees with its text.
func FuzzExamples(f *testing.F) {
	f.Add([]byte(`{"id":"q","filename":"a.pdf","pre_text":["b"],"table":[["c"],["d"]],"post_text":["."],"qa":{"question":"q","exe_ans":1,"answer":"1%","gold_inds":{"table_0":"","text_0":"b"}}}`))
	f.Add([]byte(`[{"table":{"uid":"t","table":[["a"]]},"paragraphs":[{"order":1,"text":"b"}],"questions":[{"uid":"u","question":"q","answer":["1"],"answer_type":"span","answer_from":"table-text","rel_paragraphs":["1"],"scale":"percent"}]}]`))
	f.Add([]byte(`{"1":{"QUESTION":"q","CONTEXTS":["a"],"LABELS":["L"],"final_decision":"no"}}`))
	f.Add([]byte("index\tanswer\ttext\n0\tYes\t\"a \"\"b\"\"\"\n"))
	agree := func(t *testing.T, q edb.Question, text []rune) {
		for _, e := range q.Evidence {
			if e.End <= e.Start || string(text[e.Start:e.End]) != e.Quote {
				t.Fatalf("%+v", e)
			}
		}
		if q.ID, q.Text = "q", "text"; len((Info{}).questionFaults(q)) > 0 {
			t.Fatalf("%v", (Info{}).questionFaults(q))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var e finqaExample
		if json.Unmarshal(raw, &e) == nil {
			p := rebuildPage(e)
			laws(t, &p.blocks)
			if q, err := e.question(p); err == nil && p.doc != "" {
				agree(t, q, []rune(p.text()))
			}
		}
		_ = jsonItems("f", raw, func(line int, _ string, c tatqaContext) error {
			p := c.rebuild()
			laws(t, &p.blocks)
			for _, q := range c.Questions {
				if asked, err := q.question(p, []rune(p.text()), "d"); err == nil {
					agree(t, asked, []rune(p.text()))
				}
			}
			return nil
		})
		_ = jsonItems("f", raw, func(_ int, _ string, r pubmedRecord) error { _, err := r.answer(); return err })
		_ = eachTSV(raw, []string{"index"}, func(line int, get func(string) string) error {
			if get("index"); line < 2 {
				t.Fatalf("line %d", line)
			}
			return nil
		}, "f")
		if heads, err := findSections(raw, []edgarSection{{"part1item1", 100}, {"1A", 50}}); err == nil && len(heads) != 2 {
			t.Fatalf("%v", heads)
		}
		var r s2orcRecord
		if json.Unmarshal(raw, &r) == nil {
			b, _ := r.blocks()
			laws(t, b)
		}
	})
}
