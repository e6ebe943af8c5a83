package datasets

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
)

// RunsDir holds rankings that came with a collection, runs/NAME.txt, in the form of TREC runs with
// pages as documents. It may be missing.
const RunsDir = "runs"

// ranked is one line of a run.
type ranked struct {
	page  string
	score float64
}

// AddRanked adds a page to what the run found for a question. The order comes from the scores; equal
// ones go by page, last first, as trec_eval has it. Runs stay in memory until Close.
func (w *Writer) AddRanked(run, question, doc string, page int, score float64) error {
	fail := func(problem, fix string) error {
		return fmt.Errorf("run %q: question %q: %s: %s", run, question, problem, fix)
	}
	switch {
	case badID(run) != "" || run != FileName(run):
		return fail("its name cannot be a file's", "use letters, digits, -, _ and .")
	case page < 1:
		return fail(fmt.Sprintf("page %d of document %q", page, doc), "count physical pages from 1")
	case math.IsNaN(score) || math.IsInf(score, 0):
		return fail(fmt.Sprintf("the score of document %q is %v", doc, score), "give a finite number")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return fail("the writer is closed", "add rankings before Close")
	}
	if w.runs[run] == nil {
		w.runs[run] = map[string]map[string]float64{}
	}
	list := w.runs[run][question]
	if list == nil {
		list = map[string]float64{}
		w.runs[run][question] = list
	}
	id := edb.PageID(doc, page)
	if _, twice := list[id]; twice {
		return fail(fmt.Sprintf("document %q stands twice", doc), "keep one")
	}
	list[id] = score
	return nil
}

// writeRuns checks what runs name and writes them.
func (w *Writer) writeRuns(ds *Dataset) error {
	for _, run := range slices.Sorted(maps.Keys(w.runs)) {
		questions := w.runs[run]
		var b bytes.Buffer
		for _, q := range slices.Sorted(maps.Keys(questions)) {
			list := make([]ranked, 0, len(questions[q]))
			for page, score := range questions[q] {
				list = append(list, ranked{page, score})
			}
			slices.SortFunc(list, func(x, y ranked) int { return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(y.page, x.page)) })
			for i, r := range list {
				if f := ds.runFaults(q, r.page); len(f) > 0 {
					return fmt.Errorf("run %q: %s: %s", run, f[0].Problem, f[0].Fix)
				}
				doc, n, _ := splitPageID(r.page)
				fmt.Fprintf(&b, "%s Q0 %s#%d %d %s %s\n", EscapeID(q), EscapeID(doc), n, i+1, strconv.FormatFloat(r.score, 'g', -1, 64), run)
			}
		}
		if err := store.WriteFile(filepath.Join(w.tmp, RunsDir, run+".txt"), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// runFaults says what is wrong with a ranked page. Unlike judgements, unanswerable questions have
// rankings too.
func (d *Dataset) runFaults(q, page string) []Fault {
	faults := d.qrelFaults(q, page)
	if i, ok := d.questionAt[q]; ok && !d.Questions[i].Answerable() {
		faults = faults[1:] // the first is that it is judged
	}
	return faults
}

// readRuns checks runs/*.txt.
func (d *Dataset) readRuns() (faults []Fault) {
	found, _ := filepath.Glob(filepath.Join(d.Dir, RunsDir, "*.txt"))
	slices.Sort(found)
	for _, p := range found {
		name := path.Join(RunsDir, filepath.Base(p))
		add := func(line int, problem, fix string) { faults = append(faults, Fault{name, line, problem, fix}) }
		seen := map[string]bool{}
		err := store.Lines(p, func(line int, raw []byte) error {
			f := strings.Fields(string(raw))
			if len(f) != 6 {
				add(line, fmt.Sprintf("has %s", edb.Count(len(f), "column")), "write \"question Q0 DOC#PAGE rank score run\"")
				return nil
			}
			doc, n, ok := splitPageID(f[2])
			score, err := strconv.ParseFloat(f[4], 64)
			switch {
			case !ok:
				add(line, fmt.Sprintf("%q names no page", f[2]), "write DOC#PAGE with pages from 1")
				return nil
			case err != nil || math.IsNaN(score) || math.IsInf(score, 0):
				add(line, fmt.Sprintf("score %q is no finite number", f[4]), "write one")
			case seen[f[0]+" "+f[2]]:
				add(line, fmt.Sprintf("page %q stands twice for question %q", f[2], f[0]), "keep one line")
			}
			seen[f[0]+" "+f[2]] = true
			for _, x := range d.runFaults(unescapeID(f[0]), edb.PageID(unescapeID(doc), n)) {
				add(line, x.Problem, x.Fix)
			}
			return nil
		})
		var le *store.LineError
		switch {
		case errors.As(err, &le):
			add(le.Line, le.Err.Error(), "write \"question Q0 DOC#PAGE rank score run\" a line")
		case err != nil && !os.IsNotExist(err):
			add(0, "cannot be read: "+cause(err), "make it readable")
		}
	}
	return faults
}
