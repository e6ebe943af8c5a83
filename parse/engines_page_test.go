package parse

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
)

var update = flag.Bool("update", false, "write the table of cases into the page on engines")

const enginesPage = "../docs/engines.md"

// pageEngines are the columns of the table of cases, with the command that prints the version of what
// reads; slow ones are held to the page under EDB_LONG alone.
var pageEngines = []struct {
	name    string
	version []string
	slow    bool
}{
	{"pdfium", nil, false}, {"ledongthuc", nil, false}, {"poppler", []string{"pdftotext", "-v"}, false}, {"mupdf", []string{"mutool", "-v"}, false},
	{"tesseract", []string{"tesseract", "--version"}, true}, {"rapidocr", []string{python(), "-c", "import importlib.metadata as m; print(m.version('rapidocr'))"}, true}, {"auto", []string{"tesseract", "--version"}, false},
}

var versionNumber = regexp.MustCompile(`\d+\.\d+(\.\d+)*`)

// programVersion is the version that a program prints, "" for engines in the binary.
func programVersion(argv []string) string {
	if argv == nil {
		return ""
	}
	out, _ := exec.Command(argv[0], argv[1:]...).CombinedOutput() // mutool ends with 1
	return versionNumber.FindString(string(out))
}

// problem says how a parse differs from what a case wants, "" where it does not.
func (want pdfCase) problem(got edb.Parsed, err error) string {
	var pe *Error
	switch {
	case want.Error != "" && errors.As(err, &pe) && pe.Kind == Encrypted && strings.Contains(err.Error(), want.Error):
		return ""
	case errors.As(err, &pe):
		return "fails: " + pe.Kind
	case err != nil:
		return "fails: " + err.Error()
	case want.Error != "":
		return "does not say that a password is needed"
	}
	text := got.Text()
	said := fmt.Sprintf("gives `%s`", strings.ReplaceAll(strings.ReplaceAll(text, "\n", " ⏎ "), "|", "¦"))
	if text == "" {
		said = "gives no text"
	}
	var lines []string
	for _, e := range got.Elements {
		for _, l := range e.Lines {
			lines = append(lines, l.Text)
		}
	}
	var bad string
	json.Unmarshal(want.NotAllowed, &bad)
	at := 0
	for _, s := range want.InOrder {
		i := strings.Index(text[at:], s)
		if i < 0 {
			return said
		}
		at += i + len(s)
	}
	switch {
	case want.Pages > 0 && len(got.Pages) != want.Pages:
		return fmt.Sprintf("%d pages instead of %d", len(got.Pages), want.Pages)
	case want.Text != nil && text != *want.Text,
		want.Lines != nil && !slices.Equal(lines, want.Lines),
		!strings.HasPrefix(text, want.StartsWith),
		bad != "" && strings.Contains(text, bad),
		strings.ContainsRune(text, 0),
		slices.ContainsFunc(want.Contains, func(s string) bool { return !strings.Contains(text, s) }):
		return said
	}
	warned := strings.Join(got.Warnings, "\n")
	if want.Warn != "" && warned == "" || want.Unmapped > 0 && !strings.Contains(warned, fmt.Sprintf("%d glyphs have no character", want.Unmapped)) {
		return "right, without the warning"
	}
	return ""
}

// pageCase is a PDF of the table with what is wanted of it.
type pageCase struct {
	id   string
	pdf  []byte
	want pdfCase
	ban  []string // may not be in the text
}

// pageCases are the cases of PDFs, and the lines of the case of hyphens set as a page.
func pageCases(t *testing.T) (out []pageCase) {
	t.Helper()
	for _, c := range testdata.Cases(t, "pdf") {
		var in struct {
			PDF []byte `json:"pdf_base64"`
		}
		x := pageCase{id: c.ID}
		if err := errors.Join(json.Unmarshal(c.Input, &in), json.Unmarshal(c.Expected, &x.want)); err != nil {
			t.Fatal(err)
		}
		x.pdf = in.PDF
		out = append(out, x)
	}
	for _, c := range testdata.Cases(t, "parse") {
		if c.ID != "text-dehyphen-keep" {
			continue
		}
		var in struct{ Lines []string }
		var want struct {
			Contains []string `json:"joined_contains"`
			Ban      []string `json:"not_allowed"`
		}
		if err := errors.Join(json.Unmarshal(c.Input, &in), json.Unmarshal(c.Expected, &want)); err != nil {
			t.Fatal(err)
		}
		out = append(out, pageCase{id: c.ID, pdf: madePage("", func(p *pen) { p.lines(72, 100, in.Lines...) }), want: pdfCase{Contains: want.Contains}, ban: want.Ban})
	}
	return out
}

