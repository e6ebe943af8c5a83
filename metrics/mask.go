package metrics

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"enterprisedocbench"
)

// What gold may declare as left out on both sides (Parsed.Mask).
const (
	MaskFormula     = "formula"      // formulas, as elements and as $...$ markup
	MaskCitation    = "citation"     // bibliography keys [@key], and what they are printed as: (Name, 2020)
	MaskReferences  = "references"   // the list of references: from its heading to the next heading of no greater depth
	MaskLineNumbers = "line-numbers" // numbers of the lines in the margin of a draft
	MaskOtherPages  = "other-pages"  // pages that the gold does not list, where it is annotated by page
	MaskHeadings    = "headings"     // headings that the gold does not list: it has only some of them
	MaskOrder       = "order"        // the order of the text: the gold's elements stand in none
)

// unmeasured are the measures, by their keys without parameters, that have no meaning where a mask leaves
// out what they look at.
var unmeasured = map[string][]string{
	MaskHeadings: {"parse.heading_f1", "parse.heading_precision", "parse.heading_tree", "parse.mhs"},
	MaskOrder:    {"parse.tis", "parse.lf", "parse.order", "parse.heading_tree", "parse.entity_recall", "parse.nid", "parse.mhs"},
}

// leftOut says why a measure cannot be had under a mask; "" where it can.
func leftOut(key string, mask []string) string {
	switch {
	case slices.Contains(mask, MaskHeadings) && slices.Contains(unmeasured[MaskHeadings], key):
		return "the gold lists only some of the headings"
	case slices.Contains(mask, MaskOrder) && slices.Contains(unmeasured[MaskOrder], key):
		return "the gold does not know the order of the text"
	}
	return ""
}

var (
	formulaMarkup = regexp.MustCompile(`(?s)\$\$.+?\$\$|\\\[.+?\\\]|\\\(.+?\\\)|\$[^\s$](?:[^$\n]{0,300}?[^\s$\\])?\$`)
	citationKey   = regexp.MustCompile(`\[[^\[\]]{0,60}@[A-Za-z0-9_][^\[\]]{0,600}\]|(^|[\s(])-?@[A-Za-z0-9_][\w:.#$%&+?<>~/-]*\w`)
	citationPrint = regexp.MustCompile(`\(\s*(?:(?:e\.g\.|i\.e\.|see|cf\.),?\s+)?\p{Lu}[^()]{1,300}?,?\s(?:(?:19|20)\d{2}[a-z]?|n\.d\.)(?:[,;][^()]{0,600})?\)`)
	referenceHead = regexp.MustCompile(`(?i)^\s*(?:#+\s*)?(?:(?:\d+|[IVX]+)\.?\s+)?(?:references|bibliography|literature cited|works cited|literaturverzeichnis)\s*:?\s*$`)
)

// Masked is a parse without what mask names; the same is done to gold and prediction, so that text
// which only one of them can have does not count. The argument is not changed. Unknown names are
// ignored.
func Masked(p edb.Parsed, mask []string) edb.Parsed {
	if len(mask) == 0 {
		return p
	}
	out := p
	out.Pages = make([]edb.Page, len(p.Pages))
	for i, pg := range p.Pages {
		out.Pages[i] = pg
		out.Pages[i].Elements = slices.Clone(pg.Elements)
	}
	has := func(name string) bool { return slices.Contains(mask, name) }
	if has(MaskReferences) {
		dropReferences(&out)
	}
	if has(MaskLineNumbers) {
		dropLineNumbers(&out)
	}
	eachText(&out, func(e *edb.Element) {
		if has(MaskFormula) {
			if e.Kind == edb.KindFormula {
				e.Text = ""
				return
			}
			e.Text = formulaMarkup.ReplaceAllString(e.Text, "")
		}
		if has(MaskCitation) {
			e.Text = citationKey.ReplaceAllString(e.Text, "$1")
			e.Text = citationPrint.ReplaceAllString(e.Text, "")
		}
	})
	return out
}

// sharedPages is pred without the pages that gold does not list, if gold says that it leaves them out
// and has pages at all.
func sharedPages(pred, gold edb.Parsed) edb.Parsed {
	if !gold.Paged || !pred.Paged || !slices.Contains(gold.Mask, MaskOtherPages) {
		return pred
	}
	listed := map[int]bool{}
	for _, pg := range gold.Pages {
		listed[pg.Number] = true
	}
	out := pred
	out.Pages = slices.DeleteFunc(slices.Clone(pred.Pages), func(pg edb.Page) bool { return !listed[pg.Number] })
	return out
}

func eachText(p *edb.Parsed, f func(e *edb.Element)) {
	for i := range p.Pages {
		for j := range p.Pages[i].Elements {
			if e := &p.Pages[i].Elements[j]; !e.Artifact() && e.Text != "" {
				f(e)
			}
		}
	}
}

// dropReferences empties the elements from the last heading of the references on, up to the next
// heading of the same or a smaller known level. A heading may be an element of its own, or a line
// of one where the parser joined them.
func dropReferences(p *edb.Parsed) {
	last, n := -1, 0
	eachText(p, func(e *edb.Element) {
		if slices.ContainsFunc(splitLines(e.Text), referenceHead.MatchString) {
			last = n
		}
		n++
	})
	if last < 0 {
		return
	}
	n = 0
	level, dropping := 0, false
	eachText(p, func(e *edb.Element) {
		switch {
		case n == last:
			dropping = true
			if e.Kind == edb.KindHeading {
				level = e.Level
			}
			lines := splitLines(e.Text)
			at := slices.IndexFunc(lines, referenceHead.MatchString)
			e.Text = strings.Join(lines[:at], "\n")
		case dropping && e.Kind == edb.KindHeading && level > 0 && e.Level > 0 && e.Level <= level:
			dropping = false
		case dropping:
			e.Text = ""
		}
		n++
	})
}

// dropLineNumbers takes away the numbers of a rising count through the whole text, one a line,
// where there are at least 20 and few are missing. Genuine numbers that fall in with the count go
// too; a text without a count loses nothing.
func dropLineNumbers(p *edb.Parsed) {
	count := func(change bool) (found, next int) {
		next = 1
		eachText(p, func(e *edb.Element) {
			if e.Kind == edb.KindTable {
				return
			}
			lines := splitLines(e.Text)
			for l, line := range lines {
				words := strings.Fields(line)
				kept := words[:0:0]
				for _, w := range words {
					if v, err := strconv.Atoi(w); err == nil && v >= next && v <= next+2 && len(w) == len(strconv.Itoa(v)) {
						found++
						next = v + 1
						continue
					}
					kept = append(kept, w)
				}
				if change && len(kept) < len(words) {
					lines[l] = strings.Join(kept, " ")
				}
			}
			if change {
				lines = slices.DeleteFunc(lines, func(s string) bool { return s == "" })
				e.Text = strings.Join(lines, "\n")
			}
		})
		return found, next
	}
	if found, next := count(false); found >= 20 && float64(found) >= .7*float64(next-1) {
		count(true)
	}
}
