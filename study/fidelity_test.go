package study

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/generate"
	"enterprisedocbench/metrics"
)

// world makes a dataset of n documents with one rent each, named as a preset's, and its questions.
func world(t testing.TB, name string, n int) *datasets.Dataset {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	w, err := datasets.Create(dir, datasets.Info{Name: name, Version: "1", Licence: "CC0-1.0", Made: "for a test", Splits: map[string]float64{"test": 1}, Privacy: datasets.Privacy{Send: "allow"}})
	if err != nil {
		t.Fatal(err)
	}
	var all []edb.Evidence
	for i := range n {
		id := fmt.Sprintf("doc-%03d", i)
		text := fmt.Sprintf("The monthly rent of lease %d is $%d.", i, 1000+i)
		gold := edb.Parsed{Doc: id, Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{ID: "e1", Kind: edb.KindParagraph, Text: text}}}}}
		if err := w.AddDocument(edb.Document{ID: id, MIME: "text/plain", Pages: 1, Title: id, Domain: "legal", Gold: "source", Licence: edb.Licence{SPDX: "CC0-1.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "made here"}}, []byte(text+"\n"), &gold); err != nil {
			t.Fatal(err)
		}
		all = append(all, edb.Evidence{Doc: id, Page: 1, End: len(text), Quote: text})
	}
	ask := func(q edb.Question) {
		if err := w.AddQuestion(q); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		ask(edb.Question{ID: fmt.Sprintf("one-%03d", i), Level: fmt.Sprintf("L%02d", 1+i%4), Modality: edb.ModalitySingleHop, Text: fmt.Sprintf("What is the monthly rent of lease %d?", i),
			Answer: &edb.GoldAnswer{Type: "number", Value: float64(1000 + i), Unit: "USD"}, Evidence: all[i : i+1]})
	}
	for i := 0; i+2 <= n; i += 2 {
		ask(edb.Question{ID: fmt.Sprintf("sum-%03d", i), Level: fmt.Sprintf("L%02d", 5+i/2%6), Modality: edb.ModalityMultiHop, Text: fmt.Sprintf("What is the total rent of leases %d and %d?", i, i+1),
			Answer: &edb.GoldAnswer{Type: "number", Value: float64(2001 + 2*i), Unit: "USD"}, Evidence: all[i : i+2]})
		ask(edb.Question{ID: fmt.Sprintf("not-%03d", i), Level: fmt.Sprintf("L%02d", 11+i/2%2), Modality: edb.ModalityUnanswerable, Text: fmt.Sprintf("What deposit does Brangate Foods %d pay?", i), Probe: &edb.Probe{Entity: "Brangate Foods"}})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	ds, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// read lets a scripted reader answer all questions of a dataset from the whole corpus, in runs.
func read(t testing.TB, ds *datasets.Dataset, fault string, seed, runs int) string {
	t.Helper()
	g, err := generate.New(generate.Config{Provider: "scripted", Fault: fault, Seed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	var contexts []edb.Context
	for _, d := range ds.Documents {
		p, _, err := ds.Gold(d.ID)
		if err != nil {
			t.Fatal(err)
		}
		contexts = append(contexts, edb.Context{Doc: d.ID, Page: 1, Text: p.Text()})
	}
	var b strings.Builder
	for r := range runs {
		for _, q := range ds.Questions {
			a, err := g.(generate.Repeated).Again(r).Generate(context.Background(), q, contexts)
			if err != nil {
				t.Fatal(err)
			}
			a.Repeat, a.Contexts = r, nil
			line, _ := json.Marshal(a)
			b.Write(line)
			b.WriteByte('\n')
		}
	}
	path := filepath.Join(t.TempDir(), fault+".jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// scored reads answers and scores them.
func scored(t testing.TB, ds *datasets.Dataset, path string) *AnswersScored {
	t.Helper()
	all, err := ReadAnswers(ds, path)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d systems, %v", len(all), err)
	}
	s, err := ScoreAnswers(context.Background(), ds, all[0], nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFaultsLandWhereTheyMust: what each scripted reader does is known, so every measure of it is.
func TestFaultsLandWhereTheyMust(t *testing.T) {
	ds := world(t, "riker-32K-A", 80)
	const runs = 8
	for _, c := range []struct {
		fault                                                  string
		overall, single, aggregation, detect, fabricated, lost float64
		within                                                 float64
	}{
		{generate.FaultNone, 1, 1, 1, 1, 0, 0, 0},
		{generate.FaultHalf, .5*.5 + .25*.25 + .25, .5, .25, 1, 0, 0, .08}, // two documents are both seen with chance 1/4
		{generate.FaultProbes, .75, 1, 1, 0, 1, 0, 0},
		{generate.FaultLoops, .5 + .25*.5 + .25, 1, .5, 1, 0, .125, .08},
		{generate.FaultRefuses, .25, 0, 0, 1, 0, 0, 0},
	} {
		s := scored(t, ds, read(t, ds, c.fault, 3, runs))
		if s.Repeats != runs {
			t.Errorf("%s: %d runs", c.fault, s.Repeats)
		}
		for key, want := range map[string]float64{overallKey: c.overall, singleKey: c.single, groundKey: c.single, aggregateKey: c.aggregation, detectKey: c.detect, hallKey: 1 - c.detect,
			fabricateKey: c.fabricated, lossKey: c.lost, faithKey: (2*c.single + c.detect) / 3, "generate.coherence_loss(part=single)": 0, "generate.coherence_loss(part=aggregation)": 4 * c.lost} {
			f := s.Measures[key]
			if f.Value == nil || math.Abs(*f.Value-want) > c.within+1e-12 {
				t.Errorf("%s: %s is %v, must be %.3f ± %.2f", c.fault, key, show(f.Value), want, c.within)
				continue
			}
			if f.Lo == nil || f.Hi == nil || *f.Lo > *f.Value || *f.Hi < *f.Value {
				t.Errorf("%s: %s has the interval [%v, %v] around %v", c.fault, key, show(f.Lo), show(f.Hi), *f.Value)
			}
		}
	}
}

func show(v *float64) string {
	if v == nil {
		return "not measured"
	}
	return fmt.Sprintf("%.3f", *v)
}

// TestFidelityTables fills all tables from three readers on three sizes and seven sets.
func TestFidelityTables(t *testing.T) {
	var subjects []Subject
	for i, name := range []string{"riker-32K-A", "riker-128K-A", "riker-200K-A", "riker-128K-B", "riker-128K-C", "riker-128K-D", "riker-128K-HA", "riker-128K-HB", "riker-128K-HC", "riker-128K-HD"} {
		ds := world(t, name, 24)
		var systems []AnswersScored
		for _, fault := range []string{generate.FaultNone, generate.FaultHalf, generate.FaultProbes, generate.FaultRefuses} {
			systems = append(systems, *scored(t, ds, read(t, ds, fault, i, 2)))
		}
		path := filepath.Join(t.TempDir(), "scored.json")
		data, _ := json.Marshal(map[string]any{"systems": systems})
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := Subjects(path)
		if err != nil || len(got) != 4 {
			t.Fatalf("%d subjects, %v", len(got), err)
		}
		subjects = append(subjects, got...)
	}
	paper := readPaper(t, "riker")
	for _, p := range []*Paper{nil, paper} {
		seen := map[string]int{}
		published := 0
		for _, x := range FidelityTables(subjects, p) {
			seen[x.Number]++
			last := math.Inf(1)
			for _, r := range x.Rows {
				if len(r.Cells) != len(x.Columns) {
					t.Errorf("table %s: %d cells under %d columns", x.Number, len(r.Cells), len(x.Columns))
				}
				if r.Published {
					published++
				}
				if v := r.Cells[0].Value; v != nil {
					if *v > last {
						t.Errorf("table %s is not sorted at %s", x.Number, r.System)
					}
					last = *v
				}
			}
		}
		for _, n := range []string{"4", "5", "6", "7", "9", "10", "11", "12", "13", "15", "16", "17", "depth"} {
			if seen[n] != 1 {
				t.Errorf("table %s stands %d times", n, seen[n])
			}
		}
		if seen["levels"] != 3 || seen["14"] != 0 || seen["8"] != 0 {
			t.Errorf("tables %v", seen)
		}
		if (published > 0) != (p != nil) {
			t.Errorf("%d published rows", published)
		}
	}
	for _, s := range Stable(subjects) {
		if s.Size != "128K" || len(s.Sets) != 4 || s.MeanTau == nil || *s.MeanTau < .6 {
			t.Errorf("stability: %+v", s)
		}
		for _, x := range s.Systems {
			if x.P != nil && *x.P < .01 {
				t.Errorf("%s differs between corpora made alike: %+v", x.System, x.Homogeneous)
			}
		}
	}
}

// TestPublishedRows: the paper's rows come out as they are printed.
func TestPublishedRows(t *testing.T) {
	one := 1.0
	s := Subject{System: "GLM-4.5", Size: "32K", Set: "A", Figures: map[string]edb.Figure{overallKey: {Value: &one, N: 1}, lossKey: {Value: &one, N: 1}}}
	for _, x := range FidelityTables([]Subject{s}, readPaper(t, "riker")) {
		switch x.Number {
		case "4":
			if len(x.Rows) != 34 || x.Rows[0].Published || x.Rows[1].System != "GLM-4.5" || *x.Rows[1].Cells[0].Value != 94.7 || *x.Rows[33].Cells[4].Value != 45.5 {
				t.Errorf("table 4: %+v", x.Rows[:2])
			}
		case "13":
			for _, r := range x.Rows {
				if r.System == "Llama-3.2-1B" && r.Tier != "moderate" {
					t.Errorf("%+v", r)
				}
			}
		}
	}
}

func TestBadAnswers(t *testing.T) {
	ds := world(t, "riker-8K", 4)
	for _, c := range []struct{ lines, want string }{
		{`{"query":"one-000","answer":"$1,000"` + "\n", "bad.jsonl:1: is no JSON (unexpected end of JSON input): write one JSON object a line"},
		{"\xef\xbb\xbf" + `{"query":"one-000","answer":"x"}` + "\n{", "bad.jsonl:2: is no JSON"},
		{`{"query":7,"answer":"x"}`, "bad.jsonl:1: query: number does not belong here: write a value of the right kind"},
		{`{"query":"nobody","answer":"x"}`, `question "nobody" is not in`},
		{`{"answer":"x"}`, `no "query"`},
		{`{"query":"one-000","anwser":"x"}`, `no "answer"`},
		{`{"query":"one-000","answer":"x","usage":{"usd":-1}}`, "usage below 0"},
		{`{"query":"one-000","answer":"x","contexts":[{"doc":"nowhere","page":1}]}`, `names document "nowhere"`},
		{`{"query":"one-000","answer":"x","repeat":-1}`, "repeat is -1"},
		{`{"query":"one-000","answer":"x","finish":"done"}`, `finish "done"`},
		{`{"query":"one-000","answer":"x","citations":[{"doc":"d","page":1,"at":9}]}`, "lies outside the answer"},
		{`{"query":"one-000","answer":"x"}` + "\n" + `{"query":"one-000","answer":"y"}`, "bad.jsonl:1 already"},
		{"\n\n", "no answers"},
	} {
		path := filepath.Join(t.TempDir(), "bad.jsonl")
		if err := os.WriteFile(path, []byte(c.lines), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadAnswers(ds, path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.lines, err, c.want)
		}
	}
	// Questions left out count as the worst value.
	path := filepath.Join(t.TempDir(), "few.jsonl")
	if err := os.WriteFile(path, []byte(`{"query":"one-000","answer":"$1,000"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	s := scored(t, ds, path)
	if f := s.Measures[singleKey]; f.N != 4 || f.NOK != 1 || *f.Value != .25 || *f.ValueOK != 1 || len(s.Missing) != 7 {
		t.Errorf("%+v, missing %v", f, s.Missing)
	}
	if f := s.Measures["generate.fa"]; f.ValueOK != nil || f.Missing != 1 {
		t.Errorf("claims of an answer without contexts: %+v", f)
	}
	if n := s.Outcomes[metrics.OutcomeNone]; n != 7 {
		t.Errorf("%d questions without an answer", n)
	}
}

func FuzzReadAnswers(f *testing.F) {
	ds := world(f, "riker-8K", 2)
	f.Add([]byte(`{"query":"one-000","answer":"$1,000","contexts":[{"doc":"doc-000","page":1}]}`))
	f.Add([]byte(`{"query":"sum-000","answer":"2001","repeat":3,"system":"x"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "a.jsonl")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		all, err := ReadAnswers(ds, path)
		if err != nil {
			return
		}
		for _, a := range all {
			if a.Repeats > 1000 {
				t.Skip()
			}
			if s, err := ScoreAnswers(context.Background(), ds, a, nil); err != nil || s.Measures[overallKey].N == 0 {
				t.Errorf("%s: %v", data, err)
			}
		}
	})
}

func BenchmarkScoreAnswers(b *testing.B) {
	ds := world(b, "riker-32K-A", 200)
	all, err := ReadAnswers(ds, read(b, ds, generate.FaultHalf, 1, 25))
	if err != nil {
		b.Fatal(err)
	}
	grader := metrics.NewGrader(ds.Questions)
	questions := map[string]edb.Question{}
	for _, q := range ds.Questions {
		questions[q.ID] = q
	}
	b.ReportMetric(0, "ns/op")
	for b.Loop() {
		for _, a := range all[0].Answers {
			scoreOne(ds, questions[a.Query], a, grader, nil)
		}
	}
	b.ReportMetric(float64(len(all[0].Answers)*b.N)/b.Elapsed().Seconds(), "answers/s")
}
