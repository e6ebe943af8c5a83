package datasets

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	edb "enterprisedocbench"
)

// TestBadFileAmongWorkers holds that one bad file is named however many others are being read: the first
// report takes an hour and gives up early where its context ends, the second is bad.
func TestBadFileAmongWorkers(t *testing.T) {
	from := t.TempDir()
	must(t, os.Mkdir(filepath.Join(from, "gao"), 0o755))
	for _, name := range []string{"gao/a.pdf", "gao/b.pdf", "gao/c.pdf"} {
		put(t, from, name, "%PDF-1.4")
	}
	imp, err := LookupImporter("gao")
	must(t, err)
	synctest.Test(t, func(t *testing.T) {
		read := func(ctx context.Context, path string) (edb.Parsed, error) {
			if strings.HasSuffix(path, "b.pdf") {
				return edb.Parsed{}, errors.New(path + ": is no PDF: fetch the file again")
			}
			select {
			case <-ctx.Done():
				return edb.Parsed{}, ctx.Err()
			case <-time.After(time.Hour):
				return sizeless(ctx, path)
			}
		}
		opt := ImportOptions{Parse: read, Workers: 2}
		err := imp.Import(t.Context(), filepath.Join(from, "gao"), filepath.Join(t.TempDir(), "out"), opt)
		if err == nil || !strings.Contains(err.Error(), "b.pdf: is no PDF: fetch the file again") {
			t.Errorf("got %v", err)
		}
		got, err := ImportAll(t.Context(), []Importer{imp}, from, t.TempDir(), opt, ImportCheck{Now: time.Now}, nil)
		if err != nil || len(got) != 1 || !strings.Contains(got[0].Error, "b.pdf: is no PDF: fetch the file again") {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

// TestEachStops holds that the error is that of the lowest index on any number of workers, that nothing is
// started after one, and that the end of the context ends all.
func TestEachStops(t *testing.T) {
	for _, workers := range []int{1, 2, 5} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex
			started := 0
			err := ImportOptions{Workers: workers}.each(t.Context(), 100, func(_ context.Context, i int) error {
				mu.Lock()
				started = max(started, i+1)
				mu.Unlock()
				time.Sleep(time.Duration(100-i) * time.Second)
				if i >= 7 {
					return errors.New("item " + strings.Repeat("I", i))
				}
				return nil
			})
			if err == nil || err.Error() != "item IIIIIII" || started > 8+workers {
				t.Errorf("%d workers: %v after %d", workers, err, started)
			}
			ctx, cancel := context.WithCancel(t.Context())
			err = ImportOptions{Workers: workers}.each(ctx, 100, func(ctx context.Context, i int) error {
				cancel()
				return ctx.Err()
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%d workers: %v", workers, err)
			}
		})
	}
}
