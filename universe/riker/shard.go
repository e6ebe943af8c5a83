package riker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"enterprisedocbench/internal/store"
)

// shardSize is the number of documents in a shard where nothing else is said.
const shardSize = 10_000

// shardDocument is a line of a shard: a document as BEIR's readers take it, and what it states.
type shardDocument struct {
	ID     string      `json:"_id"`
	Title  string      `json:"title"`
	Text   string      `json:"text"`
	Kind   string      `json:"kind"`
	Number int         `json:"number"` // among the documents of the type, from 0
	Style  string      `json:"style"`
	Facts  []shardFact `json:"facts"`
}

// shardFact is a fact and where the text states it: the value in code points [Start, End), and what
// says it in [From, To).
type shardFact struct {
	Field string `json:"field"`
	Value string `json:"value"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	From  int    `json:"from"`
	To    int    `json:"to"`
}

// ShardFile is the name of a shard, from 1, of some.
func ShardFile(shard, of int) string {
	return fmt.Sprintf("corpus-%05d-of-%05d.jsonl.zst", shard, of)
}

// shardLine is the line of a document in a shard, with its line end.
func shardLine(d Document) []byte {
	s := shardDocument{d.ID, d.Title, d.Printed.Gold.Text(), d.Kind.String(), d.N, d.Style.String(), make([]shardFact, len(d.Printed.Mentions))}
	for i, m := range d.Printed.Mentions {
		s.Facts[i] = shardFact{m.Field, m.Value, m.Start, m.End, m.Evidence.Start, m.Evidence.End}
	}
	return append(store.JSON(s), '\n')
}

// pack writes compressed; the same content gives the same bytes.
func pack(w io.Writer) (*zstd.Encoder, error) {
	return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20), zstd.WithEncoderCRC(true))
}

// onlyText refuses plans whose documents do not fit in a line of text.
func (w *World) onlyText() error {
	for f, weight := range w.Formats {
		if f != "text" && weight > 0 {
			return fmt.Errorf("shards hold text: leave out --formats %s, or make at most %d documents without --shard-size", f, directoryMax)
		}
	}
	return nil
}

// writeShard makes one shard. dir may hold other shards of the same plan.
func (w *World) writeShard(ctx context.Context, dir string, size int, opt WriteOptions) error {
	of := ceilDiv(w.Documents(), size)
	if opt.Shard > of {
		return fmt.Errorf("shard %d of %d: choose one from 1 to %d", opt.Shard, of, of)
	}
	if err := w.onlyText(); err != nil {
		return err
	}
	plan := append(encodeSharded(w.Plan, size), '\n')
	switch old, err := os.ReadFile(filepath.Join(dir, PlanFile)); {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return err
	case string(old) != string(plan):
		return fmt.Errorf("%s holds shards of another plan: name another folder", dir)
	}
	from, to := (opt.Shard-1)*size, min(opt.Shard*size, w.Documents())
	_, absent := os.Stat(dir)
	err := store.WriteWith(filepath.Join(dir, ShardFile(opt.Shard, of)), func(out io.Writer) error {
		z, err := pack(out)
		if err != nil {
			return err
		}
		err = inOrder(ctx, opt.Workers, to-from, func(i int) ([]byte, error) {
			d, err := w.Document(from + i)
			if err != nil {
				return nil, err
			}
			return shardLine(d), nil
		}, func(i int, line []byte) error {
			opt.progress("documents", i+1, to-from)
			_, err := z.Write(line)
			return err
		})
		if cerr := z.Close(); err == nil {
			err = cerr
		}
		return err
	})
	if err != nil {
		if errors.Is(absent, os.ErrNotExist) {
			os.Remove(dir) // fails where another shard stands there by now, which is as well
		}
		return err
	}
	return store.WriteFile(filepath.Join(dir, PlanFile), plan)
}

// shardWriter writes one shard after another.
type shardWriter struct {
	dir      string
	size, of int
	file     *os.File
	z        *zstd.Encoder
}

func (s *shardWriter) write(id int, line []byte) error {
	if id%s.size == 0 {
		if err := s.close(); err != nil {
			return err
		}
		f, err := os.Create(filepath.Join(s.dir, ShardFile(id/s.size+1, s.of)))
		if err != nil {
			return err
		}
		s.file = f
		if s.z == nil {
			s.z, err = pack(f)
		} else {
			s.z.Reset(f)
		}
		if err != nil {
			return err
		}
	}
	_, err := s.z.Write(line)
	return err
}

func (s *shardWriter) close() error {
	if s.file == nil {
		return nil
	}
	err := errors.Join(s.z.Close(), s.file.Close())
	s.file = nil
	return err
}

// writeShards writes all shards, the truth, the questions and their judgements.
func (w *World) writeShards(ctx context.Context, dir string, size, tokens int, opt WriteOptions) (questions int, err error) {
	if err := w.onlyText(); err != nil {
		return 0, err
	}
	f, err := newFolder(dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = f.end(err) }()
	if err = os.WriteFile(filepath.Join(f.tmp, PlanFile), append(encodeSharded(w.Plan, size), '\n'), 0o644); err != nil {
		return 0, err
	}
	var t *truth
	if !opt.NoTruth {
		if t, err = newTruth(ctx, filepath.Join(f.tmp, TruthFile)); err != nil {
			return 0, err
		}
		defer func() {
			if cerr := t.close(); err == nil {
				err = cerr
			}
		}()
		if err = w.fillTables(ctx, t, tokens, opt); err != nil {
			return 0, err
		}
	}
	if err = w.corpus(ctx, f.tmp, size, t, opt); err != nil || opt.NoTruth {
		return 0, err
	}
	asked, err := w.askTruth(ctx, t, opt)
	if err != nil {
		return 0, err
	}
	if err = writeQuestions(filepath.Join(f.tmp, "queries.jsonl"), asked); err != nil {
		return 0, err
	}
	return len(asked), writeQrels(filepath.Join(f.tmp, "qrels", "test.tsv"), asked)
}

// corpus writes the shards and, where there is a truth, the rows of the documents.
func (w *World) corpus(ctx context.Context, dir string, size int, t *truth, opt WriteOptions) error {
	n := w.Documents()
	count, err := w.counter()
	if err != nil {
		return err
	}
	type made struct {
		line []byte
		rows []row
	}
	s := &shardWriter{dir: dir, size: size, of: ceilDiv(n, size)}
	err = inOrder(ctx, opt.Workers, n, func(id int) (m made, err error) {
		d, err := w.Document(id)
		if err != nil {
			return m, err
		}
		if t != nil {
			tokens, err := count(id, d)
			if err != nil {
				return m, err
			}
			m.rows = w.documentRows(d, tokens, n <= placesMax)
		}
		m.line = shardLine(d)
		return m, nil
	}, func(id int, m made) error {
		if t != nil {
			if t.add(m.rows...); t.err != nil {
				return t.err
			}
		}
		opt.progress("documents", id+1, n)
		return s.write(id, m.line)
	})
	return errors.Join(err, s.close())
}

// writeQrels writes judgements in the layout of BEIR: documents of evidence have grade 1.
func writeQrels(path string, asked []Question) error {
	return store.WriteWith(path, func(out io.Writer) error {
		if _, err := io.WriteString(out, "query-id\tcorpus-id\tscore\n"); err != nil {
			return err
		}
		for _, q := range asked {
			seen := map[string]bool{}
			for _, e := range q.Evidence {
				if seen[e.Doc] {
					continue
				}
				seen[e.Doc] = true
				if _, err := fmt.Fprintf(out, "%s\t%s\t1\n", q.ID, e.Doc); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// folder is a directory in the making: DIR.partial until it takes its name.
type folder struct {
	dir, tmp string
	release  func()
}

func newFolder(dir string) (*folder, error) {
	dir = filepath.Clean(dir)
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s: the folder is not empty: delete it or name another", dir)
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s cannot be made a folder: %s", dir, strings.TrimPrefix(err.Error(), "open "+dir+": "))
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	release, err := store.Lock(dir + ".lock")
	if err != nil {
		return nil, fmt.Errorf("%s: %w: wait for it to end or name another folder", dir, err)
	}
	f := &folder{dir, dir + ".partial", release}
	if err = os.RemoveAll(f.tmp); err == nil {
		err = os.Mkdir(f.tmp, 0o755)
	}
	if err != nil {
		release()
		return nil, err
	}
	return f, nil
}

// end gives the folder its name, or removes it where err says that it is not whole.
func (f *folder) end(err error) error {
	defer f.release()
	if err == nil {
		if err = os.Remove(f.dir); err == nil || errors.Is(err, os.ErrNotExist) {
			err = os.Rename(f.tmp, f.dir)
		}
	}
	if err != nil {
		os.RemoveAll(f.tmp)
	}
	return err
}
