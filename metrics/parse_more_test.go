package metrics

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"

	"pgregory.net/rapid"
)

func pages(texts ...string) edb.Parsed {
	p := edb.Parsed{Paged: true}
	for i, s := range texts {
		p.Pages = append(p.Pages, edb.Page{Number: i + 1, Elements: []edb.Element{para(s)}})
	}
	return p
}

func TestTISVariants(t *testing.T) {
	gold, pred := pages("abcd", "", "efghijkl"), pages("abcx", "", "efgh")
	unpaged := pages("abcd")
	unpaged.Paged = false
	for _, c := range []struct {
		name, key  string
		pred, gold edb.Parsed
		want       string
	}{
		{"raw counts blanks and forms", "parse.tis(mode=raw)", pages("a  ﬁ"), pages("a fi"), "0.5"}, // one blank in place of two, two letters in place of one
		{"normalised does not", "parse.tis", pages("a  ﬁ"), pages("a fi"), "1"},
		{"mean over pages with text", "parse.tis(level=page)", pred, gold, "0.625"},         // .75 and .5
		{"pages by their length", "parse.tis(level=page,mean=micro)", pred, gold, "0.5833"}, // 1 - 5/12
		{"a page that is missing", "parse.tis(level=page)", pages("abcd"), gold, "0.5"},
		{"a page too many", "parse.tis(level=page)", pages("abcd", "", "efghijkl", "more"), gold, "0.6667"},
		{"raw by page", "parse.tis(level=page,mode=raw)", pages("a  b"), pages("a b"), "0.75"},
		{"no page has text", "parse.tis(level=page)", pages(""), pages("", ""), "1"},
		{"no page marks, one page each", "parse.tis(level=page)", unpaged, pages("abcd"), "1"},
		{"no page marks, several pages", "parse.tis(level=page)", unpaged, gold, "nothing"},
		{"no prediction", "parse.tis(level=page)", edb.Parsed{}, gold, "0"},
		{"pooled is the same for one document", "parse.tis(mean=micro)", pred, gold, "0.6154"}, // 1 - 5/13
	} {
		got := "nothing"
		if v := value(t, c.gold, c.pred, c.key); v != nil {
			got = fmt.Sprintf("%.4g", *v)
		}
		if got != c.want {
			t.Errorf("%s: %s = %s, want %s", c.name, c.key, got, c.want)
		}
	}
}

func TestPooledRowsCountByTheirWeight(t *testing.T) {
	rows := func(pred, gold edb.Parsed) edb.Measurement {
		out, err := EvalParse(context.Background(), gold, pred, []string{"parse.tis(mean=micro)"})
		if err != nil {
			t.Fatal(err)
		}
		return out[0]
	}
	a, b := rows(pages("abcdefgh"), pages("abcd")), rows(pages("xy"), pages("xy"))
	if a.Weight != 8 || b.Weight != 2 {
		t.Fatalf("weights %v and %v, want the longer lengths 8 and 2", a.Weight, b.Weight)
	}
	lost := b
	lost.Value, lost.Failed = nil, true
	if f := Aggregate([]edb.Measurement{a, b}); math.Abs(*f.Value-.6) > 1e-12 { // 1 - 4/10
		t.Errorf("pooled: %v, want .6", *f.Value)
	}
	if f := Aggregate([]edb.Measurement{a, lost}); math.Abs(*f.Value-.4) > 1e-12 || *f.ValueOK != .5 {
		t.Errorf("pooled with a failed unit: %v, ok %v; want .4 and .5", *f.Value, *f.ValueOK)
	}
}

func boxed(kind string, b edb.Box) edb.Element { return edb.Element{Kind: kind, Box: &b} }

