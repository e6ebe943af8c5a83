package datasets

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"
)

// AnswersFile holds answers that somebody has labelled: what verifiers and scorers of answers are
// measured against. It may be missing.
const AnswersFile = "answers.jsonl"

// LabelledAnswer is one line of answers.jsonl: an answer of any system to a question of the dataset,
// and what is known about it. Offsets count code points of Answer from 0.
type LabelledAnswer struct {
	ID     string `json:"id"`
	Query  string `json:"query"`
	Answer string `json:"answer"`
	// System is who wrote the answer, as the source calls it; Source is the collection it was taken
	// from, where a dataset joins several.
	System string `json:"system,omitempty"`
	Source string `json:"source,omitempty"`
	// Contexts are the passages that the answer, or a claim of it, is judged against. Doc may be
	// empty where the source gives only text; Text may be empty where Doc is in the dataset.
	Contexts  []edb.Context  `json:"contexts,omitempty"`
	Citations []edb.Citation `json:"citations,omitempty"`
	// By says who labelled: human, generated (a program, with what it made) or source (it came with
	// the collection, whose publishers do not say).
	By string `json:"by,omitempty"`
	// Label is about the whole answer, Claims about single statements of it.
	Label    *Label          `json:"label,omitempty"`
	Claims   []LabelledClaim `json:"claims,omitempty"`
	Compared []Comparison    `json:"compared,omitempty"`
	// Scores are values of this answer that a reference implementation gives, by the name it has
	// there ("rouge-1.f").
	Scores map[string]float64 `json:"scores,omitempty"`
}

// Label is what is said of an answer or claim. A nil value is not known: nobody said, or it could
// not be judged.
type Label struct {
	// Supported: the contexts bear out all of it. Correct: it is true, whatever the contexts say.
	Supported *bool `json:"supported"`
	Correct   *bool `json:"correct"`
	// Kind of a fault, where the source tells: intrinsic (against the contexts), extrinsic (not in
	// them) or fabrication (about something that does not exist).
	Kind  string      `json:"kind,omitempty"`
	Spans []LabelSpan `json:"spans,omitempty"` // where the faults are
	// Said holds the source's own words, from which the above was taken: {"support":"Partial"}.
	Said map[string]string `json:"said,omitempty"`
}

// LabelSpan is a marked place of the answer. Start and End are 0 where the source marks words that
// are not in the answer to the letter.
type LabelSpan struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text,omitempty"`
}

