package datasets

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/xmltree"
)

// s2orcParse is how S2ORC gives a paper: abstract and body as paragraphs with the section they stand
// in, and captions apart.
type s2orcParse struct {
	Abstract s2orcParagraphs       `json:"abstract"`
	Body     []s2orcParagraph      `json:"body_text"`
	Back     []s2orcParagraph      `json:"back_matter"`
	Captions map[string]s2orcThing `json:"ref_entries"`
}

// s2orcRecord is a file of any release: the parse stands in the record itself, or below pdf_parse or
// grobid_parse.
type s2orcRecord struct {
	ID       string `json:"paper_id"`
	Title    string `json:"title"`
	Year     word   `json:"year"`
	Metadata struct {
		Title string `json:"title"`
		Year  word   `json:"year"` // 2017, "2006" or "2011-11"
	} `json:"metadata"`
	Header struct {
		With string `json:"generated_with"`
	} `json:"header"`
	s2orcParse
	PDF    *s2orcParse `json:"pdf_parse"`
	GROBID *s2orcParse `json:"grobid_parse"`
}

type s2orcParagraph struct {
	Section *string `json:"section"`
	Number  *string `json:"sec_num"`
	Text    string  `json:"text"`
}

type s2orcThing struct {
	Text string `json:"text"`
	Type string `json:"type"`
}

// s2orcParagraphs are paragraphs, or the bare text of a record's abstract.
type s2orcParagraphs []s2orcParagraph

func (p *s2orcParagraphs) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*p = nil
		if text != "" {
			*p = s2orcParagraphs{{Text: text}}
		}
		return nil
	}
	return json.Unmarshal(raw, (*[]s2orcParagraph)(p))
}

// importS2ORC reads NAME.pdf with NAME.json and records/RELEASE_ID.json. All structure is GROBID's:
// reference gold, which locates evidence and never scores parsing. A record without its PDF is a
// document of its own.
func importS2ORC(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	files, err := f.list(".", "name the folder with NAME.pdf, NAME.json and records/RELEASE_ID.json", ".json")
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "s2orc", Version: "1",
		Licence:  "papers CC-BY-4.0, records ODC-By-1.0",
		Made:     "papers and records of S2ORC; sections, paragraphs and captions are those of GROBID and no gold for parsing; captions stand at the end, references are left out",
		Citation: "Lo et al., S2ORC: The Semantic Scholar Open Research Corpus, 2020",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(files), func(ctx context.Context, i int) error {
		return addS2ORC(ctx, w, f, opt, files[i])
	})
	if err != nil {
		return err
	}
	return w.Close()
}

func addS2ORC(ctx context.Context, w *Writer, f *folder, opt ImportOptions, name string) error {
	raw, err := f.read(name)
	if err != nil {
		return err
	}
	var r s2orcRecord
	if err := decodeJSON(f.path(name), raw, &r); err != nil {
		return err
	}
	b, title := r.blocks()
	if r.ID == "" || len(b.els) == 0 {
		return fmt.Errorf("%s:1: is no record of S2ORC with paper_id and text: take the file out", f.path(name))
	}
	file := name
	if pdf := path.Join(path.Dir(name), stem(name)+".pdf"); f.has(pdf) {
		if raw, err = f.read(pdf); err != nil {
			return err
		}
		file = pdf
	}
	d := f.document(stem(name), file)
	d.Title, d.Domain, d.Doctype, d.Layout = title, "science", "paper", b.layout()
	d.Date = compactDate(strings.ReplaceAll(string(cmp.Or(r.Year, r.Metadata.Year)), "-", ""))
	if file == name {
		release, _, _ := strings.Cut(stem(name), "_")
		d.Pages, d.Lang, d.Gold = 1, "", fmt.Sprintf("reference(s2orc@%s)", release)
		d.Licence = edb.Licence{SPDX: "ODC-By-1.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "S2ORC is published under ODC-By-1.0"}
	} else {
		if d.Gold, err = grobidVersion(f, stem(name)+".tei.xml"); err != nil {
			return err
		}
		sheets, _, err := opt.sheets(ctx, f.path(file))
		if err != nil {
			return err
		}
		d.Pages = len(sheets)
		d.Licence = edb.Licence{SPDX: "CC-BY-4.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "the ACL Anthology publishes its papers under CC-BY-4.0"}
	}
	d.Licence = f.licence(file, d.Licence)
	gold := b.onePage()
	if file != name {
		gold = b.unpaged()
	}
	gold.Engine = strings.TrimSuffix(strings.TrimPrefix(d.Gold, "reference("), ")")
	if err := w.AddDocument(d, raw, gold); err != nil {
		return fmt.Errorf("%s: %w", f.path(name), err)
	}
	return nil
}

// grobidVersion gives the kind of gold that GROBID made, with the version that its TEI file names.
func grobidVersion(f *folder, tei string) (string, error) {
	version := "unstated"
	if f.has(tei) {
		raw, err := f.read(tei)
		if err != nil {
			return "", err
		}
		root, err := xmltree.Read(raw, "TEI")
		if err != nil {
			return "", fmt.Errorf("%s:%w", f.path(tei), err)
		}
		for a := range root.All("application") {
			if v := a.Attr("version"); v != "" && !strings.ContainsAny(v, "()@") {
				version = v
			}
		}
	}
	return fmt.Sprintf("reference(grobid@%s)", version), nil
}

func (r s2orcRecord) blocks() (*blocks, string) {
	p := r.s2orcParse
	if r.PDF != nil {
		p = *r.PDF
	}
	if r.GROBID != nil {
		p = *r.GROBID
	}
	title := r.Title
	if title == "" {
		title = r.Metadata.Title
	}
	b := &blocks{}
	b.heading(1, title)
	section := ""
	for _, list := range [][]s2orcParagraph{p.Abstract, p.Body, p.Back} {
		for _, t := range list {
			head := ""
			if t.Section != nil {
				head = *t.Section
			}
			if head != section && head != "" {
				level := 2
				if t.Number != nil {
					level += strings.Count(*t.Number, ".")
					head = *t.Number + " " + head
				}
				b.heading(level, head)
			}
			if t.Section != nil {
				section = *t.Section
			} else {
				section = ""
			}
			b.paragraph(t.Text)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(p.Captions)) {
		switch t := p.Captions[id]; t.Type {
		case "figure":
			b.figure(t.Text)
		case "table":
			b.add(edb.Element{Kind: edb.KindCaption, Text: t.Text})
		}
	}
	return b, title
}
