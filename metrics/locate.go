package metrics

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"enterprisedocbench/internal/tokens"
	"enterprisedocbench/internal/vec"
)

const (
	enough    = .8 // least similarity of a text and the place where it is said to stand
	keyLength = 64 // code points of a text that are looked for
	maxPlaces = 64 // places of one text that are considered, in order
)

// numbering is what may stand before a heading: "3", "2.1.", "IV.", "A.1", marks of Markdown.
var numbering = regexp.MustCompile(`^(?:#+\s*)?(?:(?:\d+|[IVX]+|[A-Z])(?:\.\d+)*\.?\s+)?`)

func bare(s string) string {
	if t := s[len(numbering.FindString(s)):]; t != "" {
		return t
	}
	return s
}

// HeadingText is the form in which headings are compared: normalised, without numbering.
func HeadingText(s string) string { return bare(tokens.Normalize(s)) }

// haystack is a text ready for searching: its lines normalised and joined by one blank.
type haystack struct {
	text  string
	runes []rune
	lines []span // of each line, in code points
	bare  []string
}

type span struct{ start, end int }

// foundAt is a place with the similarity of the text to what stands there.
type foundAt struct {
	span
	similarity float64
}

func newHaystack(text string) *haystack {
	h := &haystack{}
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		line = tokens.Normalize(line)
		if line == "" {
			continue
		}
		if len(h.runes) > 0 {
			h.runes = append(h.runes, ' ')
			b.WriteByte(' ')
		}
		start := len(h.runes)
		h.runes = append(h.runes, []rune(line)...)
		b.WriteString(line)
		h.lines = append(h.lines, span{start, len(h.runes)})
		h.bare = append(h.bare, bare(line))
	}
	h.text = b.String()
	return h
}

// places lists where a text may stand, in order of their start: whole lines similar to it (with or
// without numbering), or else stretches of the text. Texts are cut to their first 64 code points.
func (h *haystack) places(text string) []foundAt {
	key := tokens.Normalize(text)
	if key == "" {
		return nil
	}
	rs := []rune(key)
	var out []foundAt
	if len(rs) <= 4*keyLength {
		naked := bare(key)
		for i, l := range h.lines {
			if s := max(similarity(h.bare[i], naked), similarity(string(h.runes[l.start:l.end]), key)); s >= enough {
				out = append(out, foundAt{l, s})
			}
		}
		if out != nil {
			return out[:min(len(out), maxPlaces)]
		}
	}
	if len(rs) > keyLength {
		rs = rs[:keyLength]
	}
	if out = h.exact(string(rs), len(rs)); out != nil {
		return out
	}
	limit := int(float64(len(rs)) * (1 - enough))
	for _, p := range vec.Find(rs, h.runes, limit) {
		out = append(out, foundAt{span{max(0, p.End-len(rs)), p.End}, 1 - float64(p.Distance)/float64(len(rs))})
	}
	return out[:min(len(out), maxPlaces)]
}

// similarity is the edit similarity, or 0 where the lengths alone show it to be small.
func similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	la, lb := len(a), len(b) // bytes bound the code points closely enough to spare most comparisons
	if d := max(la-lb, lb-la); d > max(la, lb)/2 {
		return 0
	}
	return vec.Similarity(a, b)
}

// exact lists the verbatim occurrences that begin and end at the border of a word.
func (h *haystack) exact(key string, n int) (out []foundAt) {
	at, runesBefore := 0, 0
	for len(out) < maxPlaces {
		i := strings.Index(h.text[at:], key)
		if i < 0 {
			break
		}
		runesBefore += utf8.RuneCountInString(h.text[at : at+i])
		at += i
		start := runesBefore
		if (start == 0 || h.runes[start-1] == ' ' || n == keyLength) && (start+n == len(h.runes) || !unicode.In(h.runes[start+n], unicode.L, unicode.N) || n == keyLength) {
			out = append(out, foundAt{span{start, start + n}, 1})
		}
		runesBefore += utf8.RuneCountInString(h.text[at : at+len(key)])
		at += len(key)
	}
	return out
}

// locate finds each text in the haystack: the number of its place in reading order, or -1.
//
// Every place serves one text. First each text is held to the places most similar to it, and of
// all ways to place as many as possible one is taken that begins with the longest run in order (the
// longest chain of texts and places that both rise, then augmenting paths); texts left over may
// then take any of their places, and move others among theirs.
func locate(texts []string, h *haystack) []int {
	var spots []span
	number := map[span]int{}
	memo := map[string][]foundAt{}
	for _, t := range texts {
		if _, seen := memo[t]; seen {
			continue
		}
		memo[t] = h.places(t)
		for _, p := range memo[t] {
			if _, ok := number[p.span]; !ok {
				number[p.span] = 0
				spots = append(spots, p.span)
			}
		}
	}
	slices.SortFunc(spots, func(a, b span) int { return cmp.Or(a.start-b.start, a.end-b.end) })
	for i, p := range spots {
		number[p] = i
	}
	all, best := make([][]int, len(texts)), make([][]int, len(texts))
	for i, t := range texts {
		top := 0.0
		for _, p := range memo[t] {
			top = max(top, p.similarity)
		}
		for _, p := range memo[t] {
			all[i] = append(all[i], number[p.span])
			if p.similarity == top {
				best[i] = append(best[i], number[p.span])
			}
		}
		slices.Sort(all[i])
		slices.Sort(best[i])
	}
	place := chain(best)
	owner := make([]int, len(spots))
	for i := range owner {
		owner[i] = -1
	}
	for i, p := range place {
		if p >= 0 {
			owner[p] = i
		}
	}
	for _, choice := range [][][]int{best, all} {
		for i := range place {
			if place[i] < 0 {
				augment(i, choice, place, owner, make([]bool, len(spots)))
			}
		}
	}
	return place
}

// chain gives the longest sequence of texts with rising places: patience sorting, the places of one
// text tried from the last to the first so that it takes only one.
func chain(all [][]int) []int {
	type link struct{ text, place, before int }
	var links []link
	var tails []int // index in links of the best end of each length
	for i, ps := range all {
		for k := len(ps) - 1; k >= 0; k-- {
			p := ps[k]
			at, _ := slices.BinarySearchFunc(tails, p, func(l, p int) int { return links[l].place - p })
			before := -1
			if at > 0 {
				before = tails[at-1]
			}
			links = append(links, link{i, p, before})
			if at == len(tails) {
				tails = append(tails, len(links)-1)
			} else {
				tails[at] = len(links) - 1
			}
		}
	}
	out := make([]int, len(all))
	for i := range out {
		out[i] = -1
	}
	if len(tails) > 0 {
		for l := tails[len(tails)-1]; l >= 0; l = links[l].before {
			out[links[l].text] = links[l].place
		}
	}
	return out
}

func augment(i int, all [][]int, place, owner []int, seen []bool) bool {
	for _, p := range all[i] {
		if seen[p] {
			continue
		}
		seen[p] = true
		if owner[p] < 0 || augment(owner[p], all, place, owner, seen) {
			place[i], owner[p] = p, i
			return true
		}
	}
	return false
}
