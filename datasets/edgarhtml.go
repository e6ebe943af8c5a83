package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/xmltree"
)

// edgarSection is an entry of expected-top-level-sections.json: an item of the form, with its length
// in characters of markup; 0 where the filing leaves the item out.
type edgarSection struct {
	ID     string `json:"identifier"` // part1item1a, or 1A where the form numbers its items through
	Length int    `json:"character_count"`
}

// edgarElement is an entry of expected-structure-and-text.json.
type edgarElement struct {
	Class string `json:"cls_name"`
	Level *int   `json:"level"`
	Text  string `json:"text_content"`
}

// edgarStructure names the file that lists all elements of a filing.
const edgarStructure = "expected-structure-and-text.json"

// importEDGARHTML reads FORM/TICKER/ACCESSION/primary-document.html with
// expected-top-level-sections.json and, for some, expected-structure-and-text.json. Gold is headings
// alone: those that the structure lists, else one for each expected section, as its words stand in
// the filing; then the headings below the sections are none of the gold, and its mask says so. Where each section begins is held against its expected length.
func importEDGARHTML(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	files, err := f.list(".", "name the folder with FORM/TICKER/ACCESSION/primary-document.html", ".html")
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "edgar_html", Version: "1",
		Licence:   "expected values MIT; the filings are public disclosures of the issuers without a licence of their own",
		Made:      "filings as HTML; gold is headings only: snapshots of sec-parser that people reviewed; of four filings the items of the form, of one all headings",
		Citation:  "sec-parser test data; US SEC EDGAR, the filings by their accession numbers",
		GoldParts: []string{edb.KindHeading},
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(files), func(ctx context.Context, i int) error { return addEDGAR(w, f, files[i]) })
	if err != nil {
		return err
	}
	return w.Close()
}

func addEDGAR(w *Writer, f *folder, name string) error {
	raw, err := f.read(name)
	if err != nil {
		return err
	}
	dir := path.Dir(name)
	var sections []edgarSection
	expected := path.Join(dir, "expected-top-level-sections.json")
	if err := readJSONOf(f, expected, &sections); err != nil {
		return err
	}
	heads, err := findSections(raw, sections)
	if err != nil {
		return fmt.Errorf("%s: %w", f.path(name), err)
	}
	var b blocks
	if structure := path.Join(dir, edgarStructure); f.has(structure) {
		var elements []edgarElement
		if err := readJSONOf(f, structure, &elements); err != nil {
			return err
		}
		for _, e := range elements {
			switch {
			case e.Level == nil:
			case e.Class == "TopSectionTitle":
				b.heading(1+*e.Level, e.Text)
			case e.Class == "TitleElement":
				b.heading(3+*e.Level, e.Text)
			}
		}
	} else {
		for _, h := range heads {
			b.heading(2, h.text)
		}
	}
	if len(b.els) == 0 {
		return fmt.Errorf("%s: names no section: take the filing out", f.path(expected))
	}
	form, rest, _ := strings.Cut(dir, "/")
	ticker, accession, _ := strings.Cut(rest, "/")
	d := f.document(dir, name)
	d.Pages, d.Title, d.Domain, d.Doctype, d.Gold = 1, ticker+" "+form, "finance", strings.ToLower(form), "human"
	d.Source, d.Date = &edb.Origin{Name: "SEC EDGAR", ID: accession}, accessionDate(accession)
	d.Licence = f.licence(name, edb.Licence{SPDX: "NOASSERTION", Evidence: "public disclosure of the issuer; the filing states no licence"})
	gold := b.onePage()
	if !f.has(path.Join(dir, edgarStructure)) {
		gold.Mask = []string{"headings"}
	}
	if err := w.AddDocument(d, raw, gold); err != nil {
		return fmt.Errorf("%s: %w", f.path(name), err)
	}
	return nil
}

func readJSONOf(f *folder, name string, v any) error {
	raw, err := f.read(name)
	if err != nil {
		return err
	}
	return decodeJSON(f.path(name), raw, v)
}

// htmlLine is a block of a page: its text and where in the markup it begins, in bytes.
type htmlLine struct {
	text string
	at   int
}

