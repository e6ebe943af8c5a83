package parse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"enterprisedocbench"
)

func testPool(t *testing.T, n int, lim Limits) *Pool {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := NewPool(exe, n, lim, t.TempDir())
	t.Cleanup(func() { p.Close() })
	return p
}

func source(t testing.TB, id string) Source {
	t.Helper()
	path := filepath.Join(t.TempDir(), "doc")
	if err := os.WriteFile(path, []byte("0"), 0o600); err != nil {
		t.Fatal(err)
	}
	return Source{Doc: edb.Document{ID: id}, Path: path}
}

// had is the process that an engine of the tests said it ran in.
func had(t *testing.T, src Source) int {
	t.Helper()
	b, err := os.ReadFile(src.Path)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil || pid == 0 {
		t.Fatalf("no process wrote its number: %q", b)
	}
	return pid
}

// ended says whether neither the process nor its group is there any more.
func ended(pid int) bool {
	_, _, member := group(pid)
	return gone0(pid) && !member
}

func TestPoolFaults(t *testing.T) {
	const mb = 1 << 20
	cases := []struct {
		engine, kind, says string
		lim                Limits
		dies               bool
	}{
		{"hang", Timeout, "more than 300ms", Limits{Wall: 300 * time.Millisecond}, true},
		{"spin", Timeout, "more than 200ms of CPU time", Limits{CPU: 200 * time.Millisecond, Wall: time.Minute}, true},
		{"eat", Memory, "more than 200 MB", Limits{RSS: 200 * mb, Wall: time.Minute}, true},
		{"litter", Timeout, "more than 300ms", Limits{Wall: 300 * time.Millisecond}, true},
		{"exit", Crash, "out of ideas", Limits{Wall: time.Minute}, true},
		{"garble", TooLarge, "larger than can be handed on", Limits{Wall: time.Minute}, true},
		{"panic", Damaged, "a page without a tree", Limits{Wall: time.Minute}, false},
		{"refuse", Encrypted, "a password is needed", Limits{Wall: time.Minute}, false},
		{"plain", Crash, "no luck", Limits{Wall: time.Minute}, false},
		{"no-num", Damaged, "NaN", Limits{Wall: time.Minute}, false},
	}
	for _, c := range cases {
		t.Run(c.engine, func(t *testing.T) {
			p := testPool(t, 1, c.lim)
			src := source(t, "bad")
			_, usage, err := p.Parse(context.Background(), Spec{Engine: c.engine}, src)
			if kindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("error of kind %q: %v, want %q with %q", kindOf(err), err, c.kind, c.says)
			}
			if c.kind == Timeout && c.lim.CPU == 0 && usage.Wall > c.lim.Wall+time.Second {
				t.Errorf("killed after %v, limit %v", usage.Wall, c.lim.Wall)
			}
			if pid := had(t, src); c.dies && !eventually(func() bool { return ended(pid) }) || !c.dies && ended(pid) {
				t.Errorf("worker %d ended: %v, want %v", pid, ended(pid), c.dies)
			}
			// The document was the only thing it cost.
			good := source(t, "good")
			out, _, err := p.Parse(context.Background(), Spec{Engine: "fine"}, good)
			if err != nil || out.Text() != "text of good" {
				t.Errorf("the next document: %q, %v", out.Text(), err)
			}
		})
	}
}

func TestPoolServesManyAndLeavesNothing(t *testing.T) {
	p := testPool(t, 3, Limits{Wall: 2 * time.Second, RSS: 1 << 30})
	engines := []string{"fine", "slippery", "fine", "exit", "panic", "fine", "slippery"}
	var wg sync.WaitGroup
	var mu sync.Mutex
	pids := map[int]bool{}
	for i := range 60 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			engine := engines[i%len(engines)]
			src := source(t, fmt.Sprintf("d%d", i))
			out, _, err := p.Parse(context.Background(), Spec{Engine: engine}, src)
			switch {
			case engine == "exit" || engine == "panic":
				if kindOf(err) == "" {
					t.Errorf("%s: error %v", engine, err)
				}
			case err != nil || out.Text() != "text of "+src.Doc.ID:
				t.Errorf("%s: %q, %v", src.Doc.ID, out.Text(), err)
			}
			pid := had(t, src)
			mu.Lock()
			pids[pid] = true
			mu.Unlock()
		}()
	}
	wg.Wait()
	p.Close()
	if len(pids) < 3 {
		t.Errorf("%d processes had documents, want at least 3", len(pids))
	}
	for pid := range pids {
		if !ended(pid) {
			t.Errorf("worker %d is left behind", pid)
		}
	}
	if _, _, err := p.Parse(context.Background(), Spec{Engine: "fine"}, source(t, "late")); err == nil {
		t.Error("a closed pool took a document")
	}
}

