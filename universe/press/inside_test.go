package press

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"pgregory.net/rapid"
)

var faces = []*face{sans, sansBold, serif, serifBold, mono}

// names of many cultures, and what stands around them in business documents.
const names = "Nguyễn Thị Ánh Tuyết Đặng Ưng Ợ Łukasz Gąsiorowska Żółć İpek Gündoğdu Şahin Þórdís Ægisdóttir Ðuro Čapek Őry Ștefan Țepeș Ģirts Ķēniņš Ńiełacny Ŵyn Ŷ Øyvind Åse " +
	"Ελένη Παπαδοπούλου Άγγελος Ольга Щербакова Ђорђе Їжакевич Ґалаґан Ўладзімір “quoted” ‘single’ – — … €5 £6 ₫7 ¥8 ½ ¼ ² ³ ¹ ⁴ § ¶ • № ™ ® © ° ± × ÷ ≤ ≥ ≈ − ← →"

func TestFacesHoldTheNamesOfManyCultures(t *testing.T) {
	for _, f := range faces {
		for _, word := range strings.Fields(names) {
			if n, err := f.units(word); err != nil || n <= 0 {
				t.Errorf("%s: %q is %d wide (%v)", f.name, word, n, err)
			}
		}
		for _, s := range []string{"tick ✓", "emoji 🎉", "漢字", "soft\u00adhyphen", "no\u00a0break", "\u200b", "\u202e", "\u0301"} {
			if _, err := f.units(s); err == nil || !strings.Contains(err.Error(), "has no glyph for") {
				t.Errorf("%s: %q has a width (%v)", f.name, s, err)
			}
		}
	}
}

// The outlines that go into files are those of the font, as another reader of TrueType sees them.
func TestSubsetKeepsOutlines(t *testing.T) {
	for _, f := range faces {
		if _, err := f.units(names); err != nil {
			t.Fatal(err)
		}
		whole, err := sfnt.Parse(f.ttf)
		if err != nil {
			t.Fatal(err)
		}
		var glyphs []uint16
		for _, g := range f.glyphs {
			if g != 0 {
				glyphs = append(glyphs, g)
			}
		}
		file := f.outlines.subset(glyphs)
		// sfnt asks for tables that PDFs do not: they are lent from the whole font.
		part, err := sfnt.Parse(lend(t, file, f.ttf, "OS/2", "cmap", "name", "post"))
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		var buf sfnt.Buffer
		em := fixed.I(int(whole.UnitsPerEm()))
		for i, g := range glyphs {
			a, errA := whole.LoadGlyph(&buf, sfnt.GlyphIndex(g), em, nil)
			want := append(sfnt.Segments(nil), a...)
			b, errB := part.LoadGlyph(&buf, sfnt.GlyphIndex(i+1), em, nil)
			if errA != nil || errB != nil || len(want) != len(b) {
				t.Fatalf("%s: glyph %d: %v, %v, %d and %d segments", f.name, g, errA, errB, len(want), len(b))
			}
			for k := range b {
				if b[k] != want[k] {
					t.Fatalf("%s: glyph %d differs in segment %d", f.name, g, k)
				}
			}
		}
	}
}

// lend puts tables of another font into a font file.
func lend(t *testing.T, file, from []byte, tags ...string) []byte {
	t.Helper()
	var all []sfntTable
	read := func(ttf []byte, want func(string) bool) {
		for i := range int(ttf[4])<<8 | int(ttf[5]) {
			e := ttf[12+16*i:]
			at, n := int(e[8])<<24|int(e[9])<<16|int(e[10])<<8|int(e[11]), int(e[12])<<24|int(e[13])<<16|int(e[14])<<8|int(e[15])
			if tag := string(e[:4]); want(tag) {
				all = append(all, sfntTable{tag, ttf[at : at+n]})
			}
		}
	}
	read(from, func(tag string) bool { return strings.Contains(strings.Join(tags, " "), tag) })
	read(file, func(string) bool { return true })
	slices.SortFunc(all, func(a, b sfntTable) int { return strings.Compare(a.tag, b.tag) })
	return sfntFile(all)
}

func TestDamagedFontsAreRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := append([]byte(nil), sans.ttf[:400]...)
		cut := rapid.IntRange(0, len(b)).Draw(t, "cut")
		if _, err := readOutlines(b[:cut]); err == nil {
			t.Fatalf("%d bytes of a font pass", cut)
		}
	})
}

