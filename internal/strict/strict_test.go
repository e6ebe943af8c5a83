package strict

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

type thing struct {
	Name  string      `json:"name"`
	Count int         `json:"count"`
	Box   *[4]float64 `json:"box"`
	Many  []thing     `json:"many"`
}

var thingType = reflect.TypeFor[thing]()

func TestMisfits(t *testing.T) {
	for raw, want := range map[string][]string{
		`{"name":"a","count":2,"box":[1,2,3,4],"many":[{"name":"b"}]}`: nil,
		`{"name":"a","box":null,"many":null}`:                          nil,
		`{"nam":"a"}`:                                                  {`unknown key "nam": use box, count, many or name`},
		`{"Name":"a"}`:                                                 {`unknown key "Name": use "name"`},
		`{"name":"a","name":"b"}`:                                      {`key "name" stands twice: keep one`},
		`{"many":[{"count":1.5}]}`:                                     {`many[0].count: is the number 1.5, not a whole number: write a whole number`},
		`{"box":[1,2,3]}`:                                              {`box: holds 3 values: write a list of 4 numbers`},
		`{"box":[1,2,3,4,5]}`:                                          {`box: holds 5 values: write a list of 4 numbers`},
		`{"box":[1e999,2,3,4]}`:                                        {`box[0]: is the number 1e999 (too large), not a number: write a number`},
		`{"box":[NaN,2,3,4]}`:                                          {`is no JSON: invalid character 'N' looking for beginning of value: correct the syntax`},
		`[1,2]`:                                                        {`is a list, not an object: write an object`},
		`{"name":`:                                                     {`is no JSON: it ends too early: correct the syntax`},
		`{} {}`:                                                        {`more than one JSON value: keep one`},
		strings.Repeat("[", 100_000):                                   {`nests deeper than 200: write flatter values`},
		`{"count":"3","many":{"x":1}}`:                                 {`count: is a string, not a whole number: write a whole number`, `many: is an object, not a list: write a list`},
	} {
		var got []string
		for _, m := range Misfits([]byte(raw), thingType) {
			got = append(got, m.Problem+": "+m.Fix)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%.60s\n got %q\nwant %q", raw, got, want)
		}
	}
}

func TestOneOf(t *testing.T) {
	for want, list := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := OneOf(list); got != want {
			t.Errorf("%v: %q, want %q", list, got, want)
		}
	}
}

// What has no misfit is what encoding/json reads.
func FuzzMisfits(f *testing.F) {
	f.Add(`{"name":"a","count":2,"box":[1,2,3,4],"many":[{}]}`)
	f.Add(`{"name":1,"x":[[{`)
	f.Fuzz(func(t *testing.T, s string) {
		found := Misfits([]byte(s), thingType)
		for _, m := range found {
			if m.Problem == "" || m.Fix == "" || m.Offset < 0 || m.Offset > int64(len(s)) {
				t.Fatalf("%+v", m)
			}
		}
		var v thing
		if err := json.Unmarshal([]byte(s), &v); err != nil && len(found) == 0 {
			t.Fatalf("%q: no misfit, and %v", s, err)
		}
	})
}
