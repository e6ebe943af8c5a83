package metrics

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strconv"
)

// Qrels holds judgements: query -> document -> grade. Grades below 0 mean not judged.
type Qrels map[string]map[string]int

// Scored is one line of a run.
type Scored struct {
	ID    string
	Score float64
}

// Run holds ranked lists: query -> documents in the order of the file; the scores decide.
type Run map[string][]Scored

// ReadQrels reads a TREC judgement file, "query iteration document grade" a line, fields separated
// by blanks or tabs, LF or CRLF, empty lines and lines that begin with # skipped. Errors name file
// and line: a malformed line, a grade that is no integer, a document judged twice with different
// grades. The same judgement given twice counts once.
func ReadQrels(path string) (Qrels, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("qrels: %w", err)
	}
	f, err := parseQrels(path, data)
	if err != nil {
		return nil, err
	}
	out := Qrels{}
	for i, name := range f.names {
		m := make(map[string]int, f.ends[i]-f.starts[i])
		for _, e := range f.of(i) {
			m[string(e.doc(data))] = int(e.grade)
		}
		out[name] = m
	}
	return out, nil
}

// ReadRun reads a TREC run file, "query Q0 document rank score tag" a line; what follows the tag is
// ignored, as is the rank. Errors name file and line: a malformed line, a score that is no finite
// number, a document that stands twice in a query. Scores have the precision of 32 bits, as in
// trec_eval.
func ReadRun(path string) (Run, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("run: %w", err)
	}
	f, err := parseRun(path, data)
	if err != nil {
		return nil, err
	}
	out := Run{}
	for i, name := range f.names {
		es := f.of(i)
		list := make([]Scored, len(es))
		for j, e := range es {
			list[j] = Scored{ID: string(e.doc(data)), Score: float64(e.score)}
		}
		out[name] = list
	}
	return out, nil
}

// entry is one line of either file: the document id as a place in the file, and what is said of it.
type entry struct {
	at    int // offset of the document id
	n     int32
	query int32
	grade int32 // qrels: the grade; run: the rank column
	score float32
}

func (e entry) doc(data []byte) []byte { return data[e.at : e.at+int(e.n)] }

// trecFile is a file grouped by query: the lines of query i are entries[starts[i]:ends[i]] in file
// order.
type trecFile struct {
	kind, path   string
	data         []byte
	names        []string
	ids          map[string]int32
	entries      []entry
	starts, ends []int
	repeated     int // identical judgements given twice
}

func (f *trecFile) of(i int) []entry { return f.entries[f.starts[i]:f.ends[i]] }

// fault is an error at the line that holds an offset.
func (f *trecFile) fault(offset int, format string, args ...any) error {
	line := 1 + bytes.Count(f.data[:offset], []byte{'\n'})
	msg := fmt.Sprintf("%s line %d: %s", f.kind, line, fmt.Sprintf(format, args...))
	if f.path != "" {
		return fmt.Errorf("%s: %s", f.path, msg)
	}
	return fmt.Errorf("%s", msg)
}

func newTrecFile(kind, path string, data []byte) *trecFile {
	return &trecFile{kind: kind, path: path, data: data, ids: map[string]int32{}, entries: make([]entry, 0, len(data)/24+1)}
}

// queryOf interns a query id; last is the one of the line before.
func (f *trecFile) queryOf(last int32, place [2]int) int32 {
	id := f.data[place[0]:place[1]]
	if last >= 0 && string(id) == f.names[last] {
		return last
	}
	if q, ok := f.ids[string(id)]; ok {
		return q
	}
	q := int32(len(f.names))
	name := string(id)
	f.names = append(f.names, name)
	f.ids[name] = q
	return q
}

func parseQrels(path string, data []byte) (*trecFile, error) {
	f := newTrecFile("qrels", path, data)
	var fs [4][2]int
	last := int32(-1)
	for pos := begin(data); pos < len(data); {
		n, next := fields(data, pos, fs[:])
		if n == 0 || data[fs[0][0]] == '#' {
			pos = next
			continue
		}
		if n != 4 {
			return nil, f.fault(pos, "%s fields; a line is: query iteration document grade", counted(n, 4))
		}
		raw := data[fs[3][0]:fs[3][1]]
		grade, ok := smallInt(raw)
		if !ok {
			return nil, f.fault(pos, "grade %s is not an integer", raw)
		}
		last = f.queryOf(last, fs[0])
		f.entries = append(f.entries, entry{at: fs[2][0], n: int32(fs[2][1] - fs[2][0]), query: last, grade: grade})
		pos = next
	}
	f.group()
	set := docSet{}
	for i := range f.names {
		es := f.of(i)
		set.reset(len(es))
		kept := es[:0]
		for _, e := range es {
			if j, seen := set.add(data, kept, e); seen {
				if g := kept[j].grade; g != e.grade {
					return nil, f.fault(e.at, "%s/%s judged twice with different grades %d and %d; keep one of the lines", f.names[i], e.doc(data), g, e.grade)
				}
				f.repeated++
				continue
			}
			kept = append(kept, e)
		}
		f.ends[i] = f.starts[i] + len(kept)
	}
	return f, nil
}

func parseRun(path string, data []byte) (*trecFile, error) {
	f := newTrecFile("run", path, data)
	var fs [6][2]int
	last := int32(-1)
	for pos := begin(data); pos < len(data); {
		n, next := fields(data, pos, fs[:])
		if n == 0 || n < 6 && data[fs[0][0]] == '#' {
			pos = next
			continue
		}
		if n < 6 {
			return nil, f.fault(pos, "%s fields; a line is: query Q0 document rank score tag", counted(n, 6))
		}
		raw := data[fs[4][0]:fs[4][1]]
		score, ok := decimal(raw)
		if !ok || math.Abs(score) > math.MaxFloat32 {
			return nil, f.fault(pos, "score %s is not a finite 32-bit number", raw)
		}
		rank, ok := smallInt(data[fs[3][0]:fs[3][1]])
		if !ok {
			rank = math.MaxInt32
		}
		last = f.queryOf(last, fs[0])
		f.entries = append(f.entries, entry{at: fs[2][0], n: int32(fs[2][1] - fs[2][0]), query: last, grade: rank, score: float32(score)})
		pos = next
	}
	f.group()
	set := docSet{}
	for i := range f.names {
		es := f.of(i)
		set.reset(len(es))
		for j, e := range es {
			if _, seen := set.add(data, es[:j], e); seen {
				return nil, f.fault(e.at, "duplicate document %s in query %s of the run; keep one of the lines", e.doc(data), f.names[i])
			}
		}
	}
	return f, nil
}

func counted(n, want int) string {
	if n > want {
		return "more than " + strconv.Itoa(want)
	}
	return strconv.Itoa(n)
}

// group orders the entries by query, keeping the file's order inside each; a file that already
// stands so is left alone.
func (f *trecFile) group() {
	k := len(f.names)
	f.starts, f.ends = make([]int, k), make([]int, k)
	counts := make([]int, k+1)
	sorted := true
	for i := range f.entries {
		counts[f.entries[i].query+1]++
		sorted = sorted && (i == 0 || f.entries[i].query >= f.entries[i-1].query)
	}
	for i := range k {
		counts[i+1] += counts[i]
		f.starts[i], f.ends[i] = counts[i], counts[i]
	}
	if sorted {
		copy(f.ends, counts[1:])
		return
	}
	out := make([]entry, len(f.entries))
	for _, e := range f.entries {
		out[f.ends[e.query]] = e
		f.ends[e.query]++
	}
	f.entries = out
}
