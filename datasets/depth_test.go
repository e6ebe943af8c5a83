package datasets

import (
	"math"
	"strings"
	"testing"
)

// Deep nesting is refused by a count before anything decodes it.
func TestDeepNestingIsRefused(t *testing.T) {
	deep := strings.Repeat("[", 100_000)
	if _, f := parseInfo([]byte("name: x\nmade: " + deep)); len(f) != 1 || f[0].Line != 2 || !strings.Contains(f[0].Problem, "nests deeper than 100") {
		t.Errorf("YAML: %v", f)
	}
}

func TestInfoTakesByteOrderMarkAndNoNaN(t *testing.T) {
	if info, f := parseInfo([]byte("\xef\xbb\xbfname: x\n")); len(f) > 0 || info.Name != "x" {
		t.Errorf("byte order mark: %v %v", info, f)
	}
	if f := (Info{Name: "x", Splits: map[string]float64{"train": math.NaN()}}).faults(nil); len(f) == 0 {
		t.Error("a fraction that is no number passes")
	}
}

func TestYAMLOfAWrongKindIsToldInPlainWords(t *testing.T) {
	for raw, want := range map[string]string{
		"name: [1,2]\n":               "name is a list, not text",
		"name: {a: 1}\n":              "name is a mapping, not text",
		"name: x\nseed: abc\n":        "seed is text, not a whole number",
		"name: x\nsplits: 7\n":        "a whole number stands where a mapping belongs",
		"name: x\nexpected: {a: b}\n": "expected is text, not a number",
		"- 1\n":                       "a list stands where a mapping belongs",
	} {
		_, f := parseInfo([]byte(raw))
		if len(f) == 0 || f[0].Problem != want || f[0].Line == 0 || f[0].Fix == "" {
			t.Errorf("%q: %v, want %q", raw, f, want)
		}
	}
}
