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
	defer cmd.Process.Kill() //nolint:errcheck // it has ended
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

func TestPagesOfTools(t *testing.T) {
	dir := testdata.Data(t, "joss")
	paper := filepath.Join(dir, "effmass.pdf")
	for _, name := range []string{"pdftotext", "pdftoppm", "tesseract"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("needs %s: install poppler-utils and tesseract-ocr", name)
		}
	}
	all, _ := pagesOf(t, exitDone, "poppler", paper)
	if len(all.Pages) != 3 || !all.Paged {
		t.Fatalf("%d pages, paged %v", len(all.Pages), all.Paged)
	}
	one, _ := pagesOf(t, exitDone, "tesseract", paper, "2")
	if len(one.Pages) != 1 || one.Pages[0].Number != 2 {
		t.Fatalf("OCR of page 2 gives %+v", one.Pages)
	}
	const printed = "Which features are unique to the effmass package?"
	for name, pg := range map[string]edb.Page{"poppler": all.Pages[1], "tesseract": one.Pages[0]} {
		if !strings.Contains(strings.Join(strings.Fields(pg.Text()), " "), printed) {
			t.Errorf("%s does not read %q on page 2:\n%s", name, printed, pg.Text())
		}
	}
	if _, said := pagesOf(t, exitInput, "tesseract", paper, "x"); !strings.Contains(said, `"x" is no page`) {
		t.Errorf("page x: %s", said)
	}
	if _, said := pagesOf(t, exitInput, "poppler", filepath.Join(dir, "README.md")); !strings.Contains(said, "pdftotext: exit status") {
		t.Errorf("no PDF: %s", said)
	}
	if _, said := pagesOf(t, exitInput, "quill", paper); !strings.Contains(said, `no tool is called "quill"`) {
		t.Errorf("no tool: %s", said)
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
