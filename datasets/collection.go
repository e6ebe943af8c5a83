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

// openFile opens a file of a collection, or FILE.gz in its place, and gives the name of what it
// opened. A name that ends in .gz is unpacked.
func openFile(path string) (io.ReadCloser, string, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) && !strings.HasSuffix(path, ".gz") {
		if z, zerr := os.Open(path + ".gz"); zerr == nil {
			f, path, err = z, path+".gz", nil
		}
	}
	if err != nil {
		return nil, path, fmt.Errorf("%s: %s: fetch the collection again", path, cause(err))
	}
	if !strings.HasSuffix(path, ".gz") {
		return f, path, nil
	}
	z, err := gzip.NewReader(bufio.NewReaderSize(f, 1<<16))
	if err != nil {
		f.Close()
		return nil, path, fmt.Errorf("%s: is no gzip archive (%w): fetch it again", path, err)
	}
	return unpacked{z, f}, path, nil
}

// unpacked closes the file below with the archive.
type unpacked struct {
	*gzip.Reader
	file *os.File
}

func (u unpacked) Close() error { return errors.Join(u.Reader.Close(), u.file.Close()) }

// broken turns the errors of a damaged archive into what to do about it.
func broken(path string, err error) error {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the archive ends too early: fetch it again", path)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("%s: the archive is damaged (%w): fetch it again", path, err)
	}
	return err
}

// lines calls do with every line of a file of a collection that is not blank; see openFile. Errors
// name file and line.
func lines(path string, do func(line int, raw []byte) error) error {
	f, path, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	err = store.LinesOf(f, path, func(line int, raw []byte) error {
		if line == 1 {
			raw = []byte(strings.TrimPrefix(string(raw), "\ufeff"))
		}
		return do(line, raw)
	})
	return broken(path, err)
}

// jsonLines is lines for files of one JSON value a line.
func jsonLines[T any](path string, do func(line int, v T) error) error {
	return lines(path, func(line int, raw []byte) error {
		var v T
		if err := json.Unmarshal(raw, &v); err != nil {
			return fmt.Errorf("%w: correct the line", err)
		}
		return do(line, v)
	})
}

// jsonFile reads a file that is one JSON value. Errors name the line.
func jsonFile(path string, v any) error {
	f, path, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	raw, err := io.ReadAll(f)
	if err != nil {
		return broken(path, fmt.Errorf("%s: %w", path, err))
	}
	return decodeJSON(path, raw, v)
}

func decodeJSON(path string, raw []byte, v any) error {
	err := json.Unmarshal(raw, v)
	if err == nil {
		return nil
	}
	at := int64(len(raw))
	var se *json.SyntaxError
	var te *json.UnmarshalTypeError
	switch {
	case errors.As(err, &se):
		at = se.Offset
	case errors.As(err, &te):
		at = te.Offset
	}
	line := 1 + strings.Count(string(raw[:min(at, int64(len(raw)))]), "\n")
	return fmt.Errorf("%s:%d: %w: correct it or fetch the collection again", path, line, err)
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
