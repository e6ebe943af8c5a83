package docs

import (
	"os"
	"regexp"
	"testing"

	"enterprisedocbench/metrics"
)

// Every measure that a run may print is explained.
func TestGlossaryHasEveryMeasure(t *testing.T) {
	b, err := os.ReadFile("glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := append(append([]string{}, metrics.ParseKeys...), metrics.EvidenceKeys...)
	keys = append(keys, metrics.AnswerKeys...)
	for _, m := range metrics.All() {
		keys = append(keys, m.Key)
	}
	for _, k := range keys {
		n, err := metrics.ParseName(k)
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile("`" + regexp.QuoteMeta(n.Key()) + "[`@(]").Match(b) {
			t.Errorf("glossary.md does not explain %s", n.Key())
		}
	}
	if len(keys) < 60 {
		t.Errorf("%d keys: the table is not read", len(keys))
	}
}
