package riker

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestPlanRoundTrip(t *testing.T) {
	ha, _ := Preset("128K", "HA", 3)
	mixed := sized(t, 500)
	mixed.Formats = map[string]float64{"pdf": .25, "text": 3}
	for _, p := range []Plan{ha, mixed} {
		got, size, err := decodePlan(encodeSharded(p, 77))
		if err != nil || size != 77 || !reflect.DeepEqual(got, p) {
			t.Errorf("%+v came back as %+v, size %d, error %v", p, got, size, err)
		}
	}
}

func TestBadPlans(t *testing.T) {
	good := string(encodePlan(sized(t, 100)))
	for name, c := range map[string][2]string{
		"unknown key":           {`"name"`, `"nome"`},
		"another maker":         {generator, "riker 0"},
		"a type more":           {`"lease"`, `"letter":1,"lease"`},
		"a type less":           {`"lease":15,`, ``},
		"negative":              {`"lease":15`, `"lease":-15`},
		"filler":                {`"filler":0.5`, `"filler":7`},
		"a weight that is none": {`"filler"`, `"formats":{"text":-1},"filler"`},
		"too many questions":    {`"single":20`, `"single":2000000000000`},
		"no JSON":               {`{`, ``},
		"something after":       {`"tokenizer":"o200k"}`, `"tokenizer":"o200k"} {}`},
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(good, c[0], c[1], 1)
			if bad == good {
				t.Fatalf("%q does not hold %q", good, c[0])
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, PlanFile), []byte("\n"+bad), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, _, err := ReadPlan(dir); err == nil || !strings.Contains(err.Error(), PlanFile+":") {
				t.Errorf("error %v", err)
			}
		})
	}
	if _, _, err := ReadPlan(t.TempDir()); err == nil {
		t.Error("no plan: no error")
	}
}

func FuzzPlan(f *testing.F) {
	p, err := Sized(100, 1)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(encodePlan(p))
	f.Add([]byte(`{"generator":"riker 1","documents":{"lease":9999999999999}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, _, err := decodePlan(raw)
		if err != nil {
			return
		}
		w, err := New(p)
		if err != nil {
			t.Fatalf("a plan that was read makes no world: %v", err)
		}
		if k, n := w.at(0); w.number(k, n) != 0 {
			t.Errorf("document 0 is not found again")
		}
	})
}
