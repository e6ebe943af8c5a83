package datasets

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/testdata"
)

// readGoldOf reads the gold of a document that must have some.
func readGoldOf(t *testing.T, d *Dataset, id string) edb.Parsed {
	t.Helper()
	g, ok, err := d.Gold(id)
	if err != nil || !ok {
		t.Fatalf("%s: gold %v, %v", id, ok, err)
	}
	return g
}

// goldKinds counts the documents by their kind of gold, and the elements of gold by kind.
func goldKinds(t *testing.T, d *Dataset) (golds, elements map[string]int) {
	t.Helper()
	golds, elements = map[string]int{}, map[string]int{}
	for _, x := range d.Documents {
		golds[x.Gold]++
		if x.Gold == "none" || d.goldIsMarkdown(x.ID) {
			continue
		}
		for _, e := range readGoldOf(t, d, x.ID).Elements {
			elements[e.Kind]++
		}
	}
	return golds, elements
}

func pagesOf(d *Dataset) int {
	n := 0
	for _, x := range d.Documents {
		n += x.Pages
	}
	return n
}

// licensed holds that every document says how its licence is known, and whether it may be passed on.
func licensed(t *testing.T, d *Dataset, spdx string, redistribute bool) {
	t.Helper()
	for _, x := range d.Documents {
		if x.Licence.Evidence == "" || x.Source == nil || x.Split != "test" || x.Domain == "" || x.Doctype == "" || x.Lang == "" {
			t.Errorf("%+v", x)
		}
		if spdx != "" && (x.Licence.SPDX != spdx || x.Licence.Redistribute != redistribute || x.Licence.Commercial != redistribute) {
			t.Errorf("%s: licence %+v", x.ID, x.Licence)
		}
	}
}

func same(t *testing.T, what string, got, want map[string]int) {
	t.Helper()
	for k, n := range got {
		if want[k] != n {
			t.Errorf("%s: %d of %s, want %d", what, n, k, want[k])
		}
	}
	for k, n := range want {
		if got[k] == 0 && n != 0 {
			t.Errorf("%s: none of %s, want %d", what, k, n)
		}
	}
}

func TestImportCUAD(t *testing.T) {
	d := imported(t, "cuad", ImportOptions{Parse: pages})
	licensed(t, d, "CC-BY-4.0", true)
	// README: 48 contracts (100 files: a PDF and a text of each), 41 categories. PDFium counts 657 pages.
	if len(d.Documents) != 48 || len(d.Questions) != 48*41 || pagesOf(d) != 657 {
		t.Errorf("%d documents, %d questions, %d pages", len(d.Documents), len(d.Questions), pagesOf(d))
	}
	counts := map[string]int{}
	for _, q := range d.Questions {
		counts[q.Modality]++
		counts[q.Task]++
		if q.Answer != nil {
			counts[q.Answer.Type]++
		}
		counts["evidence"] += len(q.Evidence)
		for _, e := range q.Evidence {
			if e.End == 0 {
				t.Errorf("%s: evidence without offsets", q.ID)
			}
		}
	}
	// Counted from questions.jsonl with a script: 1,194 spans, 52 of them without offsets and of 105
	// pieces between <omitted>; 343 answers are Yes. The publishers say that 33 categories are answered so.
	same(t, "questions", counts, map[string]int{"single-hop": 620, "unanswerable": 1348, "evidence": 1194 - 52 + 105, "boolean": 343,
		"set": 47, "date": 81, "text": 149, "compliance-extraction": 33 * 48, "contract-analysis": 8 * 48})
	// Offsets are those of the published text.
	raw, err := os.ReadFile(filepath.Join(testdata.Data(t, "cuad"), "txt", d.Documents[0].ID+".txt"))
	if must(t, err); readGoldOf(t, d, d.Documents[0].ID).Text() != string(raw) {
		t.Error("the gold is not the published text to the letter")
	}
	q := question(t, d, "GULFSOUTHMEDICALSUPPLYINC_12_24_1997-EX-4-AFFILIATE AGREEMENT/Agreement Date")
	if q.Answer.Type != "date" || q.Answer.Value != "1997-12-14" || len(q.Evidence) != 2 || q.Evidence[0].Start != 14559 || q.Evidence[0].Quote != "AGREED TO AND ACCEPTED as of December 14, 1997" {
		t.Errorf("%+v %+v", q, q.Answer)
	}
	q = question(t, d, "GULFSOUTHMEDICALSUPPLYINC_12_24_1997-EX-4-AFFILIATE AGREEMENT/Effective Date")
	if q.Answerable() || q.Subtype != "absent-field" || q.Probe.Field != "Effective Date" || len(d.Qrels[q.ID]) != 0 {
		t.Errorf("%+v", q)
	}
}

func question(t *testing.T, d *Dataset, id string) edb.Question {
	t.Helper()
	i := slices.IndexFunc(d.Questions, func(q edb.Question) bool { return q.ID == id })
	if i < 0 {
		t.Fatalf("no question %q", id)
	}
	return d.Questions[i]
}

