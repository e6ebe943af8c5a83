//go:build !linux

package parse

import (
	"os/exec"
	"time"
)

// own does nothing where process groups are not ours to make.
func own(*exec.Cmd) {}

func kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		cmd.Process.Kill()
	}
}

// process knows nothing here: only the wall limit holds.
func process(int) (cpu time.Duration, rss int64, ok bool) { return 0, 0, false }
