package parse

import (
	"encoding/json"
	"errors"
	"testing"

	"enterprisedocbench/internal/testdata"
)

// ledongthucFails are the cases of area pdf that this reader cannot pass, each with what it does.
var ledongthucFails = map[string]string{
	"pdf-xref-loop":               "never returns; the worker's limit ends it",
	"pdf-empty-password-rc4-40":   "gives no text",
	"pdf-page-tree-cycle":         "gives the page twice",
	"pdf-glyph-name-parts":        "loses the ligature",
	"pdf-form-recursion":          "does not enter forms",
	"pdf-tounicode-bfrange-array": "loses characters",
	"pdf-rotate-90":               "gives turned text without size",
	"pdf-tj-space":                "gives glyphs of the standard fonts no width, so that words lie over each other",
}

func TestLedongthucCases(t *testing.T) {
	p, err := newLedongthuc()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range testdata.Cases(t, "pdf") {
		if c.ID == "pdf-xref-loop" {
			continue // it would take a processor for good
		}
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
			var pe *Error
			if err != nil && !errors.As(err, &pe) {
				t.Fatalf("error %v is no *Error", err)
			}
			if why := ledongthucFails[c.ID]; why != "" {
				t.Logf("fails: %s (text %q, error %v)", why, got.Text(), err)
				return
			}
			if want.Error != "" {
				if pe == nil || pe.Kind != Encrypted {
					t.Fatalf("error %v, want kind %s", err, Encrypted)
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