func TestImportDocBank(t *testing.T) {
	d := imported(t, "docbank", ImportOptions{Parse: pages})
	licensed(t, d, "NOASSERTION", false)
	golds, elements := goldKinds(t, d)
	if len(d.Documents) != 25 || pagesOf(d) != 397 { // pages by PDFium
		t.Errorf("%d documents, %d pages", len(d.Documents), pagesOf(d))
	}
	// The README counts seven pages in two columns. 253 is the eighth: its right column has nine lines.
	same(t, "gold", golds, map[string]int{"source": 25})
	var columns []string
	words := 0
	for _, x := range d.Documents {
		g := readGoldOf(t, d, x.ID)
		if x.Layout.Columns == 2 {
			n, _, _ := strings.Cut(x.ID, ".")
			columns = append(columns, n)
		}
		if len(g.Pages) != 1 || !slices.Contains(g.Mask, "other-pages") {
			t.Errorf("%s: %d pages, mask %v", x.ID, len(g.Pages), g.Mask)
		}
		if slices.Contains(g.Mask, "order") != (x.Layout.Columns == 2) {
			t.Errorf("%s: %d columns, mask %v", x.ID, x.Layout.Columns, g.Mask)
		}
		words += len(strings.Fields(g.Text()))
	}
	if want := "102 107 135 175 209 246 247 253"; strings.Join(columns, " ") != want {
		t.Errorf("in columns: %v, want %s", columns, want)
	}
	// 13,259 tokens, of them 401 lines and 25 figures (counted from the files); some hold spaces of their own.
	if words < 13259-401-25 || words > 13259 || elements[edb.KindFigure] != 25 || elements[edb.KindTable] != 0 {
		t.Errorf("%d words, elements %v", words, elements)
	}
	g := readGoldOf(t, d, "103.tar_1408.2982.gz_banach")
	if e := g.Pages[0].Elements[0]; g.Pages[0].Number != 5 || !strings.HasPrefix(e.Text, "ON THE LAST QUESTION OF STEFAN BANACH 5 (It is interesting") || e.ID != "paragraph-1" {
		t.Errorf("page %d: %+v", g.Pages[0].Number, e)
	}
	// A run of paragraphs has lines and no box, a heading has both.
	if p, h := g.Pages[0].Elements[0], g.Pages[0].Elements[1]; p.Box != nil || len(p.Lines) < 20 || h.Kind != edb.KindHeading || h.Box == nil || len(h.Lines) != 2 {
		t.Errorf("paragraph with box %v and %d lines, %s with box %v and %d lines", p.Box, len(p.Lines), h.Kind, h.Box, len(h.Lines))
	}
}

func TestImportDocling(t *testing.T) {
	d := imported(t, "docling", ImportOptions{Parse: pages})
	licensed(t, d, "NOASSERTION", false)
	golds, _ := goldKinds(t, d)
	same(t, "gold", golds, map[string]int{"reference(docling@e1cb2b234c48)": 6})
	if pagesOf(d) != 12 || d.Documents[0].GoldScoresParsing() {
		t.Errorf("%d pages", pagesOf(d))
	}
}

func TestImportDPBench(t *testing.T) {
	d := imported(t, "dpbench", ImportOptions{Parse: pages})
	licensed(t, d, "MIT", true)
	golds, elements := goldKinds(t, d)
	same(t, "gold", golds, map[string]int{"human": 134})
	// Counted from reference_elements.json with a script; figures are 35 figures and 47 charts, paragraphs
	// 543 and 5 indexes.
	same(t, "elements", elements, map[string]int{"paragraph": 548, "heading": 140, "footer": 111, "caption": 96, "header": 66,
		"list-item": 55, "figure": 82, "footnote": 38, "table": 37, "formula": 33})
	if !d.Info.External() { // the PDFs are absent
		t.Error("the Markdown passes for the document")
	}
	for _, x := range d.Documents {
		for _, e := range readGoldOf(t, d, x.ID).Elements {
			if e.Kind == edb.KindTable && (strings.Count(e.HTML, "<td") < 2 || strings.TrimSpace(e.Text) == "") {
				t.Errorf("%s: %+v", x.ID, e)
			}
		}
	}
	g := readGoldOf(t, d, "01030000000046")
	i := slices.IndexFunc(g.Pages[0].Elements, func(e edb.Element) bool { return e.Kind == edb.KindTable })
	if e := g.Pages[0].Elements[i]; !strings.HasPrefix(e.HTML, `<table><tr><td rowspan="2">No.</td><td rowspan="2">Political party</td><td colspan="2">`) || !strings.HasPrefix(e.Text, "No.\tPolitical party\tProvisional") {
		t.Errorf("%.200s\n%.200s", e.HTML, e.Text)
	}
}

