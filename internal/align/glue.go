package align

import (
	"sort"
	"strings"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
)

// cutGlued cuts words of s that the other side writes as several, so that both sides have the same
// pieces. Words are looked for on the same page and the two beside it.
func (s *side) cutGlued(other *side, p edb.Parsed, whole bool, d *dictionary) {
	cuts := map[int][]int32{} // token -> tokens of other that it is made of
	if whole {
		find(s, 0, len(s.toks), other, 0, len(other.toks), cuts)
	} else {
		for i, pg := range s.pages {
			from, to := len(other.toks), 0
			for n := pg.number - 1; n <= pg.number+1; n++ {
				if o, ok := other.page(n); ok {
					from, to = min(from, o.from), max(to, o.to)
				}
			}
			if from < to {
				find(s, s.pages[i].from, s.pages[i].to, other, from, to, cuts)
			}
		}
	}
	if len(cuts) > 0 {
		s.apply(cuts, other, p, d)
	}
}

// minGlued is the least number of characters of a word that may be cut; a word of digits alone
// needs minGluedDigits, since numbers in a table stand beside each other by chance.
const minGlued, minGluedDigits = 4, 8

func find(s *side, from, to int, other *side, ofrom, oto int, cuts map[int][]int32) {
	var unknown []int
	vocabulary := make(map[string]struct{}, oto-ofrom)
	for _, r := range other.raw[ofrom:oto] {
		vocabulary[r] = struct{}{}
	}
	for i := from; i < to; i++ {
		r := s.raw[i]
		if len(r) < minGlued || allDigits(r) && len(r) < minGluedDigits {
			continue
		}
		if _, known := vocabulary[r]; !known {
			unknown = append(unknown, i)
		}
	}
	if len(unknown) == 0 {
		return
	}
	stream := strings.Join(other.raw[ofrom:oto], "")
	starts := make([]int, 0, oto-ofrom+1) // where each token starts in the stream; the last is its length
	at := 0
	heads := make(map[string][]int32, oto-ofrom)
	for i, r := range other.raw[ofrom:oto] {
		starts = append(starts, at)
		if at+minGlued <= len(stream) {
			h := stream[at : at+minGlued]
			if len(heads[h]) < 256 {
				heads[h] = append(heads[h], int32(i))
			}
		}
		at += len(r)
	}
	starts = append(starts, at)
	for _, i := range unknown {
		r := s.raw[i]
		for _, h := range heads[r[:minGlued]] {
			if !strings.HasPrefix(stream[starts[h]:], r) {
				continue
			}
			end := sort.SearchInts(starts, starts[h]+len(r))
			if end >= len(starts) || starts[end] != starts[h]+len(r) || end-int(h) < 2 {
				continue
			}
			var parts []int32
			for k := int(h); k < end; k++ {
				parts = append(parts, int32(ofrom+k))
			}
			cuts[i] = parts
			break
		}
	}
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// apply replaces the tokens of cuts by their pieces.
func (s *side) apply(cuts map[int][]int32, other *side, p edb.Parsed, d *dictionary) {
	toks := make([]token, 0, len(s.toks)+4*len(cuts))
	raw := make([]string, 0, cap(toks))
	moved := make([]int, len(s.toks)+1) // old index -> new index
	page := 0
	var text []rune
	textOf := -1
	for i, t := range s.toks {
		moved[i] = len(toks)
		parts, ok := cuts[i]
		if !ok {
			toks, raw = append(toks, t), append(raw, s.raw[i])
			continue
		}
		for page < len(s.pages)-1 && i >= s.pages[page].to {
			page++
		}
		if textOf != page {
			text, textOf = []rune(p.Pages[page].Text()), page
		}
		ends := pieceEnds(text[t.start:t.end], parts, other)
		at := t.start
		for k, o := range parts {
			piece := t
			ot := other.toks[o]
			piece.key, piece.number = ot.key, ot.number
			piece.start, piece.end = at, t.start+ends[k]
			piece.share = t.share * float32(len(other.raw[o])) / float32(len(s.raw[i]))
			at = piece.end
			toks, raw = append(toks, piece), append(raw, other.raw[o])
		}
	}
	moved[len(s.toks)] = len(toks)
	for i := range s.pages {
		s.pages[i].from, s.pages[i].to = moved[s.pages[i].from], moved[s.pages[i].to]
	}
	for i := range s.blocks {
		s.blocks[i].from, s.blocks[i].to = moved[s.blocks[i].from], moved[s.blocks[i].to]
	}
	s.toks, s.raw = toks, raw
}

// pieceEnds says after which code point of a glued word each piece ends.
func pieceEnds(word []rune, parts []int32, other *side) []int32 {
	ends := make([]int32, len(parts))
	k, need, have := 0, len(other.raw[parts[0]]), 0
	for i, r := range word {
		if r < utf8.RuneSelf {
			if lettersAndDigits(string(r)) != "" {
				have++
			}
		} else {
			have += len(lettersAndDigits(tokens.Key(string(r))))
		}
		for k < len(parts) && have >= need {
			ends[k] = int32(i + 1)
			if k++; k < len(parts) {
				need += len(other.raw[parts[k]])
			}
		}
	}
	for ; k < len(parts); k++ {
		ends[k] = int32(len(word))
	}
	ends[len(ends)-1] = int32(len(word))
	return ends
}
