package metrics

import (
	"context"
	"fmt"
	"slices"

	"enterprisedocbench"
)

// ParseKeys are the parse measures of one document that need no encoder, in the order of reports.
var ParseKeys = []string{"parse.tis", "parse.tea", "parse.teds", "parse.teds(mode=structure)", "parse.caption_f1", "parse.lf",
	"parse.heading_f1", "parse.heading_tree", "parse.order"}

// ParseMeasures scores a parse against gold: one row for each of [ParseKeys], Arm and Unit empty.
// Where gold has nothing of the kind the row has no value and says so. What gold.Mask names is left
// out on both sides first.
func ParseMeasures(pred, gold edb.Parsed) []edb.Measurement {
	rows, _ := EvalParse(context.Background(), gold, pred, ParseKeys) // the keys are known
	return rows
}

// EvalParse scores a parse against gold by the named measures, rows in the order of keys (none
// given: [ParseKeys]). An unknown measure, or one that is not of a parse, is an error. A context
// that ends leaves the table measures without a value and with the reason.
func EvalParse(ctx context.Context, gold, pred edb.Parsed, keys []string) ([]edb.Measurement, error) {
	if len(keys) == 0 {
		keys = ParseKeys
	}
	s := parseScorer{ctx: ctx, gold: Masked(gold, gold.Mask), pred: Masked(sharedPages(pred, gold), gold.Mask)}
	s.goldHeads, s.predHeads = headingsOf(s.gold), headingsOf(s.pred)
	var out []edb.Measurement
	for _, key := range keys {
		n, _, err := Lookup(key)
		if err != nil {
			return nil, err
		}
		m, ok := s.measure(n)
		if !ok {
			return nil, fmt.Errorf("measure %s: cannot be had from a parse and its gold alone; choose from %v", n, ParseKeys)
		}
		out = append(out, m)
	}
	return out, nil
}

type parseScorer struct {
	ctx                  context.Context
	gold, pred           edb.Parsed
	goldHeads, predHeads []edb.Element
	goldTables           []pagedTable
	predTables           []pagedTable
	pairs                map[TEDSMode][]TablePair
	fault                map[TEDSMode]error
}

func (s *parseScorer) measure(n Name) (edb.Measurement, bool) {
	key := n.String()
	value := func(v float64, ok bool, reason string) (edb.Measurement, bool) {
		if !ok {
			return none(key, reason), true
		}
		return row(key, v), true
	}
	switch n.Key() {
	case "parse.tis":
		pred, gold := s.pred.Text(), s.gold.Text()
		return value(TIS(pred, gold), true, "")
	case "parse.tea", "parse.teds":
		mode := TEDSMode{Structure: n.Param("mode") == "structure", PubTabNet: n.Param("compat") == "pubtabnet"}
		pairs, err := s.tables(mode)
		switch {
		case len(s.goldTables) == 0:
			return none(key, "gold has no table"), true
		case err != nil:
			return none(key, err.Error()), true
		case n.Base == "tea":
			v, _ := TEA(pairs, len(s.goldTables), len(s.predTables))
			return row(key, v), true
		}
		v, ok := MeanTEDS(pairs)
		return value(v, ok, "no table was matched")
	case "parse.caption_f1":
		v, ok := CaptionF1(figureCaptions(s.pred), figureCaptions(s.gold))
		return value(v, ok, "gold has no figure caption")
	case "parse.lf":
		v, ok := LF(s.pred.Text(), textsOf(s.goldHeads))
		return value(v, ok, "gold has no heading")
	case "parse.heading_f1":
		v, ok := HeadingF1(s.predHeads, s.goldHeads)
		return value(v, ok, "gold has no heading")
	case "parse.heading_tree":
		v, ok := HeadingTree(s.predHeads, s.goldHeads)
		return value(v, ok, "gold has no headings with levels")
	case "parse.order":
		var texts []string
		for _, e := range s.gold.Elements {
			if !e.Artifact() && e.Text != "" {
				texts = append(texts, e.Text)
			}
		}
		v, ok := Order(s.pred.Text(), texts)
		return value(v, ok, "gold has no text")
	}
	return edb.Measurement{}, false
}

// tables matches once for each mode. Structure is scored over the pairs that the contents made.
func (s *parseScorer) tables(mode TEDSMode) ([]TablePair, error) {
	if s.pairs == nil {
		s.pairs, s.fault = map[TEDSMode][]TablePair{}, map[TEDSMode]error{}
		s.goldTables, s.predTables = tablesOf(s.gold), tablesOf(s.pred)
	}
	if p, ok := s.pairs[mode]; ok {
		return p, s.fault[mode]
	}
	var pairs []TablePair
	var err error
	if mode.Structure {
		pairs, err = s.tables(TEDSMode{PubTabNet: mode.PubTabNet})
		pairs = slices.Clone(pairs)
		for i, p := range pairs {
			if err != nil {
				break
			}
			pairs[i].Score, err = TEDS(s.ctx, s.predTables[p.Pred].Table, s.goldTables[p.Gold].Table, mode)
		}
	} else {
		pairs, err = matchTables(s.ctx, s.predTables, s.goldTables, s.pred.Paged && s.gold.Paged, mode)
	}
	s.pairs[mode], s.fault[mode] = pairs, err
	return pairs, err
}
