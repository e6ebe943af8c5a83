package edb

import (
	"slices"
	"testing"
)

func TestQuestionDocuments(t *testing.T) {
	for _, c := range []struct {
		q    Question
		want []string
	}{
		{Question{}, nil},
		{Question{Probe: &Probe{Entity: "x"}}, nil},
		{Question{Probe: &Probe{Doc: "d"}}, []string{"d"}},
		{Question{Evidence: []Evidence{{Doc: "b"}, {Doc: "a"}, {Doc: "b", Page: 2}}, Probe: &Probe{Doc: "d"}}, []string{"b", "a"}},
	} {
		if got := c.q.Documents(); !slices.Equal(got, c.want) {
			t.Errorf("%+v rests on %v, want %v", c.q, got, c.want)
		}
	}
}
