package datasets

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	edb "enterprisedocbench"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

func TestRate(t *testing.T) {
	all := edb.Licence{Redistribute: true, Derivatives: true, Commercial: true, Evidence: "stated on page 1"}
	with := func(spdx string, change ...func(*edb.Licence)) edb.Licence {
		l := all
		l.SPDX = spdx
		for _, c := range change {
			c(&l)
		}
		return l
	}
	noMoney := func(l *edb.Licence) { l.Commercial = false }
	noChange := func(l *edb.Licence) { l.Derivatives = false }
	nothing := func(l *edb.Licence) { l.Redistribute, l.Derivatives, l.Commercial = false, false, false }
	noEvidence := func(l *edb.Licence) { l.Evidence = "" }
	for _, c := range []struct {
		name  string
		l     edb.Licence
		class string
		why   string
	}{
		{"public domain", with("CC0-1.0"), ClassAllow, ""},
		{"case does not count", with("cc-by-4.0"), ClassAllow, ""},
		{"attribution", with("ODC-By-1.0"), ClassAllow, ""},
		{"share alike", with("CC-BY-SA-3.0"), ClassAllow, ""},
		{"non-commercial", with("CC-BY-NC-4.0", noMoney), ClassEvaluate, "no commercial use"},
		{"no derivatives", with("CC-BY-ND-4.0", noChange), ClassEvaluate, "no derivatives"},
		{"neither", with("CC-BY-NC-ND-3.0", noMoney, noChange), ClassEvaluate, "no derivatives or commercial use"},
		{"arXiv", with("LicenseRef-arXiv-Nonexclusive-Distribution-1.0", nothing), ClassEvaluate, "no redistribution, derivatives or commercial use"},
		{"the line claims too much", with("CC-BY-NC-4.0"), ClassRefuse, "its line claims commercial use, which CC-BY-NC-4.0 does not grant: correct the line"},
		{"much too much", with("CC-BY-NC-ND-4.0"), ClassRefuse, "its line claims derivatives and commercial use, which CC-BY-NC-ND-4.0 does not grant: correct the line"},
		{"the line claims too little", with("MIT", noMoney), ClassEvaluate, "no commercial use: MIT grants commercial use, the line does not say so"},
		{"no evidence", with("MIT", noEvidence), ClassEvaluate, "licence.evidence is missing: say how the licence is known"},
		{"not stated", with("NOASSERTION", nothing), ClassEvaluate, "nobody has stated a licence"},
		{"not stated, flags set", with("NOASSERTION"), ClassEvaluate, "nobody has stated a licence"},
		{"none", with("NONE"), ClassEvaluate, "nobody has stated a licence"},
		{"no identifier", with(""), ClassEvaluate, "no licence is named"},
		{"unknown", with("WTFPL"), ClassEvaluate, `"WTFPL" is not among the licences whose terms are known here`},
		{"words", with("CC BY 4.0"), ClassEvaluate, `"CC" is not among the licences whose terms are known here`},
		{"all rights reserved", with("LicenseRef-All-Rights-Reserved", nothing), ClassRefuse, "LicenseRef-All-Rights-Reserved grants no use"},
		{"named terms", with("LicenseRef-city-archive"), ClassAllow, ""},
		{"named terms that bind", with("LicenseRef-city-archive", noMoney), ClassEvaluate, "no commercial use"},
		{"named terms without evidence", with("LicenseRef-city-archive", noEvidence), ClassEvaluate, "licence.evidence is missing: say how the licence is known"},
		{"both hold", with("MIT AND CC-BY-NC-4.0", noMoney), ClassEvaluate, "no commercial use"},
		{"either", with("CC-BY-NC-4.0 OR MIT"), ClassAllow, ""},
		{"half known", with("MIT AND Foo"), ClassEvaluate, `"Foo" is not among the licences whose terms are known here`},
		{"unfinished", with("MIT AND"), ClassEvaluate, "the SPDX licence expression ends too early: complete it"},
	} {
		if r := rate(c.l); r.Class != c.class || r.Reason != c.why {
			t.Errorf("%s: %s %q, want %s %q", c.name, r.Class, r.Reason, c.class, c.why)
		}
	}
}

