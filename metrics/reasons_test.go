package metrics

import "testing"

func TestReasonsAreAllSaid(t *testing.T) {
	for _, c := range []struct {
		add  []string
		want string
	}{
		{nil, "nothing to measure"},
		{[]string{"", ""}, "nothing to measure"},
		{[]string{"no gold", "", "no gold"}, "no gold"},
		{[]string{"unanswerable", "no pages", "unanswerable"}, "unanswerable (2); no pages (1)"},
		{[]string{"a", "b", "c", "d", "e", "f"}, "a (1); b (1); c (1); d (1); 2 other reasons"},
	} {
		var r Reasons
		for _, s := range c.add {
			r.Add(s)
		}
		if got := r.String(); got != c.want {
			t.Errorf("%q: %q, want %q", c.add, got, c.want)
		}
	}
}
