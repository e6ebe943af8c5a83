package riker

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/universe/press"
)

var factMark = regexp.MustCompile(`\{([^|}]+)\|([^}]*)\}`)

// storyText is all that a story prints, one block, row or label a line, and the values that it
// states by field.
func storyText(s press.Story) (string, map[string][]string) {
	parts := []string{s.Title}
	for _, b := range s.Blocks {
		parts = append(parts, b.Text)
		if t := b.Table; t != nil {
			parts = append(parts, t.Caption, strings.Join(t.Header, "\t"))
			for _, r := range t.Rows {
				parts = append(parts, strings.Join(r, "\t"))
			}
		}
		if c := b.Chart; c != nil {
			parts = append(parts, c.Caption)
			for i := range c.Labels {
				parts = append(parts, c.Labels[i]+" "+c.Printed[i])
			}
		}
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	stated := map[string][]string{}
	return factMark.ReplaceAllStringFunc(strings.Join(parts, "\n"), func(m string) string {
		p := factMark.FindStringSubmatch(m)
		stated[p[1]] = append(stated[p[1]], p[2])
		return p[2]
	}), stated
}

// searchable is a text in lower case without accents, its words between single spaces.
func searchable(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, c := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, c):
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			b.WriteRune(unicode.ToLower(c))
		default:
			b.WriteByte(' ')
		}
	}
	return " " + strings.Join(strings.Fields(b.String()), " ") + " "
}

// untidy are signs of a template that went wrong.
var untidy = regexp.MustCompile(`  |Inc\. |\.\.| [.,;:!?]|[\[\]#<>]|,\.|(^|[.!?] )[a-z]`)

// inc is a legal form in the middle of a sentence.
var inc = regexp.MustCompile(`Inc\. ([a-z(0-9])`)

func TestStories(t *testing.T) {
	plans := map[string]Plan{}
	for seed := range uint64(2) {
		p, err := Sized(2000, seed+1)
		if err != nil {
			t.Fatal(err)
		}
		p.Filler = float64(seed)
		p.Formats = map[string]float64{"text": 1, "pdf": 1}
		plans[fmt.Sprintf("mixed, filler %v", p.Filler)] = p
	}
	for name, p := range plans {
		t.Run(name, func(t *testing.T) {
			w, err := New(p)
			if err != nil {
				t.Fatal(err)
			}
			charts := 0
			for id := range p.Documents() {
				k, n := w.at(id)
				style := w.style(k, n)
				s := w.Story(k, n)
				text, stated := storyText(s)
				where := fmt.Sprintf("%s %d, %s", k, n, style)
				for _, f := range w.Record(k, n).Facts(style) {
					if len(stated[f.Field]) == 0 {
						t.Errorf("%s does not state %s", where, f.Field)
					}
					for _, v := range stated[f.Field] {
						if v != f.Printed {
							t.Errorf("%s states %s as %q, not %q", where, f.Field, v, f.Printed)
						}
					}
					delete(stated, f.Field)
				}
				if len(stated) > 0 {
					t.Errorf("%s states what its record does not have: %v", where, stated)
				}
				hay := searchable(text + "\n" + s.Head + "\n" + s.Foot)
				facts := values{facts: w.Record(k, n).Facts(style)}
				for _, c := range Clauses[k] {
					if facts.get(c.Field) != nil {
						continue
					}
					for _, phrase := range c.Phrases {
						if strings.Contains(hay, searchable(phrase)) {
							t.Errorf("%s has no %s, yet says %q:\n%s", where, c.Field, phrase, text)
						}
					}
				}
				for _, b := range s.Blocks {
					if b.Table == nil && b.Chart == nil {
						text, _ := storyText(press.Story{Blocks: []press.Block{b}})
						if m := untidy.FindString(inc.ReplaceAllString(text, "Inc $1")); m != "" {
							t.Errorf("%s holds %q: %q", where, m, text)
						}
					}
					if b.Chart != nil {
						charts++
						if w.format(id) == "text" {
							t.Errorf("%s is text and has a chart", where)
						}
					}
				}
				if t.Failed() {
					return
				}
			}
			if charts < 50 {
				t.Errorf("%d charts", charts)
			}
		})
	}
}

