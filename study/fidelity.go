package study

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// FidelityTable is one of RIKER's tables 4 to 17, for whatever was measured, with the rows that the
// paper prints beside it where they are asked for. All values are percent.
type FidelityTable struct {
	Number  string        `json:"table"` // of the paper; accuracy and hallucination (of other sizes), levels and depth are ours
	Title   string        `json:"title"`
	Columns []string      `json:"columns"`
	Rows    []FidelityRow `json:"rows"` // best first
	Note    string        `json:"note,omitempty"`
}

// FidelityRow is one system.
type FidelityRow struct {
	System    string         `json:"system"`
	Published bool           `json:"published,omitempty"` // printed in the paper, not measured here
	Cells     []FidelityCell `json:"cells"`
	Tier      string         `json:"tier,omitempty"` // of coherence loss
}

// FidelityCell is a value in percent; nil where it was not measured.
type FidelityCell struct {
	Value *float64 `json:"value"`
	Lo    *float64 `json:"lo,omitempty"`
	Hi    *float64 `json:"hi,omitempty"`
	N     int      `json:"n,omitempty"` // questions
}

// sizes are RIKER's, and ours before them.
var sizes = []string{"8K", "32K", "128K", "200K"}

const (
	overallKey   = "generate.riker"
	singleKey    = "generate.riker(part=single)"
	aggregateKey = "generate.riker(part=aggregation)"
	detectKey    = "generate.riker(part=detection)"
	hallKey      = "generate.hall_rate"
	faithKey     = "generate.riker(part=faithfulness)"
	groundKey    = "generate.riker(part=grounding)"
	fabricateKey = "generate.fabrication"
	lossKey      = "generate.coherence_loss"
)

func (s Subject) cell(key string) FidelityCell {
	f := s.Figures[key]
	pct := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		x := 100 * *v
		return &x
	}
	return FidelityCell{pct(f.Value), pct(f.Lo), pct(f.Hi), f.N}
}

// tables collects what FidelityTables gives.
type tables struct {
	subjects  []Subject
	published *Paper // nil: not asked for
	out       []FidelityTable
}

// FidelityTables makes RIKER's tables 4 to 17 of the subjects, in the paper's order; tables that
// nothing measured fills are left out, and so are columns of sizes that were not run. published is
// the paper's own numbers (expect.Claims), nil to leave them out; the paper's rows then stand in the
// tables of the same sizes, marked. The set HA to HD tables take the mean over the sets.
func FidelityTables(subjects []Subject, published *Paper) []FidelityTable {
	t := &tables{subjects: subjects, published: published}
	for _, size := range t.measuredSizes() {
		number := cmp.Or(map[string]string{"32K": "4", "128K": "5", "200K": "6"}[size], "accuracy")
		t.bySize(number, size, "Performance at "+size, "at"+strings.ToLower(size),
			[]string{"Overall", "Single-Doc", "Aggregation", "Hall Detect", "Hall Rate"}, []string{overallKey, singleKey, aggregateKey, detectKey, hallKey},
			[]string{"overall", "single", "aggregation", "detect", "rate"})
	}
	t.degradation("7", "Degradation across context sizes", []string{"32K", "128K", "200K"}, "degrade3")
	t.degradation("8", "Degradation: 32K to 128K", []string{"32K", "128K"}, "degrade2")
	for _, size := range t.measuredSizes() {
		number := cmp.Or(map[string]string{"32K": "9", "128K": "10", "200K": "11"}[size], "hallucination")
		t.bySize(number, size, "Hallucination measures at "+size, "halluc"+strings.ToLower(size), []string{"Faith.", "Ground.", "Fab."}, []string{faithKey, groundKey, fabricateKey},
			[]string{"faithfulness", "grounding", "fabrication"})
	}
	t.acrossSizes("12", "Aggregation accuracy", aggregateKey, "aggregation")
	t.acrossSizes("13", "Coherence loss", lossKey, "coherence")
	t.temperatures()
	t.acrossSets("15", "Cross-corpus stability", []string{"A", "B", "C", "D"}, overallKey, "corpora")
	t.expanded()
	t.acrossSets("17", "Within-corpus stability: fabrication by question set", []string{"HA", "HB", "HC", "HD"}, fabricateKey, "sets")
	t.levels()
	t.depths()
	return t.out
}

