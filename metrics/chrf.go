package metrics

import "enterprisedocbench/internal/assign"

import "strings"

const (
	chrfOrder = 6 // longest run of characters
	chrfBeta  = 2 // how much more recall weighs than precision
)

// ChrF is the character n-gram F-score of one text against one reference: white space taken away, for
// each n from 1 to 6 the precision and the recall of the n-grams as bags, their means over the n for
// which both texts have n-grams, and F with beta 2 of the two means. In [0,1] (chrF is often printed
// times 100), higher is better; not symmetric, since recall weighs more.
// Neither or one text with characters: 0.
// Source: Popović 2015; sacrebleu's CHRF with its defaults (char_order 6, word_order 0, beta 2, no
// smoothing), whose values it gives.
func ChrF(hypothesis, reference string) float64 {
	h, r := []rune(squeezed(hypothesis)), []rune(squeezed(reference))
	precision, recall, orders := 0.0, 0.0, 0.0
	for n := 1; n <= chrfOrder && n <= len(h) && n <= len(r); n++ {
		common := 0
		seen := map[string]int{}
		for i := 0; i+n <= len(r); i++ {
			seen[string(r[i:i+n])]++
		}
		for i := 0; i+n <= len(h); i++ {
			if g := string(h[i : i+n]); seen[g] > 0 {
				seen[g]--
				common++
			}
		}
		precision += float64(common) / float64(len(h)-n+1)
		recall += float64(common) / float64(len(r)-n+1)
		orders++
	}
	if orders == 0 || precision+recall == 0 {
		return 0
	}
	precision, recall = precision/orders, recall/orders
	const b = chrfBeta * chrfBeta
	return (1 + b) * precision * recall / (b*precision + recall)
}

// squeezed is a text without white space.
func squeezed(s string) string { return strings.Join(strings.FieldsFunc(s, pythonSpace), "") }

// CaptionChrF is [CaptionF1] with [ChrF] of the predicted caption against the gold one in place of
// token F1: the best assignment, the sum ÷ the larger number of captions. In [0,1], higher is better.
// No gold caption: nothing to measure (ok is false). Source: the pairing is ours.
func CaptionChrF(pred, gold []string) (value float64, ok bool) {
	return assigned(len(pred), len(gold), func(p, g int) float64 { return ChrF(pred[p], gold[g]) })
}

// assigned is the greatest sum of likeness over one-to-one pairs ÷ the larger number; no gold:
// nothing to measure.
func assigned(pred, gold int, likeness func(p, g int) float64) (value float64, ok bool) {
	if gold == 0 {
		return 0, false
	}
	score := make([][]float64, gold)
	for g := range score {
		score[g] = make([]float64, pred)
		for p := range score[g] {
			score[g][p] = likeness(p, g)
		}
	}
	sum := 0.0
	for g, p := range assign.Best(score) {
		if p >= 0 {
			sum += score[g][p]
		}
	}
	return sum / float64(max(gold, pred)), true
}
