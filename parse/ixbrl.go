package parse

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"enterprisedocbench"
)

// Inline XBRL 1.1 (XBRL International): facts stand in the page's own text as ix:nonFraction and
// ix:nonNumeric; contexts (whose, when, of what) and units in ix:header, which is not printed.

// ixHeader is the element of inline XBRL that is never printed.
const ixHeader = "ix:header"

// emptyIX are elements of inline XBRL that are closed where they open, which HTML does not know.
var emptyIX = regexp.MustCompile(`<((?:ix|xbrli|xbrldi):[A-Za-z]+)((?:\s[^<>]*)?)/>`)

// closeIX writes empty elements of inline XBRL with an end tag. Without one nothing changes.
func closeIX(s string) string {
	if !strings.Contains(s, "<ix:") {
		return s
	}
	return emptyIX.ReplaceAllString(s, "<$1$2></$1>")
}

// ixContext is what facts refer to by a context's id.
type ixContext struct {
	entity, start, end string
	dimensions         map[string]string
}

// ixFact is a fact before it has a place: the letters of the page (white space left out) that it covers.
type ixFact struct {
	edb.Tagged
	printed     bool
	first, past int
	node        *html.Node
}

// ixReader walks a page once.
type ixReader struct {
	facts    []*ixFact
	contexts map[string]ixContext
	units    map[string]string
	more     map[string]*html.Node // continuations
	letters  []rune                // of the printed page, without white space
}

// inlineXBRL lists the facts of a page in their order, those of its hidden part too, with their
// places in the elements. The warning counts facts whose place was not found, and those that refer to
// what is not there.
func inlineXBRL(root *html.Node, els []edb.Element) (facts []edb.Tagged, warning string) {
	if !marked(root) {
		return nil, ""
	}
	r := &ixReader{contexts: map[string]ixContext{}, units: map[string]string{}, more: map[string]*html.Node{}}
	r.walk(root, true, 0)
	at := lettersOf(els)
	lost, dangling, cursor := 0, 0, 0
	for _, f := range r.facts {
		if !r.resolve(f) {
			dangling++
		}
		if f.printed && f.past > f.first && !at.place(f, r.letters, &cursor, lost < maxLost) {
			lost++
		}
		facts = append(facts, f.Tagged)
	}
	var said []string
	if lost > 0 {
		said = append(said, fmt.Sprintf("%d of %d inline XBRL facts have no place in the text that was read", lost, len(facts)))
	}
	if dangling > 0 {
		said = append(said, fmt.Sprintf("%d of %d inline XBRL facts lack a name, or a context, unit or continuation that they refer to", dangling, len(facts)))
	}
	return facts, strings.Join(said, "; ")
}

// fact says whether a node states a fact.
func fact(n *html.Node) bool { return n.Data == "ix:nonfraction" || n.Data == "ix:nonnumeric" }

// marked says whether a page states any fact: most do not, and their letters need not be gathered.
func marked(root *html.Node) bool {
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && fact(n) {
			return true
		}
	}
	return false
}

// walk gathers letters, facts, contexts and units below a node.
func (r *ixReader) walk(n *html.Node, seen bool, depth int) {
	if depth > maxDepth {
		return
	}
	if n.Type == html.TextNode {
		if seen {
			for _, c := range n.Data {
				if !unicode.IsSpace(c) {
					r.letters = append(r.letters, c)
				}
			}
		}
		return
	}
	var f *ixFact
	if n.Type == html.ElementNode {
		if unseen[n.DataAtom] || n.Data == annotationXML || hidden(n) {
			seen = false // facts and contexts stand in hidden parts too
		}
		switch _, local, _ := strings.Cut(n.Data, ":"); {
		case fact(n):
			f = &ixFact{printed: seen, first: len(r.letters), node: n}
			f.Name = attr(n, "name")
			r.facts = append(r.facts, f)
		case n.Data == "ix:continuation" && attr(n, "id") != "":
			if r.more[attr(n, "id")] == nil {
				r.more[attr(n, "id")] = n
			}
		case local == "context" && attr(n, "id") != "":
			r.context(n)
		case local == "unit" && attr(n, "id") != "":
			r.units[attr(n, "id")] = unitOf(n)
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.walk(c, seen, depth+1)
	}
	if f != nil {
		f.past = len(r.letters)
	}
}

// context reads <xbrli:context id="...">: the entity, the period, the members of dimensions.
func (r *ixReader) context(n *html.Node) {
	var c ixContext
	for d := range n.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		_, local, _ := strings.Cut(d.Data, ":")
		text := squeeze(textOf(d, 0))
		switch local {
		case "identifier":
			c.entity = text
		case "startdate":
			c.start = text
		case "enddate", "instant":
			c.end = text
		case "explicitmember", "typedmember":
			if c.dimensions == nil {
				c.dimensions = map[string]string{}
			}
			c.dimensions[attr(d, "dimension")] = text
		}
	}
	r.contexts[attr(n, "id")] = c
}

// unitOf is a unit's measure, factors joined by * and the parts of a quotient by /.
func unitOf(n *html.Node) string {
	var over, under []string
	for d := range n.Descendants() {
		_, local, _ := strings.Cut(d.Data, ":")
		if d.Type != html.ElementNode || local != "measure" {
			continue
		}
		below := false
		for p := d.Parent; p != nil && p != n; p = p.Parent {
			below = below || strings.HasSuffix(p.Data, "unitdenominator")
		}
		if text := squeeze(textOf(d, 0)); below {
			under = append(under, text)
		} else {
			over = append(over, text)
		}
	}
	if len(under) > 0 {
		return strings.Join(over, "*") + "/" + strings.Join(under, "*")
	}
	return strings.Join(over, "*")
}

