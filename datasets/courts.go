package datasets

import (
	"context"
	"fmt"
	"html"
	"path"
	"regexp"
	"strings"
	"time"

	edb "enterprisedocbench"
)

// courtCase is an entry of NAME.compare.json: what a reader of the index page must find.
type courtCase struct {
	Name   string `json:"case_names"`
	Date   string `json:"case_dates"`
	Docket string `json:"docket_numbers"`
	Approx bool   `json:"date_filed_is_approximate"`
}

// importCourts reads pdfs/*.pdf, for which there is no truth, and index_pages/NAME.html (or .json,
// .xml) with NAME.compare.json, the metadata of the cases that the page lists. The metadata become
// questions of two fixed forms, for cases whose name stands in one entry alone.
func importCourts(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	const fix = "name the folder that holds pdfs/ and index_pages/"
	pdfs, err := f.list("pdfs", fix, ".pdf")
	if err != nil {
		return err
	}
	pages, err := f.list("index_pages", fix, ".html", ".json", ".xml")
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "courts", Version: "1",
		Licence: "court records, public domain by the collection's note",
		Made: "filings and opinions of US courts as PDF without any truth, and index pages of courts; " +
			"questions are made of the pages' metadata by program, in two fixed forms, for cases whose name is in the metadata once",
		Citation: "Free Law Project, test files of doctor and juriscraper",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(pdfs), func(ctx context.Context, i int) error {
		raw, err := f.read(pdfs[i])
		if err != nil {
			return err
		}
		sheets, scanned, err := opt.sheets(ctx, f.path(pdfs[i]))
		if err != nil {
			return err
		}
		d := f.document(stem(pdfs[i]), pdfs[i])
		d.Pages, d.Scanned, d.Domain, d.Doctype, d.Licence = len(sheets), scanned, "legal", "court-record", courtLicence(f, pdfs[i])
		return w.AddDocument(d, raw, nil)
	})
	if err != nil {
		return err
	}
	return addCourtIndexes(ctx, w, f, pages)
}

func courtLicence(f *folder, name string) edb.Licence {
	return f.licence(name, edb.Licence{SPDX: "LicenseRef-Public-Domain", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "record of a US court"})
}

// addCourtIndexes adds the index pages with their questions and closes the dataset.
func addCourtIndexes(ctx context.Context, w *Writer, f *folder, pages []string) error {
	const truth = ".compare.json"
	type index struct {
		doc, text, path string
		cases           []courtCase
	}
	var list []index
	named := map[string]int{}
	for _, name := range pages {
		if strings.HasSuffix(name, truth) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		raw, err := f.read(name)
		if err != nil {
			return err
		}
		in := index{doc: "index/" + stem(name), text: bareText(string(raw)), path: strings.TrimSuffix(name, path.Ext(name)) + truth}
		if strings.HasSuffix(name, ".html") && !strings.Contains(string(raw), "<") {
			return fmt.Errorf("%s: is named .html and holds no markup: fetch the file again", f.path(name))
		}
		meta, err := f.read(in.path)
		if err != nil {
			return err
		}
		if err := decodeJSON(f.path(in.path), meta, &in.cases); err != nil {
			return err
		}
		d := f.document(in.doc, name)
		d.Pages, d.Domain, d.Doctype, d.Licence = 1, "legal", "court-index", courtLicence(f, name)
		if err := w.AddDocument(d, raw, nil); err != nil {
			return fmt.Errorf("%s: %w", f.path(name), err)
		}
		for _, c := range in.cases {
			named[c.Name]++
		}
		list = append(list, in)
	}
	for _, in := range list {
		for i, c := range in.cases {
			if c.Name == "" || named[c.Name] > 1 || strings.Contains(c.Name, c.Docket) {
				continue
			}
			for _, q := range c.questions(in.doc, in.text) {
				q.ID = fmt.Sprintf("%s-%d-%s", in.doc, i+1, q.ID)
				if err := w.AddQuestion(q); err != nil {
					return fmt.Errorf("%s: %w", f.path(in.path), err)
				}
			}
		}
	}
	return w.Close()
}

// questions asks for the docket number, where it stands on the page to the letter, and for the date.
func (c courtCase) questions(doc, text string) []edb.Question {
	ask := func(id, words, kind, value, quote string) edb.Question {
		return edb.Question{ID: id, Text: words, Modality: edb.ModalitySingleHop, Task: "lookup", Domain: "legal", Lang: "en",
			Answer: &edb.GoldAnswer{Type: kind, Value: value}, Evidence: []edb.Evidence{{Doc: doc, Page: 1, Quote: quote}},
			Review: map[string]any{"made": "by program from the page's metadata"}}
	}
	var out []edb.Question
	if c.Docket != "" && strings.Contains(text, c.Docket) {
		out = append(out, ask("docket", "What is the docket number of "+c.Name+"?", "exact", c.Docket, c.Docket))
	}
	if _, err := time.Parse(time.DateOnly, c.Date); err == nil && !c.Approx {
		out = append(out, ask("date", "On which date was "+c.Name+" filed?", "date", c.Date, ""))
	}
	return out
}

var markup = regexp.MustCompile(`<[^>]*>`)

// bareText is the text of a page with its markup taken out by the letter.
func bareText(s string) string { return squeeze(html.UnescapeString(markup.ReplaceAllString(s, " "))) }
