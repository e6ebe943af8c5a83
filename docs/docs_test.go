package docs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"enterprisedocbench/pipeline"
)

// pages are the files that are checked, as paths from this folder.
func pages(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"../*.md", "*.md", "bench/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, found...)
	}
	if !slices.Contains(out, filepath.Join("..", "ARCHITECTURE.md")) || !slices.Contains(out, "formats.md") {
		t.Fatalf("pages are missing: %v", out)
	}
	return out
}

// block is a fenced block of a page. Mark is the HTML comment on the line before it: "run", or
// "file NAME", or "serve PROGRAM URL".
type block struct {
	line       int // of the fence, from 1
	lang, mark string
	text       string
}

var (
	comment = regexp.MustCompile(`^<!--\s*(.*?)\s*-->$`)
	link    = regexp.MustCompile(`!?\[[^\]]*\]\(([^()\s]+)\)`)
	code    = regexp.MustCompile("`[^`]*`")
)

// read splits a page into its fenced blocks and the prose, which has an empty line for each line of
// a block so that line numbers stay true.
func read(t *testing.T, page string) (blocks []block, prose []string) {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var open *block
	mark := ""
	for i, line := range strings.Split(string(data), "\n") {
		switch {
		case open == nil && strings.HasPrefix(line, "```"):
			open = &block{line: i + 1, lang: strings.TrimPrefix(line, "```"), mark: mark}
		case open != nil && line == "```":
			blocks = append(blocks, *open)
			open, mark = nil, ""
		case open != nil:
			open.text += line + "\n"
		default:
			if m := comment.FindStringSubmatch(line); m != nil {
				mark = m[1]
			} else if line != "" {
				mark = ""
			}
			prose = append(prose, line)
			continue
		}
		prose = append(prose, "")
	}
	if open != nil {
		t.Fatalf("%s:%d: the block has no end", page, open.line)
	}
	return blocks, prose
}

// anchors are the names of a page's headings as GitHub makes them.
func anchors(prose []string) map[string]bool {
	out := map[string]bool{}
	for _, l := range prose {
		if !strings.HasPrefix(l, "#") {
			continue
		}
		name := strings.ToLower(strings.TrimSpace(strings.TrimLeft(l, "#")))
		out[strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return r
			}
			return -1
		}, name)] = true
	}
	return out
}

func TestLinksLeadSomewhere(t *testing.T) {
	checked := 0
	for _, page := range pages(t) {
		_, prose := read(t, page)
		for i, line := range prose {
			for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(line, "``"), -1) {
				u, err := url.Parse(m[1])
				if err != nil {
					t.Errorf("%s:%d: %v", page, i+1, err)
					continue
				}
				if u.Scheme != "" {
					continue
				}
				checked++
				target := page
				if u.Path != "" {
					target = filepath.Join(filepath.Dir(page), filepath.FromSlash(u.Path))
				}
				if _, err := os.Stat(target); err != nil {
					t.Errorf("%s:%d: %s is not there", page, i+1, m[1])
					continue
				}
				if u.Fragment != "" {
					_, there := read(t, target)
					if !anchors(there)[u.Fragment] {
						t.Errorf("%s:%d: %s has no heading #%s", page, i+1, target, u.Fragment)
					}
				}
			}
		}
	}
	if checked == 0 {
		t.Fatal("no link was checked")
	}
}

