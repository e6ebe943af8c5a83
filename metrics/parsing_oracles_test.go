package metrics

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"enterprisedocbench"
)

// oracles are values of official implementations, made by scripts/oracles/parsing.py; the file names
// their versions.
type oracles struct {
	ChrF []struct {
		Hyp, Ref string
		Want     float64
	}
	Indel, Partial []struct {
		A, B string
		Want float64
	}
	Facts []struct {
		Content string
		Fact    edb.Fact
		Want    bool
	}
	Boxes []map[string]json.RawMessage
}

func readOracles(t *testing.T) (o oracles) {
	t.Helper()
	b, err := os.ReadFile("testdata/parsing_oracles.json")
	if err == nil {
		err = json.Unmarshal(b, &o)
	}
	if err != nil {
		t.Fatal(err)
	}
	if min(len(o.ChrF), len(o.Indel), len(o.Partial), len(o.Facts), len(o.Boxes)) < 20 {
		t.Fatal("the file of oracle values is cut short")
	}
	return o
}

func TestChrFIsSacreBLEU(t *testing.T) {
	for _, c := range readOracles(t).ChrF {
		if got := ChrF(c.Hyp, c.Ref); math.Abs(got-c.Want) > 1e-12 {
			t.Errorf("ChrF(%q, %q) = %v, want %v", c.Hyp, c.Ref, got, c.Want)
		}
	}
}

func TestRatiosAreRapidFuzz(t *testing.T) {
	o := readOracles(t)
	for _, c := range o.Indel {
		if got := indel([]rune(c.A), []rune(c.B)); got != c.Want {
			t.Errorf("indel(%q, %q) = %v, want %v", c.A, c.B, got, c.Want)
		}
	}
	for _, c := range o.Partial {
		if got := partialRatio([]rune(c.A), []rune(c.B)); math.Abs(got-c.Want) > 1e-12 {
			t.Errorf("partialRatio(%q, %q) = %v, want %v", c.A, c.B, got, c.Want)
		}
	}
}

func TestFactsAreOlmOCRBench(t *testing.T) {
	for i, c := range readOracles(t).Facts {
		e := para(c.Content)
		if c.Fact.Type == "table" {
			e = edb.Element{Kind: edb.KindTable, HTML: c.Content}
		}
		c.Fact.Page = 1
		met, n := Facts(doc(e), []edb.Fact{c.Fact}, "")
		if n != 1 || met == 1 != c.Want {
			t.Errorf("fact %d %+v: met %d of %d, want %v\n%s", i, c.Fact, met, n, c.Want, c.Content)
		}
	}
}

func TestElementF1IsCOCO(t *testing.T) {
	for i, c := range readOracles(t).Boxes {
		side := func(name string) (out []edb.Box) {
			if err := json.Unmarshal(c[name], &out); err != nil {
				t.Fatal(err)
			}
			return out
		}
		elements := func(bs []edb.Box) (out []edb.Element) {
			for _, b := range bs {
				out = append(out, edb.Element{Kind: edb.KindTable, Box: &b})
			}
			return out
		}
		gold, pred := side("gold"), side("pred")
		for _, at := range []string{"0.5", "0.75"} {
			pairs, err := strconv.Atoi(string(c[at]))
			if err != nil {
				t.Fatal(err)
			}
			iou, _ := strconv.ParseFloat(at, 64)
			want := 2 * float64(pairs) / float64(len(gold)+len(pred))
			if got, ok := ElementF1(doc(elements(pred)...), doc(elements(gold)...), edb.KindTable, iou); !ok || got != want {
				t.Errorf("case %d at %s: %v, COCO finds %d pairs: %v", i, at, got, pairs, want)
			}
		}
	}
}
