package store

import (
	"strings"
	"testing"
)

func TestDepth(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	if !TooDeep([]byte(deep), MaxDepth) || TooDeep([]byte(`"`+deep+`\"["`), MaxDepth) || TooDeep([]byte(strings.Repeat("[]", 1000)), MaxDepth) {
		t.Error("JSON: brackets count outside strings alone, and closed ones no more")
	}
	var steps strings.Builder
	for i := range 150 {
		steps.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	for text, want := range map[string]int{
		"a: 1\nb: " + deep:                       2,
		"a: \"" + deep + "\"":                    0,
		"# " + deep:                              0,
		strings.Repeat("- ", 50_000):             1,
		steps.String():                           101,
		strings.Repeat("a: [x, {y: 1}]\n", 1000): 0,
		strings.Repeat("- a: 1\n  b: 2\n", 1000): 0,
	} {
		if got := DeepYAML([]byte(text), 100); got != want {
			t.Errorf("YAML %.30q: line %d, want %d", text, got, want)
		}
	}
}
