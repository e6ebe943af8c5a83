package study

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// strataRun has twelve single-hop questions with difference x, twelve table questions with y and four
// unanswerable ones with nothing to measure.
func strataRun(x, y float64) *folder {
	f := plain(0)
	var a, b []float64
	for i := range 28 {
		id := fmt.Sprintf("d%02d", i)
		f.units = append(f.units, document(id))
		modality, d := "single-hop", x
		switch {
		case i >= 24:
			modality, d = "unanswerable", nan
		case i >= 12:
			modality, d = "table", y
		}
		q := question(i, modality, id)
		if i%2 == 0 {
			q.Task = "audit"
		}
		f.units = append(f.units, q)
		base := .5
		if i >= 24 {
			base = nan
		}
		a, b = append(a, base), append(b, base+d)
	}
	return f.put("a", ndcg, a...).put("b", ndcg, b...)
}

func mustMix(t testing.TB, s string) *Mix {
	t.Helper()
	m, err := ParseMix(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Single-hop +.2, table −.1. At .5/.5 the difference is .05; they tie at single-hop 1/3, table 2/3.
func TestMixByHand(t *testing.T) {
	dir := strataRun(.2, -.1).write(t)
	c := compare(t, CompareOptions{Keys: []string{ndcg}, Mix: mustMix(t, "modality=single-hop:.5,table:.5")}, dir)
	near(t, "difference", find(t, c, ndcg, "mix").Value, .05, 1e-12)
	x := c.Crossings[0]
	if x.Leader != "b" || len(x.Changes) != 1 || x.Changes[0].From != "single-hop" || x.Changes[0].To != "table" {
		t.Fatalf("%+v", x)
	}
	near(t, "single-hop at the tie", &x.Changes[0].FromWeight, 1./3, 1e-9)
	near(t, "table at the tie", &x.Changes[0].ToWeight, 2./3, 1e-9)
	if want := "b leads; the lead changes at single-hop:0.333,table:0.667 (stated 0.5 and 0.5), the others as stated"; x.Words != want {
		t.Errorf("%q", x.Words)
	}

	// The other way round: a leads at .2/.8, by .2·.2 − .8·.1 = −.04.
	c = compare(t, CompareOptions{Keys: []string{ndcg}, Mix: mustMix(t, "modality=single-hop:.2,table:.8")}, dir)
	near(t, "difference", find(t, c, ndcg, "mix").Value, -.04, 1e-12)
	if x := c.Crossings[0]; x.Leader != "a" || x.Changes[0].From != "table" {
		t.Errorf("%+v", x)
	}

	// A stratum with nothing to measure gives its weight to the others, and the note says so.
	c = compare(t, CompareOptions{Keys: []string{ndcg}, Mix: mustMix(t, "modality=single-hop:.4,table:.4,unanswerable:.2")}, dir)
	near(t, "difference", find(t, c, ndcg, "mix").Value, .05, 1e-12)
	if !strings.Contains(strings.Join(c.Notes, "\n"), "nothing to measure for modality unanswerable; its weight in the mix goes to the others") {
		t.Errorf("%q", c.Notes)
	}

	// One leads everywhere: there is no crossing.
	c = compare(t, CompareOptions{Keys: []string{ndcg}, Mix: mustMix(t, "modality=single-hop:.5,table:.5")}, strataRun(.2, .1).write(t))
	if x := c.Crossings[0]; len(x.Changes) != 0 || x.Words != "b leads; no shift of weight between two strata changes that" {
		t.Errorf("%+v", x)
	}
}

// The mix of the sample is the plain difference, with the same p.
func TestMixOfTheSampleIsTheSample(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(10, 16).Draw(rt, "n") // few enough for an exact p, which knows no order
		f := plain(n)
		f.config.Metrics.Replicates = 100
		tables := 0
		for i := n; i < 2*n; i++ {
			if rapid.Bool().Draw(rt, "table") {
				f.units[i].Modality = "table"
				tables++
			}
		}
		if tables == 0 || tables == n {
			return
		}
		value := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n)
		dir := f.put("a", ndcg, value.Draw(rt, "a")...).put("b", ndcg, value.Draw(rt, "b")...).write(t)
		share := float64(tables) / float64(n)
		m := &Mix{By: "modality", Strata: []string{"single-hop", "table"}, Weights: map[string]float64{"single-hop": 1 - share, "table": share}}
		c := compare(t, CompareOptions{Keys: []string{ndcg}, Mix: m}, dir)
		all, mixed := find(t, c, ndcg, ""), find(t, c, ndcg, "mix")
		near(rt, "difference", mixed.Value, *all.Value, 1e-12)
		near(rt, "p", mixed.P, *all.P, 1e-12)
	})
}

