package retrieve

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"enterprisedocbench"
)

// A retriever that starts programs of its own is ended with them, after a bad reply, when it is late
// and when it is closed.
func TestCommandEndsItsChildren(t *testing.T) {
	for name, script := range map[string]string{
		"a child that talks": "yes & wait",
		"a pipe":             "yes | head -c 200000",
		"a silent child":     "sleep 3600 & wait",
		"an orphan":          "sleep 3600 & exit 0",
	} {
		t.Run(name, func(t *testing.T) {
			fifo := filepath.Join(t.TempDir(), "alive")
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			dead := make(chan error, 1)
			go func() { // every process of the script holds the other end
				f, err := os.Open(fifo)
				if err == nil {
					_, err = io.Copy(io.Discard, f)
					f.Close()
				}
				dead <- err
			}()
			cfg := Config{Command: []string{"sh", "-c", `exec 3>"$1"; ` + script, "sh", fifo}, Timeout: 300 * time.Millisecond}
			r, _, err := openCommand(context.Background(), cfg, []edb.Passage{{ID: "p", Doc: "d", Text: "x"}})
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() {
				_, err := r.Retrieve(context.Background(), edb.Question{ID: "q"}, 5)
				if e := r.(io.Closer).Close(); e != nil {
					err = e
				}
				ended <- err
			}()
			late := time.After(30 * time.Second)
			select {
			case err := <-ended:
				if err == nil || !strings.Contains(err.Error(), "question q") {
					t.Errorf("hits of what gives none: %v", err)
				}
			case <-late:
				t.Fatal("the retriever is still waited for")
			}
			select {
			case err := <-dead:
				if err != nil {
					t.Error(err)
				}
			case <-late:
				t.Fatal("something that the retriever started lives on")
			}
		})
	}
}
