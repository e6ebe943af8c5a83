package parse

import (
	"context"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"enterprisedocbench"
)

// NoiseKinds are what Corrupt can do.
var NoiseKinds = []string{"ocr", "drop-lines", "shuffle", "tables", "captions", "furniture"}

// Edit is one deliberate error: what was there and what stands there now.
type Edit struct {
	Page    int    `json:"page"`
	Element string `json:"element"`
	Kind    string `json:"kind"`
	From    string `json:"from"`
	To      string `json:"to"`
}

// Noisy wraps a parser and corrupts what it gives at a known rate.
type Noisy struct {
	Parser Parser
	Kind   string
	Rate   float64
	Seed   uint64
}

var _ Parser = Noisy{}

// Parse implements Parser.
func (n Noisy) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	p, err := n.Parser.Parse(ctx, src)
	if err != nil {
		return p, err
	}
	p.Doc = src.Doc.ID
	p, _ = Corrupt(p, n.Kind, n.Rate, n.Seed)
	return p, nil
}

// confusions are letters that print alike.
var confusions = map[rune]rune{'l': '1', '1': 'l', 'O': '0', '0': 'O', 'o': 'c', 'e': 'c', 'c': 'e', 'i': 'l', 'S': '5', '5': 'S', 'B': '8', '8': 'B', 'a': 'o', 'n': 'u', 'u': 'n', 'h': 'b', 't': 'f', 'g': 'q', 'Z': '2', '6': 'b', '3': '8', '9': 'g', 'r': 'n', 's': 'z', 'm': 'n'}

// Corrupt gives a copy of p with errors of one kind, each possible place hit with the given
// probability, and the log of what was done. It is a function of the document's ID, the kind, the
// rate and the seed alone; rate 0 changes nothing. Kinds: ocr (characters that print alike),
// drop-lines (paragraph sentences or table rows lost), shuffle (blocks of a page exchanged), tables
// (rows lost), captions (lost), furniture (page furniture that becomes text).
func Corrupt(p edb.Parsed, kind string, rate float64, seed uint64) (edb.Parsed, []Edit) {
	h := fnv.New64a()
	h.Write([]byte(p.Doc + "\x00" + kind))
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	var log []Edit
	out := p
	out.Pages = make([]edb.Page, len(p.Pages))
	for i, pg := range p.Pages {
		pg.Elements = slices.Clone(pg.Elements)
		note := func(e edb.Element, from, to string) {
			log = append(log, Edit{pg.Number, e.ID, kind, from, to})
		}
		switch kind {
		case "ocr":
			for j := range pg.Elements {
				e := &pg.Elements[j]
				if e.Artifact() {
					continue
				}
				before := e.Text
				e.Text = confuse(r, e.Text, rate)
				if e.Text != before {
					note(*e, before, e.Text)
					e.HTML = tableHTML(*e)
				}
			}
		case "drop-lines":
			for j := range pg.Elements {
				e := &pg.Elements[j]
				if e.Artifact() || e.Kind == edb.KindHeading || e.Kind == edb.KindTable {
					continue
				}
				parts := strings.SplitAfter(e.Text, ". ")
				kept := parts[:0:0]
				for _, s := range parts {
					if r.Float64() < rate {
						note(*e, s, "")
						continue
					}
					kept = append(kept, s)
				}
				e.Text = strings.Join(kept, "")
			}
		case "shuffle":
			for j := 1; j < len(pg.Elements); j++ {
				if r.Float64() < rate {
					k := r.IntN(j)
					note(pg.Elements[j], pg.Elements[j].ID, pg.Elements[k].ID)
					pg.Elements[j], pg.Elements[k] = pg.Elements[k], pg.Elements[j]
				}
			}
		case "tables":
			for j := range pg.Elements {
				e := &pg.Elements[j]
				if e.Kind != edb.KindTable {
					continue
				}
				rows := strings.Split(e.Text, "\n")
				kept := rows[:0:0]
				for _, row := range rows {
					if r.Float64() < rate {
						note(*e, row, "")
						continue
					}
					kept = append(kept, row)
				}
				if len(kept) < len(rows) {
					e.Text = strings.Join(kept, "\n")
					e.HTML = tableHTML(*e)
				}
			}
		case "captions":
			pg.Elements = slices.DeleteFunc(pg.Elements, func(e edb.Element) bool {
				if e.Kind == edb.KindCaption && r.Float64() < rate {
					note(e, e.Text, "")
					return true
				}
				return false
			})
		case "furniture":
			for j := range pg.Elements {
				e := &pg.Elements[j]
				if e.Artifact() && r.Float64() < rate {
					note(*e, e.Kind, edb.KindParagraph)
					e.Kind = edb.KindParagraph
				}
			}
		}
		out.Pages[i] = pg
	}
	return out, log
}

func confuse(r *rand.Rand, s string, rate float64) string {
	return strings.Map(func(c rune) rune {
		if to, ok := confusions[c]; ok && r.Float64() < rate {
			return to
		}
		return c
	}, s)
}

// tableHTML writes a table's text as a plain grid, once its cells no longer agree with the markup.
func tableHTML(e edb.Element) string {
	if e.Kind != edb.KindTable {
		return e.HTML
	}
	g := grid{}
	for _, line := range strings.Split(e.Text, "\n") {
		var cells []gridCell
		for c, t := range strings.Split(line, "\t") {
			cells = append(cells, gridCell{c, 1, t})
		}
		g.cells = append(g.cells, cells)
	}
	return g.element().HTML
}
