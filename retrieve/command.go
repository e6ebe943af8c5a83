package retrieve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
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

func checkCommand(c Config) error {
	if len(c.Command) == 0 || c.Command[0] == "" {
		return errors.New("retrieve.command is empty: give the program and its arguments as a list")
	}
	return nil
}

func openCommand(_ context.Context, cfg Config, ps []edb.Passage) (Retriever, IndexInfo, error) {
	if _, err := exec.LookPath(cfg.Command[0]); err != nil {
		return nil, IndexInfo{}, fmt.Errorf("retrieve.command %q: %w", cfg.Command[0], err)
	}
	path, remove, err := writePassages(ps)
	if err != nil {
		return nil, IndexInfo{}, fmt.Errorf("passages for retrieve.command: %w", err)
	}
	c := &command{argv: cfg.Command, path: path, remove: remove, corpus: newCorpus(ps), timeout: cfg.Timeout}
	if c.timeout <= 0 {
		c.timeout = DefaultTimeout
	}
	return c, IndexInfo{}, nil
}

// command is a retriever in a process of its own: one line of JSON in, one line of JSON out, one
// query at a time. The environment variable EDB_PASSAGES names a file of the passages as JSON lines.
// The process is started with the first query, and again after it was ended for being late.
type command struct {
	argv    []string
	path    string
	remove  func() error // of the file path
	corpus  *corpus
	timeout time.Duration

	mu     sync.Mutex
	proc   *process
	closed bool
}

type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.Closer
	lines  chan line
	errors *proc.Tail
}

type line struct {
	data []byte
	err  error
}

// Retrieve asks the process. When ctx or the timeout ends first, the process is killed.
func (c *command) Retrieve(ctx context.Context, q edb.Question, depth int) ([]edb.Hit, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.closed {
		return nil, c.fail(q, errors.New("closed"))
	}
	if depth < 1 {
		return nil, nil
	}
	if c.proc == nil {
		p, err := start(c.argv, c.path)
		if err != nil {
			return nil, c.fail(q, err)
		}
		c.proc = p
	}
	data, err := c.proc.ask(ctx, request{q.ID, q.Text, depth}, c.timeout)
	if err != nil {
		c.proc.stop(0)
		said := c.proc.errors.String()
		c.proc = nil
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if said != "" {
			err = fmt.Errorf("%w; it wrote: %s", err, said)
		}
		return nil, c.fail(q, err)
	}
	hits, err := c.corpus.hits(data, depth)
	if err != nil {
		return nil, c.fail(q, err)
	}
	return hits, nil
}

func (c *command) fail(q edb.Question, err error) error {
	return fmt.Errorf("retriever command %s, question %s: %w", c.argv[0], q.ID, err)
}

// Close ends the process and removes the passages file.
func (c *command) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	if c.proc != nil {
		c.proc.stop(time.Second)
		c.proc = nil
	}
	return c.remove()
}

func start(argv []string, passages string) (*process, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "EDB_PASSAGES="+passages)
	p := &process{cmd: cmd, lines: make(chan line, 1), errors: &proc.Tail{}}
	cmd.Stderr = p.errors
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := proc.Start(cmd); err != nil {
		return nil, err
	}
	p.in, p.out = in, out
	go func() {
		r := bufio.NewReaderSize(out, 1<<16)
		for {
			data, err := readLine(r, maxReply)
			p.lines <- line{data, err}
			if err != nil {
				close(p.lines)
				return
			}
		}
	}()
	return p, nil
}

// readLine reads a line of at most limit bytes, without its end.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var out []byte
	for {
		part, err := r.ReadSlice('\n')
		out = append(out, part...)
		if len(out) > limit {
			return nil, fmt.Errorf("a reply is longer than %d bytes", limit)
		}
		if err == nil {
			return bytes.TrimRight(out, "\r\n"), nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) && len(out) > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

func (p *process) ask(ctx context.Context, r request, timeout time.Duration) ([]byte, error) {
	b, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	t := time.NewTimer(timeout)
	defer t.Stop()
	wrote := make(chan error, 1)
	go func() {
		_, err := p.in.Write(append(b, '\n'))
		wrote <- err
	}()
	for {
		select {
		case err := <-wrote:
			wrote = nil
			if err != nil {
				return nil, fmt.Errorf("it does not take questions: %w", err)
			}
		case l := <-p.lines:
			if errors.Is(l.err, io.EOF) || l.err == nil && l.data == nil {
				return nil, errors.New("it ended without an answer")
			}
			return l.data, l.err
		case <-t.C:
			return nil, fmt.Errorf("no answer within %v", timeout)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// stop closes the input and, after a grace, ends the process with all that it started. It takes
// little more than the grace, whatever holds the pipes.
func (p *process) stop(grace time.Duration) {
	p.in.Close()
	done := make(chan struct{})
	go func() {
		for range p.lines {
		}
		_ = p.cmd.Wait() // its status was judged by its replies
		close(done)
	}()
	if grace > 0 {
		select {
		case <-done:
		case <-time.After(grace):
		}
	}
	proc.Kill(p.cmd.Process)
	select {
	case <-done:
	case <-time.After(time.Second): // a process that left the group holds the output
		p.out.Close()
		<-done
	}
}
