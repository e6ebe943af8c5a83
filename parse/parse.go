package parse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"enterprisedocbench"
)

// Source is a document and where its bytes lie.
type Source struct {
	Doc  edb.Document
	Path string
}

// Parser turns one file into elements. Errors that say something about the document are *Error.
type Parser interface {
	Parse(ctx context.Context, src Source) (edb.Parsed, error)
}

// Engine is one line of the table of engines.
type Engine struct {
	Name      string
	Version   int      // raised whenever the engine's output changes
	What      string   // what it is
	Needs     string   // what it needs beyond the binary; "" is nothing
	Get       string   // the command that brings it
	Accepts   []string // MIME types
	Named     bool     // it sends documents to a service: used only where it is named
	Available func() error
	New       func() (Parser, error)
}

// All lists the engines in the order in which they are tried for a format.
func All() []Engine {
	return []Engine{
		{Name: "pdfium", Version: 7, What: "PDF text with positions (PDFium in WebAssembly) through the geometric layer", Accepts: []string{"application/pdf"}, New: newPdfium},
		{Name: "ledongthuc", Version: 7, What: "PDF text by a pure Go reader through the geometric layer", Accepts: []string{"application/pdf"}, New: newLedongthuc},
		{Name: "poppler", Version: 8, What: "PDF words by poppler's pdftotext through the geometric layer", Needs: "pdftotext", Get: "apt-get install poppler-utils",
			Accepts: []string{"application/pdf"}, Available: onPath("pdftotext"), New: newPoppler},
		{Name: "mupdf", Version: 8, What: "PDF characters by MuPDF's mutool through the geometric layer", Needs: "mutool", Get: "apt-get install mupdf-tools",
			Accepts: []string{"application/pdf"}, Available: onPath("mutool"), New: newMupdf},
		{Name: "tesseract", Version: 8, What: "OCR of drawn pages and of pictures by tesseract, in the document's language", Needs: "tesseract", Get: "apt-get install tesseract-ocr",
			Accepts: []string{"application/pdf", "image/png", "image/jpeg", "image/tiff"}, Available: onPath("tesseract"), New: newTesseract},
		{Name: "rapidocr", Version: 7, What: "OCR of drawn pages and of pictures by PP-OCR (RapidOCR in Python)", Needs: "Python with rapidocr", Get: rapidInstall,
			Accepts: []string{"application/pdf", "image/png", "image/jpeg", "image/tiff"}, Available: haveRapidOCR, New: newRapidOCR},
		{Name: "auto", Version: 7, What: "each page by its text layer where that is sound, else by OCR", Needs: "tesseract", Get: "apt-get install tesseract-ocr",
			Accepts: []string{"application/pdf", "image/png", "image/jpeg", "image/tiff"}, Available: onPath("tesseract"), New: newAuto},
		{Name: "docling", Version: 2, What: "what a docling-serve makes of the document, with its boxes, tables and captions", Needs: "docling-serve", Get: doclingRun,
			Accepts: slices.Sorted(maps.Keys(doclingTypes)), Named: true, Available: haveDocling, New: newDocling},
		{Name: "html", Version: 2, What: "HTML in DOM order, tables with spans, headings by markup or style", Accepts: []string{"text/html", "application/xhtml+xml"}, New: func() (Parser, error) { return HTML{}, nil }},
		{Name: "jats", Version: 1, What: "journal articles in JATS XML as they are printed, with the list of references", Accepts: []string{typeJATS}, New: func() (Parser, error) { return JATS{}, nil }},
		{Name: "tei", Version: 1, What: "texts in TEI XML, as editors and GROBID write them", Accepts: []string{typeTEI}, New: func() (Parser, error) { return TEI{}, nil }},
		{Name: "docx", Version: 1, What: "Word documents: styles, lists, tables with merged cells, notes, text boxes",
			Accepts: []string{"application/vnd.openxmlformats-officedocument.wordprocessingml.document"}, New: func() (Parser, error) { return Docx{}, nil }},
		{Name: "xlsx", Version: 1, What: "Excel workbooks: a sheet is a page, blocks of cells are tables",
			Accepts: []string{"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"}, New: func() (Parser, error) { return Xlsx{}, nil }},
		{Name: "markdown", Version: 1, What: "Markdown with GFM tables, pandoc metadata, formulas", Accepts: []string{"text/markdown"}, New: func() (Parser, error) { return Markdown{}, nil }},
		{Name: "text", Version: 1, What: "plain text: paragraphs by blank lines, pages by form feeds", Accepts: []string{"text/plain"}, New: func() (Parser, error) { return Text{}, nil }},
		{Name: "xml", Version: 1, What: "XML of any vocabulary: text in order, titles, lists, tables", Accepts: []string{typeXML, "text/xml", typeJATS, typeTEI, "application/xhtml+xml"}, New: func() (Parser, error) { return XML{}, nil }},
		{Name: "json", Version: 1, What: "JSON of any layout: strings of more than one word in order", Accepts: []string{"application/json"}, New: func() (Parser, error) { return JSON{}, nil }},
	}
}

