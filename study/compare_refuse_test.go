package study

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench"
)

func flat(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// small is a run of a and b on twelve questions where b is better.
func small() *folder {
	return plain(12).put("a", ndcg, flat(12, .4)...).put("b", ndcg, flat(12, .6)...)
}

// Two runs that did not do the same are refused, and the message names both values.
func TestRunsThatDidNotDoTheSameAreRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(f *folder)
		want   []string
	}{
		{"questions", func(f *folder) {
			f.units = append(f.units[:23], question(40, "table", "d01"))
			f.rows = nil
			f.put("a", ndcg, flat(12, .4)...).put("b", ndcg, flat(12, .6)...)
		}, []string{"the questions differ: 12 (1 of its own: q11) against 12 (1 of its own: q40)"}},
		{"fewer questions", func(f *folder) {
			f.units = f.units[:20]
			f.rows = nil
			f.put("a", ndcg, flat(8, .4)...).put("b", ndcg, flat(8, .6)...)
		}, []string{"the questions differ: 12 (4 of its own: q08, q09, q10, …) against 8"}},
		{"documents", func(f *folder) { f.units[0].ID = "x00" }, []string{"the documents differ: 12 (1 of its own: d00) against 12 (1 of its own: x00)"}},
		{"corpus", func(f *folder) { f.corpus, f.dataset = "0123456789abcdef", "other" },
			[]string{"the datasets differ", "hand (corpus c0ffee012345) against other (corpus 0123456789ab)"}},
		{"scoring", func(f *folder) { f.engines = []string{"align@1", "score@2"} }, []string{"score@1 against score@2", "run the older one again"}},
		{"alignment", func(f *folder) { f.engines = []string{"align@3", "score@1"} }, []string{"align@1 against align@3"}},
		{"verifier", func(f *folder) { f.config.Metrics.Verifier = "nli" }, []string{"metrics.verifier", "lexical against nli"}},
		{"definition", func(f *folder) {
			for i := range f.rows {
				f.rows[i].Def = 2
			}
		}, []string{"retrieve.ndcg@5", "versions of the definition differ: 1 against 2"}},
		{"grain", func(f *folder) {
			for i := range f.rows {
				f.rows[i].Value, f.rows[i].Reason = nil, "the gold has no pages: document grain only"
			}
		}, []string{"grains differ", "it has page grain against the gold has no pages", "grain=document"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			other := small()
			c.change(other)
			_, err := Compare([]string{small().write(t), other.write(t)}, CompareOptions{Keys: []string{ndcg}})
			for _, want := range append(c.want, "cannot be compared") {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("want %q in: %v", want, err)
				}
			}
		})
	}
}

func TestVariantsAreNotMixed(t *testing.T) {
	withP := func(variant string) *folder {
		f := plain(12)
		for _, k := range []string{"parse.tis", "parse.tea", "parse.caption_f1", "parse.lf"} {
			f.put("a", k, flat(12, .5)...).put("b", k, flat(12, .6)...)
		}
		f.variant = variant
		return f
	}
	_, err := Compare([]string{withP("fcq=caption_f1").write(t), withP("fcq=minilm").write(t)}, CompareOptions{Keys: []string{"parse.p"}})
	if err == nil || !strings.Contains(err.Error(), "variants differ: fcq=caption_f1 against fcq=minilm") {
		t.Errorf("got %v", err)
	}
	if _, err := Compare([]string{withP("fcq=caption_f1").write(t), withP("fcq=caption_f1").write(t)}, CompareOptions{Keys: []string{"parse.p"}}); err != nil {
		t.Error(err)
	}
}

func TestDomainsMergedOtherwiseAreRefusedByDomainOnly(t *testing.T) {
	other := small()
	other.config.Strata.Merge = map[string]string{"legal": "law"}
	args := []string{small().write(t), other.write(t)}
	if _, err := Compare(args, CompareOptions{Keys: []string{ndcg}, By: "domain"}); err == nil || !strings.Contains(err.Error(), "strata.merge") {
		t.Errorf("got %v", err)
	}
	if _, err := Compare(args, CompareOptions{Keys: []string{ndcg}}); err != nil {
		t.Error(err)
	}
}

