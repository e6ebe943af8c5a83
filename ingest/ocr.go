package ingest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode"

	edb "enterprisedocbench"

	"enterprisedocbench/metrics"
	"enterprisedocbench/stats"
)

// OCR reads pages of a PDF as they are printed. Missing says why it cannot and what brings it; Read
// is then nil.
type OCR struct {
	Name    string
	Missing string
	Read    func(ctx context.Context, path string, pages []int) (edb.Parsed, error)
}

// TextLayer compares the text layer of PDFs with what OCR reads from the page as printed. A low TIS
// is a text layer that says something else than the page shows, or a page that OCR cannot read.
type TextLayer struct {
	Engine string     `json:"engine,omitempty"` // of the OCR
	TIS    *float64   `json:"tis"`              // mean over the sampled pages
	Lo     *float64   `json:"lo"`
	Hi     *float64   `json:"hi"`
	Pages  int        `json:"pages"` // sampled
	Failed int        `json:"failed"`
	Worst  []PagePair `json:"worst"`
	// Scanned are pages without a text layer on which OCR reads text, of NoText that were looked at.
	Scanned []PageRef `json:"scanned"`
	NoText  int       `json:"no_text"`
	Reason  string    `json:"reason,omitempty"` // why nothing was measured
}

// ocrPages is how many pages with text are compared, ocrEmpty how many without text are looked at;
// ocrADoc bounds both within a document. ocrWorst pages are listed when they are below ocrLow.
const (
	ocrPages = 12
	ocrEmpty = 6
	ocrADoc  = 2
	ocrWorst = 5
	ocrLow   = 0.9
	// ocrText is how many letters and digits OCR must read on a page for it to be a scan of text.
	ocrText = 20
)

// sampled is a page for OCR.
type sampled struct {
	PageRef
	path, text string
	empty      bool
}

// samplePages draws pages for OCR: at most ocrADoc with text and as many without of each document.
func samplePages(doc, path string, p edb.Parsed, seed uint64) []sampled {
	var full, empty []sampled
	for _, pg := range p.Pages {
		t := pg.Text()
		s := sampled{PageRef{doc, pg.Number}, path, t, pg.NoText}
		switch {
		case pg.NoText:
			empty = append(empty, s)
		case length(t) >= worstChars:
			full = append(full, s)
		}
	}
	rng := rngFor(seed, "ocr\x00"+doc)
	rng.Shuffle(len(full), func(i, j int) { full[i], full[j] = full[j], full[i] })
	rng.Shuffle(len(empty), func(i, j int) { empty[i], empty[j] = empty[j], empty[i] })
	return append(full[:min(ocrADoc, len(full))], empty[:min(ocrADoc, len(empty))]...)
}

// textLayer reads the sample by OCR and compares.
func textLayer(ctx context.Context, ocr OCR, engine string, pool []sampled, seed uint64, each func(n int, do func(ctx context.Context, i int) error) error) (TextLayer, error) {
	t := TextLayer{Engine: ocr.Name, Worst: []PagePair{}, Scanned: []PageRef{}}
	switch {
	case ocr.Read == nil:
		t.Reason = "not measured: " + cmp.Or(ocr.Missing, "there is no OCR")
		return t, nil
	case len(pool) == 0:
		t.Reason = "there is no page of a PDF to compare"
		return t, nil
	}
	rng := rngFor(seed, "ocr")
	rng.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	var pages []sampled
	full, empty := 0, 0
	for _, s := range pool {
		switch {
		case s.empty && empty < ocrEmpty:
			empty++
			pages = append(pages, s)
		case !s.empty && full < ocrPages:
			full++
			pages = append(pages, s)
		}
	}
	read := make([]*string, len(pages))
	err := each(len(pages), func(ctx context.Context, i int) error {
		p, err := ocr.Read(ctx, pages[i].path, []int{pages[i].Page})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			text := pageText(p, pages[i].Page)
			read[i] = &text
		}
		return nil
	})
	if err != nil {
		return t, err
	}
	var values []float64
	var units [][]string
	for i, s := range pages {
		switch {
		case read[i] == nil:
			t.Failed++
		case s.empty:
			t.NoText++
			if lettersIn(*read[i]) >= ocrText {
				t.Scanned = append(t.Scanned, s.PageRef)
			}
		default:
			v := metrics.TIS(s.text, *read[i])
			values, units = append(values, v), append(units, []string{s.Doc})
			if v < ocrLow {
				t.Worst = append(t.Worst, PagePair{s.PageRef, engine, ocr.Name, v, max(length(s.text), length(*read[i]))})
			}
		}
	}
	byPage := func(x, y PageRef) int { return cmp.Or(cmp.Compare(x.Doc, y.Doc), cmp.Compare(x.Page, y.Page)) }
	slices.SortFunc(t.Scanned, byPage)
	slices.SortFunc(t.Worst, func(x, y PagePair) int { return cmp.Or(cmp.Compare(x.TIS, y.TIS), byPage(x.PageRef, y.PageRef)) })
	t.Worst = t.Worst[:min(ocrWorst, len(t.Worst))]
	t.Pages = len(values)
	iv := stats.Mean(values, units, stats.Options{Seed: seed})
	t.TIS, t.Lo, t.Hi = iv.Value, iv.Lo, iv.Hi
	if len(values) == 0 {
		t.Reason = fmt.Sprintf("%s tried and none could be compared", edb.Count(len(pages), "page"))
	}
	return t, nil
}

func lettersIn(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}
