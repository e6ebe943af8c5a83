package metrics

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"enterprisedocbench"
)

// ParseKeys are the parse measures of one document that need no encoder, in the order of reports;
// [CaptionKey] names the one that does.
var ParseKeys = []string{"parse.tis", "parse.tea", "parse.teds", "parse.teds(mode=structure)", "parse.caption_f1", "parse.lf",
	"parse.heading_f1", "parse.heading_tree", "parse.order",
	"parse.tis(mode=raw)", "parse.tis(level=page)", "parse.tis(mean=micro)", "parse.caption_chrf", "parse.element_f1", "parse.element_f1(iou=0.75)",
	"parse.formula_sim", "parse.number_recall", "parse.entity_recall"}

// KindKeys are the measures that a document has beside [ParseKeys] for the kinds of elements whose
// places its gold knows: detection of each kind at both overlaps.
func KindKeys(gold edb.Parsed) (keys []string) {
	has := map[string]bool{}
	for _, e := range gold.Elements {
		has[e.Kind] = has[e.Kind] || e.Box != nil
	}
	for _, kind := range edb.Kinds {
		if has[kind] {
			n := Name{Axis: "parse", Base: "element_f1"}.With("kind", kind)
			keys = append(keys, n.String(), n.With("iou", "0.75").String())
		}
	}
	return keys
}

// ParseMeasures scores a parse against gold: one row for each of [ParseKeys] and [KindKeys], then for
// each further key that is not among them, Arm and Unit empty. Where gold has nothing of the kind the
// row has no value and says so. What gold.Mask names is left out on both sides first. Further keys are
// of the table of measures and of a parse, or there are no rows.
func ParseMeasures(pred, gold edb.Parsed, more ...string) []edb.Measurement {
	return ParseInput{Gold: gold, Pred: pred}.All(more...)
}