func TestStrataSmallerThanMinNAreDirectional(t *testing.T) {
	f := strataRun(.2, -.1)
	f.config.Strata.MinN = 13
	c := compare(t, CompareOptions{Keys: []string{ndcg}, By: "modality"}, f.write(t))
	d := find(t, c, ndcg, "single-hop")
	if d.Verdict != Directional || d.P != nil || d.Value == nil || d.Words != "directional: 12 units, fewer than 13" {
		t.Errorf("%+v", d)
	}
	if c.Tests != 1 || len(c.Differences) != 3 {
		t.Errorf("%d tests, %d rows", c.Tests, len(c.Differences))
	}
	f.config.Strata.MinN = 12
	c = compare(t, CompareOptions{Keys: []string{ndcg}, By: "modality"}, f.write(t))
	if d := find(t, c, ndcg, "table"); d.Verdict != Worse || c.Tests != 3 {
		t.Errorf("%d tests, %+v", c.Tests, d)
	}
	c = compare(t, CompareOptions{Keys: []string{ndcg}, By: "task"}, f.write(t))
	near(t, "task", find(t, c, ndcg, "audit").Value, .05, 1e-12)
}

// Single-hop (.2 apart, 24 units, all legal) is tested, table (−.1, twelve, none legal) is not: the
// difference is .3 another there, and so is the mix of domains.
func TestStrataLeftOutAreHeldAgainstTheOthers(t *testing.T) {
	f := plain(0)
	var a, b []float64
	for i := range 36 {
		id := fmt.Sprintf("d%02d", i)
		f.units = append(f.units, document(id))
		q, d := question(i, "single-hop", id), .2
		if i >= 24 {
			q, d = question(i, "table", id), -.1
			q.Domain = "sales"
		}
		f.units = append(f.units, q)
		a, b = append(a, .5), append(b, .5+d+.01*float64(i%3))
	}
	f.config.Strata.MinN = 20
	c := compare(t, CompareOptions{Keys: []string{ndcg}, By: "modality"}, f.put("a", ndcg, a...).put("b", ndcg, b...).write(t))
	if len(c.Excluded) != 1 {
		t.Fatalf("%+v", c.Excluded)
	}
	x := c.Excluded[0]
	near(t, "included", x.Included, .21, 1e-12)
	near(t, "excluded", x.Rest, -.09, 1e-12)
	near(t, "apart", x.Apart, .3, 1e-12)
	want := "difference +0.210 over the 24 units of the strata tested, -0.090 over the 12 of those left out (table): it differs: the table does not speak for the strata left out; " +
		"the mix of domain differs: legal 100 % against 0 %, sales 0 % against 100 %"
	if x.Words != want || x.P == nil || *x.P > 1e-6 {
		t.Errorf("%+v", x)
	}
}

