package datasets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	edb "enterprisedocbench"
)

// beirRow is a line of corpus.jsonl or queries.jsonl of BEIR.
type beirRow struct {
	ID    word   `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// judgement is one line of a file of judgements.
type judgement struct {
	line          int
	question, doc string
	grade         int
}

// importBEIR reads corpus.jsonl, queries.jsonl and qrels/test.tsv (else dev.tsv, else train.tsv), each
// plain or packed with gzip. As in BEIR's own loader, the questions are those that are judged there.
// Documents go to disk one by one; judgements stay in memory.
func importBEIR(ctx context.Context, from, out string, opt ImportOptions) error {
	known, err := origins(from)
	if err != nil {
		return err
	}
	qrels := ""
	for _, split := range []string{"test", "dev", "train"} {
		qrels = filepath.Join(from, "qrels", split+".tsv")
		if _, err := os.Stat(qrels); err == nil {
			break
		}
		if _, err := os.Stat(qrels + ".gz"); err == nil {
			break
		}
	}
	judged, err := beirQrels(qrels)
	if err != nil {
		return err
	}
	asked := map[string]bool{}
	for _, j := range judged {
		asked[j.question] = true
	}
	w, err := opt.create(out, Info{
		Name: filepath.Base(filepath.Clean(from)), Version: "1", Annotations: known["queries.jsonl"].annotations(),
		Made: "a collection in the layout of BEIR: a document is its title and text, judged as a whole; the questions are those of qrels/" + filepath.Base(qrels),
	})
	if err != nil {
		return err
	}
	defer w.Abort()
	n := 0
	err = jsonLines(filepath.Join(from, "corpus.jsonl"), func(_ int, r beirRow) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		d := edb.Document{ID: string(r.ID), Title: r.Title, Licence: known["corpus.jsonl"].stated(), Source: known["corpus.jsonl"].source()}
		if err := w.addText(d, r.Text); err != nil {
			return err
		}
		if n++; n%1000 == 0 {
			opt.progress(n, 0)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = jsonLines(filepath.Join(from, "queries.jsonl"), func(_ int, r beirRow) error {
		if !asked[string(r.ID)] && r.ID != "" {
			return nil
		}
		return w.AddQuestion(edb.Question{ID: string(r.ID), Text: r.Text})
	})
	if err != nil {
		return err
	}
	for _, j := range judged {
		if err := w.judgeOnce(j.question, j.doc, j.grade); err != nil {
			return fmt.Errorf("%s:%d: %w", qrels, j.line, err)
		}
	}
	return w.Close()
}

// beirQrels reads "query-id TAB corpus-id TAB score" a line, under a head or without one.
func beirQrels(path string) ([]judgement, error) {
	var out []judgement
	err := lines(path, func(line int, raw []byte) error {
		f := strings.Split(string(raw), "\t")
		if len(f) != 3 {
			return fmt.Errorf("has %s: write query-id, corpus-id and score with tabs between", edb.Count(len(f), "column"))
		}
		grade, err := wholeGrade(f[2])
		if err != nil {
			if line == 1 && len(out) == 0 {
				return nil // the head
			}
			return err
		}
		out = append(out, judgement{line, f[0], f[1], grade})
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: holds no judgement: fetch the collection again", path)
	}
	return out, err
}

// wholeGrade reads a grade that may be written as 1.0.
func wholeGrade(s string) (int, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || v != float64(int(v)) {
		return 0, errors.New("grade " + strconv.Quote(s) + " is not a whole number: write one")
	}
	return int(v), nil
}
