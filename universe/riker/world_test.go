package riker

import (
	"testing"
)

// TestCoherence holds what ties the records of a world together, on every preset and a mixed world.
func TestCoherence(t *testing.T) {
	plans := map[string]Plan{}
	for _, name := range Presets() {
		p, err := Preset(name, "", 7)
		if err != nil {
			t.Fatal(err)
		}
		plans[name] = p
	}
	p, err := Sized(3000, 11)
	if err != nil {
		t.Fatal(err)
	}
	plans["mixed"] = p
	for name, p := range plans {
		t.Run(name, func(t *testing.T) {
			w, err := New(p)
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			managers := map[string]string{}
			for id := range p.Documents() {
				k, n := w.at(id)
				if w.number(k, n) != id {
					t.Fatalf("document %d is %s %d, which is document %d", id, k, n, w.number(k, n))
				}
				fields := map[string]bool{}
				for _, f := range w.Record(k, n).Facts(Formal) {
					if fields[f.Field] {
						t.Errorf("%s %d has two facts %s", k, n, f.Field)
					}
					fields[f.Field] = true
					if f.Printed == "" || f.Type == "date" && len(f.Text) != 10 {
						t.Errorf("%s %d: fact %+v", k, n, f)
					}
					if f.Field == "number" {
						if seen[f.Text] {
							t.Errorf("two documents have the number %s", f.Text)
						}
						seen[f.Text] = true
					}
				}
			}
			for n := range p.Counts[Leases] {
				l := w.Lease(n)
				if !l.Signed.Before(l.Start) || !l.Start.Before(l.End) || l.Monthly <= 0 || l.Years() < 2 {
					t.Errorf("lease %+v", l)
				}
				if l.Agent != nil && l.Agent.N != w.Deal(n).AgentN {
					t.Errorf("lease %d names agent %d, its deal agent %d", n, l.Agent.N, w.Deal(n).AgentN)
				}
				found := false
				for _, m := range w.leasesOf(l.LesseeN) {
					found = found || m == n
				}
				if !found {
					t.Errorf("lease %d is not among the leases of its lessee", n)
				}
			}
			for n := range p.Counts[Reports] {
				r := w.Report(n)
				if r.Lease != nil && (r.Lease.LesseeN != r.Deal.CustomerN || r.Lease.Agent != nil && r.Lease.Agent.Name != r.Agent.Name) {
					t.Errorf("report %d disagrees with lease %s", n, r.Lease.Number)
				}
				if !r.Deal.Closed.IsZero() && r.Stage > Lost && !r.Date.Before(r.Deal.Closed) {
					t.Errorf("report %d: the visit on %s comes after the close on %s, yet the stage is %s", n, r.Date.ISO(), r.Deal.Closed.ISO(), r.Stage)
				}
				if r.Visit > visitsEach {
					t.Errorf("report %d is visit %d", n, r.Visit)
				}
				territory := r.Agent.Territory
				if m, ok := managers[territory.ID]; ok && m != territory.Manager {
					t.Errorf("%s has two managers", territory.Name)
				}
				managers[territory.ID] = territory.Manager
			}
			for n := range p.Counts[Reviews] {
				r := w.Review(n)
				won, value := 0, 0
				for d := range w.deals {
					if x := w.Deal(d); x.AgentN == r.Agent.N && x.Stage == Won && !x.Closed.Before(r.Period.First()) && !x.Closed.After(r.Period.Last()) {
						won++
						value += x.Value()
					}
				}
				if won != r.Won || value != r.WonValue {
					t.Errorf("review %d counts %d deals of %d, all deals make %d of %d", n, r.Won, r.WonValue, won, value)
				}
				if !r.Agent.Hired().Before(r.Period.First()) {
					t.Errorf("review %d of %s is older than the employment", n, r.Period)
				}
				if n > 100 {
					break
				}
			}
			for n := range p.Counts[Invoices] {
				if i := w.Invoice(n); i.Deal.Stage != Won || !i.Date.After(i.Deal.Closed) || i.Subtotal() <= 0 {
					t.Errorf("invoice %+v", i)
				}
			}
			for n := range p.Counts[Statements] {
				s := w.Statement(n)
				if s.Operating() != s.Revenue()-s.CostOfSales-s.Personnel-s.Occupancy-s.Other {
					t.Errorf("statement %d does not add up", n)
				}
			}
		})
	}
}

func TestPresets(t *testing.T) {
	a, _ := Preset("128k", "A", 3)
	b, _ := Preset("128K", "b", 3)
	ha, _ := Preset("128K", "HA", 3)
	hb, _ := Preset("128K", "HB", 3)
	if a.Counts != [Kinds]int{37, 216, 116} || b.Counts != [Kinds]int{37, 255, 128} || a.Seed == b.Seed {
		t.Errorf("sets A and B: %+v, %+v", a, b)
	}
	if ha.Seed != a.Seed || ha.QuestionSeed == hb.QuestionSeed || ha.Questions.Total() != 300 {
		t.Errorf("sets HA and HB: %+v, %+v", ha, hb)
	}
	for _, bad := range [][2]string{{"64K", ""}, {"32K", "E"}, {"32K", "HE"}, {"", ""}} {
		if _, err := Preset(bad[0], bad[1], 1); err == nil {
			t.Errorf("preset %q, set %q: no error", bad[0], bad[1])
		}
	}
	if _, err := Sized(5, 1); err == nil {
		t.Error("a world of 5 documents: no error")
	}
}
