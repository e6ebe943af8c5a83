package edb

// Summary is summary.json: the figures of every arm of a run, and the money and time apart from
// them because those differ from call to call.
type Summary struct {
	Run         string                       `json:"run"`
	Dataset     string                       `json:"dataset"`
	Arms        []string                     `json:"arms"` // in the order of the configuration
	Pipelines   map[string]map[string]Figure `json:"pipelines"`
	Costs       map[string]map[string]Figure `json:"costs"`
	Documents   int                          `json:"documents"`
	Pages       int                          `json:"pages"`
	Questions   int                          `json:"questions"`
	Dropped     int                          `json:"dropped_questions"`
	ByModality  map[string]int               `json:"questions_by_modality"`
	Outcomes    map[string]map[string]int    `json:"outcomes"`
	Strata      []Stratum                    `json:"strata"`
	Failures    int                          `json:"failures"`
	FailureKind map[string]int               `json:"failures_by_kind"`
	Unparsed    int                          `json:"unparsed"` // documents without a parse, summed over arms
	Redone      map[string]int               `json:"units_done_by_this_call"`
	Baseline    string                       `json:"baseline"`
	PriceBook   string                       `json:"price_book"`
	Calls       int                          `json:"calls,omitempty"` // generator calls that a run makes at most
	Stages      []StageTime                  `json:"stages"`
	Warnings    []string                     `json:"warnings,omitempty"` // what to know before reading any figure
}

// StageTime is the wall time of a step in this call, seconds.
type StageTime struct {
	Stage       string  `json:"stage"`
	WallSeconds float64 `json:"wall_s"`
}

// Stratum is one figure of an arm over a part of the questions.
type Stratum struct {
	Arm         string `json:"arm"`
	By          string `json:"by"` // modality or domain
	Value       string `json:"value"`
	Key         string `json:"key"`
	Figure      Figure `json:"figure"`
	Directional bool   `json:"directional"` // fewer units than strata.min_n
}
