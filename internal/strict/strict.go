// Package strict compares JSON with the shape of a Go type, in words for people who know JSON and not Go.
// It takes bytes and a type and gives every place where they differ: unknown and repeated keys, values of
// a wrong type, lists of a wrong length, bad syntax.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"enterprisedocbench/internal/store"
)

// Misfit is one place where JSON does not have the shape of a Go type.
type Misfit struct {
	Offset       int64 // byte offset in the JSON, at the end of what is wrong
	Problem, Fix string
}

// maxMisfits bounds the list for one JSON value; a hostile file must not fill memory.
const maxMisfits = 100

// Misfits lists where raw differs from the shape of t: syntax errors, unknown and repeated keys (names
// compared exactly) and values of a wrong type. Nothing after a syntax error is looked at.
func Misfits(raw []byte, t reflect.Type) []Misfit {
	if store.TooDeep(raw, store.MaxDepth) {
		return []Misfit{{0, fmt.Sprintf("nests deeper than %d", store.MaxDepth), "write flatter values"}}
	}
	s := shaper{dec: json.NewDecoder(bytes.NewReader(raw))}
	s.dec.UseNumber()
	err := s.value(t, "")
	if err == nil {
		if _, more := s.dec.Token(); more == nil {
			s.add("", "more than one JSON value", "keep one")
		} else if !errors.Is(more, io.EOF) {
			err = more
		}
	}
	if err != nil {
		s.add("", "is no JSON: "+Syntax(err), "correct the syntax")
		if n := len(s.out); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			s.out[n-1].Offset = int64(len(raw))
		}
	}
	return s.out
}

// Syntax says in plain words why JSON cannot be read.
func Syntax(err error) string {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "it ends too early"
	}
	return err.Error()
}

type shaper struct {
	dec *json.Decoder
	out []Misfit
}

func (s *shaper) add(path, problem, fix string) {
	if path != "" {
		problem = path + ": " + problem
	}
	if len(s.out) < maxMisfits {
		s.out = append(s.out, Misfit{s.dec.InputOffset(), problem, fix})
	}
}

// value reads the next value and compares it with t; nil t accepts anything.
func (s *shaper) value(t reflect.Type, path string) error {
	tok, err := s.dec.Token()
	if err != nil {
		return err
	}
	for t != nil && t.Kind() == reflect.Pointer {
		if tok == nil {
			return nil
		}
		t = t.Elem()
	}
	if t != nil && t.Kind() == reflect.Interface {
		t = nil
	}
	switch tok {
	case json.Delim('{'):
		return s.object(t, path)
	case json.Delim('['):
		return s.array(t, path)
	}
	if t == nil {
		return nil
	}
	got, ok := scalar(tok, t.Kind())
	if !ok {
		s.add(path, "is "+got+", not "+want(t), "write "+want(t))
	}
	return nil
}

func scalar(tok json.Token, k reflect.Kind) (got string, ok bool) {
	switch v := tok.(type) {
	case nil:
		return "null", k == reflect.Slice || k == reflect.Map
	case bool:
		return "a boolean", k == reflect.Bool
	case string:
		return "a string", k == reflect.String
	case json.Number:
		switch k {
		case reflect.Float64:
			_, err := v.Float64()
			return "the number " + v.String() + " (too large)", err == nil
		case reflect.Int, reflect.Int64:
			_, err := v.Int64()
			return "the number " + v.String(), err == nil
		}
		return "a number", false
	}
	return "something else", false
}

func want(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice:
		return "a list"
	case reflect.Array:
		return fmt.Sprintf("a list of %d numbers", t.Len())
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	}
	return "a number"
}

func (s *shaper) object(t reflect.Type, path string) error {
	if t != nil && t.Kind() != reflect.Struct && t.Kind() != reflect.Map {
		s.add(path, "is an object, not "+want(t), "write "+want(t))
		t = nil
	}
	seen := map[string]bool{}
	for s.dec.More() {
		tok, err := s.dec.Token()
		if err != nil {
			return err
		}
		key := tok.(string)
		at := key
		if path != "" {
			at = path + "." + key
		}
		if seen[key] {
			s.add("", fmt.Sprintf("key %q stands twice", at), "keep one")
		}
		seen[key] = true
		var sub reflect.Type
		if t != nil && t.Kind() == reflect.Map {
			sub = t.Elem()
		} else if t != nil {
			names := Fields(t)
			if sub = names[key]; sub == nil {
				s.add("", fmt.Sprintf("unknown key %q", at), "use "+OneOf(near(key, names)))
			}
		}
		if err := s.value(sub, at); err != nil {
			return err
		}
	}
	_, err := s.dec.Token()
	return err
}

func (s *shaper) array(t reflect.Type, path string) error {
	if t != nil && t.Kind() != reflect.Slice && t.Kind() != reflect.Array {
		s.add(path, "is a list, not "+want(t), "write "+want(t))
		t = nil
	}
	var sub reflect.Type
	if t != nil {
		sub = t.Elem()
	}
	n := 0
	for s.dec.More() {
		if err := s.value(sub, fmt.Sprintf("%s[%d]", path, n)); err != nil {
			return err
		}
		n++
	}
	if t != nil && t.Kind() == reflect.Array && n != t.Len() {
		s.add(path, fmt.Sprintf("holds %d values", n), "write "+want(t))
	}
	_, err := s.dec.Token()
	return err
}

var fieldsOf sync.Map // reflect.Type -> map[string]reflect.Type

// Fields gives the JSON keys of a struct with their types, embedded structs flattened.
func Fields(t reflect.Type) map[string]reflect.Type {
	if m, ok := fieldsOf.Load(t); ok {
		return m.(map[string]reflect.Type)
	}
	out := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			for k, v := range Fields(f.Type) {
				if out[k] == nil {
					out[k] = v
				}
			}
		case name != "" && name != "-":
			out[name] = f.Type
		}
	}
	fieldsOf.Store(t, out)
	return out
}

// near gives the known key that the unknown one most resembles, or all of them.
func near(key string, names map[string]reflect.Type) []string {
	all := slices.Sorted(maps.Keys(names))
	for _, n := range all {
		if strings.EqualFold(n, key) || (len(key) > 3 && (strings.HasPrefix(n, key[:3]) || strings.HasSuffix(n, key[len(key)-3:]))) {
			return []string{fmt.Sprintf("%q", n)}
		}
	}
	return all
}

// OneOf lists alternatives: "a, b or c".
func OneOf(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}
