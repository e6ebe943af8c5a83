package parse

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/internal/proc"
)

// Pool keeps worker processes and gives each document to an idle one. A document that breaches a
// limit, or takes its worker down, costs nothing but itself: the worker's process group is killed
// and a fresh worker serves the next document. Workers end with the process that made them. Safe for
// concurrent use.
type Pool struct {
	exe   string
	lim   Limits
	cache string
	idle  chan *worker // nil entries are workers not yet started
	done  chan struct{}
	once  sync.Once

	opening sync.Mutex // held by the worker that opens an engine for the first time in this pool
	ready   sync.Map   // engines that some worker has opened: their compiled code is in the cache
}

// worker is one process, serving one document at a time.
type worker struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *firstWords
	served int
	opened map[string]bool // engines that are ready
	base   int64           // resident bytes after the first document
}

// NewPool makes a pool of at most n workers, each the program exe with the argument __worker.
// Compiled code is cached in cacheDir; "" is the user's cache folder. No process starts before it
// is needed.
func NewPool(exe string, n int, lim Limits, cacheDir string) *Pool {
	p := &Pool{exe: exe, lim: lim, cache: cacheDir, idle: make(chan *worker, max(1, n)), done: make(chan struct{})}
	for range cap(p.idle) {
		p.idle <- nil
	}
	return p
}

// Close waits for the documents in work and ends the workers. Documents that come later are refused.
func (p *Pool) Close() error {
	p.once.Do(func() {
		close(p.done)
		for range cap(p.idle) {
			if w := <-p.idle; w != nil {
				w.stop()
			}
		}
	})
	return nil
}

// recycleAfter is how many documents a worker serves before a fresh one takes its place; a worker
// also goes when what it holds between documents has grown by a quarter of the memory limit. So what
// engines leak never adds up.
const recycleAfter = 500

// Parse gives a document to a worker and waits for it within the limits. Foreign specs (command,
// url, files) take a worker's turn but need no worker. What the document is to blame for is an
// *Error; an error of ctx is given as it is, and the worker that had the document is killed. A
// worker that dies over a document after it has served others is replaced and the document tried
// once more, so that none is blamed for another's damage.
func (p *Pool) Parse(ctx context.Context, s Spec, src Source) (edb.Parsed, Usage, error) {
	if err := s.check(); err != nil {
		return edb.Parsed{}, Usage{}, err
	}
	var w *worker
	select {
	case <-p.done:
		return edb.Parsed{}, Usage{}, errors.New("the pool of parsers is closed")
	default:
	}
	select {
	case w = <-p.idle:
	case <-ctx.Done():
		return edb.Parsed{}, Usage{}, ctx.Err()
	case <-p.done:
		return edb.Parsed{}, Usage{}, errors.New("the pool of parsers is closed")
	}
	defer func() { p.idle <- w }()
	if err := ctx.Err(); err != nil {
		return edb.Parsed{}, Usage{}, err
	}
	if s.Engine == "" {
		return p.foreign(ctx, s, src)
	}
	for {
		if w == nil {
			var err error
			if w, err = p.start(); err != nil {
				return edb.Parsed{}, Usage{}, err
			}
		}
		out, usage, fate, err := p.serve(ctx, w, s, src)
		again := fate == gone && w.served > 0
		w.served++
		if fate != alive || w.served >= recycleAfter || p.grown(w) {
			w.stop()
			w = nil
		}
		if !again || ctx.Err() != nil {
			return out, usage, err
		}
	}
}

// grown says whether a worker holds so much between documents that it would eat into the next one's
// limit.
func (p *Pool) grown(w *worker) bool {
	_, rss, ok := process(w.cmd.Process.Pid)
	if !ok || p.lim.RSS <= 0 {
		return false
	}
	if w.served == 1 {
		w.base = rss
	}
	return rss > w.base+p.lim.RSS/4
}

func (p *Pool) start() (*worker, error) {
	cmd := exec.Command(p.exe, "__worker")
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	if os.Getenv("EDB_WASM_CACHE") == "" {
		cmd.Env = append(cmd.Env, "EDB_WASM_CACHE="+p.cache)
	}
	w := &worker{cmd: cmd, stderr: &firstWords{}, opened: map[string]bool{}}
	cmd.Stderr = w.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := proc.Start(cmd); err != nil {
		return nil, fmt.Errorf("start a parser's worker: %w", err)
	}
	w.in, w.out = in, bufio.NewReaderSize(out, 1<<16)
	return w, nil
}

// stop kills the worker's process group and waits for it.
func (w *worker) stop() {
	if w.cmd.ProcessState != nil {
		return
	}
	proc.Kill(w.cmd.Process)
	w.in.Close()
	w.cmd.Wait()
}

// fate is what became of a worker over a document.
type fate int

const (
	alive  fate = iota // it serves the next
	doomed             // a limit was breached or the caller gave up: it must be killed
	gone               // it died by itself
)

// openWithin is how long an engine may take until it is ready, which no document is to blame for: the
// first start on a machine compiles it.
const openWithin = 2 * time.Minute

// watchEvery is how often a worker's limits are looked at.
const watchEvery = 25 * time.Millisecond

