package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// PartAnnotations is the part of a rating that is of a dataset's annotations.
const PartAnnotations = "annotations"

// Classes of documents by what their licences allow.
const (
	ClassAllow    = "allow"         // may be passed on, changed and used for money
	ClassEvaluate = "evaluate-only" // may be measured with here; passing it on is in doubt or bound
	ClassRefuse   = "refuse"        // may not be used, or its line contradicts its licence
)

// Rating is what may be done with a document: what its licence grants and its line does not take
// back. Reason says why it is in its class, where that is not "allow".
type Rating struct {
	Dataset string `json:"dataset"`
	Doc     string `json:"doc,omitempty"`
	Part    string `json:"part,omitempty"` // PartAnnotations where it is no document
	SPDX    string `json:"spdx"`
	Class   string `json:"class"`
	Terms
	Evidence string `json:"evidence,omitempty"`
	Reason   string `json:"reason,omitempty"`
	gold     bool
}

// RateLicences rates the documents of datasets, in the order given and in file order.
func RateLicences(sets ...*Dataset) []Rating {
	out := []Rating{}
	for _, d := range sets {
		for _, doc := range d.Documents {
			r := rate(doc.Licence)
			r.Dataset, r.Doc, r.gold = d.Info.Name, doc.ID, doc.Gold != "" && doc.Gold != "none"
			out = append(out, r)
		}
	}
	return out
}

// rate holds the flags of a line against the licence that it names.
func rate(l edb.Licence) Rating {
	said := Terms{Redistribute: l.Redistribute, Derivatives: l.Derivatives, Commercial: l.Commercial}
	r := Rating{SPDX: l.SPDX, Class: ClassEvaluate, Evidence: l.Evidence}
	terms, err := licenceTerms(l.SPDX)
	var known *unknownTerms
	if errors.As(err, &known) && known.named() {
		terms, err = said, nil // named terms: the line is all that is known
		terms.Attribution = true
	}
	if err != nil {
		r.Reason = err.Error()
		return r
	}
	r.Terms = Terms{
		Redistribute: said.Redistribute && terms.Redistribute,
		Derivatives:  said.Derivatives && terms.Derivatives,
		Commercial:   said.Commercial && terms.Commercial,
		Attribution:  terms.Attribution, ShareAlike: terms.ShareAlike, Refused: terms.Refused,
	}
	switch more := grants(said, terms); {
	case terms.Refused:
		r.Class, r.Reason = ClassRefuse, l.SPDX+" grants no use"
	case len(more) > 0:
		r.Class, r.Reason = ClassRefuse, fmt.Sprintf("its line claims %s, which %s does not grant: correct the line", oneAnd(more), l.SPDX)
	case l.Evidence == "":
		r.Reason = "licence.evidence is missing: say how the licence is known"
	case r.Redistribute && r.Derivatives && r.Commercial:
		r.Class = ClassAllow
	default:
		kept := grants(terms, said)
		lacks := grants(publicDomain, r.Terms)
		r.Reason = "no " + oneOf(lacks)
		if len(kept) > 0 {
			r.Reason += fmt.Sprintf(": %s grants %s, the line does not say so", l.SPDX, oneAnd(kept))
		}
	}
	return r
}

// grants lists what a allows and b does not.
func grants(a, b Terms) []string {
	var out []string
	for _, x := range []struct {
		a, b bool
		name string
	}{{a.Redistribute, b.Redistribute, "redistribution"}, {a.Derivatives, b.Derivatives, "derivatives"}, {a.Commercial, b.Commercial, "commercial use"}} {
		if x.a && !x.b {
			out = append(out, x.name)
		}
	}
	return out
}

func oneAnd(list []string) string { return strings.Replace(oneOf(list), " or ", " and ", 1) }

// unknownTerms says that an identifier is not in the table.
type unknownTerms struct{ id string }

func (e *unknownTerms) Error() string {
	switch strings.ToUpper(e.id) {
	case "":
		return "no licence is named"
	case "NOASSERTION", "NONE":
		return "nobody has stated a licence"
	}
	return fmt.Sprintf("%q is not among the licences whose terms are known here", e.id)
}

// named reports whether the terms have a name of their own, so that the line must state them.
func (e *unknownTerms) named() bool {
	return strings.HasPrefix(strings.ToLower(e.id), "licenseref-") && len(e.id) > len("LicenseRef-")
}

