package datasets

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/elements"
)

func FuzzParagraphs(f *testing.F) {
	f.Add("one\n\n\ntwo\n")
	f.Add("\n\n a\n\n\n")
	f.Fuzz(func(t *testing.T, s string) {
		if got := textGold(s).Text(); got != s {
			t.Errorf("%q became %q", s, got)
		}
	})
}

// goldSound fails where gold could not be written.
func goldSound(t *testing.T, gold edb.Parsed) {
	t.Helper()
	for _, f := range append(elements.Check(gold), goldFaults(edb.Document{}, gold)...) {
		t.Error(f)
	}
	raw := encodeGold(gold)
	if p, found := elements.Strict(raw); len(found) > 0 || len(p.Pages) != len(gold.Pages) {
		t.Errorf("%v: %s", found, raw)
	}
}

func FuzzHTMLGrid(f *testing.F) {
	f.Add(`<table><thead><tr><th colspan="2">a</th></tr></thead><tr><td rowspan=2>b<table><tr><td>c</table><td>d</table>`)
	f.Add(`<tr><td>1</td></tr>`)
	f.Fuzz(func(t *testing.T, s string) {
		g, ok := htmlGrid(s)
		if !ok {
			return
		}
		again, ok := htmlGrid(g.html())
		if !ok || again.text() != g.text() {
			t.Errorf("%q: %q became %q", s, g.text(), again.text())
		}
	})
}

func FuzzLaTeXGrid(f *testing.F) {
	f.Add(`\begin{tabular}{|c|c|} \hline \multirow{2}{*}{a} & \multicolumn{2}{c|}{b \& c} \\ & $4$ & \% \end{tabular}`)
	f.Add(`\begin{array}[t]{l}{a}\\`)
	f.Fuzz(func(t *testing.T, s string) {
		texPlain(s)
		if g, ok := tabularGrid(s); ok {
			again, _ := htmlGrid(g.html())
			if utf8.ValidString(s) && !strings.ContainsRune(s, 0) && len(again.rows) != len(g.rows) {
				t.Errorf("%q: %d rows became %d", s, len(g.rows), len(again.rows))
			}
		}
		latexGrid(s)
	})
}

func FuzzOHRPages(f *testing.F) {
	f.Add([]byte(ohrDemo()["data/retrieval_base/gt/finance/A_2021.json"]))
	f.Add([]byte(ohrDemo()["data/retrieval_base/gt/law/x.y.json"]))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if gold, err := parseOHR("f", raw); err == nil {
			goldSound(t, *gold)
		}
	})
}

func FuzzOHRQuestions(f *testing.F) {
	f.Add([]byte(ohrDemo()["data/qas_v2.json"]))
	gold, err := parseOHR("f", []byte(ohrDemo()["data/retrieval_base/gt/finance/A_2021.json"]))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var asked []ohrQuestion
		if json.Unmarshal(raw, &asked) != nil {
			return
		}
		for _, q := range asked {
			if q.fault() != nil {
				continue
			}
			ev, err := q.evidence(*gold, ImportOptions{})
			if err != nil {
				continue
			}
			for _, e := range ev {
				if text := []rune(pageText(*gold, e.Page)); e.End > 0 && string(text[e.Start:e.End]) != e.Quote {
					t.Errorf("%+v", e)
				}
			}
			if x, err := q.question(ev); err == nil && x.Answer == nil {
				t.Errorf("%+v has no answer", x)
			}
		}
	})
}

func FuzzOmniPage(f *testing.F) {
	f.Add([]byte(omniDemo))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var list []omniPage
		if json.Unmarshal(raw, &list) != nil {
			return
		}
		for _, p := range list {
			page := edb.Page{Number: 1, Width: 600, Height: 800}
			if _, err := p.fill(&page); err == nil {
				goldSound(t, edb.Parsed{Paged: true, Pages: []edb.Page{page}})
			}
		}
	})
}

