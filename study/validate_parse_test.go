package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/metrics"
	"enterprisedocbench/parse"
	worlds "enterprisedocbench/universe"
	"enterprisedocbench/universe/riker"
)

// worldGold gives the gold of the first documents of the demo world.
func worldGold(n int) iter.Seq2[edb.Parsed, error] {
	return func(yield func(edb.Parsed, error) bool) {
		for id := range n {
			d, err := worlds.MakeGold(7, id)
			if !yield(d.Gold, err) {
				return
			}
		}
	}
}

// realGold gives the gold of every step-th document of a public collection.
func realGold(t *testing.T, set string, step int) iter.Seq2[edb.Parsed, error] {
	t.Helper()
	from := testdata.Data(t, set)
	imp, err := datasets.LookupImporter(set)
	if err != nil {
		t.Fatal(err)
	}
	opt := datasets.ImportOptions{}
	if set == "icdar2013" { // its boxes need the height of the pages
		e, err := parse.Lookup("pdfium")
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.New()
		if err != nil {
			t.Fatal(err)
		}
		opt.Parse = func(ctx context.Context, path string) (edb.Parsed, error) {
			return p.Parse(ctx, parse.Source{Path: path})
		}
	}
	dir := filepath.Join(t.TempDir(), set)
	if err := imp.Import(t.Context(), from, dir, opt); err != nil {
		t.Fatal(err)
	}
	return goldIn(t, dir, step)
}

// rikerGold gives the gold of every step-th document of a small world of RIKER's.
func rikerGold(t *testing.T, step int) iter.Seq2[edb.Parsed, error] {
	t.Helper()
	plan, err := riker.Preset("8K", "", 11)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "riker")
	if _, err := riker.Write(t.Context(), dir, plan, riker.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	return goldIn(t, dir, step)
}

func goldIn(t *testing.T, dir string, step int) iter.Seq2[edb.Parsed, error] {
	t.Helper()
	ds, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ds.Markdown = parse.ReadFile
	return func(yield func(edb.Parsed, error) bool) {
		for i := 0; i < len(ds.Documents); i += step {
			gold, ok, err := ds.Gold(ds.Documents[i].ID)
			if err == nil && !ok {
				continue
			}
			gold.Doc = ds.Documents[i].ID
			if !yield(gold, err) {
				return
			}
		}
	}
}

// goldSets are generated and real gold: a step-th part by default, all under EDB_LONG.
var goldSets = []struct {
	name string
	docs func(t *testing.T, long bool) iter.Seq2[edb.Parsed, error]
}{
	{"world", func(_ *testing.T, long bool) iter.Seq2[edb.Parsed, error] {
		if long {
			return worldGold(36)
		}
		return worldGold(6)
	}},
	{"riker", func(t *testing.T, long bool) iter.Seq2[edb.Parsed, error] {
		if long {
			return rikerGold(t, 1)
		}
		return rikerGold(t, 3)
	}},
	{"joss", func(t *testing.T, long bool) iter.Seq2[edb.Parsed, error] {
		if long {
			return realGold(t, "joss", 1)
		}
		return realGold(t, "joss", 4)
	}},
	{"icdar2013", func(t *testing.T, long bool) iter.Seq2[edb.Parsed, error] {
		if long {
			return realGold(t, "icdar2013", 1)
		}
		return realGold(t, "icdar2013", 5)
	}},
}

// noiseTargets are the measures that each kind of noise is made to lower: some set must give a slope.
var noiseTargets = map[string][]string{
	"merge-lines":   {"parse.heading_f1", "parse.tis(mode=raw)"},
	"shuffle":       {"parse.order", "parse.lf"},
	"furniture":     {"parse.tis", "parse.tis(level=page)", "parse.element_f1"},
	"hyphenation":   {"parse.tis", "parse.caption_f1"},
	"ligatures":     {"parse.tis(mode=raw)"},
	"table-columns": {"parse.tea", "parse.teds", "parse.teds(mode=structure)"},
	"table-spans":   {"parse.tea", "parse.teds", "parse.teds(mode=structure)"},
	"ocr":           {"parse.tis", "parse.tea", "parse.teds", "parse.caption_f1", "parse.heading_f1", "parse.lf", "parse.number_recall"},
	"drop-lines":    {"parse.tis", "parse.caption_f1", "parse.number_recall"},
	"mojibake":      {"parse.tis", "parse.tis(mode=raw)"},
	"unmapped":      {"parse.tis", "parse.tea", "parse.caption_f1", "parse.heading_f1", "parse.lf", "parse.number_recall"},
	"table-rows":    {"parse.tis", "parse.tea", "parse.teds", "parse.teds(mode=structure)", "parse.number_recall"},
	"captions":      {"parse.tis", "parse.caption_f1", "parse.element_f1"},
}