func TestLicenceExpressions(t *testing.T) {
	for _, c := range []struct {
		expression string
		want       Terms
	}{
		{"MIT", permissive},
		{"CC0-1.0 OR GPL-3.0-only", publicDomain},
		{"GPL-3.0-only OR CC0-1.0", publicDomain},
		{"(MIT)", permissive},
		{"CC-BY-SA-3.0 and CC-BY-SA-4.0", shareAlike("CC-BY-SA")},
		{"CC-BY-SA-4.0 AND ODbL-1.0", Terms{Redistribute: true, Derivatives: true, Commercial: true, Attribution: true, ShareAlike: []string{"CC-BY-SA", "ODbL"}}},
		{"CC-BY-SA-4.0 AND (ODbL-1.0 OR MIT)", shareAlike("CC-BY-SA")},
		{"MIT OR CC-BY-NC-4.0 AND CC-BY-ND-4.0", permissive},
		{"GPL-2.0-only WITH Classpath-exception-2.0", shareAlike("GPL")},
	} {
		got, err := licenceTerms(c.expression)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v %v", c.expression, got, err)
		}
	}
	for _, bad := range []string{"", "(MIT", "MIT MIT", "MIT)", "AND", "MIT WITH", strings.Repeat("(", 100) + "MIT" + strings.Repeat(")", 100)} {
		if got, err := licenceTerms(bad); err == nil {
			t.Errorf("%q: %+v", bad, got)
		}
	}
}

// TestLicenceTable holds what the names themselves say.
func TestLicenceTable(t *testing.T) {
	if len(termsByID) < 60 {
		t.Errorf("%d licences", len(termsByID))
	}
	seen := map[string]bool{}
	for _, l := range licences {
		if seen[l.id] || strings.Contains(l.id, "%") != (l.versions != "") {
			t.Errorf("row %q", l.id)
		}
		seen[l.id] = true
	}
	for id, terms := range termsByID {
		cc := strings.HasPrefix(id, "cc-by")
		switch {
		case cc && strings.Contains(id, "-nc") == terms.Commercial,
			cc && strings.Contains(id, "-nd") == terms.Derivatives,
			cc && (strings.Contains(id, "-sa-")) != (len(terms.ShareAlike) > 0),
			cc && !terms.Attribution,
			terms.Refused && (terms.Redistribute || terms.Derivatives || terms.Commercial),
			len(terms.ShareAlike) > 0 && !terms.Derivatives:
			t.Errorf("%s: %+v", id, terms)
		}
	}
}

func FuzzLicenceTerms(f *testing.F) {
	for _, s := range []string{"MIT", "MIT AND (CC0-1.0 OR GPL-3.0-only WITH x)", "((", "LicenseRef-x", "OR"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		terms, err := licenceTerms(s)
		r := rate(edb.Licence{SPDX: s, Redistribute: true, Derivatives: true, Commercial: true, Evidence: "x"})
		switch {
		case err == nil && r.Class == ClassAllow && !(terms.Redistribute && terms.Derivatives && terms.Commercial):
			t.Errorf("%q is allowed with %+v", s, terms)
		case err != nil && r.Class == ClassAllow && !strings.HasPrefix(strings.ToLower(strings.Trim(s, " ()")), "licenseref-"):
			t.Errorf("%q is allowed but unknown: %v", s, err)
		case r.Class != ClassAllow && r.Reason == "":
			t.Errorf("%q is %s without a reason", s, r.Class)
		}
	})
}

// rated makes ratings of documents a, b, ... with the licences as their table has them.
func rated(gold bool, ids ...string) []Rating {
	var out []Rating
	for i, id := range ids {
		terms, _ := licenceTerms(id)
		r := rate(edb.Licence{SPDX: id, Redistribute: terms.Redistribute, Derivatives: terms.Derivatives, Commercial: terms.Commercial, Evidence: "x"})
		r.Doc, r.gold = string(rune('a'+i)), gold
		out = append(out, r)
	}
	return out
}