// main says whether a subject is of the main experiment.
func (s Subject) main() bool { return s.Set == "A" || s.Set == "" }

// measuredSizes lists the sizes of the main experiment that subjects have, RIKER's first.
func (t *tables) measuredSizes() []string {
	have := map[string]bool{}
	for _, s := range t.subjects {
		if s.main() {
			have[s.Size] = true
		}
	}
	order := func(s string) int {
		if i := slices.Index(sizes, s); i >= 0 {
			return i
		}
		return len(sizes)
	}
	out := slices.Collect(maps.Keys(have))
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a, b)) })
	return out
}

// find is the subject of a system on a size and set.
func (t *tables) find(system, size, set string) (Subject, bool) {
	for _, s := range t.subjects {
		if s.System == system && s.Size == size && (s.Set == set || set == "A" && s.Set == "") {
			return s, true
		}
	}
	return Subject{}, false
}

// systems lists the systems that were measured, in order.
func (t *tables) systems() []string {
	var out []string
	for _, s := range t.subjects {
		if !slices.Contains(out, s.System) {
			out = append(out, s.System)
		}
	}
	slices.Sort(out)
	return out
}

// add files a table whose rows are sorted by their first value, highest first.
func (t *tables) add(x FidelityTable) {
	if !slices.ContainsFunc(x.Rows, func(r FidelityRow) bool { return !r.Published }) {
		return
	}
	slices.SortStableFunc(x.Rows, func(a, b FidelityRow) int {
		va, vb := a.Cells[0].Value, b.Cells[0].Value
		switch {
		case va == nil && vb == nil:
			return cmp.Compare(a.System, b.System)
		case va == nil:
			return 1
		case vb == nil:
			return -1
		}
		return cmp.Or(cmp.Compare(*vb, *va), cmp.Compare(a.System, b.System))
	})
	t.out = append(t.out, x)
}

// printed are the paper's rows of one of its tables.
func (t *tables) printed(id string, columns []string) []FidelityRow {
	if t.published == nil || t.published.tables[id] == nil {
		return nil
	}
	p := t.published.tables[id]
	var out []FidelityRow
	for _, name := range p.names {
		row := FidelityRow{System: name, Published: true}
		for _, c := range columns {
			cell := FidelityCell{}
			if v, err := strconv.ParseFloat(p.rows[name][c], 64); err == nil {
				cell.Value = &v
			}
			row.Cells = append(row.Cells, cell)
		}
		out = append(out, row)
	}
	return out
}

func (t *tables) bySize(number, size, title, id string, columns, keys, theirs []string) {
	x := FidelityTable{Number: number, Title: title, Columns: columns}
	for _, s := range t.subjects {
		if s.main() && s.Size == size {
			row := FidelityRow{System: s.System}
			for _, k := range keys {
				row.Cells = append(row.Cells, s.cell(k))
			}
			x.Rows = append(x.Rows, row)
		}
	}
	x.Rows = append(x.Rows, t.printed(id, theirs)...)
	t.add(x)
}

// degradation shows systems that were measured at all of some sizes, and the change from first to last.
func (t *tables) degradation(number, title string, at []string, id string) {
	x := FidelityTable{Number: number, Title: title, Columns: append(slices.Clone(at), "Δ")}
	for _, system := range t.systems() {
		row := FidelityRow{System: system}
		for _, size := range at {
			if s, ok := t.find(system, size, "A"); ok {
				row.Cells = append(row.Cells, s.cell(overallKey))
			}
		}
		if len(row.Cells) < len(at) {
			continue
		}
		if _, longer := t.find(system, "200K", "A"); longer && len(at) == 2 {
			continue // it stands in the table of three sizes
		}
		row.Cells = append(row.Cells, difference(row.Cells[len(at)-1], row.Cells[0]))
		x.Rows = append(x.Rows, row)
	}
	columns := []string{"k32", "k128", "k200", "change"}
	if len(at) == 2 {
		columns = []string{"k32", "k128", "change"}
	}
	x.Rows = append(x.Rows, t.printed(id, columns)...)
	t.add(x)
}

