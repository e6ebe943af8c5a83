package universe

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/universe/press"

	"pgregory.net/rapid"
)

func golds(t testing.TB, seed uint64, n int) []Document {
	t.Helper()
	docs := make([]Document, n)
	for i := range docs {
		d, err := MakeGold(seed, i)
		if err != nil {
			t.Fatal(err)
		}
		docs[i] = d
	}
	return docs
}

func TestNamesAreUniqueAndReservedOnesUnused(t *testing.T) {
	seen := map[string]bool{}
	for i := range stems() {
		if s := stem(i); seen[s] {
			t.Fatalf("stem %s comes twice", s)
		} else {
			seen[s] = true
		}
	}
	people, companies := map[string]int{}, map[string]int{}
	for id := range 40000 { // well past the end of the first tier
		p, c := personName(3, id), bare(tenantName(3, id))
		if was, ok := people[p]; ok {
			t.Fatalf("people %d and %d are both %s", was, id, p)
		}
		if was, ok := companies[c]; ok {
			t.Fatalf("companies %d and %d are both %s", was, id, c)
		}
		people[p], companies[c] = id, id
	}
	for i := range 3000 {
		if n := unusedPerson(3, i); people[n] != 0 {
			t.Fatalf("reserved name %s is person %d", n, people[n])
		}
		if n := bare(unusedTenant(3, i)); companies[n] != 0 {
			t.Fatalf("reserved name %s is company %d", n, companies[n])
		}
	}
}

func TestFactsAgreeAcrossEntities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := World{rapid.Uint64().Draw(t, "seed")}
		id := rapid.IntRange(0, 1<<20).Draw(t, "id")
		l, v, s := w.Lease(id), w.Visit(id), w.Statement(id)
		if l.Tenant != v.Tenant || v.Tenant != s.Tenant {
			t.Fatal("one tenant, three descriptions")
		}
		if !l.Signed.Before(l.Start.Time) || !l.Start.Before(l.End.Time) || !v.Date.After(l.Start.Time) || !v.Date.Before(l.End.Time) ||
			!v.Next.After(v.Submitted.Time) || !s.Approved.After(s.Quarter.Last().Time) {
			t.Fatal("dates contradict each other")
		}
		months := 0
		for i, y := range l.Schedule {
			if i > 0 && !l.Schedule[i-1].End.AddDate(0, 0, 1).Equal(y.Start.Time) {
				t.Fatal("lease years leave a gap")
			}
			months += 12
		}
		if !l.Schedule[len(l.Schedule)-1].End.Equal(l.End.Time) || months != 12*len(l.Schedule) {
			t.Fatal("the schedule does not end with the lease")
		}
		for q, p := range map[Quarter]Period{s.Quarter: s.Now, s.Quarter - 1: s.Before} {
			rent := 0
			for m := range 3 {
				month := l.RentIn(Date{q.First().AddDate(0, m, 0)})
				if month == 0 {
					t.Fatal("no rent in a month that the statement covers")
				}
				rent += month
			}
			if p.Occupancy != rent {
				t.Fatalf("the statement pays %d in rent, the lease asks %d", p.Occupancy, rent)
			}
			if p.Operating() != p.Revenue()-p.CostOfSales-p.Personnel-p.Occupancy-p.OtherCosts {
				t.Fatal("the income statement does not add up")
			}
		}
		if s.Revenues[3] != s.Now.Revenue() || s.Revenues[2] != s.Before.Revenue() {
			t.Fatal("the chart and the table differ")
		}
		a := l.Tenant.Agent
		if b := w.Agent(a.ID/3*3 + (a.ID+1)%3); b.Manager != a.Manager || b.Region != a.Region {
			t.Fatal("two agents of one region have two managers")
		}
	})
}

func TestRelationsAreShared(t *testing.T) {
	w := World{9}
	agents, landlords := map[string]int{}, map[string]int{}
	for id := range 24 {
		agents[w.Tenant(id).Agent.Name]++
		landlords[w.Lease(id).Landlord]++
	}
	if len(agents) != 12 || len(landlords) != 8 {
		t.Fatalf("24 tenants have %d agents and %d landlords, want 12 and 8", len(agents), len(landlords))
	}
}

