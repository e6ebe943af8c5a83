package datasets

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
)

// FactsFile holds single facts that a parse of a document must meet, beside gold or in place of it.
// It may be missing.
const FactsFile = "facts.jsonl"

// Fact is one line of facts.jsonl.
type Fact = edb.Fact

// FactTypes lists the types of facts.
var FactTypes = edb.FactTypes

// factFaults checks what a fact's line says by itself.
func factFaults(x Fact) []Fault {
	var l list
	if why := badID(x.ID); why != "" {
		l.add("id "+why, "give the fact another id")
	}
	if x.Doc == "" {
		l.add("doc is missing", "name the document")
	}
	if x.Page < 1 {
		l.add(fmt.Sprintf("page is %d", x.Page), "count physical pages from 1")
	}
	if !slices.Contains(FactTypes, x.Type) {
		l.add(fmt.Sprintf("type is %q", x.Type), "use "+oneOf(FactTypes))
	}
	for key, missing := range map[string]bool{
		"text":    (x.Type == "present" || x.Type == "absent") && x.Text == "",
		"before":  x.Type == "order" && x.Before == "",
		"after":   x.Type == "order" && x.After == "",
		"cell":    x.Type == "table" && x.Cell == "",
		"formula": x.Type == "formula" && x.Formula == "",
	} {
		if missing {
			l.add(fmt.Sprintf("%s is missing from a fact of type %s", key, x.Type), "add it")
		}
	}
	for key, n := range map[string]int{"max_diffs": x.MaxDiffs, "first_n": x.FirstN, "last_n": x.LastN, "max_length": x.MaxLength, "max_repeats": x.MaxRepeats} {
		if n < 0 {
			l.add(fmt.Sprintf("%s is %d", key, n), "write a number from 0")
		}
	}
	slices.SortFunc(l, func(a, b Fault) int { return cmp.Compare(a.Problem, b.Problem) })
	return l
}

// factLinks checks what a fact says about the documents.
func (d *Dataset) factLinks(x Fact) []Fault {
	var l list
	doc, ok := d.Document(x.Doc)
	switch {
	case x.Doc == "": // a fault already
	case !ok && !d.Info.External():
		l.add(fmt.Sprintf("document %q is unknown", x.Doc), "name one of "+DocumentsFile)
	case doc.Pages > 0 && x.Page > doc.Pages:
		l.add(fmt.Sprintf("page %d of document %q, which has %s", x.Page, x.Doc, edb.Count(doc.Pages, "page")), "count physical pages from 1")
	}
	return l
}

// ReadFacts reads a file of facts by itself. Documents are not looked for. Its error is a
// [FaultError] with file and line.
func ReadFacts(file string) ([]Fact, error) {
	rows, faults := readTable[Fact](filepath.Dir(file), filepath.Base(file), true)
	var out []Fact
	for _, r := range rows {
		for _, f := range factFaults(r.v) {
			faults = append(faults, Fault{filepath.Base(file), r.line, fmt.Sprintf("fact %q: %s", r.v.ID, f.Problem), f.Fix})
		}
		out = append(out, r.v)
	}
	return out, faultError(filepath.Dir(file), faults)
}

// readFacts fills Facts from facts.jsonl, which may be missing.
func (d *Dataset) readFacts() []Fault {
	rows, faults := readTable[Fact](d.Dir, FactsFile, false)
	at := map[string]int{}
	for _, r := range rows {
		add := func(problem, fix string) {
			faults = append(faults, Fault{FactsFile, r.line, fmt.Sprintf("fact %q: %s", r.v.ID, problem), fix})
		}
		if before := at[r.v.ID]; before > 0 {
			add(fmt.Sprintf("id stands in line %d already", before), "give every fact its own")
			continue
		}
		at[r.v.ID] = r.line
		for _, f := range append(factFaults(r.v), d.factLinks(r.v)...) {
			add(f.Problem, f.Fix)
		}
		d.Facts = append(d.Facts, r.v)
	}
	return faults
}

// AddFact adds a fact. Its document is looked for at Close. Facts stay in memory until then.
func (w *Writer) AddFact(x Fact) error {
	if f := factFaults(x); len(f) > 0 {
		return fmt.Errorf("fact %q: %s: %s", x.ID, f[0].Problem, f[0].Fix)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch _, twice := w.facts[x.ID]; {
	case twice:
		return fmt.Errorf("fact %q: id is given twice: give every fact its own", x.ID)
	case w.closed:
		return fmt.Errorf("fact %q: the writer is closed: add facts before Close", x.ID)
	}
	if w.facts == nil {
		w.facts = map[string]Fact{}
	}
	w.facts[x.ID] = x
	return nil
}

// writeFacts checks which documents facts name and writes them, by id.
func (w *Writer) writeFacts(ds *Dataset) error {
	if len(w.facts) == 0 {
		return nil
	}
	rows := make([]Fact, 0, len(w.facts))
	for _, x := range w.facts {
		rows = append(rows, x)
	}
	slices.SortFunc(rows, func(a, b Fact) int { return cmp.Compare(a.ID, b.ID) })
	for _, x := range rows {
		if f := ds.factLinks(x); len(f) > 0 {
			return fmt.Errorf("fact %q: %s: %s", x.ID, f[0].Problem, f[0].Fix)
		}
	}
	return store.WriteJSONL(filepath.Join(w.tmp, FactsFile), rows)
}
