package datasets

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"
)

// stocked is a dataset with a little of everything that Describe counts.
func stocked(t *testing.T) *Dataset {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "stocked")
	w, err := Create(dir, Info{Name: "stocked"})
	must(t, err)
	cc := edb.Licence{SPDX: "CC-BY-4.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "page 1"}
	table := edb.Element{Kind: edb.KindTable, Text: "a\tb"}
	figure := edb.Element{Kind: edb.KindFigure}
	add := func(d edb.Document, gold *edb.Parsed) {
		d.Path, d.Licence = d.ID+".txt", cc
		if d.Domain == "law" {
			d.Licence = edb.Licence{SPDX: "NOASSERTION", Evidence: "nothing stated"}
		}
		must(t, w.AddDocument(d, []byte("text of "+d.ID), gold))
	}
	pages := func(es ...edb.Element) *edb.Parsed {
		return &edb.Parsed{Paged: true, Engine: "e@1", Pages: []edb.Page{{Number: 1, Elements: es}, {Number: 2, Elements: []edb.Element{{Kind: edb.KindParagraph, Text: "t"}}}}}
	}
	add(edb.Document{ID: "f1", Domain: "finance", Doctype: "10k", Lang: "en", Split: "test", Gold: "human", Source: &edb.Origin{Name: "EDGAR", Retrieved: "2026-03-02"}}, pages(table, table, figure))
	add(edb.Document{ID: "f2", Domain: "finance", Doctype: "10q", Lang: "en", Split: "train", Gold: "reference(e@1)", Source: &edb.Origin{Name: "EDGAR", Retrieved: "2025-12-31"}}, pages(table))
	add(edb.Document{ID: "f3", Domain: "finance", Doctype: "10k", Lang: "de", Split: "test", Scanned: true, Layout: &edb.Layout{Tables: 4, Figures: 1}, Source: &edb.Origin{Name: "Bundesanzeiger"}}, nil)
	add(edb.Document{ID: "l1", Domain: "law", Pages: 5}, nil)
	ask := func(id, modality, task, domain string, docs ...string) {
		q := edb.Question{ID: id, Text: "?", Modality: modality, Task: task, Domain: domain}
		for _, d := range docs {
			q.Evidence = append(q.Evidence, edb.Evidence{Doc: d, Page: 1})
		}
		must(t, w.AddQuestion(q))
	}
	ask("q1", "table", "lookup", "finance", "f1")
	ask("q2", "table", "lookup", "", "f1", "f2")
	ask("q3", "unanswerable", "", "law")
	ask("q4", "", "", "", "l1")
	must(t, w.Close())
	ds, err := Open(dir)
	must(t, err)
	return ds
}

