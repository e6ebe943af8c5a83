package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
)

//go:embed page.html
var pageSource string

// Load reads a run's summary.
func Load(dir string) (Run, error) {
	var r Run
	b, err := os.ReadFile(filepath.Join(dir, "summary.json"))
	if err != nil {
		return r, fmt.Errorf("%s is not a finished run: %w", dir, err)
	}
	if err := json.Unmarshal(b, &r.Summary); err != nil {
		return r, fmt.Errorf("%s: %w", filepath.Join(dir, "summary.json"), err)
	}
	return r, nil
}

// Example is one question with what an arm made of it, for the page's list of answers.
type Example struct {
	Arm      string
	Query    string
	Question string
	Modality string
	Answer   string
	Gold     string
	Outcome  string
	Claims   []edb.Claim
	Sources  []string
}

// Page writes the self-contained HTML report of a run: no script, style or image from elsewhere.
// Text of documents is escaped, never rendered.
func Page(w io.Writer, r Run, failures []edb.Failure, examples []Example) error {
	t, err := template.New("page").Funcs(template.FuncMap{
		"num": Num, "cell": Cell, "quantity": Quantity, "percent": percent, "pretty": pretty,
	}).Parse(pageSource)
	if err != nil {
		return err
	}
	type keyed struct {
		Key   string
		Cells []edb.Figure
		Money bool
	}
	group := func(m map[string]map[string]edb.Figure, money bool) []keyed {
		set := map[string]bool{}
		for _, a := range r.Arms {
			for k := range m[a] {
				set[k] = true
			}
		}
		var out []keyed
		for _, k := range slices.Sorted(maps.Keys(set)) {
			row := keyed{Key: k, Money: money}
			for _, a := range r.Arms {
				row.Cells = append(row.Cells, m[a][k])
			}
			out = append(out, row)
		}
		return out
	}
	rows := r.Rows()
	outcomes := map[string]bool{}
	for _, m := range r.Outcomes {
		for k := range m {
			outcomes[k] = true
		}
	}
	return t.Execute(w, map[string]any{
		"Run": r, "Head": rows[0], "Rows": rows[1:], "Notes": r.Notes(),
		"Figures": group(r.Pipelines, false), "Costs": group(r.Costs, true),
		"Charts":   []chart{forest(r, "retrieve.ndcg@5", "Retrieval: nDCG@5, page grain"), forest(r, "generate.g", "Generation: G"), forest(r, r.quality(), "Quality: "+r.qualityName())},
		"Outcomes": slices.Sorted(maps.Keys(outcomes)), "Failures": failures, "Examples": examples,
	})
}

// WritePage reads the records of a finished run and writes report.html beside them.
func WritePage(dir string) (string, error) {
	r, err := Load(dir)
	if err != nil {
		return "", err
	}
	failures, err := store.ReadJSONL[edb.Failure](filepath.Join(dir, "failures.jsonl"), false)
	if err != nil {
		return "", err
	}
	examples, err := loadExamples(dir, r)
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "report.html")
	return path, store.WriteWith(path, func(w io.Writer) error { return Page(w, r, failures, examples) })
}

// maxExamples is how many answers an arm shows on the page.
const maxExamples = 40

func loadExamples(dir string, r Run) ([]Example, error) {
	type answer struct {
		Arm string `json:"arm"`
		edb.Answer
	}
	type outcome struct {
		Arm      string      `json:"arm"`
		Query    string      `json:"query"`
		Question string      `json:"question"`
		Modality string      `json:"modality"`
		Gold     string      `json:"gold"`
		Outcome  string      `json:"outcome"`
		Claims   []edb.Claim `json:"claims"`
	}
	answers, err := store.ReadJSONL[answer](filepath.Join(dir, "answers.jsonl"), false)
	if err != nil {
		return nil, err
	}
	scored, err := store.ReadJSONL[outcome](filepath.Join(dir, "claims.jsonl"), false)
	if err != nil {
		return nil, err
	}
	byKey := map[string]outcome{}
	for _, o := range scored {
		byKey[o.Arm+"\x00"+o.Query] = o
	}
	shown := map[string]int{}
	var out []Example
	for _, a := range answers {
		o, ok := byKey[a.Arm+"\x00"+a.Query]
		if !ok || a.Repeat > 0 || shown[a.Arm] >= maxExamples || len(r.Arms) == 0 || a.Arm != r.Arms[len(r.Arms)-1] {
			continue
		}
		shown[a.Arm]++
		e := Example{a.Arm, a.Query, o.Question, o.Modality, a.Text, o.Gold, o.Outcome, o.Claims, nil}
		for _, c := range a.Citations {
			e.Sources = append(e.Sources, fmt.Sprintf("%s, page %d: %q", c.Doc, c.Page, shorten(c.Quote, 160)))
		}
		out = append(out, e)
	}
	return out, nil
}

func shorten(s string, n int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) <= n {
		return string(r)
	}
	return string(r[:n-1]) + "…"
}

func percent(v *float64) string {
	if v == nil {
		return "·"
	}
	return fmt.Sprintf("%.1f %%", 100**v)
}

// pretty spells a key's axis and measure for people.
func pretty(k string) string { return strings.ReplaceAll(k, "_", " ") }
