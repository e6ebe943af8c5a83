package parse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/internal/xmltree"
)

// engineLines parses a file of testdata by an engine of the table.
func engineLines(t *testing.T, engine, file string) (edb.Parsed, []string) {
	t.Helper()
	e, err := Lookup(engine)
	if err != nil {
		t.Fatal(err)
	}
	p, err := e.New()
	if err != nil {
		t.Fatal(err)
	}
	out, err := p.Parse(t.Context(), Source{Path: filepath.Join("testdata", file)})
	if err != nil {
		t.Fatal(err)
	}
	return out, lines(out)
}

func TestJATSReadsAsPrinted(t *testing.T) {
	out, got := engineLines(t, "jats", "article.xml")
	compareLines(t, got, []string{
		"heading1: Salt in harbour water A survey",
		"paragraph: Ada Marsh, The Tide Group",
		"paragraph: 1 Institute of Quays, Port Vell",
		"paragraph: For correspondence: ada@example.org",
		"footnote: * Paid by the harbour.",
		"heading2: Abstract",
		"paragraph: Water was weighed.",
		"heading2: Keywords",
		"paragraph: salt, tide",
		"heading2: 1. Methods",
		"paragraph: Before the list",
		"list-item: one kilogram",
		"list-item: by hand",
		"paragraph: and after it.",
		"list-item: psu practical salinity unit",
		"formula: S=35 (1)",
		"heading3: Places",
		"p1e18 figure: ",
		"caption of p1e18: Figure 1 The quay. Seen from the east.",
		"caption of p1e21: Table 1 Salt by depth",
		"p1e21 table: Depth\tSalt\nlow\thigh\n1 m\t30\t34",
		"footnote: a By weight.",
		"heading2: Box 1. A warning",
		"paragraph: Do not drink.",
		"code: read(depth)\n  weigh()",
		"heading2: Thanks",
		"paragraph: To the pilots.",
		"heading2: References",
		"list-item: 1. Tide A. Water. 1999.",
		"list-item: Marsh A, Ebb B, 2001, Brine, J Salt, 3, 4–9",
	})
	if len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], "1 further articles") {
		t.Errorf("warnings %v", out.Warnings)
	}
}

func TestTEIReadsAsPrinted(t *testing.T) {
	_, got := engineLines(t, "tei", "letter.xml")
	compareLines(t, got, []string{
		"heading1: On the weight of water",
		"paragraph: Ada Marsh",
		"paragraph: Institute of Quays",
		"paragraph: Water was weighed.",
		"paragraph: salt, tide",
		"header: Letters",
		"page-number: 2",
		"heading2: 1. Methods",
		"paragraph: We wayed the water twice.",
		"footnote: By hand.",
		"paragraph: Tools",
		"list-item: scale of brass",
		"list-item: a jar",
		"heading3: 1.1 Places",
		"p1e15 figure: ",
		"caption of p1e15: Figure 1 The quay.",
		"caption of p1e18: Table 1 Salt by depth",
		"p1e18 table: Depth\tSalt\n1 m\t30\t34",
		"formula: S = 35",
		"paragraph: The tide goes out, the tide comes in.",
		"heading2: References",
		"list-item: Tide A. Water. 1999.",
		"list-item: Marsh A. Brine. J Salt 3.",
	})
}

func TestXMLOfAnyKind(t *testing.T) {
	_, got := engineLines(t, "xml", "label.xml")
	compareLines(t, got, []string{
		"heading1: Harbour Drops",
		"heading2: Uses",
		"paragraph: For dry quays.",
		"list-item: mornings",
		"list-item: late evenings",
		"heading3: Doses",
		"paragraph: Two drops a day.",
		"caption of p1e9: Doses by age",
		"p1e9 table: Age\tDrops\nadult\t2\n3",
		"paragraph: Quay Pharma Limited",
		"code: x = 1\ny = 2",
	})
}

func TestJSONOfAnyKind(t *testing.T) {
	_, got := engineLines(t, "json", "record.json")
	compareLines(t, got, []string{
		"heading1: On the weight of water",
		"paragraph: Water of the harbour was weighed at every tide of the year, and it was found heavy.",
		"heading2: Methods",
		"paragraph: The quay was visited at dawn by two clerks with a scale and a jar (Tide, 1999).",
		"paragraph: Each jar was weighed three times and the mean was written down in the ledger.",
		"heading2: Results",
		"paragraph: It was heavy.",
	})
}