func difference(a, b FidelityCell) FidelityCell {
	if a.Value == nil || b.Value == nil {
		return FidelityCell{}
	}
	d := *a.Value - *b.Value
	return FidelityCell{Value: &d}
}

// acrossSizes shows one measure at each size; coherence loss has tiers by its highest value.
func (t *tables) acrossSizes(number, title, key, id string) {
	at := t.measuredSizes()
	x := FidelityTable{Number: number, Title: title, Columns: at}
	for _, system := range t.systems() {
		row := FidelityRow{System: system}
		some := false
		for _, size := range at {
			cell := FidelityCell{}
			if s, ok := t.find(system, size, "A"); ok {
				cell = s.cell(key)
			}
			some = some || cell.Value != nil
			row.Cells = append(row.Cells, cell)
		}
		if some {
			x.Rows = append(x.Rows, row)
		}
	}
	their := t.printed(id, []string{"k32", "k128", "k200"})
	for _, r := range their {
		row := FidelityRow{System: r.System, Published: true}
		for _, size := range at {
			cell := FidelityCell{}
			if i := slices.Index(sizes[1:], size); i >= 0 {
				cell = r.Cells[i]
			}
			row.Cells = append(row.Cells, cell)
		}
		x.Rows = append(x.Rows, row)
	}
	if key == lossKey {
		for i, r := range x.Rows {
			x.Rows[i].Tier = tier(r.Cells)
		}
		x.Note = "Tiers by the highest value of a row: severe above 10 %, moderate from 5, minor from 1, rare below."
	}
	t.add(x)
}

// tier is RIKER's tier of coherence loss (Table 13).
func tier(cells []FidelityCell) string {
	worst := -1.0
	for _, c := range cells {
		if c.Value != nil {
			worst = max(worst, *c.Value)
		}
	}
	switch {
	case worst > 10:
		return "severe"
	case worst >= 5:
		return "moderate"
	case worst >= 1:
		return "minor"
	case worst >= 0:
		return "rare"
	}
	return ""
}

// temperatures is Table 14 for every system that was run at two temperatures or more.
func (t *tables) temperatures() {
	by := map[string][]Subject{}
	for _, s := range t.subjects {
		if s.Temperature != nil && s.main() {
			k := s.System + " at " + s.Size
			by[k] = append(by[k], s)
		}
	}
	x := FidelityTable{Number: "14", Title: "By temperature", Columns: []string{"Coherence loss", "Overall accuracy"}}
	for _, k := range sortedKeys(by) {
		seen := map[float64]bool{}
		for _, s := range by[k] {
			seen[*s.Temperature] = true
		}
		if len(seen) < 2 {
			continue
		}
		for _, s := range by[k] {
			x.Rows = append(x.Rows, FidelityRow{System: fmt.Sprintf("%s, temperature %g", k, *s.Temperature), Cells: []FidelityCell{s.cell(lossKey), s.cell(overallKey)}})
		}
	}
	t.add(x)
}