func TestPoolUsage(t *testing.T) {
	p := testPool(t, 1, DefaultLimits)
	for _, engine := range []string{"fine", "work"} { // open, so that parent and worker start their clocks together
		if _, _, err := p.Parse(context.Background(), Spec{Engine: engine}, source(t, "warm")); err != nil {
			t.Fatal(err)
		}
	}
	_, u, err := p.Parse(context.Background(), Spec{Engine: "work"}, source(t, "d"))
	if err != nil {
		t.Fatal(err)
	}
	if u.CPU < 60*time.Millisecond || u.Wall+20*time.Millisecond < u.CPU || u.PeakRSS < 40<<20 || u.PeakRSS > 1<<30 {
		t.Errorf("usage %+v, want at least 60 ms of CPU, no less wall but for the clocks, 40 MB to 1 GB", u)
	}
	_, small, err := p.Parse(context.Background(), Spec{Engine: "fine"}, source(t, "d"))
	if err != nil || small.CPU >= u.CPU {
		t.Errorf("usage of the next document %+v (%v): must not hold the one before", small, err)
	}
}

func TestPoolRecyclesWhatGrows(t *testing.T) {
	p := testPool(t, 1, Limits{RSS: 512 << 20, Wall: time.Minute})
	var pids []int
	for i := range 6 {
		src := source(t, fmt.Sprint(i))
		if _, _, err := p.Parse(context.Background(), Spec{Engine: "leak"}, src); err != nil {
			t.Fatalf("document %d: %v", i, err)
		}
		pids = append(pids, had(t, src))
	}
	if pids[0] == pids[5] {
		t.Errorf("one process kept 480 MB over six documents: %v", pids)
	}
}

func TestPoolReplacesAWorkerThatDiedIdle(t *testing.T) {
	p := testPool(t, 1, Limits{Wall: time.Minute})
	src := source(t, "a")
	if _, _, err := p.Parse(context.Background(), Spec{Engine: "fine"}, src); err != nil {
		t.Fatal(err)
	}
	syscall.Kill(had(t, src), syscall.SIGKILL)
	out, _, err := p.Parse(context.Background(), Spec{Engine: "fine"}, source(t, "b"))
	if err != nil || out.Text() != "text of b" {
		t.Errorf("the document after a dead worker: %q, %v", out.Text(), err)
	}
}

