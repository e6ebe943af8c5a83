package riker

import (
	"math"
	"testing"
)

// A plan put together by hand is refused where a number in it cannot be meant: NaN passes every "is it
// below 0", and sums of what is too large wrap around.
func TestPlanRefusesWhatIsNoNumber(t *testing.T) {
	for name, change := range map[string]func(*Plan){
		"filler NaN":        func(p *Plan) { p.Filler = math.NaN() },
		"filler infinite":   func(p *Plan) { p.Filler = math.Inf(1) },
		"weight NaN":        func(p *Plan) { p.Formats = map[string]float64{"text": math.NaN()} },
		"weight infinite":   func(p *Plan) { p.Formats = map[string]float64{"text": math.Inf(1)} },
		"documents":         func(p *Plan) { p.Counts[Leases] = math.MaxInt / 2 },
		"questions":         func(p *Plan) { p.Questions.List = math.MaxInt / 2 },
		"negative question": func(p *Plan) { p.Questions.Probe = -1 },
	} {
		p, err := Sized(100, 1)
		if err != nil {
			t.Fatal(err)
		}
		if change(&p); p.Check() == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := Sized(math.MaxInt, 1); err == nil {
		t.Error("a world of all integers: no error")
	}
}
