package pipeline

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/encoder"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/metrics"
)

const idfKey = "parse.fcq(encoder=minilm-l6,idf=yes)"

// captionSet writes a dataset of one figure caption a document.
func captionSet(t *testing.T, captions ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	w, err := datasets.Create(dir, datasets.Info{Name: "captions"})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range captions {
		id := string(rune('a' + i))
		gold := captionDoc(c)
		d := edb.Document{ID: id, Path: "files/" + id + ".txt", MIME: "text/plain", Pages: 1, Split: "test", Gold: "human", Licence: edb.Licence{SPDX: "MIT"}}
		if err := w.AddDocument(d, []byte("text of "+id), &gold); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.AddQuestion(edb.Question{ID: "q", Text: "What?", Modality: edb.ModalityUnanswerable, Subtype: "absent-entity"}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func captionDoc(caption string) edb.Parsed {
	return edb.Parsed{Paged: true, Pages: []edb.Page{{Number: 1, Elements: []edb.Element{{ID: "f", Kind: edb.KindFigure}, {Kind: edb.KindCaption, Text: caption, CaptionOf: "f"}}}}}
}

// With idf the weights come from the gold captions of all documents of the run; other captions there
// are another input of the cache.
func TestIDFOfCaptionsRestsOnAllDocuments(t *testing.T) {
	info, err := encoder.Lookup(encoder.MiniLM)
	if err == nil {
		err = info.Available()
	}
	if err != nil {
		t.Skip(err)
	}
	const first, predicted = "Figure 1: Map of the sampling sites along the river.", "Figure 1: Map of the sampling stations by the river."
	pred := t.TempDir()
	for _, id := range []string{"a", "b"} {
		raw, err := json.Marshal(captionDoc(predicted))
		if err == nil {
			err = os.WriteFile(filepath.Join(pred, id+".json"), raw, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	cache := filepath.Join(t.TempDir(), "cache")
	var before float64
	for i, second := range []string{"Figure 2: Energy against time.", "Figure 2: Map of the stations."} {
		path := filepath.Join(t.TempDir(), "run.yaml")
		text := "name: t\ndataset: " + captionSet(t, first, second) + "\nmetrics: {replicates: 200, parse: [\"" + idfKey + "\"]}\npipelines:\n  - {name: x, parse: {engine: {files: " + pred + "}}}\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "run")
		run(t, path, out, cache, 2)
		var all metrics.GoldCaptions
		all.Add(captionDoc(first))
		all.Add(captionDoc(second))
		want, err := metrics.ParseInput{Gold: captionDoc(first), Pred: captionDoc(predicted), Captions: &all}.Measure(t.Context(), []string{idfKey})
		if err != nil || want[0].Value == nil {
			t.Fatal(want, err)
		}
		rows, err := store.ReadJSONL[edb.Measurement](filepath.Join(out, "measurements.jsonl"), false)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, r := range rows {
			if r.Unit == "a" && r.Key == idfKey && r.Value != nil {
				found = true
				if math.Abs(*r.Value-*want[0].Value) > 1e-9 || i > 0 && *r.Value == before {
					t.Errorf("beside %q: %v, want %v and not %v", second, *r.Value, *want[0].Value, before)
				}
				before = *r.Value
			}
		}
		if !found {
			t.Errorf("no row of %s", idfKey)
		}
	}
}
