package datasets

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/store"
)

// WriteAttribution writes ATTRIBUTION.md to a file, whole or not at all: what the datasets are, and for
// every document, grouped by licence, its title, source, the evidence for its licence, and what was
// changed. That is what CC-BY asks for (section 3(a)(1) of version 4.0). Text from documents is
// escaped.
func WriteAttribution(path string, sets ...*Dataset) error {
	err := store.WriteWith(path, func(w io.Writer) error {
		_, err := io.WriteString(w, attribution(sets))
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %s: free space or name another file", path, cause(err))
	}
	return nil
}

func attribution(sets []*Dataset) string {
	var b strings.Builder
	b.WriteString("# Attribution\n\n")
	byLicence := map[string][]string{}
	var order []string
	for _, d := range sets {
		fmt.Fprintf(&b, "- **%s**", escapeMarkdown(strings.TrimSpace(d.Info.Name+" "+d.Info.Version)))
		for _, s := range []string{d.Info.Made, d.Info.Citation, d.Info.Licence} {
			if s != "" {
				fmt.Fprintf(&b, "; %s", escapeMarkdown(s))
			}
		}
		fmt.Fprintf(&b, "; documents: %d\n", len(d.Documents))
		if a := d.Info.Annotations; a != nil {
			fmt.Fprintf(&b, "  - questions, answers, judgements, labels and gold: %s", escapeMarkdown(cmp.Or(a.SPDX, "no licence identifier")))
			if knownSPDX(a.SPDX) {
				fmt.Fprintf(&b, " <https://spdx.org/licenses/%s.html>", a.SPDX)
			}
			if a.Evidence != "" {
				fmt.Fprintf(&b, "; %s", escapeMarkdown(a.Evidence))
			}
			b.WriteString("\n")
		}
		for _, doc := range d.Documents {
			id := doc.Licence.SPDX
			if byLicence[id] == nil {
				order = append(order, id)
			}
			byLicence[id] = append(byLicence[id], attributionRow(doc, d.Info.Name, len(sets) > 1))
		}
	}
	slices.Sort(order)
	for _, id := range order {
		name := id
		if name == "" {
			name = "no licence identifier"
		}
		fmt.Fprintf(&b, "\n## %s\n\n", escapeMarkdown(name))
		if knownSPDX(id) {
			fmt.Fprintf(&b, "Text of the licence: <https://spdx.org/licenses/%s.html>\n\n", id)
		}
		b.WriteString("| document | title | source | how the licence is known | changes |\n|---|---|---|---|---|\n")
		for _, row := range byLicence[id] {
			b.WriteString(row)
		}
	}
	return b.String()
}

// knownSPDX reports whether an identifier is of the SPDX License List and its terms are known here.
func knownSPDX(id string) bool {
	_, ok := termsByID[strings.ToLower(id)]
	return ok && !strings.HasPrefix(id, "LicenseRef-")
}

func attributionRow(d edb.Document, set string, many bool) string {
	id := d.ID
	if many {
		id = set + ": " + id
	}
	var source []string
	if o := d.Source; o != nil {
		for _, s := range []string{o.Name, o.ID} {
			if s != "" && s != d.ID {
				source = append(source, s)
			}
		}
		if o.Retrieved != "" {
			source = append(source, "retrieved "+o.Retrieved)
		}
	}
	cells := []string{id, d.Title, strings.Join(source, ", "), d.Licence.Evidence, changes(d.Gold)}
	for i, c := range cells {
		if cells[i] = escapeMarkdown(c); c == "" {
			cells[i] = "not stated"
		}
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// changes says what the dataset adds to a file: the file itself is kept as it came.
func changes(gold string) string {
	switch gold {
	case "human":
		return "none to the file; annotations by people stand beside it"
	case "source":
		return "none to the file; the source it was made from stands beside it"
	case "generated":
		return "generated, file and gold"
	case "", "none":
		return "none"
	}
	return "none to the file; its text as read by " + strings.TrimSuffix(strings.TrimPrefix(gold, "reference("), ")") + " stands beside it"
}

var markdownEscapes = func() *strings.Replacer {
	var pairs []string
	for _, c := range "\\`*_{}[]<>#|!&~" {
		pairs = append(pairs, string(c), "\\"+string(c))
	}
	return strings.NewReplacer(pairs...)
}()

// escapeMarkdown puts foreign text on one line in which nothing is markup.
func escapeMarkdown(s string) string {
	return markdownEscapes.Replace(strings.Join(strings.Fields(s), " "))
}
