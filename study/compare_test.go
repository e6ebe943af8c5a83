package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"enterprisedocbench"
	"enterprisedocbench/stats"
)

var nan = math.NaN()

const ndcg = "retrieve.ndcg@5"

// Ten questions of ten documents; b is .1 better on five and .3 better on five. By hand: mean .2;
// all of 2^10 sign patterns but two are less extreme, p = 2/1024; the standard deviation is
// .1·sqrt(10/9), dz = 2/sqrt(10/9) = 1.8973666.
func TestMeanDifferenceByHand(t *testing.T) {
	dir := plain(10).
		put("a", ndcg, .1, .2, .3, .4, .5, .1, .2, .3, .4, .5).
		put("b", ndcg, .2, .3, .4, .5, .6, .4, .5, .6, .7, .8).write(t)
	d := find(t, compare(t, CompareOptions{Keys: []string{ndcg}}, dir), ndcg, "")
	near(t, "baseline", d.BaselineValue, .3, 1e-12)
	near(t, "candidate", d.CandidateValue, .5, 1e-12)
	near(t, "difference", d.Value, .2, 1e-12)
	near(t, "p", d.P, 2./1024, 1e-12)
	near(t, "p corrected", d.PAdjusted, 2./1024, 1e-12)
	near(t, "dz", d.Effect, 2/math.Sqrt(10./9), 1e-9)
	if d.N != 10 || d.Verdict != Better || d.Words != "better" || d.OnlyBaseline+d.OnlyCandidate+d.FailedBaseline+d.FailedCandidate != 0 {
		t.Errorf("%+v", d)
	}
	if *d.Lo < .13 || *d.Lo > .17 || *d.Hi > .27 || *d.Hi < .23 {
		t.Errorf("interval [%g, %g], want about .2 ± .06", *d.Lo, *d.Hi)
	}
}

// The same values, two questions to a document: ten clusters of two instead of twenty units.
func TestClustersTurnTogether(t *testing.T) {
	f := plain(10)
	for i := range 10 {
		f.units = append(f.units, question(10+i, "table", f.units[i].ID))
	}
	a, b := make([]float64, 20), make([]float64, 20)
	for i := range b {
		b[i] = .1
	}
	d := find(t, compare(t, CompareOptions{Keys: []string{ndcg}}, f.put("a", ndcg, a...).put("b", ndcg, b...).write(t)), ndcg, "")
	near(t, "p", d.P, 2./1024, 1e-12) // not 2/2^20
	if d.N != 20 || !strings.Contains(d.Method, "10 clusters") {
		t.Errorf("%+v", d)
	}
}

// From one document nothing is said about others, however many questions are asked of it.
func TestFewDocumentsDecideNothing(t *testing.T) {
	for _, docs := range []int{1, 5, 6} {
		f := plain(0)
		for i := range docs {
			f.units = append(f.units, document(fmt.Sprintf("d%02d", i)))
		}
		var a, b []float64
		for i := range 60 {
			f.units = append(f.units, question(i, "table", fmt.Sprintf("d%02d", i%docs)))
			a, b = append(a, .2), append(b, .5+.01*float64(i%3))
		}
		d := find(t, compare(t, CompareOptions{Keys: []string{ndcg}}, f.put("a", ndcg, a...).put("b", ndcg, b...).write(t)), ndcg, "")
		want := fmt.Sprintf("not enough data: %s, 6 or more needed", edb.Count(docs, "document"))
		if docs == 6 { // 2 of 2^6 sign patterns
			near(t, "p", d.P, 2./64, 1e-12)
			want = Better
		}
		if d.Words != want || d.Lo == nil {
			t.Errorf("%d documents: %+v", docs, d)
		}
	}
}

// Questions over two documents each join all thirty into one cluster, which has no sign of its own to
// turn: the test goes by the two-way interval.
func TestJoinedDocumentsAreTestedByTheTwoWayInterval(t *testing.T) {
	f := plain(0)
	for i := range 30 {
		f.units = append(f.units, document(fmt.Sprintf("d%02d", i)))
	}
	var a, b []float64
	var docs [][]string
	for i := range 60 {
		docs = append(docs, []string{fmt.Sprintf("d%02d", i%30), fmt.Sprintf("d%02d", (i+1)%30)})
		f.units = append(f.units, question(i, "multi-hop", docs[i]...))
		a, b = append(a, .2), append(b, .5+.01*float64(i%3))
	}
	d := find(t, compare(t, CompareOptions{Keys: []string{ndcg}}, f.put("a", ndcg, a...).put("b", ndcg, b...).write(t)), ndcg, "")
	if d.P == nil || d.Test != "Student's t with 29 df and the standard error of the two-way bootstrap" || !strings.HasPrefix(d.Method, "two-way") || d.Verdict != Better {
		t.Errorf("%+v", d)
	}
	same := stats.ComparePaired(b, a, docs, .8, stats.Options{Replicates: 2000})
	near(t, "p of the same columns", d.P, *same.Test.P, 1e-12)
	if same.Test.Method != d.Test {
		t.Errorf("columns are tested by %q", same.Test.Method)
	}
}

