package edb

// Measurement is one measured value of one unit, or the reason why there is none. Exactly one of
// three states holds: Value set (measured); Failed (the stage failed, the strict figure takes the
// worst value); neither (nothing to measure, Reason says why).
type Measurement struct {
	Arm    string   `json:"arm,omitempty"`
	Unit   string   `json:"unit"` // document or question ID
	Key    string   `json:"key"`  // axis.name@depth(param=value,...)
	Value  *float64 `json:"value"`
	Failed bool     `json:"failed,omitempty"`
	Reason string   `json:"reason,omitempty"`
	Def    int      `json:"def"` // version of the definition
	Repeat int      `json:"repeat,omitempty"`
	// Weight is how much the unit counts in a pooled mean (mean=micro): a length in code points, or a
	// number of facts. 0 is a unit of a plain mean.
	Weight float64 `json:"weight,omitempty"`
}

// Figure is a value of a whole pipeline with everything needed to judge it.
//
// Value is strict: a failed unit counts as the measure's worst value; ValueOK is over the NOK units
// that succeeded. Missing counts units with nothing to measure. Undefined is nil with a Reason,
// never 0 or NaN. Lo and Hi bound Value at Level by Method. Variant names a chosen part that the
// figure depends on ("fcq=caption_f1"); figures of different variants are never compared.
type Figure struct {
	Value    *float64 `json:"value"`
	ValueOK  *float64 `json:"value_ok,omitempty"`
	Lo       *float64 `json:"lo"`
	Hi       *float64 `json:"hi"`
	Level    float64  `json:"level,omitempty"`
	N        int      `json:"n"`
	NOK      int      `json:"n_ok"`
	Missing  int      `json:"missing"`
	Method   string   `json:"method,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Variant  string   `json:"variant,omitempty"`
	Unit     string   `json:"unit,omitempty"` // "s", "USD", "bytes", "pages/s"; empty for shares
	Warnings []string `json:"warnings,omitempty"`
	Def      int      `json:"def"`
}

// Within is the figure with its interval cut to the range that its value can have: intervals that
// widen around a mean know nothing of a scale's ends.
func (f Figure) Within(lo, hi float64) Figure {
	cut := func(v *float64) *float64 {
		if v == nil {
			return nil
		}
		x := min(max(*v, lo), hi)
		return &x
	}
	f.Lo, f.Hi = cut(f.Lo), cut(f.Hi)
	return f
}
