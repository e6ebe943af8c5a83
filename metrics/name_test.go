package metrics

import (
	"strings"
	"testing"
)

func TestParseName(t *testing.T) {
	for in, want := range map[string]string{
		"parse.tis":                            "parse.tis",
		"parse.teds:mode=structure":            "parse.teds(mode=structure)",
		"parse.teds(mode=content)":             "parse.teds",
		"retrieve.ndcg@5(grain=document)":      "retrieve.ndcg@5(grain=document)",
		"retrieve.ndcg@5:grain=page":           "retrieve.ndcg@5",
		"retrieve.ndcg@10(gain=linear)":        "retrieve.ndcg@10",
		"generate.hr(unit=answer,mode=binary)": "generate.hr(mode=binary,unit=answer)",
		"retrieve.located(budget=2560)":        "retrieve.located(budget=2560)",
		"parse.p(parts=tis+lf)":                "parse.p(parts=tis+lf)",
		"parse.fcq(encoder=minilm-l6)":         "parse.fcq(encoder=minilm-l6)",
		"no.such@3(b=2,a=1)":                   "no.such@3(a=1,b=2)",
		"quality.q:without=parse":              "quality.q(without=parse)",
		"retrieve.evidence_hit@5(at=0.5)":      "retrieve.evidence_hit@5",
	} {
		n, err := ParseName(in)
		if err != nil || n.String() != want {
			t.Errorf("ParseName(%q) = %s, %v; want %s", in, n, err, want)
		}
	}
	for _, in := range []string{"", "tis", "parse.", ".tis", "Parse.tis", "parse.tis@", "parse.tis@0", "parse.tis@05", "parse.tis@-1",
		"parse.tis(", "parse.tis()", "parse.tis:", "parse.tis(a)", "parse.tis(a=)", "parse.tis(a=1", "parse.tis(a=1,a=2)", "parse.tis (a=1)"} {
		if n, err := ParseName(in); err == nil {
			t.Errorf("ParseName(%q) = %s, want an error", in, n)
		}
	}
}

func TestParseNames(t *testing.T) {
	ns, err := ParseNames("parse.tis,generate.hr:mode=binary,unit=answer retrieve.ndcg@5(grain=document,gain=exp),retrieve.rr")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range ns {
		got = append(got, n.String())
	}
	want := "parse.tis generate.hr(mode=binary,unit=answer) retrieve.ndcg@5(gain=exp,grain=document) retrieve.rr"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("got %s, want %s", s, want)
	}
}

// Every line of the table has a name that parses, a version, and a sentence.
func TestAllMeasures(t *testing.T) {
	for _, m := range All() {
		n, err := ParseName(m.Key)
		if err != nil || n.Key() != m.Key {
			t.Errorf("%s: %v", m.Key, err)
		}
		if _, err := Find(n); err != nil {
			t.Error(err)
		}
		if m.Def < 1 || m.What == "" {
			t.Errorf("%s: no version or no description", m.Key)
		}
		if m.Bounded && m.HigherBetter && m.Worst != 0 || m.Bounded && !m.HigherBetter && m.Worst != 1 {
			t.Errorf("%s: worst value %v is not the bad end of [0,1]", m.Key, m.Worst)
		}
	}
	for key, want := range map[string]string{
		"parse.tiss":                "choose one of parse.p parse.tis",
		"pars.tis":                  "no axis",
		"parse.tis@5":               "takes no depth",
		"retrieve.ndcg@5(gian=exp)": "no parameter",
		"parse.teds(mode=layout)":   "not one of content structure",
	} {
		if _, _, err := Lookup(key); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Lookup(%q): %v; want %q in it", key, err, want)
		}
	}
}

func FuzzParseName(f *testing.F) {
	for _, s := range []string{"parse.tis", "retrieve.ndcg@5(grain=document)", "generate.hr:mode=binary,unit=answer", "a.b@2(c=d)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseName(s)
		if err != nil {
			return
		}
		back, err := ParseName(n.String())
		if err != nil || back != n || back.String() != n.String() {
			t.Fatalf("%q gives %s, which gives %s, %v", s, n, back, err)
		}
		if ns, err := ParseNames(n.String() + "," + n.String()); err != nil || len(ns) != 2 || ns[0] != n || ns[1] != n {
			t.Fatalf("%q in a list: %v, %v", s, ns, err)
		}
	})
}
