package generate

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"enterprisedocbench"
)

// A generator that starts programs of its own is ended with them, after bad replies and when the
// question is cancelled.
func TestCommandEndsItsChildren(t *testing.T) {
	for name, script := range map[string]string{
		"a pipe that talks on": "yes | head -c 200000",
		"a child that talks":   "yes & wait",
		"a silent child":       "sleep 3600 & wait",
		"an orphan":            "sleep 3600 & echo {}",
	} {
		t.Run(name, func(t *testing.T) {
			fifo := filepath.Join(t.TempDir(), "alive")
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			started, dead := make(chan struct{}), make(chan error, 1)
			go func() { // every process of the script holds the other end
				f, err := os.Open(fifo)
				close(started)
				if err == nil {
					_, err = io.Copy(io.Discard, f)
					f.Close()
				}
				dead <- err
			}()
			g, err := New(Config{Provider: "command", Command: []string{"sh", "-c", `exec 3>"$1"; ` + script, "sh", fifo}})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				<-started
				time.Sleep(100 * time.Millisecond) // a question that is being asked
				cancel()
			}()
			ended := make(chan error, 1)
			go func() {
				_, err := g.Generate(ctx, edb.Question{ID: "q"}, nil)
				ended <- errors.Join(err, g.(io.Closer).Close())
			}()
			late := time.After(30 * time.Second)
			select {
			case err := <-ended:
				if err == nil || !strings.Contains(err.Error(), "question q") && !errors.Is(err, context.Canceled) {
					t.Errorf("an answer of what gives none: %v", err)
				}
			case <-late:
				t.Fatal("the generator is still waited for")
			}
			select {
			case err := <-dead:
				if err != nil {
					t.Error(err)
				}
			case <-late:
				t.Fatal("something that the generator started lives on")
			}
		})
	}
}
