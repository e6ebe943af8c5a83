package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// workersOf lists the worker processes whose parent is pid, from /proc.
func workersOf(pid int) (out []string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		stat, err := os.ReadFile(filepath.Join(d, "stat"))
		if err != nil {
			continue
		}
		// "PID (NAME) STATE PPID ...": the name may hold anything.
		var state string
		var parent int
		fmt.Sscan(string(stat[bytes.LastIndexByte(stat, ')')+1:]), &state, &parent)
		cmd, _ := os.ReadFile(filepath.Join(d, "cmdline"))
		if parent == pid && strings.Contains(string(cmd), "__worker") {
			out = append(out, d)
		}
	}
	return out
}

// TestInterrupt sends SIGINT to a demo that is parsing: it ends with 130 within seconds, says what to
// do, and leaves no worker behind.
func TestInterrupt(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("needs /proc to list processes")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, asEDB, "demo", "--out", filepath.Join(t.TempDir(), "d"), "--workers", "2")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	defer cmd.Process.Kill()

	var workers []string
	for until := time.Now().Add(60 * time.Second); len(workers) == 0; {
		select {
		case err := <-done:
			t.Fatalf("the demo ended before it was interrupted: %v\n%s", err, &stderr)
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
	if !strings.Contains(stderr.String(), "run the same command again to go on") {
		t.Errorf("standard error does not say how to go on:\n%s", &stderr)
	}
	for _, w := range workers {
		cmdline, err := os.ReadFile(filepath.Join(w, "cmdline"))
		if err == nil && strings.Contains(string(cmdline), "__worker") {
			t.Errorf("worker %s is still there", filepath.Base(w))
		}
	}
}