// TestMeasuresAnswerToKnownNoise: for every kind of noise and every measure whose loss follows from
// the log, the measured loss is the expected one: slope 1 within .05, intercept within .02, over rates
// 0 to .3, on generated and on real gold.
func TestMeasuresAnswerToKnownNoise(t *testing.T) {
	long := os.Getenv("EDB_LONG") != ""
	fitted := map[[2]string]bool{}
	for _, set := range goldSets {
		ran := t.Run(set.name, func(t *testing.T) {
			opt := ValidateOptions{Seed: 7}
			if !long {
				opt.Rates = []float64{0.1, 0.3}
			}
			v, err := ValidateParse(t.Context(), set.docs(t, long), opt)
			if err != nil {
				t.Fatal(err)
			}
			if v.Held == 0 || v.Documents == 0 {
				t.Fatalf("%d documents, %d pairs", v.Documents, v.Held)
			}
			for _, p := range v.Pairs {
				if p.Slope != nil {
					fitted[[2]string{p.Noise, p.Key}] = true
				}
				if p.Passed != nil && !*p.Passed {
					t.Errorf("%s by %s: slope %s, intercept %s, at most %s off; %s", p.Key, p.Noise, shown(p.Slope), shown(p.Intercept), shown(p.Worst), p.Reason)
				}
			}
			t.Logf("%d documents, %d pairs held, %d failed", v.Documents, v.Held, v.Failed)
		})
		if !ran {
			t.Errorf("%s: failed", set.name)
		}
	}
	for _, n := range parse.Noises() {
		if len(noiseTargets[n.Name]) == 0 {
			t.Errorf("%s has no target", n.Name)
		}
		for _, key := range noiseTargets[n.Name] {
			if !fitted[[2]string{n.Name, key}] && os.Getenv("EDB_TESTDATA") != "" {
				t.Errorf("no set gives %s by %s a slope", key, n.Name)
			}
		}
	}
}

func shown(x *float64) string {
	if x == nil {
		return "none"
	}
	return strconv.FormatFloat(*x, 'f', 4, 64)
}

// few is a document whose expected losses can be counted by hand.
func few() edb.Parsed {
	table := edb.Element{ID: "t", Kind: edb.KindTable, Text: "ab\tcd\nef\tgh", HTML: "<table><tr><td>ab</td><td>cd</td></tr><tr><td>ef</td><td>gh</td></tr></table>"}
	return edb.Parsed{Doc: "d", Paged: true, Pages: []edb.Page{{Number: 1, Elements: []edb.Element{
		{ID: "h", Kind: edb.KindHeading, Text: "Heading"},           // 7 characters
		{ID: "p", Kind: edb.KindParagraph, Text: "Sold 12 of 340."}, // 15
		table, // 11
		{ID: "c", Kind: edb.KindCaption, Text: "A plot"}, // 6
	}}}}
}

