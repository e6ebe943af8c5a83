package metrics

import (
	"regexp"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
)

// tableCaption tells a caption of a table by its first word where nothing else says so.
var tableCaption = regexp.MustCompile(`(?i)^\s*(table|tab\.|tabelle|tableau|tabla)\s*[\dIVX]`)

// FigureCaption says of elements of a parse whether they are captions of figures: those that belong to
// a figure, and those that belong to nothing known and do not begin like a table's.
func FigureCaption(p edb.Parsed) func(e edb.Element) bool {
	kind := map[string]string{}
	for _, e := range p.Elements {
		if e.ID != "" {
			kind[e.ID] = e.Kind
		}
	}
	return func(e edb.Element) bool {
		if e.Kind != edb.KindCaption || e.Text == "" {
			return false
		}
		switch kind[e.CaptionOf] {
		case edb.KindFigure:
			return true
		case edb.KindTable:
			return false
		}
		return !tableCaption.MatchString(e.Text)
	}
}

// figureCaptions lists the captions of figures.
func figureCaptions(p edb.Parsed) (out []string) {
	figure := FigureCaption(p)
	for _, e := range p.Elements {
		if figure(e) {
			out = append(out, e.Text)
		}
	}
	return out
}

// CaptionF1 is the figure caption measure that needs no encoder: gold and predicted captions are
// assigned one to one so that the sum of their token F1 (bags of UAX-29 words, NFKC, case-folded)
// is greatest; that sum ÷ the larger number of captions. In [0,1], higher is better.
// No gold caption: nothing to measure (ok is false).
// Source: the place of EnterpriseDocBench's FCQ (section 3.1) where no BERTScore weights are set;
// P and Q then carry the variant fcq=caption_f1.
func CaptionF1(pred, gold []string) (value float64, ok bool) {
	if len(gold) == 0 {
		return 0, false
	}
	pb := make([]bag, len(pred))
	for j, p := range pred {
		pb[j] = newBag(tokens.WordKeys(p))
	}
	score := make([][]float64, len(gold))
	for i, g := range gold {
		gb := newBag(tokens.WordKeys(g))
		score[i] = make([]float64, len(pred))
		for j := range pred {
			score[i][j] = wordF1(gb, pb[j])
		}
	}
	sum := 0.0
	for i, j := range assign(score) {
		if j >= 0 {
			sum += score[i][j]
		}
	}
	return sum / float64(max(len(gold), len(pred))), true
}