func TestParseMixRefuses(t *testing.T) {
	for in, want := range map[string]string{
		"":                              "write BY=STRATUM:WEIGHT",
		"level=L01:1":                   "write BY=STRATUM:WEIGHT",
		"modality=table":                `"table" is not STRATUM:WEIGHT`,
		"modality=table:x":              `weight "x" of table`,
		"modality=table:NaN":            `weight "NaN" of table`,
		"modality=table:-.5,figure:1.5": `weight "-.5" of table`,
		"modality=table:.5":             "the weights sum to 0.5",
		"modality=table:.5,table:.5":    "table stands twice",
	} {
		if _, err := ParseMix(in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", in, err, want)
		}
	}
	_, err := Compare([]string{small().write(t)}, CompareOptions{Keys: []string{ndcg}, Mix: mustMix(t, "modality=single-hop:.5,music:.5")})
	if err == nil || !strings.Contains(err.Error(), `has modality "music": choose from single-hop`) {
		t.Errorf("got %v", err)
	}
	if m := mustMix(t, "modality=single-hop:.3,multi-hop:.3,table:.2,figure:.1,unanswerable:.1"); m.String() != "modality=single-hop:0.3,multi-hop:0.3,table:0.2,figure:0.1,unanswerable:0.1" {
		t.Error(m)
	}
}

// FuzzParseMix: what is read prints and reads back.
func FuzzParseMix(f *testing.F) {
	f.Add("modality=single-hop:.3,table:.7")
	f.Add("domain=a:b:1")
	f.Fuzz(func(t *testing.T, s string) {
		m, err := ParseMix(s)
		if err != nil {
			return
		}
		sum := 0.0
		for _, x := range m.Strata {
			sum += m.Weights[x]
		}
		if sum < 1-1e-9 || sum > 1+1e-9 || len(m.Strata) != len(m.Weights) {
			t.Fatalf("%q: %+v", s, m)
		}
	})
}

// simulate draws a run: forty documents with two questions each and an effect of the document that
// both share, b above a by shift.
func simulate(t testing.TB, rng *rand.Rand, shift float64) *Comparison {
	t.Helper()
	f := plain(0)
	f.config.Metrics.Replicates = 200
	var a, b []float64
	for i := range 40 {
		id := fmt.Sprintf("d%02d", i)
		f.units = append(f.units, document(id))
		effect := .1 * rng.NormFloat64()
		for j := range 2 {
			f.units = append(f.units, question(2*i+j, "table", id))
			a = append(a, .2+.2*rng.Float64())
			b = append(b, min(1, max(0, .3+shift+effect+.2*(rng.Float64()-.5))))
		}
	}
	dir := f.put("a", ndcg, a...).put("b", ndcg, b...).write(t)
	return compare(t, CompareOptions{Keys: []string{ndcg}, Adjust: "none", Seed: rng.Uint64()}, dir)
}

// Without a difference about one run in twenty is called better or worse, though questions of one
// document move together; a difference of .06 (1.9 standard errors more than it takes) is found, with
// its sign, as often as the power says.
func TestErrorRatesInSimulation(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 4))
	const runs = 200
	wrong, found := 0, 0
	for range runs {
		if v := find(t, simulate(t, rng, 0), ndcg, "").Verdict; v == Better || v == Worse {
			wrong++
		}
		switch find(t, simulate(t, rng, .07), ndcg, "").Verdict {
		case Better:
			found++
		case Worse:
			t.Error("a difference was found with the wrong sign")
		}
	}
	// The standard error of the mean difference: document .1, question sqrt(.04/12·2)/sqrt(2) = .058,
	// together .1155/sqrt(40) = .0183; .07 is 3.8 of them: power .97. Binomial bounds of 4 sd.
	if rate := float64(wrong) / runs; rate > .05+4*.0154 || wrong == 0 {
		t.Errorf("%.3f of the runs without a difference were called different, want about .05", rate)
	}
	if rate := float64(found) / runs; rate < .97-4*.012 {
		t.Errorf("%.3f of the differences were found, want about .97", rate)
	}
	t.Logf("false %d, found %d of %d", wrong, found, runs)
}