// A failed unit is 0 in strict and in no pair of ok; one with nothing to measure is left out.
func TestFailedAndMissingUnits(t *testing.T) {
	dir := plain(12).
		put("a", ndcg, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5, -1, nan).
		put("b", ndcg, .6, .6, .6, .6, .6, .6, .6, .6, .6, -1, .6, .6).write(t)
	d := find(t, compare(t, CompareOptions{Keys: []string{ndcg}}, dir), ndcg, "")
	near(t, "baseline", d.BaselineValue, 5./11, 1e-12)
	near(t, "candidate", d.CandidateValue, 6./11, 1e-12)
	near(t, "difference", d.Value, 1./11, 1e-12)
	near(t, "ok difference", d.OK.Value, .1, 1e-12)
	if d.N != 11 || d.OK.N != 9 || d.FailedBaseline != 1 || d.FailedCandidate != 1 || d.OnlyCandidate != 1 || d.OnlyBaseline != 0 {
		t.Errorf("%+v", d)
	}
}

// Where lower is better the signs stay and the verdict turns; a failure counts as 1.
func TestLowerIsBetter(t *testing.T) {
	zeros, half := make([]float64, 12), make([]float64, 12)
	for i := range half {
		half[i] = .5
	}
	half[3] = -1
	d := find(t, compare(t, CompareOptions{Keys: []string{"generate.hr"}}, plain(12).put("a", "generate.hr", half...).put("b", "generate.hr", zeros...).write(t)), "generate.hr", "")
	near(t, "difference", d.Value, -6.5/12, 1e-12)
	if d.Higher || d.Verdict != Better {
		t.Errorf("%+v", d)
	}
}

// G by hand, unequal parts: FA and HR of all twelve, SAP of the first ten. Differences of the means:
// fa +.2, sap −.1, sar 0, hr +.1, ac +.3: .3·.2 − .25·.1 − .2·.1 + .1·.3 = .045.
func TestCompositeByHand(t *testing.T) {
	all := func(v float64) []float64 {
		out := make([]float64, 12)
		for i := range out {
			out[i] = v
		}
		return out
	}
	some := func(v float64) []float64 {
		out := all(v)
		out[10], out[11] = nan, nan
		return out
	}
	f := plain(12)
	for i, k := range []string{"fa", "sap", "sar", "hr", "ac"} {
		a := []float64{.5, .8, .6, .1, .3}[i]
		b := []float64{.7, .7, .6, .2, .6}[i]
		fill := all
		if k == "sap" {
			fill = some
		}
		f.put("a", "generate."+k, fill(a)...).put("b", "generate."+k, fill(b)...)
	}
	f.put("a", ndcg, all(.5)...).put("b", ndcg, all(.6)...)
	c := compare(t, CompareOptions{Keys: []string{"generate.g", "quality.q(without=parse)"}}, f.write(t))
	d := find(t, c, "generate.g", "")
	near(t, "G of a", d.BaselineValue, .3*.5+.25*.8+.15*.6+.2*.9+.1*.3, 1e-12)
	near(t, "difference", d.Value, .045, 1e-12)
	near(t, "lo", d.Lo, .045, 1e-9) // no unit differs from another
	if d.N != 10 || d.Effect != nil {
		t.Errorf("%+v", d)
	}
	near(t, "p", d.P, 2./4096, 1e-12)
	// Q without parsing: (.5·.1 + .25·.045)/.75.
	near(t, "Q", find(t, c, "quality.q(without=parse)", "").Value, (.5*.1+.25*.045)/.75, 1e-12)
}

