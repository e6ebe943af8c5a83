package pipeline

import (
	"fmt"
	"io"
	"math"
	"path/filepath"

	"enterprisedocbench/datasets"
)

// trecFile is where the pages that an arm ranked stand as a TREC run file.
func (r *runner) trecFile(a *arm) string {
	return filepath.Join(r.dir, "trec", datasets.FileName(a.name)+".trec")
}

// folded is a ranking of passages as one of pages: "DOC#PAGE" ids, best first, each with the score
// of the passage that it was first seen in.
type folded struct {
	pages  []string
	scores []float64
}

// trec writes one question's pages as lines of a TREC run file, identifiers as qrels.txt has them,
// the arm as the tag. Tools read scores as 32-bit numbers and order equal ones by name, so scores
// are made strictly falling: the rank alone decides.
func trec(w io.Writer, arm, question string, f folded) error {
	last := float32(math.Inf(1))
	for n, id := range f.pages {
		score := float32(max(-math.MaxFloat32, min(f.scores[n], math.MaxFloat32)))
		if score >= last {
			score = math.Nextafter32(last, float32(math.Inf(-1)))
		}
		last = score
		doc, page, _ := cutLast(id, '#')
		if _, err := fmt.Fprintf(w, "%s Q0 %s#%s %d %v %s\n", datasets.EscapeID(question), datasets.EscapeID(doc), page, n+1, score, datasets.EscapeID(arm)); err != nil {
			return err
		}
	}
	return nil
}
