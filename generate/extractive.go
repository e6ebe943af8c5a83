package generate

import (
	"context"
	"math"
	"strings"
	"unicode/utf8"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
)

// extractive answers with the sentence or the table cell that shares the most with the question:
// words weighted by how rare they are in the contexts. Names and codes that the question asks about
// must stand in the supporting document's contexts, what is asked about them in the sentence or row
// itself; a value of the wanted kind must be there. Below the threshold it abstains. It is a pure
// function of question and contexts.
type extractive struct {
	threshold float64
	bpe       *tokens.BPE
}

var _ Generator = (*extractive)(nil)

func newExtractive(threshold float64) (*extractive, error) {
	bpe, err := tokens.NewBPE("o200k")
	if err != nil {
		return nil, err
	}
	return &extractive{threshold, bpe}, nil
}

// reading is everything known about one question and its contexts.
type reading struct {
	q        asked
	contexts []edb.Context
	units    []unit
	byCtx    []string          // joined normal forms of each context
	byDoc    map[string]string // and of all contexts of a document
	idf      map[string]float64
	df       map[string]int // units that hold a word of the question
}

func read(q edb.Question, contexts []edb.Context) *reading {
	r := &reading{q: understand(q.Text), contexts: contexts, byDoc: map[string]string{}, idf: map[string]float64{}, df: map[string]int{}}
	for i, c := range contexts {
		j := joined(normal(c.Text))
		r.byCtx = append(r.byCtx, j)
		r.byDoc[c.Doc] += j
		r.units = append(r.units, cut(i, c.Text)...)
	}
	for _, k := range r.q.all {
		df := 0
		for _, u := range r.units {
			if u.keys[k] {
				df++
			}
		}
		r.idf[k] = math.Log(1 + float64(len(r.units)+1)/float64(df+1))
		if df == 0 {
			r.idf[k] *= absent
		}
		r.df[k] = df
	}
	return r
}

// absent is how much more a word of the question counts that stands nowhere in the contexts: what is
// asked for may not be there.
const absent = 1.2

// support is how well a unit bears an answer.
type support struct {
	unit   int
	score  float64 // for choosing between units
	field  float64 // share of what is asked that the unit covers, in [0,1]
	entity float64 // share of the asked entities that stand in its document's contexts
	value  string  // the cell or candidate; empty: the whole unit
	label  string  // what the cell stands for
}

func (r *reading) covers(keys []string, in func(string) float64) float64 {
	sum, total := 0.0, 0.0
	for _, k := range keys {
		total += r.idf[k]
		sum += r.idf[k] * in(k)
	}
	if total == 0 {
		return 1
	}
	return sum / total
}

// judge weighs one unit.
func (r *reading) judge(i int, q asked) support {
	u := r.units[i]
	s := support{unit: i}
	doc := r.byDoc[r.contexts[u.ctx].Doc]
	near := map[string]bool{}
	for _, k := range normal(u.near) {
		near[k] = true
	}
	head := map[string]bool{}
	for _, h := range u.header {
		for _, k := range normal(h) {
			head[k] = true
		}
	}
	in := func(k string) float64 {
		switch {
		case u.keys[k] || head[k]:
			return 1
		case near[k]:
			return 0.5
		case strings.Contains(r.byCtx[u.ctx], " "+k+" "):
			return 0.3
		}
		return 0
	}
	s.field = r.covers(q.field, in)
	direct := 0
	for _, k := range q.field {
		if u.keys[k] || head[k] {
			direct++
		}
	}
	if direct == 0 && len(q.field) > 0 {
		s.field = 0
	}
	own := 0.0
	unitText := joined(u.words) + joined(normal(strings.Join(u.header, " ")))
	for _, e := range q.entities {
		switch {
		case holds(unitText, e):
			s.entity++
			own++
		case holds(r.byCtx[u.ctx], e):
			s.entity++
			own += 0.7
		case holds(doc, e):
			s.entity++
			own += 0.5
		}
	}
	if n := float64(len(q.entities)); n > 0 {
		s.entity /= n
		own /= n
	} else {
		s.entity, own = 1, 1
	}
	s.score = s.field + 0.5*own - 0.01*float64(u.ctx)
	if u.cells != nil {
		s.label, s.value = r.cell(u, q)
		if s.value == "" {
			s.score -= 0.5
		} else if r.named(s.label, q) {
			s.field = math.Min(1, s.field+0.2)
			s.score += 0.2
		}
	} else if q.want != wantAny && q.want != wantYesNo {
		if vs := candidates(q.want, u.text, q); len(vs) > 0 {
			s.value = r.nearest(u, q, vs)
			s.score += 0.2
			if label := strings.TrimSpace(strings.Replace(u.text, s.value, "", 1)); len(u.words) <= 8 && label != "" && r.named(label, q) {
				s.field = math.Min(1, s.field+0.3)
				s.score += 0.5
			}
		} else {
			s.score -= 0.6
		}
	}
	if strings.HasSuffix(strings.TrimSpace(u.text), "?") || u.cells == nil && (len(u.words) < 3 && s.value == "" || bare(u.text)) {
		s.score -= 0.5
	}
	return s
}

