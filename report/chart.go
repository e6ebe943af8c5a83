package report

import (
	"fmt"
	"html/template"
	"strings"

	"enterprisedocbench"
)

// chart is a drawing with its title.
type chart struct {
	Title string
	SVG   template.HTML
}

// forest draws one figure of every arm as a point with its interval on the axis 0 to 1.
func forest(r Run, key, title string) chart {
	const left, right, rowHeight, top = 190.0, 620.0, 26.0, 12.0
	height := top + rowHeight*float64(len(r.Arms)) + 26
	x := func(v float64) float64 { return left + min(1, max(0, v))*(right-left) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 830 %.0f" role="img" aria-label="%s">`, height, template.HTMLEscapeString(title))
	for i := range 6 {
		v := float64(i) / 5
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" y1="%.0f" x2="%.1f" y2="%.1f"/><text class="tick" x="%.1f" y="%.1f">%.1f</text>`,
			x(v), top, x(v), height-22, x(v), height-6, v)
	}
	for i, a := range r.Arms {
		f := r.Pipelines[a][key]
		y := top + rowHeight*(float64(i)+0.5)
		fmt.Fprintf(&b, `<text class="name" x="%.0f" y="%.1f">%s</text>`, left-12, y+4, template.HTMLEscapeString(shorten(a, 26)))
		point(&b, f, a, x, y, right)
	}
	b.WriteString(`</svg>`)
	return chart{title, template.HTML(b.String())} // every foreign string in it was escaped above
}

func point(b *strings.Builder, f edb.Figure, arm string, x func(float64) float64, y, right float64) {
	if f.Value == nil {
		fmt.Fprintf(b, `<text class="none" x="%.1f" y="%.1f">not measured: %s</text>`, x(0)+6, y+4, template.HTMLEscapeString(shorten(f.Reason, 70)))
		return
	}
	fmt.Fprintf(b, `<g><title>%s: %s</title>`, template.HTMLEscapeString(arm), template.HTMLEscapeString(Cell(f)))
	if f.Lo != nil && f.Hi != nil {
		fmt.Fprintf(b, `<line class="bar" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, x(*f.Lo), y, x(*f.Hi), y)
	}
	fmt.Fprintf(b, `<circle class="dot" cx="%.1f" cy="%.1f" r="5"/><text class="value" x="%.1f" y="%.1f">%s</text></g>`,
		x(*f.Value), y, right+14, y+4, template.HTMLEscapeString(Cell(f)))
}
