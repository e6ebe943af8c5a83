package parse

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
)

const ixPage = `<html xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><head><title>x</title></head><body>
<ix:header><ix:hidden><ix:nonNumeric name="dei:AmendmentFlag" contextRef="c1">false</ix:nonNumeric>
<ix:nonFraction name="a:Nil" contextRef="c1" unitRef="u" xsi:nil="true"/></ix:hidden>
<ix:resources><xbrli:context id="c1"><xbrli:entity><xbrli:identifier scheme="s">0000123</xbrli:identifier>
<xbrli:segment><xbrldi:explicitMember dimension="a:Axis">a:Member</xbrldi:explicitMember></xbrli:segment></xbrli:entity>
<xbrli:period><xbrli:startDate>2025-01-01</xbrli:startDate><xbrli:endDate>2025-12-31</xbrli:endDate></xbrli:period></xbrli:context>
<xbrli:context id="c2"><xbrli:entity><xbrli:identifier scheme="s">0000123</xbrli:identifier></xbrli:entity><xbrli:period><xbrli:instant>2025-12-31</xbrli:instant></xbrli:period></xbrli:context>
<xbrli:unit id="u"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
<xbrli:unit id="ps"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator><xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>
</ix:resources></ix:header>
<p>In all 5 stores <img alt="5 shops at dusk, 5 at dawn"> we sold for $<ix:nonFraction name="a:Sales" contextRef="c1" unitRef="u" scale="6" decimals="-6" format="ixt:num-dot-decimal">1,234.5</ix:nonFraction> million,
or <ix:nonFraction name="a:PerShare" contextRef="c1" unitRef="ps" decimals="2" format="ixt:num-comma-decimal">1.000,25</ix:nonFraction> a share.</p>
<table><tr><td>Loss</td><td>(<ix:nonFraction name="a:Loss" contextRef="c2" unitRef="u" scale="3" sign="-" format="ixt:num-dot-decimal">5</ix:nonFraction>)</td></tr>
<tr><td>Other</td><td><ix:nonFraction name="a:None" contextRef="c2" unitRef="u" format="ixt:fixed-zero">—</ix:nonFraction></td></tr></table>
<p><ix:nonNumeric name="a:Policy" contextRef="c1">We have <ix:nonFraction name="a:Plants" contextRef="c2" unitRef="u" format="ixt-sec:numwordsen">two</ix:nonFraction> plants.</ix:nonNumeric></p>
<p><ix:nonFraction name="a:Odd" contextRef="nowhere" unitRef="nowhere" format="ixt:num-dot-decimal">about 7</ix:nonFraction></p>
</body></html>`