var cell = regexp.MustCompile(`<t[dh]>(.*?)</t[dh]>`)

func TestGoldHoldsTogether(t *testing.T) {
	for seed := range uint64(12) {
		for _, d := range golds(t, seed*977, 9) {
			ids := map[string]edb.Element{}
			headings := 0
			for page, e := range d.Gold.Elements {
				if e.ID == "" || ids[e.ID].ID != "" {
					t.Fatalf("%s: element id %q is empty or comes twice", d.ID, e.ID)
				}
				ids[e.ID] = e
				if e.Box == nil || e.Box[0] < 0 || e.Box[1] < 0 || e.Box[2] > press.PageWidth-press.MarginSide+.02 || e.Box[3] > press.PageHeight-20 || e.Box[0] >= e.Box[2] || e.Box[1] >= e.Box[3] {
					t.Fatalf("%s page %d: element %s lies at %v", d.ID, page, e.ID, e.Box)
				}
				if e.Kind == edb.KindHeading {
					headings++
					if e.Level < 1 || e.Level > 3 {
						t.Fatalf("%s: heading level %d", d.ID, e.Level)
					}
				}
				// Lines joined by one character each are the text.
				at, text := 0, []rune(e.Text)
				for i, l := range e.Lines {
					n := len([]rune(l.Text))
					if at+n > len(text) && e.Kind != edb.KindFigure || e.Kind != edb.KindFigure && string(text[at:at+n]) != l.Text {
						t.Fatalf("%s: line %d of %s is %q, not what the text holds there", d.ID, i, e.ID, l.Text)
					}
					at += n + 1
				}
				if at != len(text)+1 {
					t.Fatalf("%s: the lines of %s cover %d of %d code points", d.ID, e.ID, at-1, len(text))
				}
				if e.Kind == edb.KindTable {
					var html []string
					for _, m := range cell.FindAllStringSubmatch(e.HTML, -1) {
						html = append(html, m[1])
					}
					if got := strings.FieldsFunc(e.Text, func(r rune) bool { return r == '\t' || r == '\n' }); len(html) < len(got) {
						t.Fatalf("%s: %d cells in the markup, %d in the text", d.ID, len(html), len(got))
					}
				}
			}
			for _, e := range ids {
				if e.Kind == edb.KindCaption {
					if k := ids[e.CaptionOf].Kind; k != edb.KindTable && k != edb.KindFigure {
						t.Fatalf("%s: caption %q belongs to %q", d.ID, e.Text, k)
					}
				}
			}
			if headings < 4 || d.Layout.Tables == 0 || (d.Doctype != TypeLease && d.Layout.Figures == 0) {
				t.Fatalf("%s: %d headings, layout %+v", d.ID, headings, *d.Layout)
			}
			if d.Doctype == TypeLease && (d.Pages < 2 || d.Pages > 4) {
				t.Fatalf("%s has %d pages", d.ID, d.Pages)
			}
		}
	}
}

// Totals are checked in what is printed, not in the truth tables.
func TestPrintedTotalsAddUp(t *testing.T) {
	for _, d := range golds(t, 11, 36) {
		for _, e := range d.Gold.Elements {
			if e.Kind != edb.KindTable {
				continue
			}
			var sum float64
			rows := strings.Split(e.Text, "\n")
			r := &reading{}
			for _, row := range rows[1:] {
				cells := strings.Split(row, "\t")
				last := cells[len(cells)-1]
				switch cells[0] {
				case "Total":
					if got := r.number(last); math.Abs(got-sum) > 1e-9 || sum == 0 {
						t.Errorf("%s: total %v, the rows sum to %v", d.ID, got, sum)
					}
				case "Total revenue":
					if got := r.number(cells[1]); got != sum {
						t.Errorf("%s: total revenue %v, the segments sum to %v", d.ID, got, sum)
					}
				default:
					if strings.HasPrefix(rows[0], "Item\tQ") {
						sum += r.number(cells[1])
					} else if rows[0] != "Item\tAgreed term" && len(cells) != 4 || strings.HasPrefix(rows[0], "Service") {
						sum += r.number(last)
					}
				}
			}
			if r.err != nil {
				t.Errorf("%s: %v", d.ID, r.err)
			}
		}
	}
}

