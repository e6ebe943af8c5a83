//go:build unix

package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A pipe is written into and stays a pipe.
func TestWriteToAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	link := path + "-link"
	if err := os.Symlink("pipe", link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link} {
		got := make(chan string, 1)
		go func() {
			b, err := os.ReadFile(path)
			if err != nil {
				b = []byte(err.Error())
			}
			got <- string(b)
		}()
		wrote := make(chan error, 1)
		go func() { wrote <- WriteFile(name, []byte("rows")) }()
		for range 2 {
			select {
			case err := <-wrote:
				if err != nil {
					t.Error(err)
				}
			case s := <-got:
				if s != "rows" {
					t.Errorf("%s gave %q", name, s)
				}
			case <-time.After(30 * time.Second):
				t.Fatalf("%s: nothing comes through", name)
			}
		}
		if st, err := os.Stat(name); err != nil || st.Mode()&os.ModeNamedPipe == 0 {
			t.Errorf("%s is no pipe any more: %v, %v", name, st, err)
		}
	}
}

// A link stays a link: what it leads to is written, whole or not at all.
func TestWriteThroughLinks(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"there", "here"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	for link, to := range map[string]string{
		"here/link": "../there/file", "here/second": "link", "folder": "there", "there/up": "../there/later", "loop": "loop",
	} {
		if err := os.Symlink(filepath.FromSlash(to), at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range [][2]string{
		{"here/link", "there/file"},   // not there yet
		{"here/second", "there/file"}, // there, by two links
		{"folder/up", "there/later"},  // through a link to a folder
		{"folder/plain", "there/plain"},
	} {
		if err := WriteFile(at(c[0]), []byte(c[0])); err != nil {
			t.Fatal(err)
		}
		if st, err := os.Lstat(at(c[1])); err != nil || !st.Mode().IsRegular() {
			t.Fatalf("%s: %v", c[1], err)
		}
		if b, err := os.ReadFile(at(c[1])); err != nil || string(b) != c[0] {
			t.Errorf("%s holds %q, %v", c[1], b, err)
		}
	}
	for _, link := range []string{"here/link", "here/second", "folder", "there/up", "loop"} {
		if st, err := os.Lstat(at(link)); err != nil || st.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", link, err)
		}
	}
	if err := WriteFile(at("loop"), nil); err == nil {
		t.Error("a loop was written to")
	}
	broken := errors.New("broken")
	err := WriteWith(at("here/link"), func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return broken
	})
	if b, _ := os.ReadFile(at("there/file")); !errors.Is(err, broken) || string(b) != "here/second" {
		t.Errorf("after a failure: %q, %v", b, err)
	}
	if left, _ := filepath.Glob(at("*/.tmp-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
