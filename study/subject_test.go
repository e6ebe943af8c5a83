package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFiguresThatCannotBeAreRefused(t *testing.T) {
	for figure, want := range map[string]string{
		`{"value":-5,"n":3,"n_ok":3}`:                "generate.riker is -5, not within 0 and 1: make the file again with edb eval answers --json",
		`{"value":0.5,"lo":-0.1,"n":3,"n_ok":3}`:     "generate.riker is -0.1, not within 0 and 1",
		`{"value":0.5,"value_ok":2,"n":3}`:           "generate.riker is 2, not within 0 and 1",
		`{"value":0.5,"n":-3}`:                       "generate.riker counts n -3",
		`{"value":0.5,"n":3,"n_ok":4}`:               "generate.riker counts n 3, n_ok 4",
		`{"value":0.5,"lo":0,"hi":1,"n":3,"n_ok":3}`: "",
	} {
		path := filepath.Join(t.TempDir(), "scored.json")
		noError(t, os.WriteFile(path, []byte(`{"systems":[{"system":"s","dataset":"riker-8K","measures":{"generate.riker":`+figure+`}}]}`), 0o600))
		got, err := Subjects(path)
		switch {
		case want == "" && (err != nil || len(got) != 1):
			t.Errorf("%s: %v %v", figure, got, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), path+": s: "+want)):
			t.Errorf("%s: %v, want %q", figure, err, want)
		}
	}
}
