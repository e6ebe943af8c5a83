package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/klauspost/compress/zstd"
)

// MaxLine is the longest line, in bytes, that Lines reads.
const MaxLine = 64 << 20

// WriteFile writes data to a temporary name beside path and renames it, so that a reader sees the
// old file or the new one and nothing in between. Parent folders are made.
func WriteFile(path string, data []byte) error {
	return WriteWith(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteWith is WriteFile for content that is produced piece by piece. If write fails, nothing is
// left behind. Where path is a symbolic link, the file that it leads to is written and the link
// stays. What is neither file nor folder (a pipe, a device) is written directly, piece by piece, and
// stays too.
func WriteWith(path string, write func(io.Writer) error) (err error) {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		return writeInto(path, write)
	}
	if path, err = follow(path); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = named(err, f.Name(), path)
		}
	}()
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := buffered(f, write); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Writable says, before the work is done that a file is to hold, why WriteWith could not write it. Nothing
// is left behind; a pipe or device is not looked at.
func Writable(path string) error {
	if st, err := os.Stat(path); err == nil && !st.Mode().IsRegular() && !st.IsDir() {
		return nil
	}
	path, err := follow(path)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	for up := filepath.Dir(dir); up != dir; dir, up = up, filepath.Dir(up) { // missing folders will be made
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	f, err := os.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// named gives an error of a temporary file the name of the file that it was to become.
func named(err error, temporary, path string) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe) && pe.Path == temporary:
		pe.Path = path
	case errors.As(err, &le) && le.Old == temporary:
		return &fs.PathError{Op: "write", Path: path, Err: le.Err}
	}
	return err
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// writeInto writes to what is there already; a pipe is waited for until somebody reads it.
func writeInto(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(buffered(f, write), f.Close())
}

// maxLinks is how many symbolic links are followed from one to the next.
const maxLinks = 40

// follow gives the file that a chain of symbolic links leads to, which need not be there yet.
func follow(path string) (string, error) {
	at := path
	for range maxLinks {
		st, err := os.Lstat(at)
		if errors.Is(err, os.ErrNotExist) || err == nil && st.Mode()&os.ModeSymlink == 0 {
			return at, nil
		}
		if err != nil {
			return "", err
		}
		to, err := os.Readlink(at)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			// The link counts from the folder where it lies, whatever links led there.
			dir, err := filepath.EvalSymlinks(filepath.Dir(at))
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		at = to
	}
	return "", fmt.Errorf("%s: more than %d symbolic links in a row", path, maxLinks)
}

// RemoveTemporary removes from a folder, not from those in it, the files that WriteWith was writing when
// its process was killed. A folder that is not there holds none.
func RemoveTemporary(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !temporary.MatchString(e.Name()) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// temporary is how os.CreateTemp fills the pattern that WriteWith gives it.
var temporary = regexp.MustCompile(`^\.tmp-[0-9]+$`)

// LineError is an error in one line of a file; lines count from 1.
type LineError struct {
	Path string
	Line int
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %v", e.Path, e.Line, e.Err) }

// Unwrap gives the cause.
func (e *LineError) Unwrap() error { return e.Err }

// Lines calls do with every line that is not blank, without its line end and, of the first, without a
// byte order mark. An error of do comes back
// as a *LineError; lines longer than MaxLine are an error.
func Lines(path string, do func(line int, raw []byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return LinesOf(f, path, do)
}

// LinesOf is Lines of what r gives; path is what errors call it.
func LinesOf(r io.Reader, path string, do func(line int, raw []byte) error) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 0, 1<<16), MaxLine)
	n := 0
	for sc.Scan() {
		n++
		raw := sc.Bytes()
		if n == 1 {
			raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
		}
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 {
			continue
		}
		if err := checkDepth(raw); err != nil {
			return &LineError{path, n, Plain(err)}
		}
		if err := do(n, raw); err != nil {
			return &LineError{path, n, Plain(err)}
		}
	}
	if err := sc.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("line is longer than %d MiB", MaxLine>>20)
		}
		return &LineError{path, n + 1, err}
	}
	return nil
}

// ReadJSONL reads one value a line. With strict, unknown fields are errors.
func ReadJSONL[T any](path string, strict bool) ([]T, error) {
	var out []T
	err := Lines(path, func(_ int, raw []byte) error {
		var v T
		if err := unmarshal(raw, &v, strict); err != nil {
			return err
		}
		out = append(out, v)
		return nil
	})
	return out, err
}

// ReadJSONLZ is ReadJSONL for a file compressed with zstd; it calls do instead of collecting.
func ReadJSONLZ[T any](path string, do func(v T) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer z.Close()
	return LinesOf(z, path, func(_ int, raw []byte) error {
		var v T
		if err := json.Unmarshal(raw, &v); err != nil {
			return err
		}
		return do(v)
	})
}

func unmarshal(raw []byte, v any, strict bool) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if strict {
		d.DisallowUnknownFields()
	}
	if err := d.Decode(v); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one JSON value on the line")
	}
	return nil
}

// JSON encodes v on one line without HTML escapes. It panics on values that JSON cannot hold, which
// is a fault of the program.
func JSON(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("store: %v", err))
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// WriteJSONL writes one value a line, whole or not at all.
func WriteJSONL[T any](path string, rows []T) error {
	return WriteWith(path, func(w io.Writer) error {
		for i := range rows {
			if _, err := w.Write(append(JSON(rows[i]), '\n')); err != nil {
				return err
			}
		}
		return nil
	})
}