// TestTemplates holds the rules that single documents cannot show: every way to say every sentence is
// looked at.
func TestTemplates(t *testing.T) {
	said := map[string]string{}
	for k := range Kinds {
		for s := range styles {
			tpl := textTemplates()[k][s]
			name := fmt.Sprintf("%s-%s", k, s)
			if tpl.filler < 12 {
				t.Errorf("%s has %d lines of filler, 12 are the least", name, tpl.filler)
			}
			shuffled := 0
			for _, sec := range tpl.sections {
				if !sec.fixed {
					shuffled++
				}
				checkTexts(t, name, k, &sec.heading, "")
				for _, b := range sec.blocks {
					for i := range b.lines {
						checkTexts(t, name, k, &b.lines[i], sec.heading.need)
						checkLine(t, name, &b.lines[i], said)
					}
					for i := range b.head {
						checkTexts(t, name, k, &b.head[i], sec.heading.need)
					}
					for i := range b.rows {
						for c := range b.rows[i].cells {
							checkTexts(t, name, k, &b.rows[i].cells[c], b.rows[i].need)
						}
					}
				}
			}
			if shuffled < 3 {
				t.Errorf("%s has only %d sections that change places", name, shuffled)
			}
		}
	}
}

// checkTexts looks for what may only be said of documents that have it.
func checkTexts(t *testing.T, name string, k Kind, l *sentence, guard string) {
	for _, w := range l.wordings {
		for _, text := range ways(w) {
			hay := searchable(text)
			for _, c := range Clauses[k] {
				if c.Field == l.need && !l.not || c.Field == guard {
					continue
				}
				for _, phrase := range c.Phrases {
					if strings.Contains(hay, searchable(phrase)) {
						t.Errorf("%s says %q whether or not there is a %s: %q", name, phrase, c.Field, text)
					}
				}
			}
		}
	}
}

var answerLike = regexp.MustCompile(`(?i)[0-9{<]|\b(two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|hundred|thousand|million|half)\b`)

// fieldMark is a field or number in a template.
var fieldMark = regexp.MustCompile(`[{<][^}>]*[}>]|#`)

func checkLine(t *testing.T, name string, l *sentence, said map[string]string) {
	first := fields(l.wordings[0])
	all := 0
	for _, w := range l.wordings {
		if f := fields(w); !slices.Equal(first, f) {
			t.Errorf("%s: one wording states %v, another %v", name, first, f)
		}
		for _, text := range ways(w) {
			all++
			if l.filler > 0 && answerLike.MatchString(text) {
				t.Errorf("%s: filler with what looks like an answer: %q", name, text)
			}
			if m := untidy.FindString(fieldMark.ReplaceAllString(text, "Name")); m != "" {
				t.Errorf("%s: %q in %q", name, m, text)
			}
			if other, ok := said[text]; ok && other != name && len(strings.Fields(text)) >= 6 {
				t.Errorf("%s and %s both say %q", name, other, text)
			}
			said[text] = name
		}
	}
	if l.filler > 0 && all < 3 {
		t.Errorf("%s: only %d wordings of %q", name, all, ways(l.wordings[0]))
	}
}

// ways are all the ways to say nodes, with the marks of fields in them.
func ways(list []node) []string {
	out := []string{""}
	for _, n := range list {
		var next []string
		switch n.kind {
		case nodeText:
			next = []string{n.text}
		case nodeChoice:
			for _, c := range n.choices {
				next = append(next, ways(c)...)
			}
		case nodeAgreement:
			next = []string{n.one, n.many}
		case nodeFact:
			next = []string{"{" + n.text + "}"}
		default:
			next = []string{"<" + n.text + ">"}
		}
		var both []string
		for _, a := range out {
			for _, b := range next {
				both = append(both, a+b)
			}
		}
		out = both
	}
	return out
}

