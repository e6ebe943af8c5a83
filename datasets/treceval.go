package datasets

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	edb "enterprisedocbench"
)

// importTrecEval reads qrels.test and results.*: judgements of documents that are not there, and runs
// over them. qrels.rel_level judges the same documents with other grades and is left.
func importTrecEval(ctx context.Context, from, out string, opt ImportOptions) error {
	f, err := openFolder(from)
	if err != nil {
		return err
	}
	found, err := filepath.Glob(f.path("results.*"))
	if err != nil {
		return err
	}
	slices.Sort(found)
	w, err := opt.create(out, Info{
		Name: "trec_eval", Version: "1", Documents: "external",
		Licence:  f.known["qrels.test"].Licence,
		Made:     "the test vectors of trec_eval 10: qrels.test is the judgements, results.test and results.trunc are the runs; every document is judged as a whole, as its page 1",
		Citation: "trec_eval, National Institute of Standards and Technology",
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	if err := readQrelsInto(w, f.path("qrels.test"), addUnasked(w), nil); err != nil {
		return err
	}
	for i, p := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := readRunInto(w, p, strings.TrimPrefix(filepath.Base(p), "results.")); err != nil {
			return err
		}
		opt.progress(i+1, len(found))
	}
	return w.Close()
}

// addUnasked gives a function that adds a question without text the first time it is named.
func addUnasked(w *Writer) func(q string) error {
	return func(q string) error {
		if w.asks(q) {
			return nil
		}
		return w.AddQuestion(edb.Question{ID: q})
	}
}

// readQrelsInto reads a file "question iteration document grade" a line. Lines that begin with # are
// left out. Before, if set, hears the question of each line; name, if set, turns the question of the
// file into that of the collection.
func readQrelsInto(w *Writer, path string, before func(q string) error, name func(q string) string) error {
	return lines(path, func(_ int, raw []byte) error {
		s := string(raw)
		if strings.HasPrefix(s, "#") {
			return nil
		}
		f := strings.Fields(s)
		if len(f) != 4 {
			return fmt.Errorf("has %s: write \"question iteration document grade\"", edb.Count(len(f), "column"))
		}
		grade, err := strconv.Atoi(f[3])
		if err != nil {
			return fmt.Errorf("grade %q is not a whole number: write one", f[3])
		}
		q := f[0]
		if name != nil {
			q = name(q)
		}
		if before != nil {
			if err := before(q); err != nil {
				return err
			}
		}
		return w.judgeOnce(q, f[2], grade)
	})
}

// readRunInto reads a TREC run, "question Q0 document rank score tag" a line; what follows is ignored.
func readRunInto(w *Writer, path, run string) error {
	return lines(path, func(_ int, raw []byte) error {
		f := strings.Fields(string(raw))
		if len(f) < 6 {
			return fmt.Errorf("has %s: write \"question Q0 document rank score tag\"", edb.Count(len(f), "column"))
		}
		score, err := strconv.ParseFloat(f[4], 64)
		if err != nil {
			return fmt.Errorf("score %q is no number: write one", f[4])
		}
		return w.rankOnce(run, f[0], f[2], score)
	})
}
