package datasets

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
)

// importRanx reads qrels.json and, as runs, every other .json file of a folder, in the form that ranx
// saves: {question: {document: number}}. Documents and the text of questions are elsewhere.
func importRanx(ctx context.Context, from, out string, opt ImportOptions) error {
	stems, err := listStems(from, ".json", "name the folder that holds qrels.json")
	if err != nil {
		return err
	}
	if !slices.Contains(stems, "qrels") {
		return fmt.Errorf("%s: qrels.json is missing: name the file of judgements so", from)
	}
	known, err := origins(from)
	if err != nil {
		return err
	}
	w, err := opt.create(out, Info{
		Name: filepath.Base(filepath.Clean(from)), Version: "1", Documents: "external", Licence: known["qrels.json"].Licence, Annotations: known["qrels.json"].annotations(),
		Made: "judgements and runs as ranx saves them; every document is judged as a whole, as its page 1",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	ask := addUnasked(w)
	qrels := filepath.Join(from, "qrels.json")
	err = nestedNumbers(qrels, func(question, doc string, n json.Number) error {
		grade, err := wholeGrade(n.String())
		if err != nil {
			return err
		}
		if err := ask(question); err != nil {
			return err
		}
		return w.judgeOnce(question, doc, grade)
	})
	if err != nil {
		return err
	}
	for i, s := range stems {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s == "qrels" {
			continue
		}
		err := nestedNumbers(filepath.Join(from, s+".json"), func(question, doc string, n json.Number) error {
			score, err := n.Float64()
			if err != nil {
				return fmt.Errorf("score %s is too large: write a number", n)
			}
			return w.rankOnce(s, question, doc, score)
		})
		if err != nil {
			return err
		}
		opt.progress(i+1, len(stems))
	}
	return w.Close()
}

// nestedNumbers reads {outer: {inner: number}} piece by piece. Errors name file and line.
func nestedNumbers(path string, do func(outer, inner string, n json.Number) error) error {
	f, err := openFile(path)
	if err != nil {
		return err
	}
	defer f.Close()
	at := &lineCounter{r: bufio.NewReaderSize(f, 1<<16)}
	dec := json.NewDecoder(at)
	dec.UseNumber()
	if err := eachNested(dec, do); err != nil {
		var broken *json.SyntaxError
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			err = errors.New("it ends too early: fetch the file again")
		case errors.As(err, &broken):
			err = fmt.Errorf("%w: correct it or fetch the file again", err)
		}
		return f.fault(fmt.Errorf("%s:%d: %w", f.path, at.line(dec.InputOffset()), err))
	}
	return nil
}

func eachNested(dec *json.Decoder, do func(outer, inner string, n json.Number) error) error {
	open := func() error {
		switch tok, err := dec.Token(); {
		case err != nil:
			return err
		case tok != json.Delim('{'):
			return fmt.Errorf("%v stands where an object {document: number} should: write {question: {document: number}}", tok)
		}
		return nil
	}
	if err := open(); err != nil {
		return err
	}
	seen := map[string]bool{}
	for dec.More() {
		outer, err := dec.Token()
		if err != nil {
			return err
		}
		key := outer.(string)
		if seen[key] {
			return fmt.Errorf("question %q stands twice: join the two", key)
		}
		seen[key] = true
		if err := open(); err != nil {
			return err
		}
		docs := map[string]bool{}
		for dec.More() {
			inner, err := dec.Token()
			if err != nil {
				return err
			}
			if docs[inner.(string)] {
				return fmt.Errorf("document %q stands twice for question %q: keep one", inner, key)
			}
			docs[inner.(string)] = true
			v, err := dec.Token()
			if err != nil {
				return err
			}
			n, ok := v.(json.Number)
			if !ok {
				return fmt.Errorf("document %q of question %q has no number: write one", inner, key)
			}
			if err := do(key, inner.(string), n); err != nil {
				return err
			}
		}
		if _, err := dec.Token(); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the object: keep one object")
	}
	return nil
}

// lineCounter remembers where the lines of what it passes on end, so that an offset has a line.
type lineCounter struct {
	r    io.Reader
	at   int64
	ends []int64
}

func (l *lineCounter) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	for i := 0; i < n; {
		j := bytes.IndexByte(p[i:n], '\n')
		if j < 0 {
			break
		}
		l.ends = append(l.ends, l.at+int64(i+j))
		i += j + 1
	}
	l.at += int64(n)
	return n, err
}

func (l *lineCounter) line(offset int64) int {
	i, _ := slices.BinarySearch(l.ends, offset)
	return i + 1
}
