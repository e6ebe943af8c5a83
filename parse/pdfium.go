package parse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	pdferr "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"enterprisedocbench"
)

// pdfiumEngine reads PDFs with PDFium compiled to WebAssembly: no file system, memory bounded. One
// instance serves one document at a time; a document that traps it costs the instance.
type pdfiumEngine struct {
	pool pdfium.Pool
	inst pdfium.Pdfium
}

// memoryPages bounds PDFium's memory: 64 KiB each, 1.5 GiB in all.
const memoryPages = 24 << 10

func newPdfium() (Parser, error) {
	e := &pdfiumEngine{}
	return e, e.open()
}

// compiled is where the compiled WebAssembly is kept: EDB_WASM_CACHE, else the user's cache folder.
func compiled() wazero.CompilationCache {
	dir := os.Getenv("EDB_WASM_CACHE")
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		dir = filepath.Join(base, "edb")
	}
	c, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "wasm"))
	if err != nil {
		return nil // no place to keep it: compiled anew, a few seconds
	}
	return c
}

func (e *pdfiumEngine) open() error {
	rc := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithMemoryLimitPages(memoryPages)
	if c := compiled(); c != nil {
		rc = rc.WithCompilationCache(c)
	}
	var err error
	e.pool, err = webassembly.Init(webassembly.Config{
		MinIdle: 1, MaxIdle: 1, MaxTotal: 1, RuntimeConfig: rc, FSConfig: wazero.NewFSConfig(),
		Stdout: io.Discard, Stderr: io.Discard, ReuseWorkers: true,
	})
	if err != nil {
		return fmt.Errorf("start pdfium: %w", err)
	}
	if e.inst, err = e.pool.GetInstance(30 * time.Second); err != nil {
		return fmt.Errorf("start pdfium: %w", err)
	}
	return nil
}

// Parse implements Parser.
func (e *pdfiumEngine) Parse(ctx context.Context, src Source) (out edb.Parsed, err error) {
	b, err := read(src.Path)
	if err != nil {
		return out, err
	}
	if err := notPDF(b); err != nil {
		return out, err
	}
	defer func() {
		if r := recover(); r != nil { // a trap in the WebAssembly: the instance is spent
			out, err = edb.Parsed{}, fail(Damaged, "pdfium gave up on the file: %.200v", r)
			e.pool.Close()
			if again := e.open(); again != nil {
				err = errors.Join(err, again)
			}
		}
	}()
	doc, err := e.inst.OpenDocument(&requests.OpenDocument{File: &b})
	if err != nil {
		switch {
		case errors.Is(err, pdferr.ErrPassword):
			return out, fail(Encrypted, "password required")
		case errors.Is(err, pdferr.ErrSecurity):
			return out, fail(Encrypted, "the encryption is not supported")
		}
		return out, fail(Damaged, "pdfium cannot read the file: %w", err)
	}
	defer e.inst.FPDF_CloseDocument(&requests.FPDF_CloseDocument{Document: doc.Document})
	n, err := e.inst.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc.Document})
	if err != nil {
		return out, fail(Damaged, "pdfium cannot count the pages: %w", err)
	}
	if n.PageCount == 0 {
		return out, fail(Damaged, "the file has no page")
	}
	raw := make([]rawPage, n.PageCount)
	var warnings []string
	for i := range raw {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		raw[i].number = i + 1
		if err := e.page(doc.Document, i, &raw[i]); err != nil {
			warnings = append(warnings, fmt.Sprintf("page %d: %v", i+1, err))
		}
	}
	out = layout(raw)
	out.Doc, out.Engine, out.Warnings = src.Doc.ID, "pdfium@1", warnings
	return out, nil
}

// notPDF refuses what is plainly another format, by name.
func notPDF(b []byte) error {
	head := strings.ToLower(string(b[:min(len(b), 1024)]))
	if strings.Contains(head, "%pdf-") {
		return nil
	}
	if t := strings.TrimSpace(head); strings.HasPrefix(t, "<!doctype html") || strings.HasPrefix(t, "<html") {
		return fail(Damaged, "the file is an HTML page, not a PDF: fetch it again")
	}
	return fail(Damaged, "the file does not begin like a PDF")
}

