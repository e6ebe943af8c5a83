package parse

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"enterprisedocbench"
)

func TestCommand(t *testing.T) {
	p := testPool(t, 1, Limits{Wall: 5 * time.Second})
	src := Source{Doc: edb.Document{ID: "d"}, Path: put(t, "it's a file.txt", "# Head\n\nbody\n")}
	sh := func(script string, args ...string) Spec {
		return Spec{Command: append([]string{"sh", "-c", script, "sh"}, args...)}
	}
	cases := []struct {
		name string
		spec Spec
		want []string
		kind string
		says string
	}{
		{"path at the end", Spec{Command: []string{"cat"}}, []string{"heading1: Head", "paragraph: body"}, "", ""},
		{"path by name", sh(`cat "$1"; echo; echo "$2"`, "{file}", "x"), []string{"heading1: Head", "paragraph: body", "paragraph: x"}, "", ""},
		{"our JSON", sh(`printf '{"pages":[{"number":2,"elements":[{"kind":"code","text":"x"}]}]}'`), []string{"code: x"}, "", ""},
		{"bad JSON", sh(`printf '{"pages":1}'`), nil, Damaged, "line 1"},
		{"nothing", sh(`true`), nil, Damaged, "no answer"},
		{"failure", sh(`echo "no such font" >&2; exit 4`), nil, Crash, "no such font"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			out, u, err := p.Parse(context.Background(), c.spec, src)
			if c.kind != "" {
				if kindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
					t.Errorf("error of kind %q: %v, want %q with %q", kindOf(err), err, c.kind, c.says)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			compareLines(t, lines(out), c.want)
			if out.Doc != "d" || out.Engine != c.spec.Name()+"@0" || u.Wall <= 0 {
				t.Errorf("document %q, engine %q, usage %+v", out.Doc, out.Engine, u)
			}
		})
	}
	if _, _, err := p.Parse(context.Background(), Spec{Command: []string{"no-such-program-here"}}, src); err == nil || kindOf(err) != "" {
		t.Errorf("a program that is not there: %v, want a plain error", err)
	}
	if _, _, err := p.Parse(context.Background(), Spec{Command: []string{"cat"}}, Source{Path: src.Path + "x"}); kindOf(err) != Missing {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A command is killed with all that it started, at a limit, at a cancel, and when it leaves
// something running.
func TestCommandLeavesNothing(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	run := func(t *testing.T, lim Limits, script string) (int, error) {
		p := testPool(t, 1, lim)
		src := source(t, "d")
		note := filepath.Join(t.TempDir(), "pid")
		_, u, err := p.Parse(context.Background(), Spec{Command: []string{"sh", "-c", `echo $$ >"$1"; ` + script, "sh", note, exe, "{file}"}}, src)
		if lim.Wall > 0 && u.Wall > lim.Wall+time.Second {
			t.Errorf("killed after %v, limit %v", u.Wall, lim.Wall)
		}
		return had(t, Source{Path: note}), err
	}
	cases := []struct {
		name, script, kind string
		lim                Limits
	}{
		{"wall", `sleep 3600 & sleep 3600`, Timeout, Limits{Wall: 400 * time.Millisecond}},
		{"CPU of children", `(while :; do :; done) & (while :; do :; done)`, Timeout, Limits{CPU: 300 * time.Millisecond, Wall: time.Minute}},
		{"memory of a child", `head -c 300000000 /dev/zero | tail`, Memory, Limits{RSS: 100 << 20, Wall: time.Minute}},
		{"left behind", `sleep 3600 >/dev/null 2>&1 & echo done`, "", Limits{Wall: time.Minute}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			pid, err := run(t, c.lim, c.script)
			if kindOf(err) != c.kind || (err == nil) != (c.kind == "") {
				t.Errorf("error of kind %q: %v, want %q", kindOf(err), err, c.kind)
			}
			if !eventually(func() bool { return ended(pid) }) {
				t.Errorf("process group %d is left behind", pid)
			}
		})
	}
}

func TestService(t *testing.T) {
	var got struct{ body, mime, id string }
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got.body, got.mime, got.id = string(b), r.Header.Get("Content-Type"), r.Header.Get("X-Document-Id")
		switch r.URL.Path {
		case "/md":
			io.WriteString(w, "# Head")
		case "/json":
			io.WriteString(w, `{"pages":[{"number":1,"elements":[{"kind":"code","text":"x"}]}]}`)
		case "/slow":
			<-r.Context().Done()
		case "/moved":
			http.Redirect(w, r, "/md", http.StatusFound)
		default:
			http.Error(w, "out of memory", http.StatusServiceUnavailable)
		}
	}))
	defer s.Close()
	p := testPool(t, 1, Limits{Wall: 400 * time.Millisecond})
	src := Source{Doc: edb.Document{ID: "a\u00e9/b", MIME: "text/plain"}, Path: put(t, "a.txt", "bytes")}
	for path, want := range map[string]string{"/md": "heading1: Head", "/json": "code: x"} {
		out, _, err := p.Parse(context.Background(), Spec{URL: s.URL + path}, src)
		if err != nil {
			t.Fatal(err)
		}
		compareLines(t, lines(out), []string{want})
	}
	if got.body != "bytes" || got.mime != "text/plain" || got.id != "a%C3%A9%2Fb" {
		t.Errorf("the service was sent %+v", got)
	}
	for path, want := range map[string][2]string{
		"/slow":  {Timeout, "no answer after 400ms"},
		"/error": {Transport, "503 Service Unavailable: out of memory"},
		"/moved": {Transport, "302 Found"},
	} {
		_, _, err := p.Parse(context.Background(), Spec{URL: s.URL + path}, src)
		if kindOf(err) != want[0] || !strings.Contains(err.Error(), want[1]) {
			t.Errorf("%s: error of kind %q: %v, want %q", path, kindOf(err), err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, _, err := p.Parse(ctx, Spec{URL: s.URL + "/slow"}, src); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	s.Close()
	if _, _, err := p.Parse(context.Background(), Spec{URL: s.URL}, src); kindOf(err) != Transport {
		t.Errorf("nobody there: %v", err)
	}
}

func TestStored(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"by-id.md": "one", "stem.txt": "two", "bad.json": "{", "a%2Fb.html": "three"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := testPool(t, 1, Limits{})
	cases := []struct{ id, path, want, kind string }{
		{"by-id", "/x/other.pdf", "one", ""},
		{"other", "/x/stem.pdf", "two", ""},
		{"a/b", "/x/other.pdf", "three", ""},
		{"../by-id", "/x/none.pdf", "", Missing},
		{"bad", "/x/bad.pdf", "", Damaged},
		{"none", "/x/none.pdf", "", Missing},
	}
	for _, c := range cases {
		out, _, err := p.Parse(context.Background(), Spec{Files: dir}, Source{Doc: edb.Document{ID: c.id}, Path: c.path})
		if out.Text() != c.want || kindOf(err) != c.kind {
			t.Errorf("%s: %q, %v, want %q, %q", c.id, out.Text(), err, c.want, c.kind)
		}
	}
}