// LabelledClaim is a statement of an answer with its own label. Start and End are 0 where the
// statement is not in the answer to the letter. Contexts are indexes into the answer's Contexts,
// from 0: what the claim is judged against, empty where it cites nothing.
type LabelledClaim struct {
	Text     string `json:"text"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Contexts []int  `json:"contexts"`
	Label    Label  `json:"label"`
}

// Comparison is a judgement of this answer beside another of the same question. Grades hold, by what
// was asked (correctness, completeness, overall), a number above 0 where this answer is better and
// below 0 where the other is; 0 is a tie. By tells judges apart.
type Comparison struct {
	With   string             `json:"with"`
	By     string             `json:"by"`
	Grades map[string]float64 `json:"grades"`
}

var (
	labellers  = []string{"human", "generated", "source"}
	faultKinds = []string{"intrinsic", "extrinsic", "fabrication"}
)

// labelledFaults checks what an answer's line says by itself.
func labelledFaults(a LabelledAnswer) []Fault {
	var l list
	if why := badID(a.ID); why != "" {
		l.add("id "+why, "give the answer another id")
	}
	if a.Query == "" {
		l.add("query is missing", "name the question it answers")
	}
	l.choice("by", a.By, labellers)
	if a.By == "" && (a.Label != nil || len(a.Claims)+len(a.Compared) > 0) {
		l.add("by is missing", "say who labelled it: "+oneOf(labellers))
	}
	for i, c := range a.Contexts {
		at := fmt.Sprintf("contexts[%d]", i)
		switch {
		case c.Doc == "" && c.Text == "":
			l.add(at+" has neither doc nor text", "give one")
		case c.Doc != "" && c.Page < 1:
			l.add(fmt.Sprintf("%s.page is %d", at, c.Page), "count physical pages from 1")
		}
	}
	for i, c := range a.Citations {
		at := fmt.Sprintf("citations[%d]", i)
		switch {
		case c.Doc == "":
			l.add(at+" names no document", "give its doc")
		case c.Page < 1:
			l.add(fmt.Sprintf("%s.page is %d", at, c.Page), "count physical pages from 1")
		case c.At < -1 || c.At > utf8.RuneCountInString(a.Answer):
			l.add(fmt.Sprintf("%s.at is %d", at, c.At), "count code points of the answer, or write -1 for the whole")
		}
	}
	text := []rune(a.Answer)
	if a.Label != nil {
		labelFaults(&l, "label", *a.Label, text)
	}
	for i, c := range a.Claims {
		at := fmt.Sprintf("claims[%d]", i)
		if c.Text == "" {
			l.add(at+".text is missing", "write the statement")
		}
		rangeFaults(&l, at, LabelSpan{c.Start, c.End, c.Text}, text)
		for _, n := range c.Contexts {
			if n < 0 || n >= len(a.Contexts) {
				l.add(fmt.Sprintf("%s.contexts holds %d, the answer has %s", at, n, edb.Count(len(a.Contexts), "context")), "count them from 0")
			}
		}
		labelFaults(&l, at+".label", c.Label, text)
	}
	for i, c := range a.Compared {
		at := fmt.Sprintf("compared[%d]", i)
		if c.With == "" || c.With == a.ID {
			l.add(fmt.Sprintf("%s.with is %q", at, c.With), "name the other answer")
		}
		if len(c.Grades) == 0 {
			l.add(at+".grades is empty", "write what was asked and the number given")
		}
		for k, v := range c.Grades {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				l.add(fmt.Sprintf("%s.grades.%s is %v", at, k, v), "write a finite number")
			}
		}
	}
	for k, v := range a.Scores {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			l.add(fmt.Sprintf("scores.%s is %v", k, v), "write a finite number")
		}
	}
	return l
}

func labelFaults(l *list, at string, x Label, text []rune) {
	l.choice(at+".kind", x.Kind, faultKinds)
	for i, s := range x.Spans {
		rangeFaults(l, fmt.Sprintf("%s.spans[%d]", at, i), s, text)
	}
}

// rangeFaults compares a marked place with the answer; 0 to 0 is no place.
func rangeFaults(l *list, at string, s LabelSpan, text []rune) {
	switch {
	case s.Start == 0 && s.End == 0:
		if s.Text == "" {
			l.add(at+" has neither offsets nor text", "give one")
		}
	case s.Start < 0 || s.End <= s.Start || s.End > len(text):
		l.add(fmt.Sprintf("%s is %d to %d of an answer of %d code points", at, s.Start, s.End, len(text)), "count code points of the answer from 0")
	case s.Text != "" && s.Text != string(text[s.Start:s.End]):
		l.add(fmt.Sprintf("%s says %s where the answer has %s", at, short(s.Text), short(string(text[s.Start:s.End]))), "correct the offsets or the text")
	}
}

// answerLinks checks what an answer says about the rest of the dataset.
func (d *Dataset) answerLinks(a LabelledAnswer) []Fault {
	var l list
	if _, ok := d.questionAt[a.Query]; !ok && a.Query != "" {
		l.add(fmt.Sprintf("question %q is unknown", a.Query), "name one of "+QuestionsFile)
	}
	place := func(at, doc string, page int) {
		if doc == "" {
			return
		}
		x, ok := d.Document(doc)
		switch {
		case !ok && !d.Info.External():
			l.add(fmt.Sprintf("%s: document %q is unknown", at, doc), "name one of "+DocumentsFile)
		case x.Pages > 0 && page > x.Pages:
			l.add(fmt.Sprintf("%s: page %d of document %q, which has %s", at, page, doc, edb.Count(x.Pages, "page")), "count physical pages from 1")
		}
	}
	for i, c := range a.Contexts {
		place(fmt.Sprintf("contexts[%d]", i), c.Doc, c.Page)
	}
	for i, c := range a.Citations {
		place(fmt.Sprintf("citations[%d]", i), c.Doc, c.Page)
	}
	return l
}

// readAnswers fills Answers from answers.jsonl, which may be missing.
func (d *Dataset) readAnswers() []Fault {
	rows, faults := readTable[LabelledAnswer](d.Dir, AnswersFile, false)
	at := map[string]int{}
	for _, r := range rows {
		if r.v.ID != "" && at[r.v.ID] == 0 {
			at[r.v.ID] = r.line
		}
	}
	questions := make(map[string]string, len(rows))
	for _, r := range rows {
		questions[r.v.ID] = r.v.Query
	}
	for _, r := range rows {
		add := func(problem, fix string) {
			faults = append(faults, Fault{AnswersFile, r.line, fmt.Sprintf("answer %q: %s", r.v.ID, problem), fix})
		}
		if first := at[r.v.ID]; r.v.ID != "" && first != r.line {
			add(fmt.Sprintf("id stands in line %d already", first), "give every answer its own")
			continue
		}
		for _, f := range append(labelledFaults(r.v), d.answerLinks(r.v)...) {
			add(f.Problem, f.Fix)
		}
		for i, c := range r.v.Compared {
			if f := comparedFault(i, c, r.v.Query, questions); f.Problem != "" {
				add(f.Problem, f.Fix)
			}
		}
		d.Answers = append(d.Answers, r.v)
	}
	return faults
}

// comparedFault says that a comparison is with no answer of the same question.
func comparedFault(i int, c Comparison, query string, questions map[string]string) Fault {
	q, ok := questions[c.With]
	switch {
	case c.With == "":
		return Fault{} // its line is a fault already
	case !ok:
		return Fault{Problem: fmt.Sprintf("compared[%d]: answer %q is unknown", i, c.With), Fix: "name one of " + AnswersFile}
	case q != query:
		return Fault{Problem: fmt.Sprintf("compared[%d]: answer %q is to question %q", i, c.With, q), Fix: "compare answers to one question"}
	}
	return Fault{}
}

// AddAnswer adds a labelled answer. Its question, documents and comparisons are looked for at Close,
// so they may come in any order.
func (w *Writer) AddAnswer(a LabelledAnswer) error {
	a.Claims = slices.Clone(a.Claims)
	for i := range a.Claims {
		if a.Claims[i].Contexts == nil {
			a.Claims[i].Contexts = []int{}
		}
	}
	fail := func(problem, fix string) error { return fmt.Errorf("answer %q: %s: %s", a.ID, problem, fix) }
	if f := labelledFaults(a); len(f) > 0 {
		return fail(f[0].Problem, f[0].Fix)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return fail("the writer is closed", "add answers before Close")
	}
	if _, dup := w.aseen[a.ID]; dup {
		return fail("id is given twice", "give every answer its own")
	}
	at, n, err := w.answers.add(a)
	if err != nil {
		return fail("cannot be written: "+cause(err), "free space or name another folder")
	}
	w.aseen[a.ID] = spooled{at, n}
	return nil
}

// findSpan gives the place of words in an answer, the first not before from; 0 and 0 where they are
// not in it to the letter.
func findSpan(answer, words string, from int) (start, end int) {
	skip := 0
	for range from {
		_, n := utf8.DecodeRuneInString(answer[skip:])
		skip += n
	}
	i := strings.Index(answer[skip:], words)
	if i < 0 || words == "" {
		return 0, 0
	}
	start = utf8.RuneCountInString(answer[:skip+i])
	return start, start + utf8.RuneCountInString(words)
}

// writeAnswers checks what answers say about the rest and writes them by id.
func (w *Writer) writeAnswers(ds *Dataset) error {
	if len(w.aseen) == 0 {
		return nil
	}
	if err := w.answers.flush(); err != nil {
		return err
	}
	ids := slices.Sorted(maps.Keys(w.aseen))
	questions := make(map[string]string, len(ids))
	for pass := range 2 { // comparisons may point forward
		for _, id := range ids {
			var a LabelledAnswer
			if err := w.answers.read(w.aseen[id], &a); err != nil {
				return fmt.Errorf("answer %q: %w", id, err)
			}
			if pass == 0 {
				questions[id] = a.Query
				continue
			}
			faults := ds.answerLinks(a)
			for i, c := range a.Compared {
				if f := comparedFault(i, c, a.Query, questions); f.Problem != "" {
					faults = append(faults, f)
				}
			}
			if len(faults) > 0 {
				return fmt.Errorf("answer %q: %s: %s", id, faults[0].Problem, faults[0].Fix)
			}
		}
	}
	return w.answers.writeTo(filepath.Join(w.tmp, AnswersFile), len(ids), func(i int) spooled { return w.aseen[ids[i]] })
}
