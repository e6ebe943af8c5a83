package datasets

import (
	"context"
	"errors"
	"slices"

	edb "enterprisedocbench"
)

// DefaultNear is the Jaccard similarity of two texts from which on they are near-duplicates.
const DefaultNear = 0.8

// TextOptions say how the text of documents is had.
type TextOptions struct {
	// Text reads a document whose gold is not its whole text: the file's path is given. Nil leaves
	// such documents without text. It may be called from Workers goroutines at once.
	Text func(ctx context.Context, doc edb.Document, path string) (string, error)
	// Progress, if set, hears how many of all documents are read. Calls do not overlap.
	Progress func(done, total int)
	// Workers is how many documents are read at a time; below 1 means 1.
	Workers int
}

// Unread is a document whose text could not be had, and why. Only a file of the same bytes is its
// near-duplicate.
type Unread struct {
	Doc    string `json:"doc"`
	Reason string `json:"reason"`
}

// text gives the gold text of a document where the gold is the whole of it, else what Text reads.
func (d *Dataset) text(ctx context.Context, doc edb.Document, opt TextOptions) (string, error) {
	if d.GoldHolds("") {
		if gold, ok, err := d.Gold(doc.ID); ok || err != nil {
			return gold.Text(), err
		}
	}
	path, err := d.File(doc)
	if err != nil {
		return "", err
	}
	if opt.Text == nil {
		return "", errors.New("it has no gold that is its whole text, and nothing reads the file")
	}
	return opt.Text(ctx, doc, path)
}

// sketches reads the texts of all documents, in file order. The error is that of ctx alone.
func (d *Dataset) sketches(ctx context.Context, opt TextOptions) ([]sketch, []Unread, error) {
	out := make([]sketch, len(d.Documents))
	why := make([]string, len(d.Documents))
	err := ImportOptions{Workers: opt.Workers, Progress: opt.Progress}.each(ctx, len(out), func(ctx context.Context, i int) error {
		text, err := d.text(ctx, d.Documents[i], opt)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		out[i] = newSketch(text)
		switch {
		case err != nil:
			why[i] = err.Error()
		case out[i].empty():
			why[i] = "its text holds no word"
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	var unread []Unread
	for i, reason := range why {
		if reason != "" {
			unread = append(unread, Unread{d.Documents[i].ID, reason})
		}
	}
	return out, unread, nil
}

// candidates finds documents that may be near-duplicates and tells those that are.
type candidates struct {
	groups   [][]int // positions of documents, rising; the first same groups hold files of the same bytes
	same     int
	sketches []sketch
	near     float64
}

func newCandidates(docs []edb.Document, sketches []sketch, near float64) candidates {
	c := candidates{sketches: sketches, near: near}
	bySum := map[string]int{}
	for i, d := range docs {
		if d.SHA256 == "" {
			continue
		}
		n, ok := bySum[d.SHA256]
		if !ok {
			n = len(c.groups)
			bySum[d.SHA256] = n
			c.groups = append(c.groups, nil)
		}
		c.groups[n] = append(c.groups[n], i)
	}
	c.groups = slices.DeleteFunc(c.groups, func(g []int) bool { return len(g) < 2 })
	c.same = len(c.groups)
	c.groups = append(c.groups, buckets(sketches, near)...)
	return c
}

// each calls found for every pair of near-duplicates, i before j, where wanted says that the pair
// is of use; that is asked first because it is cheaper than a comparison. A pair may come twice.
func (c candidates) each(wanted func(i, j int) bool, found func(i, j int)) {
	for n, g := range c.groups {
		for x, i := range g {
			for _, j := range g[x+1:] {
				if wanted(i, j) && (n < c.same || jaccard(c.sketches[i], c.sketches[j]) >= c.near) {
					found(i, j)
				}
			}
		}
	}
}

// sets are disjoint sets of positions; the lowest of a set is its root.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) root(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

func (s sets) join(i, j int) {
	a, b := s.root(i), s.root(j)
	s[max(a, b)] = min(a, b)
}
