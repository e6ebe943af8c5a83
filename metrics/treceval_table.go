package metrics

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// trecEntry is a measure of trec_eval by its name: make fills in the parameters, given as trec_eval
// takes them after the point, or its own where there are none.
type trecEntry struct {
	name string
	make func(name, params string, opt TrecOptions) ([]trecMeasure, error)
}

// trecTable lists the measures in the order in which trec_eval prints them.
var trecTable = []trecEntry{
	{"runid", fixed(trecRunID, nil)},
	{"num_q", fixed(trecQueries, nil)},
	{"num_ret", fixed(trecCount, func(l *trecList) float64 { return float64(len(l.grades)) })},
	{"num_rel", fixed(trecCount, func(l *trecList) float64 { return float64(l.relevant) })},
	{"num_rel_ret", fixed(trecCount, func(l *trecList) float64 { return float64(l.found) })},
	{"map", fixed(trecMean, func(l *trecList) float64 { return l.averagePrecision(0) })},
	{"gm_map", fixed(trecGeometric, func(l *trecList) float64 { return logOf(l.averagePrecision(0)) })},
	{"Rprec", fixed(trecMean, func(l *trecList) float64 { return l.precisionAt(l.relevant) })},
	{"bpref", fixed(trecMean, (*trecList).preference)},
	{"recip_rank", fixed(trecMean, (*trecList).reciprocalRank)},
	{"iprec_at_recall", shares("0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1", (*trecList).interpolated)},
	{"P", depths(standardDepths, (*trecList).precisionAt)},
	{"relstring", makeRelString},
	{"recall", depths(standardDepths, (*trecList).recallAt)},
	{"infAP", fixed(trecMean, (*trecList).inferredAP)},
	{"gm_bpref", fixed(trecGeometric, func(l *trecList) float64 { return logOf(l.preference()) })},
	{"Rprec_mult", shares(".2,.4,.6,.8,1,1.2,1.4,1.6,1.8,2", (*trecList).rPrecision)},
	{"utility", makeUtility},
	{"11pt_avg", makeElevenPoints},
	{"binG", fixed(trecMean, (*trecList).binaryG)},
	{"G", gained((*trecList).normalisedGain)},
	{"ndcg", gained(func(l *trecList, g gains) float64 { return l.ndcgAt(g, 0) })},
	{"ndcg_rel", gained((*trecList).ndcgAtRelevant)},
	{"Rndcg", gained((*trecList).ndcgAtLevels)},
	{"ndcg_cut", depths(standardDepths, func(l *trecList, k int) float64 { return l.ndcgAt(nil, k) })},
	{"map_cut", depths(standardDepths, (*trecList).averagePrecision)},
	{"relative_P", depths(standardDepths, (*trecList).relativePrecisionAt)},
	{"success", depths("1,5,10", (*trecList).successAt)},
	{"set_P", fixed(trecMean, (*trecList).setPrecision)},
	{"set_relative_P", fixed(trecMean, (*trecList).setRelativePrecision)},
	{"set_recall", fixed(trecMean, (*trecList).setRecall)},
	{"set_map", fixed(trecMean, (*trecList).setAP)},
	{"set_F", makeSetF},
	{"num_nonrel_judged_ret", fixed(trecCount, (*trecList).judgedNotRelevant)},
	{"yaap", fixed(trecMean, (*trecList).smoothedAP)},
	{"rbp", makeRankBiased},
	{"rbp_resid", fixed(trecMean, (*trecList).rankBiasedResidual)},
	{"unj", depths("5,10,20", (*trecList).unjudgedAt)},
}

const standardDepths = "5,10,15,20,30,100,200,500,1000"

var trecGroups = map[string][]string{
	"official": {"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P"},
	"set":      {"runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P", "set_map", "set_F"},
	"all_trec": nil, // all of the table but yaap, filled below
}

func init() {
	for _, e := range trecTable {
		if e.name != "yaap" {
			trecGroups["all_trec"] = append(trecGroups["all_trec"], e.name)
		}
	}
}

func trecNames() string {
	var names []string
	for _, e := range trecTable {
		names = append(names, e.name)
	}
	return strings.Join(names, ", ")
}

// cutPoint splits "P.5,10" at its first point.
func cutPoint(s string) (name, params string, found bool) { return strings.Cut(s, ".") }

// logOf is the logarithm of a value, of at least .00001, that geometric means are made of.
func logOf(v float64) float64 { return math.Log(max(v, 0.00001)) }

func fixed(kind trecKind, value func(*trecList) float64) func(string, string, TrecOptions) ([]trecMeasure, error) {
	return func(name, params string, _ TrecOptions) ([]trecMeasure, error) {
		if params != "" {
			return nil, fmt.Errorf("it takes no parameters: write %s", name)
		}
		return []trecMeasure{{name: name, kind: kind, value: value}}, nil
	}
}

// depths makes a measure at each of several ranks, rising.
func depths(def string, value func(l *trecList, k int) float64) func(string, string, TrecOptions) ([]trecMeasure, error) {
	return func(name, params string, _ TrecOptions) ([]trecMeasure, error) {
		if params == "" {
			params = def
		}
		vs, err := numbers(params)
		if err != nil {
			return nil, err
		}
		slices.Sort(vs)
		var out []trecMeasure
		last := 0
		for _, v := range vs {
			k := int(v) // "23.4" is 23
			if k < 1 || k == last {
				return nil, fmt.Errorf("rank %v is below 1 or given twice: give each rank once, from 1", v)
			}
			last = k
			out = append(out, trecMeasure{name: name + "_" + strconv.Itoa(k), value: func(l *trecList) float64 { return value(l, k) }})
		}
		return out, nil
	}
}

