package riker

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/net/html"

	edb "enterprisedocbench"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/universe"
	"enterprisedocbench/universe/press"
)

// shelved is a document as it lies in the directory.
type shelved struct {
	doc   edb.Document
	gold  edb.Parsed
	file  string // that holds it, for faults
	line  int
	text  *string           // of the file, as the reader found it; nil: the file was not read as text
	stack universe.Haystack // of text
	shown *universe.Shown   // gold, for quotes
	word  [][]edb.Line      // of a PDF, as the reader found them
	raw   []byte            // its line in a shard
	lost  datasets.Fault    // why it cannot be looked at
}

// proof is what came out for a document.
type proof struct {
	faults   []datasets.Fault
	proven   map[string]int
	absences []row // that truth.sqlite must list
	scanned  bool
	unread   bool
	places   int // rows of renderings that there must be
	made     press.Printed
}

func (p *proof) fault(d shelved, problem string) {
	p.faults = append(p.faults, datasets.Fault{File: d.file, Line: d.line, Problem: problem, Fix: remake})
}

// documents holds every document against the world, the truth and the probes.
func (c *checker) documents() error {
	n := c.world.Documents()
	shelf := c.shelf
	if c.size > 0 {
		s, err := c.shards()
		if err != nil {
			return err
		}
		defer s.close()
		shelf = s.document
	}
	c.foldPhrases()
	if c.db != nil {
		for to, query := range map[**sql.Stmt]string{&c.rowOf: "SELECT id, kind, n, format, style, title, pages, tokens FROM documents WHERE id = ?",
			&c.placesOf: "SELECT field, n, value, page, start, end, x0, y0, x1, y1, quote FROM renderings WHERE doc = ? ORDER BY field, n"} {
			s, err := c.db.PrepareContext(c.ctx, query)
			if err != nil {
				return c.sqlFault(err)
			}
			defer s.Close()
			*to = s
		}
	}
	var gone *scan
	if c.db != nil {
		gone = &scan{c: c, table: "absences", key: 3}
		gone.start("SELECT doc, field, phrase, reason, question FROM absences WHERE reason = 'clause' ORDER BY rowid")
	}
	places, scanned, unread := 0, 0, 0
	err := inOrder(c.ctx, c.opt.Workers, n, func(id int) (proof, error) { return c.document(id, shelf) }, func(id int, p proof) error {
		c.fault(p.faults...)
		for name, k := range p.proven {
			c.proven[name] += k
		}
		places += p.places
		if p.scanned {
			scanned++
		}
		if p.unread {
			unread++
		}
		if gone != nil {
			for _, r := range p.absences {
				gone.expectNext(r.values)
			}
		}
		c.kept.put(id, p.made)
		c.progress("documents", id+1, n)
		return nil
	})
	if err != nil {
		return err
	}
	if scanned > 0 {
		c.skip("%d scanned documents hold no text for a reader of PDFs: their quotes were held against the gold alone", scanned)
	}
	if unread > 0 {
		c.skip("the files of %d documents: no reader was given", unread)
	}
	if c.db == nil {
		return nil
	}
	if err := gone.end(); err != nil {
		return c.sqlFault(err)
	}
	for table, want := range map[string]int{"documents": n, "renderings": places} {
		var got int
		if err := c.db.QueryRowContext(c.ctx, "SELECT count(*) FROM "+table).Scan(&got); err != nil {
			return c.sqlFault(err)
		}
		if got != want {
			c.fault(datasets.Fault{File: TruthFile, Problem: fmt.Sprintf("table %s has %d rows, in the world there are %d", table, got, want), Fix: remake})
		}
	}
	return nil
}

