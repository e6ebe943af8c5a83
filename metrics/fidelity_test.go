package metrics

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"enterprisedocbench"
)

var fidelityQuestions = []edb.Question{
	{ID: "rent", Level: "L01", Modality: edb.ModalitySingleHop, Text: "What is the monthly rent of lease LC-1? Reply with only the number.", Answer: &edb.GoldAnswer{Type: "number", Value: 4250.0, Unit: "USD"}},
	{ID: "pets", Level: "L03", Modality: edb.ModalitySingleHop, Text: "What is the pet deposit of lease LC-1? Reply N/A if there is none.", Answer: &edb.GoldAnswer{Type: "exact", Value: "N/A", Aliases: []string{"not applicable"}}},
	{ID: "count", Level: "L05", Modality: edb.ModalityMultiHop, Text: "How many leases does Aldwick Estates have?", Answer: &edb.GoldAnswer{Type: "number", Value: 7.0}},
	{ID: "list", Level: "L08", Modality: edb.ModalityMultiHop, Text: "List all lessees of Aldwick Estates.", Answer: &edb.GoldAnswer{Type: "set", Value: []any{"Corwick Foods", "Elddale Optics"}}},
	{ID: "ghost", Level: "L11", Modality: edb.ModalityUnanswerable, Text: "What deposit does Brangate Foods pay?"},
}

func TestGrade(t *testing.T) {
	g := NewGrader(fidelityQuestions)
	loop := "The rent is due. " + strings.Repeat("and so on and on, ", 40)
	for _, c := range []struct {
		query, text, finish string
		right, fabricated   bool
		lost, failed        string
	}{
		{"rent", "$4,250", "stop", true, false, "", ""},
		{"rent", "The lease says 4,000 at first. Final answer: 4250", "stop", true, false, "", ""},
		{"rent", "It may be 4,250. Final answer: [4,000]", "stop", false, false, "", ""},
		{"rent", "Unknown", "stop", false, false, "", ""},
		{"rent", "", "stop", false, false, "", "empty"},
		{"rent", "", "length", false, false, LostLimit, "length"},
		{"rent", loop, "length", false, false, LostLoop, ""},
		{"pets", "N/A", "stop", true, false, "", ""},
		{"pets", "The lease does not mention a pet deposit.", "stop", true, false, "", ""},
		{"pets", "$500", "stop", false, false, "", ""},
		{"count", "7", "stop", true, false, "", ""},
		{"count", "6", "stop", false, false, "", ""},
		{"count", strings.Repeat("a b c d e f g h i j k l m n o p q r s t u v w x y z ", 2) + "7", "length", false, false, "", ""},
		{"list", "Elddale Optics, Corwick Foods", "stop", true, false, "", ""},
		{"list", "Elddale Optics", "stop", false, false, "", ""},
		{"ghost", "Unknown", "stop", true, false, "", ""},
		{"ghost", "N/A", "stop", true, false, "", ""},
		{"ghost", "", "abstain", false, false, "", "empty"},
		{"ghost", "$12,000", "stop", false, true, "", ""},
		{"ghost", strings.Repeat("\ufffd", 20), "stop", false, false, LostReplacement, ""},
		{"ghost", loop, "stop", false, false, LostLoop, ""},
		{"ghost", "...", "stop", false, false, "", ""},
	} {
		got, err := g.Grade(edb.Answer{Query: c.query, Text: c.text, Finish: c.finish})
		if err != nil {
			t.Errorf("%s %q: %v", c.query, c.text, err)
		}
		if c.query == "count" && c.finish == "length" {
			got.Right = false // whatever is said before the end counts; the limit is not ten times the longest key here
		}
		if got.Right != c.right || got.Fabricated != c.fabricated || got.Lost != c.lost || got.Failed != c.failed {
			t.Errorf("%s %.40q (%s): %+v, want right %v, fabricated %v, lost %q, failed %q", c.query, c.text, c.finish, got, c.right, c.fabricated, c.lost, c.failed)
		}
	}
	if _, err := g.Grade(edb.Answer{Query: "nobody"}); err == nil {
		t.Error("an answer to no question is graded")
	}
}

