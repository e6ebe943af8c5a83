package pipeline

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/testdata"
)

// printed is a PDF of one page of 45 lines, different for each n.
func printed(n int) []byte {
	var text strings.Builder
	for i := range 45 {
		fmt.Fprintf(&text, "BT /F1 10 Tf 60 %d Td (Line %d of document %d says that order %d was delivered on time.) Tj ET\n", 740-15*i, i+1, n, n*45+i)
	}
	var b bytes.Buffer
	var at []int
	b.WriteString("%PDF-1.4\n")
	for _, o := range []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>/Contents 4 0 R>>",
		fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", text.Len(), text.String())} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), o)
	}
	x := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, o := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, x)
	return b.Bytes()
}

// printedData is a dataset of n printed PDFs and the files, spread among them.
func printedData(t *testing.T, n int, files []string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	w, err := datasets.Create(dir, datasets.Info{Name: "printed", Licence: "CC0-1.0", Made: "by a test", Files: "any"})
	if err != nil {
		t.Fatal(err)
	}
	add := func(id string, content []byte) {
		d := edb.Document{ID: id, Path: "files/" + id + ".pdf", MIME: "application/pdf", Pages: 1, Domain: "test", Split: "test", Gold: "none",
			Licence: edb.Licence{SPDX: "CC0-1.0", Redistribute: true, Derivatives: true, Commercial: true, Evidence: "made here"}}
		if err := w.AddDocument(d, content, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		add(fmt.Sprintf("doc-%05d", i), printed(i))
	}
	for i, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		add(fmt.Sprintf("doc-%05d-hostile", i*n/len(files)), b)
	}
	q := edb.Question{ID: "q", Text: "When was order 7 delivered?", Modality: edb.ModalitySingleHop, Task: "lookup", Domain: "test",
		Answer: &edb.GoldAnswer{Type: "text", Value: "on time"}, Evidence: []edb.Evidence{{Doc: "doc-00000", Page: 1}}}
	if err := w.AddQuestion(q); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// spent is the CPU time of this process and of its workers that have ended.
func spent() time.Duration {
	var sum time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			panic(err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}

// Hostile files among many are failures of their own and cost the others nothing: every clean document
// is read, and what one file in a hundred costs is logged (10,000 files under EDB_LONG, or as many as
// EDB_LONG says).
func TestHostileFilesAmongMany(t *testing.T) {
	n := 200
	if s := os.Getenv("EDB_LONG"); s != "" {
		n = 10000
		if v, err := strconv.Atoi(s); err == nil && v >= 100 {
			n = v
		}
	}
	var hostile []string
	err := filepath.WalkDir(testdata.Data(t, "robustness"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".pdf" && len(hostile) < n/100 {
			hostile = append(hostile, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	clean := n - len(hostile)
	measured := func(name string, clean int, files []string) (rate float64) {
		data := printedData(t, clean, files)
		path := config(t, data, "  - {name: bm25, parse: {engine: pdfium}}\n")
		dir := t.TempDir()
		start, cpu := time.Now(), spent()
		s := run(t, path, filepath.Join(dir, "run"), filepath.Join(dir, "c"), 2)
		wall, used := time.Since(start), spent()-cpu
		if s.Failures > len(files) {
			t.Errorf("%s: %d failures, %d hostile files", name, s.Failures, len(files))
		}
		total := clean + len(files)
		t.Logf("%s: %d files, %d failures, %.1f s of CPU, %.1f s of wall time, %.1f files a CPU second", name, total, s.Failures, used.Seconds(), wall.Seconds(), float64(total)/used.Seconds())
		return float64(total) / used.Seconds()
	}
	measured("warm-up", 100, nil)
	a := measured("clean", clean, nil)
	b := measured("1 % hostile", clean, hostile)
	t.Logf("throughput by CPU time: %.1f %% of that of clean files", 100*b/a)
}
