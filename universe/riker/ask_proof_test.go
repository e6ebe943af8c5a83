package riker

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/universe"
	"enterprisedocbench/universe/press"
)

// open opens the truth of a plan's world for writing too.
func open(t *testing.T, p Plan) (*World, *sql.DB) {
	t.Helper()
	w, path := tables(t, p, 2)
	db, err := universe.OpenTruth(path, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return w, db
}

// TestDisagreementStops changes the truth under the questions: each change is met by an error that
// names both answers.
func TestDisagreementStops(t *testing.T) {
	p, _ := Preset("32K", "", 5)
	w, db := open(t, p)
	for _, change := range []string{"UPDATE leases SET deposit = deposit + 1, monthly = monthly + 10, area = area + 50", "UPDATE reports SET attendees = attendees + 1", "UPDATE reviews SET overall = overall + .01, days_absent = days_absent + 1"} {
		if _, err := db.Exec(change); err != nil {
			t.Fatal(err)
		}
		_, err := w.Ask(t.Context(), db)
		if err == nil || !strings.Contains(err.Error(), "the records say") || !strings.Contains(err.Error(), "truth.sqlite says") {
			t.Errorf("after %s: %v", change, err)
		}
	}
	if _, err := db.Exec("DROP TABLE reviews"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Ask(t.Context(), db); err == nil {
		t.Error("a truth without reviews: no error")
	}
}

// TestPlantedProbesFall prints the entities of probes into documents, accents changed and broken over
// two lines: those probes are not asked, others are.
func TestPlantedProbesFall(t *testing.T) {
	p, _ := Preset("8K", "", 5)
	w, db := open(t, p)
	first, err := w.Ask(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	var planted []string
	for _, q := range first {
		if !q.Answerable() && q.Probe.Entity != "" {
			planted = append(planted, q.Probe.Entity)
		}
	}
	if len(planted) == 0 {
		t.Fatal("no probe names an entity")
	}
	text := "We also wrote to"
	for _, s := range planted {
		r := []rune(strings.ReplaceAll(s, "e", "é"))
		text += " " + string(r[:3]) + "-\n" + string(r[3:]) + ","
	}
	again, err := w.ask(t.Context(), db, func(id int) (press.Printed, error) {
		d, err := w.printed(id)
		if id == 3 {
			last := &d.Gold.Pages[len(d.Gold.Pages)-1]
			last.Elements = append(slices.Clone(last.Elements), edb.Element{ID: "planted", Kind: edb.KindFooter, Text: text})
		}
		return d, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(again) != len(first) {
		t.Errorf("%d questions, then %d", len(first), len(again))
	}
	for _, q := range again {
		if q.Probe != nil && slices.Contains(planted, q.Probe.Entity) {
			t.Errorf("%q stands in a document, and is asked about: %q", q.Probe.Entity, q.Text)
		}
	}
}

// TestMissingPrintStops leaves a sentence out of all documents.
func TestMissingPrintStops(t *testing.T) {
	p, _ := Preset("8K", "", 5)
	w, db := open(t, p)
	_, err := w.ask(t.Context(), db, func(id int) (press.Printed, error) {
		d, err := w.printed(id)
		d.Mentions = slices.DeleteFunc(slices.Clone(d.Mentions), func(m press.Mention) bool { return m.Field == "employee" || m.Field == "agent" })
		return d, err
	})
	if err == nil || !strings.Contains(err.Error(), "does not print") {
		t.Errorf("documents without names: %v", err)
	}
}

// TestTooMany asks for more than a small world bears.
func TestTooMany(t *testing.T) {
	p, _ := Preset("8K", "", 5)
	p.Questions = Mix{Single: 20_000}
	w, db := open(t, p)
	if _, err := w.Ask(t.Context(), db); err == nil || !strings.Contains(err.Error(), "bear no more than") {
		t.Errorf("20,000 questions of 28 documents: %v", err)
	}
}

// TestSetsDiffer holds RIKER's sets HA to HD to the same documents and other questions.
func TestSetsDiffer(t *testing.T) {
	texts := map[string]string{}
	same, all := 0, 0
	for _, set := range []string{"HA", "HB", "HC", "HD"} {
		p, err := Preset("32K", set, 2)
		if err != nil {
			t.Fatal(err)
		}
		w, db := open(t, p)
		qs, err := w.Ask(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		single, probes := 0, 0
		for _, q := range qs {
			if q.Answerable() {
				single++
			} else {
				probes++
			}
			all++
			if texts[q.Text] != "" {
				same++
			}
			texts[q.Text] = set
		}
		if single != 150 || probes != 150 {
			t.Errorf("set %s: %d and %d questions", set, single, probes)
		}
	}
	if same*3 > all {
		t.Errorf("%d of %d questions stand in two sets", same, all)
	}
}

// TestAskIsDeterministic asks with one core and with more.
func TestAskIsDeterministic(t *testing.T) {
	p := sized(t, 200)
	w, db := open(t, p)
	var runs [][]edb.Question
	for _, cores := range []int{1, 3} {
		before := runtime.GOMAXPROCS(cores)
		qs, err := w.Ask(t.Context(), db)
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		var plain []edb.Question
		for _, q := range qs {
			plain = append(plain, q.Question)
		}
		runs = append(runs, plain)
	}
	if !reflect.DeepEqual(runs[0], runs[1]) {
		t.Error("one core and three ask other questions")
	}
}

// TestDepth holds where evidence lies: single documents evenly over the deciles of the corpus, and
// aggregations, whose evidence has its mean in the middle, in most of them.
func TestDepth(t *testing.T) {
	p, _ := Preset("128K", "", 4)
	_, qs := asked(t, p)
	var single, many [10]int
	for _, q := range qs {
		d := min(9, int(10*q.Depth))
		switch {
		case !q.Answerable():
		case q.Level < "L05":
			single[d]++
		default:
			many[d]++
		}
	}
	for d := range 10 {
		if share := float64(single[d]) / float64(p.Questions.Single); share < .07 || share > .13 {
			t.Errorf("decile %d holds %d of %d questions about one document", d+1, single[d], p.Questions.Single)
		}
		if many[d] == 0 || many[d] > p.Questions.Aggregation/4 {
			t.Errorf("decile %d holds %d of %d aggregations", d+1, many[d], p.Questions.Aggregation)
		}
	}
}

// TestGoldenQuestions holds the questions of the smallest preset as they are.
func TestGoldenQuestions(t *testing.T) {
	p, _ := Preset("8K", "", 1)
	_, qs := asked(t, p)
	var b strings.Builder
	for _, q := range qs {
		answer := any("-")
		if q.Answer != nil {
			answer = q.Answer.Value
		}
		fmt.Fprintf(&b, "%s %s %s\n  %s\n  = %v\n  %s\n", q.ID, q.Template, q.Subtype, q.Text, answer, q.SQL)
	}
	name := filepath.Join("testdata", "questions-8K.txt")
	if *update {
		if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("%s: other questions than before; run go test -update and look at the difference", name)
	}
}

// TestNearMissThatIsReal: a near miss that some document does state is no probe.
func TestNearMissThatIsReal(t *testing.T) {
	p, err := Sized(200, 4)
	if err != nil {
		t.Fatal(err)
	}
	p.Questions = Mix{Single: 4, Aggregation: 4, Probe: 20}
	w, db := open(t, p)
	qs, err := w.Ask(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	near := ""
	for _, q := range qs {
		if q.Template == "L11-near-lease-number" {
			near = q.Absent[0]
		}
	}
	if near == "" {
		t.Fatal("no probe asks for a lease number that is one digit off: draw another seed")
	}
	// The truth now has a lease of that number, which no document read here prints.
	if _, err := db.Exec("UPDATE leases SET number = ? WHERE id = (SELECT max(id) FROM leases)", near); err != nil {
		t.Fatal(err)
	}
	qs, err = w.Ask(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range qs {
		for _, x := range q.Absent {
			if x == near {
				t.Errorf("%q asks for %s, which the truth has", q.Text, near)
			}
		}
	}
}