// shares makes a measure at each of several shares, rising.
func shares(def string, value func(l *trecList, share float64) float64) func(string, string, TrecOptions) ([]trecMeasure, error) {
	return func(name, params string, _ TrecOptions) ([]trecMeasure, error) {
		if params == "" {
			params = def
		}
		vs, err := numbers(params)
		if err != nil {
			return nil, err
		}
		slices.Sort(vs)
		var out []trecMeasure
		for i, v := range vs {
			if v < 0 || (i > 0 && v == vs[i-1]) {
				return nil, fmt.Errorf("%v is below 0 or given twice: give each share once", v)
			}
			out = append(out, trecMeasure{name: fmt.Sprintf("%s_%3.2f", name, v), value: func(l *trecList) float64 { return value(l, v) }})
		}
		return out, nil
	}
}

// gained makes a measure of gains, "1=3,2=9" after the point giving those of grades.
func gained(value func(l *trecList, g gains) float64) func(string, string, TrecOptions) ([]trecMeasure, error) {
	return func(name, params string, _ TrecOptions) ([]trecMeasure, error) {
		g, rest, err := readGains(params)
		if err != nil {
			return nil, err
		}
		for key := range rest {
			return nil, fmt.Errorf("%q is no grade: write GRADE=GAIN", key)
		}
		return []trecMeasure{{name: named(name, params), value: func(l *trecList) float64 { return value(l, g) }}}, nil
	}
}

// readGains reads "key=number,..."; keys that are no whole numbers come back apart.
func readGains(params string) (gains, map[string]float64, error) {
	g, rest := gains{}, map[string]float64{}
	if params == "" {
		return g, rest, nil
	}
	for _, pair := range strings.Split(params, ",") {
		key, number, ok := strings.Cut(pair, "=")
		v, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, nil, fmt.Errorf("%q is no pair: write GRADE=GAIN", pair)
		}
		if grade, err := strconv.ParseInt(key, 10, 32); err == nil {
			g[int32(grade)] = v
		} else {
			rest[key] = v
		}
	}
	return g, rest, nil
}

func makeRankBiased(name, params string, _ TrecOptions) ([]trecMeasure, error) {
	g, rest, err := readGains(params)
	if err != nil {
		return nil, err
	}
	p := 0.9
	for key, v := range rest {
		if key != "p" || v <= 0 || v >= 1 {
			return nil, fmt.Errorf("%s=%v is no parameter: write p=NUMBER between 0 and 1, or GRADE=GAIN", key, v)
		}
		p = v
	}
	value := func(l *trecList) float64 { return l.rankBiased(g.unit(l.levels), p) }
	return []trecMeasure{{name: named(name, params), value: value}}, nil
}

func makeRelString(name, params string, _ TrecOptions) ([]trecMeasure, error) {
	n := 10
	if params != "" {
		v, err := strconv.Atoi(params)
		if err != nil || v < 0 {
			return nil, fmt.Errorf("%q is no length: write a whole number", params)
		}
		n = v
	}
	text := func(l *trecList) string {
		b := []byte{'\''}
		for _, g := range l.grades[:min(n, len(l.grades))] {
			switch {
			case g == notInPool:
				b = append(b, '-')
			case g < 0:
				b = append(b, '.')
			case g > 9:
				b = append(b, '>')
			default:
				b = append(b, byte('0'+g))
			}
		}
		return string(append(b, '\''))
	}
	return []trecMeasure{{name: named(name, params), kind: trecLine, text: text}}, nil
}

func makeUtility(name, params string, opt TrecOptions) ([]trecMeasure, error) {
	w := [4]float64{1, -1, 0, 0}
	if params != "" {
		vs, err := numbers(params)
		if err != nil || len(vs) != 4 {
			return nil, fmt.Errorf("it takes four numbers, for retrieved relevant and other, missed relevant and other: write utility.1,-1,0,0")
		}
		copy(w[:], vs)
	}
	return []trecMeasure{{name: named(name, params), value: func(l *trecList) float64 { return l.utility(w, opt.Documents) }}}, nil
}

func makeElevenPoints(name, params string, _ TrecOptions) ([]trecMeasure, error) {
	list := params
	if list == "" {
		list = "0,.1,.2,.3,.4,.5,.6,.7,.8,.9,1"
	}
	vs, err := numbers(list)
	if err != nil {
		return nil, err
	}
	return []trecMeasure{{name: named(name, params), value: func(l *trecList) float64 {
		sum := 0.0
		for _, v := range vs {
			sum += l.interpolated(v)
		}
		return sum / float64(len(vs))
	}}}, nil
}

func makeSetF(name, params string, _ TrecOptions) ([]trecMeasure, error) {
	x := 1.0
	if params != "" {
		vs, err := numbers(params)
		if err != nil || len(vs) != 1 {
			return nil, fmt.Errorf("it takes one number, the weight of recall: write set_F.0.5")
		}
		x = vs[0]
	}
	return []trecMeasure{{name: named(name, params), value: func(l *trecList) float64 { return l.setF(x) }}}, nil
}

// named is the name that a measure with parameters of its own is printed by.
func named(name, params string) string {
	if params == "" {
		return name
	}
	return name + "_" + params
}

// numbers reads finite numbers with commas between.
func numbers(list string) ([]float64, error) {
	var out []float64
	for _, s := range strings.Split(list, ",") {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || math.Abs(v) > 1e9 {
			return nil, fmt.Errorf("%q is no number: write numbers with commas between", s)
		}
		out = append(out, v)
	}
	return out, nil
}
