package universe

import (
	"bytes"
	"fmt"
	"time"

	edb "enterprisedocbench"

	"codeberg.org/go-pdf/fpdf"
)

// furniture is what repeats on every page.
type furniture struct{ head, foot string }

// finish sets header, footer and page number on every page and gives the gold.
func (s *sheet) finish(doc string, f furniture) edb.Parsed {
	out := edb.Parsed{Doc: doc, Paged: true}
	all := s.pages
	for i, p := range all {
		s.pages = all[:i+1]
		size := s.size * .82
		mk := func(kind, text string, x, y float64) edb.Element {
			l := s.put(s.body, text, size, x, y, grey)
			return edb.Element{ID: fmt.Sprintf("p%d-%s", i+1, kind), Kind: kind, Text: text, Box: l.Box, Lines: []edb.Line{l}}
		}
		foot := pageHeight - 48
		number := fmt.Sprintf("Page %d of %d", i+1, len(all))
		head := mk(edb.KindHeader, f.head, marginLeft, 44)
		s.line(marginLeft, 60, pageWidth-marginRight, 60, rule)
		s.line(marginLeft, foot-6, pageWidth-marginRight, foot-6, rule)
		left := mk(edb.KindFooter, f.foot, marginLeft, foot)
		right := mk(edb.KindPageNumber, number, pageWidth-marginRight-s.width(s.body, number, size), foot)
		elements := append([]edb.Element{head}, p.elements...)
		out.Pages = append(out.Pages, edb.Page{Number: i + 1, Width: pageWidth, Height: pageHeight, Elements: append(elements, left, right)})
	}
	return out
}

// draw writes the laid-out pages as PDF. The bytes depend on nothing but the pages and the title.
func (s *sheet) draw(title, author string, made time.Time) ([]byte, error) {
	pdf := fpdf.NewCustom(&fpdf.InitType{OrientationStr: "P", UnitStr: "pt", Size: fpdf.SizeType{Wd: pageWidth, Ht: pageHeight}})
	pdf.SetAutoPageBreak(false, 0)
	pdf.SetMargins(0, 0, 0)
	pdf.SetCatalogSort(true)
	pdf.SetCreationDate(made)
	pdf.SetModificationDate(made)
	pdf.SetProducer("EnterpriseDocBench universe", true)
	pdf.SetTitle(title, true)
	pdf.SetAuthor(author, true)
	pdf.SetLang("en-US")
	for _, f := range []*face{s.body, s.bold} {
		pdf.AddUTF8FontFromBytes(f.family, f.style, f.ttf)
	}
	pdf.SetLineWidth(.6)
	for _, p := range s.pages {
		pdf.AddPage()
		for _, o := range p.ops {
			switch {
			case o.face != nil:
				pdf.SetFont(o.face.family, o.face.style, o.size)
				pdf.SetTextColor(o.color[0], o.color[1], o.color[2])
				pdf.Text(o.x, o.y, o.text)
			case o.fill:
				pdf.SetFillColor(o.color[0], o.color[1], o.color[2])
				pdf.Rect(o.x, o.y, o.w, o.h, "F")
			default:
				pdf.SetDrawColor(o.color[0], o.color[1], o.color[2])
				pdf.Line(o.x, o.y, o.x+o.w, o.y+o.h)
			}
		}
	}
	var b bytes.Buffer
	if err := pdf.Output(&b); err != nil {
		return nil, fmt.Errorf("pdf %q: %w", title, err)
	}
	return b.Bytes(), nil
}
