package metrics

import (
	"encoding/json"
	"math"
	"testing"

	"enterprisedocbench"
)

// FuzzEvalParse: whatever two parses say, each measure of one by the other is a share, or says why
// there is none; the text of a parse by itself is whole.
func FuzzEvalParse(f *testing.F) {
	const table = `{"id":"t","kind":"table","text":"a\tb\n1\t2","html":"<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>","box":[0,0,9,9]}`
	for _, s := range []string{
		`{"paged":true,"pages":[{"number":1,"width":9,"height":9,"elements":[{"id":"h","kind":"heading","text":"1 Sold","level":1},` + table + `,{"id":"c","kind":"caption","text":"Table 1","caption_of":"t"}]}]}`,
		`{"pages":[{"number":1,"elements":[{"kind":"figure","id":"f"},{"kind":"caption","text":"A plot","caption_of":"f"},{"kind":"formula","text":"$x^2$"},{"kind":"footer","text":"7"}]}]}`,
		`{"pages":[]}`,
	} {
		f.Add([]byte(s), []byte(`{"pages":[{"number":2,"elements":[{"kind":"paragraph","text":"Sold 12"}]}]}`))
	}
	f.Fuzz(func(t *testing.T, g, p []byte) {
		var gold, pred edb.Parsed
		if len(g)+len(p) > 1<<14 || json.Unmarshal(g, &gold) != nil || json.Unmarshal(p, &pred) != nil {
			t.Skip("no parses, or long ones")
		}
		for i, pair := range [][2]edb.Parsed{{gold, pred}, {pred, gold}, {gold, gold}} {
			rows, err := EvalParse(t.Context(), pair[0], pair[1], ParseKeys)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range rows {
				switch {
				case m.Value == nil && m.Reason == "":
					t.Fatalf("%s has neither value nor reason", m.Key)
				case m.Value != nil && (math.IsNaN(*m.Value) || *m.Value < 0 || *m.Value > 1):
					t.Fatalf("%s is %v", m.Key, *m.Value)
				case i == 2 && m.Key == "parse.tis" && m.Value != nil && *m.Value != 1:
					t.Fatalf("TIS of a text by itself is %v", *m.Value)
				}
			}
		}
	})
}
