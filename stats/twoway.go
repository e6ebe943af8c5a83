package stats

// twoWay resamples documents and units independently: a unit's weight is its own count times the mean
// count of its documents (the pigeonhole bootstrap, Owen 2007).
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
	dw := 0.0
	for _, id := range w.docs {
		dw += s.docs[id]
	}
	return m * (dw / float64(len(w.docs)))
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
		if weight == 0 {
			return false
		}
		means[p] = sum / weight
	}
	return true
}
