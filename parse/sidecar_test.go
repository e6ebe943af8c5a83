package parse

import (
	"context"
	"strings"
	"testing"
	"time"
)

// A sidecar that says it is ready, answers, and starts anew after it has ended; what is no answer is a
// failure of the document with what the program said.
func TestSidecar(t *testing.T) {
	const echo = `echo '{"ready":"1"}'; while read -r head; do n=$(dd bs=1 count=3 2>/dev/null); case $head in *die*) echo "Traceback" >&2; echo "KeyError: ink" >&2; exit 1;; *bad*) echo '{';; *) echo "{\"got\":\"$n\"}";; esac; done`
	s := &sidecar{argv: []string{"sh", "-c", echo}}
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	ask := func(ctx context.Context, head string) (string, error) {
		var reply struct {
			Got string `json:"got"`
		}
		err := s.ask(ctx, map[string]string{"do": head}, []byte("abc"), &reply)
		return reply.Got, err
	}
	for range 2 {
		if got, err := ask(t.Context(), "read"); err != nil || got != "abc" {
			t.Fatalf("%q, %v", got, err)
		}
	}
	first := s.cmd.Process.Pid
	if _, err := ask(t.Context(), "die"); kindOf(err) != Crash || !strings.Contains(err.Error(), "KeyError: ink") {
		t.Errorf("a program that ends: %v", err)
	}
	if _, err := ask(t.Context(), "bad"); kindOf(err) != Crash || s.cmd != nil {
		t.Errorf("an answer that is no JSON: %v", err)
	}
	if got, err := ask(t.Context(), "read"); err != nil || got != "abc" || s.cmd.Process.Pid == first {
		t.Errorf("a fresh program: %q, %v", got, err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ask(done, "read"); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	slow := &sidecar{argv: []string{"sh", "-c", `echo '{"ready":"1"}'; exec sleep 600`}}
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if err := slow.ask(ctx, 1, nil, new(any)); err != context.DeadlineExceeded {
		t.Errorf("a program that hangs: %v", err)
	}
	if err := (&sidecar{argv: []string{"sh", "-c", "echo '{}'"}}).start(); err == nil || !strings.Contains(err.Error(), "ready") {
		t.Errorf("a program that is never ready: %v", err)
	}
	if err := (&sidecar{argv: []string{"no-such-program-here"}}).start(); err == nil || !strings.Contains(err.Error(), "edb doctor") {
		t.Errorf("no program: %v", err)
	}
}

func TestRapidLinesAreCutIntoWords(t *testing.T) {
	got := rapidLine{Box: [4]float64{0, 10, 100, 30}, Text: " ab cde  f", Score: 1}.words(0.5, 0.5)
	if len(got) != 3 || got[0].text != "ab" || got[1].text != "cde" || got[2].text != "f" || got[1].box != [4]float64{18.75, 5, 37.5, 15} {
		t.Errorf("%+v", got)
	}
	if got := (rapidLine{Box: [4]float64{5, 5, 5, 5}, Text: "x"}).words(1, 1); got != nil {
		t.Errorf("a line without a place: %+v", got)
	}
}
