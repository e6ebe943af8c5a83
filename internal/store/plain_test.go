package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
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
	if err := damaged("c", errors.New("disk full")); err.Error() != "cache c: disk full" {
		t.Error(err)
	}
}