func TestPoolCancel(t *testing.T) {
	p := testPool(t, 1, Limits{})
	ctx, cancel := context.WithCancel(context.Background())
	src := source(t, "d")
	go func() {
		for {
			if b, _ := os.ReadFile(src.Path); len(b) > 1 {
				cancel()
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	_, _, err := p.Parse(ctx, Spec{Engine: "hang"}, src)
	if !errors.Is(err, context.Canceled) || kindOf(err) != "" {
		t.Fatalf("error %v, want the context's", err)
	}
	if pid := had(t, src); !ended(pid) {
		t.Errorf("worker %d is left behind", pid)
	}
	if _, _, err := p.Parse(ctx, Spec{Engine: "fine"}, source(t, "d")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context gave %v", err)
	}
}

// TestWorkerDiesWithItsParent kills the program that owns the pool while a document is in work: the
// worker goes, and the program that its engine runs.
func TestWorkerDiesWithItsParent(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for engine, members := range map[string]int{"hang": 1, "runs-wait": 2} {
		src := source(t, "d")
		parent := exec.Command(exe, "__parent", src.Path, engine)
		if err := parent.Start(); err != nil {
			t.Fatal(err)
		}
		if !eventually(func() bool { b, _ := os.ReadFile(src.Path); return len(b) > 1 }) {
			parent.Process.Kill()
			t.Fatal("the document never reached a worker")
		}
		pid := had(t, src)
		if !eventually(func() bool { return living(pid) == members }) {
			t.Errorf("%s: %d processes in the worker's group, want %d", engine, living(pid), members)
		}
		parent.Process.Kill()
		parent.Wait()
		if !eventually(func() bool { return ended(pid) }) {
			syscall.Kill(-pid, syscall.SIGKILL)
			t.Errorf("%s: worker %d or its program outlives the parent", engine, pid)
		}
	}
}

// living counts the living of a process group.
func living(pgid int) (n int) {
	names, _ := filepath.Glob("/proc/[0-9]*")
	for _, name := range names {
		if g, _, _, ok := stat(filepath.Base(name)); ok && g == pgid {
			n++
		}
	}
	return n
}

// gone0 says whether a process has ended; one that nobody waits for may be left as a zombie.
func gone0(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || bytes.Contains(b, []byte(") Z "))
}

func eventually(f func() bool) bool {
	for range 1000 {
		if f() {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func TestPoolBuiltIn(t *testing.T) {
	p := testPool(t, 2, DefaultLimits)
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(path, []byte("one\n\ntwo\fthree"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _, err := p.Parse(context.Background(), Spec{Engine: "text"}, Source{Doc: edb.Document{ID: "a"}, Path: path})
	if err != nil || out.Text() != "one\ntwo\nthree" || len(out.Pages) != 2 || out.Doc != "a" {
		t.Errorf("got %+v, %v", out, err)
	}
	if _, _, err = p.Parse(context.Background(), Spec{Engine: "text"}, Source{Path: path + "x"}); kindOf(err) != Missing {
		t.Errorf("missing file: %v", err)
	}
	for _, s := range []Spec{{}, {Engine: "text", URL: "http://localhost"}, {Engine: "nothing"}} {
		if _, _, err := p.Parse(context.Background(), s, Source{Path: path}); err == nil || kindOf(err) != "" {
			t.Errorf("spec %+v: %v, want a plain error", s, err)
		}
	}
}

func TestFrames(t *testing.T) {
	var b bytes.Buffer
	if err := writeFrame(&b, request{Path: "a\nb"}); err != nil {
		t.Fatal(err)
	}
	var q request
	if err := readFrame(&b, &q); err != nil || q.Path != "a\nb" {
		t.Errorf("got %+v, %v", q, err)
	}
	if err := readFrame(strings.NewReader("\xff\xff\xff\xff"), &q); !errors.Is(err, errFrame) {
		t.Errorf("a frame of 4 GB: %v", err)
	}
	if err := readFrame(strings.NewReader("\x00\x00\x00\x09{}"), &q); err == nil {
		t.Error("a cut frame was read")
	}
}

func TestServeWorkerEnds(t *testing.T) {
	var in, out bytes.Buffer
	if err := writeFrame(&in, request{Spec: Spec{Engine: "text"}, Path: "/nonexistent/file"}); err != nil {
		t.Fatal(err)
	}
	if err := writeFrame(&in, request{Spec: Spec{Engine: "nothing"}}); err != nil {
		t.Fatal(err)
	}
	if err := ServeWorker(context.Background(), &in, &out); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"ready", Missing, Crash} {
		var a reply
		switch err := readFrame(&out, &a); {
		case i == 0:
			if err != nil || !a.Ready || a.Error != "" {
				t.Errorf("first answer %+v, %v, want that the engine is ready", a, err)
			}
		case err != nil || a.Ready || a.Kind != want || a.Error == "":
			t.Errorf("answer %+v, %v, want kind %q", a, err, want)
		}
	}
}

// The time that an engine takes to start is no document's: the limits of the first document on a
// fresh worker count from when it is ready.
func TestPoolStartsTheClockWhenTheEngineIsReady(t *testing.T) {
	p := testPool(t, 1, Limits{Wall: 400 * time.Millisecond, CPU: 400 * time.Millisecond})
	for i := range 2 {
		src := source(t, "d")
		out, u, err := p.Parse(context.Background(), Spec{Engine: "late"}, src)
		if err != nil || out.Text() != "text of d" {
			t.Fatalf("document %d: %q, %v", i, out.Text(), err)
		}
		if u.CPU > 200*time.Millisecond {
			t.Errorf("document %d is charged %v of CPU time", i, u.CPU)
		}
	}
}

// The limits hold for the programs that an engine runs, and a breach ends them with the worker.
func TestLimitsHoldForProgramsOfEngines(t *testing.T) {
	for _, c := range []struct {
		engine, kind string
		lim          Limits
	}{
		{"runs-hog", Memory, Limits{RSS: 250 << 20, Wall: time.Minute}},
		{"runs-spin", Timeout, Limits{CPU: 400 * time.Millisecond, Wall: time.Minute}},
	} {
		t.Run(c.engine, func(t *testing.T) {
			p := testPool(t, 1, c.lim)
			src := source(t, "d")
			_, _, err := p.Parse(t.Context(), Spec{Engine: c.engine}, src)
			if kindOf(err) != c.kind {
				t.Errorf("%v (%s), want %s", err, kindOf(err), c.kind)
			}
			pid := had(t, src)
			if !eventually(func() bool { _, _, alive := group(pid); return !alive }) {
				t.Errorf("the group of worker %d lives on", pid)
			}
			if out, _, err := p.Parse(t.Context(), Spec{Engine: "fine"}, source(t, "e")); err != nil || out.Text() != "text of e" {
				t.Errorf("the next document: %q, %v", out.Text(), err)
			}
		})
	}
}
