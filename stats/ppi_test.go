package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestPoweredMeanAgreesWithPPI(t *testing.T) {
	for i, c := range readReferences(t).Powered {
		p := PoweredMean(c.Human, c.Program, c.Rest, nil, nil, Options{})
		near(t, fmt.Sprint(i, " value"), p.Value, c.Value, exact)
		near(t, fmt.Sprint(i, " lo"), p.Lo, c.Lo, exact)
		near(t, fmt.Sprint(i, " hi"), p.Hi, c.Hi, exact)
		if p.Lambda < 0 || p.Lambda > 1 {
			t.Errorf("lambda %g", p.Lambda)
		}
	}
}

// 400 worlds with a good labeller: the interval covers the truth about as often as it says, and is
// narrower than that of the human labels alone.
func TestPoweredMeanCoversAndNarrows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	const worlds, n, m, truth = 400, 60, 2000, 0.3
	covered, narrower := 0, 0
	for range worlds {
		var human, program, rest []float64
		draw := func() (h, p float64) {
			if rng.Float64() < truth {
				h = 1
			}
			if p = h; rng.Float64() < 0.1 {
				p = 1 - h
			}
			return h, p
		}
		for range n {
			h, p := draw()
			human, program = append(human, h), append(program, p)
		}
		for range m {
			_, p := draw()
			rest = append(rest, p)
		}
		p := PoweredMean(human, program, rest, nil, nil, Options{})
		if *p.Lo <= truth && truth <= *p.Hi {
			covered++
		}
		if *p.Hi-*p.Lo < *p.Labels.Hi-*p.Labels.Lo {
			narrower++
		}
	}
	if covered < worlds*90/100 || covered > worlds*99/100 || narrower < worlds*95/100 {
		t.Errorf("%d of %d intervals cover the truth, %d are narrower", covered, worlds, narrower)
	}
}

func TestPoweredMeanIsClustered(t *testing.T) {
	var human, program, rest []float64
	var docs, restDocs [][]string
	for i := range 400 {
		d := i / 10
		h := float64(d * 7 % 5 % 2)
		p := h*0.8 + float64(d%3)*0.1
		if i < 200 {
			human, program, docs = append(human, h), append(program, p), append(docs, []string{fmt.Sprint(d)})
		} else {
			rest, restDocs = append(rest, p), append(restDocs, []string{fmt.Sprint(d)})
		}
	}
	with := PoweredMean(human, program, rest, docs, restDocs, Options{})
	without := PoweredMean(human, program, rest, nil, nil, Options{})
	if ratio := (*with.Hi - *with.Lo) / (*without.Hi - *without.Lo); math.Abs(ratio-math.Sqrt(10)) > 0.4 {
		t.Errorf("ten like units a document widen the interval %.2f times", ratio)
	}
	if *with.Value != *without.Value || !strings.Contains(with.Method, "40 clusters") {
		t.Errorf("%v, %v, %q", *with.Value, *without.Value, with.Method)
	}
	few := PoweredMean(human[:90], program[:90], rest, docs[:90], restDocs, Options{})
	if few.Value == nil || few.Lo != nil || !strings.Contains(few.Reason, "9 clusters") {
		t.Errorf("9 documents: %v, %q", few.Lo, few.Reason)
	}
}

func TestPoweredMeanOfNothing(t *testing.T) {
	one := []float64{1}
	for _, c := range []struct {
		p    Powered
		want string
	}{
		{PoweredMean(nil, nil, one, nil, nil, Options{}), "no human labels"},
		{PoweredMean(one, one, nil, nil, nil, Options{}), "no unlabelled units"},
		{PoweredMean(one, nil, one, nil, nil, Options{}), "1 and 0 values"},
		{PoweredMean([]float64{math.Inf(1)}, one, one, nil, nil, Options{}), "not a finite number"},
	} {
		if c.p.Value != nil || !strings.Contains(c.p.Reason, c.want) {
			t.Errorf("%v, %q; want %q", c.p.Value, c.p.Reason, c.want)
		}
	}
	p := PoweredMean(one, one, []float64{0, 1}, nil, nil, Options{})
	if p.Value == nil || p.Lo != nil || p.Reason != "no interval: 1 human label, fewer than 10" {
		t.Errorf("one label: %v, %v, %q", p.Value, p.Lo, p.Reason)
	}
}
