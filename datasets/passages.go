package datasets

import (
	"crypto/sha256"
	"fmt"
	"strings"

	edb "enterprisedocbench"
)

// fewWords is the length below which a passage is mostly an address or a title, of no use to a verifier;
// its doctype says so.
const fewWords = 20

// passages makes documents of the texts that answers are judged against, each text once however many
// answers name it. A document is called by the hash of its text, so the names stay when a collection
// grows.
type passages struct {
	w    *Writer
	name string // of the collection, before the hash
	base edb.Document
	seen map[string]string // text -> document
}

func newPassages(w *Writer, name string, base edb.Document) *passages {
	return &passages{w, name, base, map[string]string{}}
}

// add gives the text as a context of an answer. A title is kept beside it.
func (p *passages) add(title, text string) (edb.Context, error) {
	id, ok := p.seen[text]
	if !ok {
		id = fmt.Sprintf("%s/%x", p.name, sha256.Sum256([]byte(text)))[:len(p.name)+1+16]
		d := p.base
		d.ID, d.Title = id, title
		d.Path, d.MIME, d.Pages, d.Gold, d.Split = "text.txt", "text/plain", 1, "none", "test"
		if len(strings.Fields(text)) < fewWords {
			d.Doctype = "short-excerpt"
		}
		if err := p.w.AddDocument(d, []byte(text), nil); err != nil {
			return edb.Context{}, err
		}
		p.seen[text] = id
	}
	return edb.Context{Doc: id, Page: 1, Text: text}, nil
}
