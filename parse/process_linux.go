package parse

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// clockTick is the kernel's unit of CPU time in /proc.
const clockTick = time.Second / 100

// process reads a process's CPU time, that of its ended children included, and its resident memory
// in bytes.
func process(pid int) (cpu time.Duration, rss int64, ok bool) {
	_, cpu, rss, ok = stat(strconv.Itoa(pid))
	return cpu, rss, ok
}

// group sums CPU time and resident memory over the living of a process group.
func group(pgid int) (cpu time.Duration, rss int64, ok bool) {
	d, err := os.Open("/proc")
	if err != nil {
		return 0, 0, false
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		if g, c, r, is := stat(name); is && g == pgid {
			cpu, rss, ok = cpu+c, rss+r, true
		}
	}
	return cpu, rss, ok
}

func stat(pid string) (pgid int, cpu time.Duration, rss int64, ok bool) {
	b, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return 0, 0, 0, false
	}
	// The second field is the name in parentheses and may hold anything; count behind it.
	f := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
	if len(f) < 22 || f[0][0] == 'Z' {
		return 0, 0, 0, false // ended, but nobody has asked for its status
	}
	n := func(i int) int64 {
		v, _ := strconv.ParseInt(string(f[i]), 10, 64)
		return v
	}
	ticks := n(11) + n(12) + n(13) + n(14) // user, system, and both of ended children
	return int(n(2)), time.Duration(ticks) * clockTick, n(21) * int64(os.Getpagesize()), true
}

// selfCPU is the CPU time of this process and of the programs that it ran to their end.
func selfCPU() (total time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return total
}

// resetPeak makes selfPeak count from now.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// selfPeak is the most memory, in bytes, that this process has held; 0 is unknown.
func selfPeak() int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(b, []byte("VmHWM:"))
	var kb int64
	_, _ = fmt.Sscan(string(rest), &kb)
	return kb << 10
}
