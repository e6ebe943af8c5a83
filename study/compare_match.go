package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"enterprisedocbench/pipeline"
)

// sameTask refuses two runs that did not do the same task by the same instrument, and says how they
// differ. merged asks that domains were merged alike as well.
func sameTask(a, b *Run, merged bool) error {
	refuse := func(what, remedy string, va, vb any) error {
		return fmt.Errorf("%s and %s cannot be compared: %s: %v against %v: %s", a.Dir, b.Dir, what, va, vb, remedy)
	}
	const again = "run both on one dataset with one setting of queries"
	if va, vb := unitSets(a.documents, b.documents); va != "" {
		return refuse("the documents differ", again, va, vb)
	}
	if va, vb := unitSets(a.questions, b.questions); va != "" {
		return refuse("the questions differ", again, va, vb)
	}
	if a.Spec.Corpus != b.Spec.Corpus {
		name := func(r *Run) string { return fmt.Sprintf("%s (corpus %.12s)", r.Summary.Dataset, r.Spec.Corpus) }
		return refuse(corpusDiffers(a.Spec.Parts, b.Spec.Parts), again+"; edb dataset diff says what changed", name(a), name(b))
	}
	for _, engine := range []string{"score", "align"} {
		if va, vb := version(a.Spec.Engines, engine), version(b.Spec.Engines, engine); va != vb {
			return refuse("they were scored by different versions", "run the older one again", va, vb)
		}
	}
	ma, mb := a.Spec.Config.Metrics, b.Spec.Config.Metrics
	if ma.Verifier != mb.Verifier {
		return refuse("claims were verified otherwise (metrics.verifier)", "run both with one verifier", ma.Verifier, mb.Verifier)
	}
	if merged {
		if sa, sb := a.Spec.Config.Strata.Merge, b.Spec.Config.Strata.Merge; !maps.Equal(sa, sb) {
			return refuse("domains were merged otherwise (strata.merge)", "run both with one setting of strata", sa, sb)
		}
	}
	return nil
}

// corpusDiffers says in what two corpora with the same ids differ, as far as the runs tell.
func corpusDiffers(a, b map[string]string) string {
	var other []string
	for _, part := range []struct{ name, words string }{
		{"documents", "documents (file, licence or another key)"}, {"question texts", "the texts of questions"}, {"questions", "questions (answers, evidence or another key)"},
		{"judgements", "judgements"}, {"gold", "gold"}, {"facts", "facts"},
	} {
		x, y := a[part.name], b[part.name]
		if x == "" || y == "" {
			return "the datasets differ though their ids are the same"
		}
		if x != y && !(part.name == "questions" && slices.Contains(other, "the texts of questions")) {
			other = append(other, part.words)
		}
	}
	if len(other) == 0 {
		return "the datasets differ though their ids are the same"
	}
	return "the ids are the same and " + strings.Join(other, ", ") + " differ"
}

// unitSets describes how two sets of units differ; both are empty where they do not.
func unitSets(a, b map[string]pipeline.Unit) (string, string) {
	only := func(x, y map[string]pipeline.Unit) []string {
		var out []string
		for _, id := range slices.Sorted(maps.Keys(x)) {
			if _, ok := y[id]; !ok {
				out = append(out, id)
			}
		}
		return out
	}
	oa, ob := only(a, b), only(b, a)
	if len(oa)+len(ob) == 0 {
		return "", ""
	}
	words := func(n int, own []string) string {
		if len(own) == 0 {
			return fmt.Sprint(n)
		}
		return fmt.Sprintf("%d (%d of its own: %s)", n, len(own), shortList(own, 3))
	}
	return words(len(a), oa), words(len(b), ob)
}

// shortList joins the first n of a list and marks that there are more.
func shortList(list []string, n int) string {
	if len(list) <= n {
		return strings.Join(list, ", ")
	}
	return strings.Join(list[:n], ", ") + ", …"
}

// version finds NAME@VERSION in the list of engines of a run.
func version(engines []string, name string) string {
	for _, e := range engines {
		if strings.HasPrefix(e, name+"@") {
			return e
		}
	}
	return name + " of no version"
}

func sameMachine(a, b *Run) bool { return fmt.Sprint(a.Spec.Machine) == fmt.Sprint(b.Spec.Machine) }

// sameMeasure refuses a key whose figures depend on different parts, or that the two sides measured
// by different definitions or at different grains.
func (p pairing) sameMeasure(key string, terms []term) error {
	refuse := func(key, what, remedy string, va, vb any) error {
		return fmt.Errorf("%s of %s and of %s cannot be compared: %s: %v against %v: %s", key, p.base.name, p.other.name, what, va, vb, remedy)
	}
	fa, fb := p.base.figure(key), p.other.figure(key)
	if fa.Value != nil && fb.Value != nil {
		if fa.Variant != fb.Variant {
			return refuse(key, "variants differ", "run both with the same metrics", orNone(fa.Variant), orNone(fb.Variant))
		}
		if fa.Def != fb.Def {
			return refuse(key, "versions of the definition differ", "run the older one again", fa.Def, fb.Def)
		}
	}
	for _, t := range terms {
		a, b := p.base.records().values[t.key], p.other.records().values[t.key]
		if va, vb := definition(a), definition(b); va != vb && va > 0 && vb > 0 {
			return refuse(t.key, "versions of the definition differ", "run the older one again", va, vb)
		}
		ga, gb := grainOnly(a), grainOnly(b)
		if (ga != "") != (gb != "") && len(a) > 0 && len(b) > 0 {
			return refuse(t.key, "grains differ", "compare at grain=document", firstOf(ga, "it has page grain"), firstOf(gb, "it has page grain"))
		}
	}
	return nil
}

func orNone(s string) string { return firstOf(s, "none") }

// definition is the version that a measure's rows carry, 0 without rows.
func definition(values map[string]sample) int {
	most := 0
	for _, s := range values {
		most = max(most, s.def)
	}
	return most
}

// grainOnly is the reason of rows that say that no unit has page grain; "" where one has.
func grainOnly(values map[string]sample) string {
	reason := ""
	for _, s := range values {
		if s.Strict != nil {
			return ""
		}
		if strings.Contains(s.Reason, "document grain only") {
			reason = s.Reason
		}
	}
	return reason
}
