package parse

import (
	"strings"
	"sync"
)

// firstWords keeps the first bytes of what a worker says on standard error.
type firstWords struct {
	mu sync.Mutex
	b  []byte
}

func (t *firstWords) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 4096 - len(t.b); room > 0 {
		t.b = append(t.b, p[:min(room, len(p))]...)
	}
	return len(p), nil
}

func (t *firstWords) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.b = t.b[:0]
}

func (t *firstWords) all() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.b))
}

func (t *firstWords) first() string {
	line, _, _ := strings.Cut(t.all(), "\n")
	return line
}

// last is the last line: where a Python program says what went wrong.
func (t *firstWords) last() string {
	s := t.all()
	return strings.TrimSpace(s[strings.LastIndexByte(s, '\n')+1:])
}

// fault is the first line that speaks of an error, else the first line.
func (t *firstWords) fault() string {
	for line := range strings.Lines(t.all()) {
		if strings.Contains(strings.ToLower(line), "error") {
			return strings.TrimSpace(line)
		}
	}
	return t.first()
}
