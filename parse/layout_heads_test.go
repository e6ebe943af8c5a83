package parse

import (
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"
)

// article is a page of running text, in lines 12 points apart from y 300 on, and what set puts on it.
func article(number int, put func(pg *rawPage)) rawPage {
	pg := blankPage(number)
	for i := range 30 {
		words := "the running text of the article fills the line of this page to its end on the right"
		if i == 29 {
			words = "and ends here."
		}
		set(&pg, 60, 300+12*float64(i), words, font{})
	}
	put(&pg)
	return pg
}

// setCentred puts text in the middle of the lines of an article.
func setCentred(pg *rawPage, y float64, text string, f font) {
	line := blankPage(1)
	set(&line, 0, 0, text, f)
	var body edb.Box
	for _, w := range pg.words {
		body = union(body, w.box)
	}
	width := line.words[len(line.words)-1].box[2]
	set(pg, 60+(body[2]-60-width)/2, y, text, f)
}

func TestLayoutFindsHeadings(t *testing.T) {
	italics, small := fontOf("ABCDEF+NimbusRomNo9L-ReguItal", 10), fontOf("CMCSC10", 10)
	cases := []struct {
		name string
		put  func(pg *rawPage)
		want []string
	}{
		{"bold by a name of TeX", func(pg *rawPage) { set(pg, 60, 270, "Results", fontOf("CMBX10", 10)) }, []string{"Results"}},
		{"bold and smaller than the body is none", func(pg *rawPage) { set(pg, 60, 270, "License", font{size: 8.7, bold: true}) }, nil},
		{"bold, somewhat smaller and centred", func(pg *rawPage) { setCentred(pg, 270, "Results", font{size: 9, bold: true}) }, []string{"Results"}},
		{"numbered capitals", func(pg *rawPage) { set(pg, 60, 270, "IV. SYSTEM MODEL", font{}) }, []string{"IV. SYSTEM MODEL"}},
		{"capitals without a number at the left are none", func(pg *rawPage) { set(pg, 60, 270, "SYSTEM MODEL", font{}) }, nil},
		{"centred capitals", func(pg *rawPage) { setCentred(pg, 270, "SYSTEM MODEL", font{}) }, []string{"SYSTEM MODEL"}},
		{"numbered italics", func(pg *rawPage) { set(pg, 60, 270, "B. Deep Network", italics) }, []string{"B. Deep Network"}},
		{"numbered italics right above the text", func(pg *rawPage) { set(pg, 60, 288, "B. Deep Network", italics) }, []string{"B. Deep Network"}},
		{"italics without a number are none", func(pg *rawPage) { set(pg, 60, 270, "Deep Network", italics) }, nil},
		{"numbered small capitals of two lines", func(pg *rawPage) {
			set(pg, 60, 262, "2. Maps and how they are counted, with", small)
			set(pg, 60, 274, "Examples", small)
		}, []string{"2. Maps and how they are counted, with Examples"}},
		{"a sentence in italics is none", func(pg *rawPage) { set(pg, 60, 270, "1. All of this holds,", italics) }, nil},
		{"a title of two lines", func(pg *rawPage) {
			set(pg, 60, 200, "A forward modelling framework for", font{size: 17})
			set(pg, 60, 222, "the spectra of stars", font{size: 17})
		}, []string{"A forward modelling framework for the spectra of stars"}},
		{"names and dates below the title are none", func(pg *rawPage) {
			set(pg, 60, 180, "The spectra of stars", font{size: 17})
			set(pg, 60, 210, "Ann B. Smith 1,2¶ , Jan van Dyk 3 , and Cy Jones", font{size: 12, bold: true})
			set(pg, 60, 240, "25 June 2018", font{size: 12})
			set(pg, 60, 275, "Summary", font{size: 14, bold: true})
		}, []string{"The spectra of stars", "Summary"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, e := range layout([]rawPage{article(1, c.put)}).Elements {
				if e.Kind == edb.KindHeading {
					got = append(got, e.Text)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPeople(t *testing.T) {
	for _, s := range []string{"Ann Smith and Jan van Dyk", "Joseph A. Vincent 1", "25 June 2018", "June 5, 2018", "Caroline Piaulet-Ghorayeb1, 2", "Mourad Choulli, Laurent Kayser"} {
		if !people(s) {
			t.Errorf("%q is people or a date", s)
		}
	}
	for _, s := range []string{"Summary", "Statement of Need", "Materials", "1 Introduction", "Results 2018", "Ann Smith", "A study of maps, and more", ""} {
		if people(s) {
			t.Errorf("%q is neither people nor a date", s)
		}
	}
}

// The names are those that TeX, its Type 1 fonts, and word processors give.
func TestFontNames(t *testing.T) {
	for name, want := range map[string]string{
		"CMBX12": "b", "ABCDEF+CMB10": "b", "SFBX1000": "b", "CMSSBX10": "b", "CMBXTI10": "bi", "NimbusRomNo9L-Medi": "b", "NimbusRomNo9L-MediItal": "bi",
		"LMRoman10-Bold": "b", "Arial-BoldMT": "b", "TimesNewRomanPS-BoldItalicMT": "bi", "Source-Semibold": "b", "Roboto-Medium": "",
		"CMTI10": "i", "CMSL10": "i", "SFTI0900": "i", "Helvetica-Oblique": "i", "LMRomanCaps10-Regular": "s", "CMCSC10": "s", "Minion-SmallCaps": "s",
		"CMR10": "", "CMMI10": "", "CMSY10": "", "MSBM10": "", "Times-Roman": "", "": "",
	} {
		f, got := fontOf(name, 10), ""
		for _, c := range []struct {
			is   bool
			sign string
		}{{f.bold, "b"}, {f.italic, "i"}, {f.small, "s"}} {
			if c.is {
				got += c.sign
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if f := fontOf(strings.Repeat("x", 3), 9); f.size != 9 || f.name != "xxx" {
		t.Errorf("%+v", f)
	}
}
