package press_test

import (
	"fmt"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/universe/press"
)

// letter is a short document of a page or less.
func letter(i int) press.Story {
	f := press.Fact
	n := fmt.Sprint(i)
	return press.Story{
		ID: "letter-" + n, Title: "Field report " + n, Author: "The house", Head: "Report " + n, Foot: "Internal",
		Blocks: []press.Block{
			{Kind: edb.KindHeading, Text: "1. Summary"},
			{Kind: edb.KindParagraph, Text: f("agent", "Hedwig Łaska") + " visited " + f("customer", "Elmmere Furniture PLC") + " on " + f("date", "October 1, 2025") + ". The premises are let under lease " + f("lease", "LA-"+n) +
				", and " + f("staff", "52") + " people hold a badge. The yearly budget is " + f("budget", "$135,500") + "."},
			{Kind: edb.KindParagraph, Text: "The walk began in the basement and ended on the roof; access was given everywhere, and the plant room log was complete. No safety defect was found."},
			{Kind: edb.KindTable, Table: &press.Table{Caption: "Table 1: Offers", Header: []string{"Service", "Sites", "Value"}, Right: []bool{false, true, true}, Bold: []int{2},
				Rows: [][]string{{"Cleaning", f("sites", "3"), f("cleaning", "$28,080")}, {"Audit", "2", f("audit", "$19,620")}, {"Total", "5", f("total", "$47,700")}}}},
			{Kind: edb.KindListItem, Text: "Send the revised quotation by " + f("due", "October 9, 2025") + "."},
			{Kind: edb.KindListItem, Text: "Ask the service desk for the fault list."},
		},
	}
}

// paper is a document of three or four pages with tables, charts and footnotes.
func paper(i int) press.Story {
	s := letter(i)
	s.ID = "paper-" + fmt.Sprint(i)
	short := s.Blocks
	for range 4 {
		s.Blocks = append(s.Blocks, short...)
		s.Blocks = append(s.Blocks,
			press.Block{Kind: edb.KindFigure, Chart: &press.Chart{Caption: "Figure 1: Scores", Kind: press.Bars, Labels: []string{"Access", "Landscaping", "Fit-out"}, Values: []float64{7.8, 3.7, 5}, Printed: []string{"7.8", press.Fact("score", "3.7"), "5.0"}}},
			press.Block{Kind: edb.KindFootnote, Text: "¹ Unaudited figures of " + press.Fact("year", "2025") + "."})
	}
	return s
}

// cpuSeconds is the processor time of this process so far; nil where the system does not say.
var cpuSeconds func() float64

func benchmark(b *testing.B, make func(int) press.Story, f press.Format) {
	stories := [16]press.Story{}
	for i := range stories {
		stories[i] = make(i)
	}
	pages, n := 0, 0
	b.ReportAllocs()
	start := 0.0
	if cpuSeconds != nil {
		start = cpuSeconds()
	}
	for b.Loop() {
		p, err := press.Print(stories[n%len(stories)], f)
		if err != nil {
			b.Fatal(err)
		}
		pages += len(p.Gold.Pages)
		n++
	}
	b.ReportMetric(float64(pages)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(pages)/float64(n), "pages/doc")
	if cpuSeconds != nil {
		b.ReportMetric(float64(pages)/(cpuSeconds()-start), "pages/cpu-s")
	}
}

func BenchmarkPrint(b *testing.B) {
	for _, f := range press.Formats {
		b.Run("letter/"+string(f), func(b *testing.B) { benchmark(b, letter, f) })
		b.Run("paper/"+string(f), func(b *testing.B) { benchmark(b, paper, f) })
	}
}
