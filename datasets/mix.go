package datasets

import (
	"cmp"
	"maps"
	"slices"

	edb "enterprisedocbench"
)

// TargetModalities is the intended mix of questions (EnterpriseDocBench section 3.3).
var TargetModalities = map[string]float64{
	edb.ModalitySingleHop: 0.3, edb.ModalityMultiHop: 0.3, edb.ModalityTable: 0.2, edb.ModalityFigure: 0.1, edb.ModalityUnanswerable: 0.1,
}

// Count is a name and how often it stands. An empty name is "not stated".
type Count struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

// tally counts names.
type tally map[string]int

// counts gives them by number falling, then by name, what is not stated after its equals.
func (t tally) counts() []Count {
	out := make([]Count, 0, len(t))
	for _, k := range slices.Sorted(maps.Keys(t)) {
		out = append(out, Count{cmp.Or(k, notStated), t[k]})
	}
	slices.SortStableFunc(out, func(a, b Count) int {
		switch by := cmp.Compare(b.N, a.N); {
		case by == 0 && a.Name == notStated:
			return 1
		case by == 0 && b.Name == notStated:
			return -1
		default:
			return by
		}
	})
	return out
}

const notStated = "not stated"

// Mix is how units spread over classes. Unlabelled units have no class and are in no share.
type Mix struct {
	N          int        `json:"n"`
	Unlabelled int        `json:"unlabelled"`
	Level      float64    `json:"level,omitempty"` // of each interval: .95 for all targets together
	Classes    []MixClass `json:"classes"`
}

// MixClass is one class of a mix. Off says that its interval does not hold the target.
type MixClass struct {
	Name   string   `json:"name"`
	N      int      `json:"n"`
	Share  *float64 `json:"share"`
	Target *float64 `json:"target,omitempty"`
	Lo     *float64 `json:"lo,omitempty"`
	Hi     *float64 `json:"hi,omitempty"`
	Off    bool     `json:"off,omitempty"`
}

// newMix turns counts into shares. With a target every class of it is listed, in falling order of the
// target, and intervals hold for all of its classes together (Bonferroni).
func newMix(t tally, target map[string]float64, opt DescribeOptions) Mix {
	m := Mix{Unlabelled: t[""]}
	for _, n := range t {
		m.N += n
	}
	m.N -= m.Unlabelled
	names := tally{}
	for k, n := range t {
		if k != "" {
			names[k] = n
		}
	}
	for k := range target {
		names[k] += 0
	}
	if len(target) > 0 {
		m.Level = 1 - 0.05/float64(len(target))
	}
	for _, c := range names.counts() {
		x := MixClass{Name: c.Name, N: c.N}
		if m.N > 0 {
			share := float64(c.N) / float64(m.N)
			x.Share = &share
			if opt.Interval != nil && len(target) > 0 {
				x.Lo, x.Hi = opt.Interval(c.N, m.N, m.Level)
			}
		}
		if f, ok := target[c.Name]; ok {
			x.Target = &f
			x.Off = x.Lo != nil && x.Hi != nil && (f < *x.Lo || f > *x.Hi)
		}
		m.Classes = append(m.Classes, x)
	}
	if len(target) > 0 {
		slices.SortStableFunc(m.Classes, func(a, b MixClass) int {
			return cmp.Or(cmp.Compare(target[b.Name], target[a.Name]), cmp.Compare(slices.Index(edb.Modalities, a.Name), slices.Index(edb.Modalities, b.Name)))
		})
	}
	return m
}