// P of the parts that are there: .4·TIS + .15·LF over .55.
func TestCompositeOfPartsByHand(t *testing.T) {
	f := plain(10)
	ones, low := make([]float64, 10), make([]float64, 10)
	for i := range ones {
		ones[i], low[i] = 1, .5
	}
	f.put("a", "parse.tis", ones...).put("b", "parse.tis", low...).put("a", "parse.lf", low...).put("b", "parse.lf", ones...)
	dir := f.write(t)
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	p := pairing{side{r, "a", "a"}, side{r, "b", "b"}}
	form, err := p.formula("parse.p(parts=tis+lf)")
	if err != nil {
		t.Fatal(err)
	}
	near(t, "P", ptr(p.statistic(form, nil).b), (.4*.5+.15*1)/.55, 1e-12)
}

// Bad claims of all claims: a 1 of 4 and 0 of 2 a question, b 1 of 1: 10/60 against 20/20.
func TestRatesOverClaimsByHand(t *testing.T) {
	f := plain(20)
	for i := range 20 {
		id := f.units[20+i].ID
		list := "ss"
		if i%2 == 0 {
			list = "sssc"
		}
		f.claims = append(f.claims, answerClaims{"a", id, 0, claims(list)}, answerClaims{"b", id, 0, claims("c")})
	}
	c := compare(t, CompareOptions{Keys: []string{"generate.hr(mode=micro)", "generate.hr(mode=binary,unit=document)"}}, f.write(t))
	d := find(t, c, "generate.hr(mode=micro)", "")
	near(t, "a", d.BaselineValue, 10./60, 1e-12)
	near(t, "b", d.CandidateValue, 1, 1e-12)
	near(t, "difference", d.Value, 50./60, 1e-12)
	if d.Verdict != Worse || d.Lo == nil || *d.Lo <= .7 || d.N != 20 {
		t.Errorf("%+v", d)
	}
	near(t, "documents", find(t, c, "generate.hr(mode=binary,unit=document)", "").Value, .5, 1e-12)
}

// A plain mean is what package stats makes of the same pairs.
func TestMeansAgreeWithStats(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	f := plain(0)
	var a, b []float64
	var docs [][]string
	for i := range 24 {
		f.units = append(f.units, document(fmt.Sprintf("d%02d", i)))
	}
	for i := range 60 {
		q := question(i, "table", fmt.Sprintf("d%02d", i%24))
		f.units = append(f.units, q)
		docs = append(docs, q.Docs)
		a, b = append(a, rng.Float64()), append(b, rng.Float64())
	}
	opt := stats.Options{Seed: 9, Replicates: f.config.Metrics.Replicates, Level: .9}
	iv := stats.PairedBootstrap(b, a, docs, opt)
	diff := make([]float64, 60)
	for i := range diff {
		diff[i] = b[i] - a[i]
	}
	test := stats.SignFlip(diff, docs, opt)
	d := find(t, compare(t, CompareOptions{Keys: []string{ndcg}, Seed: 9, Level: .9}, f.put("a", ndcg, a...).put("b", ndcg, b...).write(t)), ndcg, "")
	near(t, "difference", d.Value, *iv.Value, 1e-12)
	near(t, "lo", d.Lo, *iv.Lo, 1e-12)
	near(t, "hi", d.Hi, *iv.Hi, 1e-12)
	near(t, "p", d.P, *test.P, 0)
	near(t, "dz", d.Effect, *test.Effect, 1e-12)
	se := (*iv.Hi - *iv.Lo) / 2 / 1.6448536269514722
	near(t, "detectable", d.Detectable, (1.6448536269514722+0.8416212335729143)*se, 1e-9)
	if d.Method != iv.Method || d.Test != test.Method {
		t.Errorf("%q %q", d.Method, d.Test)
	}
}

// Corrected p are over the tests of all pairs and measures together (Holm 1979), save those of differences
// that are 0 in every unit, which no signs make significant (Tarone 1990): of .001953125 twice, both are
// doubled.
func TestCorrectionIsOverAllTests(t *testing.T) {
	f := plain(10).put("a", ndcg, flat(10, .5)...).put("b", ndcg, flat(10, .7)...).
		put("a", "retrieve.rr", flat(10, .5)...).put("b", "retrieve.rr", flat(10, .3)...).
		put("a", "retrieve.ap", flat(10, .5)...).put("b", "retrieve.ap", flat(10, .5)...)
	for method, want := range map[string]float64{"holm": 2, "bonferroni": 2, "bh": 1, "none": 1} {
		c := compare(t, CompareOptions{Keys: []string{ndcg, "retrieve.rr", "retrieve.ap"}, Adjust: method}, f.write(t))
		near(t, method, find(t, c, ndcg, "").PAdjusted, want*2/1024, 1e-12)
		near(t, method, find(t, c, "retrieve.ap", "").PAdjusted, 1, 0)
		if c.Tests != 2 || c.Untested != 1 || find(t, c, "retrieve.rr", "").Verdict != Worse {
			t.Errorf("%+v", c)
		}
	}
}

