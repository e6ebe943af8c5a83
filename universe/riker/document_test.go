package riker

import (
	"regexp"
	"strings"
	"testing"

	"enterprisedocbench/universe/press"
)

var twoSentences = regexp.MustCompile(`[a-z0-9%)][.!?] [A-Z]`)

func TestDocuments(t *testing.T) {
	p, err := Sized(400, 3)
	if err != nil {
		t.Fatal(err)
	}
	p.Formats = map[string]float64{"pdf": 1, "pdf-2col": 1, "html": 1, "md": 1, "text": 1}
	w, err := New(p)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[Kind]map[press.Format]bool{}
	for id := range p.Documents() {
		d, err := w.Document(id)
		if err != nil {
			t.Fatal(err)
		}
		if seen[d.Kind] == nil {
			seen[d.Kind] = map[press.Format]bool{}
		}
		seen[d.Kind][d.Format] = true
		if d.ID != DocumentID(id) || d.Doctype != d.Kind.String() || !d.Licence.Redistribute || d.Bytes == 0 || !strings.HasPrefix(d.Path, d.ID+".") {
			t.Errorf("document %+v", d.Document)
		}
		if paged := d.Format == press.PDF || d.Format == press.PDFTwoColumn; paged != (d.Pages > 0) || paged && d.Printed.Mentions[0].Evidence.Box == nil {
			t.Errorf("%s of format %s has %d pages", d.ID, d.Format, d.Pages)
		}
		text, err := w.Text(id)
		if err != nil {
			t.Fatal(err)
		}
		if d.Format == press.Text && text != string(d.Printed.Content) {
			t.Errorf("%s has another text than its file", d.ID)
		}
		for _, m := range d.Printed.Mentions {
			if !strings.Contains(m.Evidence.Quote, m.Value) {
				t.Errorf("%s: %q does not say %q", d.ID, m.Evidence.Quote, m.Value)
			}
			if s := twoSentences.FindString(strings.ReplaceAll(m.Evidence.Quote, "Inc.", "Inc")); s != "" {
				t.Errorf("%s: the evidence of %s is more than one sentence: %q", d.ID, m.Field, m.Evidence.Quote)
			}
		}
	}
	for k := range Kinds {
		if p.Counts[k] >= 20 && len(seen[k]) != len(press.Formats) {
			t.Errorf("%s was printed in %v only", k, seen[k])
		}
	}
	if _, err := w.Document(p.Documents()); err == nil {
		t.Error("a document behind the last one: no error")
	}
}

func BenchmarkDocument(b *testing.B) {
	p, err := Sized(100_000, 3)
	if err != nil {
		b.Fatal(err)
	}
	w, err := New(p)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("record", func(b *testing.B) {
		for i := range b.N {
			k, n := w.at(i % p.Documents())
			w.Record(k, n).Facts(Formal)
		}
	})
	b.Run("story", func(b *testing.B) {
		for i := range b.N {
			w.Story(w.at(i % p.Documents()))
		}
	})
	b.Run("text", func(b *testing.B) {
		for i := range b.N {
			if _, err := w.Document(i % p.Documents()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
