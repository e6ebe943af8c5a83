package edb

// Tagged is a fact that a file states for machines beside its print: inline XBRL in the HTML of a
// company's filing. A number has Value, with sign and scale applied, so that a reader can be held to
// it; other facts have their printed Text alone. From and To are code points of the text of the
// element with the ID Element, which is empty where the fact is not printed (To is exclusive).
type Tagged struct {
	Name       string            `json:"name"`                 // concept with its prefix: us-gaap:Revenues
	Text       string            `json:"text,omitempty"`       // as printed, cut at MaxTagged code points
	Value      *float64          `json:"value,omitempty"`      // nil: no number, or one in words that are not read
	Unit       string            `json:"unit,omitempty"`       // iso4217:USD, or iso4217:USD/xbrli:shares
	Decimals   string            `json:"decimals,omitempty"`   // to which decimal it is exact: -6, 2, INF
	Entity     string            `json:"entity,omitempty"`     // the filer's number
	Start      string            `json:"start,omitempty"`      // first day of the period; empty for a moment
	End        string            `json:"end,omitempty"`        // its last day, or the moment
	Dimensions map[string]string `json:"dimensions,omitempty"` // axis to member
	Page       int               `json:"page,omitempty"`       // from 1
	Element    string            `json:"element,omitempty"`
	From       int               `json:"from,omitempty"`
	To         int               `json:"to,omitempty"`
}

// MaxTagged is how much of a fact's printed text is kept, code points.
const MaxTagged = 1000
