package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// Client posts to one OpenAI-compatible address. The zero value of everything but BaseURL is usable.
// It is safe for concurrent use.
type Client struct {
	BaseURL string                                           // "http://127.0.0.1:8080/v1"; /chat/completions is appended
	KeyEnv  string                                           // name of the environment variable that holds the key; empty: no key is sent
	Retries int                                              // further tries after the first; 0 means 5, negative none
	HTTP    *http.Client                                     // nil: a client with a time limit of 5 minutes a try
	Sleep   func(ctx context.Context, d time.Duration) error // nil: really wait
}

// Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Request is one chat call. A nil Seed sends none; MaxTokens 0 leaves the limit to the server.
type Request struct {
	Model       string    `json:"model"`
	Messages    []Message `json:"messages"`
	Temperature float64   `json:"temperature"`
	MaxTokens   int       `json:"max_tokens,omitempty"`
	Seed        *int      `json:"seed,omitempty"`
}

// Reply is what came back. Finish is the server's word ("stop", "length", "content_filter"). Token
// counts are nil where the server gave none: unknown, not 0. Retries counts the tries before the
// one that succeeded.
type Reply struct {
	Text             string
	Model            string
	Finish           string
	PromptTokens     *int
	CompletionTokens *int
	Retries          int
}

// StatusError is a reply that is not a success. Body is its beginning.
type StatusError struct {
	Status int
	Body   string
	Tries  int
}

func (e *StatusError) Error() string {
	hint := ""
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		hint = ": check the key in the environment variable that key_env names"
	case http.StatusNotFound:
		hint = ": check base_url and the model's name"
	case http.StatusTooManyRequests:
		hint = ": the server's rate limit; run again later or with fewer workers"
	}
	return fmt.Sprintf("model server answered %d %s after %d tries%s: %s", e.Status, http.StatusText(e.Status), e.Tries, hint, e.Body)
}

const (
	defaultRetries = 5
	firstWait      = 500 * time.Millisecond
	longestWait    = 60 * time.Second
	largestReply   = 16 << 20
)

var defaultHTTP = &http.Client{Timeout: 5 * time.Minute}

// Chat sends one request. 408, 429, 5xx and transport errors are tried again, after the time in
// Retry-After where there is one and else after 0.5 s, doubled each time up to 60 s. Other statuses
// are a [StatusError] at once. A reply without choices is an error.
func (c *Client) Chat(ctx context.Context, r Request) (Reply, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return Reply{}, err
	}
	key := ""
	if c.KeyEnv != "" {
		if key = os.Getenv(c.KeyEnv); key == "" {
			return Reply{}, fmt.Errorf("environment variable %s is empty: put the model server's key there", c.KeyEnv)
		}
	}
	raw, tries, err := c.Post(ctx, strings.TrimSuffix(c.BaseURL, "/")+"/chat/completions", key, body)
	if err != nil {
		return Reply{}, err
	}
	var in struct {
		Model   string
		Choices []struct {
			Message      struct{ Content *string }
			FinishReason string `json:"finish_reason"`
		}
		Usage *struct {
			PromptTokens     *int `json:"prompt_tokens"`
			CompletionTokens *int `json:"completion_tokens"`
		}
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return Reply{}, fmt.Errorf("model server's reply is not JSON of the expected form: %w", err)
	}
	if len(in.Choices) == 0 {
		return Reply{}, errors.New("model server's reply has no choices")
	}
	out := Reply{Model: in.Model, Finish: in.Choices[0].FinishReason, Retries: tries - 1}
	if s := in.Choices[0].Message.Content; s != nil {
		out.Text = *s
	}
	if in.Usage != nil {
		out.PromptTokens, out.CompletionTokens = counted(in.Usage.PromptTokens), counted(in.Usage.CompletionTokens)
	}
	return out, nil
}

// counted is a number of tokens; one below 0 is none that is known.
func counted(n *int) *int {
	if n != nil && *n < 0 {
		return nil
	}
	return n
}

// Post sends JSON to an address with the same retries as Chat and returns the body of the success
// and the number of tries. An empty key sends no Authorization header.
func (c *Client) Post(ctx context.Context, url, key string, body []byte) ([]byte, int, error) {
	retries := c.Retries
	switch {
	case retries == 0:
		retries = defaultRetries
	case retries < 0:
		retries = 0
	}
	wait := firstWait
	for try := 1; ; try++ {
		raw, asked, err := c.once(ctx, url, key, body)
		if err == nil {
			return raw, try, nil
		}
		if ctx.Err() != nil {
			return nil, try, ctx.Err()
		}
		var status *StatusError
		isStatus := errors.As(err, &status)
		if isStatus {
			status.Tries = try
		}
		passing := !isStatus || status.Status == http.StatusTooManyRequests || status.Status == http.StatusRequestTimeout || status.Status >= 500
		if !passing || try > retries {
			if !isStatus {
				err = fmt.Errorf("model server cannot be reached after %d tries: %w", try, err)
			}
			return nil, try, err
		}
		d := wait
		if asked > 0 {
			d = asked
		}
		wait = min(2*wait, longestWait)
		if err := c.sleep(ctx, d); err != nil {
			return nil, try, err
		}
	}
}

func (c *Client) sleep(ctx context.Context, d time.Duration) error {
	if c.Sleep != nil {
		return c.Sleep(ctx, d)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Client) once(ctx context.Context, url, key string, body []byte) (raw []byte, asked time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	h := c.HTTP
	if h == nil {
		h = defaultHTTP
	}
	resp, err := h.Do(req)
	if err != nil {
		return nil, 0, err
	}
	defer resp.Body.Close()
	raw, err = io.ReadAll(io.LimitReader(resp.Body, largestReply+1))
	if err != nil {
		return nil, 0, err
	}
	if resp.StatusCode/100 != 2 {
		return nil, retryAfter(resp.Header.Get("Retry-After")), &StatusError{Status: resp.StatusCode, Body: beginning(string(raw))}
	}
	if len(raw) > largestReply {
		return nil, 0, fmt.Errorf("reply is larger than %d bytes", largestReply)
	}
	return raw, 0, nil
}

// retryAfter reads seconds; a date is answered with the time until then. Longer than an hour is cut.
func retryAfter(s string) time.Duration {
	var d time.Duration
	if n, err := strconv.Atoi(strings.TrimSpace(s)); err == nil && n > 0 {
		d = time.Duration(min(n, 3600)) * time.Second
	} else if at, err := http.ParseTime(s); err == nil {
		d = max(0, time.Until(at))
	}
	return min(d, time.Hour)
}

func beginning(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 300 {
		return string(r[:300]) + "..."
	}
	return s
}
