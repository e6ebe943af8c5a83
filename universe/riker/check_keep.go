package riker

import (
	"unsafe"

	edb "enterprisedocbench"

	"enterprisedocbench/universe"
	"enterprisedocbench/universe/press"
)

// keepMost is how many bytes of printed documents are kept, by a rough count, for the proofs of
// questions that come after those of documents; others are printed again.
const keepMost = 128 << 20

// kept holds printed documents without their files.
type kept struct {
	docs map[int]press.Printed
	size int
}

// put keeps a document while there is room.
func (k *kept) put(id int, d press.Printed) {
	n := len(d.Mentions) * int(unsafe.Sizeof(press.Mention{}))
	for _, p := range d.Gold.Pages {
		for _, e := range p.Elements {
			n += int(unsafe.Sizeof(e)) + 2*len(e.Text) + len(e.Lines)*int(unsafe.Sizeof(edb.Line{})+unsafe.Sizeof(edb.Box{}))
		}
	}
	if k.size+n > keepMost {
		return
	}
	if k.docs == nil {
		k.docs = map[int]press.Printed{}
	}
	k.docs[id] = d
	k.size += n
}

// printed prints a document of the corpus, or gives it as it was printed for its own proofs.
func (c *checker) printed(id int) (press.Printed, error) {
	if d, ok := c.kept.docs[id]; ok {
		return d, nil
	}
	return c.world.printed(id)
}

// foldPhrases folds once what must be absent from documents.
func (c *checker) foldPhrases() {
	c.of, c.clauses = map[string][]folded{}, map[string][]universe.Needle{}
	for _, p := range c.probes {
		f := folded{p, apart(p.phrase)}
		if p.doc == "" {
			c.everywhere = append(c.everywhere, f)
		} else {
			c.of[p.doc] = append(c.of[p.doc], f)
		}
	}
	for _, of := range Clauses {
		for _, clause := range of {
			for _, phrase := range clause.Phrases {
				c.clauses[phrase] = apart(phrase)
			}
		}
	}
}