// Lookup finds an engine by name; the error lists the names there are.
func Lookup(name string) (Engine, error) {
	var names []string
	for _, e := range All() {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Engine{}, fmt.Errorf("engine %q is not one of %s", name, strings.Join(names, ", "))
}

// Kinds of failure. The first five are the document's own and come again on every try.
const (
	Encrypted   = "encrypted"
	Damaged     = "damaged"
	Unsupported = "unsupported"
	TooLarge    = "too-large"
	Missing     = "missing"
	Timeout     = "timeout"
	Memory      = "memory"
	Crash       = "crash"
	Transport   = "transport"
)

// Remedy says what to do about a failure of a kind, "" where its words say so or it is not one of ours.
func Remedy(kind string) string {
	return map[string]string{
		Encrypted:   "take the password off, or leave the file out",
		Damaged:     "fetch or save the file again, or try another engine",
		Unsupported: "convert the file, or name an engine that reads it",
		TooLarge:    "divide the file, or leave it out",
		Missing:     "bring the file, or take it out of the dataset",
		Crash:       "try another engine, or leave the file out",
		Transport:   "see that the service is up, and run again",
	}[kind]
}

// Error is why a document could not be parsed.
type Error struct {
	Kind string
	Err  error
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

func fail(kind, format string, a ...any) error { return &Error{kind, fmt.Errorf(format, a...)} }

// MaxFile is the largest file, in bytes, that an engine is given.
const MaxFile = 1 << 30

// readable says what stands in the way of reading a file: the failures that every engine shares.
func readable(path string) error {
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fail(Missing, "the file is not there")
	case err != nil:
		return fail(Missing, "%w", err)
	case st.IsDir():
		return fail(Missing, "the path is a folder")
	case !st.Mode().IsRegular():
		return fail(Unsupported, "the path is no regular file")
	case st.Size() > MaxFile:
		return fail(TooLarge, "the file has %d bytes, more than %d", st.Size(), int64(MaxFile))
	case st.Size() == 0:
		return fail(Damaged, "the file is empty")
	}
	return nil
}

// read gives a file's bytes.
func read(path string) ([]byte, error) {
	if err := readable(path); err != nil {
		return nil, err
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, fail(Missing, "%w", err)
	}
	return b, nil
}

// Spec names what parses: a built-in engine, a command, a service, or a folder of stored output.
// Exactly one field is set.
type Spec struct {
	Engine  string   `json:"engine,omitempty"`
	Command []string `json:"command,omitempty"`
	URL     string   `json:"url,omitempty"`
	Files   string   `json:"files,omitempty"`
	// As, with Files, is how records call the folder: its path may differ from machine to machine.
	As string `json:"as,omitempty"`
}

// Name is how the spec is called in records.
func (s Spec) Name() string {
	switch {
	case len(s.Command) > 0:
		return "command:" + strings.Join(s.Command, " ")
	case s.URL != "":
		return "url:" + s.URL
	case s.Files != "":
		return "files:" + cmp.Or(s.As, s.Files)
	}
	return s.Engine
}

// Label is NAME@VERSION, as results carry it.
func (s Spec) Label() string { return fmt.Sprintf("%s@%d", s.Name(), s.Version()) }

// Version is the engine's version; foreign systems are at 0.
func (s Spec) Version() int {
	if e, err := Lookup(s.Engine); err == nil && s.Engine != "" {
		return e.Version
	}
	return 0
}

// Oracle gives the truth as a parse. Its name is oracle@1.
type Oracle struct {
	Gold func(doc string) (edb.Parsed, error)
}

// Parse gives the gold of the document.
func (o Oracle) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	if err := ctx.Err(); err != nil {
		return edb.Parsed{}, err
	}
	p, err := o.Gold(src.Doc.ID)
	if err != nil {
		return edb.Parsed{}, err
	}
	p.Doc, p.Engine = src.Doc.ID, "oracle@1"
	return p, nil
}

var _ Parser = Oracle{}
