package parse

import (
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"
)

// long is a paragraph that is long enough to be nothing else.
var long = "<p>" + strings.Repeat("The words of a paragraph that goes on for long enough. ", 5) + "</p>"

// headingsIn are the headings of a page as "LEVEL TEXT".
func headingsIn(t *testing.T, in string, styled bool) (out []string) {
	t.Helper()
	p, err := htmlPage([]byte(in), styled)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range p.Elements {
		if e.Kind == edb.KindHeading {
			out = append(out, string(rune('0'+e.Level))+" "+e.Text)
		}
	}
	return out
}

func TestHTMLFindsHeadingsByStyle(t *testing.T) {
	cases := []struct {
		name, in string
		want     []string
	}{
		{"bold alone in its block", "<div><span style='font-weight:700'>Scope</span></div>" + long, []string{"1 Scope"}},
		{"markup of old", "<p align=center><b>Scope of work</b></p>" + long + "<p><u>Terms</u></p>" + long + "<p><b>Payment</b></p>" + long,
			[]string{"1 Scope of work", "2 Terms", "2 Payment"}},
		{"bold in part is none", "<p><b>Scope</b> of the work</p>" + long, nil},
		{"a bold paragraph is none", "<b>" + long + "</b>" + long + long, nil},
		{"a bold sentence is none", "<p><b>This must be read with care.</b></p>" + long, nil},
		{"a numbered title with a full stop", "<p><b>Item 2. Controls.</b></p>" + long, []string{"1 Item 2. Controls."}},
		{"where all is bold, bold says nothing", "<div style='font-weight:bold'><p>Scope</p>" + long + "<p style='font-size:20pt'>Terms</p>" + long + "</div>", []string{"1 Terms"}},
		{"larger", "<p style='font-size:150%'>Scope</p>" + long, []string{"1 Scope"}},
		{"smaller is none", "<p style='font-size:8pt'><b>Scope</b></p>" + long, nil},
		{"capitals in the middle", "<p style='text-align:center'>SCOPE OF WORK</p>" + long, []string{"1 SCOPE OF WORK"}},
		{"capitals at the left are none", "<p>SCOPE OF WORK</p>" + long, nil},
		{"remarks in brackets are none", "<p><b>(In millions)</b></p>" + long, nil},
		{"lead-ins are none", "<p><b>We offer:</b></p>" + long, nil},
		{"numbers are none", "<p><b>1,234 5,678 A</b></p>" + long, nil},
		{"links to other places of the page are none", "<p><b><a href='#top'>Back to the contents</a></b></p>" + long, nil},
		{"the number need not be set as the title", "<p>3. <u>Income taxes</u></p>" + long, []string{"1 3. Income taxes"}},
		{"nothing follows", long + "<p><b>The end</b></p>", nil},
		{"cells of a table", "<table><tr><td><b>Region</b></td><td><b>Sales</b></td></tr><tr><td>North</td><td>3</td></tr></table>" + long, nil},
		{"labels in tables that lay out", "<table role=presentation><tr><td><b>Name</b></td><td>Ann</td></tr></table>" + long, nil},
		{"a table of one bold line", "<table><tr><td></td><td><b>Scope</b></td></tr></table>" + long, []string{"1 Scope"}},
		{"a table of a number and a title", "<table><tr><td><b>Item 1.</b></td><td><b>Business</b></td></tr></table>" + long, []string{"1 Item 1. Business"}},
		{"where the markup names headings it is believed", "<h1>Report</h1><h2>Scope</h2><p><b>Terms</b></p>" + long, []string{"1 Report", "2 Scope"}},
		{"below a title", "<h1>Report</h1>" + long + "<p><b>Terms</b></p>" + long, []string{"1 Report", "2 Terms"}},
		{"levels by how much they stand out",
			"<p style='font-size:16pt'><b>Report</b></p>" + long + "<p><b>RISKS</b></p>" + long + "<p><b>Interest</b></p>" + long + "<p><i>Swaps</i></p>" + long + "<p><b>Prices</b></p>" + long,
			[]string{"1 Report", "2 RISKS", "3 Interest", "4 Swaps", "3 Prices"}},
		{"levels by numbers",
			"<p><b>PART I</b></p><p><b>Item 1. Scope</b></p>" + long + "<p><b>1.1 Words</b></p>" + long + "<p><b>1.1.1 Old words</b></p>" + long + "<p><b>Item 2. Terms</b></p>" + long + "<p><b>PART II</b></p>" + long,
			[]string{"1 PART I", "2 Item 1. Scope", "3 1.1 Words", "4 1.1.1 Old words", "2 Item 2. Terms", "1 PART II"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := headingsIn(t, c.in, true); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestHTMLLeavesOutCoverAndRunningTitles(t *testing.T) {
	end := "<hr style='page-break-after:always'/>"
	cover := "<p><b>THE FIRM</b></p><p><b>Annual Report</b></p><p><b>Anytown</b></p><p><b>For the year 2024</b></p>" + end
	pages := ""
	for _, s := range []string{"Scope", "Terms", "Prices"} {
		pages += "<p><b>The Firm</b></p><p><b>" + s + "</b></p>" + long + end
	}
	want := []string{"1 Scope", "1 Terms", "1 Prices"}
	if got := headingsIn(t, cover+pages, true); !slices.Equal(got, want) {
		t.Errorf("pages: got %q, want %q", got, want)
	}
	toc, body := "<p><b>Contents</b></p>", ""
	for _, s := range []string{"Scope", "Terms", "Prices", "Places"} {
		toc += "<p><a href='#" + s + "'>" + s + "</a></p>"
		body += "<div id='" + s + "'></div><p>" + s + "</p>" + long
	}
	want = append(want, "1 Places")
	if got := headingsIn(t, "<p><b>Annual Report</b></p>"+toc+body, true); !slices.Equal(got, want) {
		t.Errorf("contents: got %q, want %q", got, want)
	}
	rows := "<table>"
	for i, s := range []string{"Scope", "Terms", "Prices", "Places"} {
		rows += "<tr><td>" + s + "</td><td><a href='#" + s + "'>" + string(rune('3'+i)) + "</a></td></tr>"
	}
	if got := headingsIn(t, "<p><b>Annual Report</b></p>"+rows+"</table>"+body, true); !slices.Equal(got, want) {
		t.Errorf("contents with numbers of pages: got %q, want %q", got, want)
	}
	part := "<p><b>PART I</b></p>" + strings.Replace(body, "<p>Scope</p>", "<p><b>Scope</b></p>", 1)
	if got := headingsIn(t, toc+part, true); len(got) != 5 || got[0] != "1 PART I" {
		t.Errorf("a division before the first place: %q", got)
	}
}

// A prediction or gold in HTML is read as its markup says, and text does not depend on how it is read.
func TestHTMLFilesAreReadAsMarked(t *testing.T) {
	in := "<p><b>Scope</b></p>" + long + "<p id=x>Terms</p>"
	if got := headingsIn(t, in, false); got != nil {
		t.Errorf("headings %q", got)
	}
	plain, _ := htmlPage([]byte(in), false)
	styled, _ := htmlPage([]byte(in), true)
	if plain.Text() != styled.Text() {
		t.Error("the texts differ")
	}
}

func TestHTMLSizes(t *testing.T) {
	for v, want := range map[string]float64{"12px": 9, "2em": 20, "80%": 8, "1rem": 12, "9pt": 9, "larger": 12, "x-large": 18, "calc(1px)": 10, "-3pt": 10, "1e9pt": 10} {
		if got := cssSize(v, 10); got != want {
			t.Errorf("%s: %v, want %v", v, got, want)
		}
	}
	for v, want := range map[string]float64{"5": 18, "+1": 13.5, "-9": 7.5, "99": 36, "": 10, "x": 10} {
		if got := fontSize(v, 10); got != want {
			t.Errorf("<font size=%q>: %v, want %v", v, got, want)
		}
	}
	var s htmlStyle
	for _, d := range [][2]string{{"font", "italic bold 14pt/1.2 serif"}, {"text-align", "center"}, {"text-transform", "uppercase"}, {"text-decoration", "underline dotted"}, {"color", "red"}} {
		s.declare(d[0], d[1])
	}
	if want := (htmlStyle{size: 14, bold: true, italic: true, underline: true, centred: true, caps: true}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
	s.declare("font-weight", "400")
	s.declare("font-style", "normal")
	s.declare("text-align", "left")
	if s.bold || s.italic || s.centred {
		t.Errorf("%+v", s)
	}
}