func TestElementF1(t *testing.T) {
	ten := edb.Box{0, 0, 10, 10}
	table, figure := edb.KindTable, edb.KindFigure
	two := pages("", "")
	two.Pages[1].Elements = []edb.Element{boxed(table, ten)}
	for _, c := range []struct {
		name       string
		pred, gold edb.Parsed
		kind       string
		iou        float64
		want       string
	}{
		{"the same box", doc(boxed(table, ten)), doc(boxed(table, ten)), table, .75, "1"},
		{"overlap of exactly a half", doc(boxed(table, edb.Box{0, 0, 10, 5})), doc(boxed(table, ten)), table, .5, "1"},
		{"too small an overlap", doc(boxed(table, edb.Box{0, 0, 10, 5})), doc(boxed(table, ten)), table, .75, "0"},
		{"another kind", doc(boxed(figure, ten)), doc(boxed(table, ten)), table, .5, "0"},
		{"another kind is no pair in all either", doc(boxed(figure, ten)), doc(boxed(table, ten)), "", .5, "0"},
		{"one of two, one invented", doc(boxed(table, ten), boxed(table, edb.Box{50, 50, 60, 60})), doc(boxed(table, ten), boxed(table, edb.Box{20, 20, 30, 30})), table, .5, "0.5"},
		{"another page", doc(boxed(table, ten)), two, table, .5, "0"},
		{"no box in the prediction", doc(edb.Element{Kind: table}), doc(boxed(table, ten)), table, .5, "0"},
		{"no box in gold", doc(boxed(table, ten)), doc(edb.Element{Kind: table}), table, .5, "nothing"},
		{"as many pairs as can be, though the best pair alone would take both", // 10×10 against 10×6 and the other way
			doc(boxed(table, edb.Box{0, 0, 10, 10}), boxed(table, edb.Box{0, 0, 10, 19})), doc(boxed(table, edb.Box{0, 0, 10, 11}), boxed(table, edb.Box{0, 0, 10, 6})), table, .5, "1"},
		{"all kinds", doc(boxed(table, ten), boxed(figure, ten)), doc(boxed(table, ten), boxed(figure, ten)), "", .5, "1"},
	} {
		got := "nothing"
		if v, ok := ElementF1(c.pred, c.gold, c.kind, c.iou); ok {
			got = fmt.Sprintf("%.4g", v)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if v := IoU(edb.Box{0, 0, 0, 0}, edb.Box{0, 0, 0, 0}); v != 1 {
		t.Errorf("equal boxes without area: %v", v)
	}
	if v := IoU(edb.Box{0, 0, 4, 4}, edb.Box{2, 0, 6, 4}); math.Abs(v-1.0/3) > 1e-12 {
		t.Errorf("boxes that share half of each: %v, want 1/3", v)
	}
}

func TestKindKeysAreThoseWithPlaces(t *testing.T) {
	got := KindKeys(doc(boxed(edb.KindTable, edb.Box{0, 0, 1, 1}), edb.Element{Kind: edb.KindFigure}, boxed(edb.KindListItem, edb.Box{0, 0, 1, 1})))
	want := []string{"parse.element_f1(kind=list-item)", "parse.element_f1(iou=0.75,kind=list-item)", "parse.element_f1(kind=table)", "parse.element_f1(iou=0.75,kind=table)"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestLaTeXForm(t *testing.T) {
	for in, want := range map[string]string{
		`$$ x ^ {2} + y $$`:                     `x^2+y`,
		`\[ \alpha x \]`:                        `\alpha x`,
		`\( \alpha _ 1 \)`:                      `\alpha_1`,
		`\begin{equation}a\,=\,b\end{equation}`: `a=b`,
		`\frac{a}{b}`:                           `\frac ab`,
		`\mathbf{x}\quad y`:                     `\mathbf xy`,
		`a ~ b \label{eq:1}`:                    `ab`,
		`x_{\mu}y`:                              `x_\mu y`,
		`x_{12}`:                                `x_{12}`,
		``:                                      ``,
	} {
		if got := LaTeX(in); got != want {
			t.Errorf("LaTeX(%q) = %q, want %q", in, got, want)
		}
		if again := LaTeX(LaTeX(in)); again != LaTeX(in) {
			t.Errorf("LaTeX(%q) changes again to %q", in, again)
		}
	}
}

func FuzzLaTeX(f *testing.F) {
	for _, s := range []string{`$x^{2}$`, `\[\alpha x\]`, `{{a}}`, `\{x\}`, "$$", `\frac{\pi}{2}`, `\,{ }`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if once := LaTeX(s); LaTeX(once) != once {
			t.Fatalf("%q gives %q, which gives %q", s, once, LaTeX(once))
		}
	})
}

func TestFormulaSim(t *testing.T) {
	formula := func(s string) edb.Element { return edb.Element{Kind: edb.KindFormula, Text: s} }
	for _, c := range []struct {
		name       string
		pred, gold edb.Parsed
		want       string
	}{
		{"other spacing and order", doc(formula(`b = 2`), formula(`x^2`)), doc(formula(`$$x^{2}$$`), formula(`\[b=2\]`)), "1"},
		{"one of two symbols", doc(formula(`x+1`)), doc(formula(`x+2`)), "0.6667"},
		{"one missing", doc(formula(`x+1`)), doc(formula(`x+1`), formula(`abc`)), "0.5"},
		{"one invented", doc(formula(`x+1`), formula(`q`)), doc(formula(`x+1`)), "0.5"},
		{"within a sentence, and money", doc(para(`from $a_1$ on`)), doc(para(`so $a_1$ costs $5-$6`)), "1"},
		{"none predicted", doc(para("x")), doc(formula(`x`)), "0"},
		{"none in gold", doc(formula(`x`)), doc(para("costs $5 or $6")), "nothing"},
		{"masked", doc(formula(`x`)), edb.Parsed{Mask: []string{MaskFormula}, Pages: doc(formula(`x`)).Pages}, "nothing"},
	} {
		got := "nothing"
		if v := value(t, c.gold, c.pred, "parse.formula_sim"); v != nil {
			got = fmt.Sprintf("%.4g", *v)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	var a, b []string
	for i := range 1100 {
		a, b = append(a, fmt.Sprint("a", i)), append(b, fmt.Sprint("b", i))
	}
	if _, _, err := FormulaSim(a, b); err == nil || !strings.Contains(err.Error(), "too many formulas") {
		t.Errorf("1,100 formulas each: %v", err)
	}
}

func TestNumberRecall(t *testing.T) {
	for _, c := range []struct {
		name, pred, gold string
		want             string
	}{
		{"another way to write", "1234.5 and 4,200,000", "1,234.50 and 4.2 million", "1"},
		{"each as often as it stands", "7 and 8", "7 and 7", "0.5"},
		{"invented ones cost nothing", "7 8 9 10", "7", "1"},
		{"a percentage is another number", "20", "20%", "0"},
		{"a sign counts", "5", "-5", "0"},
		{"digits in words are none", "", "Q3 and A4", "nothing"},
		{"none predicted", "", "in 2024", "0"},
	} {
		got := "nothing"
		if v, ok := NumberRecall(c.pred, c.gold); ok {
			got = fmt.Sprintf("%.4g", v)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestEntityRecall(t *testing.T) {
	for _, c := range []struct {
		name       string
		pred, gold edb.Parsed
		want       string
	}{
		{"a name over a line end, in other case", doc(para("CALMONT\nESTATES")), doc(para("to Calmont Estates.")), "1"},
		{"a function word in front is no part", doc(para("Verdal Foods")), doc(para("The Verdal Foods said")), "1"},
		{"one capital is no name", doc(), doc(para("In Paris it rained.")), "nothing"},
		{"country before a name", doc(para("the Treasury")), doc(para("by US Treasury")), "0"},
		{"names with of, and a broken one", doc(para("Bank America")), doc(para("Bank of America")), "0"},
		{"initials and &", doc(para("J. Smith; Johnson & Johnson")), doc(para("J. Smith and Johnson & Johnson")), "1"},
		{"sentences end names", doc(para("Foods. Verdal")), doc(para("was Foods. Verdal grew")), "nothing"},
		{"a date in another form", doc(para("2024-03-12")), doc(para("on 12 March 2024")), "1"},
		{"another date", doc(para("2024-03-13")), doc(para("on 12 March 2024")), "0"},
		{"codes", doc(para("see 10-K and CVE-2021-1234")), doc(para("form 10-K, CVE-2021-1235, the 21st")), "0.5"},
		{"as often as it stands", doc(para("Verdal Foods")), doc(para("Verdal Foods"), para("Verdal Foods")), "0.5"},
		{"cells keep names apart", doc(), doc(edb.Element{Kind: edb.KindTable, Text: "Paris\tLondon\nRome\tBerlin"}), "nothing"},
	} {
		got := "nothing"
		if v, ok := EntityRecall(c.pred, c.gold); ok {
			got = fmt.Sprintf("%.4g", v)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestCaptionChrF(t *testing.T) {
	if v, ok := CaptionChrF([]string{"Figure 2: b", "Figure 1: a"}, []string{"Figure 1: a", "Figure 2: b", "Figure 3: c"}); !ok || math.Abs(v-2.0/3) > 1e-12 {
		t.Errorf("two of three captions: %v, want 2/3", v)
	}
	if _, ok := CaptionChrF([]string{"x"}, nil); ok {
		t.Error("no gold caption is measured")
	}
}

// Laws of the measures on small random documents: range, identity, and symmetry where the measure
// has it.
func TestMoreParseLaws(t *testing.T) {
	words := []string{"Verdal", "Foods", "rose", "4.2%", "to", "2024", "$x_1=2$", "café", "12 March 2024", "10-K", "von"}
	element := rapid.Custom(func(r *rapid.T) edb.Element {
		x, y := float64(rapid.IntRange(0, 20).Draw(r, "x")), float64(rapid.IntRange(0, 20).Draw(r, "y"))
		return edb.Element{Kind: rapid.SampledFrom(edb.Kinds).Draw(r, "kind"), Level: rapid.IntRange(0, 3).Draw(r, "level"),
			Text: strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 5).Draw(r, "text"), " "), Box: &edb.Box{x, y, x + 8, y + 5}}
	})
	parsed := rapid.Custom(func(r *rapid.T) edb.Parsed {
		p := edb.Parsed{Paged: true}
		for i := range rapid.IntRange(1, 3).Draw(r, "pages") {
			p.Pages = append(p.Pages, edb.Page{Number: i + 1, Elements: rapid.SliceOfN(element, 0, 5).Draw(r, "elements")})
		}
		return p
	})
	keys := []string{"parse.nid", "parse.nid(tables=no)", "parse.mhs", "parse.mhs(mode=structure)", "parse.teds(compat=dpbench)",
		"parse.tis(level=page)", "parse.tis(level=page,mean=micro)", "parse.tis(mode=raw)", "parse.caption_chrf", "parse.element_f1", "parse.element_f1(iou=0.75)",
		"parse.formula_sim", "parse.number_recall", "parse.entity_recall", "parse.element_f1(kind=table)"}
	symmetric := map[string]bool{"parse.nid": true, "parse.tis(level=page)": true, "parse.tis(level=page,mean=micro)": true, "parse.tis(mode=raw)": true,
		"parse.element_f1": true, "parse.element_f1(iou=0.75)": true, "parse.formula_sim": true, "parse.mhs": true}
	rapid.Check(t, func(r *rapid.T) {
		a, b := parsed.Draw(r, "a"), parsed.Draw(r, "b")
		score := func(pred, gold edb.Parsed) []edb.Measurement {
			rows, err := EvalParse(context.Background(), gold, pred, keys)
			if err != nil {
				r.Fatal(err)
			}
			return rows
		}
		self, there, back := score(a, a), score(a, b), score(b, a)
		for i, k := range keys {
			if v := self[i].Value; v != nil && math.Abs(*v-1) > 1e-9 {
				r.Fatalf("%s of a parse against itself: %v", k, *v)
			}
			if v := there[i].Value; v != nil && !(*v >= 0 && *v <= 1) {
				r.Fatalf("%s: %v is not in [0,1]", k, *v)
			}
			if (there[i].Value == nil) != (there[i].Reason != "") {
				r.Fatalf("%s: a value or a reason, not %+v", k, there[i])
			}
			if v, w := there[i].Value, back[i].Value; symmetric[k] && v != nil && w != nil && math.Abs(*v-*w) > 1e-9 {
				r.Fatalf("%s: %v one way and %v the other", k, *v, *w)
			}
		}
	})
}