func TestReadText(t *testing.T) {
	for _, c := range []struct {
		in, text string
		facts    string // field=value@start-end(evidence), by sentence
	}{
		{"", "", ""},
		{"plain text", "plain text", ""},
		{"  much \t white\n\nspace ", "much white space", ""},
		{`\{a|b\} \\ \x`, `{a|b} \ \x`, ""},
		{"{a|b}", "b", "a=b@0-1(b)"},
		{"Rent {rent| $5  a\nmonth}.", "Rent $5 a month.", "rent=$5 a month@5-15(Rent $5 a month.)"},
		{"Né. Ends {d|May 1}. Last {e|x}.", "Né. Ends May 1. Last x.", "d=May 1@9-14(Ends May 1.) e=x@21-22(Last x.)"},
		{"By {p|St. Mary. Jones} now. No.", "By St. Mary. Jones now. No.", "p=St. Mary. Jones@3-18(By St. Mary. Jones now.)"},
		{"{a|x}{b|y} {c|x|y}", "xy x|y", "a=x@0-1(xy x|y) b=y@1-2(xy x|y) c=x|y@3-6(xy x|y)"},
		{Fact("f", `a{b}\c`), `a{b}\c`, `f=a{b}\c@0-6(a{b}\c)`},
	} {
		p, err := readText(c.in, false)
		if err != nil {
			t.Errorf("%q: %v", c.in, err)
			continue
		}
		var got []string
		for _, m := range p.bySentence().marks {
			r := []rune(p.text)
			if string(r[m.start:m.end]) != m.value {
				t.Errorf("%q: %q stands at %d, not %q", c.in, string(r[m.start:m.end]), m.start, m.value)
			}
			got = append(got, m.field+"="+m.value+"@"+strconv.Itoa(m.start)+"-"+strconv.Itoa(m.end)+"("+string(r[m.evStart:m.evEnd])+")")
		}
		if p.text != c.text || strings.Join(got, " ") != c.facts {
			t.Errorf("%q is %q with %q, want %q with %q", c.in, p.text, strings.Join(got, " "), c.text, c.facts)
		}
	}
}

// Lines joined by one space are the text, and none but single words is too wide.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom(strings.Fields(names)), 1, 60).Draw(t, "words")
		text := strings.Join(words, " ")
		width := rapid.Float64Range(20, 400).Draw(t, "width")
		s := NewSheet(Look{})
		lines := s.wrap(sans, text, 10, width)
		var joined []string
		for _, l := range lines {
			joined = append(joined, l.text)
			if n, err := sans.units(l.text); err != nil || n != l.units {
				t.Fatalf("%q is %d wide, not %d (%v)", l.text, n, l.units, err)
			}
			if points(l.units, 10) > width && strings.Contains(l.text, " ") {
				t.Fatalf("%q is wider than %g", l.text, width)
			}
		}
		if strings.Join(joined, " ") != text {
			t.Fatalf("%q came out of %q", joined, text)
		}
		for i := 1; i < len(lines); i++ {
			first, _, _ := strings.Cut(lines[i].text, " ")
			if points(lines[i-1].units+s.units(sans, " "+first), 10) <= width {
				t.Fatalf("%q has room for %q", lines[i-1].text, first)
			}
		}
	})
}

func TestDivide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "columns")
		least, whole := make([]float64, n), make([]float64, n)
		for i := range n {
			least[i] = rapid.Float64Range(1, 90).Draw(t, "least")
			whole[i] = least[i] + rapid.Float64Range(0, 300).Draw(t, "more")
		}
		cols := divide(least, whole, 470)
		if fits := sum(least) <= 470; (cols != nil) != fits {
			t.Fatalf("columns %v for needs %v", cols, least)
		}
		if cols == nil {
			return
		}
		if d := sum(cols) - 470; d > 1e-6 || d < -1e-6 {
			t.Fatalf("columns %v fill %g of 470", cols, sum(cols))
		}
		for i := range n {
			if cols[i] < least[i]-1e-9 {
				t.Fatalf("column %d has %g, needs %g", i, cols[i], least[i])
			}
		}
	})
}

func TestNumbersOfStreams(t *testing.T) {
	for v, want := range map[float64]string{0: "0 ", 1: "1 ", 12.5: "12.5 ", 12.34: "12.34 ", .05: "0.05 ", 595.276: "595.28 ", -3.5: "-3.5 ", 841.894999: "841.89 "} {
		if got := string(appendNumbers(nil, v)); got != want {
			t.Errorf("%g is written %q, want %q", v, got, want)
		}
	}
}