func TestInlineXBRL(t *testing.T) {
	p, err := parseHTML([]byte(ixPage))
	if err != nil {
		t.Fatal(err)
	}
	if text := p.Text(); strings.Contains(text, "false") || strings.Contains(text, "iso4217") || !strings.Contains(text, "1,234.5 million") {
		t.Errorf("the header is printed, or the facts are not:\n%s", text)
	}
	v := func(x float64) *float64 { return &x }
	for i, want := range []edb.Tagged{
		{Name: "dei:AmendmentFlag", Text: "false", Entity: "0000123", Start: "2025-01-01", End: "2025-12-31"},
		{Name: "a:Nil", Unit: "iso4217:USD", Entity: "0000123", Start: "2025-01-01", End: "2025-12-31"},
		{Name: "a:Sales", Text: "1,234.5", Value: v(1234.5e6), Unit: "iso4217:USD", Decimals: "-6", Entity: "0000123", Start: "2025-01-01", End: "2025-12-31", Page: 1},
		{Name: "a:PerShare", Text: "1.000,25", Value: v(1000.25), Unit: "iso4217:USD/xbrli:shares", Decimals: "2", Entity: "0000123", Start: "2025-01-01", End: "2025-12-31", Page: 1},
		{Name: "a:Loss", Text: "5", Value: v(-5000), Unit: "iso4217:USD", Entity: "0000123", End: "2025-12-31", Page: 1},
		{Name: "a:None", Text: "—", Value: v(0), Unit: "iso4217:USD", Entity: "0000123", End: "2025-12-31", Page: 1},
		{Name: "a:Policy", Text: "We have two plants.", Entity: "0000123", Start: "2025-01-01", End: "2025-12-31", Page: 1},
		{Name: "a:Plants", Text: "two", Value: v(2), Unit: "iso4217:USD", Entity: "0000123", End: "2025-12-31", Page: 1},
		{Name: "a:Odd", Text: "about 7", Page: 1},
	} {
		if i >= len(p.Tagged) {
			t.Fatalf("%d facts, want more", len(p.Tagged))
		}
		got := p.Tagged[i]
		if got.Page == 1 {
			if at := printedAt(p, got); at != got.Text {
				t.Errorf("%s stands at %q, want %q", got.Name, at, got.Text)
			}
		}
		if strings.HasPrefix(got.Name, "a:") && (got.Start != "") != (got.Dimensions["a:Axis"] == "a:Member") {
			t.Errorf("%s has dimensions %v", got.Name, got.Dimensions)
		}
		if (got.Value == nil) != (want.Value == nil) || got.Value != nil && math.Abs(*got.Value-*want.Value) > 1e-9 {
			t.Errorf("%s is %v, want %v", got.Name, got.Value, want.Value)
		}
		got.Value, want.Value, got.Dimensions, got.Element, got.From, got.To = nil, nil, nil, "", 0, 0
		if got.Name != want.Name || got.Text != want.Text || got.Unit != want.Unit || got.Decimals != want.Decimals || got.Entity != want.Entity || got.Start != want.Start || got.End != want.End || got.Page != want.Page {
			t.Errorf("fact %d is %+v, want %+v", i, got, want)
		}
	}
	if len(p.Tagged) != 9 {
		t.Errorf("%d facts, want 9", len(p.Tagged))
	}
	if len(p.Warnings) != 1 || p.Warnings[0] != "1 of 9 inline XBRL facts lack a name, or a context, unit or continuation that they refer to" {
		t.Errorf("warnings %q", p.Warnings)
	}
}

// printedAt is what stands at a fact's place.
func printedAt(p edb.Parsed, f edb.Tagged) string {
	els := p.Pages[0].Elements
	i := slices.IndexFunc(els, func(e edb.Element) bool { return e.ID == f.Element })
	if i < 0 {
		return ""
	}
	r := []rune(els[i].Text)
	if f.From < 0 || f.To > len(r) || f.From >= f.To {
		return ""
	}
	return string(r[f.From:f.To])
}

func TestInlineXBRLContinues(t *testing.T) {
	const context = `<ix:header><ix:resources><xbrli:context id="c"><xbrli:period><xbrli:instant>2025-12-31</xbrli:instant></xbrli:period></xbrli:context><xbrli:context><xbrli:period><xbrli:instant>1999-01-01</xbrli:instant></xbrli:period></xbrli:context></ix:resources></ix:header>`
	for _, c := range []struct {
		name, body, text, end string
		warned                bool
	}{
		{"chain", `<p><ix:nonNumeric name="a" contextRef="c" continuedAt="k1">one</ix:nonNumeric></p><p>between</p><p><ix:continuation id="k1" continuedAt="k2">two</ix:continuation></p><p><ix:continuation id="k2">three</ix:continuation></p>`, "one two three", "2025-12-31", false},
		{"loop", `<p><ix:nonNumeric name="a" contextRef="c" continuedAt="k1">one</ix:nonNumeric></p><p><ix:continuation id="k1" continuedAt="k1">two</ix:continuation></p>`, "one two", "2025-12-31", true},
		{"lost", `<p><ix:nonNumeric name="a" contextRef="c" continuedAt="k9">one</ix:nonNumeric></p>`, "one", "2025-12-31", true},
		{"no context", `<p><ix:nonNumeric name="a" contextRef="">one</ix:nonNumeric></p>`, "one", "", true},
		{"no name", `<p><ix:nonNumeric contextRef="c">one</ix:nonNumeric></p>`, "one", "2025-12-31", true},
	} {
		p, err := parseHTML([]byte("<body>" + context + c.body))
		if err != nil || len(p.Tagged) != 1 {
			t.Fatalf("%s: %+v, %v", c.name, p.Tagged, err)
		}
		if f := p.Tagged[0]; f.Text != c.text || f.End != c.end || len(p.Warnings) > 0 != c.warned {
			t.Errorf("%s: %+v, warnings %q", c.name, f, p.Warnings)
		}
	}
}

