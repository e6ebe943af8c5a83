package riker

import (
	"strings"
	"testing"
)

func TestReadTemplate(t *testing.T) {
	for text, want := range map[string]string{
		"A sentence.":               "before the first section",
		"= A\n| Other words.":       "another wording",
		"=\n| Other words.":         "another wording of nothing",
		"=\n?parking_fee":           "nothing after its condition",
		"=\nThe [one|other":         "a [ has no ]",
		"=\nThe one] of":            "a ] too many",
		"=\nThe fee is {fee":        "has no end",
		"=\n@row a | b":             "stands in no table",
		"=\n@chart pie Sales":       "no kind of chart",
		"=\n\nFine.\n\nThe <fee of": "line 5",
	} {
		_, err := readTemplate(text)
		if want == "another wording" {
			if err != nil {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that says %q", text, err, want)
		}
	}
	tpl, err := readTemplate("title T\n== H\nA {x}.\n| B {x}.\n~ F.\n\nC.\n- {line_#_a}\n?y D [e|f[g|h]|].\n@table Caption\n@head A | B\n@row {line_#_a} | 1\n@total Sum | | {s}")
	if err != nil {
		t.Fatal(err)
	}
	s := tpl.sections[0]
	kinds := ""
	for _, b := range s.blocks {
		kinds += b.kind + " "
	}
	if want := "paragraph paragraph " + strings.Repeat("list-item ", repeats) + "paragraph table "; kinds != want {
		t.Errorf("blocks %q, want %q", kinds, want)
	}
	if a := s.blocks[0].lines; len(a) != 2 || len(a[0].wordings) != 2 || a[1].filler != 1 || tpl.filler != 1 || !s.fixed {
		t.Errorf("section %+v", s)
	}
	if got := strings.Join(ways(s.blocks[2+repeats].lines[0].wordings[0]), "/"); got != "D e./D fg./D fh./D ." || s.blocks[2+repeats].lines[0].need != "y" {
		t.Errorf("ways %s", got)
	}
	table := s.blocks[3+repeats]
	if len(table.rows) != repeats+1 || table.rows[2].need != "line_3_a" || !table.rows[repeats].total || len(table.rows[repeats].cells) != 3 {
		t.Errorf("table %+v", table)
	}
}

// TestFullStops: after a name that ends in one, the sentence's own is left out.
func TestFullStops(t *testing.T) {
	tpl, err := readTemplate("=\nSold to {a}.\nSold to {b}[.|.]\nTo {a}, too.")
	if err != nil {
		t.Fatal(err)
	}
	a := teller{values: values{facts: []Fact{text("a", "Wick Inc."), text("b", "Wick Ltd")}}}
	blocks := a.section(nil, &tpl.sections[0])
	if want := "Sold to {a|Wick Inc.} Sold to {b|Wick Ltd}. To {a|Wick Inc.}, too."; len(blocks) != 1 || blocks[0].Text != want {
		t.Errorf("%+v, want %q", blocks, want)
	}
}
