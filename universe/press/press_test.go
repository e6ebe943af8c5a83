package press_test

import (
	"strings"
	"testing"
	"time"

	edb "enterprisedocbench"

	"enterprisedocbench/universe/press"
)

// sample is a story with every kind of block.
func sample() press.Story {
	f := press.Fact
	rows := [][]string{}
	for i, n := range []string{"Đặng Thị Hương", "Łukasz Wiśniewski", "İpek Gündoğdu", "Þórdís Ægisdóttir", "Ελένη Παπαδοπούλου", "Ольга Щербакова"} {
		rows = append(rows, []string{n, f("role", "Clerk"), f("pay", "$1,20"+string(rune('0'+i)))})
	}
	return press.Story{
		ID: "doc-1", Title: "Payroll of " + f("company", "Nguyễn & Söhne Ltd."), Author: "Ægir", Made: time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC),
		Head: "Payroll   |   2026", Foot: "Confidential & internal",
		Blocks: []press.Block{
			{Kind: edb.KindHeading, Text: "1. Staff"},
			{Kind: edb.KindParagraph, Text: "The payroll covers " + f("staff", "6") + " people. It was closed by " + f("clerk", "Zoë O'Brien") + " on " + f("closed", "March 3, 2026") + "; no item is *open*. Braces \\{like these\\} are plain."},
			{Kind: edb.KindTable, Table: &press.Table{Caption: "Table 1: Pay by " + f("unit", "month"), Header: []string{"Name", "Role", "Pay"}, Rows: rows, Right: []bool{false, false, true}}},
			{Kind: edb.KindHeading, Level: 3, Text: "Items"},
			{Kind: edb.KindListItem, Text: "Send the slips by " + f("due", "April 1, 2026") + "."},
			{Kind: edb.KindListItem, Level: 2, Text: "1. Check them first."},
			{Kind: edb.KindListItem, Text: "(b) File the copies."},
			{Kind: edb.KindFigure, Chart: &press.Chart{Caption: "Figure 1: Cost", Kind: press.Bars, Labels: []string{"Rent", "Pay"}, Values: []float64{3, 8}, Printed: []string{f("rent", "$3"), f("cost", "$8")}}},
			{Kind: edb.KindFigure, Chart: &press.Chart{Caption: "Figure 2: Cost by quarter", Kind: press.Columns, Labels: []string{"Q1 2025", "Q2 2025", "Q3 2025"}, Values: []float64{3, 8, 4}, Printed: []string{"3.0", f("q2", "8.0"), "4.0"}}},
			{Kind: edb.KindFigure, Chart: &press.Chart{Caption: "Figure 3: Result", Kind: press.Curve, Labels: strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"), Values: []float64{3, -8, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9},
				Printed: []string{"3.0", f("feb", "(8.0)"), "4.0", "1.0", "2.0", "3.0", "4.0", "5.0", "6.0", "7.0", "8.0", f("dec", "9.0")}}},
			{Kind: edb.KindFootnote, Text: "¹ Unaudited. Approved by " + f("auditor", "Ştefan Ionescu") + "."},
			{Kind: edb.KindCode, Text: "SELECT *\n\tFROM pay\n\n WHERE id = " + f("id", "42") + ";"},
			{Kind: edb.KindTable, Table: &press.Table{Header: []string{"Group", "2025", ""}, Rows: [][]string{{"A", "1", f("a2", "2")}, {"", "3", "4"}, {"Total", "4", "6"}},
				Spans: []press.Span{{-1, 1, 1, 2}, {0, 0, 2, 1}}, Bold: []int{2}}},
		},
	}
}

func TestEveryFormatProvesItsFacts(t *testing.T) {
	facts := 0
	for i, f := range press.Formats {
		p, err := press.Print(sample(), f)
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		if facts += len(p.Mentions); facts != (i+1)*len(p.Mentions) || len(p.Mentions) != 26 {
			t.Errorf("%s: %d facts, want 26", f, len(p.Mentions))
		}
		for _, m := range p.Mentions {
			ev := m.Evidence
			text := []rune(p.Gold.Pages[ev.Page-1].Text())
			if string(text[ev.Start:ev.End]) != ev.Quote || string(text[m.Start:m.End]) != m.Value || m.Start < ev.Start || m.End > ev.End {
				t.Errorf("%s: %s=%s is not at %d to %d of page %d", f, m.Field, m.Value, m.Start, m.End, ev.Page)
			}
			if pdf := f == press.PDF || f == press.PDFTwoColumn; (ev.Box != nil) != pdf {
				t.Errorf("%s: %s has the box %v", f, m.Field, ev.Box)
			}
		}
	}
}
