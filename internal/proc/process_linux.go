package proc

import (
	"os"
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

// own gives a process a group of its own and ties its life to ours.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// tie ties a process's life to ours.
func tie(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// starter runs what it is sent on one system thread that never ends: the kernel ties a child's life
// to the thread that made it, not to the process.
var starter = sync.OnceValue(func() chan<- func() {
	c := make(chan func())
	go func() {
		runtime.LockOSThread()
		for f := range c {
			f()
		}
	}()
	return c
})

func launch(cmd *exec.Cmd) error {
	err := make(chan error, 1)
	starter() <- func() { err <- cmd.Start() }
	return <-err
}

// Kill ends the whole group of a process of Start at once, also where the process itself has ended
// and left others behind.
func Kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }
