package datasets

import (
	"context"
	"fmt"
	"path"
	"strings"

	edb "enterprisedocbench"
)

// olmocrTest is one line of tests.jsonl.
type olmocrTest struct {
	PDF           string `json:"pdf"`
	Page          int    `json:"page"`
	ID            string `json:"id"`
	Type          string `json:"type"`
	Text          string `json:"text"`
	Before        string `json:"before"`
	After         string `json:"after"`
	Cell          string `json:"cell"`
	Up            string `json:"up"`
	Down          string `json:"down"`
	Left          string `json:"left"`
	Right         string `json:"right"`
	TopHeading    string `json:"top_heading"`
	LeftHeading   string `json:"left_heading"`
	Math          string `json:"math"`
	MaxDiffs      int    `json:"max_diffs"`
	CaseSensitive *bool  `json:"case_sensitive"`
	FirstN        int    `json:"first_n"`
	LastN         int    `json:"last_n"`
	MaxLength     int    `json:"max_length"`
	MaxRepeats    int    `json:"max_repeats"`
	Checked       string `json:"checked"`
}

// importOlmOCR reads pdfs/ with its sub-folders and tests.jsonl. The tests are no gold text but
// facts about pages, which go to facts.jsonl; a document is named by its path below pdfs/, without
// ".pdf".
func importOlmOCR(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	pdfs, err := f.list("pdfs", "name the folder that holds pdfs/ and tests.jsonl", ".pdf")
	if err != nil {
		return err
	}
	const file = "tests.jsonl"
	here := map[string]bool{}
	for _, p := range pdfs {
		here[p] = true
	}
	tests, err := jsonRows(f, file, func(t olmocrTest) error {
		if !here["pdfs/"+t.PDF] {
			return fmt.Errorf("test %q: pdfs/%s is missing: fetch it or take the line out", t.ID, t.PDF)
		}
		if x := factFaults(t.fact()); len(x) > 0 {
			return fmt.Errorf("test %q: %s: %s", t.ID, x[0].Problem, x[0].Fix)
		}
		return nil
	})
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "olmocr_bench", Version: "1",
		Licence:  "repository Apache-2.0; the pages are from public web documents without a stated licence",
		Made:     "olmOCR-bench: single pages, some of them scans, with facts that a parse must meet; it has no gold text",
		Citation: "Poznanski et al., olmOCR: Unlocking Trillions of Tokens in PDFs with Vision Language Models, 2025",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(pdfs), func(ctx context.Context, i int) error {
		content, err := f.read(pdfs[i])
		if err != nil {
			return err
		}
		sheets, scanned, err := opt.sheets(ctx, f.path(pdfs[i]))
		if err != nil {
			return err
		}
		d := f.document(olmocrID(pdfs[i]), pdfs[i])
		d.Pages, d.Scanned, d.Domain, d.Doctype = len(sheets), scanned, "general", "page"
		d.Licence = f.licence(pdfs[i], edb.Licence{SPDX: "NOASSERTION", Evidence: "page of a public web document in a repository under Apache-2.0; the document states no licence"})
		return w.AddDocument(d, content, nil)
	})
	if err != nil {
		return err
	}
	for _, t := range tests {
		if err := w.AddFact(t.v.fact()); err != nil {
			return fmt.Errorf("%s:%d: %w", f.path(file), t.line, err)
		}
	}
	return w.Close()
}

// olmocrID names a document by its path below pdfs/.
func olmocrID(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(name, "pdfs/"), path.Ext(name))
}

// fact gives the test in our words: math is formula, and case counts where it is not said to count.
func (t olmocrTest) fact() Fact {
	x := Fact{ID: t.ID, Doc: olmocrID(t.PDF), Page: t.Page, Type: t.Type, Text: t.Text, Before: t.Before, After: t.After,
		Cell: t.Cell, Up: t.Up, Down: t.Down, Left: t.Left, Right: t.Right, TopHeading: t.TopHeading, LeftHeading: t.LeftHeading,
		Formula: t.Math, MaxDiffs: t.MaxDiffs, AnyCase: t.CaseSensitive != nil && !*t.CaseSensitive,
		FirstN: t.FirstN, LastN: t.LastN, MaxLength: t.MaxLength, MaxRepeats: t.MaxRepeats, Checked: t.Checked}
	if x.Type == "math" {
		x.Type = "formula"
	}
	return x
}