// choose gives the best unit, or false where none bears an answer.
func (r *reading) choose(q asked, threshold float64) (support, bool) {
	var best support
	found := false
	for i := range r.units {
		s := r.judge(i, q)
		if s.entity < 1 || s.field < threshold || r.lacksValue(s, q) {
			continue
		}
		if !found || s.score > best.score+1e-9 {
			best, found = s, true
		}
	}
	if found && q.extreme != 0 && r.units[best.unit].header != nil {
		best = r.extreme(best, q)
	}
	return best, found
}

func (r *reading) lacksValue(s support, q asked) bool {
	if r.units[s.unit].cells != nil {
		return s.value == ""
	}
	return s.value == "" && q.want != wantAny && q.want != wantYesNo
}

// Generate implements [Generator]. Usage counts o200k tokens of question, contexts and answer, at no
// price.
func (g *extractive) Generate(ctx context.Context, q edb.Question, contexts []edb.Context) (edb.Answer, error) {
	if err := ctx.Err(); err != nil {
		return edb.Answer{}, err
	}
	a := edb.Answer{Query: q.ID, Contexts: contexts, Model: "extractive", Text: Refusal, Finish: "abstain"}
	r := read(q, contexts)
	s, direct := r.choose(r.q, g.threshold)
	var first, second support
	two := false
	if !direct || s.field < partly {
		first, second, two = r.bridge(g.threshold)
		two = two && (!direct || second.field >= wholly)
	}
	switch {
	case direct && !two:
		a.Text, a.Finish = r.say(s), "stop"
		a.Citations = []edb.Citation{r.cite(s, a.Text)}
	case two:
		a.Text, a.Finish = r.say(second), "stop"
		a.Citations = []edb.Citation{r.cite(second, a.Text)}
		if lead := r.say(first); r.units[first.unit].text != r.units[second.unit].text {
			c := r.cite(first, lead)
			a.Text = lead + "\n" + a.Text
			a.Citations = []edb.Citation{c, r.cite(second, a.Text)}
		}
	}
	prompt := g.bpe.Count(q.Text)
	for _, c := range contexts {
		prompt += g.bpe.Count(c.Text)
	}
	a.Usage = &edb.Usage{PromptTokens: intp(prompt), CompletionTokens: intp(g.bpe.Count(a.Text)), USD: floatp(0)}
	return a, nil
}

// A sentence that covers less than partly of what is asked gives way to two that, one after the
// other, cover wholly what it lacks.
const (
	partly = 0.75
	wholly = 0.9
)

