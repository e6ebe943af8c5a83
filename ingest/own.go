package ingest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
)

// maxQuestions is the largest file of questions, in bytes, that is read.
const maxQuestions = 64 << 20

// Asked is a question of the user's own, before its evidence is looked for.
type Asked struct {
	ID, Text, Modality string
	Answer             *edb.GoldAnswer
	Places             []Place
	Line               int // where it first stands
}

// Place is where a question's answer is said to stand. Page is 0 where only the quote says it.
type Place struct {
	Doc, Quote string
	Page, Line int
}

// FaultsError is bad input: everything that is wrong with a file of questions.
type FaultsError []datasets.Fault

// shownFaults is how many faults an error prints.
const shownFaults = 20

func (e FaultsError) Error() string {
	var b strings.Builder
	for i, f := range e {
		if i == shownFaults {
			fmt.Fprintf(&b, "\n... and %d more", len(e)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.String())
	}
	return b.String()
}

// row is one line of a file of questions, as text.
type row struct {
	line                           int
	id, question, answer, modality string
	document, page, quote          string
	typed                          *edb.GoldAnswer // of JSON lines in the layout of queries.jsonl
	places                         []Place         // likewise
}

// ReadQuestions reads a file of questions: CSV (comma, semicolon or tab) with a line of column names,
// or JSON lines. Columns are question, answer, document, page, quote, and if wanted id and modality;
// common other names are understood, in any case and order. Lines with one id, or with one question
// and no id, are one question whose answer stands in several places. All faults come together as a
// FaultsError.
func ReadQuestions(path string) ([]Asked, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %s: name the file that holds your questions", path, cause(err))
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s: is no file: name the file that holds your questions", path)
	case st.Size() > maxQuestions:
		return nil, fmt.Errorf("%s: has %d bytes, more than %d: split it", path, st.Size(), maxQuestions)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseQuestions(path, b)
}

// parseQuestions is ReadQuestions on bytes; path is what faults call the file.
func parseQuestions(path string, b []byte) ([]Asked, error) {
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	var faults FaultsError
	fault := func(line int, problem, fix string) {
		faults = append(faults, datasets.Fault{File: path, Line: line, Problem: problem, Fix: fix})
	}
	if !utf8.Valid(b) {
		line := 1
		for l := range bytes.Lines(b) {
			if !utf8.Valid(l) {
				break
			}
			line++
		}
		fault(line, "is not UTF-8", "save the file as UTF-8 (in a spreadsheet: CSV UTF-8)")
		return nil, faults
	}
	var rows []row
	if isJSONL(path, b) {
		rows = readJSONLines(b, fault)
	} else {
		rows = readTable(b, fault)
	}
	out := merge(rows, fault)
	if len(faults) == 0 && len(out) == 0 {
		fault(1, "there is no question", "write one question a line below the column names")
	}
	if len(faults) > 0 {
		slices.SortStableFunc(faults, func(a, b datasets.Fault) int { return a.Line - b.Line })
		return nil, faults
	}
	return out, nil
}

func isJSONL(path string, b []byte) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl", ".ndjson", ".json":
		return true
	case ".csv", ".tsv":
		return false
	}
	return bytes.HasPrefix(bytes.TrimSpace(b), []byte("{"))
}

// merge makes questions of rows: rows of one id, or of one question without id, belong together.
func merge(rows []row, fault func(int, string, string)) []Asked {
	var out []Asked
	at := map[string]int{}
	answers := map[int]string{}
	ids := map[string]bool{}
	for _, r := range rows {
		if r.id != "" {
			ids[r.id] = true
		}
	}
	for _, r := range rows {
		if r.question == "" {
			fault(r.line, "the question is empty", "write it or take the line out")
			continue
		}
		places := r.places
		if r.page != "" || r.quote != "" || r.document != "" && len(places) == 0 {
			p, ok := r.place(fault)
			if !ok {
				continue
			}
			places = append(places, p)
		}
		key := "id\x00" + r.id
		if r.id == "" {
			key = "text\x00" + r.question
		}
		i, again := at[key]
		if !again {
			i = len(out)
			at[key] = i
			q := Asked{ID: r.id, Text: r.question, Modality: r.modality, Line: r.line}
			for n := i + 1; q.ID == ""; n++ {
				if id := fmt.Sprintf("q%04d", n); !ids[id] {
					q.ID, ids[id] = id, true
				}
			}
			out = append(out, q)
		}
		q := &out[i]
		switch {
		case q.Text != r.question:
			fault(r.line, fmt.Sprintf("id %q is given to another question on line %d", r.id, q.Line), "give every question an id of its own")
			continue
		case r.answer != "" && answers[i] != "" && answers[i] != r.answer:
			fault(r.line, fmt.Sprintf("the answer differs from that on line %d", q.Line), "write one answer, or give the questions ids of their own")
			continue
		case r.modality != "" && q.Modality != "" && r.modality != q.Modality:
			fault(r.line, fmt.Sprintf("the modality differs from that on line %d", q.Line), "write one modality")
			continue
		}
		if r.answer != "" {
			answers[i] = r.answer
		}
		if q.Modality == "" {
			q.Modality = r.modality
		}
		if r.typed != nil {
			q.Answer = r.typed
		} else if q.Answer == nil && r.answer != "" {
			q.Answer = typed(r.answer)
		}
		q.Places = append(q.Places, places...)
	}
	for i := range out {
		out[i].finish(fault)
	}
	return out
}

// place reads document, page and quote of a row.
func (r row) place(fault func(int, string, string)) (Place, bool) {
	page, ok := pageNumber(r.page)
	switch {
	case r.document == "":
		fault(r.line, "there is a page or a quote but no document", "name the document by its file name")
		return Place{}, false
	case !ok:
		fault(r.line, fmt.Sprintf("page %q is no page number", r.page), "write one physical page from 1; write another line for another page")
		return Place{}, false
	}
	return Place{Doc: r.document, Page: page, Quote: r.quote, Line: r.line}, true
}

// finish settles the modality of a question and checks it against the rest.
func (q *Asked) finish(fault func(int, string, string)) {
	if q.Answer != nil && q.Modality == "" && len(q.Places) == 0 && isUnanswerable(q.Answer) {
		q.Modality = edb.ModalityUnanswerable
	}
	if q.Modality == edb.ModalityUnanswerable {
		if q.Answer != nil && isUnanswerable(q.Answer) {
			q.Answer = nil
		}
		if q.Answer != nil {
			fault(q.Line, "is unanswerable but has an answer", "leave the answer empty or name another modality")
		}
		if len(q.Places) > 0 {
			fault(q.Line, "is unanswerable but has evidence", "leave document, page and quote empty or name another modality")
		}
		return
	}
	if q.Modality == "" {
		q.Modality = edb.ModalitySingleHop
		if len(q.Places) > 1 {
			q.Modality = edb.ModalityMultiHop
		}
	}
	if !slices.Contains(edb.Modalities, q.Modality) {
		fault(q.Line, fmt.Sprintf("modality is %q", q.Modality), "use "+strings.Join(edb.Modalities, ", ")+", or leave it empty")
	}
}

func isUnanswerable(a *edb.GoldAnswer) bool {
	s, _ := a.Value.(string)
	switch strings.ToLower(strings.Trim(s, " .")) {
	case "unanswerable", "not answerable", "no answer":
		return a.Type == "text"
	}
	return false
}
