package index

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
)

// BleveVersion counts the changes of what a search returns: of our settings and of the library.
const BleveVersion = 1

// Bleve is an index of the library bleve with its scorer named "bm25". That scorer takes the square
// root of the term frequency and another mean length than BM25 does, so its ranking differs from
// BM25's; it stands here as a system to compare with. k1 and b are the library's own. Close frees
// its files.
type Bleve struct {
	passages []edb.Passage
	at       map[string]int
	ix       bleve.Index
	dir      string
	remove   func() error // of dir
	bytes    int64
}

// BuildBleve indexes the texts of passages in a temporary directory, lower-cased words by UAX #29.
// The slice is kept, not copied, and must not change.
func BuildBleve(passages []edb.Passage) (*Bleve, error) {
	dir, remove, err := store.Scratch("bleve")
	if err != nil {
		return nil, fmt.Errorf("bleve index: %w", err)
	}
	x := &Bleve{passages: passages, at: make(map[string]int, len(passages)), dir: dir, remove: remove}
	if err := x.build(); err != nil {
		x.Close()
		return nil, fmt.Errorf("bleve index: %w", err)
	}
	return x, nil
}

func (x *Bleve) build() error {
	m := bleve.NewIndexMapping()
	m.ScoringModel = "bm25"
	if err := m.AddCustomAnalyzer("words", map[string]any{"type": custom.Name, "tokenizer": unicode.Name, "token_filters": []string{lowercase.Name}}); err != nil {
		return err
	}
	m.DefaultAnalyzer = "words"
	field := bleve.NewTextFieldMapping()
	field.Store, field.IncludeTermVectors, field.IncludeInAll, field.DocValues = false, false, false, false
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("text", field)
	m.DefaultMapping = doc
	var err error
	if x.ix, err = bleve.New(filepath.Join(x.dir, "index"), m); err != nil {
		return err
	}
	b := x.ix.NewBatch()
	for i := range x.passages {
		x.at[x.passages[i].ID] = i
		if err := b.Index(x.passages[i].ID, map[string]any{"text": x.passages[i].Text}); err != nil {
			return err
		}
		if b.Size() >= 1000 || i == len(x.passages)-1 {
			if err := x.ix.Batch(b); err != nil {
				return err
			}
			b.Reset()
		}
	}
	return filepath.WalkDir(x.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // files come and go while segments merge
		}
		if info, err := d.Info(); err == nil {
			x.bytes += info.Size()
		}
		return nil
	})
}

// Bytes is the size of the index directory when building ended.
func (x *Bleve) Bytes() int64 { return x.bytes }

// Search returns the depth best passages of the library's match query, best first, scores rounded
// to 1e-6, ties by passage id.
func (x *Bleve) Search(ctx context.Context, query string, depth int) ([]edb.Hit, error) {
	if depth < 1 || len(x.passages) == 0 {
		return nil, ctx.Err()
	}
	q := bleve.NewMatchQuery(query)
	q.SetField("text")
	r := bleve.NewSearchRequestOptions(q, min(depth, len(x.passages)), 0, false)
	r.SortBy([]string{"-_score", "_id"})
	res, err := x.ix.SearchInContext(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("bleve search: %w", err)
	}
	hits := make([]edb.Hit, 0, len(res.Hits))
	for _, h := range res.Hits {
		p := &x.passages[x.at[h.ID]]
		hits = append(hits, edb.Hit{Passage: p.ID, Doc: p.Doc, Score: Round(h.Score)})
	}
	return Rank(hits, depth), nil
}

// Close removes the index.
func (x *Bleve) Close() error {
	var err error
	if x.ix != nil {
		err = x.ix.Close()
	}
	if e := x.remove(); err == nil {
		err = e
	}
	return err
}
