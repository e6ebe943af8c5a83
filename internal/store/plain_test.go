package store

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestPlain(t *testing.T) {
	var v struct {
		Page struct {
			Number int `json:"number"`
		} `json:"page"`
	}
	err := json.Unmarshal([]byte(`{"page":{"number":"x"}}`), &v)
	got := Plain(fmt.Errorf("reading: %w", err))
	var te *json.UnmarshalTypeError
	if got.Error() != "reading: page.number: string does not belong here: write a value of the right kind" || !errors.As(got, &te) {
		t.Errorf("%v", got)
	}
	if other := errors.New("x"); Plain(other) != other {
		t.Error("another error is changed")
	}
}

func TestADamagedCacheSaysWhatToDo(t *testing.T) {
	if err := damaged("c", errors.New("database disk image is malformed (11)")); !strings.Contains(err.Error(), "remove the folder") {
		t.Error(err)
	}
	if err := damaged("c", errors.New("busy")); err.Error() != "cache c: busy" {
		t.Error(err)
	}
}

func TestAFullDiskSaysWhatToDo(t *testing.T) {
	for _, full := range []error{errors.New("database or disk is full (13)"), &fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, syscall.EDQUOT} {
		err := Full(damaged("c", full))
		if !errors.Is(err, full) || !strings.HasSuffix(err.Error(), full.Error()+": free space and run again; what was done is kept") {
			t.Error(err)
		}
	}
	for _, other := range []error{nil, errors.New("busy"), fs.ErrNotExist} {
		if got := Full(other); got != other {
			t.Error(got)
		}
	}
}

// A temporary name is of no use to who reads the message.
func TestAFailedWriteNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "spec.json")
	err := WriteWith(path, func(w io.Writer) error {
		f := w.(*bufio.Writer)
		if err := os.RemoveAll(filepath.Dir(path)); err != nil { // so that the new name cannot be given
			return err
		}
		_, err := f.WriteString("{}")
		return err
	})
	if err == nil || strings.Contains(err.Error(), ".tmp-") || !strings.Contains(err.Error(), path) || !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
