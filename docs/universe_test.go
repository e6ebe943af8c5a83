package docs

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"enterprisedocbench/universe"
	"enterprisedocbench/universe/riker"
)

var update = flag.Bool("update", false, "write what the queries of universe.md give into the page")

// TestQueriesGiveWhatThePageShows runs every block of universe.md that is marked "query" through
// edb universe sql and compares with the block marked "result" behind it.
func TestQueriesGiveWhatThePageShows(t *testing.T) {
	const page = "universe.md"
	dir := t.TempDir()
	bin := filepath.Join(dir, "edb")
	if out, err := exec.Command("go", "build", "-o", bin, "enterprisedocbench/cmd/edb").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	world := filepath.Join(dir, "world")
	if err := universe.WriteDemo(t.Context(), world, universe.Options{Seed: 7}); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	blocks, _ := read(t, page)
	text, ran, query := string(raw), 0, ""
	for _, b := range blocks {
		switch {
		case b.mark == "query":
			query = b.text
		case b.mark == "result" && query != "":
			cmd := exec.Command(bin, "universe", "sql", world)
			cmd.Stdin = strings.NewReader(query)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Run(); err != nil {
				t.Fatalf("%s:%d: %v\n%s", page, b.line, err, out.String())
			}
			got := trimLines(out.String())
			if *update {
				text = strings.Replace(text, query+"```\n\n<!-- result -->\n```text\n"+b.text, query+"```\n\n<!-- result -->\n```text\n"+got, 1)
			} else if got != b.text {
				t.Errorf("%s:%d: the query gives\n%s\nthe page shows\n%s", page, b.line, got, b.text)
			}
			ran, query = ran+1, ""
		case query != "":
			t.Fatalf("%s:%d: a result must follow the query", page, b.line)
		}
	}
	if ran < 5 || query != "" {
		t.Fatalf("%d queries were run, one of them without a result: %v", ran, query != "")
	}
	if *update && os.Getenv("CI") == "" {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// trimLines takes the blanks off the ends of lines.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(lines, "\n")
}

// TestTheDiagramsAreTheSchemas holds the diagrams of both pages against the tables of generated worlds.
func TestTheDiagramsAreTheSchemas(t *testing.T) {
	demo, world := filepath.Join(t.TempDir(), "demo"), filepath.Join(t.TempDir(), "world")
	if err := universe.WriteDemo(t.Context(), demo, universe.Options{Seed: 1, Documents: 9, Questions: 20}); err != nil {
		t.Fatal(err)
	}
	p, err := riker.Sized(20, 1)
	if err != nil {
		t.Fatal(err)
	}
	p.Questions = riker.Mix{}
	if _, err := riker.Write(t.Context(), world, p, riker.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	drawn(t, "universe.md", demo)
	drawn(t, "riker.md", world)
}

// drawn holds the diagram and the table of tables of a page against a world's schema.
func drawn(t *testing.T, page, world string) {
	t.Helper()
	got, err := universe.Query(t.Context(), world, `SELECT t.name || '.' || c.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c
		WHERE t.type = 'table' AND t.schema = 'main' AND t.name NOT LIKE 'sqlite_%' AND t.name <> 'world'`)
	if err != nil || len(got.Rows) < 40 {
		t.Fatalf("%d columns, %v", len(got.Rows), err)
	}
	drawn := map[string]bool{}
	blocks, prose := read(t, page)
	for _, b := range blocks {
		table := ""
		for line := range strings.Lines(b.text) {
			f := strings.Fields(line)
			switch {
			case b.lang != "mermaid" || len(f) == 0:
			case len(f) == 2 && f[1] == "{":
				table = f[0]
			case f[0] == "}":
				table = ""
			case table != "":
				drawn[table+"."+f[1]] = true
			}
		}
	}
	for _, r := range got.Rows {
		name := r[0].(string)
		if !drawn[name] {
			t.Errorf("%s: the diagram lacks %s", page, name)
		}
		delete(drawn, name)
		if table, _, _ := strings.Cut(name, "."); !strings.Contains(strings.Join(prose, "\n"), "| `"+table+"` |") {
			t.Errorf("%s: no line describes the table %s", page, table)
		}
	}
	for name := range drawn {
		t.Errorf("%s: the diagram draws %s, which is not in the schema", page, name)
	}
}