// TestCommandsDoWhatThePagesSay runs every console block that is marked with the comment "run".
// Each page has a folder of its own that holds the examples and the files that the page writes
// ("file NAME"). Standard output and error are compared together with what the block shows; a line
// "…" stands for any number of lines, "…" inside a line for any text.
func TestCommandsDoWhatThePagesSay(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "edb")
	if out, err := exec.Command("go", "build", "-o", bin, "enterprisedocbench/cmd/edb").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	ran := 0
	for _, page := range pages(t) {
		blocks, _ := read(t, page)
		if !slices.ContainsFunc(blocks, func(b block) bool { return b.mark == "run" }) {
			continue
		}
		t.Run(page, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS("examples")); err != nil {
				t.Fatal(err)
			}
			cache := t.TempDir()
			replace := strings.NewReplacer()
			for _, b := range blocks {
				kind, rest, _ := strings.Cut(b.mark, " ")
				switch kind {
				case "file":
					if strings.Contains(b.text, "python3") {
						python(t)
					}
					if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(rest)), 0o755); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(filepath.Join(dir, rest), []byte(replace.Replace(b.text)), 0o644); err != nil {
						t.Fatal(err)
					}
				case "serve":
					program, address, _ := strings.Cut(rest, " ")
					replace = strings.NewReplacer(address, serve(t, dir, program))
				case "run":
					if b.lang != "console" {
						t.Errorf("%s:%d: only console blocks can be run", page, b.line)
						continue
					}
					ran += console(t, page, b, bin, dir, cache)
				}
			}
		})
	}
	if ran == 0 {
		t.Fatal("no command was run")
	}
}

// serve starts a Python program that prints its port first and gives its address.
func serve(t *testing.T, dir, program string) string {
	t.Helper()
	python(t)
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "python3", program)
	cmd.Dir = dir
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); cmd.Wait() }) // it is killed
	port, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	go io.Copy(io.Discard, out) // what it says later does not count
	return "http://127.0.0.1:" + strings.TrimSpace(port)
}

func python(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("the page's examples need python3, which is not installed")
	}
}

// console runs the commands of a block and compares what they print; it gives their number.
func console(t *testing.T, page string, b block, bin, dir, cache string) int {
	t.Helper()
	type step struct {
		line int
		args []string
		want []string
	}
	var steps []*step
	for i, line := range strings.Split(strings.TrimSuffix(b.text, "\n"), "\n") {
		if cmd, ok := strings.CutPrefix(line, "$ "); ok {
			args := strings.Fields(cmd)
			if args[0] != "edb" {
				t.Fatalf("%s:%d: only edb can be run: %s", page, b.line+1+i, line)
			}
			steps = append(steps, &step{line: b.line + 1 + i, args: args[1:]})
		} else if len(steps) == 0 {
			t.Fatalf("%s:%d: the block does not begin with a command", page, b.line+1+i)
		} else {
			s := steps[len(steps)-1]
			s.want = append(s.want, line)
		}
	}
	for _, s := range steps {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		cmd := exec.CommandContext(ctx, bin, s.args...)
		cmd.Dir = dir
		if s.args[0] == "run" && !slices.Contains(s.args, "--dry-run") {
			cmd.Args = append(cmd.Args, "--cache", cache)
		}
		var got bytes.Buffer
		cmd.Stdout, cmd.Stderr = &got, &got
		err := cmd.Run()
		cancel()
		status := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			status = exit.ExitCode()
		} else if err != nil {
			t.Fatalf("%s:%d: %v", page, s.line, err)
		}
		want := s.want
		wantStatus := 0
		if n := len(want); n > 0 {
			if _, err := fmt.Sscanf(want[n-1], "exit status %d", &wantStatus); err == nil {
				want = want[:n-1]
			}
		}
		lines := strings.Split(strings.TrimSuffix(got.String(), "\n"), "\n")
		if got.Len() == 0 {
			lines = nil
		}
		lines = slices.DeleteFunc(lines, func(l string) bool { return progressLine.MatchString(l) })
		if status != wantStatus || !matches(want, lines) {
			t.Errorf("%s:%d: edb %s\nexit status %d, the page says %d\n--- got\n%s\n--- the page shows\n%s",
				page, s.line, strings.Join(s.args, " "), status, wantStatus, strings.Join(lines, "\n"), strings.Join(want, "\n"))
		}
	}
	return len(steps)
}

