package main

import (
	"fmt"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/figure"
	"enterprisedocbench/metrics"
	"enterprisedocbench/stats"
)

// parseAsk is what is asked of eval parse: measures of documents, and P, which is made of their means.
type parseAsk struct {
	keys     []string // as they are to be shown; nil: what the gold gives
	rows     []string // those of documents, with the parts of P; nil: what the gold gives
	p        bool     // P is wanted
	captions string   // the caption measure of P
}

// askParse sorts out keys (nil: the default). P takes BERTScore of captions where that is among them.
func askParse(keys []string, gold bool) (parseAsk, error) {
	a := parseAsk{keys: keys, captions: "parse.caption_f1"}
	if keys == nil {
		a.p = gold
		return a, nil
	}
	a.rows = []string{}
	for _, k := range keys {
		n, _, err := metrics.Lookup(k)
		if err != nil {
			return a, err
		}
		if n.Key() != "parse.p" {
			a.rows = append(a.rows, k)
		}
		a.p = a.p || n.Key() == "parse.p"
		if e := n.Param("encoder"); e != "" && k == metrics.CaptionKey(e) {
			a.captions = k
		}
	}
	if !a.p {
		return a, nil
	}
	parts := []string{"parse.tis", "parse.tea", a.captions, "parse.lf"}
	for _, k := range keys {
		n, _, _ := metrics.Lookup(k)
		for _, part := range pParts(n) {
			if !slices.ContainsFunc(parts, func(key string) bool { return figure.PartName(key) == part }) {
				return a, fmt.Errorf("measure %s: %q is no part of P here: use tis, tea, %s or lf", k, part, figure.PartName(a.captions))
			}
		}
	}
	for _, k := range parts {
		if !slices.Contains(a.rows, k) {
			a.rows = append(a.rows, k)
		}
	}
	return a, nil
}

// pParts are the parts that parse.p(parts=tis+lf) names; nil: all.
func pParts(n metrics.Name) []string {
	if n.Key() != "parse.p" || n.Param("parts") == "" {
		return nil
	}
	return strings.Split(n.Param("parts"), "+")
}

// figures makes the figures of what was asked, and gives their keys in order.
func (a parseAsk) figures(set map[string]*figure.Sample, rows []edb.Measurement) (map[string]edb.Figure, []string) {
	out := map[string]edb.Figure{}
	for key, s := range set {
		out[key] = s.Figure(key, stats.Options{})
	}
	if !a.p {
		return out, present(a.keys, rows)
	}
	whole := figure.P(set, a.captions, stats.Options{})
	if a.keys == nil {
		whole.Put(out)
		keys := []string{"parse.p"}
		if len(whole.Missing) > 0 && len(whole.Have) > 0 {
			keys = append(keys, whole.Named())
		}
		return out, append(keys, present(nil, rows)...)
	}
	asked := map[string]edb.Figure{}
	var keys []string
	put := func(key string, f edb.Figure) {
		if _, ok := asked[key]; !ok {
			keys = append(keys, key)
			asked[key] = f
		}
	}
	for _, k := range a.keys {
		n, _, _ := metrics.Lookup(k)
		switch {
		case n.Key() != "parse.p":
			put(k, out[k])
		case pParts(n) == nil:
			whole.Put(out)
			put(k, out[k])
			if len(whole.Missing) > 0 && len(whole.Have) > 0 {
				put(whole.Named(), out[whole.Named()])
			}
		default:
			some := figure.P(set, a.captions, stats.Options{}, pParts(n)...)
			f := map[string]edb.Figure{}
			some.Put(f)
			put(k, f["parse.p"])
		}
	}
	return asked, keys
}
