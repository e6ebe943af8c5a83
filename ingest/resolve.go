package ingest

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/tokens"
)

// Locate finds a quote on a page of a document (anywhere where page is 0): its place, and the share
// of it that stands there, 1 where word for word; false where less than half of it stands anywhere.
type Locate func(p edb.Parsed, page int, quote string) (edb.Evidence, float64, bool)

// resolver turns the places of the user's questions into source coordinates, document by document.
type resolver struct {
	file   string // of the questions, as faults call it
	locate Locate
	asked  []Asked
	byDoc  map[string][]at     // document ID -> places in it
	found  map[at]edb.Evidence // filled by document; an absent one had a fault
	faults map[at]datasets.Fault
	loose  map[at]bool // the quote was not found: the page stands for it
}

// at is a place of a question: asked[question].Places[place].
type at struct{ question, place int }

// newResolver finds the document of every place. Documents are named by ID, path, file name or stem,
// letter case aside where that is not ambiguous.
func newResolver(questions string, asked []Asked, files []file, left []LeftOut, locate Locate) (*resolver, error) {
	r := &resolver{file: questions, locate: locate, asked: asked, byDoc: map[string][]at{}, found: map[at]edb.Evidence{},
		faults: map[at]datasets.Fault{}, loose: map[at]bool{}}
	names := nameIndex(files)
	var faults FaultsError
	for i, q := range asked {
		for j, p := range q.Places {
			id, problem, fix := names.find(p.Doc, left)
			if problem != "" {
				faults = append(faults, datasets.Fault{File: questions, Line: p.Line, Problem: problem, Fix: fix})
				continue
			}
			r.byDoc[id] = append(r.byDoc[id], at{i, j})
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return r, nil
}

// names maps what a document may be called to the IDs it may mean, exact names before folded ones.
type names []map[string][]string

func nameIndex(files []file) names {
	n := make(names, 6)
	for i := range n {
		n[i] = map[string][]string{}
	}
	for _, f := range files {
		base := path.Base(f.path)
		stem := strings.TrimSuffix(base, path.Ext(base))
		for i, name := range []string{f.id, f.path, base, stem, tokens.Key(base), tokens.Key(stem)} {
			n[i][name] = append(n[i][name], f.id)
		}
	}
	return n
}

func (n names) find(name string, left []LeftOut) (id, problem, fix string) {
	name = strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "./")
	for i, m := range n {
		key := name
		if i >= 4 {
			key = tokens.Key(name)
		}
		switch ids := m[key]; {
		case len(ids) == 1:
			return ids[0], "", ""
		case len(ids) > 1:
			slices.Sort(ids)
			return "", fmt.Sprintf("%q may be %s", name, strings.Join(ids[:min(len(ids), 4)], " or ")), "write its path in the folder"
		}
	}
	for _, l := range left {
		if l.Path == name || path.Base(l.Path) == name {
			return "", fmt.Sprintf("document %q is left out: it %s", name, l.Reason), "correct the file or take the line out"
		}
	}
	return "", fmt.Sprintf("no file is called %q", name), "write the file's name as it stands in the folder"
}

// document locates the places in one document. It may be called for several documents at once, each
// with its own part of the maps: it gives its results back for keep.
func (r *resolver) document(id string, p *edb.Parsed, pages int) (found map[at]edb.Evidence, faults map[at]datasets.Fault, loose []at) {
	found, faults = map[at]edb.Evidence{}, map[at]datasets.Fault{}
	for _, a := range r.byDoc[id] {
		pl := r.asked[a.question].Places[a.place]
		ev, isLoose, problem, fix := r.place(id, pl, p, pages)
		if problem != "" {
			faults[a] = datasets.Fault{File: r.file, Line: pl.Line, Problem: problem, Fix: fix}
			continue
		}
		found[a] = ev
		if isLoose {
			loose = append(loose, a)
		}
	}
	return found, faults, loose
}

// place turns one place into evidence. loose says that its quote is not in the text: the page then
// stands for it.
func (r *resolver) place(id string, pl Place, p *edb.Parsed, pages int) (ev edb.Evidence, loose bool, problem, fix string) {
	ev = edb.Evidence{Doc: id, Page: pl.Page, Quote: pl.Quote}
	if pages == 1 && pl.Page == 0 {
		ev.Page = 1
	}
	switch {
	case pages > 0 && pl.Page > pages:
		return ev, false, fmt.Sprintf("page %d of %q, which has %s", pl.Page, id, edb.Count(pages, "page")), "count physical pages of the file from 1"
	case p == nil && ev.Page == 0:
		return ev, false, fmt.Sprintf("%q cannot be read, so its quote cannot be looked for", id), "give the page"
	case pl.Quote == "" && ev.Page == 0:
		return ev, false, "there is neither a page nor a quote", "give one of them: a document alone is no place"
	case pl.Quote == "" || p == nil || r.locate == nil:
		return ev, p == nil && pl.Quote != "", "", ""
	}
	got, score, ok := r.locate(*p, ev.Page, pl.Quote)
	if !ok && pl.Page > 0 {
		if other, s, there := r.locate(*p, 0, pl.Quote); there && s == 1 && other.Page != ev.Page {
			return ev, false, fmt.Sprintf("the quote does not stand on page %d of %q but on page %d", ev.Page, id, other.Page), "correct the page (physical pages count from 1)"
		}
		return ev, true, "", ""
	}
	if !ok {
		return ev, false, fmt.Sprintf("the quote does not stand in %q (%.0f %% of it was found)", id, 100*score), "copy it from the document, or give the page"
	}
	text := []rune(pageText(*p, got.Page))
	if got.Page < 1 || got.Start < 0 || got.End > len(text) || got.Start >= got.End {
		return ev, true, "", ""
	}
	ev.Page, ev.Start, ev.End, ev.Quote = got.Page, got.Start, got.End, string(text[got.Start:got.End])
	return ev, false, "", ""
}

// keep takes what document gave.
func (r *resolver) keep(found map[at]edb.Evidence, faults map[at]datasets.Fault, loose []at) {
	for a, ev := range found {
		r.found[a] = ev
	}
	for a, f := range faults {
		r.faults[a] = f
	}
	for _, a := range loose {
		r.loose[a] = true
	}
}

// questions gives the questions with their evidence, in the order of the file.
func (r *resolver) questions() ([]edb.Question, error) {
	var faults FaultsError
	var out []edb.Question
	for i, q := range r.asked {
		e := edb.Question{ID: q.ID, Text: q.Text, Modality: q.Modality, Answer: q.Answer, Review: map[string]any{"source": "user"}}
		for j := range q.Places {
			a := at{i, j}
			if f, bad := r.faults[a]; bad {
				faults = append(faults, f)
				continue
			}
			e.Evidence = append(e.Evidence, r.found[a])
		}
		out = append(out, e)
	}
	if len(faults) > 0 {
		slices.SortStableFunc(faults, func(a, b datasets.Fault) int { return a.Line - b.Line })
		return nil, faults
	}
	return out, nil
}

func pageText(p edb.Parsed, page int) string {
	for _, pg := range p.Pages {
		if pg.Number == page {
			return pg.Text()
		}
	}
	return ""
}

// length is the number of code points of a text.
func length(s string) int { return utf8.RuneCountInString(s) }