// Losses from a log of one edit each, counted by hand.
func TestExpect(t *testing.T) {
	const length = 7 + 1 + 15 + 1 + 11 + 1 + 6
	at := func(e parse.Edit) parse.Edit { e.Page = 1; return e }
	for _, c := range []struct {
		name, noise string
		edit        parse.Edit
		want        map[string]float64
	}{
		{"a letter", "ocr", parse.Edit{Op: parse.EditReplace, Element: 1, At: 1, From: "o", To: "c"},
			map[string]float64{"parse.tis": 1 - 1.0/length, "parse.number_recall": 1, "parse.tea": 1, "parse.lf": 1, "parse.heading_f1": 1, "parse.caption_f1": 1}},
		{"a digit", "ocr", parse.Edit{Op: parse.EditReplace, Element: 1, At: 5, From: "1", To: "l"},
			map[string]float64{"parse.tis": 1 - 1.0/length, "parse.number_recall": 0.5}},
		{"two letters of a heading of seven", "ocr", parse.Edit{Op: parse.EditReplace, Element: 0, At: 0, From: "He", To: "xx"},
			map[string]float64{"parse.tis": 1 - 2.0/length, "parse.lf": 0, "parse.heading_f1": 0}},
		{"half a cell", "ocr", parse.Edit{Op: parse.EditReplace, Element: 2, Row: 2, Cell: 2, At: 9, From: "g", To: "q"},
			map[string]float64{"parse.tea": 1 - 0.5/6, "parse.teds": 1 - 0.5/6, "parse.teds(mode=structure)": 1}},
		{"a row", "table-rows", parse.Edit{Op: parse.EditRow, Element: 2, Row: 1, From: "ab\tcd"},
			map[string]float64{"parse.tis": 1 - 6.0/length, "parse.tea": 0.5, "parse.teds(mode=structure)": 0.5}},
		{"a shifted row", "table-columns", parse.Edit{Op: parse.EditShift, Element: 2, Row: 1, From: "ab\tcd", To: "\tab\tcd"},
			map[string]float64{"parse.tis": 1, "parse.tis(mode=raw)": 1 - 1.0/(length+1), "parse.tea": 1 - 1.0/7}},
		{"a span", "table-spans", parse.Edit{Op: parse.EditSpan, Element: 2, Row: 1, Cell: 1, From: "2x1", To: "1x1"},
			map[string]float64{"parse.tis": 1, "parse.tea": 1 - 1.0/6, "parse.teds(mode=structure)": 1 - 1.0/6}},
		{"a caption", "captions", parse.Edit{Op: parse.EditLose, Element: 3, From: "A plot"},
			map[string]float64{"parse.tis": 1 - 7.0/length, "parse.caption_f1": 0, "parse.heading_f1": 1}},
		{"half a caption", "drop-lines", parse.Edit{Op: parse.EditReplace, Element: 3, At: 1, From: " plot", To: ""},
			map[string]float64{"parse.tis": 1 - 5.0/length, "parse.caption_f1": 2.0 / 3}},
		{"a letter of a caption that is the same in normal form", "ligatures", parse.Edit{Op: parse.EditReplace, Element: 3, At: 4, From: "o", To: "º"},
			map[string]float64{"parse.caption_f1": 1}},
		{"a line of furniture", "furniture", parse.Edit{Op: parse.EditAdd, Element: 1, To: "Page 1"},
			map[string]float64{"parse.tis": 1 - 7.0/(length+7), "parse.number_recall": 1}},
		{"a joined heading", "merge-lines", parse.Edit{Op: parse.EditJoin, Element: 1, From: "\n", To: " "},
			map[string]float64{"parse.tis": 1, "parse.tis(mode=raw)": 1 - 1.0/length, "parse.heading_f1": 0, "parse.lf": 1}},
	} {
		got := Expect(few(), c.noise, []parse.Edit{at(c.edit)})
		for key, want := range c.want {
			if e := got[key]; e.Reason != "" || math.Abs(e.Value-want) > 1e-12 {
				t.Errorf("%s: %s should be %v, is expected to be %v %s", c.name, key, want, e.Value, e.Reason)
			}
		}
	}
	swapped := []parse.Edit{at(parse.Edit{Op: parse.EditMove, Element: 0, From: "0", To: "1"}), at(parse.Edit{Op: parse.EditMove, Element: 1, From: "1", To: "0"})}
	if e := Expect(few(), "shuffle", swapped); math.Abs(e["parse.order"].Value-0.5) > 1e-12 || e["parse.tis"].Reason == "" {
		t.Errorf("two of four blocks exchanged: %v", e)
	}
}