// document proves document id. It runs on several goroutines.
func (c *checker) document(id int, shelf func(id int) (shelved, error)) (proof, error) {
	p := proof{proven: map[string]int{}}
	w, err := c.world.Document(id)
	if err != nil {
		return p, err
	}
	p.made = press.Printed{Gold: w.Printed.Gold, Mentions: w.Printed.Mentions}
	d, err := shelf(id)
	if err != nil {
		return p, err
	}
	if d.lost.Problem != "" {
		p.faults = append(p.faults, d.lost)
		return p, nil
	}
	p.scanned, p.unread = d.doc.Scanned, d.text == nil && d.word == nil && !d.doc.Scanned
	if c.size == 0 {
		c.same(&p, d, w)
	} else {
		c.sameLine(&p, d, w)
	}
	places := placesOf(w)
	rows := c.world.documentRows(w, 0, false)
	p.absences = rows[1:]
	if c.db != nil {
		if places, err = c.placeRows(&p, d, w, rows[0], places); err != nil {
			return p, err
		}
	}
	c.facts(&p, d, w, places)
	d.shown = universe.NewShown(d.gold)
	if d.text != nil {
		d.stack = universe.NewHaystack(*d.text)
	}
	for _, pl := range places {
		c.quote(&p, d, pl.Evidence, pl.Value, fmt.Sprintf("document %s, page %d, %s %d", w.ID, pl.Page, pl.Field, pl.N))
	}
	for _, e := range c.evidence[w.ID] {
		at := d
		at.file, at.line = datasets.QuestionsFile, e.line
		c.quote(&p, at, e.Evidence, "", e.what)
	}
	c.absent(&p, d, w)
	return p, nil
}

// shelf reads a document of a dataset directory.
func (c *checker) shelf(id int) (s shelved, err error) {
	name := DocumentID(id)
	doc, ok := c.ds.Document(name)
	if !ok {
		s.lost = datasets.Fault{File: datasets.DocumentsFile, Problem: fmt.Sprintf("document %s is missing", name), Fix: remake}
		return s, nil
	}
	s.doc, s.file = doc, doc.Path
	lost := func(problem string) (shelved, error) {
		s.lost = datasets.Fault{File: datasets.DocumentsFile, Line: c.ds.Line(name), Problem: fmt.Sprintf("document %s %s: nothing about it was proven", name, problem), Fix: remake}
		return s, nil
	}
	if s.gold, ok, err = c.ds.Gold(name); err != nil || !ok {
		return lost("has no gold that can be read")
	}
	path, err := c.ds.File(doc)
	if err != nil {
		return lost("has no file that can be read")
	}
	switch {
	case doc.Scanned:
	case doc.MIME == "application/pdf":
		if c.opt.Words == nil {
			return s, nil
		}
		c.reading.Lock()
		s.word, err = c.opt.Words(c.ctx, path)
		c.reading.Unlock()
		if c.ctx.Err() != nil {
			return s, c.ctx.Err()
		}
		if err != nil {
			return lost(fmt.Sprintf("cannot be read by %s: %v", c.opt.Reader, err))
		}
	default:
		text, err := c.fileText(doc, path)
		if err != nil {
			return lost("cannot be read: " + err.Error())
		}
		s.text = text
	}
	return s, nil
}

// fileText reads a file that is no PDF: text as it is, HTML as its text nodes, drawn charts included,
// Markdown through the reader; nil where there is none.
func (c *checker) fileText(doc edb.Document, path string) (*string, error) {
	if doc.MIME == "text/markdown" {
		if c.opt.Read == nil {
			return nil, nil
		}
		parsed, err := c.opt.Read(path)
		text := parsed.Text()
		return &text, err
	}
	raw, err := os.ReadFile(path)
	text := string(raw)
	if doc.MIME == "text/html" {
		text = htmlText(raw)
	}
	return &text, err
}

// htmlText gives the text nodes of a page, parted by line breaks; scripts and styles are none.
func htmlText(raw []byte) string {
	var out strings.Builder
	hidden := false
	for z := html.NewTokenizer(bytes.NewReader(raw)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return out.String()
		case html.StartTagToken, html.EndTagToken:
			name, _ := z.TagName()
			if tag := string(name); tag == "script" || tag == "style" {
				hidden = !hidden
			}
		case html.TextToken:
			if !hidden {
				out.WriteString(string(z.Text()) + "\n")
			}
		}
	}
}

