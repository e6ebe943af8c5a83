package metrics

import (
	"fmt"
	"math"
	"slices"

	"enterprisedocbench"
)

// unjudged stands at a rank whose document carries no judgement.
const unjudged = math.MinInt32

// ranking is one query's list as the measures see it.
type ranking struct {
	grades   []int32 // by rank; unjudged where there is no judgement
	ideal    []int32 // every judged grade above 0, falling
	relevant int     // judged documents with a grade of at least level
	level    int32   // least grade that counts as relevant, 1 unless asked otherwise
	groups   []int   // with policy average: end of each group of equal scores
}

func (q *ranking) isRelevant(rank int) bool { return q.grades[rank] >= q.level }

// top is the number of ranks down to k; k = 0 is the whole list.
func (q *ranking) top(k int) int {
	if k == 0 {
		return len(q.grades)
	}
	return min(k, len(q.grades))
}

// rankMeasure is a measure ready to run. A nil value says that nothing is to be measured.
type rankMeasure struct {
	key   string
	def   int
	name  Name
	value func(q *ranking) float64 // NaN: nothing to measure
}

// compile turns keys into measures over ranked lists.
func compile(keys []string, average bool) ([]rankMeasure, error) {
	out := make([]rankMeasure, 0, len(keys))
	for _, key := range keys {
		n, m, err := Lookup(key)
		if err != nil {
			return nil, err
		}
		k := n.Depth
		exp := n.Param("gain") == "exp"
		rm := rankMeasure{key: n.String(), def: m.Def, name: n}
		switch n.Key() {
		case "retrieve.ndcg":
			rm.value = func(q *ranking) float64 { return ndcg(q, k, exp) }
			if average {
				rm.value = func(q *ranking) float64 { return ndcgTied(q, k, exp) }
			}
		case "retrieve.p":
			if k == 0 {
				return nil, fmt.Errorf("measure %s: precision needs a depth; write retrieve.p@5", key)
			}
			rm.value = func(q *ranking) float64 { return countRelevant(q, k, average) / float64(k) }
		case "retrieve.r":
			rm.value = func(q *ranking) float64 { return recall(q, k, average) }
		case "retrieve.rr":
			rm.value = func(q *ranking) float64 { return reciprocalRank(q, k) }
			if average {
				rm.value = func(q *ranking) float64 { return reciprocalRankTied(q, k) }
			}
		case "retrieve.ap":
			rm.value = func(q *ranking) float64 { return averagePrecision(q, k) }
			if average {
				rm.value = func(q *ranking) float64 { return averagePrecisionTied(q, k) }
			}
		case "retrieve.hit":
			rm.value = func(q *ranking) float64 { return hit(q, k) }
			if average {
				rm.value = func(q *ranking) float64 { return hitTied(q, k) }
			}
		case "retrieve.judged":
			rm.value = func(q *ranking) float64 { return judgedShare(q, k) }
		default:
			return nil, fmt.Errorf("measure %s: not a measure of a ranked list; choose retrieve.ndcg@k p@k r@k rr ap hit@k judged@k", key)
		}
		out = append(out, rm)
	}
	return out, nil
}

// RankMeasures scores one ranked list of pages or documents, best first and already folded, by the
// judgements of its query (grade 1 and above is relevant). A key that is no measure of a ranked
// list gives a row with the reason; so does a query without any judgement. A judged query with
// nothing relevant, and an empty list, score 0 (trec_eval's rule). Rows come in the order of keys,
// Arm and Unit empty.
//
// A document that stands twice in ranked counts at its first place only.
func RankMeasures(judged map[string]int, ranked []string, keys []string) []edb.Measurement {
	q := newRanking(judged, ranked)
	out := make([]edb.Measurement, 0, len(keys))
	for _, key := range keys {
		ms, err := compile([]string{key}, false)
		switch {
		case err != nil:
			out = append(out, none(key, err.Error()))
		case len(judged) == 0:
			out = append(out, none(ms[0].key, "no judgement for this query"))
		default:
			out = append(out, ms[0].row(q))
		}
	}
	return out
}

func (m rankMeasure) row(q *ranking) edb.Measurement {
	v := m.value(q)
	if math.IsNaN(v) {
		return edb.Measurement{Key: m.key, Def: m.def, Reason: "nothing was retrieved"}
	}
	return edb.Measurement{Key: m.key, Def: m.def, Value: &v}
}

func newRanking(judged map[string]int, ranked []string) *ranking {
	q := &ranking{level: 1}
	seen := make(map[string]bool, len(ranked))
	for _, id := range ranked {
		if seen[id] {
			continue
		}
		seen[id] = true
		g, ok := judged[id]
		if !ok || g < 0 {
			g = unjudged
		}
		q.grades = append(q.grades, int32(g))
	}
	for _, g := range judged {
		if g > 0 {
			q.ideal = append(q.ideal, int32(g))
			q.relevant++
		}
	}
	slices.SortFunc(q.ideal, func(a, b int32) int { return int(b) - int(a) })
	return q
}

// PrecisionCeiling is the best P@k that the judgements of a query allow: min(relevant, k)/k.
func PrecisionCeiling(judged map[string]int, k int) float64 {
	relevant := 0
	for _, g := range judged {
		if g > 0 {
			relevant++
		}
	}
	return float64(min(relevant, k)) / float64(k)
}