// page reads one page's words with their boxes and fonts, and its images.
func (e *pdfiumEngine) page(doc references.FPDF_DOCUMENT, i int, pg *rawPage) error {
	loaded, err := e.inst.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: doc, Index: i})
	if err != nil {
		return fmt.Errorf("pdfium cannot load it: %w", err)
	}
	ref := requests.Page{ByReference: &loaded.Page}
	defer e.inst.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page})
	w, err := e.inst.FPDF_GetPageWidthF(&requests.FPDF_GetPageWidthF{Page: ref})
	if err != nil {
		return err
	}
	h, err := e.inst.FPDF_GetPageHeightF(&requests.FPDF_GetPageHeightF{Page: ref})
	if err != nil {
		return err
	}
	pg.width, pg.height = float64(w.PageWidth), float64(h.PageHeight)
	rot, err := e.inst.FPDFPage_GetRotation(&requests.FPDFPage_GetRotation{Page: ref})
	if err != nil {
		return err
	}
	toShown := shown(int(rot.PageRotation), pg, e.cropBox(ref))
	text, err := e.inst.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: ref})
	if err != nil {
		return fmt.Errorf("pdfium cannot read its text: %w", err)
	}
	defer e.inst.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text.TextPage})
	if err := e.words(text.TextPage, toShown, pg); err != nil {
		return err
	}
	e.objects(ref, toShown, pg)
	return nil
}

// cropBox is the visible part of the page in user space; absent boxes count from 0.
func (e *pdfiumEngine) cropBox(ref requests.Page) (origin [2]float64) {
	if b, err := e.inst.FPDF_GetPageBoundingBox(&requests.FPDF_GetPageBoundingBox{Page: ref}); err == nil {
		return [2]float64{float64(b.Rect.Left), float64(b.Rect.Bottom)}
	}
	return origin
}

// shown gives the map from user space to points of the page as shown, origin top left.
func shown(rotation int, pg *rawPage, origin [2]float64) func(l, t, r, b float64) edb.Box {
	w, h := pg.width, pg.height
	return func(l, t, r, b float64) edb.Box {
		l, r, t, b = l-origin[0], r-origin[0], t-origin[1], b-origin[1]
		switch rotation {
		case 1: // 90° clockwise: user x runs down, user y runs right
			return edb.Box{b, l, t, r}
		case 2:
			return edb.Box{w - r, b, w - l, t}
		case 3:
			return edb.Box{w - t, h - r, w - b, h - l}
		}
		return edb.Box{l, h - t, r, h - b}
	}
}

// words cuts the page's text, fetched in one call, into words and asks for the boxes of their first
// and last characters only; fonts are asked once a line.
func (e *pdfiumEngine) words(tp references.FPDF_TEXTPAGE, toShown func(l, t, r, b float64) edb.Box, pg *rawPage) error {
	count, err := e.inst.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: tp})
	if err != nil {
		return err
	}
	if count.Count <= 0 {
		return nil
	}
	got, err := e.inst.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: tp, StartIndex: 0, Count: count.Count})
	if err != nil {
		return err
	}
	text := []rune(strings.TrimRight(got.Text, "\x00"))
	// Text and characters have the same indexes unless characters without a code point were left
	// out of the text; the map is asked for only then.
	same := len(text) == count.Count
	char := func(i int) int {
		if same {
			return i
		}
		r, err := e.inst.FPDFText_GetCharIndexFromTextIndex(&requests.FPDFText_GetCharIndexFromTextIndex{TextPage: tp, NTextIndex: i})
		if err != nil {
			return -1
		}
		return r.CharIndex
	}
	var f font
	fresh := true
	for i := 0; i < len(text); {
		r := text[i]
		if r == '\n' || r == '\r' {
			fresh = true
			i++
			continue
		}
		if blank(r) {
			i++
			continue
		}
		j := i + 1
		for j < len(text) && !blank(text[j]) && text[j] != '\n' && text[j] != '\r' {
			j++
		}
		first, last := char(i), char(j-1)
		a, okA := e.box(tp, first, toShown)
		b, okB := e.box(tp, last, toShown)
		if fresh || f.size == 0 {
			f = e.font(tp, first)
			fresh = false
		} else if s := e.size(tp, first); math.Abs(s-f.size) > 0.2 {
			f = e.font(tp, first)
		}
		word := clean(string(text[i:j]))
		if okA && okB && word != "" {
			box := union(a, b)
			// A word that turns a corner (a line break that pdfium did not mark) is cut by its height.
			if h := box[3] - box[1]; h > 3*max(a[3]-a[1], 1) {
				e.letters(tp, text, i, j, char, toShown, f, pg)
			} else {
				pg.words = append(pg.words, wordRun{text: word, box: box, font: f})
			}
		}
		i = j
	}
	return nil
}

