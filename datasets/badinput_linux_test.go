package datasets

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	edb "enterprisedocbench"
)

// onSmallDisk tells the test below that it runs on a machine view of its own, where it may mount.
const onSmallDisk = "EDB_TEST_SMALL_DISK"

// TestDiskFull runs itself again in a mount namespace of its own and there on a file system of 512
// KiB: whatever fails for want of space names the remedy, leaves nothing half done, and the dataset
// that was there is whole.
func TestDiskFull(t *testing.T) {
	if os.Getenv(onSmallDisk) != "" {
		diskFull(t)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestDiskFull$", "-test.v")
	cmd.Env = append(os.Environ(), onSmallDisk+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil && len(out) == 0:
		t.Skipf("needs a mount namespace of its own: %v", err)
	case bytes.Contains(out, []byte("--- SKIP")):
		t.Skipf("needs to mount a small file system: %s", out)
	case err != nil || !bytes.Contains(out, []byte("--- PASS: TestDiskFull")):
		t.Errorf("%v\n%s", err, out)
	}
}

// diskFull is TestDiskFull inside of the namespace.
func diskFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=512k"); err != nil {
		t.Skipf("tmpfs: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(disk, 0) }) // the namespace ends with the process
	ds, s := split3(t, disk)
	was := tree(t, disk)
	noise := make([]byte, 96<<10)
	rand.Read(noise)
	big := []byte(base64.StdEncoding.EncodeToString(noise))

	fails := func(what string, err error, remedy string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "no space left on device") || !strings.Contains(err.Error(), remedy) {
			t.Errorf("%s: %v", what, err)
		}
		sameTree(t, what, was, tree(t, disk))
		if faults, err := Check(ds.Dir); err != nil || len(faults) > 0 {
			t.Errorf("%s: the dataset has faults: %v %v", what, faults, err)
		}
	}

	// A writer that runs out of space, over the dataset and beside it.
	for _, start := range []func() (*Writer, error){
		func() (*Writer, error) { return Replace(ds.Dir, Info{Name: "more"}) },
		func() (*Writer, error) { return Create(filepath.Join(disk, "new"), Info{Name: "more"}) },
	} {
		w, err := start()
		must(t, err)
		for i := 0; i < 10 && err == nil; i++ {
			err = w.AddDocument(edb.Document{ID: fmt.Sprint(i), MIME: "text/plain", Licence: licence}, big, nil)
		}
		w.Abort()
		fails("writer", err, "free space")
	}

	// An import whose workers run out of space together.
	from := filepath.Join(t.TempDir(), "jats")
	must(t, os.Mkdir(from, 0o755))
	for i := range 10 {
		put(t, from, fmt.Sprintf("%d.xml", i), "<article><front><article-meta><title-group><article-title>T</article-title></title-group></article-meta></front><body><p>"+string(big)+"</p></body></article>")
	}
	imp, err := LookupImporter("jats")
	must(t, err)
	fails("import", imp.Import(t.Context(), from, filepath.Join(disk, "jats"), ImportOptions{Workers: 3, Parse: sizeless}), "free space")
	all, err := ImportAll(t.Context(), []Importer{imp}, filepath.Dir(from), disk, ImportOptions{Workers: 3, Parse: sizeless}, ImportCheck{Now: time.Now}, nil)
	must(t, err)
	fails("import all", errors.New(all[0].Error), "free space")

	// Everything else with the disk filled to the last page.
	fill := filepath.Join(disk, "ballast")
	f, err := os.Create(fill)
	must(t, err)
	for err == nil {
		_, err = f.Write(big[:4096])
	}
	f.Close()
	was = tree(t, disk)
	fails("splits in place", ds.WriteSplits(s, ""), "free space or name another folder")
	fails("a copy with splits", ds.WriteSplits(s, filepath.Join(disk, "copy")), "dataset")
	fails("attribution", WriteAttribution(filepath.Join(disk, "ATTRIBUTION.md"), ds), "ATTRIBUTION.md: cannot be written: no space left on device: free space or name another file")

	// With space again everything goes.
	must(t, os.Remove(fill))
	must(t, ds.WriteSplits(s, ""))
	if faults, err := Check(ds.Dir); err != nil || len(faults) > 0 {
		t.Errorf("%v %v", faults, err)
	}
}
