//go:build !linux

package parse

import "time"

// process and group know nothing here: only the wall limit holds.
func process(int) (cpu time.Duration, rss int64, ok bool) { return 0, 0, false }
func group(int) (cpu time.Duration, rss int64, ok bool)   { return 0, 0, false }

func selfCPU() time.Duration { return 0 }
func resetPeak()             {}
func selfPeak() int64        { return 0 }
