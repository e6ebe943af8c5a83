package datasets

import (
	"cmp"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	edb "enterprisedocbench"
)

// Diff is what differs between two versions of a dataset. Lists are sorted; a document that only
// changed its id is in Renamed and compared under both ids.
type Diff struct {
	A         DiffSide     `json:"a"`
	B         DiffSide     `json:"b"`
	Documents DocumentDiff `json:"documents"`
	Questions QuestionDiff `json:"questions"`
	Qrels     QrelDiff     `json:"qrels"`
	// Rules are keys of dataset.yaml that decide figures and differ: gold_parts, mask, documents.
	Rules []string `json:"rules"`
	// Comparable says for each axis whether figures over A and B may stand beside each other.
	Comparable []Comparable `json:"comparable"`
}

// DiffSide is one of the two versions.
type DiffSide struct {
	Dir       string `json:"dir"`
	Name      string `json:"name"`
	Version   string `json:"version,omitempty"`
	Documents int    `json:"documents"`
	Questions int    `json:"questions"`
	Judged    int    `json:"judged"`
}

// DocumentDiff lists documents by what happened to them, by their id in B (Removed: in A). A document
// may be in several lists from File on.
type DocumentDiff struct {
	Added   []string   `json:"added"`
	Removed []string   `json:"removed"`
	Renamed []Move     `json:"renamed"` // the same bytes under another id
	File    []string   `json:"file"`    // other bytes
	Gold    []string   `json:"gold"`    // other gold, or of another kind
	Licence []string   `json:"licence"`
	Split   []DocMoved `json:"split"`
	Other   []string   `json:"other"` // title, domain, pages and so on
	Same    int        `json:"same"`  // nothing at all changed
}

// Move is an id or a value that became another.
type Move struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// DocMoved is a document that is in another split now.
type DocMoved struct {
	Doc string `json:"doc"`
	Move
}

// QuestionDiff lists questions by what happened to them.
type QuestionDiff struct {
	Added    []string `json:"added"`
	Removed  []string `json:"removed"`
	Text     []string `json:"text"`
	Answer   []string `json:"answer"`
	Evidence []string `json:"evidence"`
	Other    []string `json:"other"` // modality, task, review and so on
	Same     int      `json:"same"`
}

// QrelDiff counts judgements; Questions are those whose judgements differ and that both have.
type QrelDiff struct {
	Added     int      `json:"added"`
	Removed   int      `json:"removed"`
	Changed   int      `json:"changed"`
	Questions []string `json:"questions"`
}

// Compare finds what differs between two versions of a dataset. Files are compared by their SHA-256, which
// is taken from the file where a line does not give it. The error is that of files that cannot be read.
func Compare(a, b *Dataset) (*Diff, error) {
	c := comparison{a: a, b: b, to: map[string]string{}, newGold: map[string]bool{}, askedSame: map[string]bool{}, answerSame: map[string]bool{}}
	c.out.A, c.out.B = side(a), side(b)
	if err := c.documents(); err != nil {
		return nil, err
	}
	c.questions()
	c.qrels()
	for _, r := range []struct {
		key  string
		same bool
	}{
		{"gold_parts", reflect.DeepEqual(a.Info.GoldParts, b.Info.GoldParts)},
		{"mask", reflect.DeepEqual(a.Info.Mask, b.Info.Mask)},
		{"documents", a.Info.Documents == b.Info.Documents},
	} {
		if !r.same {
			c.out.Rules = append(c.out.Rules, r.key)
		}
	}
	c.judgeAxes()
	c.out.noNil()
	return &c.out, nil
}

// noNil makes empty lists of missing ones, so that JSON has [] and not null.
func (d *Diff) noNil() {
	x, q := &d.Documents, &d.Questions
	for _, l := range []*[]string{&x.Added, &x.Removed, &x.File, &x.Gold, &x.Licence, &x.Other, &q.Added, &q.Removed, &q.Text, &q.Answer, &q.Evidence, &q.Other, &d.Qrels.Questions, &d.Rules} {
		if *l == nil {
			*l = []string{}
		}
	}
	if x.Renamed == nil {
		x.Renamed = []Move{}
	}
	if x.Split == nil {
		x.Split = []DocMoved{}
	}
}

func side(d *Dataset) DiffSide {
	s := DiffSide{Dir: d.Dir, Name: d.Info.Name, Version: d.Info.Version, Documents: len(d.Documents), Questions: len(d.Questions)}
	for _, m := range d.Qrels {
		s.Judged += len(m)
	}
	return s
}

type comparison struct {
	a, b *Dataset
	to   map[string]string // id of a document in A -> its id in B
	out  Diff
	// What both have unchanged, by id in B.
	wholeDocs  int
	newGold    map[string]bool // the gold of the document is other now
	askedSame  map[string]bool // text, evidence with the gold it lies in, and judgements
	answerSame map[string]bool // the answer too
}

// sums gives the SHA-256 of every document's file.
func sums(d *Dataset) (map[string]string, error) {
	out := map[string]string{}
	for _, doc := range d.Documents {
		sum := strings.ToLower(doc.SHA256)
		if sum == "" {
			path, err := d.File(doc)
			if err != nil {
				return nil, err
			}
			if _, sum, _, err = digest(path); err != nil {
				return nil, err
			}
		}
		out[doc.ID] = sum
	}
	return out, nil
}

