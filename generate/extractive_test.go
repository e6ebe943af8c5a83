package generate

import (
	"strings"
	"testing"

	"enterprisedocbench"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var lease = edb.Context{Passage: "lease@0", Doc: "lease", Page: 1, Text: strings.Join([]string{
	"Commercial Lease Agreement",
	"This lease agreement, number L-2041, is made on 12 March 2024 between Calmont Estates LLC (the Landlord) and Verdal Foods Ltd (the Tenant). It was negotiated for the Tenant by Marta Kellgren of Harrow & Co, who acts as the agent of record.",
	"Table 1: Key terms",
	"Item\tAgreed term",
	"Tenant\tVerdal Foods Ltd",
	"Rentable area\t4,500 square feet",
	"Permitted use\tbakery and shop",
	"2. Security deposit",
	"On signing, Verdal Foods Ltd pays a security deposit of $27,000 to the Landlord. It is held without interest and is returned within forty days.",
	"Verdal Foods Ltd may sublet parts of the premises only with the Landlord's consent, given in writing beforehand.",
	"Table 2: Rent schedule of Verdal Foods Ltd",
	"Lease year\tFrom\tTo\tMonthly rent\tAnnual rent",
	"Year 1\t1 April 2024\t31 March 2025\t$9,000\t$108,000",
	"Year 2\t1 April 2025\t31 March 2026\t$9,270\t$111,240",
	"Total\t\t\t\t$219,240",
}, "\n")}

var report = edb.Context{Passage: "report@0", Doc: "report", Page: 1, Text: strings.Join([]string{
	"Sales Field Report",
	"Report\tR-77\tCustomer\tVerdal Foods Ltd",
	"Agent\tMarta Kellgren\tContact\tJonas Brandvik",
	"Region\tCoastal\tVisit date\t3 June 2024",
	"Manager\tElin Osterhaus\tSubmitted\t5 June 2024",
	"1. Summary",
	"Marta Kellgren visited Verdal Foods Ltd at Norrick House on 3 June 2024. The main concern of Verdal Foods Ltd is the loading dock.",
	"Services offered to Verdal Foods Ltd, per year",
	"Service\tSites\tPrice per site\tYearly value",
	"Cleaning\t3\t$4,000\t$12,000",
	"Security\t2\t$9,500\t$19,000",
	"Catering\t1\t$5,200\t$5,200",
}, "\n")}

var statement = edb.Context{Passage: "statement@0", Doc: "statement", Page: 2, Text: strings.Join([]string{
	"Quarterly Financial Statement Q2 2024",
	"Income statement of Verdal Foods Ltd, US dollars",
	"Item\tQ2 2024\tQ1 2024\tChange",
	"Total revenue\t812,400\t799,100\t13,300",
	"Personnel\t301,000\t298,500\t2,500",
	"Verdal Foods Ltd closed Q2 2024 with a revenue of $812,400 and an operating profit of $98,200.",
	"The annual accounts of Verdal Foods Ltd are audited by Lunstead & Partners.",
}, "\n")}

func answer(t *testing.T, question string, contexts ...edb.Context) edb.Answer {
	t.Helper()
	g, err := New(Config{Provider: "extractive"})
	if err != nil {
		t.Fatal(err)
	}
	a, err := g.Generate(t.Context(), edb.Question{ID: "q", Text: question}, contexts)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestExtractiveReadsBusinessDocuments(t *testing.T) {
	for _, c := range []struct{ question, want, doc string }{
		{"What security deposit does Verdal Foods Ltd pay?", "$27,000", "lease"},
		{"How much is the security deposit in the lease of Verdal Foods Ltd?", "$27,000", "lease"},
		{"Who negotiated the lease for Verdal Foods Ltd?", "Marta Kellgren", "lease"},
		{"When was lease L-2041 made?", "12 March 2024", "lease"},
		{"What is the rentable area of the premises let to Verdal Foods Ltd?", "4,500", "lease"},
		{"What is the monthly rent of Verdal Foods Ltd in Year 2?", "$9,270", "lease"},
		{"What annual rent does Verdal Foods Ltd owe in lease Year 1?", "$108,000", "lease"},
		{"What is the permitted use of the premises under lease L-2041?", "bakery and shop", "lease"},
		{"Who is the manager in report R-77?", "Elin Osterhaus", "report"},
		{"When was report R-77 submitted?", "5 June 2024", "report"},
		{"What is the main concern of Verdal Foods Ltd?", "loading dock", "report"},
		{"What is the yearly value of Security offered to Verdal Foods Ltd?", "$19,000", "report"},
		{"Which service offered to Verdal Foods Ltd has the highest yearly value?", "Security", "report"},
		{"What were the personnel costs of Verdal Foods Ltd in Q1 2024?", "298,500", "statement"},
		{"Who audits the annual accounts of Verdal Foods Ltd?", "Lunstead & Partners", "statement"},
		{"May Verdal Foods Ltd sublet parts of the premises with the Landlord's consent?", "consent", "lease"},
	} {
		t.Run(c.question, func(t *testing.T) {
			a := answer(t, c.question, lease, report, statement)
			if a.Finish != "stop" || !strings.Contains(a.Text, c.want) {
				t.Fatalf("%s: %q", a.Finish, a.Text)
			}
			last := a.Citations[len(a.Citations)-1]
			if last.Doc != c.doc || last.At != len([]rune(a.Text)) || last.Quote == "" {
				t.Errorf("cites %+v", last)
			}
		})
	}
}

func TestExtractiveAbstains(t *testing.T) {
	for _, q := range []string{
		"What security deposit does Dunrick Optics PLC pay?",
		"What is the break fee of Verdal Foods Ltd?",
		"What is the parking fee in lease L-2041?",
		"When was report R-99 submitted?",
		"Who insures the delivery vans of Verdal Foods Ltd?",
		"What is the monthly rent of Verdal Foods Ltd in Year 9?",
	} {
		a := answer(t, q, lease, report, statement)
		if a.Finish != "abstain" || a.Text != Refusal || a.Citations != nil {
			t.Errorf("%s: %s %q %v", q, a.Finish, a.Text, a.Citations)
		}
	}
	if a := answer(t, "What is the rent?"); a.Finish != "abstain" {
		t.Errorf("without contexts: %+v", a)
	}
}

func TestExtractiveTakesTwoSteps(t *testing.T) {
	a := answer(t, "Who is the manager of the agent who negotiated lease L-2041?", lease, report)
	if !strings.Contains(a.Text, "Elin Osterhaus") || len(a.Citations) != 2 {
		t.Fatalf("%s %q %v", a.Finish, a.Text, a.Citations)
	}
	if a.Citations[0].Doc != "lease" || a.Citations[1].Doc != "report" || a.Citations[0].At >= a.Citations[1].At {
		t.Errorf("cites %+v", a.Citations)
	}
}

func TestExtractiveCountsTokens(t *testing.T) {
	a := answer(t, "Who audits the annual accounts of Verdal Foods Ltd?", statement)
	if a.Usage == nil || *a.Usage.PromptTokens < 50 || *a.Usage.CompletionTokens < 5 || *a.Usage.USD != 0 {
		t.Errorf("usage %+v", a.Usage)
	}
}

func TestExtractiveIsPure(t *testing.T) {
	g, err := New(Config{Provider: "extractive"})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		q := edb.Question{ID: "q", Text: rapid.String().Draw(t, "question")}
		cs := []edb.Context{{Doc: "d", Page: 1, Text: rapid.StringMatching(`([A-Za-z0-9 $,.%\t\n]{0,20}){0,8}`).Draw(t, "text")}}
		a, err := g.Generate(t.Context(), q, cs)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := g.Generate(t.Context(), q, cs)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Fatal(diff)
		}
		for _, c := range a.Citations {
			if c.At < 0 || c.At > len([]rune(a.Text)) || !strings.Contains(cs[0].Text, c.Quote) {
				t.Fatalf("citation %+v of %q", c, a.Text)
			}
		}
	})
}

func FuzzCut(f *testing.F) {
	f.Add(lease.Text)
	f.Add("a\tb\n\tc")
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "")
		r := []rune(s)
		for _, u := range cut(0, s) {
			if got := string(r[u.start : u.start+len([]rune(u.text))]); got != u.text {
				t.Fatalf("unit %q stands as %q", u.text, got)
			}
		}
	})
}