// fields are the facts that nodes state, sorted; those of a choice by its first way, after a check
// that the others state the same.
func fields(list []node) (out []string) {
	for _, n := range list {
		if n.kind == nodeFact {
			out = append(out, n.text)
		}
		for i, c := range n.choices {
			if i == 0 {
				out = append(out, fields(c)...)
			} else if !slices.Equal(fields(c), fields(n.choices[0])) {
				out = append(out, "choices that state different facts")
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestStoriesRepeat(t *testing.T) {
	p, err := Sized(300, 5)
	if err != nil {
		t.Fatal(err)
	}
	w, _ := New(p)
	p.Filler = 1
	full, _ := New(p)
	p.Seed++
	other, _ := New(p)
	for k := range Kinds {
		for n := range p.Counts[k] {
			a, _ := storyText(w.Story(k, n))
			if b, _ := storyText(w.Story(k, n)); a != b {
				t.Errorf("%s %d is told in two ways", k, n)
			}
			// More filler leaves every other sentence as it is.
			whole := map[string]bool{}
			b, _ := storyText(full.Story(k, n))
			for _, s := range tokens.Sentences(b) {
				whole[string([]rune(b)[s.Start:s.End])] = true
			}
			for line := range strings.SplitSeq(a, "\n") {
				for _, s := range tokens.Sentences(line) {
					if text := string([]rune(line)[s.Start:s.End]); !strings.Contains(b, text) && !strings.Contains(text, ". ") {
						t.Errorf("%s %d: with more filler, %q is gone", k, n, text)
					}
				}
			}
			if c, _ := storyText(other.Story(k, n)); c == b {
				t.Errorf("%s %d is the same in two worlds", k, n)
			}
		}
	}
}

// TestLengths holds what the presets' budgets need: filler alone must be able to meet them.
func TestLengths(t *testing.T) {
	bpe, err := tokens.NewBPE("o200k")
	if err != nil {
		t.Fatal(err)
	}
	fillers := []float64{0, .5, 1}
	var all [3]float64
	worlds := 0.0
	for _, name := range Presets() {
		seeds := uint64(1)
		if name == "32K" {
			seeds = 5
		}
		for seed := range seeds {
			var mean [3]float64
			budget := 0.0
			for i, filler := range fillers {
				p, err := Preset(name, "", seed)
				if err != nil {
					t.Fatal(err)
				}
				p.Filler = filler
				w, err := New(p)
				if err != nil {
					t.Fatal(err)
				}
				sum, docs := 0, 0
				for id := 0; id < w.Documents(); id += 1 + w.Documents()/120 {
					text, err := w.Text(id)
					if err != nil {
						t.Fatal(err)
					}
					sum += bpe.Count(text)
					docs++
				}
				mean[i] = float64(sum) / float64(docs)
				all[i] += mean[i]
				budget = float64(p.Budget) / float64(p.Documents())
			}
			worlds++
			t.Logf("%s, seed %d: %.0f tokens a document without filler, %.0f with half, %.0f with all, the budget is %.0f", name, seed, mean[0], mean[1], mean[2], budget)
			if mean[0] > .92*budget || mean[2] < 1.1*budget {
				t.Errorf("%s, seed %d: filler cannot meet the budget", name, seed)
			}
			if half := (mean[0] + mean[2]) / 2; mean[1] < half-10 || mean[1] > half+10 {
				t.Errorf("%s, seed %d: half the filler gives %.0f tokens a document, the middle is %.0f", name, seed, mean[1], half)
			}
		}
	}
	if all[0]/worlds >= 250 || all[2]/worlds <= 420 {
		t.Errorf("%.0f tokens a document without filler, %.0f with all", all[0]/worlds, all[2]/worlds)
	}
}
