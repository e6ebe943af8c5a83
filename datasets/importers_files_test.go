package datasets

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/testdata"
)

func TestImportCourts(t *testing.T) {
	from := testdata.Data(t, "courts")
	d := imported(t, "courts", ImportOptions{Parse: sizeless})
	kinds := map[string]int{}
	for _, x := range d.Documents {
		kinds[x.Doctype+" "+filepath.Ext(x.Path)]++
		if x.Gold != "none" || x.Licence.SPDX != "LicenseRef-Public-Domain" || !strings.Contains(x.Licence.Evidence, "public domain") {
			t.Errorf("%+v", x)
		}
	}
	// The README's 75 files: 15 PDFs and 30 index pages with their metadata.
	sameCounts(t, "documents", kinds, map[string]int{"court-record .pdf": 15, "court-index .html": 25, "court-index .json": 4, "court-index .xml": 1})
	entries := 0
	files, err := filepath.Glob(filepath.Join(from, "index_pages", "*.compare.json"))
	must(t, err)
	for _, f := range files {
		raw, err := os.ReadFile(f)
		must(t, err)
		var list []courtCase
		must(t, json.Unmarshal(raw, &list))
		entries += len(list)
	}
	// 723 entries, 649 of them with a name of their own that is no docket number, 635 of these with the docket number on the page.
	sameCounts(t, "questions", countQuestions(d), map[string]int{"single-hop": 1284, "date": 649, "exact": 635, "bare": 1284})
	if entries != 723 {
		t.Errorf("%d entries", entries)
	}
	q := questionOf(t, d, "index/bap6_example-1-docket")
	if q.Text != "What is the docket number of Matthew Lucas v. Eric Miller?" || q.Answer.Value != "24-8015" || q.Evidence[0].Quote != "24-8015" || d.Qrels[q.ID]["index/bap6_example#1"] != 1 {
		t.Errorf("%+v", q)
	}
}

func TestImportGAO(t *testing.T) {
	d := imported(t, "gao", ImportOptions{Parse: pages})
	pages, gold := 0, map[string]int{}
	for _, x := range d.Documents {
		pages += x.Pages
		gold[x.Gold]++
		if x.GoldScoresParsing() || x.Licence.SPDX != "LicenseRef-US-Government-Work" {
			t.Errorf("%+v", x)
		}
	}
	sameCounts(t, "gold", gold, map[string]int{"reference(pymupdf4llm@unstated)": 2, "none": 1})
	if len(d.Documents) != 3 || pages != 136 { // pdfinfo 22.12.0: 43+82+11
		t.Errorf("%d documents, %d pages", len(d.Documents), pages)
	}
	if x, _ := d.Document("gao-06-282"); x.Title != "Breastfeeding: Some Strategies Used to Market Infant Formula May Discourage Breastfeeding" {
		t.Errorf("title %q", x.Title)
	}
}

func TestImportEDGARHTML(t *testing.T) {
	from := testdata.Data(t, "edgar_html")
	d := imported(t, "edgar_html", ImportOptions{})
	if len(d.Documents) != 5 || !d.GoldHolds("heading") || d.GoldHolds("") {
		t.Fatalf("%d documents, gold parts %v", len(d.Documents), d.Info.GoldParts)
	}
	for _, x := range d.Documents {
		raw, err := os.ReadFile(filepath.Join(from, x.ID, "expected-top-level-sections.json"))
		must(t, err)
		var sections []edgarSection
		must(t, json.Unmarshal(raw, &sections))
		want := 0
		for _, s := range sections {
			if s.Length > 0 {
				want++
			}
		}
		got := kinds(mustGold(t, d, x.ID))
		if x.ID == "10-Q/AAPL/0000320193-23-000077" {
			want = 83 // 13 TopSectionTitle and 70 TitleElement of its structure
		}
		if x.Gold != "human" || got["heading"] != want || len(got) != 1 {
			t.Errorf("%s: %v, want %d headings", x.ID, got, want)
		}
	}
	g := mustGold(t, d, "10-Q/TXN/0000097476-23-000035")
	want := []string{"ITEM 1. Financial statements", "ITEM 2. Management’s discussion and analysis of financial condition and results of operations", "ITEM 4. Controls and procedures",
		"ITEM 1A. Risk factors", "ITEM 2. Unregistered sales of equity securities and use of proceeds", "ITEM 6. Exhibits"}
	if g.Text() != strings.Join(want, "\n") {
		t.Errorf("%s", g.Text())
	}
	for i, e := range mustGold(t, d, "10-Q/AAPL/0000320193-23-000077").Pages[0].Elements[:4] {
		if w := []edb.Element{{Text: "PART I — FINANCIAL INFORMATION", Level: 1}, {Text: "Item 1. Financial Statements", Level: 2},
			{Text: "CONDENSED CONSOLIDATED STATEMENTS OF OPERATIONS (Unaudited)", Level: 3}, {Text: "CONDENSED CONSOLIDATED STATEMENTS OF COMPREHENSIVE INCOME (Unaudited)", Level: 3}}[i]; e.Text != w.Text || e.Level != w.Level {
			t.Errorf("%+v", e)
		}
	}
}
