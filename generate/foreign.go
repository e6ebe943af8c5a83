package generate

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"

	"enterprisedocbench"
	"enterprisedocbench/internal/model"
	"enterprisedocbench/internal/proc"
)

// foreignIn is what a user's generator gets; foreignOut is what it gives back.
type foreignIn struct {
	Query    string        `json:"query"`
	Text     string        `json:"text"`
	Contexts []edb.Context `json:"contexts"`
}

type foreignOut struct {
	Answer    *string         `json:"answer"`
	Citations []citationInput `json:"citations"`
	Usage     *edb.Usage      `json:"usage"`
	Finish    string          `json:"finish"`
	Model     string          `json:"model"`
	Error     string          `json:"error"`
}

// citationInput is a citation whose at may be left out: it then belongs to the whole answer.
type citationInput struct {
	Doc   string `json:"doc"`
	Page  int    `json:"page"`
	Quote string `json:"quote"`
	At    *int   `json:"at"`
}

func decodeAnswer(raw []byte, q edb.Question, contexts []edb.Context) (edb.Answer, error) {
	a := edb.Answer{Query: q.ID, Contexts: contexts}
	var out foreignOut
	if err := json.Unmarshal(raw, &out); err != nil {
		return a, fmt.Errorf(`reply to question %s is not {"answer": TEXT, "citations": [...], "usage": {...}}: %w`, q.ID, err)
	}
	if out.Error != "" {
		return a, errors.New(out.Error)
	}
	if out.Answer == nil {
		return a, fmt.Errorf(`reply to question %s has no "answer"`, q.ID)
	}
	a.Text, a.Usage, a.Finish, a.Model = *out.Answer, out.Usage, out.Finish, out.Model
	switch a.Finish {
	case "":
		a.Finish = "stop"
	case "stop", "length", "filter", "abstain":
	default:
		return a, fmt.Errorf(`reply to question %s: finish %q is not one of stop, length, filter, abstain`, q.ID, a.Finish)
	}
	if u := a.Usage; u != nil && (u.PromptTokens != nil && *u.PromptTokens < 0 || u.CompletionTokens != nil && *u.CompletionTokens < 0 || u.USD != nil && *u.USD < 0) {
		return a, fmt.Errorf("reply to question %s: usage is below 0: leave out what is not known", q.ID)
	}
	n := len([]rune(a.Text))
	for _, c := range out.Citations {
		at := -1
		if c.At != nil {
			if at = *c.At; at < -1 || at > n {
				return a, fmt.Errorf("reply to question %s: citation at %d lies outside the answer of %d code points", q.ID, at, n)
			}
		}
		a.Citations = append(a.Citations, edb.Citation{Doc: c.Doc, Page: c.Page, Quote: c.Quote, At: at})
	}
	return a, nil
}

// service posts each question to the user's address.
type service struct {
	url    string
	client model.Client
}

var _ Generator = (*service)(nil)

func (s *service) Generate(ctx context.Context, q edb.Question, contexts []edb.Context) (edb.Answer, error) {
	body, err := json.Marshal(foreignIn{q.ID, q.Text, contexts})
	if err != nil {
		return edb.Answer{}, err
	}
	raw, _, err := s.client.Post(ctx, s.url, "", body)
	if err != nil {
		return edb.Answer{}, fmt.Errorf("generator at %s: %w", s.url, err)
	}
	a, err := decodeAnswer(raw, q, contexts)
	if err != nil {
		return a, fmt.Errorf("generator at %s: %w", s.url, err)
	}
	return a, nil
}

// command keeps one process of the user's program: a JSON line in, a JSON line out, a question at a
// time. After an error or a cancelled question the process is ended and the next question starts
// another.
type command struct {
	argv []string

	mu  sync.Mutex
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	log *proc.Tail
}

var _ Generator = (*command)(nil)
var _ io.Closer = (*command)(nil)

func (c *command) start() error {
	if c.cmd != nil {
		return nil
	}
	cmd := exec.Command(c.argv[0], c.argv[1:]...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	c.log = &proc.Tail{}
	cmd.Stderr = c.log
	if err := proc.Start(cmd); err != nil {
		return fmt.Errorf("generator %s does not start: %w", c.argv[0], err)
	}
	c.cmd, c.in, c.out = cmd, in, bufio.NewReaderSize(out, 1<<16)
	return nil
}

// end stops the process and all that it started; the caller holds the lock.
func (c *command) end() {
	if c.cmd == nil {
		return
	}
	c.in.Close()
	proc.Kill(c.cmd.Process) // it may have ended by itself
	_ = c.cmd.Wait()         // its status was judged by its replies
	c.cmd = nil
}

// Close ends the process.
func (c *command) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end()
	return nil
}

func (c *command) Generate(ctx context.Context, q edb.Question, contexts []edb.Context) (edb.Answer, error) {
	line, err := json.Marshal(foreignIn{q.ID, q.Text, contexts})
	if err != nil {
		return edb.Answer{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return edb.Answer{}, err
	}
	if err := c.start(); err != nil {
		return edb.Answer{}, err
	}
	type result struct {
		raw []byte
		err error
	}
	done := make(chan result, 1)
	go func(in io.Writer, out *bufio.Reader) {
		if _, err := in.Write(append(line, '\n')); err != nil {
			done <- result{nil, err}
			return
		}
		raw, err := out.ReadBytes('\n')
		if err == io.EOF && len(strings.TrimSpace(string(raw))) > 0 {
			err = nil // a last line without its end
		}
		done <- result{raw, err}
	}(c.in, c.out)
	var r result
	select {
	case r = <-done:
	case <-ctx.Done():
		c.end()
		<-done
		return edb.Answer{}, ctx.Err()
	}
	if r.err != nil {
		c.end() // so that all it had to say is in the log
		return edb.Answer{}, fmt.Errorf("generator %s ended without a reply to question %s: %w%s", c.argv[0], q.ID, r.err, said(c.log))
	}
	a, err := decodeAnswer(r.raw, q, contexts)
	if err != nil {
		return a, fmt.Errorf("generator %s: %w%s", c.argv[0], err, said(c.log))
	}
	return a, nil
}

func said(t *proc.Tail) string {
	if s := t.String(); s != "" {
		return "; it wrote: " + s
	}
	return ""
}
