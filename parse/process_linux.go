package parse

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// own gives the worker a process group of its own and ties its life to ours.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// kill ends the worker's whole process group at once.
func kill(cmd *exec.Cmd) {
	if cmd.Process != nil {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// clockTick is the kernel's unit of CPU time in /proc.
const clockTick = time.Second / 100

// process reads a process's CPU time and resident memory in bytes.
func process(pid int) (cpu time.Duration, rss int64, ok bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, false
	}
	// The second field is the name in parentheses and may hold anything; count behind it.
	i := bytes.LastIndexByte(b, ')')
	f := bytes.Fields(b[i+1:])
	if i < 0 || len(f) < 22 {
		return 0, 0, false
	}
	user, _ := strconv.ParseInt(string(f[11]), 10, 64)
	system, _ := strconv.ParseInt(string(f[12]), 10, 64)
	pages, _ := strconv.ParseInt(string(f[21]), 10, 64)
	return time.Duration(user+system) * clockTick, pages * int64(os.Getpagesize()), true
}
