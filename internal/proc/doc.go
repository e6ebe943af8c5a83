// Package proc starts programs of others so that they can be ended with all that they started: each
// gets a process group of its own where the system has such groups.
package proc

import (
	"os/exec"
	"strings"
	"sync"
	"time"
)

// waitDelay is how long Wait of a started program goes on reading its output after its end: a
// process that left its group may hold the pipe for ever.
const waitDelay = time.Second

// Start starts a program in a process group of its own; on Linux the program also ends when ours
// does. Wait of it never lasts longer than a second after the program's end. Its SysProcAttr must
// not be set.
func Start(cmd *exec.Cmd) error {
	if cmd.WaitDelay == 0 {
		cmd.WaitDelay = waitDelay
	}
	own(cmd)
	return launch(cmd)
}

// StartWithin starts a program in our own process group: who ends the group ends it too. On Linux it also
// ends when ours does, however that is. Its SysProcAttr must not be set.
func StartWithin(cmd *exec.Cmd) error {
	tie(cmd)
	return launch(cmd)
}

// tailBytes is how much a Tail keeps.
const tailBytes = 2000

// Tail keeps the last 2000 bytes written to it: what a program said before it failed. It is safe for
// several goroutines.
type Tail struct {
	mu sync.Mutex
	b  []byte
}

// Write implements io.Writer and never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = append(t.b, p...)
	if n := len(t.b) - tailBytes; n > 0 {
		t.b = append(t.b[:0], t.b[n:]...)
	}
	return len(p), nil
}

// String gives what is kept as valid UTF-8, without the blanks around it.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.b), "?"))
}
