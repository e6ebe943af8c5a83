package datasets

import (
	"bufio"
	"encoding/json"
	"io"
	"os"

	"enterprisedocbench/internal/store"
)

// spool keeps lines of JSON on disk while they come in any order, so that a writer of millions of
// documents holds only where each stands. It is not safe for several goroutines.
type spool struct {
	file *os.File
	buf  *bufio.Writer
	at   int64
}

// spooled is where a line stands.
type spooled struct {
	at int64
	n  int32
}

// newSpool makes the file in the folder.
func newSpool(dir string) (*spool, error) {
	f, err := os.CreateTemp(dir, ".spool-*")
	if err != nil {
		return nil, err
	}
	return &spool{file: f, buf: bufio.NewWriterSize(f, 1<<16)}, nil
}

func (s *spool) add(v any) (at int64, n int32, err error) {
	line := append(store.JSON(v), '\n')
	if _, err := s.buf.Write(line); err != nil {
		return 0, 0, err
	}
	at = s.at
	s.at += int64(len(line))
	return at, int32(len(line)), nil
}

// flush makes all lines readable.
func (s *spool) flush() error { return s.buf.Flush() }

func (s *spool) line(p spooled) ([]byte, error) {
	b := make([]byte, p.n)
	_, err := s.file.ReadAt(b, p.at)
	return b, err
}

func (s *spool) read(p spooled, v any) error {
	b, err := s.line(p)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// writeTo writes n lines, in the order that place gives, to a file: whole or not at all.
func (s *spool) writeTo(path string, n int, place func(i int) spooled) error {
	return store.WriteWith(path, func(w io.Writer) error {
		for i := range n {
			b, err := s.line(place(i))
			if err != nil {
				return err
			}
			if _, err := w.Write(b); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *spool) drop() {
	s.file.Close()
	os.Remove(s.file.Name())
}