func TestQuestionsAreProven(t *testing.T) {
	want := map[string]int{edb.ModalitySingleHop: 30, edb.ModalityMultiHop: 30, edb.ModalityTable: 20, edb.ModalityFigure: 10, edb.ModalityUnanswerable: 10}
	for seed := range uint64(25) {
		docs := golds(t, seed*31+1, 36)
		qs, err := Questions(docs, Options{Seed: seed*31 + 1, Documents: 36})
		if err != nil {
			t.Fatalf("seed %d: %v", seed*31+1, err)
		}
		got, subtypes := map[string]int{}, map[string]int{}
		for _, q := range qs {
			got[q.Modality]++
			if !q.Answerable() {
				subtypes[q.Subtype]++
				if q.Answer != nil || q.Probe == nil || len(q.Evidence) > 0 {
					t.Fatalf("%s: an unanswerable question with an answer, evidence or no probe", q.ID)
				}
				continue
			}
			if q.Modality == edb.ModalityMultiHop {
				seen := map[string]bool{}
				for _, e := range q.Evidence {
					seen[e.Doc] = true
				}
				if len(seen) < 2 {
					t.Fatalf("%s (%s) rests on %d documents", q.ID, q.Text, len(seen))
				}
			}
			for _, e := range q.Evidence {
				i := slices.IndexFunc(docs, func(d Document) bool { return d.ID == e.Doc })
				text := []rune(docs[i].Gold.Pages[e.Page-1].Text())
				if e.End <= e.Start || string(text[e.Start:e.End]) != e.Quote || e.Box == nil {
					t.Fatalf("%s: quote %q is not at %d to %d, or has no box", q.ID, e.Quote, e.Start, e.End)
				}
			}
			if q.Modality != edb.ModalityMultiHop && q.Answer.Type != "boolean" && !strings.Contains(q.Evidence[0].Quote, q.Answer.Facts[0]) {
				t.Fatalf("%s: %q does not say %q", q.ID, q.Evidence[0].Quote, q.Answer.Facts[0])
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("modalities %v, want %v", got, want)
		}
		if len(subtypes) != 4 {
			t.Fatalf("subtypes %v, want four", subtypes)
		}
	}
}

func TestAFalseTruthStopsGeneration(t *testing.T) {
	docs := golds(t, 5, 36)
	arc, err := newArchive(docs)
	if err != nil {
		t.Fatal(err)
	}
	c := newCorpus(docs)
	a, _ := singleHop[0](World{5}, 0)
	if _, err := a.question("q1", edb.ModalitySingleHop, arc, c); err != nil {
		t.Fatal(err)
	}
	a.answer = money(1)
	if _, err := a.question("q1", edb.ModalitySingleHop, arc, c); err == nil || !strings.Contains(err.Error(), "the documents say") {
		t.Errorf("a false truth passes: %v", err)
	}
	real := bare(World{5}.Tenant(2).Name)
	p := probe("absent-entity", "L11", "legal", "?", edb.Probe{Entity: strings.ToUpper(real)}, []string{real}, nil)
	if _, err := p.question("q2", edb.ModalityUnanswerable, arc, c); err == nil {
		t.Error("a probe that is in the documents passes")
	}
	docs[1].Mentions = append(docs[1].Mentions, Mention{Field: "manager", Value: "Nobody"})
	if _, err := newArchive(docs); err == nil {
		t.Error("a document that contradicts itself passes")
	}
}

func TestFoldIgnoresCaseAccentsAndLineBreaks(t *testing.T) {
	for in, want := range map[string]string{"": " ", "Élan\nVital, Ltd.": " elan vital ltd ", "  A--b ": " a b ", "$1,234": " 1 234 "} {
		if got := fold(in); got != want {
			t.Errorf("fold(%q) = %q, want %q", in, got, want)
		}
	}
}
