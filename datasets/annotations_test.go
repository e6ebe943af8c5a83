package datasets

import (
	"fmt"
	"strings"
	"testing"

	edb "enterprisedocbench"
)

func TestRateAnnotations(t *testing.T) {
	asked := []edb.Question{{ID: "q", Text: "?"}}
	for _, c := range []struct {
		name          string
		set           Dataset
		class, reason string // class "": there is nothing to rate
	}{
		{"nothing added", Dataset{Documents: []edb.Document{{ID: "a", Gold: "source"}}}, "", ""},
		{"questions without a licence", Dataset{Questions: asked}, ClassEvaluate, "no licence is named: write annotations into dataset.yaml"},
		{"judgements alone", Dataset{Qrels: map[string]map[string]int{"q": {"a#1": 1}}}, ClassEvaluate, "no licence is named"},
		{"human gold", Dataset{Documents: []edb.Document{{ID: "a", Gold: "human"}}}, ClassEvaluate, "no licence is named"},
		{"free", Dataset{Questions: asked, Info: Info{Annotations: &Annotations{"CC-BY-4.0", true, true, true, "page 1"}}}, ClassAllow, ""},
		{"no commercial use", Dataset{Info: Info{Annotations: &Annotations{"CC-BY-NC-4.0", true, true, false, "dataset card"}}}, ClassEvaluate, "no commercial use"},
		{"claims too much", Dataset{Info: Info{Annotations: &Annotations{"CC-BY-NC-4.0", true, true, true, "dataset card"}}}, ClassRefuse, "its line claims commercial use"},
		{"no evidence", Dataset{Info: Info{Annotations: &Annotations{"CC-BY-4.0", true, true, true, ""}}}, ClassEvaluate, "annotations.evidence is missing"},
	} {
		got := RateAnnotations(&c.set)
		switch {
		case c.class == "" && len(got) > 0, c.class != "" && len(got) != 1:
			t.Errorf("%s: %+v", c.name, got)
		case c.class != "" && (got[0].Class != c.class || !strings.HasPrefix(got[0].Reason, c.reason) || (c.reason == "") != (got[0].Reason == "") || got[0].Part != PartAnnotations):
			t.Errorf("%s: %+v", c.name, got[0])
		}
	}
}

// A free corpus whose questions are for research only cannot be released for money with them, and can
// without.
func TestReleaseJudgesAnnotations(t *testing.T) {
	set := &Dataset{Info: Info{Name: "s", Annotations: &Annotations{"CC-BY-NC-4.0", true, true, false, "card"}},
		Documents: []edb.Document{{ID: "a", Licence: edb.Licence{SPDX: "MIT", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "x"}}}}
	docs, added := RateLicences(set), RateAnnotations(set)
	all := append(docs, added...)
	if rel := CheckRelease(all, false); len(rel.LeaveOut) > 0 || rel.ForMoney || rel.Documents != 1 || rel.Annotations != 1 {
		t.Errorf("not for money: %+v", rel)
	}
	rel := CheckRelease(all, true)
	if len(rel.LeaveOut) != 1 || rel.LeaveOut[0] != (Blocked{"s", "", PartAnnotations, "CC-BY-NC-4.0", "no commercial use"}) || rel.Documents != 1 || rel.Annotations != 0 || !rel.ForMoney {
		t.Errorf("for money: %+v", rel)
	}
	if rel := CheckRelease(docs, true); len(rel.LeaveOut) > 0 || !rel.ForMoney {
		t.Errorf("documents alone: %+v", rel)
	}
	if text := attribution([]*Dataset{set}); !strings.Contains(text, "  - questions, answers, judgements, labels and gold: CC-BY-NC-4.0 <https://spdx.org/licenses/CC-BY-NC-4.0.html>; card\n") {
		t.Errorf("attribution:\n%s", text)
	}
}

// Every collection that adds something says under which licence, in terms that are known here or
// that its entry names, and the importer is called as the entry.
func TestPublishedAnnotations(t *testing.T) {
	importers := map[string]bool{}
	for _, i := range Importers() {
		importers[i.Name] = true
	}
	for name, p := range publishedAnnotations {
		a := annotationsOf(name)
		if !importers[name] || a.Evidence == "" {
			t.Errorf("%s: %+v", name, a)
		}
		r, _ := (&Dataset{Info: Info{Annotations: a}}).rateAnnotations()
		if r.Class == ClassRefuse || strings.Contains(r.Reason, "not among the licences") {
			t.Errorf("%s (%s): %s %s", name, p[0], r.Class, r.Reason)
		}
	}
	if a := annotationsOf("joss"); a != nil {
		t.Errorf("joss adds %+v", a)
	}
	if a := (origin{}).annotations(); a.SPDX != "NOASSERTION" || a.Evidence == "" {
		t.Errorf("without a manifest: %+v", a)
	}
	if a := (origin{Licence: "CC-BY-SA-4.0 (card)"}).annotations(); fmt.Sprint(*a) != "{CC-BY-SA-4.0 true true true CC-BY-SA-4.0 (card)}" {
		t.Errorf("with a manifest: %+v", a)
	}
}

func TestAnnotationsAreReadAndWritten(t *testing.T) {
	want := Info{Name: "x", Annotations: &Annotations{"CC-BY-NC-4.0", true, true, false, "dataset card"}}
	raw, err := want.encode()
	must(t, err)
	got, faults := parseInfo(raw)
	if len(faults) > 0 || got.Annotations == nil || *got.Annotations != *want.Annotations {
		t.Errorf("%s\nread as %+v, %v", raw, got.Annotations, faults)
	}
	for yaml, want := range map[string]string{
		"name: x\nannotations: {}\n":                  "dataset.yaml:2: annotations states no licence: give annotations.spdx and annotations.evidence",
		"name: x\nannotations: {licence: MIT}\n":      `dataset.yaml:2: unknown field "licence"`,
		"name: x\nannotations: {commercial: often}\n": "dataset.yaml:2: ",
	} {
		if _, faults := parseInfo([]byte(yaml)); len(faults) != 1 || !strings.HasPrefix(faults[0].String(), want) {
			t.Errorf("%q: %v", yaml, faults)
		}
	}
}
