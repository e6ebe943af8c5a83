package parse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"enterprisedocbench"
)

// maxReply bounds what a foreign parser may answer, bytes.
const maxReply = 256 << 20

// foreign asks a command, a service or a folder of stored output for a document.
func (p *Pool) foreign(ctx context.Context, s Spec, src Source) (edb.Parsed, Usage, error) {
	start := time.Now()
	if p.lim.Wall > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, p.lim.Wall, fail(Timeout, "more than %v: raise limits.wall_s, or leave the file out", p.lim.Wall))
		defer cancel()
	}
	var out edb.Parsed
	var err error
	switch {
	case len(s.Command) > 0:
		out, err = command(ctx, s.Command, src)
	case s.URL != "":
		out, err = service(ctx, s.URL, src)
	case s.Files != "":
		out, err = stored(s.Files, src)
	default:
		err = errors.New("no engine is named")
	}
	var pe *Error
	if err != nil && errors.As(context.Cause(ctx), &pe) {
		err = pe
	}
	out.Doc = src.Doc.ID
	if out.Engine == "" || err == nil {
		out.Engine = s.Name() + "@0"
	}
	return out, Usage{Wall: time.Since(start)}, err
}

// answer reads what a foreign parser gave: our JSON where it begins with a brace, else Markdown.
func answer(b []byte) (edb.Parsed, error) {
	t := bytes.TrimSpace(b)
	ext := ".md"
	if bytes.HasPrefix(t, []byte("{")) {
		ext = ".json"
	}
	p, err := readBytes(ext, t)
	if err != nil {
		return p, fail(Damaged, "the parser's answer: %w", err)
	}
	return p, nil
}

// command runs a program: {file} in its arguments is the file's path; without it the path is added
// at the end. Standard output is our JSON or Markdown.
func command(ctx context.Context, argv []string, src Source) (edb.Parsed, error) {
	if _, err := read(src.Path); err != nil {
		return edb.Parsed{}, err
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
	cmd := exec.CommandContext(ctx, argv[0], args...)
	own(cmd)
	cmd.Cancel = func() error { kill(cmd); return nil }
	cmd.WaitDelay = time.Second
	var stdout capped
	stderr := &tail{}
	cmd.Stdout, cmd.Stderr = &stdout, stderr
	if err := cmd.Run(); err != nil {
		return edb.Parsed{}, fail(Crash, "%s: %w: %s", argv[0], err, stderr.first())
	}
	if stdout.over {
		return edb.Parsed{}, fail(TooLarge, "%s: its answer is larger than %d MiB", argv[0], maxReply>>20)
	}
	return answer(stdout.b.Bytes())
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

// service posts the file's bytes and reads our JSON or Markdown back.
func service(ctx context.Context, url string, src Source) (edb.Parsed, error) {
	b, err := read(src.Path)
	if err != nil {
		return edb.Parsed{}, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(b))
	if err != nil {
		return edb.Parsed{}, fail(Transport, "%w", err)
	}
	mime := src.Doc.MIME
	if mime == "" {
		mime = "application/octet-stream"
	}
	req.Header.Set("Content-Type", mime)
	req.Header.Set("X-Document-Id", strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '_'
		}
		return r
	}, src.Doc.ID))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return edb.Parsed{}, fail(Transport, "%w", err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case err != nil:
		return edb.Parsed{}, fail(Transport, "%s: %w", url, err)
	case resp.StatusCode/100 != 2:
		return edb.Parsed{}, fail(Transport, "%s answered %s: %.200s", url, resp.Status, body)
	case len(body) > maxReply:
		return edb.Parsed{}, fail(TooLarge, "%s: its answer is larger than %d MiB", url, maxReply>>20)
	}
	return answer(body)
}

// stored finds a document's output in a folder by its ID or the stem of its file.
func stored(dir string, src Source) (edb.Parsed, error) {
	stem := strings.TrimSuffix(filepath.Base(src.Path), filepath.Ext(src.Path))
	for _, name := range []string{src.Doc.ID, stem} {
		if name == "" || !filepath.IsLocal(name) {
			continue
		}
		for _, ext := range []string{".json", ".md", ".html", ".txt"} {
			path := filepath.Join(dir, name+ext)
			if _, err := os.Stat(path); err == nil {
				p, err := ReadFile(path)
				if err != nil {
					return p, fail(Damaged, "%w", err)
				}
				return p, nil
			}
		}
	}
	return edb.Parsed{}, fail(Missing, "%s holds no %s.json, .md, .html or .txt", dir, fmt.Sprintf("%q", stem))
}