func FuzzTabula(f *testing.F) {
	f.Add([]byte(`[{"page_number":1,"top":1,"left":2,"right":3,"bottom":4,"data":[[{"text":"a"}],[]]}]`), false)
	f.Add([]byte("a,\"b\nc\"\nd\n"), true)
	f.Fuzz(func(t *testing.T, raw []byte, asCSV bool) {
		parse := parseTabula
		if asCSV {
			parse = parseTabulaCSV
		}
		tables, err := parse("f", raw)
		if err != nil {
			return
		}
		for _, x := range tables {
			g := x.grid()
			for _, row := range g.rows {
				if len(row) != len(g.rows[0]) {
					t.Errorf("rows of %d and %d cells", len(g.rows[0]), len(row))
				}
			}
		}
	})
}

func FuzzDocBank(f *testing.F) {
	f.Add("Word\t10\t20\t100\t40\t0\t0\t0\tFont\tparagraph\n##LTFigure##\t0\t0\t1000\t500\t0\t0\t0\tF\tfigure\n##LTLine##\t0\t0\t1\t1\t0\t0\t0\tF\ttable")
	f.Fuzz(func(t *testing.T, s string) {
		var tokens []docbankToken
		for line := range strings.SplitSeq(s, "\n") {
			x, err := parseDocBank(line)
			if err != nil {
				return
			}
			tokens = append(tokens, x)
		}
		inColumns(tokens)
		page := edb.Page{Number: 1, Width: 612, Height: 792}
		page.Elements = docbankElements(tokens, page, 1+len(tokens)%2)
		goldSound(t, edb.Parsed{Paged: true, Pages: []edb.Page{page}})
	})
}

func FuzzPubTabNet(f *testing.F) {
	f.Add([]byte(`{"filename":"a.png","html":{"structure":{"tokens":["<thead>","<tr>","<td"," colspan=\"2\"",">","</td>","</tr>"]},"cells":[{"tokens":["<b>","<","é","</b>"]}]}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var r pubtabnetRow
		if json.Unmarshal(raw, &r) != nil {
			return
		}
		if e, err := r.table(); err == nil && strings.Count(e.Text, "\t")+1 > len(r.HTML.Cells) {
			t.Errorf("%d cells in %q", len(r.HTML.Cells), e.Text)
		}
	})
}

func FuzzCUAD(f *testing.F) {
	f.Add([]byte(`{"contract":"A","category":"Parties","question":"Who?","spans":[{"text":"Two<omitted>words","start":null},{"text":"a","start":1,"end":2}],"answer":"1/2/97","answerable":true}`), "a Two words")
	f.Fuzz(func(t *testing.T, raw []byte, text string) {
		var q cuadQuestion
		if json.Unmarshal(raw, &q) != nil || q.Answerable != (len(q.Spans) > 0) {
			return
		}
		r := []rune(text)
		x, err := q.question(r)
		if err != nil {
			return
		}
		for _, e := range x.Evidence {
			if e.End > 0 && string(r[e.Start:e.End]) != e.Quote {
				t.Errorf("%+v", e)
			}
		}
	})
}

func FuzzDPBench(f *testing.F) {
	f.Add([]byte(`{"elements":[{"category":"Table","page":1,"coordinates":[{"x":0.1,"y":0.2},{"x":0.9,"y":0.5}],"content":{"html":"<tr><td>a</td></tr>"}},{"category":"Heading1","page":1,"content":{"text":"b"}}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var r dpbenchDocument
		if json.Unmarshal(raw, &r) != nil {
			return
		}
		if gold, _, err := r.gold(nil); err == nil {
			goldSound(t, *gold)
		}
	})
}

func FuzzOlmOCR(f *testing.F) {
	f.Add([]byte(`{"pdf":"a/b.pdf","page":1,"id":"1","type":"math","math":"x","case_sensitive":false,"max_diffs":2}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var x olmocrTest
		if json.Unmarshal(raw, &x) != nil {
			return
		}
		if fact := x.fact(); fact.AnyCase != (x.CaseSensitive != nil && !*x.CaseSensitive) || fact.Page != x.Page {
			t.Errorf("%+v", fact)
		}
		factFaults(x.fact())
	})
}