// What cannot be meant is refused with what to write instead.
func TestWrongOptionsAreRefused(t *testing.T) {
	dir := small().write(t)
	for _, c := range []struct {
		args []string
		opt  CompareOptions
		want string
	}{
		{[]string{dir}, CompareOptions{Keys: []string{"retrieve.ndgc@5"}}, "no such measure; choose one of retrieve.ndcg"},
		{[]string{dir}, CompareOptions{Keys: []string{"retrieve.ndcg@7"}}, "no pipeline here has it: choose one of retrieve.ndcg@5"},
		{[]string{dir}, CompareOptions{Keys: []string{"retrieve.ap"}}, "no pipeline here has it: choose one of retrieve.ndcg@5"},
		{[]string{dir}, CompareOptions{Keys: []string{"index.relative"}}, "nor any of index"},
		{[]string{dir}, CompareOptions{Pipelines: []string{"c"}}, `has no pipeline "c": choose from a, b`},
		{[]string{dir}, CompareOptions{Pipelines: []string{"a"}}, "there is one pipeline to compare"},
		{[]string{dir}, CompareOptions{Baseline: "c"}, `baseline "c" is not compared here: choose from a, b`},
		{[]string{dir}, CompareOptions{Adjust: "sidak"}, "use bonferroni, holm, bh or none"},
		{[]string{dir}, CompareOptions{Delta: nan}, "delta is NaN"},
		{[]string{dir}, CompareOptions{Delta: -1}, "delta is -1"},
		{[]string{dir}, CompareOptions{Level: 95}, "level is 95"},
		{[]string{dir}, CompareOptions{By: "level"}, "use one of modality, task, domain"},
		{[]string{dir + ":c"}, CompareOptions{}, `has no pipeline "c"`},
		{[]string{filepath.Join(dir, "nowhere")}, CompareOptions{}, "no such file or directory: name the folder that edb run left"},
		{[]string{filepath.Join(dir, "spec.json")}, CompareOptions{}, "this is a file"},
		{nil, CompareOptions{}, "no run is named"},
	} {
		if _, err := Compare(c.args, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %+v: got %v, want %q", c.args, c.opt, err, c.want)
		}
	}
}

