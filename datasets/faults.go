package datasets

import (
	"encoding/hex"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// Fault is one thing that is wrong with a dataset directory. File is relative to the directory,
// Line counts from 1 and is 0 where the whole file is meant.
type Fault struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Problem string `json:"problem"`
	Fix     string `json:"fix"`
}

// String is FILE:LINE: PROBLEM: FIX.
func (f Fault) String() string {
	if f.Line == 0 {
		return fmt.Sprintf("%s: %s: %s", f.File, f.Problem, f.Fix)
	}
	return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Problem, f.Fix)
}

// FaultError is a fault as an error: bad input, with the number of further faults found beside it.
type FaultError struct {
	Dir   string
	Fault Fault
	More  int
}

func (e *FaultError) Error() string {
	s := filepath.Join(e.Dir, "x")
	s = s[:len(s)-1] + e.Fault.String()
	if e.More > 0 {
		s += fmt.Sprintf(" (%d more: edb dataset check lists them)", e.More)
	}
	return s
}

func faultError(dir string, faults []Fault) error {
	if len(faults) == 0 {
		return nil
	}
	return &FaultError{dir, faults[0], len(faults) - 1}
}

var (
	splits      = []string{"train", "val", "test", "quarantine"}
	subtypes    = []string{"absent-entity", "absent-field", "false-premise", "near-miss", "contradictory"}
	tasks       = []string{"lookup", "compliance-extraction", "contract-analysis", "financial-reconciliation", "summarisation"}
	answerTypes = []string{"text", "exact", "number", "date", "boolean", "set"}
)

// list collects faults without file and line; the caller knows those.
type list []Fault

func (l *list) add(problem, fix string) { *l = append(*l, Fault{Problem: problem, Fix: fix}) }

func (l *list) choice(key, value string, allowed []string) {
	if value != "" && !slices.Contains(allowed, value) {
		l.add(fmt.Sprintf("%s is %q", key, value), "use "+oneOf(allowed))
	}
}

// documentFaults checks what a document's line says by itself.
func documentFaults(d edb.Document) []Fault {
	var l list
	if why := badID(d.ID); why != "" {
		l.add("id "+why, "give the document another id")
	}
	switch p := filepath.FromSlash(d.Path); {
	case d.Path == "":
		l.add("path is missing", "name the file, files/NAME")
	case !filepath.IsLocal(p):
		l.add(fmt.Sprintf("path %q leads out of the dataset", d.Path), "copy the file into files/ and name it there")
	case strings.ContainsRune(p, 0):
		l.add(fmt.Sprintf("path %q holds a NUL byte", d.Path), "rename the file")
	}
	if b, err := hex.DecodeString(d.SHA256); d.SHA256 != "" && (err != nil || len(b) != 32) {
		l.add(fmt.Sprintf("sha256 is %q", d.SHA256), "write 64 hexadecimal digits or leave it out")
	}
	if d.Bytes < 0 {
		l.add(fmt.Sprintf("bytes is %d", d.Bytes), "write the size of the file or leave it out")
	}
	if d.Pages < 0 {
		l.add(fmt.Sprintf("pages is %d", d.Pages), "write the number of pages or leave it out")
	}
	if d.Date != "" && !validDate(d.Date) {
		l.add(fmt.Sprintf("date is %q", d.Date), "write a day, month or year as 2026-03-01, 2026-03 or 2026, or leave it out")
	}
	l.choice("split", d.Split, splits)
	if !goldKind(d.Gold) {
		l.add(fmt.Sprintf("gold is %q", d.Gold), "use human, source, generated, reference(ENGINE@VERSION) or none")
	}
	if d.Licence.SPDX == "" && d.Licence.Evidence == "" {
		l.add("licence is missing", "give licence.spdx and licence.evidence, which says how it is known")
	}
	return l
}

func goldKind(s string) bool {
	if slices.Contains([]string{"", "human", "source", "generated", "none"}, s) {
		return true
	}
	inner, ok := strings.CutPrefix(s, "reference(")
	inner, ok2 := strings.CutSuffix(inner, ")")
	name, version, ok3 := strings.Cut(inner, "@")
	return ok && ok2 && ok3 && name != "" && version != ""
}

// questionFaults checks what a question's line says by itself. Where documents are external, the text
// may be unknown.
func (i Info) questionFaults(q edb.Question) []Fault {
	var l list
	if why := badID(q.ID); why != "" {
		l.add("id "+why, "give the question another id")
	}
	if strings.TrimSpace(q.Text) == "" && !i.External() {
		l.add("text is missing", "write the question")
	}
	l.choice("modality", q.Modality, edb.Modalities)
	l.choice("subtype", q.Subtype, subtypes)
	l.choice("task", q.Task, tasks)
	if q.Modality == edb.ModalityUnanswerable && len(q.Evidence) > 0 {
		l.add("is unanswerable but has evidence", "drop the evidence or name another modality")
	}
	if q.Modality == edb.ModalityUnanswerable && q.Answer != nil {
		l.add("is unanswerable but has an answer", "drop the answer or name another modality")
	}
	if q.Subtype != "" && q.Modality != edb.ModalityUnanswerable {
		l.add(fmt.Sprintf("has the subtype %q but is answerable", q.Subtype), "drop the subtype or say unanswerable")
	}
	if q.Answer != nil {
		answerFaults(&l, *q.Answer)
	}
	for i, e := range q.Evidence {
		at := fmt.Sprintf("evidence %d ", i+1)
		switch {
		case e.Doc == "":
			l.add(at+"names no document", "give its doc")
		case e.Page < 1:
			l.add(fmt.Sprintf("%shas page %d", at, e.Page), "count physical pages from 1")
		case e.Start < 0 || e.End < e.Start || (e.Start == e.End && e.Start > 0):
			l.add(fmt.Sprintf("%shas the range %d to %d", at, e.Start, e.End), "give 0 <= start < end, or leave both out to mean the page")
		}
	}
	return l
}

func answerFaults(l *list, a edb.GoldAnswer) {
	if a.Type == "" {
		l.add("answer.type is missing", "use "+oneOf(answerTypes))
		return
	}
	l.choice("answer.type", a.Type, answerTypes)
	want, ok := "", true
	switch a.Type {
	case "text", "exact", "date":
		want = "a string"
		var s string
		s, ok = a.Value.(string)
		ok = ok && s != ""
	case "number":
		want, ok = "a number", isNumber(a.Value)
	case "boolean":
		want = "true or false"
		_, ok = a.Value.(bool)
	case "set":
		want = "a list of strings"
		ok = isStrings(a.Value)
	}
	if !ok {
		l.add(fmt.Sprintf("answer.value of type %s is %v", a.Type, a.Value), "write "+want)
	}
	if a.Tolerance < 0 || math.IsInf(a.Tolerance, 0) || math.IsNaN(a.Tolerance) {
		l.add(fmt.Sprintf("answer.tolerance is %v", a.Tolerance), "write a number from 0")
	}
}

func isNumber(v any) bool {
	switch n := v.(type) {
	case float64:
		return !math.IsNaN(n) && !math.IsInf(n, 0)
	case int, int64, uint64:
		return true
	}
	return false
}

func isStrings(v any) bool {
	switch s := v.(type) {
	case []string:
		return true
	case []any:
		return !slices.ContainsFunc(s, func(x any) bool { _, ok := x.(string); return !ok })
	}
	return false
}
