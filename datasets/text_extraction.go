package datasets

import (
	"context"
	"fmt"
	"strings"

	edb "enterprisedocbench"
)

// importTextExtraction reads ground_truth/ID.txt, the text of whole documents written by hand, and
// the PDF of each where it is there: ID.pdf or pdfs/ID.pdf, or a name that begins with ID's part
// before its first "-" (GeoTopo-komprimiert.pdf is GeoTopo-book recompressed). The papers' PDFs are
// not published: the text stands in as their file, and reading it back says nothing of a parser.
//
// extracted_LIB/ID.txt are outputs of readers and published_scores.json what the authors made of
// them. They stay where they are: edb eval parse takes --gold ground_truth and --pred extracted_LIB.
func importTextExtraction(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	const fix = "name the folder that holds ground_truth/ID.txt"
	texts, err := f.list("ground_truth", fix, ".txt")
	if err != nil {
		return err
	}
	pdfs := f.pdfs()
	w, err := opt.create(out, Info{
		Name: "text_extraction", Version: "1",
		Licence:  "repository BSD-3-Clause; GeoTopo CC-BY-SA-4.0; the papers state no licence",
		Made:     "benchmark of text extraction by py-pdf; where a document's PDF is not published, its text is its file too",
		Citation: "py-pdf, benchmarks of PDF libraries",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(texts), func(ctx context.Context, i int) error {
		id := stem(texts[i])
		text, err := f.read(texts[i])
		if err != nil {
			return err
		}
		name := pdfOf(id, pdfs)
		if name == "" {
			name = texts[i]
		}
		content := text
		d := f.document(id, name)
		d.Gold, d.Domain, d.Doctype, d.Date = "human", "science", "paper", arxivDate(id)
		d.Licence = f.licence(name, edb.Licence{SPDX: "NOASSERTION", Evidence: "the authors' own licence for arXiv, which the collection does not state"})
		if strings.HasPrefix(id, "GeoTopo") {
			d.Doctype, d.Lang, d.Title = "book", "de", "Einführung in die Geometrie und Topologie"
			d.Licence = f.licence(name, edb.Licence{SPDX: "CC-BY-SA-4.0", Redistribute: true, Derivatives: true, Commercial: true,
				Evidence: "the author publishes the book under CC-BY-SA-4.0"})
		}
		if name != texts[i] {
			if content, err = f.read(name); err != nil {
				return err
			}
			sheets, scanned, err := opt.sheets(ctx, f.path(name))
			if err != nil {
				return err
			}
			d.Pages, d.Scanned = len(sheets), scanned
		}
		return w.AddDocument(d, content, textGold(string(text)))
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// pdfs lists the PDFs of a folder, at its top and in pdfs/; none is no error.
func (f *folder) pdfs() []string {
	var out []string
	for _, dir := range []string{".", "pdfs"} {
		stems, err := listStems(f.path(dir), ".pdf", "")
		if err != nil {
			continue // not there: the texts stand in
		}
		for _, s := range stems {
			out = append(out, strings.TrimPrefix(fmt.Sprintf("%s/%s.pdf", dir, s), "./"))
		}
	}
	return out
}

// pdfOf finds the PDF of a document.
func pdfOf(id string, pdfs []string) string {
	for _, p := range pdfs {
		if stem(p) == id {
			return p
		}
	}
	short, _, cut := strings.Cut(id, "-")
	for _, p := range pdfs {
		if s, _, _ := strings.Cut(stem(p), "-"); cut && s == short {
			return p
		}
	}
	return ""
}
