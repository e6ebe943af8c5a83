package generate

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"enterprisedocbench"
	"enterprisedocbench/internal/model"
)

// Refusal is the sentence with which the extractive reader abstains and which the chat prompt asks for.
const Refusal = "The documents do not say."

// Generator answers one question from its contexts, best first. Contexts may be empty. The answer's
// Query is the question's ID; Contexts are those given. An error means that there is no answer (the
// server failed); an abstention is an answer with Finish "abstain". Safe for concurrent use.
type Generator interface {
	Generate(ctx context.Context, q edb.Question, contexts []edb.Context) (edb.Answer, error)
}

// Config chooses and sets a provider. Fields that a provider does not use are ignored.
type Config struct {
	Provider    string   // extractive, openai, command, url, oracle, scripted
	Model       string   // openai
	BaseURL     string   // openai: "http://127.0.0.1:8080/v1"
	KeyEnv      string   // openai: environment variable that holds the key
	Prompt      string   // openai: template with {passages} and {question}; empty: DefaultPrompt
	Temperature float64  // openai
	MaxTokens   int      // openai: 0 means 512
	Seed        *int     // openai: nil sends none
	Threshold   float64  // extractive: least support for an answer, in (0,1]; 0 means DefaultThreshold
	Command     []string // command: program and arguments, one JSON line in and out a question
	URL         string   // url: POST address
	Retries     int      // openai, url: 0 means 5, negative none
	Fault       string   `json:",omitempty"` // scripted: one of Faults; empty means none
	// Decompose, where it is not 0, asks about so many contexts at a time and then about what was
	// answered: see decomposed.
	Decompose int `json:",omitempty"`
}

// DefaultThreshold is the extractive reader's least support for an answer.
const DefaultThreshold = 0.5

// versions of what providers do; a higher one makes cached answers stale.
var versions = map[string]int{"extractive": 2, "openai": 1, "command": 1, "url": 1, "oracle": 1, "scripted": 1}

// Version is the version of a configuration's provider, 0 where there is no such provider.
func Version(cfg Config) int { return versions[cfg.Provider] }

// New makes a generator. It is an error, with the remedy in it, where the provider is unknown or
// lacks what it needs. A generator that is also an io.Closer holds a process: close it when done.
func New(cfg Config) (Generator, error) {
	if cfg.Decompose < 0 {
		return nil, fmt.Errorf("generate: decompose is %d: give the number of passages that are asked about at a time, or 0", cfg.Decompose)
	}
	if n := cfg.Decompose; n > 0 {
		cfg.Decompose = 0
		inner, err := New(cfg)
		if err != nil {
			return nil, err
		}
		return decomposed{inner, n}, nil
	}
	switch cfg.Provider {
	case "extractive":
		if cfg.Threshold == 0 {
			cfg.Threshold = DefaultThreshold
		}
		if cfg.Threshold < 0 || cfg.Threshold > 1 {
			return nil, fmt.Errorf("generate: threshold is %g: use a share from 0 to 1", cfg.Threshold)
		}
		return newExtractive(cfg.Threshold)
	case "openai":
		return newChat(cfg)
	case "command":
		if len(cfg.Command) == 0 {
			return nil, fmt.Errorf("generate: provider command has no command: give a program and its arguments")
		}
		return &command{argv: cfg.Command}, nil
	case "url":
		if _, err := httpURL(cfg.URL); err != nil {
			return nil, fmt.Errorf("generate: url: %w", err)
		}
		return &service{url: cfg.URL, client: model.Client{Retries: cfg.Retries}}, nil
	case "oracle":
		return oracle{}, nil
	case "scripted":
		if cfg.Fault == "" {
			cfg.Fault = FaultNone
		}
		if !slices.Contains(Faults, cfg.Fault) {
			return nil, fmt.Errorf("generate: fault %q is not one of %s", cfg.Fault, strings.Join(Faults, ", "))
		}
		g := scripted{fault: cfg.Fault}
		if cfg.Seed != nil {
			g.seed = *cfg.Seed
		}
		return g, nil
	}
	return nil, fmt.Errorf("generate: provider %q is not one of extractive, openai, command, url, oracle, scripted", cfg.Provider)
}

// Local reports whether an address can only lead to this machine: a host of "localhost", or an IP
// address of the loopback range. It is the guard of datasets that must not be sent anywhere
// (privacy: {send: never}). Names are not looked up, so any other name is not local.
func Local(baseURL string) bool {
	u, err := url.Parse(baseURL)
	if err != nil {
		return false
	}
	if u.Scheme == "unix" {
		return true
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

func httpURL(s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil {
		return nil, err
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%q is no http address: write http://HOST:PORT/PATH", s)
	}
	return u, nil
}

func intp(n int) *int           { return &n }
func floatp(x float64) *float64 { return &x }
