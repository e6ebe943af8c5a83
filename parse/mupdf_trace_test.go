package parse

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"enterprisedocbench"
)

// What a trace names is put on its page as it is shown; what patterns, masks and clips are made of is
// not drawn. The lines may come in any pieces.
func TestTrace(t *testing.T) {
	const text = `<document filename="a.pdf">
<page number="1" mediabox="0 0 200 100">
<stroke_path linewidth="1" transform="1 0 0 -1 0 100">
    <moveto x="10" y="90"/>
    <lineto x="110" y="90"/>
</stroke_path>
<fill_path winding="nonzero" transform="2 0 0 -2 0 100">
    <moveto x="5" y="10"/>
    <lineto x="5" y="30"/>
    <lineto x="25" y="30"/>
    <lineto x="25" y="10"/>
    <closepath/>
</fill_path>
<clip_path winding="nonzero" transform="1 0 0 -1 0 100">
    <moveto x="0" y="0"/>
    <lineto x="200" y="0"/>
</clip_path>
<fill_text transform="1 0 0 -1 0 100">
    <span font="Helvetica" wmode="0" bidi="0" trm="9 0 0 9">
        <g unicode="fill_path" glyph="1" x="1" y="1" adv="1"/>
    </span>
</fill_text>
<tile id="1">
<stroke_path transform="1 0 0 1 0 0">
    <moveto x="1" y="1"/>
    <lineto x="50" y="1"/>
</stroke_path>
</tile>
</page>
<page number="2" mediabox="0 0 200 100">
<stroke_path transform="1 0 0 1 0 0">
    <moveto x="10" y="20"/>
    <curveto x1="1" y1="2" x2="3" y2="4" x3="60" y3="80"/>
</stroke_path>
<stroke_path transform="1 0 0 1 0 0">
    <moveto x="10" y="20"/>
`
	want := []rawPage{
		{number: 1, rules: []edb.Box{{10, 10, 110, 10}}, grounds: []edb.Box{{10, 40, 50, 80}}},
		{number: 2, paths: []edb.Box{{10, 20, 60, 80}}},
	}
	for _, piece := range []int{1, 7, len(text)} {
		var tr tracer
		for at := 0; at < len(text); at += piece {
			if n, err := tr.Write([]byte(text[at:min(at+piece, len(text))])); err != nil || n != min(piece, len(text)-at) {
				t.Fatal(n, err)
			}
		}
		if !reflect.DeepEqual(tr.pages, want) {
			t.Errorf("in pieces of %d: got %+v\nwant %+v", piece, tr.pages, want)
		}
	}
	tr := tracer{size: maxTrace}
	if _, err := tr.Write([]byte("<")); err == nil {
		t.Error("no bound")
	}
	if got := (&tracer{of: make([]rawPage, 3), pages: want}).drawn(fail(Damaged, "mutool stops")); !strings.Contains(got, "first 2 pages") {
		t.Errorf("warning %q", got)
	}
}

// mupdf sees drawn cells as pdfium does.
func TestMupdfReadsDrawnCells(t *testing.T) {
	if err := onPath("mutool")(); err != nil {
		t.Skip(err)
	}
	for name, file := range map[string][]byte{"level": madePage("", spanning), "turned": madePage("/Rotate 90", spanning)} {
		path := filepath.Join(t.TempDir(), "a.pdf")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := mupdfEngine{}.Parse(t.Context(), Source{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		if els := got.Pages[0].Elements; len(els) != 1 || els[0].HTML != `<table><tr><td>Region</td><td colspan="2">Sales</td></tr><tr><td>North</td><td>a note</td><td>1.5</td></tr></table>` {
			t.Errorf("%s: %+v", name, els)
		}
	}
}

// spanning draws a table whose second cell spans two columns.
func spanning(p *pen) {
	for _, y := range []float64{100, 120, 140} {
		p.rule(60, y, 360, y)
	}
	p.rule(60, 100, 60, 140)
	p.rule(160, 100, 160, 140)
	p.rule(260, 120, 260, 140)
	p.rule(360, 100, 360, 140)
	p.at("F1", 10, 65, 114, "Region")
	p.at("F1", 10, 165, 114, "Sales")
	p.at("F1", 10, 65, 134, "North")
	p.at("F1", 10, 165, 134, "a note")
	p.at("F1", 10, 265, 134, "1.5")
}
