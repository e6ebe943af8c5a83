package edb

// Fact is one line of facts.jsonl: something about a page that a program can decide from its text.
// Which keys are used depends on Type:
//
//	present   Text is on the page
//	absent    Text is not (a running header, say)
//	order     Before is on the page, and After follows it
//	table     a table has the cell Cell, with these texts in the cell above it, below it, to its left
//	          and right, and in the heads of its column and row, where given
//	formula   Formula, in LaTeX, is on the page
//	baseline  the page has letters or digits and does not end in more than MaxRepeats repetitions of
//	          one to five characters (0: 30), and has no Han, Kana or emoji; where MaxLength is above 0
//	          the page is (almost) blank: it has at most that many letters and digits, and nothing
//	          else is looked at
type Fact struct {
	ID   string `json:"id"`
	Doc  string `json:"doc"`
	Page int    `json:"page"` // from 1
	Type string `json:"type"`

	Text        string `json:"text,omitempty"`
	Before      string `json:"before,omitempty"`
	After       string `json:"after,omitempty"`
	Cell        string `json:"cell,omitempty"`
	Up          string `json:"up,omitempty"`
	Down        string `json:"down,omitempty"`
	Left        string `json:"left,omitempty"`
	Right       string `json:"right,omitempty"`
	TopHeading  string `json:"top_heading,omitempty"`
	LeftHeading string `json:"left_heading,omitempty"`
	Formula     string `json:"formula,omitempty"`

	// MaxDiffs is how many single-character edits still count as equal.
	MaxDiffs int `json:"max_diffs,omitempty"`
	// AnyCase: case does not count.
	AnyCase bool `json:"any_case,omitempty"`
	// FirstN and LastN, where above 0, look at that many characters at the beginning or end of the
	// page only.
	FirstN     int `json:"first_n,omitempty"`
	LastN      int `json:"last_n,omitempty"`
	MaxLength  int `json:"max_length,omitempty"`
	MaxRepeats int `json:"max_repeats,omitempty"`
	// Checked is what the source says of a person's look at the fact, such as "verified".
	Checked string `json:"checked,omitempty"`
}

// FactTypes lists the types of facts.
var FactTypes = []string{"present", "absent", "order", "table", "formula", "baseline"}
