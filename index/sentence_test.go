package index

import (
	"context"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/encoder"
	"enterprisedocbench/internal/vec"
)

func TestSentenceEncoderFindsWhatSharesNoWord(t *testing.T) {
	e, err := LookupEncoder(encoder.MiniLM)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Available(); err != nil {
		t.Skip(err)
	}
	ps := []edb.Passage{
		{ID: "a", Text: "The automobile would not start, and so the mechanic replaced its battery."},
		{ID: "b", Text: "Quarterly dividends are paid to holders of common stock."},
		{ID: "c", Text: "Rain fell on the hills for nine days."},
	}
	ctx := context.Background()
	enc, err := e.Open(ctx, ps)
	if err != nil {
		t.Fatal(err)
	}
	x, err := BuildDense(ctx, ps, enc)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]string{"repairing a car": "a", "payments for shareholders": "b", "wet weather": "c"} {
		hits, err := x.Search(ctx, query, 3)
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) != 3 || hits[0].Passage != want {
			t.Errorf("%q finds %v first, want %s", query, hits, want)
		}
	}
}

// What stands beyond the first 256 pieces does not count, as in sentence-transformers.
func TestSentenceEncoderReadsTheFirstPieces(t *testing.T) {
	e, err := LookupEncoder(encoder.MiniLM)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Available(); err != nil {
		t.Skip(err)
	}
	enc, err := e.Open(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("rain ", 254)
	vs, err := enc.Encode(context.Background(), []string{long, long + "dividends", ""})
	if err != nil {
		t.Fatal(err)
	}
	if d := vec.Dot(vs[0], vs[1]); d < .999999 {
		t.Errorf("the 255th word changed the vector: cosine %v", d)
	}
	if n := vec.Norm(vs[2]); n != 0 {
		t.Errorf("an empty text has a vector of length %v", n)
	}
}

func TestEncoderThatIsNotHereNamesTheCommand(t *testing.T) {
	t.Setenv("EDB_MODELS", t.TempDir())
	e, err := LookupEncoder(encoder.MiniLM)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Available(); err == nil || !strings.Contains(err.Error(), "edb models pull minilm-l6") {
		t.Errorf("available: %v", err)
	}
}
