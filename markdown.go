package edb

import (
	"regexp"
	"strings"
)

// bullet is the sign before an item of a list, which the dash stands for.
var bullet = regexp.MustCompile(`^[•▪‣◦●○■–—*-]\s+`)

// Markdown writes the elements as Markdown in reading order: headings with their level, tables as
// HTML, list items with dashes instead of their signs, captions in italics; artifacts are left out.
func (p Parsed) Markdown() string {
	var b strings.Builder
	for _, e := range p.Elements {
		if e.Artifact() {
			continue
		}
		text := strings.TrimSpace(e.Text)
		switch e.Kind {
		case KindHeading:
			text = strings.Repeat("#", min(6, max(1, e.Level))) + " " + strings.Join(strings.Fields(text), " ")
		case KindTable:
			if e.HTML != "" {
				text = e.HTML
			}
		case KindListItem:
			text = "- " + bullet.ReplaceAllString(text, "")
		case KindCaption:
			text = "*" + text + "*"
		case KindCode:
			text = "```\n" + e.Text + "\n```"
		case KindFigure:
			if text == "" {
				text = "![](figure)"
			}
		}
		if text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(text)
		b.WriteByte('\n')
	}
	return b.String()
}