// A file's type is what is stated, and for XML what its root element says.
func TestTypeOf(t *testing.T) {
	for _, c := range []struct{ content, mime, want string }{
		{"<?xml version='1.0'?><!DOCTYPE article [<!ENTITY x 'y'>]>\n<!-- <TEI> --><article/>", "application/xml", "application/jats+xml"},
		{"\ufeff<TEI xmlns='u'>", "text/xml; charset=utf-8", "application/tei+xml"},
		{"<t:TEI xmlns:t='u'>", "application/xml", "application/tei+xml"},
		{"<html>", "application/xml", "application/xhtml+xml"},
		{"<document/>", "application/xml", "application/xml"},
		{"no mark", "application/xml", "application/xml"},
		{"<article/>", "text/plain; charset=utf-8", "text/plain"},
	} {
		if got := TypeOf(put(t, "a.xml", c.content), c.mime); got != c.want {
			t.Errorf("%.30q as %s: %s, want %s", c.content, c.mime, got, c.want)
		}
	}
	if got := TypeOf("no such file", "text/xml"); got != "text/xml" {
		t.Errorf("a missing file: %s", got)
	}
}

// Real documents of four vocabularies are read whole: no word of a paragraph is lost.
func TestXMLEnginesKeepText(t *testing.T) {
	for _, c := range []struct{ engine, set, file, paragraphs string }{
		{"jats", "jats", "elife00007.xml", "p"}, {"jats", "jats", "pone.0046493.nxml", "p"}, {"jats", "jats", "1472-6831-8-11.nxml", "p"},
		{"tei", "s2orc", "N18-3011.tei.xml", "p"}, {"xml", "fda_spl", "humira.xml", "paragraph"}, {"xml", "uspto", "xml2014/US08926509.xml", "p"},
		{"xml", "uspto", "sgml/US06336130.xml", "PDAT"},
	} {
		t.Run(c.file, func(t *testing.T) {
			e, err := Lookup(c.engine)
			if err != nil {
				t.Fatal(err)
			}
			p, err := e.New()
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(testdata.Data(t, c.set), filepath.FromSlash(c.file))
			out, err := p.Parse(t.Context(), Source{Path: path})
			if err != nil {
				t.Fatal(err)
			}
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			root, err := xmltree.Read(raw)
			if err != nil {
				t.Fatal(err)
			}
			body := root
			if c.engine == "jats" {
				body = root.Child("body")
			} else if c.paragraphs == "PDAT" {
				body = root.Child("SDODE")
			}
			have := strings.Join(strings.Fields(out.Text()), "")
			read, lost := 0, 0
			for n := range body.All(c.paragraphs) {
				for _, k := range n.Kids {
					s := strings.Join(strings.Fields(k.Data), "")
					if k.Name != "" || s == "" {
						continue
					}
					if read++; !strings.Contains(have, s) {
						if lost++; lost < 4 {
							t.Logf("lost: %.80s", k.Data)
						}
					}
				}
			}
			if read < 10 || lost > 0 {
				t.Errorf("%d of %d runs of text are lost", lost, read)
			}
		})
	}
}

func TestXMLEnginesRefuse(t *testing.T) {
	for _, c := range []struct{ engine, content, kind, says string }{
		{"jats", "<article>\n<body></article>", Damaged, "line 2: </article>"},
		{"jats", "<TEI/>", Damaged, "the root element is <TEI>, not <article>"},
		{"tei", "<article/>", Damaged, "not <TEI>"},
		{"xml", strings.Repeat("<a>", 300), TooLarge, "elements stand inside of each other"},
		{"xml", "words", Damaged, "holds no element"},
		{"json", "{\n\"a\": }", Damaged, "line 2: "},
		{"json", "{\"a\": \"b\"", Damaged, "unexpected EOF"},
		{"json", "{}\n{}", Damaged, "line 2: more stands behind"},
		{"json", "7", Damaged, "a bare value"},
		{"json", strings.Repeat("[", 300), TooLarge, "inside of each other"},
	} {
		e, err := Lookup(c.engine)
		if err != nil {
			t.Fatal(err)
		}
		p, err := e.New()
		if err != nil {
			t.Fatal(err)
		}
		_, err = p.Parse(t.Context(), Source{Path: put(t, "a", c.content)})
		if kindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s of %.20q: %v (%s), want %s with %q", c.engine, c.content, err, kindOf(err), c.kind, c.says)
		}
	}
}

// FuzzXMLEngines: any bytes give a failure with words, or elements in the form that all stages rely on.
func FuzzXMLEngines(f *testing.F) {
	for _, name := range []string{"article.xml", "letter.xml", "label.xml", "record.json"} {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Add([]byte("<article><body><p>a<fn><label>1</label><p>b</p></fn></p><table-wrap><table><tgroup/></table></table-wrap></body></article>"))
	f.Add([]byte("<TEI><text><body><choice/><list><label>x</label></list><figure><table/></figure></body></text></TEI>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, read := range map[string]func([]byte) (edb.Parsed, error){"jats": parseJATS, "tei": parseTEI, "xml": parseXML, "json": parseJSON} {
			engineReads(t, b, read)
		}
	})
}