// progressLine is a line that says how far a run is; the pages leave those out.
var progressLine = regexp.MustCompile(`^[a-z]+ \d+/\d+(  .*)?$`)

// matches compares lines; "…" alone is any number of lines, "…" inside a line any text.
func matches(want, got []string) bool {
	if len(want) == 0 {
		return len(got) == 0
	}
	if strings.TrimSpace(want[0]) == "…" {
		for i := range len(got) + 1 {
			if matches(want[1:], got[i:]) {
				return true
			}
		}
		return false
	}
	if len(got) == 0 {
		return false
	}
	parts := strings.Split(strings.TrimRight(want[0], " "), "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	ok, err := regexp.MatchString("^"+strings.Join(parts, ".*")+"$", strings.TrimRight(got[0], " "))
	return err == nil && ok && matches(want[1:], got[1:])
}

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		want, got string
		ok        bool
	}{
		{"a\nb", "a\nb", true},
		{"a", "a\nb", false},
		{"…\nb", "x\ny\nb", true},
		{"a\n…", "a", true},
		{"a\n…\nc", "a\nb", false},
		{"took … s", "took 1.5 s", true},
		{"took … s", "took 1.5 ms!", false},
		{"a+b", "aab", false},
	} {
		if got := matches(strings.Split(c.want, "\n"), strings.Split(c.got, "\n")); got != c.ok {
			t.Errorf("matches(%q, %q) = %v", c.want, c.got, got)
		}
	}
}

// TestDiagramIsTheCode holds the diagram of imports in ARCHITECTURE.md against what go list says.
func TestDiagramIsTheCode(t *testing.T) {
	const module = "enterprisedocbench"
	blocks, _ := read(t, filepath.Join("..", "ARCHITECTURE.md"))
	drawn := map[string]bool{}
	for _, b := range blocks {
		if b.lang != "mermaid" {
			continue
		}
		for line := range strings.Lines(b.text) {
			if from, to, ok := strings.Cut(strings.TrimSpace(line), " --> "); ok {
				drawn[from+" --> "+to] = true
			}
		}
	}
	out, err := exec.Command("go", "list", "-f", "{{range .Imports}}{{$.ImportPath}} {{.}}\n{{end}}", module+"/...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	found := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), " ")
		from, ok := strings.CutPrefix(from, module+"/")
		to, ours := strings.CutPrefix(to, module+"/")
		wires := strings.HasPrefix(from, "cmd/") || strings.HasPrefix(from, "scripts") || from == "docs" || strings.HasSuffix(from, "test")
		if ok && ours && !wires {
			found[from+" --> "+to] = true
		}
	}
	if len(found) == 0 {
		t.Fatal("go list gave no imports")
	}
	for e := range drawn {
		if !found[e] {
			t.Errorf("ARCHITECTURE.md draws %s, which no code imports: remove the line", e)
		}
	}
	for e := range found {
		if !drawn[e] {
			t.Errorf("ARCHITECTURE.md lacks the line %s", e)
		}
	}
}

// TestEveryKeyIsDescribed looks for every key of a configuration, in code marks, in config.md.
func TestEveryKeyIsDescribed(t *testing.T) {
	page, err := os.ReadFile("config.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	var walk func(typ reflect.Type)
	walk = func(typ reflect.Type) {
		for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			return
		}
		for f := range typ.Fields() {
			key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			if key != "" {
				checked++
				if !regexp.MustCompile("`[^`\n]*\\b"+key+"\\b[^`\n]*`").Match(page) && !bytes.Contains(page, []byte("### "+key+"\n")) {
					t.Errorf("config.md does not describe the key %q of %s", key, typ.Name())
				}
			}
			walk(f.Type)
		}
	}
	walk(reflect.TypeFor[pipeline.Config]())
	walk(reflect.TypeFor[pipeline.Foreign]())
	if checked < 40 {
		t.Fatalf("%d keys were checked", checked)
	}
}
