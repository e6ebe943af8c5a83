package datasets

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	edb "enterprisedocbench"

	"github.com/goccy/go-yaml"
)

// importJOSS reads NAME.pdf with NAME.md, the Markdown a paper was made from. The PDFs are drafts:
// they number lines in the margin, print citations as names and years and add a list of references
// that the source lacks, and they typeset the formulas. All four are masked.
func importJOSS(ctx context.Context, from, out string, opt ImportOptions) error {
	stems, err := listStems(from, ".pdf", "name the folder with the papers as NAME.pdf and NAME.md")
	if err != nil {
		return err
	}
	known, err := origins(from)
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "joss", Version: "1",
		Licence:  "CC-BY-4.0 save where a document says MIT",
		Made:     "papers of the Journal of Open Source Software: the PDF, and as gold the Markdown it was made from",
		Citation: "Journal of Open Source Software, the papers by their titles",
		Mask:     []MaskRule{{Documents: "*", LeaveOut: []string{"formula", "citation", "references", "line-numbers"}}},
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(stems), func(ctx context.Context, i int) error {
		pdf := filepath.Join(from, stems[i]+".pdf")
		content, err := readAll(pdf)
		if err != nil {
			return err
		}
		md := filepath.Join(from, stems[i]+".md")
		gold, err := readAll(md)
		if err != nil {
			return err
		}
		if err := markdownFault(md, gold); err != nil {
			return err
		}
		title, date, err := frontMatter(md, string(gold))
		if err != nil {
			return err
		}
		d := edb.Document{ID: stems[i], Path: pdf, Title: title, Date: wordsDate(date), Domain: "science", Doctype: "paper", Lang: "en", Split: "test", Gold: "source"}
		o := known[stems[i]+".pdf"]
		d.Source = o.source()
		var ok bool
		if d.Licence, ok = openLicence(o.Licence); !ok {
			d.Licence = edb.Licence{SPDX: "CC-BY-4.0", Redistribute: true, Derivatives: true, Commercial: true,
				Evidence: "the journal publishes its papers under CC-BY-4.0; not looked up for this one"}
		}
		if opt.Parse != nil {
			p, err := opt.Parse(ctx, pdf)
			if err != nil {
				return fmt.Errorf("%s: %w", pdf, err)
			}
			d.Pages = lastPage(p)
		}
		return w.AddMarkdown(d, content, gold)
	})
	if err != nil {
		return err
	}
	return w.Close()
}

func lastPage(p edb.Parsed) int {
	if !p.Paged || len(p.Pages) == 0 {
		return 0
	}
	return p.Pages[len(p.Pages)-1].Number
}

// frontMatter reads the title and the date from the YAML head of a paper.
func frontMatter(path, md string) (title, date string, err error) {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(md, "\ufeff"), "---\n")
	head, _, ok2 := strings.Cut(rest, "\n---")
	if !ok || !ok2 {
		return "", "", fmt.Errorf("%s:1: no YAML head between two lines of ---: add one with the title", path)
	}
	var h struct {
		Title string `yaml:"title"`
		Date  string `yaml:"date"`
	}
	if err := yaml.Unmarshal([]byte(head), &h); err != nil {
		f := yamlFault(err, "correct the YAML head")
		return "", "", fmt.Errorf("%s:%d: %s: %s", path, f.Line+1, f.Problem, f.Fix)
	}
	if h.Title == "" {
		return "", "", fmt.Errorf("%s:1: the YAML head has no title: add one", path)
	}
	return h.Title, h.Date, nil
}
