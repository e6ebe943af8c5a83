package datasets

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/testdata"
)

// sizeless stands in for a parser where a test does not ask for sizes: a page without anything.
func sizeless(context.Context, string) (edb.Parsed, error) {
	return edb.Parsed{Engine: "one@1", Paged: true, Pages: []edb.Page{{Number: 1}}}, nil
}

// mustGold gives a document's gold, which must be there.
func mustGold(t *testing.T, d *Dataset, id string) edb.Parsed {
	t.Helper()
	g, ok, err := d.Gold(id)
	if err != nil || !ok {
		t.Fatalf("%s: gold %v, %v", id, ok, err)
	}
	return g
}

// kinds counts elements by kind.
func kinds(p edb.Parsed) map[string]int {
	m := map[string]int{}
	for _, e := range p.Elements {
		m[e.Kind]++
	}
	return m
}

// jatsBody cuts an article's XML down to what its gold covers.
func jatsBody(t *testing.T, path string) string {
	raw, err := os.ReadFile(path)
	must(t, err)
	s, _, _ := strings.Cut(string(raw), "<sub-article")
	return regexp.MustCompile(`(?s)<ref-list.*?</ref-list>`).ReplaceAllString(s, "")
}

func TestImportJATS(t *testing.T) {
	from := testdata.Data(t, "jats")
	d := imported(t, "jats", ImportOptions{Parse: pages})
	// The README's 22 files: 21 articles and a PDF.
	if len(d.Documents) != 22 || len(d.Questions) != 0 {
		t.Fatalf("%d documents, %d questions", len(d.Documents), len(d.Questions))
	}
	licences := map[string]int{}
	for _, x := range d.Documents {
		licences[x.Licence.SPDX]++
		gold := "source"
		if x.MIME == "application/pdf" {
			gold = "reference(jats@elife-1234567890-v1)"
		}
		if x.Title == "" || x.Gold != gold || x.Source == nil || !x.Licence.Redistribute || x.Licence.Commercial == strings.Contains(x.Licence.SPDX, "-NC") {
			t.Errorf("%+v", x)
		}
		g, xml := mustGold(t, d, x.ID), filepath.Join(from, x.ID+filepath.Ext(x.Path))
		if strings.HasPrefix(x.ID, "elife-1234567890") {
			xml = filepath.Join(from, "pair", "elife-1234567890-v1.xml")
		} else if _, err := os.Stat(xml); err != nil {
			xml = filepath.Join(from, x.ID+".nxml")
		}
		// Counted in the markup: every table, figure and title there is an element here.
		body := jatsBody(t, xml)
		if want := strings.Count(body, "<table>") + strings.Count(body, "<table "); kinds(g)["table"] != want || x.Layout.Tables != want {
			t.Errorf("%s: %d tables, %d in the markup", x.ID, kinds(g)["table"], want)
		}
		if want := strings.Count(body, "<fig>") + strings.Count(body, "<fig "); kinds(g)["figure"] < want {
			t.Errorf("%s: %d figures, %d in the markup", x.ID, kinds(g)["figure"], want)
		}
		for _, e := range g.Elements {
			if e.Kind == edb.KindHeading && (e.Level < 1 || e.Level > 6) || e.Kind == edb.KindTable && !strings.HasPrefix(e.HTML, "<table><tr><t") {
				t.Errorf("%s: %+v", x.ID, e)
			}
		}
	}
	// The collection's README: one is NC, one CC0, one in the public domain.
	if licences["CC-BY-NC-3.0"] != 1 || licences["CC0-1.0"] != 1 || licences["CC-PDM-1.0"] != 1 || licences["LicenseRef-CC-BY-unversioned"] != 2 {
		t.Errorf("licences: %v", licences)
	}
	pair, _ := d.Document("elife-1234567890")
	if pair.MIME != "application/pdf" || pair.Pages != 14 {
		t.Errorf("%+v", pair)
	}
	g := mustGold(t, d, pair.ID)
	var heads []string
	for _, e := range g.Elements {
		if e.Kind == edb.KindHeading && e.Level <= 3 {
			heads = append(heads, strings.Repeat("#", e.Level)+" "+e.Text)
		}
	}
	want := "# The eLife research article|## eLife digest|## Research organism|## Introduction (Level 1 heading)|### The eLife editorial process (level 2 heading)|" +
		"### The eLife production process (level 2 heading)|## Results|### eLife controlled lists|### Tables|### Maths|### Figures|### Videos|### Other stuff|## Discussion"
	if got := strings.Join(heads, "|"); !strings.HasPrefix(got, want) {
		t.Errorf("headings: %s", got)
	}
	if !strings.Contains(g.Text(), "\n(3) μ C | R = μ C + σ C 2 σ C 2 + σ R 2 ( R − μ C )\n") {
		t.Error("the formula is missing")
	}
	if !strings.Contains(g.Text(), "Space group\tP62\nCell dimensions (Å)\ta = b = 78.33, c = 62.32\n") {
		t.Error("the table is missing")
	}
}

