package datasets

import (
	"cmp"

	edb "enterprisedocbench"
)

// Annotations is the licence of what people or programs added to the documents of a dataset: questions,
// answers, judgements, labels, facts, and gold that people made. Flags and evidence are as those of a
// document.
type Annotations struct {
	SPDX         string `yaml:"spdx,omitempty"`
	Redistribute bool   `yaml:"redistribute,omitempty"`
	Derivatives  bool   `yaml:"derivatives,omitempty"`
	Commercial   bool   `yaml:"commercial,omitempty"`
	Evidence     string `yaml:"evidence,omitempty"`
}

// RateAnnotations rates the annotations of datasets that have or state some, in the order given.
func RateAnnotations(sets ...*Dataset) []Rating {
	out := []Rating{}
	for _, d := range sets {
		if a, ok := d.rateAnnotations(); ok {
			out = append(out, a)
		}
	}
	return out
}

func (d *Dataset) rateAnnotations() (Rating, bool) {
	r := Rating{Class: ClassEvaluate, Reason: "no licence is named: write annotations into " + InfoFile}
	switch a := d.Info.Annotations; {
	case a == nil && !d.annotated():
		return r, false
	case a != nil:
		r = rate(edb.Licence{SPDX: a.SPDX, Redistribute: a.Redistribute, Derivatives: a.Derivatives, Commercial: a.Commercial, Evidence: a.Evidence})
		if a.Evidence == "" {
			r.Reason = "annotations.evidence is missing: say how the licence is known"
		}
	}
	r.Dataset, r.Part = d.Info.Name, PartAnnotations
	return r, true
}

// annotated reports whether somebody added to the documents what can have a licence of its own.
func (d *Dataset) annotated() bool {
	if len(d.Questions)+len(d.Qrels)+len(d.Answers)+len(d.Facts) > 0 {
		return true
	}
	for _, doc := range d.Documents {
		if doc.Gold == "human" {
			return true
		}
	}
	return false
}

// stateAnnotations is a licence with the flags that it grants.
func stateAnnotations(spdx, evidence string) *Annotations {
	terms, _ := licenceTerms(spdx) // what is unknown grants nothing
	return &Annotations{spdx, terms.Redistribute, terms.Derivatives, terms.Commercial, evidence}
}

// publishedAnnotations says under which licence the makers of a collection publish what they added, and
// how that is known. Collections that add nothing (papers with their sources, patents) are not here.
var publishedAnnotations = map[string][2]string{
	"attributionbench": {"Apache-2.0", "dataset card of AttributionBench"},
	"bertscore":        {"MIT", "repository of bert_score"},
	"courts":           {"BSD-2-Clause", "repositories doctor and juriscraper, whose expected metadata the questions are made of"},
	"cuad":             {"CC-BY-4.0", "CUAD v1 as The Atticus Project publishes it"},
	"docbank":          {"Apache-2.0", "distribution of DocBank"},
	"dpbench":          {"MIT", "dataset card of DP-Bench"},
	"edgar_html":       {"MIT", "repository of the expected sections, sec-parser-test-data"},
	"expertqa":         {"MIT", "repository of ExpertQA"},
	"financebench":     {"CC-BY-NC-4.0", "dataset card of FinanceBench"},
	"finqa":            {"MIT", "repository of FinQA"},
	"halueval":         {"MIT", "repository of HaluEval"},
	"icdar2013":        {"MIT", "repository that holds the annotations"},
	"legalbench":       {"CC-BY-4.0", "READMEs of the tasks"},
	"ohrbench":         {"LicenseRef-OHR-Bench", "dataset card of OHR-Bench: for research, not for commercial use"},
	"olmocr_bench":     {"Apache-2.0", "repository of olmOCR"},
	"omnidocbench":     {"LicenseRef-OmniDocBench", "README of OmniDocBench: for research, not for commercial use"},
	"pubmedqa":         {"MIT", "repository of PubMedQA"},
	"pubtabnet":        {"CDLA-Permissive-1.0", "README of PubTabNet, for the annotations"},
	"ragchecker":       {"Apache-2.0", "repository of RAGChecker; the texts are from the sets that it names"},
	"rouge":            {"Apache-2.0", "repository of rouge_score"},
	"stackexchange":    {"CC-BY-SA-3.0 AND CC-BY-SA-4.0", "questions are posts as their answers are; the version goes by the day"},
	"tabula":           {"MIT", "repository of tabula-java"},
	"tatqa":            {"CC-BY-4.0", "README of TAT-QA"},
	"text_extraction":  {"BSD-3-Clause", "repository of the benchmark"},
	"trec_eval":        {"NIST-PD", "LICENSE.md of trec_eval"},
	"vaswani":          {"LicenseRef-free-test-collection", "published by the Glasgow IR group as a free test collection"},
}

// annotationsOf gives the licence of a collection's annotations; nil where it adds none or is not known.
func annotationsOf(collection string) *Annotations {
	p, ok := publishedAnnotations[collection]
	if !ok {
		return nil
	}
	a := stateAnnotations(p[0], p[1])
	if collection == "vaswani" { // as its documents
		a.Redistribute, a.Derivatives = true, true
	}
	return a
}

// annotations gives the licence that a manifest beside the collection states for the file of its
// questions or judgements.
func (o origin) annotations() *Annotations {
	l := o.stated()
	if o.Licence == "" {
		l.Evidence = "the collection states no licence for its questions and judgements"
	}
	return &Annotations{cmp.Or(l.SPDX, "NOASSERTION"), l.Redistribute, l.Derivatives, l.Commercial, l.Evidence}
}
