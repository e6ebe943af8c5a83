package parse

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/caption"
)

var (
	numbered = regexp.MustCompile(`^(?:(\d+(?:\.\d+)*)\.?|([A-Z])\.|([IVX]+)\.)\s+\p{Lu}`)
	bullet   = regexp.MustCompile(`^(?:[•▪‣◦●○■–—*]|\(?[a-z0-9]{1,2}\)|[-])\s+\S`)
)

// pageElements makes the elements of one page, artifacts left out.
func pageElements(pg *rawPage, rows []row, body float64, hyphens map[string]bool) []edb.Element {
	var out []edb.Element
	for _, reg := range columns(rows, pg.width, 0) {
		out = append(out, regionElements(pg, reg.rows, body, hyphens)...)
	}
	out = append(out, asideElements(pg, body, hyphens)...)
	figs := figures(pg, out)
	out = withFigures(out, figs)
	footnotes(pg, out)
	return captions(out)
}

// footnoteStart is the mark of a footnote: a number or sign set before its first word.
var footnoteStart = regexp.MustCompile(`^(?:\d{1,3}|[*†‡§¶]+|\[\d{1,3}\])\s?[\p{L}“"'(]`)

// footnotes marks small paragraphs that begin with a footnote's mark and stand in the lower half
// of the page with nothing but others like them below in their column.
func footnotes(pg *rawPage, els []edb.Element) {
	var heights []float64
	height := func(e edb.Element) float64 { return e.Lines[0].Box[3] - e.Lines[0].Box[1] }
	for _, e := range els {
		if e.Kind == edb.KindParagraph && len(e.Lines) > 0 {
			heights = append(heights, height(e))
		}
	}
	if len(heights) == 0 {
		return
	}
	slices.Sort(heights)
	body := heights[len(heights)/2]
	for i := len(els) - 1; i >= 0; i-- {
		e := &els[i]
		if e.Kind != edb.KindParagraph && e.Kind != edb.KindListItem || len(e.Lines) == 0 || e.Box[1] < 0.5*pg.height ||
			height(*e) > 0.92*body || !footnoteStart.MatchString(e.Text) {
			continue
		}
		last := true
		for j, o := range els {
			if j != i && o.Box != nil && o.Kind != edb.KindFootnote && o.Box[1] > e.Box[3]-2 && o.Box[0] < e.Box[2] && o.Box[2] > e.Box[0] {
				last = false
			}
		}
		if last {
			e.Kind = edb.KindFootnote
		}
	}
}

func regionElements(pg *rawPage, rows []row, body float64, hyphens map[string]bool) []edb.Element {
	var out []edb.Element
	at := 0
	flush := func(to int) {
		for at < to {
			k := at
			for k < to && rows[k].table() == nil {
				k++
			}
			out = append(out, textBlocks(rows[at:k], body, hyphens)...)
			if k < to {
				var rest []segment
				for _, s := range rows[k].segs {
					if s.table != nil {
						out = append(out, s.table.element())
					} else {
						rest = append(rest, s)
					}
				}
				out = append(out, textBlocks(rowsOf(rest), body, hyphens)...)
				k++
			}
			at = k
		}
	}
	for _, g := range tables(pg, rows) {
		flush(g.from)
		out = append(out, g.element())
		at = g.to
	}
	flush(len(rows))
	return out
}

// table is a found table that stands in the row, nil if none does.
func (r row) table() *grid {
	for _, s := range r.segs {
		if s.table != nil {
			return s.table
		}
	}
	return nil
}

// textBlocks groups lines into paragraphs, headings, list items and captions.
func textBlocks(rows []row, body float64, hyphens map[string]bool) []edb.Element {
	if len(rows) == 0 {
		return nil
	}
	left, right := math.Inf(1), math.Inf(-1)
	var gaps []float64
	var lines []segment
	for i, r := range rows {
		s := segment{box: r.box}
		for _, x := range r.segs {
			s.words = append(s.words, x.words...)
		}
		lines = append(lines, s)
		left, right = min(left, s.box[0]), max(right, s.box[2])
		if i > 0 {
			gaps = append(gaps, s.box[1]-lines[i-1].box[1])
		}
	}
	items := counted(lines)
	leading := 1.25 * lines[0].height()
	if len(gaps) > 0 {
		slices.Sort(gaps)
		leading = gaps[len(gaps)/3]
	}
	var out []edb.Element
	for i := 0; i < len(lines); {
		j := i + 1
		for j < len(lines) && !items[j] && !breaks(lines[i:j], lines[j], left, right, leading, body) {
			j++
		}
		e := textBlock(lines[i:j], left, right, body, hyphens)
		if items[i] && e.Kind == edb.KindParagraph {
			e.Kind = edb.KindListItem
		}
		out = append(out, e)
		i = j
	}
	return out
}

// itemNumber is how an item of a numbered list begins.
var itemNumber = regexp.MustCompile(`^\(?(\d{1,3})[.)]\s+\S`)

// counted finds the lines that begin items of numbered lists: they count up by one, from 1 or another
// number, and stand at the same left edge.
func counted(lines []segment) []bool {
	out := make([]bool, len(lines))
	last, number := -1, 0
	for i, l := range lines {
		m := itemNumber.FindStringSubmatch(l.text())
		if m == nil {
			continue
		}
		n, _ := strconv.Atoi(m[1])
		// "10." may begin a little further left than "9."
		if last >= 0 && n == number+1 && math.Abs(l.box[0]-lines[last].box[0]) < 0.8*max(l.height(), 4) {
			out[last], out[i] = true, true
		}
		if last < 0 || n == number+1 || n == 1 {
			last, number = i, n
		}
	}
	return out
}

