package edb

// Passage is a piece of a document as the index holds it: ranges of the parsed text, in reading
// order, never across documents. ID is unique in a run ("DOC@N", N from 0 in reading order).
type Passage struct {
	ID     string `json:"id"`
	Doc    string `json:"doc"`
	Spans  []Span `json:"spans"`
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
}

// Hit is one retrieved passage. Scores are rounded to 1e-6 before ranking; ties by passage ID
// ascending.
type Hit struct {
	Passage string  `json:"passage"`
	Doc     string  `json:"doc"`
	Score   float64 `json:"score"`
}

// Ranking is the passages retrieved for one question, best first.
type Ranking struct {
	Query string `json:"query"`
	Hits  []Hit  `json:"hits"`
	Error string `json:"error,omitempty"`
}

// Citation points from an answer into a source. At is the code point offset in the answer's text
// that the citation follows; -1 where it belongs to the whole answer.
type Citation struct {
	Doc   string `json:"doc"`
	Page  int    `json:"page"`
	Quote string `json:"quote,omitempty"`
	At    int    `json:"at"`
}

// Context is one passage as it was put before the generator. Page is the page that holds most of it.
type Context struct {
	Passage string `json:"passage,omitempty"`
	Doc     string `json:"doc"`
	Page    int    `json:"page"`
	Text    string `json:"text"`
}

// Usage is what a model call consumed. A nil count is unknown, never 0.
type Usage struct {
	PromptTokens     *int     `json:"prompt_tokens"`
	CompletionTokens *int     `json:"completion_tokens"`
	USD              *float64 `json:"usd"`
}

// Answer is what the generator said. Finish is "stop", "length", "filter", "abstain" or "error".
type Answer struct {
	Query     string     `json:"query"`
	Text      string     `json:"answer"`
	Contexts  []Context  `json:"contexts,omitempty"`
	Citations []Citation `json:"citations,omitempty"`
	Usage     *Usage     `json:"usage,omitempty"`
	Finish    string     `json:"finish,omitempty"`
	Model     string     `json:"model,omitempty"`
	Repeat    int        `json:"repeat,omitempty"`
	Error     string     `json:"error,omitempty"`
}

// Verdicts on claims; every claim gets exactly one.
const (
	VerdictSupported     = "supported"
	VerdictContradicted  = "contradicted"
	VerdictAbsentTrue    = "absent-true"
	VerdictAbsentUnknown = "absent-unknown"
	VerdictFabricated    = "fabricated"
	VerdictUncheckable   = "uncheckable"
)

// Claim is a minimal statement of an answer with its verdict and what it was held against.
// Start and End are code point offsets in the answer's text.
type Claim struct {
	Query    string `json:"query"`
	N        int    `json:"n"`
	Text     string `json:"text"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Verdict  string `json:"verdict"`
	Slot     string `json:"slot,omitempty"`     // what differs, when contradicted: number, date, entity, polarity
	Against  string `json:"against,omitempty"`  // the sentence or passage it was held against
	Cited    []int  `json:"cited,omitempty"`    // indexes of the citations that follow it
	Verifier string `json:"verifier,omitempty"` // "lexical", or a model's name
}

// Cost is what one unit of one stage consumed. Nil is unknown, never 0.
type Cost struct {
	Arm         string   `json:"arm,omitempty"`
	Stage       string   `json:"stage"`
	Unit        string   `json:"unit"`
	WallSeconds float64  `json:"wall_s"`
	CPUSeconds  *float64 `json:"cpu_s,omitempty"`
	PeakBytes   *int64   `json:"peak_bytes,omitempty"`
	Bytes       *int64   `json:"bytes,omitempty"`
	Usage       *Usage   `json:"usage,omitempty"`
	Cached      bool     `json:"cached,omitempty"`
}

// Failure is one unit that a stage could not do.
type Failure struct {
	Arm   string `json:"arm,omitempty"`
	Stage string `json:"stage"`
	Unit  string `json:"unit"`
	Kind  string `json:"kind"` // timeout, memory, crash, encrypted, damaged, missing, unsupported, gold, transport, ...
	Error string `json:"error"`
	Fix   string `json:"fix,omitempty"` // what to do; "" where the error says so
}
