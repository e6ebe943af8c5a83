package parse

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"enterprisedocbench/internal/proc"
)

// sidecar is a program that answers one request after the other as long as its standard input is
// open: a line of JSON and bytes in, a line of JSON out, the first being {"ready": VERSION}. It
// belongs to the worker's process group, so that the worker's limits hold for both. Not safe for
// concurrent use.
type sidecar struct {
	argv []string
	cmd  *exec.Cmd // nil where none runs
	in   io.WriteCloser
	out  *bufio.Reader
	said *firstWords
}

// start starts the program and waits until it is ready.
func (s *sidecar) start() error {
	path, err := exec.LookPath(s.argv[0])
	if err != nil {
		return fmt.Errorf("%s is not on the PATH: see edb doctor", s.argv[0])
	}
	cmd := exec.Command(path, s.argv[1:]...)
	s.said = &firstWords{}
	cmd.Stderr = s.said
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := proc.StartWithin(cmd); err != nil {
		return err
	}
	s.cmd, s.in, s.out = cmd, in, bufio.NewReaderSize(out, 1<<16)
	var hello struct {
		Ready string `json:"ready"`
	}
	if err := s.answer(&hello); err != nil {
		return s.gone(err)
	}
	if hello.Ready == "" {
		return s.gone(errors.New("its first line does not say that it is ready"))
	}
	return nil
}

// answer reads a line of at most maxReply bytes.
func (s *sidecar) answer(v any) error {
	var line []byte
	for {
		part, err := s.out.ReadSlice('\n')
		if line = append(line, part...); len(line) > maxReply {
			return fmt.Errorf("its answer is larger than %d MB", maxReply>>20)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return err
		}
		return json.Unmarshal(line, v)
	}
}

// ask sends a request and reads its reply. A program that is gone is a failure of the document, and a
// fresh one takes the next; when ctx ends the program is killed.
func (s *sidecar) ask(ctx context.Context, head any, body []byte, reply any) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.cmd == nil {
		if err := s.start(); err != nil {
			return err
		}
	}
	p := s.cmd.Process
	stop := context.AfterFunc(ctx, func() { p.Kill() })
	defer stop()
	line, err := json.Marshal(head)
	if err != nil {
		return err
	}
	if _, err = s.in.Write(append(line, '\n')); err == nil {
		_, err = s.in.Write(body)
	}
	if err == nil {
		err = s.answer(reply)
	}
	if err != nil {
		if gone := s.gone(err); ctx.Err() == nil {
			return fail(Crash, "%w", gone)
		}
		return ctx.Err()
	}
	return nil
}

// gone ends the program and says why it is no use.
func (s *sidecar) gone(err error) error {
	s.cmd.Process.Kill()
	s.in.Close()
	s.cmd.Wait()
	name := s.argv[0]
	s.cmd = nil
	if words := s.said.last(); words != "" {
		return fmt.Errorf("%s: %s", name, words)
	}
	return fmt.Errorf("%s: %w", name, err)
}