// breaks says whether the next line begins a new block.
func breaks(block []segment, next segment, left, right, leading, body float64) bool {
	prev := block[len(block)-1]
	size := max(prev.height(), 4)
	a, b := prev.font(), next.font()
	apart := max(1.45*leading, 1.0*leading+0.55*size)
	if body > 0 && a.size > 1.12*body && math.Abs(a.size-b.size) < 0.02*a.size {
		apart = max(apart, 1.5*a.size) // a title of two lines has a leading of its own
	}
	if step := next.box[1] - prev.box[1]; step > apart || step > 2.4*size {
		return true
	}
	if math.Abs(a.size-b.size) > 0.12*max(a.size, 1) && math.Abs(prev.height()-next.height()) > 0.1*size {
		return true
	}
	if allBold(prev) != allBold(next) || numberedHead(block[0]) && emphasis(next) != emphasis(block[0]) {
		return true
	}
	t := next.text()
	if bullet.MatchString(t) || caption.Marked(t) || numberedHead(next) {
		return true
	}
	pt := prev.text()
	// Where a sentence ends, a little more room is enough; a superscript makes it on one side only.
	ends := pt != "" && strings.ContainsAny(pt[len(pt)-1:], ".:;?!")
	if step := min(next.box[1]-prev.box[1], next.box[3]-prev.box[3]); ends && step > leading+0.4*size {
		return true
	}
	short := prev.box[2] < right-0.12*(right-left)
	if short && ends {
		return true
	}
	indent := next.box[0] - block[0].box[0]
	return len(block) > 1 && next.box[0]-prev.box[0] > 0.9*size && indent > 0.9*size && prev.box[0]-left < 0.5*size
}

func allBold(s segment) bool {
	for _, w := range s.words {
		if !w.font.bold {
			return false
		}
	}
	return true
}

func textBlock(lines []segment, left, right, body float64, hyphens map[string]bool) edb.Element {
	e := edb.Element{Kind: edb.KindParagraph}
	box := lines[0].box
	var texts []string
	for _, l := range lines {
		box = union(box, l.box)
		t := l.text()
		texts = append(texts, t)
		e.Lines = append(e.Lines, edb.Line{Text: t, Box: roundBox(l.box)})
	}
	e.Box = roundBox(box)
	e.Text = joinLines(texts, hyphens)
	f := lines[0].font()
	n := utf8.RuneCountInString(e.Text)
	letters := strings.IndexFunc(e.Text, func(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0x7f }) >= 0
	large := body > 0 && f.size > 1.12*body
	bold := allBold(lines[0]) && allBold(lines[len(lines)-1]) && (f.size > 0.92*body || f.size > 0.85*body && centred(lines, left, right))
	plain := !large && !bold && f.size > 0.92*body && plainHeading(lines, left, right)
	endsLikeText := strings.HasSuffix(e.Text, ".") && !numbered.MatchString(e.Text) || strings.HasSuffix(e.Text, ",") || strings.HasSuffix(e.Text, ":") && !large
	switch {
	case caption.Marked(e.Text) || caption.Opened(e.Text) && (f.size < 0.97*body || bold) && n < 400:
		e.Kind = edb.KindCaption
	case letters && n <= 160 && len(lines) <= 3 && (large || bold || plain) && !endsLikeText:
		e.Kind = edb.KindHeading
		e.Level = -int(math.Round(f.size * 10)) // a size for now; levels turns sizes into levels
	case bullet.MatchString(e.Text):
		e.Kind = edb.KindListItem
	}
	return e
}

// levels turns the sizes of headings into levels: the numbering decides where there is one, else
// the rank of the size among the document's headings.
func levels(p *edb.Parsed) {
	order := headingSizes(*p)
	slices.SortFunc(order, func(a, b float64) int { return compare(b, a) })
	above := aboveNumbers(*p)
	for i := range p.Pages {
		for j := range p.Pages[i].Elements {
			e := &p.Pages[i].Elements[j]
			if e.Level >= 0 {
				continue
			}
			size := float64(-e.Level) / 10
			rank := 1
			for k, s := range order {
				if s >= size-0.25 {
					rank = k + 1
				}
			}
			if m := numbered.FindStringSubmatch(e.Text); m != nil && m[1] != "" {
				rank = above + strings.Count(m[1], ".") + 1
			}
			e.Level = min(rank, 6)
		}
	}
}

// aboveNumbers is how many levels stand above the headings with numbers: 1 where a larger heading without one
// stands before them all, the document's title, else 0. Levels are sizes still.
func aboveNumbers(p edb.Parsed) int {
	title, largest := 0, 0
	for _, pg := range p.Pages {
		for _, e := range pg.Elements {
			if e.Level >= 0 {
				continue
			}
			if m := numbered.FindStringSubmatch(e.Text); m != nil && m[1] != "" {
				largest = max(largest, -e.Level)
			} else if largest == 0 {
				title = max(title, -e.Level)
			}
		}
	}
	if largest > 0 && float64(title) > 1.02*float64(largest) {
		return 1
	}
	return 0
}
