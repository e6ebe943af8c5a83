package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
)

// plainError says what another error says without names of Go types.
type plainError struct {
	text string
	err  error
}

func (e *plainError) Error() string { return e.text }
func (e *plainError) Unwrap() error { return e.err }

// Plain puts an error of a JSON value of the wrong type into words that need no knowledge of the
// program, field and kind of value, with the remedy. Other errors stay as they are.
func Plain(err error) error { return plain(err, ": write a value of the right kind") }

// Words is [Plain] without the remedy, for those who have a better one.
func Words(err error) error { return plain(err, "") }

func plain(err error, fix string) error {
	var te *json.UnmarshalTypeError
	if !errors.As(err, &te) {
		return err
	}
	what := te.Value
	if field := te.Field; field != "" {
		// A type that is embedded stands before the keys by its name in Go.
		if kind, key, ok := strings.Cut(field, "."); ok && kind != "" && kind[0] >= 'A' && kind[0] <= 'Z' {
			field = key
		}
		what = field + ": " + what
	}
	words := fmt.Sprintf("%s does not belong here", what) + fix
	return &plainError{strings.Replace(err.Error(), te.Error(), words, 1), err}
}

// JSONLine is the line, from 1, that an error of decoding JSON is about; the last where the text ends too
// early, 1 where it does not say.
func JSONLine(raw []byte, err error) int {
	at := int64(0)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		at = int64(len(raw))
	}
	return 1 + bytes.Count(raw[:max(0, min(at, int64(len(raw))))], []byte{'\n'})
}

// damaged adds the remedy to an error of a cache whose index can no longer be read.
func damaged(dir string, err error) error {
	for _, sign := range []string{"malformed", "not a database", "corrupt"} {
		if strings.Contains(err.Error(), sign) {
			return fmt.Errorf("cache %s: %w: remove the folder; what it held is made again", dir, err)
		}
	}
	return fmt.Errorf("cache %s: %w", dir, err)
}

// Full adds the remedy to an error of a disk, or a quota, with no space left. Other errors, and nil,
// stay as they are.
func Full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || err != nil && strings.Contains(err.Error(), "disk is full") {
		return fmt.Errorf("%w: free space and run again; what was done is kept", err)
	}
	return err
}