var edgarBlocks = xmltree.Set("div", "p", "td", "tr", "table", "h1", "h2", "h3", "h4", "h5", "h6", "li", "br", "body")

// htmlLines gives the blocks of a page that have text. It reads tokens, so that places are those of
// the file.
func htmlLines(raw []byte) ([]htmlLine, error) {
	var out []htmlLine
	var text strings.Builder
	begin, at := 0, 0
	flush := func() {
		if s := squeeze(text.String()); s != "" {
			out = append(out, htmlLine{s, begin})
		}
		text.Reset()
	}
	z := html.NewTokenizer(bytes.NewReader(raw))
	for {
		kind := z.Next()
		here := at
		at += len(z.Raw())
		switch kind {
		case html.ErrorToken:
			if errors.Is(z.Err(), io.EOF) {
				flush()
				return out, nil
			}
			return nil, fmt.Errorf("the markup cannot be read: %w", z.Err())
		case html.TextToken:
			s := string(z.Text())
			if strings.TrimSpace(text.String()) == "" && strings.TrimSpace(s) != "" {
				begin = here
			}
			text.WriteString(s)
		case html.StartTagToken, html.EndTagToken, html.SelfClosingTagToken:
			if name, _ := z.TagName(); edgarBlocks[string(name)] {
				flush()
			}
		}
	}
}

var (
	edgarHead = regexp.MustCompile(`(?i)^(part|item)\s+([ivx]+|\d{1,2}[a-c]?)\b`)
	roman     = map[string]string{"i": "1", "ii": "2", "iii": "3", "iv": "4"}
)

// sectionHead is a block that may be the heading of a section: "part2", or "part2item1a".
type sectionHead struct {
	htmlLine
	id string
}

// sectionSlack is how much the length of a section may differ from the expected one, as a share of
// it, beside 400 bytes: the expected lengths are those of the markup after another program read it.
const sectionSlack = 0.1

// findSections gives the heading of each section of a length above 0: the last block that begins
// with its number before the next such section, so that tables of contents do not count. It is an error
// where a heading is not there or what follows it is not of the expected length.
func findSections(raw []byte, sections []edgarSection) ([]sectionHead, error) {
	lines, err := htmlLines(raw)
	if err != nil {
		return nil, err
	}
	var heads []sectionHead
	part := ""
	for _, l := range lines {
		m := edgarHead.FindStringSubmatch(l.text)
		if m == nil {
			continue
		}
		n := strings.ToLower(m[2])
		if strings.EqualFold(m[1], "part") {
			if roman[n] != "" {
				part = "part" + roman[n]
				heads = append(heads, sectionHead{l, part})
			}
			continue
		}
		heads = append(heads, sectionHead{l, part + "item" + n})
	}
	var out []sectionHead
	end := len(heads)
	for i := len(sections) - 1; i >= 0; i-- {
		s := sections[i]
		if s.Length == 0 {
			continue
		}
		id := strings.ToLower(s.ID)
		k := end - 1
		for k >= 0 && heads[k].id != id && !strings.HasSuffix(heads[k].id, "item"+id) {
			k--
		}
		if k < 0 {
			return nil, fmt.Errorf("section %q has no heading: fetch the filing again", s.ID)
		}
		if !fits(raw, heads, k, end, s.Length) {
			return nil, fmt.Errorf("section %q (%s) is not %d characters of markup long: fetch the filing again", s.ID, short(heads[k].text), s.Length)
		}
		out = append([]sectionHead{heads[k]}, out...)
		end = k
	}
	return out, nil
}

// fits says whether some heading after k up to the one at end, or the end of the file, stands where a
// section of the length that begins at k ends: filings have items that the expected values leave
// out.
func fits(raw []byte, heads []sectionHead, k, end, length int) bool {
	slack := 400 + sectionSlack*float64(length)
	for n := k + 1; n <= end; n++ {
		to := len(raw)
		if n < len(heads) {
			to = heads[n].at
		}
		if d := float64(utf8.RuneCount(raw[heads[k].at:to]) - length); d >= -slack && d <= slack {
			return true
		}
	}
	return false
}