func TestCheckRelease(t *testing.T) {
	for _, c := range []struct {
		name       string
		ids        []string
		gold       bool
		commercial bool
		out        []string // "DOC: reason"
		under      string   // what the rest is released under
	}{
		{"free", []string{"CC0-1.0", "MIT"}, true, true, nil, "2 money attribution"},
		{"public domain", []string{"CC0-1.0"}, true, true, nil, "1 money"},
		{"non-commercial", []string{"CC-BY-4.0", "CC-BY-NC-4.0"}, true, false, nil, "2 attribution"},
		{"non-commercial for money", []string{"CC-BY-4.0", "CC-BY-NC-4.0"}, true, true, []string{"b: no commercial use"}, "1 money attribution"},
		{"unknown", []string{"MIT", "NOASSERTION", "Foo"}, true, false, []string{"b: nobody has stated a licence", `c: "Foo" is not among the licences whose terms are known here`}, "1 money attribution"},
		{"refused", []string{"LicenseRef-All-Rights-Reserved"}, false, false, []string{"a: LicenseRef-All-Rights-Reserved grants no use"}, "0"},
		{"arXiv", []string{"LicenseRef-arXiv-Nonexclusive-Distribution-1.0"}, false, false, []string{"a: no redistribution, derivatives or commercial use"}, "0"},
		{"no derivatives with gold", []string{"CC-BY-ND-4.0"}, true, true, []string{"a: no derivatives, and its gold is one"}, "0"},
		{"no derivatives as they are", []string{"CC-BY-ND-4.0", "MIT"}, false, true, nil, "2 money attribution kept:1"},
		{"share alike", []string{"CC-BY-SA-4.0", "CC-BY-4.0", "CC-BY-SA-3.0"}, true, true, nil, "3 money attribution under:CC-BY-SA"},
		{"share alike and no derivatives", []string{"CC-BY-SA-4.0", "CC-BY-SA-4.0", "CC-BY-ND-4.0"}, false, false, []string{"c: no derivatives, but 2 of the others must be shared under CC-BY-SA"}, "2 money attribution under:CC-BY-SA"},
		{"more no derivatives than share alike", []string{"CC-BY-SA-4.0", "CC-BY-ND-4.0", "CC-BY-ND-4.0"}, false, false, []string{"a: must be shared under CC-BY-SA, which 2 of the others exclude"}, "2 money attribution kept:2"},
		{"share alike and non-commercial", []string{"CC-BY-SA-4.0", "CC-BY-NC-4.0"}, true, false, []string{"b: no commercial use, but 1 of the others must be shared under CC-BY-SA"}, "1 money attribution under:CC-BY-SA"},
		{"non-commercial share alike", []string{"CC-BY-NC-SA-4.0", "CC-BY-NC-4.0", "MIT"}, true, false, nil, "3 attribution under:CC-BY-NC-SA"},
		{"two share alike", []string{"CC-BY-SA-4.0", "ODbL-1.0", "CC-BY-SA-3.0", "MIT"}, true, true, []string{"b: must be shared under ODbL, 2 of the others under CC-BY-SA"}, "3 money attribution under:CC-BY-SA"},
		{"one document under two", []string{"CC-BY-SA-4.0 AND ODbL-1.0"}, true, true, []string{"a: its own parts must be shared under CC-BY-SA and ODbL, which exclude each other"}, "0"},
		{"nothing", nil, true, true, nil, "0"},
	} {
		rel := CheckRelease(rated(c.gold, c.ids...), c.commercial)
		var out []string
		for _, b := range rel.LeaveOut {
			out = append(out, b.Doc+": "+b.Reason)
		}
		under := fmt.Sprint(rel.Documents)
		for _, x := range []struct {
			yes  bool
			name string
		}{{rel.ForMoney, "money"}, {rel.Attribution, "attribution"}, {rel.ShareAlike != "", "under:" + rel.ShareAlike}, {rel.NoDerivative > 0, fmt.Sprint("kept:", rel.NoDerivative)}} {
			if x.yes {
				under += " " + x.name
			}
		}
		if !slices.Equal(out, c.out) || under != c.under {
			t.Errorf("%s:\ngot  %q %s\nwant %q %s", c.name, out, under, c.out, c.under)
		}
		// What is left can be released.
		left := slices.DeleteFunc(rated(c.gold, c.ids...), func(r Rating) bool {
			return slices.ContainsFunc(rel.LeaveOut, func(b Blocked) bool { return b.Doc == r.Doc })
		})
		if again := CheckRelease(left, c.commercial); len(again.LeaveOut) > 0 {
			t.Errorf("%s: the rest is refused too: %+v", c.name, again.LeaveOut)
		}
	}
}

