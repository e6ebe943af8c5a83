package datasets

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	edb "enterprisedocbench"
)

var (
	gaoTitle     = regexp.MustCompile(`(?m)^#\s+(.+)$`)
	gaoPublished = regexp.MustCompile(`(?m)^\*\*Report:.*\*\*Published:\*\* (\d{4}-\d\d-\d\d)`)
)

// importGAO reads reports as NAME.pdf, some with NAME.md. The Markdown is what pymupdf4llm made of the
// PDF, in a version that the collection does not state: reference gold. The other reports have none.
func importGAO(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	stems, err := listStems(from, ".pdf", "name the folder with the reports as NAME.pdf")
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "gao", Version: "1",
		Licence:  "works of the US Government, which may hold figures of others",
		Made:     "reports as PDF; the Markdown beside some is what a converter made of them, which is no gold for parsing",
		Citation: "US Government Accountability Office, the reports by their numbers",
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
		sheets, scanned, err := opt.sheets(ctx, f.path(pdf))
		if err != nil {
			return err
		}
		d := f.document(stems[i], pdf)
		d.Pages, d.Scanned, d.Domain, d.Doctype = len(sheets), scanned, "government", "report"
		d.Licence = f.licence(pdf, edb.Licence{SPDX: "LicenseRef-US-Government-Work", Redistribute: true, Derivatives: true, Commercial: true,
			Evidence: "works of the US Government have no copyright (17 USC 105); figures of others in a report may have one"})
		if !f.has(md) {
			return w.AddDocument(d, content, nil)
		}
		gold, err := f.read(md)
		if err != nil {
			return err
		}
		if m := gaoTitle.FindSubmatch(gold); m != nil {
			d.Title = strings.TrimSpace(string(m[1]))
		}
		if m := gaoPublished.FindSubmatch(gold); m != nil && validDate(string(m[1])) {
			d.Date = string(m[1])
		}
		d.Gold = "reference(pymupdf4llm@unstated)"
		if err := w.AddMarkdown(d, content, gold); err != nil {
			return fmt.Errorf("%s: %w", f.path(md), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.Close()
}
