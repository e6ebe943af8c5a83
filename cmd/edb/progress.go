package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress shows items, rate and time left: one moving line on a terminal, a plain line at most
// every ten seconds elsewhere. It is safe for concurrent use.
type progress struct {
	w     io.Writer
	tty   bool
	now   func() time.Time
	mu    sync.Mutex
	stage string
	start time.Time
	last  time.Time
	drawn bool
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	return &progress{w: w, tty: ok && term.IsTerminal(int(f.Fd())), now: time.Now}
}

// show reports that done of total items of a stage are finished; total 0 is not known.
func (p *progress) show(stage string, done, total int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if stage != p.stage {
		p.end()
		p.stage, p.start, p.last = stage, now, time.Time{}
		if !p.tty {
			p.last = now
		}
	}
	every := 10 * time.Second
	if p.tty {
		every = 100 * time.Millisecond
	}
	if now.Sub(p.last) < every && (done < total || total == 0) {
		return
	}
	p.last = now
	line := fmt.Sprintf("%s %d", stage, done)
	if total > 0 {
		line += fmt.Sprintf("/%d", total)
	}
	if spent := now.Sub(p.start).Seconds(); spent > 0.5 && done > 0 {
		rate := float64(done) / spent
		line += fmt.Sprintf("  %.1f/s", rate)
		if done < total {
			line += fmt.Sprintf("  %s left", (time.Duration(float64(total-done)/rate) * time.Second).Round(time.Second))
		}
	}
	if p.tty {
		fmt.Fprintf(p.w, "\r\x1b[K%s", line)
		p.drawn = true
	} else {
		fmt.Fprintln(p.w, line)
	}
}

// end leaves the moving line behind.
func (p *progress) end() {
	if p.drawn {
		fmt.Fprintln(p.w)
		p.drawn = false
	}
}

func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.end()
}
