package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
)

// scorePairs scores pairs, one on each processor; rows and broken stand in the order of the pairs. A
// file that cannot be read fails its own pair: every measure that the pair owes has a failed row with
// the reason. broken names those pairs.
func scorePairs(ctx context.Context, pairs []pair, keys []string) (rows []edb.Measurement, broken []string, err error) {
	var all *metrics.GoldCaptions
	if metrics.NeedCaptions(keys) {
		all = &metrics.GoldCaptions{}
		for _, p := range pairs {
			if p.gold == nil {
				continue
			}
			if gold, _, err := p.gold(); err == nil { // what cannot be read fails its pair below
				all.Add(gold)
			}
		}
	}
	type scored struct {
		rows   []edb.Measurement
		broken string
		err    error
	}
	done := make([]scored, len(pairs))
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(pairs)) {
		wg.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(pairs) {
					return
				}
				one := &done[i]
				one.rows, one.err = scorePair(ctx, pairs[i], keys, all)
				var bad *unreadError
				if errors.As(one.err, &bad) {
					if one.rows, one.err = failPair(ctx, pairs[i], keys, all, bad); one.err == nil {
						one.broken = bad.Error()
					}
				}
				if one.err != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	for _, one := range done { // pairs are begun in order, so the first error is the same on any number of cores
		if one.err != nil {
			return nil, nil, one.err
		}
		if one.broken != "" {
			broken = append(broken, one.broken)
		}
		rows = append(rows, one.rows...)
	}
	return rows, broken, nil
}

// unreadError is the gold or the prediction of a pair that cannot be read.
type unreadError struct {
	gold bool
	err  error
}

func (e *unreadError) Error() string { return e.err.Error() }
func (e *unreadError) Unwrap() error { return e.err }

// failPair gives the failed rows of a pair with a file that cannot be read: where the gold can be, of
// what it owes; else of what was asked for, or of the text alone.
func failPair(ctx context.Context, p pair, keys []string, all *metrics.GoldCaptions, bad *unreadError) ([]edb.Measurement, error) {
	if !bad.gold {
		p.pred = ""
		rows, err := scorePair(ctx, p, keys, all)
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
// a prediction the rows that the gold owes are failed. all are the gold captions of all pairs, where a
// measure rests on them.
func scorePair(ctx context.Context, p pair, keys []string, all *metrics.GoldCaptions) ([]edb.Measurement, error) {
	in := metrics.ParseInput{Facts: p.facts, Captions: all}
	var err error
	if p.gold != nil {
		if in.Gold, in.GoldMarkdown, err = p.gold(); err != nil {
			return nil, &unreadError{true, err}
		}
	}
	if p.pred == "" {
		in.Pred, in.PredMarkdown = in.Gold, in.GoldMarkdown
	} else if in.Pred, in.PredMarkdown, err = readParsed(p.pred); err != nil {
		return nil, &unreadError{false, err}
	}
	if g, q := len(in.Gold.Text()), len(in.Pred.Text()); p.pred != "" && float64(g)*float64(q) > maxTextWork {
		return nil, &unreadError{false, fmt.Errorf("%s: texts of %d and %d bytes are too long to compare: divide both", p.pred, g, q)}
	}
	if in.GoldMarkdown == nil || in.PredMarkdown == nil {
		in.GoldMarkdown, in.PredMarkdown = nil, nil // both as they are written, or both as we write them
	}
	if keys == nil {
		if p.gold != nil {
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
	if p.holds != nil {
		metrics.Annotated(rows, p.holds)
	}
	return rows, nil
}

// readParsed reads a file, and a Markdown file once more as it is written.
func readParsed(file string) (edb.Parsed, *string, error) {
	p, err := parse.ReadFile(file)
	if err != nil || !slices.Contains([]string{".md", ".markdown"}, strings.ToLower(filepath.Ext(file))) {
		return p, nil, err
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return p, nil, err
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

// stem is a file's name without the ending of a form that is read, or of a PDF.
func stem(name string) string {
	if s, ok := parse.Stem(name); ok {
		return s
	}
	if ext := filepath.Ext(name); strings.EqualFold(ext, ".pdf") {
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
