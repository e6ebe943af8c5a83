package riker

import (
	"fmt"
	"testing"
)

// TestAskSmallSets holds small sets of questions to no shortcut: no two share an answer, but where there
// was nothing else to ask.
func TestAskSmallSets(t *testing.T) {
	for seed := range uint64(3) {
		for _, m := range []Mix{{Single: 8, Aggregation: 7, Probe: 3}, {Single: 10, Aggregation: 8, Probe: 3}, {Single: 16, Aggregation: 10, Probe: 4}, {Single: 38}} {
			t.Run(fmt.Sprintf("seed %d, %d questions", seed+1, m.Total()), func(t *testing.T) {
				p, err := Sized(20, seed+1)
				if err != nil {
					t.Fatal(err)
				}
				p.Questions, p.Filler = m, .3
				_, qs := asked(t, p)
				forced := map[string]int{}
				said := map[string]int{}
				for _, q := range qs {
					if _, _, two := twoWay(q); two || !q.Answerable() {
						continue
					}
					said[answerKey(q)]++
					if q.forced {
						forced[answerKey(q)]++
					}
				}
				for answer, n := range said {
					if n-forced[answer] > 1 {
						t.Errorf("%d questions have the answer %s", n, answer)
					}
				}
				for _, s := range Shortcuts(qs) {
					if s.Fault() {
						t.Errorf("shortcut %+v", s)
					}
				}
			})
		}
	}
}
