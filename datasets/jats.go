package datasets

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"

	edb "enterprisedocbench"
)

// importJATS reads articles in JATS, the XML of journals. An article is its own document, and what
// its XML says is the gold. Where FOLDER/pair holds one PDF with one XML, the PDF is the document and
// the XML its gold.
func importJATS(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	files, err := f.list(".", "name the folder with the articles as .xml or .nxml", ".xml", ".nxml", ".pdf")
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "jats", Version: "1",
		Licence: "by article, as its XML states it: CC-BY, one CC-BY-NC, one CC0, one in the public domain",
		Made: "articles as JATS XML, and one as the PDF made of it; gold is what the XML says without the list of references, " +
			"the reviews and other sub-articles, and the notes on funding",
		Citation: "the articles by their titles; JATS: Journal Article Tag Suite, ANSI/NISO Z39.96",
		Mask:     []MaskRule{{Documents: "*", LeaveOut: []string{"formula", "references"}}},
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	pairs := map[string]string{} // folder -> its PDF
	for _, name := range files {
		if path.Ext(name) == ".pdf" {
			if pairs[path.Dir(name)] != "" {
				return fmt.Errorf("%s: a second PDF beside %s: keep each pair of PDF and XML in a folder of its own", f.path(name), path.Base(pairs[path.Dir(name)]))
			}
			pairs[path.Dir(name)] = name
		}
	}
	err = opt.each(ctx, len(files), func(ctx context.Context, i int) error {
		if path.Ext(files[i]) == ".pdf" {
			return nil
		}
		return addArticle(ctx, w, f, opt, files[i], pairs[path.Dir(files[i])])
	})
	if err != nil {
		return err
	}
	return w.Close()
}

func addArticle(ctx context.Context, w *Writer, f *folder, opt ImportOptions, name, pdf string) error {
	raw, err := f.read(name)
	if err != nil {
		return err
	}
	root, err := readXML(raw, "article")
	if err != nil {
		return fmt.Errorf("%s:%w", f.path(name), err)
	}
	a := readArticle(root)
	file := name
	if pdf != "" {
		if raw, err = f.read(pdf); err != nil {
			return err
		}
		file = pdf
	}
	d := f.document(stem(file), file)
	d.Title, d.Domain, d.Doctype, d.Gold, d.Pages = a.title, "science", "paper", "source", 1
	d.Layout = a.layout()
	d.Licence = jatsLicence(root, f.known[name].Licence)
	if path.Ext(name) == ".nxml" && pdf == "" {
		d.Path = ".xml"
	}
	if l := root.attr("lang"); len(l) >= 2 {
		d.Lang = strings.ToLower(l[:2])
	}
	if pdf != "" {
		sheets, _, err := opt.sheets(ctx, f.path(pdf))
		if err != nil {
			return err
		}
		d.Pages = len(sheets)
	}
	if len(a.els) == 0 {
		return fmt.Errorf("%s:%d: the article has no text: take it out", f.path(name), root.Line)
	}
	if err := w.AddDocument(d, raw, a.parsed()); err != nil {
		return fmt.Errorf("%s: %w", f.path(name), err)
	}
	return nil
}

var (
	ccAddress = regexp.MustCompile(`creativecommons\.org/(licenses|publicdomain)/([a-z-]+)/(\d\.\d)`)
	ccBy      = regexp.MustCompile(`(?i)Creative Commons Attribution License`)
)

// jatsLicence reads the licence of an article from its permissions: the address of a Creative Commons
// licence, else its name in words. Said is what else is known of the file.
func jatsLicence(root *xmlNode, said string) edb.Licence {
	p := root.child("front", "article-meta", "permissions")
	words := p.text(nil, nil)
	if p == nil { // one old article has the statement beside
		words = root.child("front", "article-meta", "copyright-statement").text(nil, nil)
	}
	address := ""
	for _, name := range []string{"license", "license_ref"} {
		for l := range p.all(name) {
			if address == "" {
				address = l.attr("href")
			}
			if m := l.text(nil, nil); address == "" && strings.HasPrefix(m, "http") {
				address = m
			}
		}
	}
	l := edb.Licence{SPDX: "NOASSERTION", Evidence: "the article's XML states no licence; elsewhere said: " + said}
	if m := ccAddress.FindStringSubmatch(address); m != nil {
		return ccLicence(m[1], m[2], m[3], "the article's XML names "+address)
	}
	if ccBy.MatchString(words) {
		l = edb.Licence{SPDX: "LicenseRef-CC-BY-unversioned", Redistribute: true, Derivatives: true, Commercial: true,
			Evidence: "the article's XML names the Creative Commons Attribution License without a version"}
	}
	return l
}

// ccLicence is the licence behind an address of Creative Commons: kind "licenses" or "publicdomain".
func ccLicence(kind, name, version, evidence string) edb.Licence {
	l := edb.Licence{Redistribute: true, Derivatives: true, Commercial: true, Evidence: evidence}
	switch {
	case kind == "publicdomain" && name == "zero":
		l.SPDX = "CC0-" + version
	case kind == "publicdomain":
		l.SPDX = "CC-PDM-" + version
	default:
		l.SPDX = "CC-" + strings.ToUpper(name) + "-" + version
		l.Derivatives, l.Commercial = !strings.Contains(name, "nd"), !strings.Contains(name, "nc")
	}
	return l
}
