package metrics

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"enterprisedocbench"
	"enterprisedocbench/internal/assign"
	"enterprisedocbench/internal/caption"
	"enterprisedocbench/internal/tokens"
)

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
		return !caption.OfTable(e.Text)
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

// GoldCaptions are the figure captions of the gold of all documents that are scored together, in their
// order. FCQ with idf weighs pieces of words by how few of them hold one, as the bert-score package does
// over its whole list of references. Add from one goroutine and before anything is scored.
type GoldCaptions struct {
	texts  []string
	mu     sync.Mutex
	tables map[string]*IDFTable // by encoder
}

// Add adds the captions of a document, without what its mask leaves out.
func (c *GoldCaptions) Add(gold edb.Parsed) {
	c.texts = append(c.texts, figureCaptions(Masked(gold, gold.Mask))...)
}

// Sum is the SHA-256 of the captions: values with idf that rest on others differ.
func (c *GoldCaptions) Sum() string {
	h := sha256.New()
	for _, t := range c.texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// idf counts the pieces of the captions once for each encoder.
func (c *GoldCaptions) idf(name string) (*IDFTable, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.tables[name]; t != nil {
		return t, nil
	}
	t, err := NewIDFTable(name, c.texts)
	if err != nil {
		return nil, err
	}
	if c.tables == nil {
		c.tables = map[string]*IDFTable{}
	}
	c.tables[name] = t
	return t, nil
}

// NeedCaptions says whether measures rest on the [GoldCaptions] of all documents.
func NeedCaptions(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool {
		n, err := ParseName(key)
		return err == nil && n.Key() == "parse.fcq" && n.Param("idf") == "yes"
	})
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
	pb, gb := make([]bag, len(pred)), make([]bag, len(gold))
	for j, p := range pred {
		pb[j] = newBag(tokens.WordKeys(p))
	}
	for i, g := range gold {
		gb[i] = newBag(tokens.WordKeys(g))
	}
	return assigned(len(pred), len(gold), func(p, g int) float64 { return wordF1(gb[g], pb[p]) })
}

// FCQ is figure caption quality: gold and predicted captions are assigned one to one so that the sum
// of their BERTScore F1 is greatest; the sums of precision, recall and F1 over the pairs, each ÷ the
// larger number of captions. In [0,1], higher is better; with a baseline taken away it may be a little
// below 0, since P and R of a pair may. No gold caption: nothing to measure (ok is false); neither is
// there with idf where no piece of the captions that weights come from is rarer than another, as with a
// single one: b.References, which should count the gold captions of all documents ([GoldCaptions]), else gold.
// Source: EnterpriseDocBench section 3.1; the values of the bert-score package with idf over the captions
// of several documents (metrics/testdata/bertscore_documents.json).
func FCQ(ctx context.Context, b BERTScore, pred, gold []string) (value PRF, ok bool, err error) {
	if len(gold) == 0 {
		return PRF{}, false, nil
	}
	pairs, err := b.Matrix(ctx, pred, gold)
	if err != nil {
		return PRF{}, false, err
	}
	score := make([][]float64, len(gold))
	ok = len(pred) == 0
	for g := range score {
		score[g] = make([]float64, len(pred))
		for p := range score[g] {
			if x := pairs[p][g]; x != nil {
				score[g][p], ok = x.F1, true
			}
		}
	}
	n := float64(max(len(gold), len(pred)))
	for g, p := range assign.Best(score) {
		if p >= 0 {
			x := pairs[p][g]
			value.P, value.R, value.F1 = value.P+x.P/n, value.R+x.R/n, value.F1+x.F1/n
		}
	}
	return value, ok, nil
}