func TestAttribution(t *testing.T) {
	ds := &Dataset{Info: Info{Name: "a_b", Version: "2", Licence: "CC-BY-4.0 *mostly*", Citation: "Who, 2026"}, Documents: []edb.Document{
		{ID: "x|y", Title: "A [title]\nof two lines <script>", Gold: "source", Source: &edb.Origin{Name: "archive", ID: "7", Retrieved: "2026-03-01"}, Licence: edb.Licence{SPDX: "CC-BY-4.0", Evidence: "page 3"}},
		{ID: "n", Gold: "reference(pdfium@1)", Licence: edb.Licence{SPDX: "NOASSERTION", Evidence: "nothing stated"}},
		{ID: "p", Licence: edb.Licence{Evidence: "a note"}},
	}}
	path := filepath.Join(t.TempDir(), "ATTRIBUTION.md")
	must(t, WriteAttribution(path, ds))
	got, err := os.ReadFile(path)
	must(t, err)
	want := `# Attribution

- **a\_b 2**; Who, 2026; CC-BY-4.0 \*mostly\*; documents: 3

## no licence identifier

| document | title | source | how the licence is known | changes |
|---|---|---|---|---|
| p | not stated | not stated | a note | none |

## CC-BY-4.0

Text of the licence: <https://spdx.org/licenses/CC-BY-4.0.html>

| document | title | source | how the licence is known | changes |
|---|---|---|---|---|
| x\|y | A \[title\] of two lines \<script\> | archive, 7, retrieved 2026-03-01 | page 3 | none to the file; the source it was made from stands beside it |

## NOASSERTION

| document | title | source | how the licence is known | changes |
|---|---|---|---|---|
| n | not stated | not stated | nothing stated | none to the file; its text as read by pdfium@1 stands beside it |
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if both := attribution([]*Dataset{ds, {Info: Info{Name: "other"}, Documents: []edb.Document{{ID: "q", Gold: "generated", Licence: edb.Licence{SPDX: "CC-BY-4.0"}}}}}); !strings.Contains(both, "| other: q | not stated | not stated | not stated | generated, file and gold |") {
		t.Errorf("two datasets:\n%s", both)
	}
}

// FuzzEscapeMarkdown holds that text from documents is nothing but text in the attribution file: a
// reader of Markdown shows it as it was, white space aside.
func FuzzEscapeMarkdown(f *testing.F) {
	for _, s := range []string{"a|b", "*x* _y_ `z`", "<script>alert(1)</script>", "[a](http://x)", "\\", "&amp; &#65;", "~~a~~", "line\n# two", "![x](y)"} {
		f.Add(s)
	}
	md := goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
			t.Skip("documents are valid text")
		}
		var got strings.Builder
		if err := md.Convert([]byte("| h |\n|---|\n| x"+escapeMarkdown(s)+"x |\n"), &got); err != nil {
			t.Fatal(err)
		}
		_, cell, _ := strings.Cut(got.String(), "<td>")
		cell, _, _ = strings.Cut(cell, "</td>")
		if want := "x" + strings.Join(strings.Fields(s), " ") + "x"; html.UnescapeString(cell) != want || strings.ContainsAny(cell, "<>") {
			t.Errorf("%q is shown as %q, want %q", s, cell, want)
		}
	})
}
