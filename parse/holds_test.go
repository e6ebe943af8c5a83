package parse

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"enterprisedocbench"
)

// holds holds a parse to what all stages rely on: pages in order, IDs given once, captions of what is
// there, known kinds and levels, text that is text, no element without content, table markup where a
// table is, finite boxes on their page, and JSON that reads back. parsetest.Check says more of engines,
// but cannot be imported from inside the package.
func holds(t testing.TB, p edb.Parsed) {
	t.Helper()
	if len(p.Pages) == 0 {
		t.Fatal("neither pages nor an error")
	}
	if !p.Paged && (len(p.Pages) != 1 || p.Pages[0].Number != 1) {
		t.Fatalf("not paged, but %d pages", len(p.Pages))
	}
	engine, _, _ := strings.Cut(p.Engine, "@")
	beside := engine == "pdfium" || engine == "ledongthuc"
	ids := map[string]bool{}
	for _, e := range p.Elements {
		if e.ID == "" || ids[e.ID] {
			t.Fatalf("id %q is missing or given twice", e.ID)
		}
		ids[e.ID] = true
	}
	for i, pg := range p.Pages {
		if pg.Number < 1 || i > 0 && pg.Number <= p.Pages[i-1].Number {
			t.Fatalf("page %d of the list has number %d", i+1, pg.Number)
		}
		if pg.NoText && pg.Text() != "" {
			t.Fatalf("page %d is said to be without text and has %q", pg.Number, pg.Text())
		}
		for _, e := range pg.Elements {
			switch {
			case !slices.Contains(edb.Kinds, e.Kind):
				t.Fatalf("kind %q is unknown", e.Kind)
			case e.CaptionOf != "" && !ids[e.CaptionOf]:
				t.Fatalf("a caption of %q, which is not there", e.CaptionOf)
			case e.Level < 0 || e.Level > 0 && e.Kind != edb.KindHeading:
				t.Fatalf("a %s of level %d", e.Kind, e.Level)
			case e.HTML != "" && e.Kind != edb.KindTable:
				t.Fatalf("a %s with markup %q", e.Kind, e.HTML)
			case strings.TrimSpace(e.Text) == "" && e.Kind != edb.KindFigure && e.Kind != edb.KindTable:
				t.Fatalf("a %s without text", e.Kind)
			case !utf8.ValidString(e.Text) || strings.ContainsRune(e.Text, 0):
				t.Fatalf("%q is no text", e.Text)
			}
			onPage(t, pg, e.Box, beside)
			for _, l := range e.Lines {
				onPage(t, pg, l.Box, beside)
			}
		}
	}
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var back edb.Parsed
	if err := json.Unmarshal(b, &back); err != nil || back.Text() != p.Text() {
		t.Fatalf("what is written does not read back: %v", err)
	}
}

// onPage holds a box to its page; glyphs may reach two points over the edge, and what a PDF prints beside
// its page stands where it stands.
func onPage(t testing.TB, pg edb.Page, b *edb.Box, beside bool) {
	t.Helper()
	if b == nil {
		return
	}
	for _, v := range b {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatalf("box %v is not finite", *b)
		}
	}
	if b[0] > b[2] || b[1] > b[3] {
		t.Fatalf("box %v is inside out", *b)
	}
	if !beside && (b[0] < -2 || b[1] < -2 || b[2] > pg.Width+2 || b[3] > pg.Height+2) {
		t.Fatalf("box %v on a page of %v by %v", *b, pg.Width, pg.Height)
	}
}

// answers is one end of reading: a parse that holds, or an error with words.
type answers struct {
	p   edb.Parsed
	err error
}

// readsSoundly: twice the same end, a parse in the form that all stages rely on or an error with
// words.
func readsSoundly(t testing.TB, b []byte, read func([]byte) (edb.Parsed, error)) (edb.Parsed, error) {
	t.Helper()
	given := slices.Clone(b)
	var a, again answers
	a.p, a.err = read(given)
	again.p, again.err = read(slices.Clone(b))
	if !slices.Equal(given, b) {
		t.Fatal("the reader changed what it was given")
	}
	if (a.err == nil) != (again.err == nil) || a.err != nil && a.err.Error() != again.err.Error() || !reflect.DeepEqual(a.p, again.p) {
		t.Fatalf("the same bytes give two answers: %v, %v", a.err, again.err)
	}
	if a.err != nil {
		if strings.TrimSpace(a.err.Error()) == "" {
			t.Fatal("an error without words")
		}
		return edb.Parsed{}, a.err
	}
	holds(t, a.p)
	return a.p, nil
}

// engineReads: as readsSoundly, and errors are failures with a kind.
func engineReads(t testing.TB, b []byte, read func([]byte) (edb.Parsed, error)) (edb.Parsed, error) {
	t.Helper()
	p, err := readsSoundly(t, b, read)
	if err != nil && kindOf(err) == "" {
		t.Fatalf("%v is no *Error", err)
	}
	return p, err
}
