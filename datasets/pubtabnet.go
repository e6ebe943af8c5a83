package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"image"
	_ "image/jpeg" // for the size of images
	_ "image/png"
	"path"
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"
)

// pubtabnetRow is one line of examples.jsonl: the image of a table with its markup in tokens.
type pubtabnetRow struct {
	File string `json:"filename"`
	HTML struct {
		Structure struct {
			Tokens []string `json:"tokens"`
		} `json:"structure"`
		Cells []struct {
			Tokens []string `json:"tokens"`
		} `json:"cells"`
	} `json:"html"`
}

// importPubTabNet reads examples.jsonl and images/. A document is the image of one table: one page
// whose size in points is that of the image in pixels, with the markup that the publisher of the
// article made the table from. teds_oracle.json, predictions with their official scores, stays where
// it is.
func importPubTabNet(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	const file = "examples.jsonl"
	rows, err := jsonRows(f, file, func(r pubtabnetRow) error {
		if r.File == "" {
			return errors.New("filename is missing: fetch the collection again")
		}
		_, err := r.table()
		return err
	})
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: "pubtabnet", Version: "1",
		Licence:   "annotations CDLA-Permissive-1.0; images under the terms of each article in the PMC Open Access Subset",
		Made:      "examples of PubTabNet: images of tables, with the markup of the articles as gold; one pixel is taken for one point",
		Citation:  "Zhong et al., Image-based table recognition: data, model, and evaluation, 2020",
		GoldParts: []string{edb.KindTable},
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	err = opt.each(ctx, len(rows), func(_ context.Context, i int) error {
		r := rows[i].v
		name := path.Join("images", path.Base(r.File))
		content, err := f.read(name)
		if err != nil {
			return err
		}
		page, err := imagePage(f.path(name), content)
		if err != nil {
			return err
		}
		e, err := r.table()
		if err != nil {
			return fmt.Errorf("%s:%d: %w", f.path(file), rows[i].line, err)
		}
		e.Box = &edb.Box{0, 0, page.Width, page.Height}
		page.Elements = []edb.Element{e}
		d := f.document(stem(r.File), name)
		d.Pages, d.Scanned, d.Gold, d.Domain, d.Doctype, d.Layout = 1, true, "source", "health", "table", &edb.Layout{Tables: 1}
		d.Licence = f.licence(name, edb.Licence{SPDX: "NOASSERTION",
			Evidence: "image from an article of the PMC Open Access Subset, whose terms differ by article and are not stated for this one; annotation CDLA-Permissive-1.0"})
		return w.AddDocument(d, content, &edb.Parsed{Paged: true, Pages: []edb.Page{page}})
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// imagePage is the page of an image: one point for each pixel.
func imagePage(path string, content []byte) (edb.Page, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return edb.Page{}, fmt.Errorf("%s: %w: fetch the image again", path, err)
	}
	return edb.Page{Number: 1, Width: float64(c.Width), Height: float64(c.Height), NoText: true}, nil
}

// table puts the tokens together: HTML is the markup with what stands in its cells, Text the cells
// without markup.
func (r pubtabnetRow) table() (edb.Element, error) {
	var markup, text strings.Builder
	markup.WriteString("<table>")
	n, rows, first := 0, 0, true
	for _, t := range r.HTML.Structure.Tokens {
		markup.WriteString(t)
		if t == "<tr>" {
			if rows > 0 {
				text.WriteByte('\n')
			}
			rows, first = rows+1, true
		}
		if t != "<td>" && t != ">" {
			continue
		}
		if n == len(r.HTML.Cells) {
			return edb.Element{}, fmt.Errorf("the markup has more cells than the %d given: fetch the collection again", n)
		}
		var cell strings.Builder
		for _, c := range r.HTML.Cells[n].Tokens {
			if utf8.RuneCountInString(c) == 1 {
				cell.WriteString(c)
				c = html.EscapeString(c)
			}
			markup.WriteString(c)
		}
		if !first {
			text.WriteByte('\t')
		}
		text.WriteString(strings.Join(strings.Fields(cell.String()), " "))
		n, first = n+1, false
	}
	markup.WriteString("</table>")
	if n == 0 || n != len(r.HTML.Cells) {
		return edb.Element{}, fmt.Errorf("the markup has %d cells where %d are given: fetch the collection again", n, len(r.HTML.Cells))
	}
	return edb.Element{ID: "t1", Kind: edb.KindTable, Text: text.String(), HTML: markup.String()}, nil
}