func (c *comparison) documents() error {
	sumA, err := sums(c.a)
	if err != nil {
		return err
	}
	sumB, err := sums(c.b)
	if err != nil {
		return err
	}
	out := &c.out.Documents
	gone := map[string][]string{} // sum -> ids in A only
	for _, id := range slices.Sorted(maps.Keys(sumA)) {
		if _, ok := sumB[id]; ok {
			c.to[id] = id
		} else {
			gone[sumA[id]] = append(gone[sumA[id]], id)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(sumB)) {
		if _, ok := sumA[id]; ok {
			continue
		}
		if same := gone[sumB[id]]; len(same) > 0 {
			gone[sumB[id]] = same[1:]
			c.to[same[0]] = id
			out.Renamed = append(out.Renamed, Move{same[0], id})
			continue
		}
		out.Added = append(out.Added, id)
	}
	for _, ids := range gone {
		out.Removed = append(out.Removed, ids...)
	}
	slices.Sort(out.Removed)
	for _, from := range slices.Sorted(maps.Keys(c.to)) {
		if err := c.document(from, sumA[from] == sumB[c.to[from]]); err != nil {
			return err
		}
	}
	return nil
}

func (c *comparison) document(from string, sameFile bool) error {
	out := &c.out.Documents
	x, _ := c.a.Document(from)
	y, _ := c.b.Document(c.to[from])
	goldA, err := c.a.goldSum(x)
	if err != nil {
		return err
	}
	goldB, err := c.b.goldSum(y)
	if err != nil {
		return err
	}
	sameGold := x.Gold == y.Gold && goldA == goldB
	if sameFile && sameGold {
		c.wholeDocs++
	}
	id := y.ID
	same := from == id
	note := func(list *[]string, equal bool) {
		if !equal {
			*list = append(*list, id)
			same = false
		}
	}
	note(&out.File, sameFile)
	note(&out.Gold, sameGold)
	c.newGold[id] = !sameGold
	note(&out.Licence, x.Licence == y.Licence)
	if x.Split != y.Split {
		out.Split = append(out.Split, DocMoved{id, Move{x.Split, y.Split}})
		same = false
	}
	for _, d := range []*edb.Document{&x, &y} { // what was compared above, and what a new file brings with it
		d.ID, d.Path, d.SHA256, d.Bytes, d.Gold, d.Licence, d.Split = "", "", "", 0, "", edb.Licence{}, ""
	}
	note(&out.Other, reflect.DeepEqual(x, y))
	if same {
		out.Same++
	}
	return nil
}

// goldSum is the SHA-256 of a document's gold; empty where it has none.
func (d *Dataset) goldSum(doc edb.Document) (string, error) {
	if doc.Gold == "" || doc.Gold == "none" {
		return "", nil
	}
	rel := d.goldPath(doc.ID)
	if rel == "" {
		_, faults := d.readGold(doc)
		return "", faultError(d.Dir, faults)
	}
	_, sum, _, err := digest(filepath.Join(d.Dir, filepath.FromSlash(rel)))
	return sum, err
}

func (c *comparison) questions() {
	out := &c.out.Questions
	before := map[string]edb.Question{}
	for _, q := range c.a.Questions {
		before[q.ID] = q
	}
	for _, y := range c.b.Questions {
		x, ok := before[y.ID]
		if !ok {
			out.Added = append(out.Added, y.ID)
			continue
		}
		delete(before, y.ID)
		same := true
		note := func(list *[]string, equal bool) bool {
			if !equal {
				*list = append(*list, y.ID)
				same = false
			}
			return equal
		}
		text := note(&out.Text, x.Text == y.Text)
		answer := note(&out.Answer, reflect.DeepEqual(x.Answer, y.Answer))
		evidence := note(&out.Evidence, slices.EqualFunc(x.Evidence, y.Evidence, func(e, f edb.Evidence) bool {
			e.Doc = cmp.Or(c.to[e.Doc], e.Doc)
			return reflect.DeepEqual(e, f)
		}))
		gold := !slices.ContainsFunc(c.b.restsOn(y), func(doc string) bool { return c.newGold[doc] })
		answerable := x.Answerable() == y.Answerable()
		x.Text, x.Answer, x.Evidence, y.Text, y.Answer, y.Evidence = "", nil, nil, "", nil, nil
		note(&out.Other, reflect.DeepEqual(x, y))
		c.askedSame[y.ID] = text && evidence && gold && answerable
		c.answerSame[y.ID] = answer
		if same {
			out.Same++
		}
	}
	out.Removed = slices.Sorted(maps.Keys(before))
	for _, l := range []*[]string{&out.Added, &out.Text, &out.Answer, &out.Evidence, &out.Other} {
		slices.Sort(*l)
	}
}

func (c *comparison) qrels() {
	out := &c.out.Qrels
	differ := map[string]bool{}
	before := map[string]map[string]int{}
	for q, m := range c.a.Qrels {
		for page, grade := range m {
			doc, n, _ := splitPageID(page)
			judge(before, q, edb.PageID(cmp.Or(c.to[doc], doc), n), grade)
		}
	}
	for q, m := range c.b.Qrels {
		for page, grade := range m {
			old, ok := before[q][page]
			switch {
			case !ok:
				out.Added++
				differ[q] = true
			case old != grade:
				out.Changed++
				differ[q] = true
			}
		}
	}
	for q, m := range before {
		for page := range m {
			if _, ok := c.b.Qrels[q][page]; !ok {
				out.Removed++
				differ[q] = true
			}
		}
	}
	for _, q := range slices.Sorted(maps.Keys(differ)) {
		if _, both := c.askedSame[q]; both {
			out.Questions = append(out.Questions, q)
			c.askedSame[q] = false
		}
	}
}
