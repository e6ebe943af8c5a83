//go:build !linux

package proc

import (
	"os"
	"os/exec"
)

// own and tie do nothing where process groups are not ours to make.
func own(*exec.Cmd) {}

func tie(*exec.Cmd) {}

func launch(cmd *exec.Cmd) error { return cmd.Start() }

// Kill ends a process of Start; here what it started lives on.
func Kill(p *os.Process) { _ = p.Kill() }