// A folder that is no whole run of one piece is refused with the file, the line and the remedy.
func TestBrokenRunsAreRefused(t *testing.T) {
	cut := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), b[:len(b)-20], 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	without := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	add := func(name, line string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), append(b, line...), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name   string
		damage func(*testing.T, string)
		want   string
	}{
		{"no summary", without("summary.json"), "summary.json: the file is missing, so this is not a finished run: run its configuration again"},
		{"no specification", without("spec.json"), "spec.json: the file is missing"},
		{"no measurements", without("measurements.jsonl"), "measurements.jsonl: the file is missing"},
		{"no units", without("units.jsonl"), "made by an older version"},
		{"cut summary", cut("summary.json"), "summary.json:1: unexpected end of JSON input"},
		{"cut measurements", cut("measurements.jsonl"), "measurements.jsonl:24: "},
		{"empty specification", func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, "spec.json"), []byte("{}"), 0o644); err != nil {
				t.Fatal(err)
			}
		}, "names no corpus"},
		{"endless replicates", func(t *testing.T, dir string) {
			b, err := os.ReadFile(filepath.Join(dir, "spec.json"))
			if err != nil {
				t.Fatal(err)
			}
			b = bytes.Replace(b, []byte(`"replicates":2000`), []byte(`"replicates":2000000000000`), 1)
			if err := os.WriteFile(filepath.Join(dir, "spec.json"), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}, "metrics.replicates is 2000000000000, not within 0 and 1000000"},
		{"foreign unit", add("measurements.jsonl", `{"arm":"a","unit":"q99","key":"retrieve.ndcg@5","value":1,"def":1}`), `measurements.jsonl:25: unit "q99" is not in units.jsonl`},
		{"foreign arm", add("measurements.jsonl", `{"arm":"z","unit":"q01","key":"retrieve.ndcg@5","value":1,"def":1}`), `pipeline "z" is not in summary.json`},
		{"unknown key", add("measurements.jsonl", `{"arm":"a","unit":"q01","key":"retrieve.magic","value":1,"def":1}`), "no such measure"},
		{"impossible value", add("measurements.jsonl", `{"arm":"a","unit":"q01","key":"retrieve.ap","value":1.5,"def":1}`), "is 1.5, not within 0 and 1"},
		{"twice", add("measurements.jsonl", `{"arm":"a","unit":"q01","key":"retrieve.ndcg@5","value":1,"def":1}`), "stands twice in a"},
		{"failed with a value", add("measurements.jsonl", `{"arm":"a","unit":"q01","key":"retrieve.ap","value":0,"failed":true,"def":1}`), "is failed and has a value"},
		{"of two runs", add("measurements.jsonl", `{"arm":"a","unit":"q01","key":"retrieve.ap","value":0.5,"def":1}`), "does not follow from measurements.jsonl"},
		{"unit twice", add("units.jsonl", `{"unit":"q01","kind":"question","docs":["d01"]}`), `units.jsonl:25: question "q01" stands twice`},
		{"unit of no kind", add("units.jsonl", `{"unit":"z","kind":"page","docs":["d01"]}`), `kind "page" is neither`},
		{"claims of nobody", add("claims.jsonl", `{"arm":"a","query":"q99","claims":[]}`), `claims.jsonl:1: question "q99" is not in units.jsonl`},
		{"no JSON", add("claims.jsonl", "\x00\xff"), "claims.jsonl:1: invalid character"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := small().write(t)
			c.damage(t, dir)
			if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// FuzzRunFolder: whatever stands in a file of a run folder, reading and comparing it ends with an
// answer or an error, and an answer holds only finite numbers.
func FuzzRunFolder(f *testing.F) {
	names := []string{"spec.json", "summary.json", "units.jsonl", "measurements.jsonl", "claims.jsonl"}
	seed := small()
	seed.config.Metrics.Replicates = 20
	dir := seed.write(f)
	content := map[string][]byte{}
	for i, name := range names {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		content[name] = b
		f.Add(uint8(i), b)
	}
	f.Add(uint8(3), []byte("null\n{}\n"))
	f.Add(uint8(4), []byte(`{"arm":"a","query":"q01","claims":[{"verdict":"contradicted"}]}`))
	f.Fuzz(func(t *testing.T, which uint8, b []byte) {
		dir := t.TempDir()
		for _, name := range names {
			data := content[name]
			if name == names[int(which)%len(names)] {
				data = b
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c, err := Compare([]string{dir}, CompareOptions{Keys: []string{ndcg}, By: "modality"})
		if err != nil {
			return
		}
		for _, d := range c.Differences {
			for _, v := range []*float64{d.Value, d.Lo, d.Hi, d.P, d.Effect, d.Detectable} {
				if v != nil && (math.IsNaN(*v) || math.IsInf(*v, 0)) {
					t.Fatalf("%+v", d)
				}
			}
		}
	})
}

func TestWhatIsHeldAgainstWhat(t *testing.T) {
	root := t.TempDir()
	old, fresh := filepath.Join(root, "old"), filepath.Join(root, "new")
	small().writeTo(t, old)
	small().writeTo(t, fresh)
	third := small()
	third.arms = []string{"a", "c"}
	for i := range third.rows {
		if third.rows[i].Arm == "b" {
			third.rows[i].Arm = "c"
		}
	}
	other := filepath.Join(root, "other")
	third.writeTo(t, other)
	for _, c := range []struct {
		args []string
		opt  CompareOptions
		want string // pairs, notes
	}{
		{[]string{old}, CompareOptions{}, "b-a"},
		{[]string{old}, CompareOptions{Baseline: "b"}, "a-b"},
		{[]string{old}, CompareOptions{Pipelines: []string{"b"}}, "b-a"},
		{[]string{old}, CompareOptions{Pipelines: []string{"a"}, Baseline: "b"}, "a-b"},
		{[]string{old, fresh}, CompareOptions{Pipelines: []string{"b"}, Baseline: "old:a"}, "old:b-old:a new:b-old:a"},
		{[]string{old, fresh}, CompareOptions{}, "new:a-old:a new:b-old:b"},
		{[]string{old, fresh}, CompareOptions{Baseline: "new"}, "old:a-new:a old:b-new:b"},
		{[]string{old, fresh}, CompareOptions{Baseline: "new:b"}, "old:a-new:b old:b-new:b new:a-new:b"},
		{[]string{old, fresh}, CompareOptions{Pipelines: []string{"b"}}, "new:b-old:b"},
		{[]string{old + ":a", fresh + ":b"}, CompareOptions{}, "new:b-old:a"},
		{[]string{old + ":b", old + ":a"}, CompareOptions{}, "b-a"},
		{[]string{old, other}, CompareOptions{}, "other:a-old:a; left out, without a namesake in the other run: old:b, other:c"},
		{[]string{old, other}, CompareOptions{Baseline: "c"}, "old:a-other:c old:b-other:c other:a-other:c"},
		{[]string{old, fresh}, CompareOptions{Baseline: "a"}, `baseline "a" stands in 2 runs: write one of old:a, old:b, new:a, new:b`},
	} {
		c.opt.Keys = []string{ndcg}
		out, err := Compare(c.args, c.opt)
		var got string
		if err != nil {
			got = err.Error()
		} else {
			var pairs []string
			for _, d := range out.Differences {
				pairs = append(pairs, d.Candidate+"-"+d.Baseline)
			}
			got = strings.Join(append([]string{strings.Join(pairs, " ")}, out.Notes...), "; ")
		}
		if got != c.want {
			t.Errorf("%v %+v:\n got %s\nwant %s", c.args, c.opt, got, c.want)
		}
	}
}

// Another version of the program is no reason to refuse, as long as it measures alike, but is said.
func TestOtherVersionsOfTheProgramAreNoted(t *testing.T) {
	old, fresh := small(), small()
	fresh.program = "9.9"
	c := compare(t, CompareOptions{Keys: []string{ndcg}}, old.write(t), fresh.write(t))
	if len(c.Notes) != 1 || !strings.Contains(c.Notes[0], "by version 0 of the program, ") || !strings.HasSuffix(c.Notes[0], "by 9.9") {
		t.Errorf("%q", c.Notes)
	}
}

// What is measured once for a pipeline is shown and not tested.
func TestMoneyIsShownAndNotTested(t *testing.T) {
	f := small()
	f.costs = map[string]map[string]edb.Figure{
		"a": {"cost.relative": {Value: ptr(1)}, "index.build_seconds": {Value: ptr(2)}},
		"b": {"cost.relative": {Value: ptr(3)}, "index.build_seconds": {Reason: "no index"}}}
	c := compare(t, CompareOptions{Keys: []string{"cost.relative", "index.build_seconds", ndcg}}, f.write(t))
	d := find(t, c, "cost.relative", "")
	near(t, "difference", d.Value, 2, 0)
	if d.Verdict != NotTested || d.P != nil || d.Words != "not tested: measured once for the whole pipeline" {
		t.Errorf("%+v", d)
	}
	if d := find(t, c, "index.build_seconds", ""); d.Verdict != NotMeasured || d.Words != "not measured: no index" || d.Value != nil {
		t.Errorf("%+v", d)
	}
	if c.Tests != 1 {
		t.Errorf("%d tests", c.Tests)
	}
}

// Two corpora with the same ids: the message says what differs, where the runs tell.
func TestRefusalSaysWhatOfTheCorpusDiffers(t *testing.T) {
	parts := func(changed ...string) map[string]string {
		m := map[string]string{"documents": "1", "question texts": "1", "questions": "1", "judgements": "1", "gold": "1", "facts": "1"}
		for _, c := range changed {
			m[c] = "2"
		}
		return m
	}
	for _, c := range []struct {
		name  string
		parts map[string]string
		want  string
	}{
		{"texts", parts("question texts", "questions"), "cannot be compared: the ids are the same and the texts of questions differ: hand (corpus "},
		{"answers", parts("questions"), "the ids are the same and questions (answers, evidence or another key) differ"},
		{"judged anew", parts("judgements"), "the ids are the same and judgements differ"},
		{"much", parts("documents", "gold"), "the ids are the same and documents (file, licence or another key), gold differ"},
		{"another program", nil, "the datasets differ though their ids are the same"},
		{"nothing known", parts(), "the datasets differ though their ids are the same"},
	} {
		a, b := plain(12).put("a", ndcg, flat(12, .5)...).put("b", ndcg, flat(12, .5)...), plain(12).put("a", ndcg, flat(12, .5)...).put("b", ndcg, flat(12, .5)...)
		a.parts, b.parts, b.corpus = parts(), c.parts, "0123456789abcdef"
		_, err := Compare([]string{a.write(t), b.write(t)}, CompareOptions{Keys: []string{ndcg}})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "edb dataset diff says what changed") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