func TestRunAgainstItself(t *testing.T) {
	values := []float64{.1, .9, .4, .5, .2, 1, 0, .3, -1, .6, .7, .5}
	dir := plain(12).put("a", ndcg, values...).put("b", ndcg, values...).write(t)
	d := find(t, compare(t, CompareOptions{Keys: []string{ndcg}}, dir), ndcg, "")
	near(t, "difference", d.Value, 0, 0)
	near(t, "p", d.P, 1, 0)
	if d.Verdict != Equal || d.Words != "equal within ±0.02" || len(d.Warnings) > 0 {
		t.Errorf("%+v", d)
	}
}

func TestTooFewUnits(t *testing.T) {
	dir := plain(4).put("a", ndcg, .1, .2, .3, .4).put("b", ndcg, .5, .5, .5, .5).write(t)
	d := find(t, compare(t, CompareOptions{Keys: []string{ndcg}}, dir), ndcg, "")
	if d.Verdict != NotEnough || d.Lo != nil || d.NNeeded < 10 || !strings.Contains(d.Reason, "4 units, fewer than 10") {
		t.Errorf("%+v", d)
	}
}

// Swapping the two turns the sign and the verdict and changes nothing else.
func TestSwappingTurnsTheSign(t *testing.T) {
	turned := map[string]string{Better: Worse, Worse: Better, Equal: Equal, NotEnough: NotEnough}
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(3, 30).Draw(rt, "n")
		value := rapid.Custom(func(t *rapid.T) float64 {
			switch rapid.IntRange(0, 9).Draw(t, "kind") {
			case 0:
				return -1
			case 1:
				return nan
			}
			return rapid.Float64Range(0, 1).Draw(t, "value")
		})
		list := rapid.SliceOfN(value, n, n)
		f := plain(n)
		for i := n; i < 2*n; i++ {
			f.units[i].Docs = []string{f.units[rapid.IntRange(0, n-1).Draw(rt, "doc")].ID}
		}
		f.config.Metrics.Replicates = 200
		dir := f.put("a", ndcg, list.Draw(rt, "a")...).put("b", ndcg, list.Draw(rt, "b")...).write(t)
		ab := find(t, compare(t, CompareOptions{Keys: []string{ndcg}, Baseline: "a"}, dir), ndcg, "")
		ba := find(t, compare(t, CompareOptions{Keys: []string{ndcg}, Baseline: "b"}, dir), ndcg, "")
		flip := func(v *float64) *float64 {
			if v == nil {
				return nil
			}
			return ptr(-*v)
		}
		want := ab
		want.Baseline, want.Candidate = ab.Candidate, ab.Baseline
		want.BaselineValue, want.CandidateValue = ab.CandidateValue, ab.BaselineValue
		want.Value, want.Lo, want.Hi, want.Effect = flip(ab.Value), flip(ab.Hi), flip(ab.Lo), flip(ab.Effect)
		want.OnlyBaseline, want.OnlyCandidate = ab.OnlyCandidate, ab.OnlyBaseline
		want.FailedBaseline, want.FailedCandidate = ab.FailedCandidate, ab.FailedBaseline
		want.OK = Successful{ab.OK.CandidateValue, ab.OK.BaselineValue, flip(ab.OK.Value), ab.OK.N}
		if v, ok := turned[ab.Verdict]; ok {
			want.Verdict = v
		}
		if want.Verdict == Better || want.Verdict == Worse {
			want.Words = want.Verdict
		}
		if diff := cmp.Diff(want, ba, cmpopts.IgnoreUnexported(Difference{}), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestRepeatsAreAveragedFirst(t *testing.T) {
	f := plain(10)
	f.put("a", ndcg, make([]float64, 10)...)
	for _, u := range f.units[10:] {
		for r, v := range []float64{0, 1} {
			f.rows = append(f.rows, edb.Measurement{Arm: "b", Unit: u.ID, Key: ndcg, Value: &v, Def: 1, Repeat: r})
		}
	}
	d := find(t, compare(t, CompareOptions{Keys: []string{ndcg}}, f.write(t)), ndcg, "")
	near(t, "difference", d.Value, .5, 1e-12)
	if d.N != 10 {
		t.Errorf("n is %d", d.N)
	}
}
