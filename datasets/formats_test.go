package datasets

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/elements"
	"enterprisedocbench/internal/strict"
)

// TestFormatsPage holds that the examples of docs/formats.md are what the readers accept, and that
// the page names every key.
func TestFormatsPage(t *testing.T) {
	page := read1(t, "..", "docs", "formats.md")
	blocks := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)## (\\S+)\n.*?```\\w*\n(.*?)```").FindAllStringSubmatch(page, -1) {
		blocks[m[1]] = m[2]
	}
	if _, faults := parseInfo([]byte(blocks["dataset.yaml"])); len(faults) > 0 || blocks["dataset.yaml"] == "" {
		t.Errorf("dataset.yaml: %v", faults)
	}
	line := strings.TrimSpace(blocks["documents.jsonl"])
	doc, faults := decodeRow[edb.Document]([]byte(line), reflect.TypeFor[edb.Document]())
	if len(faults) > 0 || doc == nil || len(documentFaults(*doc)) > 0 {
		t.Fatalf("documents.jsonl: %v", faults)
	}
	raw := []byte(blocks["gold/NAME.json"])
	gold, found := elements.Strict(raw)
	if len(found) > 0 || len(goldFaults(*doc, gold)) > 0 {
		t.Errorf("gold: %v %v", found, goldFaults(*doc, gold))
	}
	for q := range strings.Lines(blocks["queries.jsonl"]) {
		v, faults := decodeRow[edb.Question]([]byte(q), reflect.TypeFor[edb.Question]())
		if len(faults) > 0 || len(Info{}.questionFaults(*v)) > 0 {
			t.Errorf("queries.jsonl: %v", faults)
		}
		for _, e := range v.Evidence {
			if got := string([]rune(pageText(gold, e.Page))[e.Start:e.End]); got != e.Quote {
				t.Errorf("evidence is %q, the quote %q", got, e.Quote)
			}
		}
	}
	for q := range strings.Lines(blocks["qrels.txt"]) {
		if _, _, _, problem, _ := parseQrel(q); problem != "" {
			t.Errorf("qrels.txt: %q: %s", q, problem)
		}
	}
	n := 0
	for a := range strings.Lines(blocks["answers.jsonl"]) {
		v, faults := decodeRow[LabelledAnswer]([]byte(a), reflect.TypeFor[LabelledAnswer]())
		if len(faults) > 0 || len(labelledFaults(*v)) > 0 {
			t.Errorf("answers.jsonl: %v %v", faults, labelledFaults(*v))
		}
		n++
	}
	if n != 2 {
		t.Errorf("answers.jsonl: %d lines", n)
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[LabelledAnswer](), reflect.TypeFor[Label](), reflect.TypeFor[LabelledClaim](), reflect.TypeFor[Comparison](), reflect.TypeFor[LabelSpan](), reflect.TypeFor[edb.Citation](), reflect.TypeFor[edb.Document](), reflect.TypeFor[edb.Question](), reflect.TypeFor[edb.Element](), reflect.TypeFor[elements.File](), reflect.TypeFor[edb.Licence](), reflect.TypeFor[edb.Evidence](), reflect.TypeFor[edb.GoldAnswer]()} {
		for key := range strict.Fields(typ) {
			if !strings.Contains(page, key) {
				t.Errorf("%s: key %q is not described", typ, key)
			}
		}
	}
}