// casesOf runs an engine over the cases, as a run does, and gives what is wrong with each.
func casesOf(t *testing.T, engine string, cases []pageCase) map[string]string {
	t.Helper()
	cpu := 8 * time.Second
	if engine == "rapidocr" {
		cpu = time.Minute // its models take seconds to start, and seconds a page
	}
	pool := testPool(t, 1, Limits{CPU: cpu, Wall: 5 * time.Minute, RSS: 2 << 30})
	out := map[string]string{}
	for _, c := range cases {
		path := filepath.Join(t.TempDir(), "case.pdf")
		if err := os.WriteFile(path, c.pdf, 0o600); err != nil {
			t.Fatal(err)
		}
		got, _, err := pool.Parse(t.Context(), Spec{Engine: engine}, Source{Doc: edb.Document{ID: c.id, MIME: "application/pdf"}, Path: path})
		out[c.id] = c.want.problem(got, err)
		if out[c.id] == "" && slices.ContainsFunc(c.ban, func(s string) bool { return strings.Contains(got.Text(), s) }) {
			out[c.id] = fmt.Sprintf("gives `%s`", strings.ReplaceAll(got.Text(), "\n", " ⏎ "))
		}
	}
	return out
}

// TestEnginesPage holds the table of the page on engines to what the engines that are installed here
// do. -update writes the table, for which all must be there.
func TestEnginesPage(t *testing.T) {
	cases := pageCases(t)
	b, err := os.ReadFile(enginesPage)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(b), "<!-- cases -->\n")
	old, tail, ok2 := strings.Cut(rest, "<!-- end of cases -->")
	if !ok || !ok2 {
		t.Fatal("the page has no place for the table of cases")
	}
	columns := map[string]map[string]string{}
	versions := map[string]string{}
	for _, e := range pageEngines {
		engine, err := Lookup(e.name)
		if err != nil {
			t.Fatal(err)
		}
		versions[e.name] = programVersion(e.version)
		named := fmt.Sprintf("| `%s` | %s |\n", e.name, versions[e.name])
		switch {
		case engine.Available != nil && engine.Available() != nil:
			if *update {
				t.Fatalf("%s is not here: %s", e.name, engine.Get)
			}
			t.Logf("%s is not here: its column is not checked", e.name)
		case *update || !e.slow && (e.version == nil || strings.Contains(old, named)) || os.Getenv("EDB_LONG") != "" && strings.Contains(old, named):
			columns[e.name] = casesOf(t, e.name, cases)
		default:
			t.Logf("%s: its column is not checked (slow without EDB_LONG, or another version than on the page)", e.name)
		}
	}
	if *update {
		if os.Getenv("CI") != "" {
			t.Fatal("-update is for people")
		}
		table := casesTable(cases, columns, versions)
		if err := os.WriteFile(enginesPage, []byte(head+"<!-- cases -->\n"+table+"<!-- end of cases -->"+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for name, column := range columns {
		for id, problem := range column {
			cell := fmt.Sprintf("| `%s` | `%s` | %s |\n", name, id, problem)
			named := fmt.Sprintf("| `%s` | `%s` |", name, id)
			if problem == "" && strings.Contains(old, named) {
				t.Errorf("%s passes %s, the page says that it does not: run with -update", name, id)
			}
			if problem != "" && !strings.Contains(old, cell) {
				t.Errorf("%s on %s: %s: the page says something else: run with -update", name, id, problem)
			}
		}
	}
}

// casesTable writes a table of cases by engines, then what is wrong, then the versions.
func casesTable(cases []pageCase, columns map[string]map[string]string, versions map[string]string) string {
	var b, wrong strings.Builder
	b.WriteString("\n| case |")
	for _, e := range pageEngines {
		fmt.Fprintf(&b, " %s |", e.name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(pageEngines)) + "\n")
	passed := map[string]int{}
	for _, c := range cases {
		fmt.Fprintf(&b, "| `%s` |", c.id)
		for _, e := range pageEngines {
			if columns[e.name][c.id] == "" {
				passed[e.name]++
				b.WriteString(" pass |")
			} else {
				b.WriteString(" – |")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("| passed |")
	for _, e := range pageEngines {
		fmt.Fprintf(&b, " %d of %d |", passed[e.name], len(cases))
	}
	for _, e := range pageEngines {
		for _, c := range cases {
			if p := columns[e.name][c.id]; p != "" {
				fmt.Fprintf(&wrong, "| `%s` | `%s` | %s |\n", e.name, c.id, p)
			}
		}
	}
	b.WriteString("\n\nWhat the others do (⏎ is a new line):\n\n| engine | case | what comes |\n|---|---|---|\n" + wrong.String())
	b.WriteString("\nMeasured with these versions of the programs:\n\n| engine | version |\n|---|---|\n")
	for _, e := range pageEngines {
		if v := versions[e.name]; v != "" {
			fmt.Fprintf(&b, "| `%s` | %s |\n", e.name, v)
		}
	}
	return b.String() + "\n"
}

// TestEnginesPageNamesAll: each engine stands on the page, with the command that brings what it needs.
func TestEnginesPageNamesAll(t *testing.T) {
	b, err := os.ReadFile(enginesPage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(b)
	last := -1
	for _, e := range All() {
		at := strings.Index(page, "\n| `"+e.Name+"` |")
		if at < 0 || at < last {
			t.Errorf("the table of the page lacks %s, or has it in another place than the table of engines", e.Name)
		}
		last = at
		if e.Needs != "" && !strings.Contains(page, e.Get) {
			t.Errorf("the page does not say how to get %s: %s", e.Name, e.Get)
		}
	}
}
