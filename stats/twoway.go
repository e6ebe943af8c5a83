package stats

import "slices"

// twoWay resamples documents and units independently. With one document a unit's weight is its own
// count times that of the document (the pigeonhole bootstrap, Owen 2007). With several it is its own
// count times 1 + Σ(count − 1) over its documents, which the same becomes with one: each document then
// moves all its units as much as it would alone. The mean of the counts moves them less, and the product
// of the counts, which is nearly always 0 for many documents, far more. Weights may be below 0; a
// mean over them is still that of a sum in which every document and every unit has its count.
//
// Documents on which all units rest are left out: their counts are a factor of every weight.
type twoWay struct {
	docs, units int
	parts       [][]weighted
}

type weighted struct {
	value float64
	unit  int
	docs  []int
}

func newTwoWay(parts []Part) *twoWay {
	d := &twoWay{}
	docID, unitID := map[string]int{}, map[string]int{}
	for _, part := range parts {
		var ws []weighted
		for j, v := range part.Values {
			w := weighted{value: v, unit: -1}
			if j < len(part.Units) {
				if id, ok := unitID[part.Units[j]]; ok {
					w.unit = id
				} else {
					unitID[part.Units[j]] = d.units
				}
			}
			if w.unit < 0 {
				w.unit = d.units
				d.units++
			}
			for _, name := range docsOf(part.Docs, j) {
				id, ok := docID[name]
				if !ok {
					id = d.docs
					docID[name] = id
					d.docs++
				}
				w.docs = append(w.docs, id)
			}
			if len(w.docs) == 0 { // rests on nothing shared: a document of its own
				w.docs = []int{d.docs}
				d.docs++
			}
			ws = append(ws, w)
		}
		d.parts = append(d.parts, ws)
	}
	d.leaveCommon()
	return d
}

func docsOf(docs [][]string, i int) []string {
	if i < len(docs) {
		return docs[i]
	}
	return nil
}

// perUnit is docs with an entry for each of n units.
func perUnit(docs [][]string, n int) [][]string {
	out := make([][]string, n)
	copy(out, docs)
	return out
}

// leastWeight is how much of the weight of all units a replicate must hold for its mean to be one.
const leastWeight = 0.1

// leaveCommon takes the documents away on which all units rest, where they rest on others too.
func (d *twoWay) leaveCommon() {
	units := 0
	rests := make([]int, d.docs)
	for _, ws := range d.parts {
		units += len(ws)
		for _, w := range ws {
			for i, id := range w.docs {
				if !slices.Contains(w.docs[:i], id) {
					rests[id]++
				}
			}
		}
	}
	for _, ws := range d.parts {
		for i := range ws {
			own := slices.DeleteFunc(slices.Clone(ws[i].docs), func(id int) bool { return rests[id] == units })
			if len(own) > 0 {
				ws[i].docs = own
			}
		}
	}
}

type twoWayScratch struct{ docs, units []float64 }

func (d *twoWay) scratch() any {
	return &twoWayScratch{make([]float64, d.docs), make([]float64, d.units)}
}

// count draws how often each document and each unit occurs in a replicate.
func (s *twoWayScratch) count(rng *source) {
	clear(s.docs)
	clear(s.units)
	for range s.docs {
		s.docs[rng.below(len(s.docs))]++
	}
	for range s.units {
		s.units[rng.below(len(s.units))]++
	}
}

func (s *twoWayScratch) weight(w *weighted) float64 {
	m := s.units[w.unit]
	if m == 0 {
		return 0
	}
	dw := 1.0
	for _, id := range w.docs {
		dw += s.docs[id] - 1
	}
	return m * dw
}

func (d *twoWay) draw(rng *source, scratch any, means []float64) bool {
	s := scratch.(*twoWayScratch)
	s.count(rng)
	for p, ws := range d.parts {
		sum, weight := 0.0, 0.0
		for i := range ws {
			m := s.weight(&ws[i])
			sum += m * ws[i].value
			weight += m
		}
		if weight <= leastWeight*float64(len(ws)) {
			return false
		}
		means[p] = sum / weight
	}
	return true
}
