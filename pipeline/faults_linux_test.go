package pipeline

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/internal/testdata"

	"enterprisedocbench"
)

// bomb is a PDF of a few kilobytes whose page unfolds into size bytes of operators.
func bomb(t *testing.T, size int) []byte {
	t.Helper()
	pack := func(write func(*zlib.Writer) error) []byte {
		var b bytes.Buffer
		z, err := zlib.NewWriterLevel(&b, zlib.BestSpeed)
		if err != nil {
			t.Fatal(err)
		}
		if err := write(z); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	block := bytes.Repeat([]byte("0 0 m 9 9 l S\n"), 1<<16)
	inner := pack(func(z *zlib.Writer) error {
		for n := 0; n < size; n += len(block) {
			if _, err := z.Write(block); err != nil {
				return err
			}
		}
		return nil
	})
	outer := pack(func(z *zlib.Writer) error { _, err := z.Write(inner); return err })
	var b bytes.Buffer
	var at []int
	object := func(format string, a ...any) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n", len(at))
		fmt.Fprintf(&b, format, a...)
		b.WriteString("\nendobj\n")
	}
	b.WriteString("%PDF-1.4\n")
	object("<</Type/Catalog/Pages 2 0 R>>")
	object("<</Type/Pages/Kids[3 0 R]/Count 1>>")
	object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>")
	object("<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n%s\nendstream", len(outer), outer)
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, xref)
	return b.Bytes()
}

// watch notes, until ctx ends, for how long processes whose command line holds a mark are there.
func watch(ctx context.Context, marks ...string) <-chan map[string]time.Duration {
	out := make(chan map[string]time.Duration, 1)
	go func() {
		first, lasted := map[string]time.Time{}, map[string]time.Duration{}
		for ctx.Err() == nil {
			for _, m := range marks {
				if running(m) {
					if first[m].IsZero() {
						first[m] = time.Now()
					}
					lasted[m] = time.Since(first[m])
				}
			}
			time.Sleep(20 * time.Millisecond)
		}
		out <- lasted
	}()
	return out
}

func running(mark string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && bytes.Contains(b, []byte(mark)) && !bytes.Contains(b, []byte("case $0")) {
			return true
		}
	}
	return false
}

// One run meets a file that hangs, one that allocates four gigabytes, a bomb, an encrypted, a
// truncated, an empty and a missing one, and gold that cannot be read: each is listed with its
// reason and ended within its limit, no process is left, and the other files are measured.
func TestEveryFaultInOneRun(t *testing.T) {
	n, size := 40, 1<<28
	if os.Getenv("EDB_LONG") != "" {
		n, size = 1000, 1<<30
	}
	var encrypted []byte
	for _, c := range testdata.Cases(t, "pdf") {
		var in struct {
			PDF []byte `json:"pdf_base64"`
		}
		if err := json.Unmarshal(c.Input, &in); err != nil {
			t.Fatal(err)
		}
		if c.ID == "pdf-user-password" {
			encrypted = in.PDF
		}
	}
	data := mixed(t, n, encrypted)
	// The bomb takes the place of a text document's file; hash and size are those of the new file.
	replace := func(id, ext, mime string, content []byte) {
		t.Helper()
		path := filepath.Join(data, datasets.DocumentsFile)
		docs, err := store.ReadJSONL[edb.Document](path, true)
		if err != nil {
			t.Fatal(err)
		}
		for i := range docs {
			if docs[i].ID == id {
				docs[i].Path, docs[i].MIME, docs[i].Bytes = "files/"+id+ext, mime, int64(len(content))
				if err := os.WriteFile(filepath.Join(data, docs[i].Path), content, 0o644); err != nil {
					t.Fatal(err)
				}
				if docs[i].SHA256, _, err = store.HashFile(filepath.Join(data, docs[i].Path)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := store.WriteJSONL(path, docs); err != nil {
			t.Fatal(err)
		}
	}
	replace("doc-0003", ".pdf", "application/pdf", bomb(t, size))
	if err := os.Remove(filepath.Join(data, "files", "doc-0004.txt")); err != nil {
		t.Fatal(err)
	}
	mark := rand.IntN(1 << 30)
	hang, hog := fmt.Sprintf("6%d", mark), fmt.Sprintf("+7%d", mark)
	script := fmt.Sprintf("case $0 in *doc-0005*) sleep %s;; *doc-0006*) head -c 4G /dev/zero | tr '\\\\0' a | sort -k %s;; *.pdf) exit 3;; *) cat \"$0\";; esac", hang, hog)
	path := config(t, data, fmt.Sprintf("  - {name: ours, parse: {engine: pdfium}}\n  - {name: theirs, parse: {engine: {command: [sh, -c, \"%s\", \"{file}\"]}}}\n",
		strings.ReplaceAll(strings.ReplaceAll(script, `\`, `\\`), `"`, `\"`)))
	const wall = 3
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(f, "limits: {wall_s: %d, cpu_s: %d, memory_mb: 700}\n", wall, wall)
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}

	ctx, stop := context.WithCancel(t.Context())
	seen := watch(ctx, "sleep\x00"+hang, "-k\x00"+hog)
	dir := t.TempDir()
	s := run(t, path, filepath.Join(dir, "run"), filepath.Join(dir, "c"), 2)
	stop()
	lasted := <-seen
	for _, m := range []string{"sleep\x00" + hang, "-k\x00" + hog} {
		if d, ok := lasted[m]; !ok || d > (wall+1)*time.Second {
			t.Errorf("%q was there for %v (seen: %v), the limit is %d s + 1 s", m, d, ok, wall)
		}
		if running(m) {
			t.Errorf("%q is left behind", m)
		}
	}
	rows, err := store.ReadJSONL[edb.Failure](filepath.Join(dir, "run", "failures.jsonl"), true)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range rows {
		got[f.Arm+" "+f.Unit] = f.Kind
		if strings.TrimSpace(f.Error) == "" {
			t.Errorf("no reason: %+v", f)
		}
	}
	for unit, kinds := range map[string]string{
		"ours encrypted": "encrypted", "ours truncated": "damaged", "ours empty": "damaged", "ours doc-0002": "gold",
		"ours doc-0003": "timeout memory too-large damaged", "ours doc-0004": "missing",
		"theirs encrypted": "crash", "theirs truncated": "crash", "theirs empty": "crash damaged", "theirs doc-0002": "gold", "theirs doc-0003": "crash", "theirs doc-0004": "missing",
		"theirs doc-0005": "timeout", "theirs doc-0006": "memory timeout",
	} {
		if got[unit] == "" || !strings.Contains(kinds, got[unit]) {
			t.Errorf("%s: listed as %q, want one of %q", unit, got[unit], kinds)
		}
		delete(got, unit)
	}
	if len(got) > 0 {
		t.Errorf("files without a fault are listed: %v", got)
	}
	// Of the n texts one has no readable gold, and two, or four, failed; three PDFs failed.
	for arm, ok := range map[string]int{"ours": n - 3, "theirs": n - 5} {
		tis := s.Pipelines[arm]["parse.tis"]
		if tis.N != n+2 || tis.NOK != ok || tis.ValueOK == nil || *tis.ValueOK < 0.999 {
			t.Errorf("%s: the other documents must be measured: n %d, ok %d, want %d", arm, tis.N, tis.NOK, ok)
		}
	}
}
