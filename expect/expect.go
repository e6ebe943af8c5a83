// Package expect holds what others have printed: the figures of the papers, with table or section.
// It takes the name of a paper and gives the file of its claims, for "edb stats check" to recompute
// (docs/statistics.md describes the file). It holds numbers and where they stand, no text of the
// papers, and computes nothing.
package expect

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed claims/*.yaml
var files embed.FS

// papers are the names of the papers, in the order in which they are checked: EnterpriseDocBench,
// RIKER, PINNACLE.
var papers = []string{"edb", "riker", "pinnacle"}

// Papers are the names that [Claims] takes.
func Papers() []string { return slices.Clone(papers) }

// Claims is the file of claims of a paper, and the name that messages call it.
func Claims(paper string) (data []byte, name string, err error) {
	if !slices.Contains(papers, paper) {
		return nil, "", fmt.Errorf("no paper %q: there are %s", paper, strings.Join(papers, ", "))
	}
	name = "claims/" + paper + ".yaml"
	data, err = files.ReadFile(name)
	return data, "expect/" + name, err
}
