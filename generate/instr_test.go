package generate

import "testing"

// TestInstructions: how to answer is no part of what is asked.
func TestInstructions(t *testing.T) {
	for _, c := range []struct{ question, asked string }{
		{"What is the monthly rent of lease LC-1? Reply with only the number, or N/A if the documents do not say.", "What is the monthly rent of lease LC-1?"},
		{"List the lessees of Aldwick Estates. Reply with only the list, its items parted by semicolons.", "List the lessees of Aldwick Estates."},
		{"Who signed? Please answer in one word.", "Who signed?"},
		{"Did the board reply with only one condition?", "Did the board reply with only one condition?"},
		{"How did Marta answer the offer in June?", "How did Marta answer the offer in June?"},
	} {
		if got := understand(c.question).text; got != c.asked {
			t.Errorf("%q is understood as %q, want %q", c.question, got, c.asked)
		}
	}
}