// same holds file, gold and description against those that the plan makes. Scans differ on purpose.
func (c *checker) same(p *proof, d shelved, w Document) {
	if d.doc.Scanned {
		return
	}
	file, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(d.doc.Path)))
	gold := w.Printed.Gold
	d.gold.Doc, d.gold.Engine, d.gold.Mask = gold.Doc, gold.Engine, gold.Mask
	switch {
	case err != nil || !bytes.Equal(file, w.Printed.Content):
		p.fault(d, fmt.Sprintf("document %s: the file is not the one that the plan makes%s", w.ID, firstDifference(file, w.Printed.Content)))
	case !bytes.Equal(store.JSON(d.gold), store.JSON(gold)):
		d.file, d.line = datasets.GoldDir+"/"+datasets.FileName(w.ID)+".json", 0
		p.fault(d, fmt.Sprintf("document %s: the gold is not the one that the plan makes", w.ID))
	case d.doc.Title != w.Title || d.doc.Doctype != w.Doctype || d.doc.Pages != w.Pages:
		d.file, d.line = datasets.DocumentsFile, c.ds.Line(w.ID)
		p.fault(d, fmt.Sprintf("document %s: title, type or pages are not those that the plan makes", w.ID))
	default:
		p.proven[provenFiles]++
	}
}

// firstDifference says on which line two texts part; nothing for files that are no text.
func firstDifference(got, want []byte) string {
	if bytes.HasPrefix(want, []byte("%PDF")) {
		return ""
	}
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	return fmt.Sprintf(" (line %d)", 1+bytes.Count(want[:i], []byte("\n")))
}

