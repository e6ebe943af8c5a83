package riker

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"

	edb "enterprisedocbench"

	"enterprisedocbench/universe/keyed"
	"enterprisedocbench/universe/press"
)

// Question is a question with the two ways to its answer.
type Question struct {
	edb.Question
	// Template names the pattern: L05-lessor-leases. Questions of a template differ in what they name.
	Template string
	// SQL gives the answer from truth.sqlite: one column; a row for each item of a set; nothing, or
	// NULL, for a probe and for an optional part that is not there.
	SQL string
	// EvidenceSQL gives (doc, field) of all that the answer rests on, in place of Evidence, where that
	// is more than 1,000 pieces.
	EvidenceSQL string
	// Depth is the mean position of the evidence in the corpus, 0 (start) to 1 (end); 0 for probes.
	Depth float64
	// Absent are the phrases of a probe that do not stand in its document, or, where Probe.Doc is
	// empty, in any. An entry of several phrases with Apart between them says that no document
	// holds all of them.
	Absent []string

	present []string // what a near miss resembles: stands in some document
	form    form
	read    func(*reading) any
	raw     any // the answer as readings give it
	need    []cell
	work    []value // what the answer is worked out from
	right   int     // of two named candidates: 1 or 2; 0: none are named
	alone   bool    // the template has this answer whatever the question names
	forced  bool    // another question of a small set has this answer, and there was none else to ask
}

// Querier asks truth.sqlite; *sql.DB is one.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// manyPieces is the number of pieces of evidence above which a query takes their place.
const manyPieces = 1000

// asker chooses questions.
type asker struct {
	w    *World
	c    *columns
	ctx  context.Context
	db   Querier
	seed uint64
	out  []Question

	decile int // in which documents are drawn; -1: anywhere
	texts  map[string]bool
	once   map[[2]string]bool // template and answer
	known  map[string]int     // answers, whatever is asked
	open   int                // at least how many answers are no choice of two
	twice  int                // answers that a template gives again
	used   map[string]int     // questions of each template
	yes    map[string]int     // kind of two-way choice -> how many more are yes (or the first)
}

// Ask makes exactly the questions that the plan counts: the levels of a category evenly, the
// templates of a level in turn. Each answer is worked out from the records and asked of db, which
// holds the world's pools and documents in the tables of Schema; where the two disagree there is an
// error that names both. Evidence is located in the printed documents, and probes are proven to be
// absent from their text. A plan with more questions than its documents can bear is an error.
func (w *World) Ask(ctx context.Context, db Querier) ([]Question, error) {
	return w.ask(ctx, db, w.printed)
}

func (w *World) ask(ctx context.Context, db Querier, print printer) ([]Question, error) {
	c, err := w.gather(ctx.Err)
	if err != nil {
		return nil, err
	}
	m := w.Questions
	a := &asker{w: w, c: c, ctx: ctx, db: db, seed: cmp.Or(w.QuestionSeed, w.Seed), texts: map[string]bool{}, once: map[[2]string]bool{}, known: map[string]int{},
		open: m.Single + m.Aggregation*5/6 + m.List, used: map[string]int{}, yes: map[string]int{}}
	for _, part := range []struct {
		levels []string
		n      int
		list   bool
	}{{[]string{"L01", "L02", "L03", "L04"}, m.Single, false}, {[]string{"L05", "L06", "L07", "L08", "L09", "L10"}, m.Aggregation, false}, {[]string{"L08"}, m.List, true}} {
		if err := a.category(part.levels, part.n, part.list); err != nil {
			return nil, err
		}
	}
	answerable := len(a.out)
	// Some probes fall at the proof of their absence, so more are proposed than wanted.
	if err := a.category([]string{"L11", "L12"}, spare(m.Probe), false); err != nil {
		return nil, err
	}
	if err := w.locate(ctx, a.out, c, print); err != nil {
		return nil, err
	}
	out, err := a.proven(a.out[:answerable:answerable], a.out[answerable:], m.Probe)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].ID = fmt.Sprintf("q%04d", i+1)
	}
	return out, nil
}

// spare is how many probes are proposed for n that are wanted.
func spare(n int) int {
	if n == 0 {
		return 0
	}
	return n + n/4 + 6
}

// category asks n questions, spread over levels.
func (a *asker) category(levels []string, n int, list bool) error {
	var templates [][]pattern
	for _, l := range levels {
		var of []pattern
		for _, p := range patterns {
			if p.level == l && p.list == list && p.has(a.w) {
				of = append(of, p)
			}
		}
		r := keyed.Source(a.seed, "templates-"+l, 0)
		r.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
		templates = append(templates, of)
	}
	deciles := make([]int, 10)
	for i := range n {
		l := i % len(levels)
		if err := a.ctx.Err(); err != nil {
			return err
		}
		if err := a.next(levels[l], templates[l], i/len(levels), deciles); err != nil {
			return err
		}
	}
	return nil
}

