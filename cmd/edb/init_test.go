package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
)

// An init that is interrupted while it reads ends with 130 and leaves neither a folder nor a process.
func TestInterruptedInitLeavesNothing(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("needs /proc to list processes")
	}
	dir := testdata.Data(t, "financebench")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	cmd := exec.Command(exe, asEDB, "init", filepath.Join(dir, "pdfs"), "--out", out, "--workers", "2")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	defer cmd.Process.Kill() // it has ended
	var workers []string
	for until := time.Now().Add(60 * time.Second); len(workers) == 0; {
		select {
		case err := <-done:
			t.Fatalf("it ended before it was interrupted: %v\n%s", err, &stderr)
		case <-time.After(50 * time.Millisecond):
		}
		if workers = workersOf(cmd.Process.Pid); time.Now().After(until) {
			t.Fatal("no worker was started in a minute")
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("still running 20 s after SIGINT")
	}
	if got := cmd.ProcessState.ExitCode(); got != exitInterrupted {
		t.Errorf("exit code %d, want %d\n%s", got, exitInterrupted, &stderr)
	}
	if _, err := os.Stat(out); err == nil {
		t.Errorf("%s is there", filepath.Base(out))
	}
	for _, w := range workers {
		cmdline, err := os.ReadFile(filepath.Join(w, "cmdline"))
		if err == nil && strings.Contains(string(cmdline), "__worker") {
			t.Errorf("worker %s is still there", filepath.Base(w))
		}
	}
}

// pagesOf runs the hidden command that reads pages by an installed tool.
func pagesOf(t *testing.T, want int, args ...string) (edb.Parsed, string) {
	t.Helper()
	var out, complaint bytes.Buffer
	if got := run(t.Context(), strings.NewReader(""), &out, &complaint, append([]string{pagesName}, args...)); got != want {
		t.Fatalf("%v: exit code %d, want %d: %s", args, got, want, &complaint)
	}
	var p edb.Parsed
	if want == exitDone {
		if err := json.Unmarshal(out.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
	}
	return p, complaint.String()
}

func TestPagesByOCR(t *testing.T) {
	dir := testdata.Data(t, "joss")
	paper := filepath.Join(dir, "effmass.pdf")
	for _, name := range []string{"pdftoppm", "tesseract"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("needs %s: install poppler-utils and tesseract-ocr", name)
		}
	}
	p, _ := pagesOf(t, exitDone, paper, "2")
	if len(p.Pages) != 1 || p.Pages[0].Number != 2 || !p.Paged {
		t.Fatalf("page 2 is %+v", p)
	}
	const printed = "Which features are unique to the effmass package?"
	if text := p.Text(); !strings.Contains(strings.Join(strings.Fields(text), " "), printed) {
		t.Errorf("%q is not read on page 2:\n%s", printed, text)
	}
	if _, said := pagesOf(t, exitInput, paper, "x"); !strings.Contains(said, `"x" is no page`) {
		t.Errorf("page x: %s", said)
	}
	if _, said := pagesOf(t, exitInput, filepath.Join(dir, "README.md"), "1"); !strings.Contains(said, "pdftoppm: exit status") {
		t.Errorf("no PDF: %s", said)
	}
}

// Engines that read PDFs by OCR would take hours over a folder: they are not among those compared.
func TestEnginesOfInit(t *testing.T) {
	byType := map[string][]string{}
	for _, e := range engines(nil) {
		for _, m := range e.Accepts {
			byType[m] = append(byType[m], e.Name)
		}
	}
	pdfs := strings.Join(byType["application/pdf"], " ")
	if !strings.HasPrefix(pdfs, "pdfium@") || !strings.Contains(pdfs, "ledongthuc@") || strings.Contains(pdfs, "tesseract") || strings.Contains(pdfs, "auto") {
		t.Errorf("PDFs are read by %s", pdfs)
	}
	if len(byType["text/html"]) == 0 || len(byType["text/plain"]) == 0 {
		t.Errorf("engines by type: %v", byType)
	}
}

func TestToolVersion(t *testing.T) {
	if v := toolVersion(t.Context(), "no-such-program-here", "-v"); v != "" {
		t.Errorf("a program that is not there has version %q", v)
	}
	dir := t.TempDir()
	script := "#!/bin/sh\necho 'tool version 22.12.0 and more' >&2\nexit 99\n"
	if err := os.WriteFile(filepath.Join(dir, "tool"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if v := toolVersion(t.Context(), "tool", "-v"); v != "22.12.0" {
		t.Errorf("version %q", v)
	}
}
