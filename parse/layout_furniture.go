package parse

import (
	"regexp"
	"strconv"
	"strings"

	"enterprisedocbench"
)

var (
	pageNumber = regexp.MustCompile(`^(?i)(?:page\s+)?[-–]?\s*(?:\d{1,4}|[ivxl]{1,6})\s*[-–]?(?:\s*(?:of|/)\s*\d{1,4})?$`)
	digits     = regexp.MustCompile(`\d+`)
)

// margin is the share of the page's height at top and bottom where furniture stands.
const margin = 0.09

// furniture takes headers, footers and page numbers out of the rows: lines in the margins that come
// again on other pages, digits aside, and page numbers that stand alone.
func furniture(pages []rawPage, rows [][]row, artifacts [][]edb.Element) {
	key := func(r row, top bool) string {
		var t []string
		for _, s := range r.segs {
			t = append(t, s.text())
		}
		k := "b"
		if top {
			k = "t"
		}
		return k + digits.ReplaceAllString(strings.ToLower(strings.Join(t, " ")), "#")
	}
	at := func(p rawPage, r row) (top, edge bool) {
		top = r.box[3] < margin*p.height
		return top, top || r.box[1] > (1-margin)*p.height
	}
	sequence := numberedPages(rows)
	same := map[string]int{} // how many pages have a text at their edge
	seen := map[string]int{}
	for i := range pages {
		once := map[string]bool{}
		for _, r := range rows[i] {
			if top, edge := at(pages[i], r); edge {
				if k := key(r, top); !once[k] {
					once[k] = true
					seen[k]++
				}
				for _, s := range r.segs {
					if t := s.text(); !once["="+t] {
						once["="+t] = true
						same[t]++
					}
				}
			}
		}
	}
	for i := range pages {
		kept := rows[i][:0]
		for k, r := range rows[i] {
			top, edge := at(pages[i], r)
			if k == sequence[i] {
				artifacts[i] = append(artifacts[i], edb.Element{Kind: edb.KindPageNumber, Text: r.segs[0].text(), Box: roundBox(r.box)})
				continue
			}
			if !edge {
				kept = append(kept, r)
				continue
			}
			var t []string
			for _, s := range r.segs {
				t = append(t, s.text())
			}
			text := strings.Join(t, " ")
			again := seen[key(r, top)] >= 2 && seen[key(r, top)]*4 >= len(pages)
			kind := edb.KindFooter
			switch {
			case pageNumber.MatchString(text):
				kind = edb.KindPageNumber
			case !again:
				kept = append(kept, r)
				continue
			case top:
				kind = edb.KindHeader
			}
			for _, part := range parts(r, same) {
				k := kind
				if pageNumber.MatchString(part.text()) {
					k = edb.KindPageNumber
				}
				artifacts[i] = append(artifacts[i], edb.Element{Kind: k, Text: part.text(), Box: roundBox(part.box)})
			}
		}
		rows[i] = kept
	}
}

// parts cuts a line of furniture where it ends, or begins, in a page number that stands apart: one that
// no other page has.
func parts(r row, same map[string]int) []segment {
	whole := segment{box: r.box}
	for _, s := range r.segs {
		whole.words = append(whole.words, s.words...)
	}
	last := len(r.segs) - 1
	for _, at := range []int{last, 0} {
		s := r.segs[at]
		if last == 0 || same[s.text()] > 1 || !pageNumber.MatchString(s.text()) {
			continue
		}
		rest := segment{}
		for k, o := range r.segs {
			if k == at {
				continue
			}
			if len(rest.words) == 0 {
				rest.box = o.box
			}
			rest.words, rest.box = append(rest.words, o.words...), union(rest.box, o.box)
		}
		return []segment{rest, s}
	}
	return []segment{whole}
}

// numberedPages finds page numbers that do not stand in the margin (pages made of web pages end
// where their text ends): the last row of a page, a number alone, that rises with the pages. The
// result is the row's index for each page, -1 for none.
func numberedPages(rows [][]row) []int {
	out := make([]int, len(rows))
	offset := make([]int, len(rows))
	count := map[int]int{}
	for i, rs := range rows {
		out[i] = -1
		if len(rs) < 2 || len(rs[len(rs)-1].segs) != 1 {
			continue
		}
		v, err := strconv.Atoi(rs[len(rs)-1].segs[0].text())
		if err != nil || v < 1 || v > 9999 {
			continue
		}
		out[i], offset[i] = len(rs)-1, v-i
		count[offset[i]]++
	}
	for i := range out {
		if n := count[offset[i]]; n < 3 || n*5 < len(rows) {
			out[i] = -1
		}
	}
	return out
}
