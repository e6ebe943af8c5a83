package ingest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"enterprisedocbench/datasets"
)

// put writes files below a folder: path to content.
func put(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for p, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestScan(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	put(t, outside, map[string]string{"secret.txt": "secret"})
	put(t, dir, map[string]string{
		"b/deep/note.txt": "a note", "a.md": "# A", "copy.txt": "a note", "zero.pdf": "", "broken.pdf": "<html>404</html>",
		".hidden/x.txt": "x", ".DS_Store": "x", "~$a.docx": "x", "skipped/x.txt": "x", "skipped.csv": "q", "data.json": "{}",
	})
	for link, target := range map[string]string{
		"out.txt": filepath.Join(outside, "secret.txt"), "up.txt": "../" + filepath.Base(outside) + "/secret.txt", "in.txt": "a.md",
		"gone.txt": "nothing", "dir": outside, "loop": ".",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	files, left, err := scan(context.Background(), dir, []string{"skipped", "skipped.csv"}, nil, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.id+" "+f.ext)
	}
	if want := "a.md .md|b/deep/note.txt .txt"; strings.Join(got, "|") != want {
		t.Errorf("files %q, want %q", got, want)
	}
	const outOf, within = "is a link that leads out of the folder", "is a link; what it names is read where it lies"
	want := map[string]string{
		"copy.txt": "has the same bytes as b/deep/note.txt", "zero.pdf": "is empty", "broken.pdf": "is named .pdf but is a web page",
		".hidden": "is hidden", ".DS_Store": "is hidden", "~$a.docx": "is hidden", "data.json": "holds data",
		"out.txt": outOf, "up.txt": outOf, "dir": outOf, "in.txt": within, "loop": within, "gone.txt": "is a link to nothing",
	}
	for i, l := range left {
		if w, ok := want[l.Path]; !ok || !strings.HasPrefix(l.Reason, w) {
			t.Errorf("left out %q: %s; want %q", l.Path, l.Reason, w)
		}
		delete(want, l.Path)
		if i > 0 && left[i-1].Path >= l.Path {
			t.Errorf("%q stands after %q", l.Path, left[i-1].Path)
		}
	}
	for p := range want {
		t.Errorf("%q is not listed", p)
	}
}

func TestScanRefusesWhatIsNoFolder(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, map[string]string{"a.txt": "x"})
	for _, p := range []string{filepath.Join(dir, "none"), filepath.Join(dir, "a.txt")} {
		_, _, err := scan(context.Background(), p, nil, nil, func(int, int) {})
		if err == nil || !strings.Contains(err.Error(), "name the folder that holds your files") {
			t.Errorf("%s: %v", filepath.Base(p), err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := scan(ctx, dir, nil, nil, func(int, int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("after an interrupt: %v", err)
	}
}

func TestNames(t *testing.T) {
	long := strings.Repeat("long/", 100) + "a.pdf"
	tests := []struct{ name, path, id string }{
		{"plain", "a.pdf", "a.pdf"},
		{"nested", "x/a.pdf", "x/a.pdf"},
		{"case differs", "X/A.pdf", "X/A.pdf~2"},
		{"and again", "x/A.PDF", "x/A.PDF~3"},
		{"quotes", `it's "q".pdf`, `it's "q".pdf`},
		{"line end", "a\nb.pdf", "a%0Ab.pdf"},
		{"what that looks like", "a%0Ab.pdf", "a%0Ab.pdf~2"},
		{"not Latin", "契約/合同.pdf", "契約/合同.pdf"},
		{"no UTF-8", "a\xffb.pdf", "a%FFb.pdf"},
		{"replacement character", "a\uFFFDb.pdf", "a\uFFFDb.pdf"},
	}
	var files []file
	for _, tt := range tests {
		files = append(files, file{path: tt.path})
	}
	files = append(files, file{path: long})
	name(files)
	for i, tt := range tests {
		if files[i].id != tt.id {
			t.Errorf("%s: %q is called %q, want %q", tt.name, tt.path, files[i].id, tt.id)
		}
	}
	if id := files[len(tests)].id; len(id) > maxID || !strings.HasPrefix(id, "long/long/") {
		t.Errorf("a long path is called %q (%d bytes)", id, len(id))
	}
}

// Whatever the files are called, every document gets an ID of its own that a dataset takes, and file
// systems without case can tell their files apart.
func TestIDsAreUnique(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "A", "b", "é", "É", "e\u0301", "契", "'", `"`, "\n", "\x01", "%", "%0A", "~2", "~", ".", " ", "/", "#", "\xff", "\u2028", "ß", "İ", "ſ"})
	rapid.Check(t, func(t *rapid.T) {
		paths := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string {
			return strings.Join(rapid.SliceOfN(part, 1, 8).Draw(t, "parts"), "") + ".pdf"
		}), 1, 40, rapid.ID[string]).Draw(t, "paths")
		files := make([]file, len(paths))
		for i, p := range paths {
			files[i].path = p
		}
		name(files)
		seen := map[string]bool{}
		for _, f := range files {
			k := strings.ToLower(datasets.FileName(f.id))
			if f.id == "" || seen[k] || len(f.id) > 1000 || strings.ToValidUTF8(f.id, "") != f.id || strings.ContainsAny(f.id, "\x00\n\r") {
				t.Fatalf("%q is called %q", f.path, f.id)
			}
			seen[k] = true
		}
	})
}
