package reproduce

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"enterprisedocbench/expect"
)

// Recorded are figures that were measured before: by table, row and measure.
type Recorded map[string]map[string]map[string]float64

// Verdicts on a figure against its record, on both sides of it.
const (
	AsRecorded = "OK"
	Within     = "OK within tolerance"
	Differs    = "FAIL"
)

// same is how far a figure may be from its record for the same inputs and engines: the last digit that
// is printed. Tolerance is how far it may be where an engine is there in another version.
const (
	same      = .0005
	Tolerance = .02
)

// Deviation is one figure beside its record; Value is nil where it is not measured any more.
type Deviation struct {
	Table    string   `json:"table"`
	Row      string   `json:"row"`
	Key      string   `json:"key"`
	Recorded float64  `json:"recorded"`
	Value    *float64 `json:"value"`
	Verdict  string   `json:"verdict"`
}

func (d Deviation) String() string {
	now := "not measured"
	if d.Value != nil {
		now = fmt.Sprintf("%.4f", *d.Value)
	}
	return fmt.Sprintf("%s: %s: %s is %s, recorded %.4f", d.Table, d.Row, d.Key, now, d.Recorded)
}

// LoadRecorded reads the record that [expect] holds.
func LoadRecorded() (Recorded, error) {
	var r Recorded
	if err := json.Unmarshal(expect.Measured(), &r); err != nil {
		return nil, fmt.Errorf("expect/measured.json: %w", err)
	}
	return r, nil
}

// Record is the record that the figures of tables make, rounded to six digits.
func Record(tables []Result) Recorded {
	out := Recorded{}
	for _, t := range tables {
		for _, row := range t.Rows {
			for key, f := range row.Figures {
				if f.Value == nil {
					continue
				}
				if out[t.Name] == nil {
					out[t.Name] = map[string]map[string]float64{}
				}
				if out[t.Name][row.Name] == nil {
					out[t.Name][row.Name] = map[string]float64{}
				}
				out[t.Name][row.Name][key] = math.Round(*f.Value*1e6) / 1e6
			}
		}
	}
	return out
}

// Against holds the figures of tables against the record, sorted. Rows that the record lacks, and rows
// of engines that are not here, are left out.
func (r Recorded) Against(tables []Result) (out []Deviation) {
	for _, t := range tables {
		for _, row := range t.Rows {
			for key, was := range r[t.Name][row.Name] {
				d := Deviation{Table: t.Name, Row: row.Name, Key: key, Recorded: was, Value: row.Figures[key].Value, Verdict: Differs}
				if d.Value != nil {
					switch off := math.Abs(*d.Value - was); {
					case off <= same:
						d.Verdict = AsRecorded
					case off <= Tolerance:
						d.Verdict = Within
					}
				}
				out = append(out, d)
			}
		}
	}
	slices.SortFunc(out, func(a, b Deviation) int {
		return strings.Compare(a.Table+"\x00"+a.Row+"\x00"+a.Key, b.Table+"\x00"+b.Row+"\x00"+b.Key)
	})
	return out
}
