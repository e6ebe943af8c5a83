//go:build !linux

package parse

import (
	"os"
	"os/exec"
	"time"
)

// own does nothing where process groups are not ours to make.
func own(*exec.Cmd) {}

func launch(cmd *exec.Cmd) error { return cmd.Start() }

func kill(p *os.Process) { p.Kill() }

// process and group know nothing here: only the wall limit holds.
func process(int) (cpu time.Duration, rss int64, ok bool) { return 0, 0, false }
func group(int) (cpu time.Duration, rss int64, ok bool)   { return 0, 0, false }

func selfCPU() time.Duration { return 0 }
func resetPeak()             {}
func selfPeak() int64        { return 0 }
