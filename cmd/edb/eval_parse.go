package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
)

// scorePairs scores pairs one after the other. A file that cannot be read fails its own pair: every
// measure that the pair owes has a failed row with the reason. broken names those pairs.
func scorePairs(ctx context.Context, pairs []pair, facts map[string][]edb.Fact, keys []string) (rows []edb.Measurement, broken []string, err error) {
	for _, p := range pairs {
		p.facts = facts[stem(p.unit)]
		rs, err := scorePair(ctx, p, keys)
		var bad *unreadError
		if errors.As(err, &bad) {
			if rs, err = failPair(ctx, p, keys, bad); err == nil {
				broken = append(broken, bad.Error())
			}
		}
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, rs...)
	}
	return rows, broken, nil
}

// unreadError is a file of a pair that cannot be read.
type unreadError struct {
	file string
	err  error
}

func (e *unreadError) Error() string {
	if strings.Contains(e.err.Error(), e.file) {
		return e.err.Error()
	}
	return e.file + ": " + e.err.Error()
}

func (e *unreadError) Unwrap() error { return e.err }

// failPair gives the failed rows of a pair with a file that cannot be read: where the gold can be, of
// what it owes; else of what was asked for, or of the text alone.
func failPair(ctx context.Context, p pair, keys []string, bad *unreadError) ([]edb.Measurement, error) {
	if bad.file != p.gold {
		p.pred = ""
		rows, err := scorePair(ctx, p, keys)
		var gold *unreadError
		if !errors.As(err, &gold) {
			for i := range rows {
				if rows[i].Failed {
					rows[i].Reason = bad.Error()
				}
			}
			return rows, err
		}
	}
	if keys == nil {
		keys = []string{"parse.tis"}
	}
	var rows []edb.Measurement
	for _, k := range keys {
		_, m, err := metrics.Lookup(k)
		if err != nil {
			return nil, err
		}
		rows = append(rows, edb.Measurement{Unit: p.unit, Key: k, Def: m.Def, Failed: true, Reason: bad.Error()})
	}
	return rows, nil
}

// maxTextWork bounds the product of the lengths of two texts that are compared, in bytes: 2 MB against
// 2 MB is a minute or two where they have little in common. What is larger has a reason and no score.
const maxTextWork = 4e12

// scorePair scores one prediction by its gold and its facts; no keys: by all that these allow. Without
// a prediction the rows that the gold owes are failed.
func scorePair(ctx context.Context, p pair, keys []string) ([]edb.Measurement, error) {
	var in metrics.ParseInput
	var err error
	in.Facts = p.facts
	if p.gold != "" {
		if in.Gold, in.GoldMarkdown, err = readParsed(p.gold); err != nil {
			return nil, err
		}
	}
	if p.pred == "" {
		in.Pred, in.PredMarkdown = in.Gold, in.GoldMarkdown
	} else if in.Pred, in.PredMarkdown, err = readParsed(p.pred); err != nil {
		return nil, err
	}
	if g, q := len(in.Gold.Text()), len(in.Pred.Text()); p.pred != "" && float64(g)*float64(q) > maxTextWork {
		return nil, &unreadError{p.pred, fmt.Errorf("texts of %d and %d bytes are too long to compare: divide both", g, q)}
	}
	if in.GoldMarkdown == nil || in.PredMarkdown == nil {
		in.GoldMarkdown, in.PredMarkdown = nil, nil // both as they are written, or both as we write them
	}
	if keys == nil {
		if p.gold != "" {
			keys = slices.Concat(metrics.ParseKeys, metrics.KindKeys(in.Gold))
		}
		keys = slices.Concat(keys, metrics.FactKeys(p.facts))
	}
	rows, err := in.Measure(ctx, keys)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].Unit = p.unit
		if p.pred == "" && rows[i].Value != nil {
			rows[i].Value, rows[i].Failed, rows[i].Reason = nil, true, "no prediction"
		}
	}
	return rows, nil
}

// readParsed reads a file, and a Markdown file once more as it is written.
func readParsed(file string) (edb.Parsed, *string, error) {
	p, err := parse.ReadFile(file)
	if err != nil {
		return p, nil, &unreadError{file, err}
	}
	if !slices.Contains([]string{".md", ".markdown"}, strings.ToLower(filepath.Ext(file))) {
		return p, nil, nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return p, nil, &unreadError{file, err}
	}
	s := string(b)
	return p, &s, nil
}

// readFacts reads a file of facts by the stem of their document; no file: none.
func readFacts(file string) (map[string][]edb.Fact, error) {
	if file == "" {
		return nil, nil
	}
	facts, err := datasets.ReadFacts(file)
	if err != nil {
		return nil, err
	}
	out := map[string][]edb.Fact{}
	docs := map[string]string{}
	for _, f := range facts {
		s := stem(path.Base(f.Doc))
		if old := docs[s]; old != "" && old != f.Doc {
			return nil, fmt.Errorf("%s: documents %s and %s end in the same name: keep the facts of one", file, old, f.Doc)
		}
		docs[s] = f.Doc
		out[s] = append(out[s], f)
	}
	return out, nil
}

// stem is a file's name without the ending of a format that is read.
func stem(name string) string {
	switch ext := filepath.Ext(name); strings.ToLower(ext) {
	case ".json", ".md", ".markdown", ".html", ".htm", ".txt", ".pdf":
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// factKeys refuses measures that need gold where there are facts alone.
func factKeys(keys []string) error {
	for _, k := range keys {
		if n, err := metrics.ParseName(k); err == nil && n.Key() != "parse.facts" {
			return fmt.Errorf("measure %s needs gold: give --gold, or ask for parse.facts", k)
		}
	}
	return nil
}

// pairFacts pairs documents that facts are known of with predictions, where there is no gold.
func pairFacts(facts map[string][]edb.Fact, pred string) (pairs []pair, missing []string, err error) {
	st, err := os.Stat(pred)
	if err != nil {
		return nil, nil, err
	}
	preds := map[string]string{stem(filepath.Base(pred)): pred}
	if st.IsDir() {
		if preds, err = byStem(pred); err != nil {
			return nil, nil, err
		}
	}
	for doc := range facts {
		if preds[doc] == "" {
			if !st.IsDir() {
				continue
			}
			missing = append(missing, doc)
		}
		pairs = append(pairs, pair{unit: doc, pred: preds[doc]})
	}
	if len(pairs) == 0 {
		return nil, nil, fmt.Errorf("--facts has none about %s: the last part of a document's id is the stem of its file", pred)
	}
	slices.Sort(missing)
	slices.SortFunc(pairs, func(a, b pair) int { return strings.Compare(a.unit, b.unit) })
	return pairs, missing, nil
}

// present are the keys asked for, or those of the rows: first the fixed ones in their order, then those
// by kind, and those that facts gave.
func present(keys []string, rows []edb.Measurement) []string {
	if keys != nil {
		return keys
	}
	has := map[string]bool{}
	for _, r := range rows {
		has[r.Key] = true
	}
	var kinds []string
	for _, kind := range slices.Concat(edb.Kinds, []string{"all"}, edb.FactTypes) {
		for _, base := range []string{"element_f1", "facts"} {
			n := metrics.Name{Axis: "parse", Base: base}.With("kind", kind)
			kinds = append(kinds, n.String(), n.With("iou", "0.75").String(), n.With("mean", "micro").String())
		}
	}
	for _, k := range slices.Concat(metrics.ParseKeys, kinds) {
		if has[k] {
			keys = append(keys, k)
			delete(has, k)
		}
	}
	return keys
}