// licenceTerms reads an SPDX licence expression: identifiers joined by AND, OR and WITH, with
// parentheses (SPDX specification 2.3, annex D). AND binds closer than OR; of alternatives the one
// that grants most is taken; exceptions after WITH only add to what is granted and are not looked at.
func licenceTerms(expression string) (Terms, error) {
	p := licenceParser{rest: strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(expression))}
	if len(p.rest) == 0 {
		return Terms{}, &unknownTerms{}
	}
	t, err := p.or(0)
	if err == nil && len(p.rest) > 0 {
		err = fmt.Errorf("%q is no SPDX licence expression: write identifiers joined by AND or OR", expression)
	}
	return t, err
}

type licenceParser struct{ rest []string }

func (p *licenceParser) next(word string) bool {
	if len(p.rest) > 0 && strings.EqualFold(p.rest[0], word) {
		p.rest = p.rest[1:]
		return true
	}
	return false
}

func (p *licenceParser) or(depth int) (Terms, error) {
	best, err := p.and(depth)
	for err == nil && p.next("OR") {
		var other Terms
		if other, err = p.and(depth); err == nil && rank(other) > rank(best) {
			best = other
		}
	}
	return best, err
}

// rank orders terms by how much they let one do.
func rank(t Terms) int {
	n := 0
	for i, yes := range []bool{!t.Attribution, len(t.ShareAlike) == 0, t.Commercial, t.Derivatives, t.Redistribute, !t.Refused} {
		if yes {
			n += 1 << i
		}
	}
	return n
}

func (p *licenceParser) and(depth int) (Terms, error) {
	all, err := p.one(depth)
	for err == nil && p.next("AND") {
		var t Terms
		if t, err = p.one(depth); err == nil {
			share := slices.Concat(all.ShareAlike, t.ShareAlike)
			slices.Sort(share)
			all = Terms{
				Redistribute: all.Redistribute && t.Redistribute,
				Derivatives:  all.Derivatives && t.Derivatives,
				Commercial:   all.Commercial && t.Commercial,
				Attribution:  all.Attribution || t.Attribution,
				Refused:      all.Refused || t.Refused,
				ShareAlike:   slices.Compact(share),
			}
		}
	}
	return all, err
}

func (p *licenceParser) one(depth int) (Terms, error) {
	if len(p.rest) == 0 {
		return Terms{}, errors.New("the SPDX licence expression ends too early: complete it")
	}
	if p.next("(") {
		if depth > 20 {
			return Terms{}, errors.New("the SPDX licence expression is nested too deeply: write it out")
		}
		t, err := p.or(depth + 1)
		if err == nil && !p.next(")") {
			err = errors.New("the SPDX licence expression lacks a closing parenthesis: add it")
		}
		return t, err
	}
	id := p.rest[0]
	p.rest = p.rest[1:]
	t, ok := termsByID[strings.ToLower(id)]
	if !ok {
		return Terms{}, &unknownTerms{id}
	}
	if p.next("WITH") {
		if len(p.rest) == 0 {
			return Terms{}, errors.New("the SPDX licence expression ends too early: complete it")
		}
		p.rest = p.rest[1:]
	}
	return t, nil
}

// LicenceCount is how many documents, or parts of other kinds, are rated alike.
type LicenceCount struct {
	N      int
	Rating // without Doc and Evidence
}

// CountLicences counts ratings by data set, part, licence, class and reason, in that order.
func CountLicences(ratings []Rating) []LicenceCount {
	type key struct{ set, part, spdx, class, reason string }
	at := map[key]*LicenceCount{}
	for _, r := range ratings {
		k := key{r.Dataset, r.Part, r.SPDX, r.Class, r.Reason}
		if at[k] == nil {
			r.Doc, r.Evidence = "", ""
			at[k] = &LicenceCount{Rating: r}
		}
		at[k].N++
	}
	var out []LicenceCount
	for _, k := range slices.SortedFunc(maps.Keys(at), func(a, b key) int {
		return cmp.Or(cmp.Compare(a.set, b.set), cmp.Compare(a.part, b.part), cmp.Compare(a.spdx, b.spdx), cmp.Compare(a.class, b.class), cmp.Compare(a.reason, b.reason))
	}) {
		out = append(out, *at[k])
	}
	return out
}