func TestDescribe(t *testing.T) {
	ds := stocked(t)
	got, err := Describe(DescribeOptions{Interval: func(k, n int, level float64) (lo, hi *float64) {
		a, b := float64(k)/float64(n)-0.25, float64(k)/float64(n)+0.25
		return &a, &b
	}}, ds)
	must(t, err)
	sum := func(s Sum) string {
		if s.Total == nil {
			return "·"
		}
		return fmt.Sprintf("%d/%d", *s.Total, s.Known)
	}
	var rows []string
	for _, r := range got.Domains {
		rows = append(rows, fmt.Sprint(r.Domain, " docs ", r.Documents, " asked ", r.Asked, " questions ", r.Questions, " pages ", sum(r.Pages), " tables ", sum(r.Tables), " figures ", sum(r.Figures), " scanned ", r.Scanned, " ", r.Sources, r.Licences, r.Doctypes))
	}
	want := []string{
		"finance docs 3 asked 2 questions 2 pages 4/2 tables 6/2 figures 2/2 scanned 1 [{EDGAR 2} {Bundesanzeiger 1}] [{CC-BY-4.0 3}] [{10k 2} {10q 1}]",
		"law docs 1 asked 1 questions 2 pages 5/1 tables · figures · scanned 0 [{stocked 1}] [{NOASSERTION 1}] [{not stated 1}]",
		"all docs 4 asked 3 questions 4 pages 9/3 tables 6/2 figures 2/2 scanned 1 [{EDGAR 2} {Bundesanzeiger 1} {stocked 1}] [{CC-BY-4.0 3} {NOASSERTION 1}] [{10k 2} {10q 1} {not stated 1}]",
	}
	if !slices.Equal(rows, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
	for _, c := range []struct {
		name string
		got  any
		want string
	}{
		{"languages", got.Languages, "[{en 2} {de 1} {not stated 1}]"},
		{"splits", got.Splits, "[{test 2} {train 1} {not stated 1}]"},
		{"gold", got.Gold, "[{none 2} {human 1} {reference(e@1) 1}]"},
		{"classes", got.Classes, "[{allow 3} {evaluate-only 1}]"},
		{"formats", got.Formats, "[{text/plain 4}]"},
		{"retrieved", got.Retrieved, "{2025-12-31 2026-03-02 2 2}"},
		{"dates", got.Dates, "{  0 4}"},
		{"annotations", got.Annotations, "[{not stated (evaluate-only) 1}]"},
		{"documents of questions", got.DocumentsPerQuestion, "[{0 1} {1 2} {2 1}]"},
		{"judged", [3]int{got.Judged, got.Relevant, got.Answers}, "[4 4 0]"},
		{"unlabelled", [2]int{got.Modality.N, got.Modality.Unlabelled}, "[3 1]"},
		{"tasks", [2]int{got.Task.N, got.Task.Unlabelled}, "[2 2]"},
	} {
		if s := fmt.Sprint(c.got); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
	var names []string
	for _, c := range got.Modality.Classes {
		names = append(names, fmt.Sprintf("%s %d of %.1f off %v", c.Name, c.N, *c.Target, c.Off))
	}
	if want := []string{"single-hop 0 of 0.3 off true", "multi-hop 0 of 0.3 off true", "table 2 of 0.2 off true", "figure 0 of 0.1 off false", "unanswerable 1 of 0.1 off false"}; !slices.Equal(names, want) {
		t.Errorf("modalities %q", names)
	}
	if want := []string{
		"domain finance: 2 of 3 documents are from one source, EDGAR",
		"modality table: 3 of 3 documents asked of are from one source, EDGAR",
		"modality single-hop is 0 % of the questions [-25, 25], the target is 30 %",
		"modality multi-hop is 0 % of the questions [-25, 25], the target is 30 %",
		"modality table is 67 % of the questions [42, 92], the target is 20 %",
	}; !slices.Equal(got.Warnings, want) {
		t.Errorf("warnings %q", got.Warnings)
	}
}

func TestDescribeNothing(t *testing.T) {
	got, err := Describe(DescribeOptions{}, &Dataset{Info: Info{Name: "empty"}})
	must(t, err)
	if len(got.Domains) != 1 || got.Domains[0].Pages.Total != nil || got.Modality.Classes[0].Share != nil || len(got.Warnings) != 0 {
		t.Errorf("%+v", got)
	}
}

// TestDescribeJoins holds that the sum of two datasets is that of their parts.
func TestDescribeJoins(t *testing.T) {
	a, b := stocked(t), stocked(t)
	one, err := Describe(DescribeOptions{}, a)
	must(t, err)
	two, err := Describe(DescribeOptions{}, a, b)
	must(t, err)
	for i, r := range two.Domains {
		x := one.Domains[i]
		if r.Documents != 2*x.Documents || r.Questions != 2*x.Questions || r.Asked != 2*x.Asked || (x.Pages.Total != nil && *r.Pages.Total != 2**x.Pages.Total) || r.Tables.Known != 2*x.Tables.Known {
			t.Errorf("%+v is not twice %+v", r, x)
		}
	}
	if two.Modality.N != 2*one.Modality.N || *two.Modality.Classes[0].Share != *one.Modality.Classes[0].Share {
		t.Errorf("%+v", two.Modality)
	}
}

func TestDescribeReadsGold(t *testing.T) {
	ds := stocked(t)
	put(t, ds.Dir, "gold/f1.json", "{")
	if _, err := Describe(DescribeOptions{}, ds); err == nil || !strings.Contains(err.Error(), "gold/f1.json") {
		t.Errorf("got %v", err)
	}
}
