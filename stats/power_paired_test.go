package stats

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func pairedSystems(docs, perDoc int) (a, b []float64, of [][]string) {
	for i := range docs * perDoc {
		d := i / perDoc
		a = append(a, float64(d%5)/5+0.1)
		b = append(b, float64(d%5)/5+float64((d*7)%11)/50)
		of = append(of, []string{fmt.Sprint(d)})
	}
	return a, b, of
}

func TestPairedComparisonIsOfItsParts(t *testing.T) {
	a, b, docs := pairedSystems(20, 3)
	opt := Options{Replicates: 2000, Seed: 2}
	c := ComparePaired(a, b, docs, 0.8, opt)
	near(t, "difference", c.Difference.Value, *PairedBootstrap(a, b, docs, opt).Value, 0)
	near(t, "mean a - mean b", c.Difference.Value, *c.MeanA-*c.MeanB, 1e-12)
	diff := make([]float64, len(a))
	for i := range a {
		diff[i] = a[i] - b[i]
	}
	_, se := ClusteredSE(diff, Clusters(docs))
	near(t, "detectable", c.Detectable, MinDetectable(*se, 0.05, 0.8), 1e-12)
	opt.Method = TwoWay
	wide := ComparePaired(a, b, docs, 0.8, opt)
	near(t, "detectable, two-way", wide.Detectable, MinDetectable((*wide.Difference.Hi-*wide.Difference.Lo)/(2*1.959963984540054), 0.05, 0.8), 1e-9)
	opt.Method = Auto
	if c.Test.P == nil || c.Effect == nil {
		t.Errorf("p %v, effect %v", c.Test.P, c.Effect)
	}
	few := ComparePaired(a[:9], b[:9], docs[:9], 0.8, opt)
	if few.Difference.Lo != nil || few.Detectable == nil {
		t.Errorf("nine units: interval %v, detectable %v", few.Difference.Lo, few.Detectable)
	}
	// Three like units a document are one: the detectable difference is that of 20 units.
	var one, other []float64
	for i := 0; i < len(a); i += 3 {
		one, other = append(one, a[i]), append(other, b[i])
	}
	alone := ComparePaired(one, other, nil, 0.8, opt)
	near(t, "detectable, clustered", c.Detectable, *alone.Detectable, 0.1**alone.Detectable)
}

func TestPairedComparisonOfNothing(t *testing.T) {
	if c := ComparePaired([]float64{1}, nil, nil, 0.8, Options{}); c.Difference.Value != nil || !strings.Contains(c.Difference.Reason, "1 and 0 values") || c.Test.P != nil {
		t.Errorf("%+v", c)
	}
	if c := ComparePaired(nil, nil, nil, 0.8, Options{}); c.Difference.Value != nil || c.Detectable != nil || c.Difference.Reason == "" {
		t.Errorf("%+v", c)
	}
	if c := ComparePaired([]float64{1, math.NaN()}, []float64{1, 2}, nil, 0.8, Options{}); c.Difference.Value != nil || c.Detectable != nil {
		t.Errorf("%+v", c)
	}
}

func TestPlanFromData(t *testing.T) {
	a, b, docs := pairedSystems(12, 4)
	diff := make([]float64, len(a))
	for i := range a {
		diff[i] = a[i] - b[i]
	}
	sd, p, why := PlanFrom(diff, docs)
	if why != "" || p.PerCluster != 4 || p.ClusterCV != 0 || math.Abs(p.ICC-1) > 1e-9 || math.Abs(p.DesignEffect()-4) > 1e-9 {
		t.Errorf("like units of a document: %+v, %q", p, why)
	}
	_, se := ClusteredSE(diff, Clusters(make([][]string, len(diff))))
	near(t, "standard deviation", sd, *se*math.Sqrt(float64(len(diff))), 1e-12)
	if _, p, _ := PlanFrom(diff, nil); p.DesignEffect() != 1 {
		t.Errorf("without documents: %+v", p)
	}
	if sd, p, why := PlanFrom(diff[:3], [][]string{{"x"}, {"y"}, {"z"}}); sd == nil || p.ICC != 0 || why != "every cluster has one value" {
		t.Errorf("%v, %+v, %q", sd, p, why)
	}
	if sd, _, why := PlanFrom(diff[:1], nil); sd != nil || why != "1 difference, fewer than 2" {
		t.Errorf("%v, %q", sd, why)
	}
	if sd, _, why := PlanFrom([]float64{1, math.Inf(1)}, nil); sd != nil || why == "" {
		t.Errorf("%v, %q", sd, why)
	}
}