// bridge answers a question of two steps: a unit that names the asked entity and another name, and
// a unit about that name that holds what the first lacks.
func (r *reading) bridge(threshold float64) (first, second support, ok bool) {
	if len(r.q.entities) == 0 || len(r.q.field) < 2 || r.q.want == wantYesNo {
		return first, second, false
	}
	best := 0.0
	for i, u := range r.units {
		if len(u.words) < 2 || u.cells == nil && bare(u.text) {
			continue
		}
		for _, e := range r.q.entities {
			if !holds(r.byCtx[u.ctx], e) {
				continue
			}
			s := r.judge(i, r.q)
			if s.field == 0 {
				continue
			}
			for _, n := range names(strings.ReplaceAll(u.text, "\t", "; ")) {
				keys := normal(n.text)
				for len(keys) > 0 && legal[keys[len(keys)-1]] {
					keys = keys[:len(keys)-1]
				}
				if len(keys) < 2 || holds(joined(normal(r.q.text)), keys) {
					continue
				}
				hop := r.q
				hop.entities = [][]string{keys}
				hop.field = r.lacking(func(k string) bool { return strings.Contains(r.byCtx[u.ctx], " "+k+" ") })
				if hop.field == nil {
					hop.field = r.lacking(func(k string) bool { return u.keys[k] })
				}
				if len(hop.field) == 0 {
					continue
				}
				t, found := r.choose(hop, threshold)
				if !found || t.unit == i || !r.together(i, t.unit) {
					continue
				}
				if score := s.field + t.score; score > best+1e-9 {
					first, second, best, ok = support{unit: i}, t, score, true
				}
			}
		}
	}
	return first, second, ok && best >= threshold+0.5
}

// together reports whether two units' documents between them name every entity of the question.
func (r *reading) together(a, b int) bool {
	text := r.byDoc[r.contexts[r.units[a].ctx].Doc] + r.byDoc[r.contexts[r.units[b].ctx].Doc]
	for _, e := range r.q.entities {
		if !holds(text, e) {
			return false
		}
	}
	return true
}

// lacking are the words of what is asked that a place does not have and some other place has.
func (r *reading) lacking(has func(string) bool) []string {
	var out []string
	for _, k := range r.q.field {
		if !has(k) && r.df[k] > 0 {
			out = append(out, k)
		}
	}
	return out
}

// say writes the answer: a sentence as it stands, with the value before it where it holds several
// of the kind; a cell as "label: value".
func (r *reading) say(s support) string {
	u := r.units[s.unit]
	if u.cells != nil {
		if s.value == "" {
			var cells []string
			for _, c := range u.cells {
				if c != "" {
					cells = append(cells, c)
				}
			}
			return strings.TrimSuffix(strings.Join(cells, ", "), ".") + "."
		}
		if s.label == "" {
			return s.value
		}
		return s.label + ": " + strings.TrimSuffix(s.value, ".") + "."
	}
	text := strings.TrimSpace(u.text)
	if r.q.want == wantYesNo {
		if r.denies(u) {
			return "No: " + text
		}
		return "Yes: " + text
	}
	if s.value != "" && len(candidates(r.q.want, u.text, r.q)) > 1 {
		return s.value + ": " + text
	}
	return text
}

var negations = words(`no not never none without neither nor cannot`)

// denies reports whether a sentence says the opposite of a yes-no question: one of them is negated
// and the other is not, or the question has a number that the sentence lacks.
func (r *reading) denies(u unit) bool {
	count := func(s string) int {
		n := 0
		for _, k := range tokens.WordKeys(s) {
			if negations[k] || strings.HasSuffix(k, "n't") || strings.HasSuffix(k, "n’t") {
				n++
			}
		}
		return n
	}
	if count(u.text)%2 != count(r.q.text)%2 {
		return true
	}
	have := joined(u.words)
	for _, n := range numbers(r.q.text) {
		if !holds(have, normal(n.text)) {
			return true
		}
	}
	return false
}

func (r *reading) cite(s support, text string) edb.Citation {
	u := r.units[s.unit]
	c := r.contexts[u.ctx]
	return edb.Citation{Doc: c.Doc, Page: c.Page, Quote: shorten(strings.TrimSpace(u.text)), At: utf8.RuneCountInString(text)}
}
