package parse

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"enterprisedocbench"
)

// Pool keeps worker processes and gives each document to an idle one. A document that breaches a
// limit, or takes its worker down, costs nothing but itself: the worker's process group is killed
// and a fresh worker serves the next document. Safe for concurrent use.
type Pool struct {
	exe   string
	lim   Limits
	cache string
	idle  chan *worker // nil entries are workers not yet started
	done  chan struct{}
	once  sync.Once
}

// worker is one process, serving one document at a time.
type worker struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *tail
	served int
}

// NewPool makes a pool of at most n workers, each the program exe with the argument __worker.
// Compiled code is cached in cacheDir; "" is the user's cache folder.
func NewPool(exe string, n int, lim Limits, cacheDir string) *Pool {
	p := &Pool{exe: exe, lim: lim, cache: cacheDir, idle: make(chan *worker, max(1, n)), done: make(chan struct{})}
	for range cap(p.idle) {
		p.idle <- nil
	}
	return p
}

// Close ends the workers. Documents in work must have come back before.
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

// recycleAfter is how many documents a worker serves before a fresh one takes its place, so that
// what engines leak never adds up.
const recycleAfter = 500

// Parse gives a document to a worker and waits for it within the limits. Foreign specs (command,
// url, files) are served without a worker under the same wall limit.
func (p *Pool) Parse(ctx context.Context, s Spec, src Source) (edb.Parsed, Usage, error) {
	if s.Engine == "" {
		return p.foreign(ctx, s, src)
	}
	var w *worker
	select {
	case w = <-p.idle:
	case <-ctx.Done():
		return edb.Parsed{}, Usage{}, ctx.Err()
	}
	keep := false
	defer func() {
		if !keep && w != nil {
			w.stop()
			w = nil
		}
		p.idle <- w
	}()
	if w == nil {
		var err error
		if w, err = p.start(); err != nil {
			return edb.Parsed{}, Usage{}, err
		}
	}
	out, usage, err := p.serve(ctx, w, s, src)
	w.served++
	var pe *Error
	alive := err == nil || errors.As(err, &pe) && pe.Kind != Timeout && pe.Kind != Memory && pe.Kind != workerGone
	keep = alive && ctx.Err() == nil && w.served < recycleAfter
	if pe != nil && pe.Kind == workerGone {
		pe.Kind = Crash
	}
	return out, usage, err
}

// workerGone marks, inside the pool, a crash of the process itself.
const workerGone = "worker-gone"

func (p *Pool) start() (*worker, error) {
	cmd := exec.Command(p.exe, "__worker")
	cmd.Env = append(os.Environ(), "EDB_WASM_CACHE="+p.cache, "GOMAXPROCS=1")
	own(cmd)
	w := &worker{cmd: cmd, stderr: &tail{}}
	cmd.Stderr = w.stderr
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a parser's worker: %w", err)
	}
	w.in, w.out = in, bufio.NewReaderSize(out, 1<<16)
	return w, nil
}

// stop kills the worker's process group and waits for it.
func (w *worker) stop() {
	kill(w.cmd)
	w.in.Close()
	w.cmd.Wait()
}

// watchEvery is how often a worker's limits are looked at.
const watchEvery = 25 * time.Millisecond

func (p *Pool) serve(ctx context.Context, w *worker, s Spec, src Source) (edb.Parsed, Usage, error) {
	start := time.Now()
	cpu0, _, _ := process(w.cmd.Process.Pid)
	answer := make(chan error, 1)
	var a reply
	go func() {
		err := writeFrame(w.in, request{s, src.Doc, src.Path})
		if err == nil {
			err = readFrame(w.out, &a)
		}
		answer <- err
	}()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	var u Usage
	look := func() error {
		u.Wall = time.Since(start)
		if cpu, rss, ok := process(w.cmd.Process.Pid); ok {
			u.CPU, u.PeakRSS = cpu-cpu0, max(u.PeakRSS, rss)
		}
		switch {
		case p.lim.RSS > 0 && u.PeakRSS > p.lim.RSS:
			return fail(Memory, "more than %d MB of memory: raise limits.memory_mb, or leave the file out", p.lim.RSS>>20)
		case p.lim.CPU > 0 && u.CPU > p.lim.CPU:
			return fail(Timeout, "more than %v of CPU time: raise limits.cpu_s, or leave the file out", p.lim.CPU)
		case p.lim.Wall > 0 && u.Wall > p.lim.Wall:
			return fail(Timeout, "more than %v: raise limits.wall_s, or leave the file out", p.lim.Wall)
		}
		return nil
	}
	for {
		select {
		case err := <-answer:
			look() // the last figures; a breach after the answer is no failure
			if err != nil {
				return edb.Parsed{}, u, fail(workerGone, "the engine crashed: %s", w.lastWords(err))
			}
			if a.Error != "" {
				return edb.Parsed{}, u, &Error{a.Kind, errors.New(a.Error)}
			}
			return a.Parsed, u, nil
		case <-ctx.Done():
			return edb.Parsed{}, u, ctx.Err()
		case <-tick.C:
			if err := look(); err != nil {
				return edb.Parsed{}, u, err
			}
		}
	}
}

func (w *worker) lastWords(err error) string {
	kill(w.cmd)
	w.cmd.Wait()
	if s := w.stderr.first(); s != "" {
		return s
	}
	if w.cmd.ProcessState != nil && !w.cmd.ProcessState.Success() {
		return w.cmd.ProcessState.String()
	}
	return err.Error()
}

// tail keeps the first bytes of what a worker says on standard error.
type tail struct {
	mu sync.Mutex
	b  []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 4096 - len(t.b); room > 0 {
		t.b = append(t.b, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

func (t *tail) first() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	line, _, _ := strings.Cut(strings.TrimSpace(string(t.b)), "\n")
	return line
}
