package metrics

import "math"

// The measures of trec_eval 10 that the rest of this package lacks, as functions of one query's list.
// All follow its definitions; where that divides 0 by 0 they give 0. A list that is empty gives 0.

// Grades of documents of a list that nobody judged.
const (
	notInPool     = -1 // no judgement
	poolNotJudged = -2 // a judgement below 0: chosen for judging and not judged
)

// trecList is a ranked list as trec_eval sees it.
type trecList struct {
	grades   []int32       // by rank: a grade from 0, or notInPool or poolNotJudged
	levels   map[int32]int // grade from 0 -> documents judged so, retrieved or not
	level    int32         // least grade that is relevant
	relevant int           // judged documents of at least level
	found    int           // of those, in the list
}

func (l *trecList) isRelevant(i int) bool { return l.grades[i] >= l.level }

// relevantIn counts the relevant among the first k.
func (l *trecList) relevantIn(k int) float64 {
	n := 0
	for i := range min(k, len(l.grades)) {
		if l.isRelevant(i) {
			n++
		}
	}
	return float64(n)
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// precisionAt is P_k: relevant in the first k over k.
func (l *trecList) precisionAt(k int) float64 { return ratio(l.relevantIn(k), float64(k)) }

// recallAt is recall_k: relevant in the first k over all relevant.
func (l *trecList) recallAt(k int) float64 { return ratio(l.relevantIn(k), float64(l.relevant)) }

// relativePrecisionAt is relative_P_k: P_k over the best P_k that the judgements allow.
func (l *trecList) relativePrecisionAt(k int) float64 {
	return ratio(l.relevantIn(k), float64(min(k, l.relevant)))
}

// successAt is success_k: whether a relevant one stands in the first k.
func (l *trecList) successAt(k int) float64 { return min(l.relevantIn(k), 1) }

// unjudgedAt is unj_k: documents without judgement in the first k over k.
func (l *trecList) unjudgedAt(k int) float64 {
	n := 0
	for _, g := range l.grades[:min(k, len(l.grades))] {
		if g < 0 {
			n++
		}
	}
	return ratio(float64(n), float64(k))
}

// averagePrecision is map_k (k = 0: map): the sum of the precisions at relevant ones over all relevant.
func (l *trecList) averagePrecision(k int) float64 {
	n := len(l.grades)
	if k > 0 {
		n = min(n, k)
	}
	sum, found := 0.0, 0
	for i := range n {
		if l.isRelevant(i) {
			found++
			sum += float64(found) / float64(i+1)
		}
	}
	return ratio(sum, float64(l.relevant))
}

// smoothedAP is yaap: the log odds of the sum of precisions at relevant ones (Robertson, ECIR 2012).
func (l *trecList) smoothedAP() float64 {
	sum := l.averagePrecision(0) * float64(l.relevant)
	return math.Log((1 + sum) / (1 + float64(l.relevant) - sum))
}

func (l *trecList) reciprocalRank() float64 {
	for i := range l.grades {
		if l.isRelevant(i) {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// rPrecision is the precision after a multiple of all relevant, rounded up from a tenth.
func (l *trecList) rPrecision(multiple float64) float64 {
	return l.precisionAt(int(multiple*float64(l.relevant) + 0.9))
}

// interpolated is iprec_at_recall: the best precision at or after the place where the given share of
// all relevant, rounded, has been found; 0 where it never is.
func (l *trecList) interpolated(share float64) float64 {
	want := int(math.Round(share * float64(l.relevant)))
	best, found := 0.0, 0
	for i := range l.grades {
		if l.isRelevant(i) {
			found++
			if found >= want {
				best = max(best, float64(found)/float64(i+1))
			}
		}
	}
	return best
}

// preference is bpref: over the relevant, the share of the first R judged nonrelevant that stand after
// them (Buckley and Voorhees, SIGIR 2004).
func (l *trecList) preference() float64 {
	others := 0
	for g, n := range l.levels {
		if g < l.level {
			others += n
		}
	}
	sum, above := 0.0, 0
	for _, g := range l.grades {
		switch {
		case g < 0:
		case g < l.level:
			above++
		case above == 0:
			sum++
		default:
			sum += 1 - float64(min(above, l.relevant))/float64(min(others, l.relevant))
		}
	}
	return ratio(sum, float64(l.relevant))
}

// inferredAP is infAP: average precision estimated from a sample of the pool (Yilmaz and Aslam, CIKM
// 2006).
func (l *trecList) inferredAP() float64 {
	const eps = 0.00001
	sum := 0.0
	rel, not, skipped := 0.0, 0.0, 0.0 // above: relevant, judged otherwise, in the pool without judgement
	for i, g := range l.grades {
		switch {
		case g == notInPool:
		case g == poolNotJudged:
			skipped++
		case g < l.level:
			not++
		default:
			if n := float64(i); i == 0 {
				sum++
			} else {
				sum += 1/(n+1) + n/(n+1)*((rel+not+skipped)/n)*((rel+eps)/(rel+not+2*eps))
			}
			rel++
		}
	}
	return ratio(sum, float64(l.relevant))
}

// binaryG is binG: over the relevant, 1/log2(2 + nonrelevant above).
func (l *trecList) binaryG() float64 {
	sum, found := 0.0, 0
	for i := range l.grades {
		if l.isRelevant(i) {
			sum += 1 / math.Log2(float64(2+i-found))
			found++
		}
	}
	return ratio(sum, float64(l.relevant))
}

func (l *trecList) setPrecision() float64 { return ratio(float64(l.found), float64(len(l.grades))) }
func (l *trecList) setRecall() float64    { return ratio(float64(l.found), float64(l.relevant)) }

func (l *trecList) setRelativePrecision() float64 {
	return ratio(float64(l.found), float64(min(len(l.grades), l.relevant)))
}

func (l *trecList) setAP() float64 { return l.setPrecision() * l.setRecall() }

// setF weighs recall x times as much as precision.
func (l *trecList) setF(x float64) float64 {
	p, r := l.setPrecision(), l.setRecall()
	return ratio((x+1)*p*r, r+x*p)
}

// utility weighs the four cells retrieved or not by relevant or not; collection is the number of all
// documents.
func (l *trecList) utility(w [4]float64, collection int) float64 {
	n := len(l.grades)
	return w[0]*float64(l.found) + w[1]*float64(n-l.found) + w[2]*float64(l.relevant-l.found) + w[3]*float64(collection+l.found-n-l.relevant)
}

// rankBiased is rbp with persistence p over gains from 0 to 1 (Moffat and Zobel 2008).
func (l *trecList) rankBiased(gain func(grade int32) float64, p float64) float64 {
	sum, weight := 0.0, 1.0
	for _, g := range l.grades {
		sum += gain(g) * weight
		weight *= p
	}
	return (1 - p) * sum
}

// rankBiasedResidual is rbp_resid: what rbp could gain if everything without judgement had gain 1. As
// in trec_eval it is 0 for a list that is judged throughout.
func (l *trecList) rankBiasedResidual() float64 {
	const p = 0.9
	sum, weight, open := 0.0, 1.0, false
	for _, g := range l.grades {
		if g < 0 {
			sum += weight
			open = true
		}
		weight *= p
	}
	if !open {
		return 0
	}
	return weight + (1-p)*sum
}

// judgedNotRelevant counts the judged documents of the list below the level.
func (l *trecList) judgedNotRelevant() float64 {
	n := 0
	for _, g := range l.grades {
		if g >= 0 && g < l.level {
			n++
		}
	}
	return float64(n)
}