// acrossSets shows one measure on each set of one size, with mean and spread.
func (t *tables) acrossSets(number, title string, sets []string, key, id string) {
	for _, size := range sizes {
		x := FidelityTable{Number: number, Title: title + " at " + size, Columns: append(slices.Clone(sets), "Mean", "Spread")}
		for _, system := range t.systems() {
			row := FidelityRow{System: system}
			sum, n, lo, hi := 0.0, 0, 0.0, 0.0
			for _, set := range sets {
				cell := FidelityCell{}
				if s, ok := t.find(system, size, set); ok {
					cell = s.cell(key)
				}
				if v := cell.Value; v != nil {
					if n == 0 {
						lo, hi = *v, *v
					}
					sum, n, lo, hi = sum+*v, n+1, min(lo, *v), max(hi, *v)
				}
				row.Cells = append(row.Cells, cell)
			}
			if n < 2 {
				continue
			}
			mean, spread := sum/float64(n), hi-lo
			row.Cells = append(row.Cells, FidelityCell{Value: &mean}, FidelityCell{Value: &spread})
			x.Rows = append(x.Rows, row)
		}
		if size == "128K" {
			columns := []string{"a", "b", "c", "d", "mean", "spread"}
			if sets[0] == "HA" {
				columns = []string{"ha", "hb", "hc", "hd", "mean", "spread"}
			}
			x.Rows = append(x.Rows, t.printed(id, columns)...)
		}
		t.add(x)
	}
}

// expanded is Table 16: the means over the sets HA to HD.
func (t *tables) expanded() {
	for _, size := range sizes {
		x := FidelityTable{Number: "16", Title: "Grounding and fabrication over 150 questions each at " + size, Columns: []string{"Grounding", "Fabrication", "Overall"}}
		for _, system := range t.systems() {
			row := FidelityRow{System: system}
			some := false
			for _, key := range []string{groundKey, fabricateKey, overallKey} {
				sum, n, questions := 0.0, 0, 0
				for _, set := range []string{"HA", "HB", "HC", "HD"} {
					if s, ok := t.find(system, size, set); ok {
						if c := s.cell(key); c.Value != nil {
							sum, n, questions = sum+*c.Value, n+1, questions+c.N
						}
					}
				}
				cell := FidelityCell{}
				if n > 0 {
					sum /= float64(n)
					cell, some = FidelityCell{Value: &sum, N: questions}, true
				}
				row.Cells = append(row.Cells, cell)
			}
			if some {
				x.Rows = append(x.Rows, row)
			}
		}
		if size == "128K" {
			x.Rows = append(x.Rows, t.printed("expanded", []string{"grounding", "fabrication", "overall"})...)
		}
		t.add(x)
	}
}

// levels shows the accuracy on each level, per size.
func (t *tables) levels() {
	for _, size := range t.measuredSizes() {
		x := FidelityTable{Number: "levels", Title: "Accuracy by level at " + size}
		for l := 1; l <= 12; l++ {
			x.Columns = append(x.Columns, fmt.Sprintf("L%02d", l))
		}
		for _, s := range t.subjects {
			if s.main() && s.Size == size {
				row := FidelityRow{System: s.System}
				for _, l := range x.Columns {
					row.Cells = append(row.Cells, s.cell("generate.riker(part="+l+")"))
				}
				x.Rows = append(x.Rows, row)
			}
		}
		t.add(x)
	}
}

// depths shows the accuracy by where the evidence stands, a row a system and size.
func (t *tables) depths() {
	x := FidelityTable{Number: "depth", Title: "Accuracy by depth of the evidence in the corpus, and size", Note: "Questions over many documents stand at the mean of their places, so they gather in the middle."}
	for i := range depthBinCount {
		x.Columns = append(x.Columns, fmt.Sprintf("%d–%d %%", 100*i/depthBinCount, 100*(i+1)/depthBinCount))
	}
	for _, size := range t.measuredSizes() {
		for _, s := range t.subjects {
			if !s.main() || s.Size != size || s.Depth == nil {
				continue
			}
			row := FidelityRow{System: s.System + " at " + size}
			for _, b := range s.Depth {
				cell := FidelityCell{N: b.N}
				if b.Accuracy != nil {
					v := 100 * *b.Accuracy
					cell.Value = &v
				}
				row.Cells = append(row.Cells, cell)
			}
			x.Rows = append(x.Rows, row)
		}
	}
	t.add(x)
}