// resolve fills what a fact says of itself and by reference. False says that it has no name, or refers
// to what is not there.
func (r *ixReader) resolve(f *ixFact) (whole bool) {
	n := f.node
	c, known := r.contexts[attr(n, "contextref")]
	whole = f.Name != "" && known
	text := squeeze(textOf(n, 0))
	seen := map[string]bool{}
	for next := attr(n, "continuedat"); next != "" && len(text) < 4*edb.MaxTagged; { // a rune has at most 4 bytes
		m := r.more[next]
		if m == nil || seen[next] {
			whole = false
			break
		}
		seen[next] = true
		text = squeeze(text + " " + textOf(m, 0))
		next = attr(m, "continuedat")
	}
	f.Text = cutRunes(text, edb.MaxTagged)
	f.Entity, f.Start, f.End, f.Dimensions = c.entity, c.start, c.end, maps.Clone(c.dimensions)
	if n.Data != "ix:nonfraction" {
		return whole
	}
	unit, known := r.units[attr(n, "unitref")]
	f.Unit, f.Decimals, whole = unit, attr(n, "decimals"), whole && known
	if v := attr(n, "xsi:nil"); v == "true" || v == "1" {
		return whole
	}
	v, ok := ixNumber(text, attr(n, "format"))
	if !ok {
		return whole
	}
	if s := attr(n, "scale"); s != "" {
		scale, err := strconv.Atoi(s)
		if err != nil || scale < -40 || scale > 40 {
			return whole
		}
		if v, err = strconv.ParseFloat(strconv.FormatFloat(v, 'f', -1, 64)+"e"+strconv.Itoa(scale), 64); err != nil {
			return whole
		}
	}
	if attr(n, "sign") == "-" && v != 0 {
		v = -v
	}
	f.Value = &v
	return whole
}

func cutRunes(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

// ixWords are the small numbers that filings spell out.
var ixWords = map[string]float64{"no": 0, "none": 0, "nil": 0, "zero": 0, "one": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
	"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
	"seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20}

// ixNumber reads a printed number by its transformation rule; without a rule it is a plain decimal. A
// rule that is not known gives none.
func ixNumber(text, format string) (float64, bool) {
	_, rule, _ := strings.Cut(strings.ToLower(format), ":")
	point := '.'
	switch strings.ReplaceAll(rule, "-", "") {
	case "fixedzero", "zerodash", "numdash", "nocontent":
		return 0, true
	case "numwordsen":
		if v, ok := ixWords[strings.ToLower(text)]; ok {
			return v, true
		}
	case "numcommadecimal", "numcommadot", "numdotcomma", "numspacecomma":
		point = ','
	case "", "numdotdecimal", "numspacedot":
	default:
		return 0, false
	}
	var b strings.Builder
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			b.WriteRune(c)
		case c == point:
			b.WriteByte('.')
		case (c == ',' || c == '.' || c == '\'' || c == '’' || unicode.IsSpace(c)) && !strings.Contains(b.String(), "."): // between thousands
		default:
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(b.String(), 64)
	return v, err == nil && !math.IsInf(v, 0)
}

// ixLetters are the letters of the elements, white space left out, with where each stands.
type ixLetters struct {
	els     []edb.Element
	letters []rune
	element []int32
	offset  []int32 // code points
}

func lettersOf(els []edb.Element) *ixLetters {
	l := &ixLetters{els: els}
	for i, e := range els {
		at := int32(0)
		for _, c := range e.Text {
			if !unicode.IsSpace(c) {
				l.letters, l.element, l.offset = append(l.letters, c), append(l.element, int32(i)), append(l.offset, at)
			}
			at++
		}
	}
	return l
}

// drift is how far the letters of the elements may lie from those of the page: texts that stand in
// place of pictures, captions that are read before their table.
const drift = 20_000

// maxLost is after how many lost facts the rest is looked for nearby alone.
const maxLost = 200

// neighbours is how many letters on both sides of a fact help to find it.
const neighbours = 16

// place finds a fact's letters in the elements near where the page has them, with their neighbours and
// else without, and keeps in cursor how far the two lie apart. A fact that goes over several elements
// has its place in the first.
func (l *ixLetters) place(f *ixFact, page []rune, cursor *int, far bool) bool {
	before := min(neighbours, f.first)
	end := min(f.past, f.first+200)
	try := []struct{ from, to, step int }{
		{f.first - before, min(len(page), end+neighbours), drift},
		{f.first - before, end, drift},
		{f.first, min(len(page), end+neighbours), drift},
		{f.first, end, 64},
	}
	for _, t := range try {
		if !far {
			t.step = 64
		}
		best := l.nearest(page[t.from:t.to], t.from+*cursor, t.step)
		if best < 0 {
			continue
		}
		*cursor = best - t.from
		first := best + f.first - t.from
		e := l.element[first]
		last := first
		for last+1 < len(l.letters) && last+1 < first+f.past-f.first && l.element[last+1] == e {
			last++
		}
		f.Page, f.Element, f.From, f.To = 1, l.els[e].ID, int(l.offset[first]), int(l.offset[last])+1
		return true
	}
	return false
}

// nearest is where the wanted letters stand nearest to from, at most step away; -1 is nowhere.
func (l *ixLetters) nearest(want []rune, from, step int) int {
	is := func(k int) bool {
		return k >= 0 && k+len(want) <= len(l.letters) && slices.Equal(l.letters[k:k+len(want)], want)
	}
	for d := 0; d <= step; d++ {
		if is(from - d) {
			return from - d
		}
		if is(from + d) {
			return from + d
		}
	}
	return -1
}
