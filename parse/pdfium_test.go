package parse

import (
	"context"
	"encoding/json"
	"errors"
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