func TestIXNumbers(t *testing.T) {
	for _, c := range []struct {
		text, format string
		want         float64 // NaN: none
	}{
		{"1,234", "ixt:num-dot-decimal", 1234}, {"1,234", "ixt:numdotdecimal", 1234}, {"1.234,5", "ixt:numcommadecimal", 1234.5}, {"1 234", "", 1234},
		{"-", "ixt:fixed-zero", 0}, {"—", "ixt:zerodash", 0}, {"no", "ixt-sec:numwordsen", 0}, {"Twelve", "ixt-sec:numwordsen", 12},
		{"twelvety", "ixt-sec:numwordsen", math.NaN()}, {"", "ixt:num-dot-decimal", math.NaN()}, {"1.2.3", "", math.NaN()}, {"1.234,567", "ixt:num-dot-decimal", math.NaN()}, {"1.234,5", "ixt:nosuch", math.NaN()}, {"5", "zzz:abc", math.NaN()}, {"(5)", "", math.NaN()},
		{strings.Repeat("9", 400), "", math.NaN()},
	} {
		v, ok := ixNumber(c.text, c.format)
		if ok == math.IsNaN(c.want) || ok && v != c.want {
			t.Errorf("%q by %q is %v, %v; want %v", c.text, c.format, v, ok, c.want)
		}
	}
}

// Real filings: every number that is not nil has a value, nearly all have a place, and the place holds
// what is printed; products and services add up to the sales that are stated beside them.
func TestInlineXBRLOfFilings(t *testing.T) {
	dir := testdata.Data(t, "edgar_html")
	files, err := filepath.Glob(filepath.Join(dir, "10-*", "*", "*", "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no filing in %s: %v", dir, err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		p, err := parseHTML(b)
		if err != nil {
			t.Fatal(err)
		}
		numbers, placed, valued := 0, 0, 0
		sales := map[string]float64{}
		for _, x := range p.Tagged {
			if x.Unit == "" || x.Text == "" {
				continue
			}
			numbers++
			if x.Value != nil {
				valued++
			}
			if at := printedAt(p, x); at != "" {
				placed++
				if squeeze(at) != x.Text {
					t.Errorf("%s: %s stands at %q, want %q", f, x.Name, at, x.Text)
				}
			}
			if x.Value != nil && x.Name == "us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax" && x.Start == "2023-10-01" && len(x.Dimensions) <= 1 {
				sales[x.Dimensions["srt:ProductOrServiceAxis"]] = *x.Value
			}
		}
		if numbers < 100 || valued != numbers || float64(placed) < .99*float64(numbers) {
			t.Errorf("%s: %d numbers, %d with a value, %d with a place", f, numbers, valued, placed)
		}
		if strings.Contains(filepath.ToSlash(f), "10-K/AAPL") && (len(sales) < 3 || sales["us-gaap:ProductMember"]+sales["us-gaap:ServiceMember"] != sales[""]) {
			t.Errorf("%s: sales %v do not add up", f, sales)
		}
	}
}
