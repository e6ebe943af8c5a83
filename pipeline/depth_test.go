package pipeline

import (
	"strings"
	"testing"
)

func TestDeepConfigIsRefused(t *testing.T) {
	for _, text := range []string{"name: x\ndataset: " + strings.Repeat("[", 50_000), "name: x\ndataset: " + strings.Repeat("{a: ", 50_000)} {
		if _, err := ParseConfig([]byte(text), "c.yaml"); err == nil || !strings.Contains(err.Error(), "c.yaml:2:1: nests deeper than 100: write flatter values") {
			t.Errorf("deep configuration: %.200v", err)
		}
	}
	_, plain := ParseConfig([]byte("nope: 1\n"), "c.yaml")
	if _, err := ParseConfig([]byte("\xef\xbb\xbfnope: 1\n"), "c.yaml"); err == nil || err.Error() != plain.Error() {
		t.Errorf("a byte order mark changes %v to %v", plain, err)
	}
}