func TestImportOlmOCRBench(t *testing.T) {
	d := imported(t, "olmocr_bench", ImportOptions{Parse: pages})
	licensed(t, d, "NOASSERTION", false)
	types := map[string]int{}
	for _, x := range d.Facts {
		types[x.Type]++
	}
	// Counted from tests.jsonl with a script.
	same(t, "facts", types, map[string]int{"present": 20, "absent": 18, "order": 10, "formula": 8, "table": 4})
	if len(d.Documents) != 14 || pagesOf(d) != 16 {
		t.Errorf("%d documents, %d pages", len(d.Documents), pagesOf(d))
	}
	i := slices.IndexFunc(d.Facts, func(x Fact) bool { return x.ID == "earnings_table00" })
	if x := d.Facts[i]; x.Doc != "earnings" || x.Cell != "1,136" || x.TopHeading != "Year Ended" || x.AnyCase {
		t.Errorf("%+v", x)
	}
	if _, ok := d.Document("headers_footers/ff3d6e051903fe5ca9bc172ece14964c5632_pg1"); !ok {
		t.Error("documents in sub-folders have another name")
	}
}

func TestImportPubTabNet(t *testing.T) {
	d := imported(t, "pubtabnet", ImportOptions{})
	licensed(t, d, "NOASSERTION", false)
	golds, elements := goldKinds(t, d)
	same(t, "gold", golds, map[string]int{"source": 14})
	same(t, "elements", elements, map[string]int{"table": 14})
	if d.GoldHolds("") || !d.GoldHolds(edb.KindTable) {
		t.Errorf("gold parts %v", d.Info.GoldParts)
	}
	g := readGoldOf(t, d, "PMC3907710_006_00")
	e := g.Pages[0].Elements[0]
	if strings.Count(e.HTML, "<td") != 20 || !strings.HasPrefix(e.HTML, "<table><thead><tr><td>") || strings.Contains(e.Text, "<") || !utf8.ValidString(e.Text) {
		t.Errorf("%s\n%s", e.HTML, e.Text)
	}
	if pg := g.Pages[0]; pg.Width < 100 || *e.Box != (edb.Box{0, 0, pg.Width, pg.Height}) || !d.Documents[0].Scanned {
		t.Errorf("page of %v x %v, box %v", pg.Width, pg.Height, e.Box)
	}
}

func TestImportTabula(t *testing.T) {
	d := imported(t, "tabula", ImportOptions{Parse: pages})
	licensed(t, d, "NOASSERTION", false)
	golds, elements := goldKinds(t, d)
	same(t, "gold", golds, map[string]int{"human": 7})
	same(t, "elements", elements, map[string]int{"table": 9}) // two files have two
	if pagesOf(d) != 11 {
		t.Errorf("%d pages", pagesOf(d))
	}
	e := readGoldOf(t, d, "spanning_cells").Pages[0].Elements
	if !strings.HasPrefix(e[0].Text, "Improved operation scenario\t\t\t\t\t\nVolume servers in:\t2007\t2008") || e[1].Box == nil || e[1].Box[1] < e[0].Box[3] {
		t.Errorf("%+v", e)
	}
	e = readGoldOf(t, d, "AnimalSounds").Pages[0].Elements
	if e[0].Box != nil || !strings.HasPrefix(e[0].Text, "Cat\tSays\tMeow\nParastratiosphecomyiastratiosph ecomyioides\tSays\tbzzzzzzz\n") {
		t.Errorf("%+v", e)
	}
	g := readGoldOf(t, d, "schools") // five pages, a table on the first
	if len(g.Pages) != 1 || !slices.Contains(g.Mask, "other-pages") {
		t.Errorf("%d pages, mask %v", len(g.Pages), g.Mask)
	}
}

func TestImportTextExtraction(t *testing.T) {
	d := imported(t, "text_extraction", ImportOptions{Parse: pages})
	licensed(t, d, "", false)
	golds, _ := goldKinds(t, d)
	same(t, "gold", golds, map[string]int{"human": 10})
	chars := 0
	for _, x := range d.Documents {
		chars += len(readGoldOf(t, d, x.ID).Text())
		if pdf := x.ID == "GeoTopo-book"; (x.MIME == "application/pdf") != pdf || x.Licence.Redistribute != pdf || (x.Lang == "de") != pdf {
			t.Errorf("%+v", x)
		}
	}
	if chars != 642378 || pagesOf(d) != 117 { // wc -c ground_truth/*; pages by PDFium
		t.Errorf("%d bytes of gold, %d pages", chars, pagesOf(d))
	}
}

// sprint shows what counts of a question.
func sprint(q edb.Question) string {
	s := fmt.Sprintf("%s %s %v %s", q.Modality, q.Answer.Type, q.Answer.Value, q.Answer.Unit)
	for _, e := range q.Evidence {
		s += fmt.Sprintf(" [%d %d-%d %q]", e.Page, e.Start, e.End, e.Quote)
	}
	return s
}
