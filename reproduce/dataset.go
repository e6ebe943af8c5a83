package reproduce

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"enterprisedocbench/datasets"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/parse"
	"enterprisedocbench/universe"
)

// ErrNoCollection is the error of a collection that the data folder does not hold.
var ErrNoCollection = errors.New("the collection is not there")

// maker makes the datasets of tables, each once.
type maker struct {
	opt  Options
	draw universe.DrawPages
	pick func(ctx context.Context, path string, pages ...int) ([]byte, error)
	made map[string]bool // by this call
}

// dataset gives the directory of a source, which is made where the working folder lacks it: the
// collection or world, then the part of it that is taken, then its scan.
func (m *maker) dataset(ctx context.Context, s Source) (string, error) {
	name, dir, err := m.base(ctx, s)
	if err != nil {
		return "", err
	}
	if s.Types != "" || s.Sample != nil {
		name += "-" + store.KeyOf("part", s.Types, s.Sample).String()[:8]
		from := dir
		dir, err = m.once(name, func(out string) error { return m.part(ctx, from, out, s) })
		if err != nil {
			return "", err
		}
	}
	if s.Scan == nil {
		return dir, nil
	}
	if m.draw == nil {
		if m.draw, err = parse.DrawPages(); err != nil {
			return "", err
		}
	}
	from := dir
	name += "-scan-" + store.KeyOf("scan", s.Scan).String()[:8]
	return m.once(name, func(out string) error {
		return s.Scan.settings().Dataset(ctx, from, out, m.draw, parse.ReadFile, func(done, total int) { m.opt.Progress("scan "+name, done, total) })
	})
}

func (m *maker) base(ctx context.Context, s Source) (name, dir string, err error) {
	if s.World > 0 {
		name = fmt.Sprintf("world-%d-%d", s.World, s.Seed)
		dir, err = m.once(name, func(out string) error {
			return universe.WriteDemo(ctx, out, universe.Options{Seed: s.Seed, Documents: s.World, Questions: min(100, 3*s.World)})
		})
		return name, dir, err
	}
	im, err := datasets.LookupImporter(s.Import)
	if err != nil {
		return "", "", err
	}
	from := filepath.Join(m.opt.Data, s.Import)
	if st, err := os.Stat(from); m.opt.Data == "" || err != nil || !st.IsDir() {
		return "", "", fmt.Errorf("%w: put it into a folder %q of the data folder (--data, or EDB_TESTDATA)", ErrNoCollection, s.Import)
	}
	dir, err = m.once(s.Import, func(out string) error {
		opt := m.opt.Import
		opt.Replace = false
		opt.Progress = func(done, total int) { m.opt.Progress("import "+s.Import, done, total) }
		return im.Import(ctx, from, out, opt)
	})
	return s.Import, dir, err
}

// once makes the dataset name unless it lies there from before.
func (m *maker) once(name string, do func(out string) error) (string, error) {
	dir := filepath.Join(m.opt.Work, "datasets", name)
	_, err := os.Stat(filepath.Join(dir, datasets.InfoFile))
	if m.made[name] || err == nil && !m.opt.Fresh {
		return dir, nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return "", err
	}
	if err == nil {
		if err := os.RemoveAll(dir); err != nil {
			return "", err
		}
	}
	if err := do(dir); err != nil {
		return "", err
	}
	m.made[name] = true
	return dir, nil
}
