package metrics

import "strings"

// bag counts words.
type bag map[string]int

func newBag(words []string) bag {
	b := bag{}
	for _, w := range words {
		b[w]++
	}
	return b
}

func (b bag) size() (n int) {
	for _, c := range b {
		n += c
	}
	return n
}

// wordF1 is the F1 of two bags of words: 2·common/(sizes); two empty bags: 0.
func wordF1(a, b bag) float64 {
	total := a.size() + b.size()
	if total == 0 {
		return 0
	}
	common := 0
	for w, n := range a {
		common += min(n, b[w])
	}
	return 2 * float64(common) / float64(total)
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}
