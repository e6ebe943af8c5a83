package retrieve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"enterprisedocbench"
)

func checkURL(c Config) error {
	u, err := url.Parse(c.URL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return fmt.Errorf("retrieve.url %q is not an address: give one like http://127.0.0.1:8000/search", c.URL)
	}
	return nil
}

// service is a retriever behind HTTP: POST of a request, answered by a reply.
type service struct {
	url     string
	corpus  *corpus
	timeout time.Duration
	client  *http.Client
}

// openURL offers the passages once: a POST of type application/x-ndjson, one passage a line. A
// service with an index of its own may refuse with 404, 405, 415 or 501; then it names documents.
func openURL(ctx context.Context, cfg Config, ps []edb.Passage) (Retriever, IndexInfo, error) {
	s := &service{url: cfg.URL, corpus: newCorpus(ps), timeout: cfg.Timeout, client: &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return errors.New("redirects are not followed")
	}}}
	if s.timeout <= 0 {
		s.timeout = DefaultTimeout
	}
	path, remove, err := writePassages(ps)
	if err != nil {
		return nil, IndexInfo{}, fmt.Errorf("passages for retrieve.url: %w", err)
	}
	defer remove()
	f, err := os.Open(path)
	if err != nil {
		return nil, IndexInfo{}, err
	}
	defer f.Close()
	code, body, err := s.post(ctx, "application/x-ndjson", f, 10*s.timeout)
	if err != nil {
		return nil, IndexInfo{}, fmt.Errorf("offer passages to %s: %w", s.url, err)
	}
	switch {
	case code/100 == 2, code == 404, code == 405, code == 415, code == 501:
	default:
		return nil, IndexInfo{}, fmt.Errorf("offer passages to %s: status %d: %s", s.url, code, start200(body))
	}
	return s, IndexInfo{}, nil
}

func (s *service) post(ctx context.Context, kind string, body io.Reader, timeout time.Duration) (int, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, body)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", kind)
	res, err := s.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(io.LimitReader(res.Body, maxReply+1))
	if err == nil && len(data) > maxReply {
		err = fmt.Errorf("a reply is longer than %d bytes", maxReply)
	}
	return res.StatusCode, data, err
}

// Retrieve asks the service.
func (s *service) Retrieve(ctx context.Context, q edb.Question, depth int) ([]edb.Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if depth < 1 {
		return nil, nil
	}
	b, err := json.Marshal(request{q.ID, q.Text, depth})
	if err != nil {
		return nil, err
	}
	code, data, err := s.post(ctx, "application/json", bytes.NewReader(b), s.timeout)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && code != http.StatusOK {
		err = fmt.Errorf("status %d: %s", code, start200(data))
	}
	var hits []edb.Hit
	if err == nil {
		hits, err = s.corpus.hits(data, depth)
	}
	if err != nil {
		return nil, fmt.Errorf("retriever %s, question %s: %w", s.url, q.ID, err)
	}
	return hits, nil
}

func start200(b []byte) string {
	return strings.TrimSpace(strings.ToValidUTF8(string(b[:min(len(b), 200)]), "?"))
}
