package datasets

import (
	"context"
	"fmt"
	"strings"

	edb "enterprisedocbench"
)

// importDocling reads NAME.pdf with NAME.md. The Markdown is what docling made of the PDF, kept by
// its authors as regression data: reference gold, with the repository's commit as its version where
// a manifest names it. It locates evidence and scores no parse.
func importDocling(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	stems, err := listStems(from, ".pdf", "name the folder with NAME.pdf and NAME.md")
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "docling", Version: "1",
		Licence:  "repository MIT; the documents state no licence",
		Made:     "test PDFs of docling with the Markdown it made of them, which is no gold for parsing",
		Citation: "Docling Team, Docling Technical Report, 2024",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(stems), func(ctx context.Context, i int) error {
		pdf, md := stems[i]+".pdf", stems[i]+".md"
		content, err := f.read(pdf)
		if err != nil {
			return err
		}
		gold, err := f.read(md)
		if err != nil {
			return err
		}
		if err := markdownFault(f.path(md), gold); err != nil {
			return err
		}
		sheets, scanned, err := opt.sheets(ctx, f.path(pdf))
		if err != nil {
			return err
		}
		d := f.document(stems[i], pdf)
		d.Pages, d.Scanned, d.Domain, d.Doctype = len(sheets), scanned, "general", "test-page"
		d.Gold = fmt.Sprintf("reference(docling@%s)", f.commit(md))
		if strings.HasPrefix(stems[i], "right_to_left") {
			d.Lang = "ar"
		}
		d.Licence = f.licence(pdf, edb.Licence{SPDX: "NOASSERTION", Evidence: "test data of a repository under MIT; the document states no licence"})
		return w.AddMarkdown(d, content, gold)
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// commit is the version of a file's repository, in 12 digits, that the manifest states, or "unstated".
func (f *folder) commit(name string) string {
	_, at, _ := strings.Cut(f.known[name].Source, "@")
	hash, _, _ := strings.Cut(at, ":")
	if hash == "" {
		return "unstated"
	}
	return hash[:min(len(hash), 12)]
}