func TestImportFDASPL(t *testing.T) {
	from := testdata.Data(t, "fda_spl")
	d := imported(t, "fda_spl", ImportOptions{})
	if len(d.Documents) != 4 {
		t.Fatalf("%d documents", len(d.Documents))
	}
	// Sections of an openFDA list of LOINC codes: those of the labels are found under their codes.
	known := map[string]bool{}
	for line := range strings.Lines(read1(t, from, "sections.csv")) {
		code, _, _ := strings.Cut(line, ",")
		known[code] = true
	}
	coded, listed := 0, 0
	code := regexp.MustCompile(`^(\d{5}-\d)(\.\d+)?$`)
	for _, x := range d.Documents {
		for _, e := range mustGold(t, d, x.ID).Elements {
			if m := code.FindStringSubmatch(e.ID); m != nil {
				coded++
				if known[m[1]] {
					listed++
				}
			}
		}
		if x.Gold != "source" || x.Licence.SPDX != "CC0-1.0" {
			t.Errorf("%+v", x)
		}
	}
	// 137 sections, four of which hold data on the product and no text; openFDA's list knows all codes.
	if coded != 133 || listed != 133 {
		t.Errorf("%d elements with codes, %d of them listed", coded, listed)
	}
	g := mustGold(t, d, "humira")
	k := kinds(g)
	if k["table"] != 18 || k["heading"] != 66 || k["figure"] != 36 { // <table>, <title> and <renderMultiMedia> in the file
		t.Errorf("humira: %v", k)
	}
	for _, e := range g.Elements {
		if e.ID == "34067-9" && (e.Kind != "heading" || e.Level != 2 || e.Text != "1 INDICATIONS AND USAGE") {
			t.Errorf("%+v", e)
		}
	}
	if !strings.Contains(g.Text(), "Pediatric Patients (4 to 17 years)\tDose\n15 kg (33 lbs) to <30 kg (66 lbs)\t20 mg every other week (20 mg Prefilled Syringe)") {
		t.Error("the table of doses is missing")
	}
	if x, _ := d.Document("no-title"); x.Title != "" {
		t.Errorf("title %q", x.Title)
	}
}

func TestImportUSPTO(t *testing.T) {
	from := testdata.Data(t, "uspto")
	d := imported(t, "uspto", ImportOptions{})
	if len(d.Documents) != 10 {
		t.Fatalf("%d documents", len(d.Documents))
	}
	claim := regexp.MustCompile(`<(?:claim|CLM)[ >]`)
	table := regexp.MustCompile(`<table[ >]`)
	for _, x := range d.Documents {
		files, _ := filepath.Glob(filepath.Join(from, "*", x.ID+".xml"))
		raw, err := os.ReadFile(files[0])
		must(t, err)
		g := mustGold(t, d, x.ID)
		items := 0
		els := g.Pages[0].Elements
		for items < len(els) && els[len(els)-1-items].Kind == edb.KindListItem { // claims stand last
			items++
		}
		if want := len(claim.FindAll(raw, -1)); items != want {
			t.Errorf("%s: %d claims, %d in the markup", x.ID, items, want)
		}
		if want := len(table.FindAll(raw, -1)); kinds(g)["table"] != want {
			t.Errorf("%s: %d tables, %d in the markup", x.ID, kinds(g)["table"], want)
		}
		if e := g.Pages[0].Elements[0]; e.Kind != "heading" || e.Level != 1 || e.Text != x.Title || x.Title == "" || x.Licence.SPDX != "LicenseRef-US-Government-Work" {
			t.Errorf("%s: %+v", x.ID, e)
		}
	}
	// Entities of ISO 8879 and HTML, and a table of CALS.
	text := mustGold(t, d, "US06337117").Text()
	if !strings.Contains(text, "inverse of a characteristic time τ") || !strings.Contains(text, "\tCdSe nanoparticle having a\t0.1\n") {
		t.Error("US06337117: entity or table is missing")
	}
	if x, _ := d.Document("US20050004974A1"); x.Doctype != "patent-application" || x.Layout.Figures != 20 {
		t.Errorf("%+v", x)
	}
}

func TestImportS2ORC(t *testing.T) {
	d := imported(t, "s2orc", ImportOptions{Parse: pages})
	// The README speaks of two papers as PDF; the folder holds one, and six records.
	if len(d.Documents) != 7 {
		t.Fatalf("%d documents", len(d.Documents))
	}
	for _, x := range d.Documents {
		g := mustGold(t, d, x.ID)
		want, spdx := "reference(s2orc@"+x.ID[:min(8, len(x.ID))]+")", "ODC-By-1.0"
		if x.ID == "N18-3011" {
			want, spdx = "reference(grobid@0.6.1)", "CC-BY-4.0"
		}
		if x.Gold != want || x.GoldScoresParsing() || x.Licence.SPDX != spdx || g.Engine == "" {
			t.Errorf("%+v", x)
		}
	}
	g := mustGold(t, d, "N18-3011")
	if !strings.HasPrefix(g.Text(), "Construction of the Literature Graph in Semantic Scholar\nAbstract\nWe describe a deployed") || !strings.Contains(g.Text(), "\n2.1 Node Types\n") {
		t.Errorf("%.200s", g.Text())
	}
	if k := kinds(mustGold(t, d, "20190928_10002293")); k["figure"] != 6 || k["caption"] != 8 {
		t.Errorf("captions: %v", k)
	}
}
