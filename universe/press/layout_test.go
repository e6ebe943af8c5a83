package press_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/universe/press"

	"pgregory.net/rapid"
)

var vocabulary = strings.Fields("rent Nguyễn lease $1,234 Łukasz quarter the of a Щербакова agreement 2025 (b) it, Elmmere premises. now! O'Brien")

// prose draws some words, with a fact among them now and then.
func prose(t *rapid.T, most int, n *int) string {
	words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 1, most).Draw(t, "words")
	if rapid.Bool().Draw(t, "fact") {
		*n++
		words = append(words, press.Fact(fmt.Sprint("f", *n), fmt.Sprintf("value %d", *n)))
	}
	return strings.Join(words, " ")
}

// story draws a story of up to 25 blocks of all kinds, short and long, and the number of its facts.
func story(t *rapid.T) (press.Story, int) {
	s, facts := press.Story{ID: "r", Title: "A title", Head: "head", Foot: "foot", Look: press.Look{Serif: rapid.Bool().Draw(t, "serif"), Size: rapid.Float64Range(8, 12).Draw(t, "size")}}, 0
	for range rapid.IntRange(1, 25).Draw(t, "blocks") {
		b := press.Block{Kind: rapid.SampledFrom([]string{edb.KindHeading, edb.KindParagraph, edb.KindParagraph, edb.KindListItem, edb.KindTable, edb.KindFigure, edb.KindFootnote, edb.KindCode}).Draw(t, "kind"),
			Keep: rapid.IntRange(0, 3).Draw(t, "keep") == 0, Level: rapid.IntRange(0, 3).Draw(t, "level")}
		switch b.Kind {
		case edb.KindTable:
			tab := &press.Table{Caption: prose(t, 9, &facts)}
			columns := rapid.IntRange(1, 7).Draw(t, "columns")
			for range rapid.SampledFrom([]int{1, 3, 8, 70}).Draw(t, "rows") {
				row := make([]string, columns)
				for c := range row {
					row[c] = prose(t, 5, &facts)
				}
				tab.Rows = append(tab.Rows, row)
			}
			if rapid.Bool().Draw(t, "header") {
				tab.Header, tab.Rows = tab.Rows[0], append(tab.Rows[1:], tab.Rows[0])
				facts += strings.Count(strings.Join(tab.Header, ""), "{")
			}
			b.Table = tab
		case edb.KindFigure:
			c := &press.Chart{Kind: rapid.SampledFrom([]string{press.Bars, press.Columns, press.Curve}).Draw(t, "chart"), Caption: prose(t, 12, &facts)}
			for i := range rapid.IntRange(1, 6).Draw(t, "values") {
				facts++
				c.Labels, c.Values, c.Printed = append(c.Labels, fmt.Sprint("L", i)), append(c.Values, float64(i*i)), append(c.Printed, press.Fact(fmt.Sprint("f", facts), fmt.Sprint(facts)))
			}
			b.Chart = c
		case edb.KindHeading:
			b.Text = prose(t, 6, &facts)
		case edb.KindCode:
			b.Text = prose(t, 8, &facts) + "\n\n\t" + prose(t, 20, &facts)
		case edb.KindParagraph:
			b.Text = prose(t, rapid.SampledFrom([]int{10, 60, 60, 1500}).Draw(t, "length"), &facts)
		default:
			b.Text = prose(t, 30, &facts)
		}
		s.Blocks = append(s.Blocks, b)
	}
	return s, facts
}

// Whatever is laid out lies on its page, over nothing else, in the order of the story, and no word or
// fact is lost: in one column, in two, and balanced.
func TestLayoutLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, facts := story(t)
		plain, err := press.Print(s, press.HTML)
		if err != nil {
			t.Fatal(err)
		}
		want := order(plain.Gold)
		for _, f := range []press.Format{press.PDF, press.PDFTwoColumn} {
			p, err := press.Print(s, f)
			if err != nil {
				t.Fatal(err)
			}
			if got := order(p.Gold); got[0] != want[0] || got[1] != want[1] {
				t.Fatalf("%s: the text is\n%q\nnot\n%q", f, got, want)
			}
			again := map[string]bool{} // headers of tables that are cut are printed again
			for _, m := range p.Mentions {
				again[m.Field] = true
			}
			fields := map[string]bool{}
			for _, m := range plain.Mentions {
				fields[m.Field] = true
			}
			if len(again) != len(fields) || len(plain.Mentions) < facts/2 {
				t.Fatalf("%s: %d facts, the story has %d", f, len(again), len(fields))
			}
			if fault := misplaced(p.Gold); fault != "" {
				t.Fatalf("%s: %s", f, fault)
			}
		}
	})
}

// order is the text of a gold without white space, and its footnotes by themselves. The header that a
// cut table repeats is left out.
func order(gold edb.Parsed) (out [2]string) {
	var text strings.Builder
	var notes []string
	head := ""
	for _, e := range gold.Elements {
		t := e.Text
		switch {
		case e.Artifact():
			continue
		case e.Kind == edb.KindFootnote:
			notes = append(notes, t)
			continue
		case e.Kind == edb.KindTable && strings.Contains(e.HTML, "<th>"):
			row, rest, _ := strings.Cut(t, "\n")
			if row == head {
				t = rest
			}
			head = row
		case e.Kind == edb.KindTable:
		case e.Kind != edb.KindCaption:
			head = ""
		}
		text.WriteString(t)
	}
	slices.Sort(notes) // on a page they come by column
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	return [2]string{squeeze(text.String()), squeeze(strings.Join(notes, " "))}
}

// misplaced names an element that leaves its page or lies over another one.
func misplaced(gold edb.Parsed) string {
	for _, p := range gold.Pages {
		for i, a := range p.Elements {
			if b := a.Box; b[0] < press.MarginSide-.02 || b[2] > press.PageWidth-press.MarginSide+.02 || b[1] < 40 || b[3] > press.PageHeight-30 || b[0] >= b[2] || b[1] >= b[3] {
				return fmt.Sprintf("%s %s of page %d lies at %v", a.Kind, a.ID, p.Number, *b)
			}
			if !a.Artifact() && (a.Box[1] < 80 || a.Box[3] > press.PageHeight-70) {
				return fmt.Sprintf("%s %s of page %d lies in the margin: %v", a.Kind, a.ID, p.Number, *a.Box)
			}
			for _, b := range p.Elements[i+1:] {
				if min(a.Box[2], b.Box[2])-max(a.Box[0], b.Box[0]) > .5 && min(a.Box[3], b.Box[3])-max(a.Box[1], b.Box[1]) > .5 {
					return fmt.Sprintf("page %d: %s %q and %s %q overlap: %v, %v", p.Number, a.Kind, a.Text[:min(20, len(a.Text))], b.Kind, b.Text[:min(20, len(b.Text))], *a.Box, *b.Box)
				}
			}
		}
	}
	return ""
}
