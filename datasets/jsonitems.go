package datasets

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"enterprisedocbench/internal/store"
)

// jsonItems reads a file that is one JSON list or object and calls do for each of its items, with the
// line that the item begins in and, of an object, its key. A key that stands twice, an item of
// another shape and a file without items are errors; all errors, those of do too, begin with
// path:LINE.
func jsonItems[T any](path string, raw []byte, do func(line int, key string, v T) error) error {
	lineAt := func(offset int64) int {
		return 1 + bytes.Count(raw[:max(0, min(offset, int64(len(raw))))], []byte("\n"))
	}
	fail := func(offset int64, err error) error {
		return fmt.Errorf("%s:%d: %w: correct it or fetch the collection again", path, lineAt(offset), store.Words(err))
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	broken := func(err error) error {
		var se *json.SyntaxError
		if errors.As(err, &se) {
			return fail(se.Offset, err)
		}
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return fail(dec.InputOffset(), err)
	}
	open, err := dec.Token()
	if err != nil {
		return broken(err)
	}
	if open != json.Delim('[') && open != json.Delim('{') {
		return fail(0, errors.New("is neither a list nor an object"))
	}
	line, counted := 1, int64(0)
	seen := map[string]bool{}
	items := 0
	for ; dec.More(); items++ {
		key := ""
		if open == json.Delim('{') {
			tok, err := dec.Token()
			if err != nil {
				return broken(err)
			}
			if key = tok.(string); seen[key] {
				return fail(dec.InputOffset(), fmt.Errorf("%q stands twice", key))
			}
			seen[key] = true
		}
		var item json.RawMessage
		if err := dec.Decode(&item); err != nil {
			return broken(err)
		}
		begin := dec.InputOffset() - int64(len(item))
		line += bytes.Count(raw[counted:begin], []byte("\n"))
		counted = begin
		var v T
		if err := json.Unmarshal(item, &v); err != nil {
			var te *json.UnmarshalTypeError
			if errors.As(err, &te) {
				begin += te.Offset
			}
			return fail(begin, err)
		}
		if err := do(line, key, v); err != nil {
			return fmt.Errorf("%s:%d: %w", path, line, err)
		}
	}
	if _, err := dec.Token(); err != nil {
		return broken(err)
	}
	if rest := bytes.TrimSpace(raw[dec.InputOffset():]); len(rest) > 0 {
		return fail(dec.InputOffset(), errors.New("more stands behind the value"))
	}
	if items == 0 {
		return fmt.Errorf("%s:1: holds nothing: fetch the collection again", path)
	}
	return nil
}