func (p *Pool) serve(ctx context.Context, w *worker, s Spec, src Source) (edb.Parsed, Usage, fate, error) {
	// The first opening of an engine compiles it, which is seconds of work: one worker does it, the
	// others then find the code in the cache.
	opened := func() {}
	if _, ok := p.ready.Load(s.Engine); !ok {
		p.opening.Lock()
		opened = sync.OnceFunc(p.opening.Unlock)
		defer func() { opened() }()
		if _, ok := p.ready.Load(s.Engine); ok {
			opened()
		}
	}
	start := time.Now()
	w.stderr.reset()
	type answered struct {
		reply
		err error
	}
	answer := make(chan answered, 2)
	go func() {
		a := answered{err: writeFrame(w.in, request{s, src.Doc, src.Path})}
		for more := true; more; answer <- a {
			a.reply = reply{}
			if a.err == nil {
				a.err = readFrame(w.out, &a.reply)
			}
			more = a.Ready && a.err == nil
		}
	}()
	// An engine that runs a program of its own is watched with it: the worker's whole group.
	look, alone, service := func() (time.Duration, int64, bool) { return process(w.cmd.Process.Pid) }, true, false
	if e, err := find(s.Engine); err == nil && e.Needs != "" {
		alone, service = false, e.Named
		look = func() (time.Duration, int64, bool) { return group(w.cmd.Process.Pid) }
	}
	lim := p.lim
	if !w.opened[s.Engine] {
		lim.CPU, lim.Wall = 0, max(openWithin, lim.Wall)
	}
	watch := newWatch(lim, look)
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case a := <-answer:
			if a.err == nil && a.Ready {
				w.opened[s.Engine] = true
				p.ready.Store(s.Engine, true)
				opened()
				start, watch = time.Now(), newWatch(p.lim, look)
				continue
			}
			watch.usage.Wall = time.Since(start)
			u := watch.usage
			switch {
			case errors.Is(a.err, errFrame):
				return edb.Parsed{}, u, doomed, &Error{TooLarge, a.err}
			case a.err != nil:
				return edb.Parsed{}, u, gone, fail(Crash, "the engine crashed: %s", w.lastWords(a.err))
			}
			if u.PeakRSS = max(a.Peak, u.PeakRSS); alone || a.CPU > u.CPU {
				u.CPU = a.CPU // exact; but a program that lives on is not in it
			}
			if service {
				u.CPU, u.PeakRSS = 0, 0 // the work was done elsewhere
			}
			if a.Error != "" {
				return edb.Parsed{}, u, alive, &Error{a.Kind, errors.New(a.Error)}
			}
			return a.Parsed, u, alive, nil
		case <-ctx.Done():
			watch.usage.Wall = time.Since(start)
			return edb.Parsed{}, watch.usage, doomed, ctx.Err()
		case <-tick.C:
			if err := watch.look(); err != nil {
				var pe *Error
				if !w.opened[s.Engine] && errors.As(err, &pe) && pe.Kind == Timeout {
					err = fail(Crash, "the engine %s was not ready after %v: run again, or give it fewer workers", s.Engine, lim.Wall)
				}
				return edb.Parsed{}, watch.usage, doomed, err
			}
		}
	}
}

// watch holds a process, or a group of them, to limits.
type watch struct {
	lim   Limits
	read  func() (cpu time.Duration, rss int64, ok bool)
	start time.Time
	cpu0  time.Duration
	usage Usage
}

func newWatch(lim Limits, read func() (time.Duration, int64, bool)) *watch {
	w := &watch{lim: lim, read: read, start: time.Now()}
	w.cpu0, _, _ = read()
	return w
}

// look takes the figures and says which limit they breach.
func (w *watch) look() error {
	w.usage.Wall = time.Since(w.start)
	if cpu, rss, ok := w.read(); ok {
		w.usage.CPU, w.usage.PeakRSS = max(w.usage.CPU, cpu-w.cpu0), max(w.usage.PeakRSS, rss)
	}
	switch u := w.usage; {
	case w.lim.RSS > 0 && u.PeakRSS > w.lim.RSS:
		return fail(Memory, "more than %d MB of memory: raise limits.memory_mb, or leave the file out", w.lim.RSS>>20)
	case w.lim.CPU > 0 && u.CPU > w.lim.CPU:
		return fail(Timeout, "more than %v of CPU time: raise limits.cpu_s, or leave the file out", w.lim.CPU)
	case w.lim.Wall > 0 && u.Wall > w.lim.Wall:
		return fail(Timeout, "more than %v: raise limits.wall_s, or leave the file out", w.lim.Wall)
	}
	return nil
}

// lastWords says why a worker is gone: what it wrote on standard error, else how it ended.
func (w *worker) lastWords(err error) string {
	late := time.AfterFunc(time.Second/2, func() { proc.Kill(w.cmd.Process) })
	w.cmd.Wait()
	late.Stop()
	if s := w.stderr.first(); s != "" {
		return s
	}
	if w.cmd.ProcessState != nil && !w.cmd.ProcessState.Success() {
		return w.cmd.ProcessState.String()
	}
	return err.Error()
}
