package parse

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/goregular"

	"enterprisedocbench"
)

// inColumns is a page of text set in columns from the right, in the vertical mode of its font or letter
// by letter. The font's glyphs are Latin ones: only their places and codes count.
func inColumns(mode bool, title string, lines ...string) []byte {
	m := &madePDF{}
	set := letters("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", title, strings.Join(lines, "")) // the first glyphs are empty
	f := m.unicodeFont(set, mode)
	ttf := m.stream(fmt.Sprintf("/Length1 %d", len(goregular.TTF)), string(goregular.TTF))
	for i := range m.objects {
		m.objects[i] = strings.Replace(m.objects[i], "/StemV 80", fmt.Sprintf("/StemV 80/FontFile2 %d 0 R", ttf), 1)
		m.objects[i] = strings.Replace(m.objects[i], "/DW 1000", "/DW 1000/CIDToGIDMap/Identity", 1)
	}
	var b strings.Builder
	put := func(size, x float64, l string) {
		if mode {
			fmt.Fprintf(&b, "BT /F1 %g Tf 1 0 0 1 %g 700 Tm %s Tj ET\n", size, x, codes(set, l))
			return
		}
		for k, r := range []rune(l) {
			fmt.Fprintf(&b, "BT /F1 %g Tf 1 0 0 1 %g %g Tm %s Tj ET\n", size, x, 700-size*float64(k), codes(set, string(r)))
		}
	}
	put(20, 520, title)
	for i, l := range lines {
		put(12, 480-18*float64(i), l)
	}
	return m.pagesOf(fmt.Sprintf("/Font<</F1 %d 0 R>>", f), "", b.String())
}

// Columns are read from the right, each from its top, and joined without blanks, whatever the engine.
func TestColumnsOfLetters(t *testing.T) {
	lines := []string{"吾輩は猫である、名前はまだ無", "い。どこで生れたか頓と見当が", "つかぬ。"}
	want := []string{"heading: 猫の話", "paragraph: " + strings.Join(lines, "")}
	for _, name := range []string{"pdfium", "mupdf", "poppler"} {
		e, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if e.Available != nil && e.Available() != nil {
			t.Logf("%s is not here", name)
			continue
		}
		p, err := e.New()
		if err != nil {
			t.Fatal(err)
		}
		for _, mode := range []bool{true, false} {
			path := filepath.Join(t.TempDir(), "a.pdf")
			if err := os.WriteFile(path, inColumns(mode, "猫の話", lines...), 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := p.Parse(t.Context(), Source{Path: path})
			if err != nil {
				t.Fatal(err)
			}
			if s := shapes(got); !slices.Equal(s, want) {
				t.Errorf("%s, vertical mode %v: got %q\nwant %q", name, mode, s, want)
			}
			if b := got.Pages[0].Elements[0].Box; b[0] < 500 || b[3]-b[1] < 55 {
				t.Errorf("%s: the title's box %v is not where the title stands", name, *b)
			}
		}
	}
}

// Letters of level lines, and of a table's columns, are no columns of text.
func TestLevelLettersStayLevel(t *testing.T) {
	at := func(pg *rawPage, x, y float64, r string) {
		pg.words = append(pg.words, wordRun{text: r, box: edb.Box{x, y, x + 12, y + 12}, font: font{size: 12}})
	}
	grid, table := blankPage(1), blankPage(1)
	for i, l := range []string{"本文件描述系", "统的结构和接", "口并说明如何"} {
		for k, r := range []rune(l) {
			at(&grid, 100+12*float64(k), 100+13*float64(i), string(r))
		}
		at(&table, 100, 100+18*float64(i), string([]rune(l)[0]))
	}
	for name, pg := range map[string]rawPage{"grid": grid, "table": table} {
		stacked(&pg)
		for _, w := range pg.words {
			if w.turn != 0 {
				t.Errorf("%s: %+v", name, w)
			}
		}
	}
	if got := levelForms("︵猫︶︒a"); got != "(猫)。a" {
		t.Errorf("level forms %q", got)
	}
}
