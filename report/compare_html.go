package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"

	"enterprisedocbench/study"
)

//go:embed compare.html
var comparisonSource string

// ComparisonPage writes the differences as a page that needs no other file: a forest plot and the
// table of each pair of pipelines. Foreign text is escaped, never rendered.
func ComparisonPage(w io.Writer, c *study.Comparison) error {
	t, err := template.New("compare").Parse(comparisonSource)
	if err != nil {
		return err
	}
	type row struct {
		Cells   []string
		Verdict string
	}
	type pair struct {
		Baseline, Candidate string
		SVG                 template.HTML
		Head                []string
		Rows                []row
	}
	var out []pair
	for _, p := range comparedPairs(c) {
		var ds []study.Difference
		for _, d := range c.Differences {
			if d.Baseline == p[0] && d.Candidate == p[1] {
				ds = append(ds, d)
			}
		}
		table := differenceRows(c, p)
		x := pair{Baseline: p[0], Candidate: p[1], SVG: differenceForest(c, ds), Head: table[0]}
		for i, cells := range table[1:] {
			x.Rows = append(x.Rows, row{cells, verdictClass(ds[i])})
		}
		out = append(out, x)
	}
	names := map[string]bool{}
	var title []string
	for _, r := range c.Runs {
		if !names[r.Dataset] {
			names[r.Dataset] = true
			title = append(title, r.Dataset)
		}
	}
	_, style, _ := strings.Cut(pageSource, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	return t.Execute(w, map[string]any{"C": c, "Title": strings.Join(title, ", "), "Style": template.CSS(style), // ours, from page.html
		"Pairs": out, "Parsing": parsingRows(c), "Notes": comparisonNotes(c)})
}

// verdictClass colours what is decided.
func verdictClass(d study.Difference) string {
	if d.Verdict == study.Better || d.Verdict == study.Worse {
		return d.Verdict
	}
	return ""
}

// differenceForest draws the differences of one pair as points with their intervals around 0, on an
// axis that holds all of them.
func differenceForest(c *study.Comparison, ds []study.Difference) template.HTML {
	const left, right, rowHeight, top = 230.0, 640.0, 24.0, 12.0
	var shown []study.Difference
	widest := 2 * c.Delta
	for _, d := range ds {
		if d.Value == nil || d.Verdict == study.NotTested {
			continue
		}
		shown = append(shown, d)
		for _, v := range []*float64{d.Value, d.Lo, d.Hi} {
			if v != nil {
				widest = max(widest, math.Abs(*v))
			}
		}
	}
	widest = min(1, math.Ceil(widest*20)/20)
	x := func(v float64) float64 { return left + (min(1, max(-1, v/widest))+1)/2*(right-left) }
	bottom := top + rowHeight*float64(len(shown))
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 830 %.0f" role="img" aria-label="differences with their intervals">`, bottom+26)
	fmt.Fprintf(&b, `<rect class="band" x="%.1f" y="%.0f" width="%.1f" height="%.1f"/>`, x(-c.Delta), top, x(c.Delta)-x(-c.Delta), bottom-top)
	for i := range 5 {
		v := widest * (float64(i)/2 - 1)
		class := "grid"
		if i == 2 {
			class = "zero"
		}
		fmt.Fprintf(&b, `<line class="%s" x1="%.1f" y1="%.0f" x2="%.1f" y2="%.1f"/><text class="tick" x="%.1f" y="%.1f">%s</text>`,
			class, x(v), top, x(v), bottom+4, x(v), bottom+20, signed(&v, 3))
	}
	for i, d := range shown {
		y := top + rowHeight*(float64(i)+0.5)
		fmt.Fprintf(&b, `<text class="name" x="%.0f" y="%.1f">%s</text><g class="%s"><title>%s</title>`, left-12, y+4,
			template.HTMLEscapeString(shorten(differenceLabel(d), 34)), verdictClass(d), template.HTMLEscapeString(differenceName(d)+": "+d.Words))
		if d.Lo != nil && d.Hi != nil {
			fmt.Fprintf(&b, `<line class="bar" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, x(*d.Lo), y, x(*d.Hi), y)
		}
		fmt.Fprintf(&b, `<circle class="dot" cx="%.1f" cy="%.1f" r="5"/></g><text class="value" x="%.1f" y="%.1f">%s</text>`,
			x(*d.Value), y, right+14, y+4, template.HTMLEscapeString(shorten(d.Words, 28)))
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String()) // every foreign string in it was escaped above
}