// letters adds the characters of a word one by one, for words whose ends are on different lines.
func (e *pdfiumEngine) letters(tp references.FPDF_TEXTPAGE, text []rune, i, j int, char func(int) int, toShown func(l, t, r, b float64) edb.Box, f font, pg *rawPage) {
	var run wordRun
	flush := func() {
		if run.text = clean(run.text); run.text != "" {
			pg.words = append(pg.words, run)
		}
	}
	for k := i; k < j; k++ {
		b, ok := e.box(tp, char(k), toShown)
		if !ok {
			continue
		}
		mid := (b[1] + b[3]) / 2
		if run.text != "" && (mid < run.box[1]-1 || mid > run.box[3]+1) {
			flush()
			run = wordRun{}
		}
		if run.text == "" {
			run = wordRun{box: b, font: f}
		}
		run.text += string(text[k])
		run.box = union(run.box, b)
	}
	flush()
}

func (e *pdfiumEngine) box(tp references.FPDF_TEXTPAGE, i int, toShown func(l, t, r, b float64) edb.Box) (edb.Box, bool) {
	if i < 0 {
		return edb.Box{}, false
	}
	r, err := e.inst.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: tp, Index: i})
	if err != nil {
		return edb.Box{}, false
	}
	return toShown(float64(r.Rect.Left), float64(r.Rect.Top), float64(r.Rect.Right), float64(r.Rect.Bottom)), true
}

func (e *pdfiumEngine) size(tp references.FPDF_TEXTPAGE, i int) float64 {
	if s, err := e.inst.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: tp, Index: i}); err == nil {
		return s.FontSize
	}
	return 0
}

func (e *pdfiumEngine) font(tp references.FPDF_TEXTPAGE, i int) font {
	f := font{size: e.size(tp, i)}
	if r, err := e.inst.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: tp, Index: i}); err == nil {
		f.name = r.FontName
	}
	if r, err := e.inst.FPDFText_GetFontWeight(&requests.FPDFText_GetFontWeight{TextPage: tp, Index: i}); err == nil {
		f.bold = r.FontWeight >= 600
	}
	low := strings.ToLower(f.name)
	f.bold = f.bold || strings.Contains(low, "bold") || strings.Contains(low, "black") || strings.Contains(low, "heavy")
	return f
}

// maxObjects bounds how many drawn objects of a page are looked at.
const maxObjects = 4000

// objects notes images (figures) and straight drawn lines and boxes (table rules).
func (e *pdfiumEngine) objects(ref requests.Page, toShown func(l, t, r, b float64) edb.Box, pg *rawPage) {
	n, err := e.inst.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: ref})
	if err != nil {
		return
	}
	for i := range min(n.Count, maxObjects) {
		o, err := e.inst.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: ref, Index: i})
		if err != nil {
			continue
		}
		t, err := e.inst.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: o.PageObject})
		if err != nil || t.Type == enums.FPDF_PAGEOBJ_TEXT {
			continue
		}
		r, err := e.inst.FPDFPageObj_GetBounds(&requests.FPDFPageObj_GetBounds{PageObject: o.PageObject})
		if err != nil {
			continue
		}
		box := toShown(float64(r.Left), float64(r.Top), float64(r.Right), float64(r.Bottom))
		switch t.Type {
		case enums.FPDF_PAGEOBJ_IMAGE:
			pg.images = append(pg.images, box)
		case enums.FPDF_PAGEOBJ_PATH, enums.FPDF_PAGEOBJ_SHADING, enums.FPDF_PAGEOBJ_FORM:
			pg.paths = append(pg.paths, box)
		}
	}
}

func blank(r rune) bool {
	return r == ' ' || r == '\t' || r == '\u00a0' || r == '\u2002' || r == '\u2003' || r == '\u2009' || r == '\u3000'
}

// clean drops what stands for no character: control codes, and the mark pdfium sets where a
// hyphen ends a line becomes that hyphen.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0x02 || r == 0xFFFE:
			return '-'
		case r < ' ' || r == 0xFFFF || r == 0xFEFF:
			return -1
		}
		return r
	}, s)
}

func union(a, b edb.Box) edb.Box {
	return edb.Box{min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])}
}
