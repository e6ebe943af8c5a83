package parse

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
)

// pdfiumOnce is the one PDFium of the test binary: compiling it costs seconds.
var pdfiumOnce Parser

func testPdfium(t testing.TB) Parser {
	t.Helper()
	if pdfiumOnce == nil {
		p, err := newPdfium()
		if err != nil {
			t.Fatal(err)
		}
		pdfiumOnce = p
	}
	return pdfiumOnce
}

// pdfCase is what a line of area pdf says; absent fields demand nothing.
type pdfCase struct {
	Text       *string         `json:"text"`
	InOrder    []string        `json:"text_contains_in_order"`
	Contains   []string        `json:"contains"`
	Lines      []string        `json:"lines"`
	StartsWith string          `json:"starts_with"`
	NotAllowed json.RawMessage `json:"not_allowed"`
	Pages      int             `json:"pages"`
	Error      string          `json:"error"`
	Within     float64         `json:"terminates_within_seconds"`
	Warn       string          `json:"warn"`
	Unmapped   int             `json:"unmapped_glyphs"`
}

func TestPdfiumCases(t *testing.T) {
	cases := testdata.Cases(t, "pdf")
	if len(cases) < 12 {
		t.Fatalf("only %d cases of area pdf", len(cases))
	}
	p := testPdfium(t)
	for _, c := range cases {
		t.Run(c.ID, func(t *testing.T) {
			var in struct {
				PDF []byte `json:"pdf_base64"`
			}
			var want pdfCase
			if err := json.Unmarshal(c.Input, &in); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(c.Expected, &want); err != nil {
				t.Fatal(err)
			}
			got, err := parsePDFBytes(t, p, in.PDF)
			if want.Error != "" {
				var pe *Error
				if !errors.As(err, &pe) || pe.Kind != Encrypted || !strings.Contains(err.Error(), want.Error) {
					t.Fatalf("error %v, want kind %s with %q", err, Encrypted, want.Error)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			checkPDFCase(t, got, want)
			warned := strings.Join(got.Warnings, "\n")
			if want.Warn == "" && want.Unmapped == 0 && warned != "" || !strings.Contains(warned, want.Warn) {
				t.Errorf("the warnings are %q, want %q", got.Warnings, want.Warn)
			}
			if n := want.Unmapped; n > 0 && !strings.Contains(warned, fmt.Sprintf("page 1: %d glyphs have no character", n)) {
				t.Errorf("the warnings %q do not count %d glyphs without a character", got.Warnings, n)
			}
		})
	}
}

func checkPDFCase(t *testing.T, got edb.Parsed, want pdfCase) {
	t.Helper()
	text := got.Text()
	if want.Text != nil && text != *want.Text {
		t.Errorf("text %q, want %q", text, *want.Text)
	}
	at := 0
	for _, s := range want.InOrder {
		i := strings.Index(text[at:], s)
		if i < 0 {
			t.Fatalf("%q does not follow in %q", s, text)
		}
		at += i + len(s)
	}
	for _, s := range want.Contains {
		if !strings.Contains(text, s) {
			t.Errorf("%q is not in %q", s, text)
		}
	}
	if want.Lines != nil {
		var lines []string
		for _, e := range got.Elements {
			for _, l := range e.Lines {
				lines = append(lines, l.Text)
			}
		}
		if strings.Join(lines, "|") != strings.Join(want.Lines, "|") {
			t.Errorf("lines %q, want %q", lines, want.Lines)
		}
	}
	if !strings.HasPrefix(text, want.StartsWith) {
		t.Errorf("text %q does not start with %q", text, want.StartsWith)
	}
	var bad string
	if json.Unmarshal(want.NotAllowed, &bad) == nil && bad != "" && strings.Contains(text, bad) {
		t.Errorf("text %q holds %q", text, bad)
	}
	if strings.ContainsRune(text, 0) {
		t.Errorf("text %q holds a NUL", text)
	}
	if want.Pages > 0 && len(got.Pages) != want.Pages {
		t.Errorf("%d pages, want %d", len(got.Pages), want.Pages)
	}
}

// parsePDFBytes parses b from a file, in 20 s at most: a hang fails the test instead of stopping it.
func parsePDFBytes(t testing.TB, p Parser, b []byte) (edb.Parsed, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "case.pdf")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	type result struct {
		p   edb.Parsed
		err error
	}
	done := make(chan result, 1)
	go func() {
		out, err := p.Parse(context.Background(), Source{Doc: edb.Document{ID: "case"}, Path: path})
		done <- result{out, err}
	}()
	select {
	case r := <-done:
		return r.p, r.err
	case <-time.After(20 * time.Second):
		t.Fatal("the parser did not come back")
		return edb.Parsed{}, nil
	}
}

// FuzzPdfium damages small files: the engine answers or says *Error, and works on.
func FuzzPdfium(f *testing.F) {
	for _, b := range madeSeeds() {
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	p := testPdfium(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		engineReads(t, b, func(b []byte) (edb.Parsed, error) { return parsePDFBytes(t, p, b) })
	})
}

func TestLigatureNames(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"<</Differences[1/f_i 2/f_f_l/x]>>", "<</Differences[1/fi  2/ffl  /x]>>"},
		{"/f_i outside", "/f_i outside"},
		{"/Differences[1/f_ix/f_i]", "/Differences[1/f_ix/fi ]"},
		{"/Differences[1/a", "/Differences[1/a"},
		{"/Differences[/f_f\xff]", "/Differences[/f_f\xff]"},
		{"", ""},
	} {
		in := []byte(c.in)
		if got := string(ligatureNames(in)); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
		if string(in) != c.in {
			t.Errorf("%q was changed in place", c.in)
		}
	}
}

func TestQuarterAndShown(t *testing.T) {
	const half = 1.5707963
	for _, c := range []struct {
		angle    float64
		rotation int
		want     int
	}{{0, 0, 0}, {3 * half, 1, 0}, {half, 0, 3}, {3 * half, 0, 1}, {4 * half, 0, 0}, {0.8, 0, -1}, {0, 1, 3}} {
		if got, _ := quarter(c.angle, c.rotation); got != c.want {
			t.Errorf("angle %v on a page turned by %d: %d, want %d", c.angle, c.rotation, got, c.want)
		}
	}
	// A rectangle in the lower left corner of a 100 by 200 page, as shown after each turn.
	for rotation, want := range []edb.Box{{0, 180, 10, 200}, {0, 0, 20, 10}, {90, 0, 100, 20}, {180, 90, 200, 100}} {
		w, h := 100.0, 200.0
		if rotation%2 == 1 {
			w, h = h, w
		}
		if got := shown(rotation, [2]float64{5, 5}, w, h, 5, 25, 15, 5); got != want {
			t.Errorf("turned by %d: %v, want %v", rotation, got, want)
		}
	}
}
