package parse

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Words by the places of their letters from the left. The right column is what the Unicode
// bidirectional algorithm shows as the left one in a paragraph that runs from right to left.
func TestLogical(t *testing.T) {
	for _, c := range []struct{ visual, want string }{
		{"", ""},
		{"plain", "plain"},
		{"(2024)", "(2024)"},
		{"םולש", "שלום"},
		{".تلاوحت", "تحوالت."}, // by characters, the letters of a ligature cannot be told
		{"(ةيبرع)", "(عربية)"},
		{"123ב", "ב123"},
		{"3.5-ב", "ב-3.5"},
		{"Pythonو", "وPython"},
		{"نمPython", "Python من"},
		{"تاودلأا", "الأدوات"},
		{"ﻢﻟﺎﻋ", "عالم"}, // by their shapes
		{"ﻼﻫأ", "أهلا"},  // a ligature coded as one
	} {
		if got := logical(runesOf(c.visual)); got != c.want {
			t.Errorf("%q: %q, want %q", c.visual, got, c.want)
		}
	}
	if got := logical([]string{"ت", "لا", "ك", "ش", "م"}); got != "مشكلات" {
		t.Errorf("a glyph that stands for two letters: %q", got)
	}
	if got := logicalAt([]string{"ش", "ل"}, []float64{20, 10}); got != "של" && got != "شل" {
		t.Errorf("drawn from the right: %q", got)
	}
	if got := logicalAt([]string{"b", "a"}, []float64{20, 10}); got != "ba" {
		t.Errorf("letters that run to the right: %q", got)
	}
}

// ligatured is a page in Arabic whose lam-alef is one glyph, with a word of Latin letters that touches
// the word behind it, as word processors place it.
func ligatured() []byte {
	m := &madePDF{}
	glyphs := []string{"ن", "م", "P", "y", "t", "h", "o", "n", " ", "ع", "م", " ", "ت", "لا", "ك", "ش", "م", "ل", "ا", " ", "ل", "ح"}
	set := append(letters(strings.Join(glyphs, "")), "لا")
	f := m.unicodeFont(set, false)
	var line strings.Builder
	for _, g := range glyphs {
		fmt.Fprintf(&line, "%04X", slices.Index(set, g)+1)
	}
	return m.pagesOf(fmt.Sprintf("/Font<</F1 %d 0 R>>", f), "", "BT /F1 12 Tf 1 0 0 1 100 700 Tm <"+line.String()+"> Tj ET\n")
}

// Every engine gives text that runs from right to left in reading order.
func TestRightToLeftInEveryEngine(t *testing.T) {
	hebrew := inFont(400, "שלום עולם", "עולם שלום 123 שלום")
	for engine, want := range map[string]string{
		"pdfium": "حل المشكلات مع Python من", "mupdf": "حل المشكلات مع Python من",
		"poppler": "حل المشكالت مع Python من", // which does not say where a glyph ends
	} {
		t.Run(engine, func(t *testing.T) {
			if got := readWith(t, engine, ligatured()).Text(); got != want {
				t.Errorf("Arabic: %q, want %q", got, want)
			}
			if got := readWith(t, engine, hebrew).Text(); got != "שלום עולם עולם שלום 123 שלום" {
				t.Errorf("Hebrew: %q", got)
			}
		})
	}
	t.Run("ledongthuc", func(t *testing.T) {
		if got := readWith(t, "ledongthuc", hebrew).Text(); got != "שלום עולם עולם שלום 123 שלום" {
			t.Errorf("Hebrew: %q", got)
		}
	})
}
