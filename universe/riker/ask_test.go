package riker

import (
	"fmt"
	"os"
	"testing"

	"enterprisedocbench/universe/press"
)

// asked makes the questions of a plan over its truth.
func asked(t *testing.T, p Plan) (*World, []Question) {
	t.Helper()
	w, path := tables(t, p, 2)
	db, err := openTruth(path, readingTruth)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	qs, err := w.Ask(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return w, qs
}

func TestAskTry(t *testing.T) {
	for seed := range uint64(20) {
		for _, name := range []string{"8K", "32K", "128K", "200K", "32K-HA", "m300"} {
			p, _ := Preset(name, "", seed+1)
			if name == "m300" {
				p, _ = Sized(300, seed+1)
			}
			if name == "32K-HA" {
				p, _ = Preset("32K", "HA", seed+1)
			}
			p.Filler = .5
			w, qs := asked(t, p)
			if os.Getenv("V") == name {
				for _, q := range qs {
					fmt.Println(q.ID, q.Level, q.Template, q.Text, "=>", q.raw, len(q.Evidence), q.Depth)
				}
			}
			for _, s := range Shortcuts(qs) {
				if s.Share > .02 || s.Fault() {
					fmt.Printf("%s %d %+v\n", name, seed+1, s)
				}
			}
			m := map[string][]press.Mention{}
			for id := range w.Documents() {
				d, err := w.printed(id)
				if err != nil {
					t.Fatal(err)
				}
				m[DocumentID(id)] = d.Mentions
			}
			for _, q := range qs {
				if err := w.Sufficient(q, m); err != nil {
					t.Error(name, seed+1, err)
				}
			}
		}
	}
}