// placeRows holds the rows of a document and of its renderings against what the plan makes, and gives
// the places that the truth has: those of a scan have boxes of their own.
func (c *checker) placeRows(p *proof, d shelved, w Document, own row, want []Place) ([]Place, error) {
	at := datasets.Fault{File: TruthFile, Fix: remake}
	var tokens sql.NullInt64
	got := make([]any, 7)
	to := make([]any, 7)
	for i := range got {
		to[i] = &got[i]
	}
	err := c.rowOf.QueryRowContext(c.ctx, w.ID).Scan(append(to, &tokens)...)
	if err == sql.ErrNoRows { //nolint:errorlint // Scan gives it bare
		at.Problem = fmt.Sprintf("table documents, row %s: is missing", w.ID)
		p.faults = append(p.faults, at)
	} else if err != nil {
		return nil, err
	} else {
		sound := true
		for i, v := range own.values[:7] {
			if !sameCell(got[i], v) {
				at.Problem = fmt.Sprintf("table documents, row %s: %s is %s, in the world it is %s", w.ID, []string{"id", "kind", "n", "format", "style", "title", "pages"}[i], shown(got[i]), shown(v))
				p.faults = append(p.faults, at)
				sound = false
			}
		}
		if sound {
			p.proven[provenRows]++
		}
	}
	if c.world.Documents() > placesMax {
		return want, nil
	}
	p.places = len(want)
	rows, err := c.placesOf.QueryContext(c.ctx, w.ID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []Place
	for rows.Next() {
		pl := Place{Evidence: edb.Evidence{Doc: w.ID}}
		var box [4]sql.NullFloat64
		if err := rows.Scan(&pl.Field, &pl.N, &pl.Value, &pl.Page, &pl.Start, &pl.End, &box[0], &box[1], &box[2], &box[3], &pl.Quote); err != nil {
			return nil, err
		}
		if box[0].Valid {
			pl.Box = &edb.Box{box[0].Float64, box[1].Float64, box[2].Float64, box[3].Float64}
		}
		out = append(out, pl)
	}
	for i := range max(len(out), len(want)) {
		if i < len(out) && i < len(want) && samePlace(out[i], want[i], d.doc.Scanned) {
			p.proven[provenRows]++
			continue
		}
		var what Place
		if i < len(out) {
			what = out[i]
		} else {
			what = want[i]
		}
		at.Problem = fmt.Sprintf("table renderings, row %s, %s, %d: it is not what the document prints there", w.ID, what.Field, what.N)
		p.faults = append(p.faults, at)
	}
	return out, rows.Err()
}

func samePlace(a, b Place, scanned bool) bool {
	boxes := scanned || a.Box == b.Box || a.Box != nil && b.Box != nil && *a.Box == *b.Box
	a.Box, b.Box = nil, nil
	return boxes && a == b
}

// facts holds the values that a document prints against the records of the world: each is printed, as
// the truth says.
func (c *checker) facts(p *proof, d shelved, w Document, places []Place) {
	printed := map[string]string{}
	for _, pl := range places {
		if before, ok := printed[pl.Field]; ok && before != pl.Value {
			p.fault(d, fmt.Sprintf("document %s prints %s as %q and as %q", w.ID, pl.Field, before, pl.Value))
		}
		printed[pl.Field] = pl.Value
	}
	for _, f := range c.world.Record(w.Kind, w.N).Facts(w.Style) {
		got, ok := printed[f.Field]
		switch {
		case !ok:
			p.fault(d, fmt.Sprintf("document %s does not print %s, which is %q", w.ID, f.Field, f.Printed))
		case got != f.Printed:
			p.fault(d, fmt.Sprintf("document %s prints %s as %q, the truth is %q", w.ID, f.Field, got, f.Printed))
		default:
			p.proven[provenFacts]++
		}
		delete(printed, f.Field)
	}
	for field, v := range printed {
		p.fault(d, fmt.Sprintf("document %s prints %s as %q, of which the truth knows nothing", w.ID, field, v))
	}
}

// quote holds a quote against the gold and against what the reader found in the file.
func (c *checker) quote(p *proof, d shelved, e edb.Evidence, value, what string) {
	if problem := d.shown.Says(e); problem != "" {
		p.fault(d, what+": "+problem)
		return
	}
	if !strings.Contains(e.Quote, value) {
		p.fault(d, fmt.Sprintf("%s: %q does not say %q", what, e.Quote, value))
		return
	}
	p.proven[provenQuotes]++
	switch {
	case d.word != nil:
		if missing := universe.InWords(d.word, e); missing != "" {
			p.fault(d, fmt.Sprintf("%s: %s finds no %q in its box on page %d", what, c.opt.Reader, missing, e.Page))
			return
		}
	case d.text != nil:
		if !d.stack.Holds(e.Quote) {
			p.fault(d, fmt.Sprintf("%s: %q does not stand in the file", what, e.Quote))
			return
		}
	default:
		return
	}
	p.proven[provenWords]++
}

// absent proves what must not stand in a document: in its title, in all of its gold, furniture
// included, and in what the reader found in the file. Pages are searched all together, so that a name
// broken over two pages is found too.
func (c *checker) absent(p *proof, d shelved, w Document) {
	var gold, file strings.Builder
	gold.WriteString(d.doc.Title)
	for _, e := range d.gold.Elements {
		gold.WriteString("\n" + e.Text)
	}
	for _, page := range d.word {
		for _, x := range page {
			file.WriteString("\n" + x.Text)
		}
	}
	stacks := [2]universe.Haystack{universe.NewHaystack(gold.String()), d.stack}
	if d.text == nil {
		stacks[1] = universe.NewHaystack(file.String())
	}
	proven := 0
	look := func(needles []universe.Needle) (where string) {
		for i, where := range [2]string{"the gold", "the file"} {
			if stand(stacks[i], needles) {
				return where
			}
		}
		proven++
		return ""
	}
	bad := func(at shelved, what, phrase, where string) {
		p.fault(at, fmt.Sprintf("%s: %s is meant to be absent, but stands in document %s, in %s", what, quoted(strings.Split(phrase, Apart)), w.ID, where))
	}
	for _, r := range p.absences {
		phrase := r.values[2].(string)
		if where := look(c.clauses[phrase]); where != "" {
			bad(d, fmt.Sprintf("document %s has no %v", w.ID, r.values[1]), phrase, where)
		}
	}
	for _, probes := range [2][]folded{c.everywhere, c.of[w.ID]} {
		for _, b := range probes {
			if where := look(b.needles); where != "" {
				bad(shelved{file: datasets.QuestionsFile, line: c.lines[b.question]}, fmt.Sprintf("question %q", b.question), b.phrase, where)
			}
		}
	}
	p.proven[provenAbsences] += proven
}

// quoted names the phrases of an absence.
func quoted(parts []string) string {
	out := fmt.Sprintf("%q", parts[0])
	for _, p := range parts[1:] {
		out += fmt.Sprintf(" with %q", p)
	}
	return out
}
