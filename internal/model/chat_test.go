package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// server answers the statuses in turn and then a good reply.
func server(t *testing.T, header http.Header, reply string, statuses ...int) (*Client, *[]time.Duration, *int) {
	calls := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls++
		if r.Method != http.MethodPost || r.URL.Path != "/v1/chat/completions" {
			t.Errorf("%s %s", r.Method, r.URL.Path)
		}
		if calls <= len(statuses) {
			for k, v := range header {
				w.Header()[k] = v
			}
			w.WriteHeader(statuses[calls-1])
			w.Write([]byte(`{"error":"not now"}`))
			return
		}
		w.Write([]byte(reply))
	}))
	t.Cleanup(s.Close)
	waited := &[]time.Duration{}
	c := &Client{BaseURL: s.URL + "/v1/", Sleep: func(_ context.Context, d time.Duration) error {
		*waited = append(*waited, d)
		return nil
	}}
	return c, waited, &calls
}

const good = `{"model":"m","choices":[{"message":{"content":"Paris"},"finish_reason":"stop"}]}`

// case run-429: 429 with Retry-After: 1 twice, then 200.
func TestRateLimitIsWaitedFor(t *testing.T) {
	c, waited, calls := server(t, http.Header{"Retry-After": {"1"}}, good, 429, 429)
	r, err := c.Chat(t.Context(), Request{Model: "m"})
	if err != nil || r.Text != "Paris" || r.Retries != 2 || *calls != 3 {
		t.Fatalf("%+v, %v after %d calls", r, err, *calls)
	}
	var total time.Duration
	for _, d := range *waited {
		total += d
	}
	if total < 2*time.Second {
		t.Errorf("waited %v, want at least 2 s", total)
	}
}

// case run-usage-unknown: no usage block.
func TestUsageUnknownIsNotZero(t *testing.T) {
	c, _, _ := server(t, nil, good)
	r, err := c.Chat(t.Context(), Request{})
	if err != nil || r.PromptTokens != nil || r.CompletionTokens != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestBackoffDoubles(t *testing.T) {
	c, waited, _ := server(t, nil, good, 500, 503, 502)
	if r, err := c.Chat(t.Context(), Request{}); err != nil || r.Retries != 3 {
		t.Fatal(r, err)
	}
	if w := *waited; len(w) != 3 || w[0] != firstWait || w[1] != 2*firstWait || w[2] != 4*firstWait {
		t.Errorf("waited %v", w)
	}
}

func TestRefusalsAreNotRetried(t *testing.T) {
	for _, status := range []int{400, 401, 403, 404} {
		c, _, calls := server(t, nil, good, status, status)
		_, err := c.Chat(t.Context(), Request{})
		var e *StatusError
		if !errors.As(err, &e) || e.Status != status || *calls != 1 {
			t.Errorf("status %d: %v after %d calls", status, err, *calls)
		}
		if status == 401 && !strings.Contains(err.Error(), "key_env") {
			t.Errorf("no remedy in %v", err)
		}
	}
}

func TestRetriesEnd(t *testing.T) {
	c, _, calls := server(t, nil, good, 500, 500, 500, 500)
	c.Retries = 2
	var e *StatusError
	if _, err := c.Chat(t.Context(), Request{}); !errors.As(err, &e) || e.Tries != 3 || *calls != 3 {
		t.Errorf("%v after %d calls", err, *calls)
	}
	c = &Client{BaseURL: "http://127.0.0.1:1", Retries: 1, Sleep: c.Sleep}
	if _, err := c.Chat(t.Context(), Request{}); err == nil || !strings.Contains(err.Error(), "after 2 tries") {
		t.Errorf("unreachable: %v", err)
	}
}

func TestKeyComesFromTheEnvironment(t *testing.T) {
	var got string
	var sent Request
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		json.NewDecoder(r.Body).Decode(&sent)
		w.Write([]byte(`{"choices":[{"message":{"content":null},"finish_reason":"length"}],"usage":{"prompt_tokens":7,"completion_tokens":0}}`))
	}))
	defer s.Close()
	c := &Client{BaseURL: s.URL, KeyEnv: "EDB_TEST_KEY"}
	if _, err := c.Chat(t.Context(), Request{}); err == nil || !strings.Contains(err.Error(), "EDB_TEST_KEY") {
		t.Errorf("an empty key gave %v", err)
	}
	t.Setenv("EDB_TEST_KEY", "s3cret")
	seed := 4
	r, err := c.Chat(t.Context(), Request{Model: "m", Temperature: 0.5, MaxTokens: 9, Seed: &seed})
	if err != nil || got != "Bearer s3cret" || r.Text != "" || r.Finish != "length" || *r.PromptTokens != 7 || *r.CompletionTokens != 0 {
		t.Errorf("%q %+v %v", got, r, err)
	}
	if sent.Temperature != 0.5 || sent.MaxTokens != 9 || *sent.Seed != 4 {
		t.Errorf("sent %+v", sent)
	}
}

func TestBadReplies(t *testing.T) {
	for _, body := range []string{``, `[]`, `{"choices":[]}`, `{"choices":[{"message":`} {
		c, _, _ := server(t, nil, body)
		if r, err := c.Chat(t.Context(), Request{}); err == nil {
			t.Errorf("%q gave %+v", body, r)
		}
	}
}

func TestCancelEndsTheWait(t *testing.T) {
	c, _, _ := server(t, nil, good, 500)
	c.Sleep = nil
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := c.Chat(ctx, Request{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

func TestRetryAfterForms(t *testing.T) {
	if d := retryAfter("7"); d != 7*time.Second {
		t.Error(d)
	}
	if d := retryAfter(time.Now().Add(time.Minute).UTC().Format(http.TimeFormat)); d < 50*time.Second || d > 61*time.Second {
		t.Error(d)
	}
	for _, s := range []string{"", "soon", "-3", "0"} {
		if d := retryAfter(s); d != 0 {
			t.Errorf("%q: %v", s, d)
		}
	}
}

// says answers with the same bytes whatever is asked.
type says []byte

func (s says) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Request: r, Body: io.NopCloser(bytes.NewReader(s))}, nil
}

// FuzzReply: whatever a model server answers is a reply, with counts of 0 or more or none, or an error.
func FuzzReply(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(`{"choices":[{"message":{"content":null},"finish_reason":"length"}],"usage":{"prompt_tokens":-3,"completion_tokens":null}}`))
	f.Add([]byte(`{"choices":[]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := &Client{BaseURL: "http://localhost/v1", Retries: -1, HTTP: &http.Client{Transport: says(b)}}
		r, err := c.Chat(t.Context(), Request{Model: "m"})
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		for _, n := range []*int{r.PromptTokens, r.CompletionTokens} {
			if n != nil && *n < 0 {
				t.Fatalf("%d tokens", *n)
			}
		}
		if r.Retries != 0 {
			t.Fatalf("%d further tries", r.Retries)
		}
	})
}
