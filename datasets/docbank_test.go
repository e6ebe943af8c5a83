package datasets

import (
	"slices"
	"testing"

	"enterprisedocbench"
)

// TestDocBankHeadings: a run of words with a heading's label is one heading for each number, distance and
// column that it holds.
func TestDocBankHeadings(t *testing.T) {
	word := func(text string, x, y float64) docbankToken {
		return docbankToken{text, [4]float64{x, y, x + 60, y + 12}, "section"}
	}
	cases := []struct {
		name    string
		columns int
		tokens  []docbankToken
		want    []string
	}{
		{"two lines", 1, []docbankToken{word("2.", 100, 100), word("Maps", 170, 100), word("counted", 100, 114)}, []string{"2. Maps counted"}},
		{"a number begins another", 1, []docbankToken{word("3", 100, 100), word("Results", 170, 100), word("3.1", 100, 114), word("Direct", 170, 114)}, []string{"3 Results", "3.1 Direct"}},
		{"a letter begins another", 1, []docbankToken{word("IV.", 100, 100), word("DATA", 170, 100), word("A.", 100, 114), word("Source", 170, 114)}, []string{"IV. DATA", "A. Source"}},
		{"a distance parts them", 1, []docbankToken{word("Results", 100, 100), word("Thanks", 100, 140)}, []string{"Results", "Thanks"}},
		{"side by side in columns", 2, []docbankToken{word("A.", 100, 100), word("Sender", 170, 100), word("V.", 600, 104), word("RESULTS", 670, 104)}, []string{"A. Sender", "V. RESULTS"}},
		{"side by side in one column", 1, []docbankToken{word("A.", 100, 100), word("Sender", 170, 100), word("and", 600, 100)}, []string{"A. Sender and"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, e := range docbankElements(c.tokens, edb.Page{Number: 1, Width: 1000, Height: 1000}, c.columns) {
				if e.Kind != edb.KindHeading || e.Box == nil {
					t.Errorf("%s with box %v", e.Kind, e.Box)
				}
				got = append(got, e.Text)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
