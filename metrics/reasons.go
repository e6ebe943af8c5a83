package metrics

import (
	"fmt"
	"strings"
)

// Reasons gathers why units have nothing to measure. The zero value is ready.
type Reasons struct {
	seen  []string // in order of first sight
	count map[string]int
}

// Add counts one unit's reason; "" is none.
func (r *Reasons) Add(reason string) {
	if reason == "" {
		return
	}
	if r.count == nil {
		r.count = map[string]int{}
	}
	if r.count[reason]++; r.count[reason] == 1 {
		r.seen = append(r.seen, reason)
	}
}

// maxReasons is how many different reasons are said.
const maxReasons = 4

// String is the one reason, or the first four with how many units each keeps out; "nothing to
// measure" without any.
func (r *Reasons) String() string {
	switch len(r.seen) {
	case 0:
		return "nothing to measure"
	case 1:
		return r.seen[0]
	}
	said := make([]string, 0, maxReasons)
	for _, s := range r.seen[:min(len(r.seen), maxReasons)] {
		said = append(said, fmt.Sprintf("%s (%d)", s, r.count[s]))
	}
	if n := len(r.seen) - maxReasons; n > 0 {
		said = append(said, fmt.Sprintf("%d other reasons", n))
	}
	return strings.Join(said, "; ")
}
