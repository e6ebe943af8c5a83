package expect

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
)

func TestEveryPaperHasItsFile(t *testing.T) {
	entries, err := files.ReadDir("claims")
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(Papers()) {
		t.Errorf("%d files for %d papers", len(entries), len(Papers()))
	}
	for _, p := range Papers() {
		data, name, err := Claims(p)
		if err != nil || !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(name, "/"+e.Name()) }) {
			t.Errorf("%s: %q, %v", p, name, err)
		}
		if !strings.Contains(string(data), "\nclaims:\n") {
			t.Errorf("%s: no claims", p)
		}
	}
	if _, _, err := Claims("../edb"); err == nil || !strings.Contains(err.Error(), "there are edb, riker, pinnacle") {
		t.Error(err)
	}
}