// All is [ParseMeasures] of the input.
func (in ParseInput) All(more ...string) []edb.Measurement {
	keys := slices.Concat(ParseKeys, KindKeys(in.Gold))
	for _, k := range more {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	rows, _ := in.Measure(context.Background(), keys)
	return rows
}

// FactMeasures scores a parse by facts about its document: one row for all of them and one for each
// type there is, each as a share and once more to be pooled (see [Facts]). No facts: no rows.
func FactMeasures(pred edb.Parsed, facts []edb.Fact) []edb.Measurement {
	if len(facts) == 0 {
		return nil
	}
	rows, _ := ParseInput{Pred: pred, Facts: facts}.Measure(context.Background(), FactKeys(facts)) // the keys are known
	return rows
}

// FactKeys are the measures that facts give: all of them, each type there is, and both again pooled.
func FactKeys(facts []edb.Fact) (keys []string) {
	if len(facts) == 0 {
		return nil
	}
	for _, kind := range slices.Concat([]string{"all"}, edb.FactTypes) {
		if kind == "all" || slices.ContainsFunc(facts, func(f edb.Fact) bool { return f.Type == kind }) {
			n := Name{Axis: "parse", Base: "facts"}.With("kind", kind)
			keys = append(keys, n.String(), n.With("mean", "micro").String())
		}
	}
	return keys
}

// EvalParse is [ParseInput.Measure] of a parse and its gold alone (no keys given: [ParseKeys]).
func EvalParse(ctx context.Context, gold, pred edb.Parsed, keys []string) ([]edb.Measurement, error) {
	if len(keys) == 0 {
		keys = ParseKeys
	}
	return ParseInput{Gold: gold, Pred: pred}.Measure(ctx, keys)
}

// ParseInput is what a parse is scored by.
type ParseInput struct {
	Gold, Pred edb.Parsed
	// GoldMarkdown and PredMarkdown are the two as Markdown, for the measures of DP-Bench, where they
	// were written so; nil stands for what Parsed.Markdown writes.
	GoldMarkdown, PredMarkdown *string
	Facts                      []edb.Fact // about this document
	// Captions are those of all documents that are scored together, for parse.fcq with idf=yes; nil: of
	// this one alone.
	Captions *GoldCaptions
}

// Measure scores a parse by the named measures, rows in the order of keys. An unknown measure, one
// that is not of a parse, or one whose encoder is not here, is an error. A context that ends leaves the measures of tables and trees
// without a value and with the reason. The measures of DP-Bench look at the Markdown as it is: gold's
// mask is not applied to them, nor to facts.
func (in ParseInput) Measure(ctx context.Context, keys []string) ([]edb.Measurement, error) {
	mask := in.Gold.Mask
	s := parseScorer{ctx: ctx, in: in, gold: Masked(in.Gold, mask), pred: Masked(sharedPages(in.Pred, in.Gold), mask)}
	s.goldHeads, s.predHeads = headingsOf(s.gold), headingsOf(s.pred)
	s.tis = sync.OnceValue(func() float64 { return TIS(s.pred.Text(), s.gold.Text()) })
	var out []edb.Measurement
	for _, key := range keys {
		n, _, err := Lookup(key)
		if err != nil {
			return nil, err
		}
		if err := ready(n); err != nil {
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
	in                   ParseInput
	tis                  func() float64
	gold, pred           edb.Parsed
	goldHeads, predHeads []edb.Element
	markdown             []string // of prediction and gold
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
	if reason := leftOut(n.Key(), s.in.Gold.Mask); reason != "" {
		return none(key, reason), true
	}
	switch n.Key() {
	case "parse.tis":
		return s.textIntegrity(n), true
	case "parse.nid", "parse.mhs":
		return s.dpbench(n), true
	case "parse.facts":
		return s.facts(n), true
	case "parse.tea", "parse.teds":
		if n.Param("compat") == "dpbench" {
			return s.dpbench(n), true
		}
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
	case "parse.fcq":
		return s.captions(n), true
	case "parse.caption_f1":
		v, ok := CaptionF1(figureCaptions(s.pred), figureCaptions(s.gold))
		return value(v, ok, "gold has no figure caption")
	case "parse.caption_chrf":
		v, ok := CaptionChrF(figureCaptions(s.pred), figureCaptions(s.gold))
		return value(v, ok, "gold has no figure caption")
	case "parse.element_f1":
		iou, _ := strconv.ParseFloat(cmp.Or(n.Param("iou"), "0.5"), 64)
		v, ok := ElementF1(s.pred, s.gold, n.Param("kind"), iou)
		return value(v, ok, "gold has no box of the kind, or pages that do not pair")
	case "parse.formula_sim":
		v, ok, err := FormulaSim(formulasOf(s.pred), formulasOf(s.gold))
		if err != nil {
			return none(key, err.Error()), true
		}
		return value(v, ok, "gold has no formula")
	case "parse.number_recall":
		v, ok := NumberRecall(s.pred.Text(), s.gold.Text())
		return value(v, ok, "gold has no number")
	case "parse.entity_recall":
		v, ok := EntityRecall(s.pred, s.gold)
		return value(v, ok, "gold has no name, date or code")
	case "parse.lf":
		v, ok := LF(s.pred.Text(), textsOf(s.goldHeads))
		return value(v, ok, "gold has no heading")
	case "parse.heading_f1":
		v, ok := HeadingF1(s.predHeads, s.goldHeads)
		return value(v, ok, "gold has no heading")
	case "parse.heading_recall":
		v, ok := HeadingRecall(s.predHeads, s.goldHeads)
		return value(v, ok, "gold has no heading")
	case "parse.heading_precision":
		v, ok := HeadingPrecision(s.predHeads, s.goldHeads)
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

// textIntegrity is TIS in one of its variants. A pooled one weighs as much as its text is long.
func (s *parseScorer) textIntegrity(n Name) edb.Measurement {
	key, raw, micro := n.String(), n.Param("mode") == "raw", n.Param("mean") == "micro"
	pred, gold := s.pred, s.gold
	var m edb.Measurement
	switch {
	case n.Param("level") == "page":
		v, ok := TISPages(pred, gold, raw, micro)
		if !ok {
			return none(key, "gold or prediction has no page marks")
		}
		m = row(key, v)
	case raw:
		m = row(key, TISRaw(pred.Text(), gold.Text()))
	default:
		m = row(key, s.tis())
	}
	if micro {
		m.Weight = textWeight(pred, gold, raw, n.Param("level") == "page")
	}
	return m
}

// dpbench is one of the measures of DP-Bench, on the Markdown of both.
func (s *parseScorer) dpbench(n Name) edb.Measurement {
	if s.markdown == nil {
		s.markdown = make([]string, 2)
		for i, side := range []*string{s.in.PredMarkdown, s.in.GoldMarkdown} {
			switch {
			case side != nil:
				s.markdown[i] = *side
			case i == 0:
				s.markdown[i] = sharedPages(s.in.Pred, s.in.Gold).Markdown()
			default:
				s.markdown[i] = s.in.Gold.Markdown()
			}
		}
	}
	key, structure := n.String(), n.Param("mode") == "structure"
	var v float64
	var ok bool
	var err error
	reason := "gold has no text"
	switch n.Base {
	case "nid":
		v, ok = NID(s.markdown[0], s.markdown[1], n.Param("tables") == "no")
	case "mhs":
		v, ok, err = MHS(s.ctx, s.markdown[0], s.markdown[1], structure)
		reason = "gold has no heading"
	default:
		v, ok, err = DPBenchTEDS(s.ctx, s.markdown[0], s.markdown[1], structure)
		reason = "gold has no table"
	}
	switch {
	case err != nil:
		return none(key, err.Error())
	case !ok:
		return none(key, reason)
	}
	return row(key, v)
}

// captions is FCQ with the encoder that the name asks for; with idf=yes the weights of pieces of words
// come from the gold captions of all documents that are scored together.
func (s *parseScorer) captions(n Name) edb.Measurement {
	key := n.String()
	b, err := NewBERTScore(n.Param("encoder"), n.Param("idf") == "yes", n.Param("rescale") == "yes")
	if err == nil && b.IDF && s.in.Captions != nil {
		b.References, err = s.in.Captions.idf(b.Encoder)
	}
	if err != nil {
		return none(key, err.Error())
	}
	v, ok, err := FCQ(s.ctx, b, figureCaptions(s.pred), figureCaptions(s.gold))
	switch {
	case err != nil:
		return none(key, err.Error())
	case !ok && b.IDF && len(figureCaptions(s.gold)) > 0:
		return none(key, "no piece of the gold captions is rarer than another")
	case !ok:
		return none(key, "gold has no figure caption")
	}
	switch n.Param("score") {
	case "p":
		return row(key, v.P)
	case "r":
		return row(key, v.R)
	}
	return row(key, v.F1)
}

func (s *parseScorer) facts(n Name) edb.Measurement {
	met, all := Facts(s.in.Pred, s.in.Facts, n.Param("kind"))
	if all == 0 {
		return none(n.String(), "no fact of the kind is known about the document")
	}
	m := row(n.String(), float64(met)/float64(all))
	if n.Param("mean") == "micro" {
		m.Weight = float64(all)
	}
	return m
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
