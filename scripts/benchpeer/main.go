// Command benchpeer times the hot paths of this module on the inputs of a comparison with other
// programs: benchpeer PATH FOLDER reads the files of that path and prints one JSON object a line,
// {"case","sec","min","check"}: median and least CPU seconds of the process over repeats, and a
// value by which all contestants are seen to compute the same.
//
// One file a path; a path adds itself to paths.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"sort"
	"syscall"
	"time"
)

// paths maps the name of a path to what runs its cases.
var paths = map[string]func(folder string) error{}

func main() {
	if len(os.Args) != 3 || paths[os.Args[1]] == nil {
		var names []string
		for n := range paths {
			names = append(names, n)
		}
		sort.Strings(names)
		fmt.Fprintln(os.Stderr, "usage: benchpeer PATH FOLDER, PATH one of", names)
		os.Exit(2)
	}
	if err := paths[os.Args[1]](os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "benchpeer:", err)
		os.Exit(1)
	}
}

// cpu is the user and system time of the process so far, in seconds.
func cpu() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// timed runs f until it has taken total CPU seconds (once at least, after a first run that counts
// only where it takes four times that long) and prints the line of a case.
func timed(name string, total float64, f func() (check any, err error)) error {
	return timedEach(name, total, 1, f)
}

// timedEach is timed for an f that does the same thing several times; the seconds are of one.
func timedEach(name string, total float64, times int, f func() (check any, err error)) error {
	start := cpu()
	check, err := f()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	secs := []float64{cpu() - start}
	if secs[0] <= 4*total {
		secs = secs[:0]
		for begin := cpu(); len(secs) == 0 || cpu()-begin < total && len(secs) < 1000; {
			s := cpu()
			if check, err = f(); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			secs = append(secs, cpu()-s)
		}
	}
	slices.Sort(secs)
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"case": name, "sec": secs[len(secs)/2] / float64(times), "min": secs[0] / float64(times), "check": check})
}