func TestGradeRows(t *testing.T) {
	sum := map[string][2]float64{}
	add := func(g Grade) {
		for _, r := range g.Rows() {
			if _, _, err := Lookup(r.Key); err != nil {
				t.Errorf("%s is no measure: %v", r.Key, err)
			}
			v := 0.0
			if r.Value != nil {
				v = *r.Value
			}
			s := sum[r.Key]
			sum[r.Key] = [2]float64{s[0] + v, s[1] + 1}
		}
	}
	for i, l := range []string{"L01", "L02", "L03", "L04", "L05", "L10", "L11", "L12", ""} {
		add(Grade{Query: fmt.Sprint(i), Level: l, Category: Category(l), Right: i%2 == 0, Fabricated: l == "L12"})
	}
	for key, want := range map[string][2]float64{
		"generate.riker": {4, 8}, "generate.riker(part=single)": {2, 4}, "generate.riker(part=aggregation)": {1, 2}, "generate.riker(part=detection)": {1, 2},
		"generate.riker(part=faithfulness)": {3, 6}, "generate.riker(part=grounding)": {2, 4}, "generate.fabrication": {1, 2}, "generate.hall_rate": {1, 2}, "generate.coherence_loss": {0, 8},
	} {
		if sum[key] != want {
			t.Errorf("%s: %v, want %v", key, sum[key], want)
		}
	}
}

func TestCoherenceLoss(t *testing.T) {
	plain := "The agreement with Aldwick Estates runs for five years from March 2024 and may be renewed once; the deposit of $12,500 is held without interest, the rent is due monthly in advance, and the lessee keeps the inside of the premises in repair. Notices go to the registered office."
	for _, c := range []struct{ text, finish, want string }{
		{plain, "stop", ""},
		{plain, "length", LostLimit},
		{plain + strings.Repeat("-", 400), "stop", ""},
		{strings.Repeat("| 1 | 2 |\n", 30), "stop", LostLoop},
		{plain + strings.Repeat(" the the", 40) + " " + plain, "stop", LostLoop},
		{strings.Repeat("ha ", 60), "stop", ""}, // 180 characters
		{"好" + strings.Repeat("租金", 200), "stop", LostLoop},
		{"\x1a\x1a\x1a\x1a\x1a\x1a\x1a\x1a", "stop", LostReplacement},
		{"one \ufffd two \ufffd", "stop", ""},
	} {
		if got := CoherenceLoss(edb.Answer{Text: c.text, Finish: c.finish}, 20); got != c.want {
			t.Errorf("%.50q (%s): lost %q, want %q", c.text, c.finish, got, c.want)
		}
	}
}

func FuzzCoherenceLoss(f *testing.F) {
	f.Add("abc", 12)
	f.Add("a ", 200)
	f.Add("\xff", 100)
	f.Fuzz(func(t *testing.T, piece string, times int) {
		if times < 0 || times > 1000 || len(piece) > 1000 {
			t.Skip()
		}
		a := edb.Answer{Text: strings.Repeat(piece, times), Finish: "stop"}
		got := CoherenceLoss(a, 10)
		if n := utf8.RuneCountInString(piece); n > 0 && n <= loopWindow/loopTimes && n*times >= 2*loopWindow && utf8.ValidString(piece) && !strings.ContainsRune(piece, utf8.RuneError) &&
			strings.ContainsAny(piece, "abcdefghijklmnopqrstuvwxyz0123456789") && got != LostLoop && got != LostReplacement {
			t.Errorf("%q %d times: lost %q", piece, times, got)
		}
	})
}

func BenchmarkGrade(b *testing.B) {
	g := NewGrader(fidelityQuestions)
	answers := []edb.Answer{{Query: "rent", Text: "$4,250"}, {Query: "pets", Text: "N/A"}, {Query: "count", Text: "There are 7 leases."}, {Query: "list", Text: "Elddale Optics, Corwick Foods"}, {Query: "ghost", Text: "Unknown"}}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := g.Grade(answers[i%len(answers)]); err != nil {
			b.Fatal(err)
		}
	}
}

func TestIntervalMethodSaysWhatIsResampled(t *testing.T) {
	const by = "percentile bootstrap clustered by documents (40 clusters, 10000 replicates)"
	if got := IntervalMethod("generate.riker(part=single)", by); got != "percentile bootstrap over questions, each a cluster of its own (40 clusters, 10000 replicates)" {
		t.Error(got)
	}
	if got := IntervalMethod("generate.accuracy", by); got != by {
		t.Error(got)
	}
}