// A heading of which too little is left is found where its words stand a second time, in order or out
// of it, unless that is damaged too or is a heading of its own.
func TestExpectHeadingFoundElsewhere(t *testing.T) {
	doc := func(blocks ...string) (p edb.Parsed) {
		p = edb.Parsed{Doc: "d", Pages: []edb.Page{{Number: 1}}}
		for i, s := range blocks {
			kind := edb.KindParagraph
			if text, ok := strings.CutPrefix(s, "# "); ok {
				kind, s = edb.KindHeading, text
			}
			p.Pages[0].Elements = append(p.Pages[0].Elements, edb.Element{ID: strconv.Itoa(i), Kind: kind, Text: s})
		}
		return p
	}
	edit := func(element, at int, from, to string) parse.Edit {
		return parse.Edit{Noise: "hyphenation", Op: parse.EditReplace, Page: 1, Element: element, At: at, From: from, To: to}
	}
	broken := edit(1, 0, "Signed", "Sig- ned")
	for _, c := range []struct {
		name string
		gold edb.Parsed
		log  []parse.Edit
		want float64
	}{
		{"nowhere else", doc("# Term", "# Signed", "# Rent"), []parse.Edit{broken}, 2.0 / 3},
		{"in order", doc("# Term", "# Signed", "both have signed here", "# Rent"), []parse.Edit{broken}, 1},
		{"too early", doc("signed in May", "# Signed", "# Term", "# Rent"), []parse.Edit{broken}, 1},
		{"too late", doc("# Term", "# Signed", "# Rent", "signed in May"), []parse.Edit{broken}, 1.0 / 3},
		{"damaged there too", doc("# Term", "# Signed", "both have signed here", "# Rent"), []parse.Edit{broken, edit(2, 10, "signed", "sig- ned")}, 2.0 / 3},
		{"a heading of the same name", doc("# Term", "# Signed", "# Signed"), []parse.Edit{broken}, 2.0 / 3},
	} {
		if got := Expect(c.gold, "hyphenation", c.log)["parse.lf"]; got.Reason != "" || math.Abs(got.Value-c.want) > 1e-12 {
			t.Errorf("%s: LF should be %v, is expected to be %v %s", c.name, c.want, got.Value, got.Reason)
		}
		noisy := c.gold
		noisy.Pages = []edb.Page{{Number: 1, Elements: slices.Clone(c.gold.Pages[0].Elements)}}
		for _, e := range c.log {
			el := &noisy.Pages[0].Elements[e.Element]
			el.Text = el.Text[:e.At] + e.To + el.Text[e.At+len(e.From):]
		}
		ms, err := metrics.EvalParse(t.Context(), c.gold, noisy, []string{"parse.lf"})
		if err != nil || len(ms) != 1 || ms[0].Value == nil || math.Abs(*ms[0].Value-c.want) > 1e-12 {
			t.Errorf("%s: LF should be %v: %+v, %v", c.name, c.want, ms, err)
		}
	}
}

func TestValidateRefuses(t *testing.T) {
	for _, opt := range []ValidateOptions{{Kinds: []string{"mice"}}, {Kinds: []string{"tables", "table-rows"}}, {Rates: []float64{0}}, {Rates: []float64{0.1, 0.1}}, {Rates: []float64{1.5}}, {Rates: []float64{math.NaN()}}} {
		if _, err := ValidateParse(t.Context(), worldGold(1), opt); err == nil {
			t.Errorf("%+v was taken", opt)
		}
	}
	for _, name := range []string{parse.Formatting, parse.Semantic, "tables"} {
		v, err := ValidateParse(t.Context(), worldGold(1), ValidateOptions{Kinds: []string{name}, Rates: []float64{0.2}})
		if err != nil || len(v.Noises) != len(parse.NoisesOf(name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	broken := errors.New("no gold")
	if _, err := ValidateParse(t.Context(), func(yield func(edb.Parsed, error) bool) { yield(edb.Parsed{}, broken) }, ValidateOptions{}); !errors.Is(err, broken) {
		t.Errorf("a document that cannot be read: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ValidateParse(ctx, worldGold(3), ValidateOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The result does not depend on how many documents are in work.
func TestValidateSameOnAnyNumberOfWorkers(t *testing.T) {
	var first []byte
	for _, workers := range []int{1, 3} {
		rows := 0
		v, err := ValidateParse(t.Context(), worldGold(4), ValidateOptions{Kinds: []string{"ocr", "shuffle"}, Rates: []float64{0.2}, Workers: workers,
			Row: func(ValidateRow) { rows++ }})
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		b = fmt.Appendf(b, "%d rows", rows)
		if first == nil {
			first = b
		} else if string(first) != string(b) {
			t.Errorf("%d workers give something else", workers)
		}
	}
}
