package ingest

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	edb "enterprisedocbench"
)

func TestAgreement(t *testing.T) {
	long := "a" + string(make([]byte, 0))
	for len(long) < worstChars {
		long += "bcdefghij"
	}
	a := document("d", []string{"paragraph: abcd"}, []string{"paragraph: " + long}, nil)
	b := document("d", []string{"paragraph: abxd"}, []string{"paragraph: " + long + long}, nil)
	c := document("d", []string{"paragraph: abcd"}) // no second page
	names := []string{"A@1", "B@1", "C@1"}
	got := agreement(names, []string{"d", "e"}, [][]comparison{
		compare("d", names, []*edb.Parsed{&a, &b, &c}), compare("e", names, []*edb.Parsed{&a, nil, &a}),
	}, noText("d", a), 1)
	// By hand: page 1 differs in one of four, page 2 of B is twice page 2 of A, C lacks it.
	want := []struct {
		tis              float64
		docs, pages, not int
		empty            int
	}{{(0.75 + 0.5) / 2, 1, 2, 1, 1}, {(0.5 + 1) / 2, 2, 4, 0, 2}, {(0.75 + 0) / 2, 1, 2, 1, 1}}
	for i, w := range want {
		p := got.Pairs[i]
		if p.TIS == nil || math.Abs(*p.TIS-w.tis) > 1e-12 || p.Documents != w.docs || p.Pages != w.pages || p.Failed != w.not || p.Empty != w.empty {
			t.Errorf("%s and %s: %v, %+v; want %+v", p.A, p.B, number(p.TIS, p.Lo, p.Hi), p, w)
		}
		if p.Lo != nil || p.Reason == "" {
			t.Errorf("%s and %s: an interval of %d documents", p.A, p.B, p.Documents)
		}
	}
	if len(got.Worst) != 1 || got.Worst[0].Page != 2 || got.Worst[0].TIS != 0 {
		t.Errorf("worst pages %+v", got.Worst)
	}
	if d := cmp.Diff([]PageRef{{"d", 3}}, got.NoText); d != "" {
		t.Error(d)
	}
}

func TestAgreementNeedsTwo(t *testing.T) {
	if g := agreement([]string{"A@1"}, []string{"d"}, nil, nil, 1); g.Reason == "" || len(g.Pairs) != 0 {
		t.Errorf("one parser: %+v", g)
	}
	if g := agreement([]string{"A@1", "B@1"}, nil, nil, nil, 1); g.Reason == "" {
		t.Errorf("no PDF: %+v", g)
	}
}

// inTurn runs work one after the other.
func inTurn(n int, do func(ctx context.Context, i int) error) error {
	for i := range n {
		if err := do(context.Background(), i); err != nil {
			return err
		}
	}
	return nil
}

func TestTextLayer(t *testing.T) {
	text := zinc + " " + copper + " " + notice + " " + furnace
	var pool []sampled
	pool = append(pool, samplePages("good", "good", document("good", []string{"paragraph: " + text}), 1)...)
	pool = append(pool, samplePages("bad", "bad", document("bad", []string{"paragraph: " + text}), 1)...)
	pool = append(pool, samplePages("scan", "scan", document("scan", nil, nil), 1)...)
	pool = append(pool, samplePages("gone", "gone", document("gone", []string{"paragraph: " + text}), 1)...)
	pool = append(pool, samplePages("short", "short", document("short", []string{"paragraph: Title"}), 1)...)
	ocr := OCR{Name: "eyes@1", Read: func(_ context.Context, path string, pages []int) (edb.Parsed, error) {
		said := map[string]string{"good": text, "bad": zinc, "scan": "This page is a picture of text."}[path]
		if path == "scan" && pages[0] == 2 {
			said = "."
		}
		if path == "gone" {
			return edb.Parsed{}, errors.New("no")
		}
		return edb.Parsed{Pages: []edb.Page{{Number: pages[0], Elements: []edb.Element{{Kind: edb.KindParagraph, Text: said}}}}}, nil
	}}
	got, err := textLayer(context.Background(), ocr, "A@1", pool, 1, inTurn)
	if err != nil {
		t.Fatal(err)
	}
	low := float64(length(zinc)) / float64(length(text)) // the rest must be inserted
	if got.TIS == nil || math.Abs(*got.TIS-(1+low)/2) > 1e-12 || got.Pages != 2 || got.Failed != 1 || got.NoText != 2 {
		t.Errorf("got %+v, TIS %v", got, number(got.TIS, got.Lo, got.Hi))
	}
	if d := cmp.Diff([]PageRef{{"scan", 1}}, got.Scanned); d != "" {
		t.Error(d)
	}
	if len(got.Worst) != 1 || got.Worst[0].Doc != "bad" {
		t.Errorf("worst %+v", got.Worst)
	}
	none, err := textLayer(context.Background(), OCR{Missing: "it is not there; `get it`"}, "A@1", pool, 1, inTurn)
	if err != nil || none.Reason != "not measured: it is not there; `get it`" || none.TIS != nil {
		t.Errorf("without OCR: %+v, %v", none, err)
	}
}