// next asks one more question of a level: the templates in turn, those least used first, and of each the draw whose evidence
// lies in the decile that has the fewest questions. What would give an answer away is let through
// only where nothing else is left; last of all, in a small set, an answer that is another question's too.
func (a *asker) next(level string, of []pattern, i int, deciles []int) error {
	for strict := range 4 {
		if strict == 3 && !a.small() {
			break
		}
		turn := slices.Clone(of)
		slices.SortStableFunc(turn, func(x, y pattern) int { return a.used[x.String()] - a.used[y.String()] })
		for _, p := range turn {
			best, ok, err := a.draws(p, i, strict, deciles)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			if best.depth >= 0 {
				deciles[best.depth]++
			}
			a.used[p.String()]++
			best.q.forced = strict == 3 && a.known[answerKey(best.q)] > 0
			return a.accept(best.q)
		}
	}
	return fmt.Errorf("the documents of this world bear no more than %d questions of level %s: ask fewer, or make more documents", i, level)
}

// draws proposes questions of a template and takes the best.
func (a *asker) draws(p pattern, i, strict int, deciles []int) (candidate, bool, error) {
	tries := 8 + 8*strict
	if a.w.Documents() > 100_000 {
		tries = 4
	}
	var found []candidate
	answers, drawn := map[string]bool{}, map[string]bool{}
	for try := range tries {
		r := keyed.Source(a.seed, p.String(), i<<8|strict<<6|try)
		a.decile = least(deciles, r)
		prop, ok := p.make(a, r)
		if !ok {
			continue
		}
		c, ok := a.candidate(p, prop)
		if !ok {
			continue
		}
		if !drawn[c.q.Text] {
			drawn[c.q.Text] = true
			answers[answerKey(c.q)] = true
		}
		if a.fits(c.q, strict) {
			found = append(found, c)
		}
	}
	alone := p.subtype == "" && len(drawn) > 1 && len(answers) == 1
	if len(found) == 0 || alone && (strict < 2 || len(drawn) > 3) && !twoWays(found) {
		return candidate{}, false, nil // nothing, or the same answer whatever is named
	}
	best := slices.MinFunc(found, func(x, y candidate) int {
		if strict >= 2 {
			if c := cmp.Compare(a.known[answerKey(x.q)], a.known[answerKey(y.q)]); c != 0 {
				return c
			}
		}
		if x.depth < 0 || y.depth < 0 {
			return 0
		}
		return cmp.Compare(deciles[x.depth], deciles[y.depth])
	})
	best.q.alone = alone
	return best, true, nil
}

// twoWays says whether candidates choose between two answers.
func twoWays(list []candidate) bool {
	return len(list) > 0 && slices.ContainsFunc(list, func(c candidate) bool { _, _, two := twoWay(c.q); return two })
}

// least is a decile with the fewest questions, by lot among equals.
func least(deciles []int, r *rand.Rand) int {
	low := slices.Min(deciles)
	var at []int
	for d, n := range deciles {
		if n == low {
			at = append(at, d)
		}
	}
	return at[r.IntN(len(at))]
}

// draw is the number of a document of a type that lies in the wanted decile of the corpus, or
// anywhere where none is found there.
func (a *asker) draw(k Kind, r *rand.Rand) int {
	total := a.w.Documents()
	for range 60 {
		lo, hi := total*a.decile/10, total*(a.decile+1)/10
		if hi == lo {
			break
		}
		if kind, n := a.w.at(lo + r.IntN(hi-lo)); kind == k {
			return n
		}
	}
	return r.IntN(a.w.Counts[k])
}

// answerKey is what a guess would have to hit.
func answerKey(q Question) string { return fmt.Sprint(q.raw) }

// fits says whether a question may stand beside those that are asked already: no text twice, no
// answer in its own text, no answer too often, yes and no alike.
func (a *asker) fits(q Question, strict int) bool {
	if a.texts[q.Text] || q.right == 0 && givenAway(q) {
		return false
	}
	if !q.Answerable() {
		return true
	}
	if way, first, two := twoWay(q); two {
		lead := a.yes[way]
		return strict >= 2 || lead == 0 || (lead < 0) == first
	}
	again := a.once[[2]string{q.Template, answerKey(q)}]
	n := a.known[answerKey(q)]
	if a.small() {
		return n == 0 || strict == 3
	}
	switch strict {
	case 0:
		return !again && (n < 2 || float64(n+1) < .02*float64(a.open))
	case 1:
		return (!again || tolerable(2*(a.twice+1), a.open)) && (n == 0 || tolerable(n+1, a.open))
	}
	return true
}

// smallSet is the number of questions, but for choices of two, under which an answer that is right
// twice is a shortcut, or nearly one: Wilson's lower bound of 2 of 27 is 2 %.
const smallSet = 40

// small says whether no two of the questions may share an answer while there are others to ask.
func (a *asker) small() bool { return a.open < smallSet }

// twoWay says whether a question has two answers to choose from, and whether the first is right.
func twoWay(q Question) (way string, first, ok bool) {
	if b, is := q.raw.(bool); is {
		return "yes", b, true
	}
	return "first", q.right == 1, q.right > 0
}

// printed prints a document of the corpus.
func (w *World) printed(id int) (press.Printed, error) {
	d, err := w.Document(id)
	return d.Printed, err
}
