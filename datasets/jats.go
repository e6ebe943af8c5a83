package datasets

import (
	"context"
	"fmt"
	"path"
	"regexp"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/xmltree"
)

// importJATS reads articles in JATS, the XML of journals. An article is its own document, and what
// its XML says is the gold. A PDF in a folder with one XML is a further document. Its XML is reference gold
// only: publishers go on editing the XML, and of the one pair of the collection a third of the
// XML's text is not in the PDF.
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
		Made: "articles as JATS XML, and one also as PDF of an older state; gold is what the XML says without the list of references, " +
			"the reviews and other sub-articles, and the notes on funding; for the PDF it only locates evidence",
		Citation: "the articles by their titles; JATS: Journal Article Tag Suite, ANSI/NISO Z39.96",
		Mask:     []MaskRule{{Documents: "*", LeaveOut: []string{"formula", "references"}}},
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	pairs, err := pdfPairs(f, files)
	if err != nil {
		return err
	}
	err = opt.each(ctx, len(files), func(ctx context.Context, i int) error {
		if isPDF(files[i]) {
			return nil // comes with its XML
		}
		a, licence, err := readJATS(f, files[i])
		if err != nil {
			return err
		}
		if err := a.addTo(w, f, files[i], 1, "source", licence); err != nil {
			return err
		}
		pdf := pairs[path.Dir(files[i])]
		if pdf == "" {
			return nil
		}
		sheets, _, err := opt.sheets(ctx, f.path(pdf))
		if err != nil {
			return err
		}
		return a.addTo(w, f, pdf, len(sheets), "reference(jats@"+stem(files[i])+")", licence)
	})
	if err != nil {
		return err
	}
	return w.Close()
}

func isPDF(name string) bool { return strings.EqualFold(path.Ext(name), ".pdf") }

// pdfPairs gives the PDF of each folder that has one, beside the one article that it is.
func pdfPairs(f *folder, files []string) (map[string]string, error) {
	pdfs, articles := map[string]string{}, map[string]int{}
	for _, name := range files {
		dir := path.Dir(name)
		if !isPDF(name) {
			articles[dir]++
			continue
		}
		if pdfs[dir] != "" {
			return nil, fmt.Errorf("%s: a second PDF beside %s: keep each pair of PDF and XML in a folder of its own", f.path(name), path.Base(pdfs[dir]))
		}
		pdfs[dir] = name
	}
	for _, name := range files {
		if n := articles[path.Dir(name)]; isPDF(name) && n != 1 {
			return nil, fmt.Errorf("%s: stands beside %d articles: keep each pair of PDF and XML in a folder of its own", f.path(name), n)
		}
	}
	return pdfs, nil
}

func readJATS(f *folder, name string) (*article, edb.Licence, error) {
	raw, err := f.read(name)
	if err != nil {
		return nil, edb.Licence{}, err
	}
	root, err := xmltree.Read(raw, "article")
	if err != nil {
		return nil, edb.Licence{}, fmt.Errorf("%s:%w", f.path(name), err)
	}
	a := readArticle(root)
	if len(a.els) == 0 {
		return nil, edb.Licence{}, fmt.Errorf("%s:%d: the article has no text: take it out", f.path(name), root.Line)
	}
	return a, jatsLicence(root, f.known[name].Licence), nil
}

// addTo adds the article as one of its files.
func (a *article) addTo(w *Writer, f *folder, name string, pages int, kind string, licence edb.Licence) error {
	raw, err := f.read(name)
	if err != nil {
		return err
	}
	d := f.document(stem(name), name)
	d.Title, d.Domain, d.Doctype, d.Gold, d.Pages, d.Licence, d.Layout = a.title, "science", "paper", kind, pages, licence, a.layout()
	d.Date = a.date
	if d.Path == ".nxml" {
		d.Path = ".xml"
	}
	if a.lang != "" {
		d.Lang = a.lang
	}
	gold := a.onePage()
	if isPDF(name) {
		gold = a.unpaged()
	}
	if err := w.AddDocument(d, raw, gold); err != nil {
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
func jatsLicence(root *xmltree.Node, said string) edb.Licence {
	p := root.Child("front", "article-meta", "permissions")
	words := p.Text(nil, nil)
	if p == nil { // one old article has the statement beside
		words = root.Child("front", "article-meta", "copyright-statement").Text(nil, nil)
	}
	address := ""
	for _, name := range []string{"license", "license_ref"} {
		for l := range p.All(name) {
			if address == "" {
				address = l.Attr("href")
			}
			if m := l.Text(nil, nil); address == "" && strings.HasPrefix(m, "http") {
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
