package datasets

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
)

// source is an open file of a collection. Path is the name of what was opened.
type source struct {
	io.Reader
	path string
	file *os.File
	err  error // that reading ended with, if not at the end
}

// openFile opens a file of a collection, or FILE.gz in its place. A name that ends in .gz is unpacked
// while it is read.
func openFile(path string) (*source, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) && !strings.HasSuffix(path, ".gz") {
		if z, zerr := os.Open(path + ".gz"); zerr == nil {
			f, path, err = z, path+".gz", nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %s: fetch the collection again", path, cause(err))
	}
	s := &source{Reader: f, path: path, file: f}
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<16))
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%s: is no gzip archive (%w): fetch it again", path, err)
		}
		s.Reader = z
	}
	return s, nil
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

func (s *source) Close() error { return s.file.Close() }

// fault gives the reason why reading failed: a damaged archive before what was made of its last bytes.
func (s *source) fault(err error) error {
	switch {
	case s.err == nil:
		return err
	case errors.Is(s.err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the archive ends too early: fetch it again", s.path)
	}
	return fmt.Errorf("%s: cannot be read (%w): fetch it again", s.path, s.err)
}

// lines calls do with every line of a file of a collection that is not blank; see openFile. Errors
// name file and line.
func lines(path string, do func(line int, raw []byte) error) error {
	f, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.fault(store.LinesOf(f, f.path, do))
}

// jsonLines is lines for files of one JSON value a line.
func jsonLines[T any](path string, do func(line int, v T) error) error {
	return lines(path, func(line int, raw []byte) error {
		var v T
		if err := json.Unmarshal(raw, &v); err != nil {
			return fmt.Errorf("%w: correct the line", store.Words(err))
		}
		return do(line, v)
	})
}

// jsonFile reads a file that is one JSON value. Errors name the line.
func jsonFile(path string, v any) error {
	f, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	raw, err := io.ReadAll(f)
	if err != nil {
		return f.fault(err)
	}
	return decodeJSON(f.path, raw, v)
}

func decodeJSON(path string, raw []byte, v any) error {
	err := json.Unmarshal(raw, v)
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s:%d: %w: correct it or fetch the collection again", path, store.JSONLine(raw, err), store.Words(err))
}

// word is a JSON string or number, taken as text: IDs come as both.
type word string

func (w *word) UnmarshalJSON(raw []byte) error {
	var s string
	if err := json.Unmarshal(raw, &s); err == nil {
		*w = word(s)
		return nil
	}
	var n json.Number
	if err := json.Unmarshal(raw, &n); err != nil {
		return fmt.Errorf("%.40s is neither text nor number", raw)
	}
	*w = word(n)
	return nil
}

// addText adds a text that a collection holds without a file of its own: a page of plain text, title
// first, in split test, without gold.
func (w *Writer) addText(d edb.Document, text string) error {
	text = strings.TrimRight(text, " \r\n\t")
	body := strings.TrimSpace(d.Title)
	if body != "" && text != "" {
		body += "\n\n"
	}
	if body += text; strings.TrimSpace(body) == "" {
		return fmt.Errorf("document %q: has neither title nor text: take it out", d.ID)
	}
	d.Path, d.MIME, d.Pages, d.Gold = "text.txt", "text/plain", 1, "none"
	d.Split = cmp.Or(d.Split, "test")
	return w.AddDocument(d, []byte(body+"\n"), nil)
}

// judgeOnce adds a judgement of a document as a whole, whose question and document must be there
// already. A repeated one must say the same.
func (w *Writer) judgeOnce(question, doc string, grade int) error {
	w.mu.Lock()
	_, here := w.entry(doc)
	asked := w.qseen[question]
	before, judged := w.qrels[question][edb.PageID(doc, 1)]
	w.mu.Unlock()
	switch {
	case !asked:
		return fmt.Errorf("question %q is not in the collection: take the line out or add the question", question)
	case !here && !w.info.External():
		return fmt.Errorf("document %q is not in the collection: take the line out or add the document", doc)
	case judged && before != grade:
		return fmt.Errorf("document %q is judged %d and %d for question %q: keep one line", doc, before, grade, question)
	}
	return w.AddQrel(question, doc, 1, grade)
}

// rankOnce adds a document as a whole to a run, whose question must be there already.
func (w *Writer) rankOnce(run, question, doc string, score float64) error {
	if !w.asks(question) {
		return fmt.Errorf("question %q is not in the collection: take the line out or add the question", question)
	}
	return w.AddRanked(run, question, doc, 1, score)
}

// asks reports whether a question has been added.
func (w *Writer) asks(question string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.qseen[question]
}

// unknownLicence is the licence of texts whose collection states none for them.
func unknownLicence(evidence string) edb.Licence {
	return edb.Licence{SPDX: "NOASSERTION", Evidence: evidence}
}

// stated gives the licence that a manifest beside the collection states for its file, and what that
// file is from. A statement about the repository alone is no licence of the document.
func (o origin) stated() edb.Licence {
	switch l, ok := openLicence(o.Licence); {
	case o.Licence == "":
		return unknownLicence("the collection states no licence for it")
	case !ok || strings.Contains(o.Licence, "origin not stated"):
		return unknownLicence(o.Licence)
	default:
		return l
	}
}
