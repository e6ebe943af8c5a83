package parse

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"enterprisedocbench"
)

// NoiseVersion counts the changes of what Corrupt does for the same input.
const NoiseVersion = 2

// Families of noise. Formatting noise leaves the words as they are and harms how they are set,
// grouped or ordered; semantic noise takes away or changes what they say.
const (
	Formatting = "formatting"
	Semantic   = "semantic"
)

// Noise is one line of the table of noise.
type Noise struct {
	Name   string
	Family string // Formatting or Semantic
	What   string // what happens, at the rate, to each place that it may happen to
	apply  func(n *noise, pg *edb.Page)
}

// Noises lists the kinds of noise, each by its family.
func Noises() []Noise {
	return []Noise{
		{"merge-lines", Formatting, "a block runs into the one before: the break between them is lost", (*noise).merge},
		{"shuffle", Formatting, "a block of a page changes place with an earlier one", (*noise).shuffle},
		{"furniture", Formatting, "a header, footer or page number becomes text; a page without any gets a line of its own", (*noise).furniture},
		{"hyphenation", Formatting, `a word of six letters or more stays broken, as at a line's end: "exam- ple"`, (*noise).hyphenate},
		{"ligatures", Formatting, "fi, fl, ff, ffi and ffl stand as one character each", (*noise).ligatures},
		{"table-columns", Formatting, "a row of a table moves by a column", (*noise).shiftRows},
		{"table-spans", Formatting, "a cell over several rows or columns becomes one of a single place", (*noise).loseSpans},
		{"ocr", Semantic, "a letter or digit becomes one that prints alike", (*noise).ocr},
		{"drop-lines", Semantic, "a line of running text is lost (a sentence, where lines are not marked)", (*noise).dropLines},
		{"mojibake", Semantic, "a character beyond ASCII is read in the wrong encoding", (*noise).mojibake},
		{"unmapped", Semantic, "a character is lost from a page's fonts: the replacement character stands wherever it was", (*noise).unmap},
		{"table-rows", Semantic, "a row of a table is lost", (*noise).dropRows},
		{"captions", Semantic, "a caption is lost", (*noise).loseCaptions},
	}
}

// groups are names for several kinds, which are done one after the other, each at the rate.
var groups = []string{Formatting, Semantic, "tables"}

// NoiseKinds are what Corrupt can do: the kinds of Noises, then formatting, semantic and tables for
// all kinds of a family and all that break tables.
var NoiseKinds = func() (names []string) {
	for _, n := range Noises() {
		names = append(names, n.Name)
	}
	return append(names, groups...)
}()

// NoisesOf lists the kinds behind a name of NoiseKinds: itself, or those of a group; none where it is unknown.
func NoisesOf(kind string) (out []Noise) {
	for _, n := range Noises() {
		if n.Name == kind || n.Family == kind || kind == "tables" && strings.HasPrefix(n.Name, "table-") {
			out = append(out, n)
		}
	}
	return out
}

// What an edit does.
const (
	EditReplace = "replace" // From, at At of the element's text, became To
	EditLose    = "lose"    // the element with the text From is gone
	EditAdd     = "add"     // an element with the text To stands before this place
	EditKind    = "kind"    // the element's kind From became To
	EditMove    = "move"    // the element stands at the place To of the page, where From was its own
	EditJoin    = "join"    // the element was joined to the text block before it: From, a line break, became To
	EditRow     = "row"     // a table's row with the text From is gone
	EditShift   = "shift"   // a table's row got an empty cell in front
	EditSpan    = "span"    // a cell of From (columns x rows) became one of To
)

// Edit is one deliberate error: what was done, where, what was there and what stands there now. From
// the log alone follows what the error costs: nothing else was changed.
type Edit struct {
	Noise   string `json:"noise"`          // the kind of noise
	Op      string `json:"op"`             // what it does: replace, lose, add, kind, move, join, row, shift, span
	Page    int    `json:"page"`           // number of the page
	Element int    `json:"element"`        // place among the page's elements before this noise, from 0
	ID      string `json:"id,omitempty"`   // of the element, where it has one
	Row     int    `json:"row,omitempty"`  // of a table, from 1 before this noise; 0 where it is none
	Cell    int    `json:"cell,omitempty"` // of that row, from 1
	At      int    `json:"at,omitempty"`   // code points into the element's text before this noise
	From    string `json:"from"`
	To      string `json:"to"`
}

// Noisy wraps a parser and corrupts what it gives at a known rate.
type Noisy struct {
	Parser Parser
	Kind   string  // one of NoiseKinds
	Rate   float64 // 0 to 1
	Seed   uint64
}

var _ Parser = Noisy{}

// Parse gives the wrapped parser's result after Corrupt.
func (n Noisy) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	if !slices.Contains(NoiseKinds, n.Kind) {
		return edb.Parsed{}, fmt.Errorf("noise %q is not one of %s", n.Kind, strings.Join(NoiseKinds, ", "))
	}
	if !(n.Rate >= 0 && n.Rate <= 1) {
		return edb.Parsed{}, fmt.Errorf("noise rate %v is not between 0 and 1", n.Rate)
	}
	p, err := n.Parser.Parse(ctx, src)
	if err != nil {
		return edb.Parsed{}, err
	}
	p.Doc = src.Doc.ID
	p, _ = Corrupt(p, n.Kind, n.Rate, n.Seed)
	return p, nil
}

// Corrupt gives a copy of p with errors of one kind (or of a group of kinds, one after the other), each
// possible place hit with the given probability, and the log of what was done. The same document (its
// ID, else its text), kind, rate and seed give the same errors, and of one kind a higher rate hits all
// places that a lower one hits; rate 0 and unknown kinds change nothing; p stays as it is. Noises says
// what each kind does. Page furniture is only changed by furniture; a table whose markup and text say
// different things is left alone.
func Corrupt(p edb.Parsed, kind string, rate float64, seed uint64) (edb.Parsed, []Edit) {
	out := p
	out.Pages = slices.Clone(p.Pages)
	if !(rate > 0) {
		return out, nil
	}
	for i := range out.Pages {
		out.Pages[i].Elements = slices.Clone(out.Pages[i].Elements)
	}
	var log []Edit
	for _, k := range NoisesOf(kind) {
		h := fnv.New64a()
		h.Write([]byte(k.Name + "\x00" + p.Doc))
		if p.Doc == "" {
			h.Write([]byte(p.Text()))
		}
		n := noise{rand: rand.New(rand.NewPCG(seed, h.Sum64())), kind: k.Name, rate: rate}
		for i := range out.Pages {
			pg := &out.Pages[i]
			n.page = pg.Number
			k.apply(&n, pg)
		}
		log = append(log, n.log...)
	}
	return out, log
}

type noise struct {
	rand *rand.Rand
	kind string
	rate float64
	page int
	log  []Edit
}

// hit draws whether a place is hit. It must be asked for each place whatever became of others, and
// all other draws made for it too, so that a higher rate hits the same places and more.
func (n *noise) hit() bool { return n.rand.Float64() < n.rate }

// note logs an edit of the element at place i of the page.
func (n *noise) note(i int, e edb.Element, d Edit) {
	d.Noise, d.Page, d.Element, d.ID = n.kind, n.page, i, e.ID
	n.log = append(n.log, d)
}
