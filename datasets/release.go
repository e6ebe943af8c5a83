package datasets

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Release says whether documents, and the annotations of their datasets, can be passed on together as one
// dataset, and under what.
//
// The whole is taken as one work that is made of its parts, since gold, questions and passages are
// made of the documents. That is the careful reading; a lawyer may allow more.
type Release struct {
	Commercial bool `json:"commercial"` // asked for: the release may be used for money
	// LeaveOut are the documents and annotations without which the rest can be released, sorted; empty where all can.
	LeaveOut []Blocked `json:"leave_out"`
	// Of what is left:
	Documents    int    `json:"documents"`
	Annotations  int    `json:"annotations"`           // datasets with their annotations
	ForMoney     bool   `json:"for_money"`             // the whole may be used commercially
	Attribution  bool   `json:"attribution"`           // the makers must be named
	ShareAlike   string `json:"share_alike,omitempty"` // what is made of it must stand under this
	NoDerivative int    `json:"no_derivatives"`        // documents that may be passed on as they are only
}

// Blocked is a document, or the annotations of a dataset, that stands in the way of a release.
type Blocked struct {
	Dataset string `json:"dataset"`
	Doc     string `json:"doc,omitempty"`
	Part    string `json:"part,omitempty"` // PartAnnotations where it is no document
	SPDX    string `json:"spdx"`
	Reason  string `json:"reason"`
}

// CheckRelease looks for documents and annotations that keep the rest from being released, for commercial use where
// commercial is set. Of two groups whose licences exclude each other the smaller is named.
func CheckRelease(ratings []Rating, commercial bool) Release {
	rel := Release{Commercial: commercial, LeaveOut: []Blocked{}}
	left := rel.filter(ratings, func(r Rating) string { return r.blocked(commercial) })
	left = rel.oneFamily(left)
	left = rel.besideShareAlike(left)
	slices.SortStableFunc(rel.LeaveOut, func(a, b Blocked) int {
		return cmp.Or(cmp.Compare(a.Dataset, b.Dataset), cmp.Compare(a.Part, b.Part), cmp.Compare(a.Doc, b.Doc))
	})
	rel.ForMoney = len(left) > 0
	for _, r := range left {
		if r.Part == PartAnnotations {
			rel.Annotations++
		} else {
			rel.Documents++
		}
		rel.ForMoney = rel.ForMoney && r.Commercial
		rel.Attribution = rel.Attribution || r.Attribution
		if len(r.ShareAlike) > 0 {
			rel.ShareAlike = r.ShareAlike[0]
		}
		if !r.Derivatives {
			rel.NoDerivative++
		}
	}
	return rel
}

// filter keeps the ratings for which why is empty and notes the others.
func (rel *Release) filter(ratings []Rating, why func(Rating) string) []Rating {
	var left []Rating
	for _, r := range ratings {
		if reason := why(r); reason != "" {
			rel.LeaveOut = append(rel.LeaveOut, Blocked{r.Dataset, r.Doc, r.Part, r.SPDX, reason})
			continue
		}
		left = append(left, r)
	}
	return left
}

// blocked says why a document cannot be released in any company, or "".
func (r Rating) blocked(commercial bool) string {
	switch {
	case r.Class == ClassRefuse:
		return r.Reason
	case r.Evidence == "":
		return cmp.Or(r.Reason, "licence.evidence is missing")
	case !r.Redistribute:
		return cmp.Or(r.Reason, "no redistribution")
	case commercial && !r.Commercial:
		return "no commercial use"
	case !r.Derivatives && r.gold:
		return "no derivatives, and its gold is one"
	case len(r.ShareAlike) > 1:
		return "its own parts must be shared under " + oneAnd(r.ShareAlike) + ", which exclude each other"
	}
	return ""
}

// oneFamily leaves the documents of one share-alike licence, the one with most.
func (rel *Release) oneFamily(ratings []Rating) []Rating {
	count := map[string]int{}
	for _, r := range ratings {
		for _, f := range r.ShareAlike {
			count[f]++
		}
	}
	if len(count) < 2 {
		return ratings
	}
	families := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	return rel.filter(ratings, func(r Rating) string {
		if len(r.ShareAlike) == 0 || r.ShareAlike[0] == families[0] {
			return ""
		}
		return fmt.Sprintf("must be shared under %s, %d of the others under %s", r.ShareAlike[0], count[families[0]], families[0])
	})
}

// besideShareAlike parts the documents of a share-alike licence from those that cannot be put under it:
// the smaller group is left out.
func (rel *Release) besideShareAlike(ratings []Rating) []Rating {
	var family string
	shared := 0
	for _, r := range ratings {
		if len(r.ShareAlike) > 0 {
			family = r.ShareAlike[0]
			shared++
		}
	}
	if shared == 0 {
		return ratings
	}
	allowsNC := strings.Contains(family, "-NC")
	excluded := func(r Rating) string {
		switch {
		case len(r.ShareAlike) > 0:
			return ""
		case !r.Derivatives:
			return "no derivatives"
		case !r.Commercial && !allowsNC:
			return "no commercial use"
		}
		return ""
	}
	against := 0
	for _, r := range ratings {
		if excluded(r) != "" {
			against++
		}
	}
	if against == 0 {
		return ratings
	}
	return rel.filter(ratings, func(r Rating) string {
		no := excluded(r)
		switch {
		case no != "" && against <= shared:
			return fmt.Sprintf("%s, but %d of the others must be shared under %s", no, shared, family)
		case len(r.ShareAlike) > 0 && shared < against:
			return fmt.Sprintf("must be shared under %s, which %d of the others exclude", family, against)
		}
		return ""
	})
}
