package parse

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"enterprisedocbench"
	"enterprisedocbench/internal/proc"
)

// maxReply bounds what a foreign parser may answer, bytes.
const maxReply = maxFrame

// check says whether exactly one kind of engine is named.
func (s Spec) check() error {
	n := 0
	for _, set := range []bool{s.Engine != "", len(s.Command) > 0, s.URL != "", s.Files != ""} {
		if set {
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("%d parsers are named: give exactly one of engine, command, url, files", n)
	}
	if s.Engine == "" {
		return nil
	}
	_, err := find(s.Engine)
	return err
}

// find is Lookup; the tests of the pool put engines of their own beside the table.
var find = Lookup

// foreign asks a command, a service or a folder of stored output for a document.
func (p *Pool) foreign(ctx context.Context, s Spec, src Source) (edb.Parsed, Usage, error) {
	start := time.Now()
	var out edb.Parsed
	var u Usage
	var err error
	switch {
	case len(s.Command) > 0:
		out, u, err = p.command(ctx, s.Command, src)
	case s.URL != "":
		out, err = p.service(ctx, s.URL, src)
	default:
		out, err = stored(s.Files, src)
	}
	u.Wall = time.Since(start)
	if err != nil {
		return edb.Parsed{}, u, err
	}
	out.Doc, out.Engine = src.Doc.ID, s.Name()+"@0"
	return out, u, nil
}

// answer reads what a foreign parser gave: our JSON where it begins with a brace, else Markdown.
func answer(b []byte) (edb.Parsed, error) {
	t := bytes.TrimSpace(b)
	ext := ".md"
	if bytes.HasPrefix(t, []byte("{")) {
		ext = ".json"
	}
	if len(t) == 0 {
		return edb.Parsed{}, fail(Damaged, "the parser gave no answer")
	}
	p, err := readBytes(ext, t)
	if err != nil {
		return p, fail(Damaged, "the parser's answer: %w", err)
	}
	return p, nil
}

// command runs a program: {file} in its arguments is the file's path; without it the path is added
// at the end. Standard output is our JSON or Markdown. The limits hold for the program and all that
// it starts, and nothing that it started is left behind.
func (p *Pool) command(ctx context.Context, argv []string, src Source) (edb.Parsed, Usage, error) {
	if err := readable(src.Path); err != nil {
		return edb.Parsed{}, Usage{}, err
	}
	args := make([]string, 0, len(argv))
	named := false
	for _, a := range argv[1:] {
		named = named || strings.Contains(a, "{file}")
		args = append(args, strings.ReplaceAll(a, "{file}", src.Path))
	}
	if !named {
		args = append(args, src.Path)
	}
	cmd := exec.Command(argv[0], args...)
	var stdout capped
	stderr := &firstWords{}
	cmd.Stdout, cmd.Stderr = &stdout, stderr
	if err := proc.Start(cmd); err != nil {
		return edb.Parsed{}, Usage{}, fmt.Errorf("start the parser %s: %w: name a program on the PATH, or its path from the folder where edb is started", argv[0], err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	watch := newWatch(p.lim, func() (time.Duration, int64, bool) { return group(cmd.Process.Pid) })
	watch.cpu0 = 0
	tick := time.NewTicker(2 * watchEvery)
	defer tick.Stop()
	end := func(err error) (edb.Parsed, Usage, error) {
		proc.Kill(cmd.Process)
		_ = <-ended
		return edb.Parsed{}, watch.usage, err
	}
	for {
		select {
		case err := <-ended:
			proc.Kill(cmd.Process) // what it left running
			if t := cmd.ProcessState; t != nil {
				watch.usage.CPU = max(watch.usage.CPU, t.UserTime()+t.SystemTime())
			}
			switch {
			case stdout.over:
				return edb.Parsed{}, watch.usage, fail(TooLarge, "%s: its answer is larger than %d MB", argv[0], maxReply>>20)
			case err != nil:
				return edb.Parsed{}, watch.usage, fail(Crash, "%s: %w: %s", argv[0], err, stderr.first())
			}
			out, err := answer(stdout.b.Bytes())
			return out, watch.usage, err
		case <-ctx.Done():
			return end(ctx.Err())
		case <-tick.C:
			if err := watch.look(); err != nil {
				return end(err)
			}
		}
	}
}

type capped struct {
	b    bytes.Buffer
	over bool
}

func (c *capped) Write(p []byte) (int, error) {
	if c.b.Len()+len(p) > maxReply {
		c.over = true
		return len(p), nil
	}
	return c.b.Write(p)
}

// client follows no redirects: a document goes to the address that was named and to no other.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// service posts the file's bytes and reads our JSON or Markdown back, within the wall limit. The
// header X-Document-Id carries the document's ID, percent-encoded.
func (p *Pool) service(ctx context.Context, address string, src Source) (edb.Parsed, error) {
	b, err := read(src.Path)
	if err != nil {
		return edb.Parsed{}, err
	}
	caller := ctx
	if p.lim.Wall > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, p.lim.Wall)
		defer cancel()
	}
	// failed tells the caller's end, our limit and trouble on the way apart.
	failed := func(err error) error {
		switch {
		case caller.Err() != nil:
			return caller.Err()
		case ctx.Err() != nil:
			return fail(Timeout, "%s: no answer after %v: raise limits.wall_s, or leave the file out", address, p.lim.Wall)
		}
		return fail(Transport, "%w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(b))
	if err != nil {
		return edb.Parsed{}, failed(err)
	}
	mime := src.Doc.MIME
	if mime == "" {
		mime = "application/octet-stream"
	}
	req.Header.Set("Content-Type", mime)
	req.Header.Set("X-Document-Id", url.PathEscape(src.Doc.ID))
	resp, err := client.Do(req)
	if err != nil {
		return edb.Parsed{}, failed(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case err != nil:
		return edb.Parsed{}, failed(fmt.Errorf("%s: %w", address, err))
	case resp.StatusCode/100 != 2:
		return edb.Parsed{}, failed(fmt.Errorf("%s answered %s: %.200s", address, resp.Status, body))
	case len(body) > maxReply:
		return edb.Parsed{}, fail(TooLarge, "%s: its answer is larger than %d MB", address, maxReply>>20)
	}
	return answer(body)
}

// stored reads a document's output from a folder; see [Stored].
func stored(dir string, src Source) (edb.Parsed, error) {
	path := Stored(dir, src.Doc.ID, src.Path)
	if path == "" {
		base := filepath.Base(src.Path)
		return edb.Parsed{}, fail(Missing, "%s holds nothing named %q or %q that ends in %s", dir, src.Doc.ID, strings.TrimSuffix(base, filepath.Ext(base)), strings.Join(Endings(), ", "))
	}
	p, err := ReadFile(path)
	if err != nil {
		return p, fail(Damaged, "%w", err)
	}
	return p, nil
}
