package proc

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// patience ends a test that hangs; nothing here takes nearly as long.
const patience = 30 * time.Second

// within fails where do does not come back.
func within(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { do(); close(done) }()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatalf("%s: still at it after %v", what, patience)
	}
}

// held starts a script whose every process holds the write end of a pipe.
func held(t *testing.T, script string) (cmd *exec.Cmd, r *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	cmd = exec.Command("sh", "-c", script)
	cmd.ExtraFiles = []*os.File{w}
	cmd.Stderr = &Tail{}
	err = Start(cmd)
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	return cmd, r
}

func TestKillEndsTheChildren(t *testing.T) {
	for _, script := range []string{
		"echo ready >&3; sleep 3600 & sleep 3600", // with its parent
		"sleep 3600 & echo ready >&3",             // left behind
	} {
		cmd, r := held(t, script)
		if b := make([]byte, 6); !readFull(t, r, b) {
			t.Fatalf("%s: does not start", script)
		}
		Kill(cmd.Process)
		within(t, script, func() { _ = cmd.Wait() })
		within(t, script, func() { _, _ = io.Copy(io.Discard, r) }) // to the end of the last of them
	}
}

func readFull(t *testing.T, r io.Reader, b []byte) (ok bool) {
	t.Helper()
	within(t, "read", func() { _, err := io.ReadFull(r, b); ok = err == nil })
	return ok
}

// What left the group may hold the error output: Wait does not wait for it.
func TestWaitIsBounded(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("needs setsid")
	}
	cmd, r := held(t, "setsid sh -c 'echo $$ >&3; exec sleep 3600' & read line")
	b := make([]byte, 1)
	var pid strings.Builder
	for readFull(t, r, b) && b[0] != '\n' {
		pid.Write(b)
	}
	defer exec.Command("kill", pid.String()).Run()
	Kill(cmd.Process)
	within(t, "Wait", func() { _ = cmd.Wait() })
}

func TestStartSaysWhatIsMissing(t *testing.T) {
	if err := Start(exec.Command("no-such-program-here")); err == nil {
		t.Error("a program that is not there was started")
	}
}

func TestTail(t *testing.T) {
	var l Tail
	for range 1000 {
		if n, err := l.Write([]byte("word ")); n != 5 || err != nil {
			t.Fatal(n, err)
		}
	}
	_, _ = l.Write([]byte("last\xff\n"))
	if s := l.String(); len(s) > tailBytes || !strings.HasSuffix(s, "word last?") {
		t.Errorf("%d bytes, %q", len(s), s[max(0, len(s)-20):])
	}
}
