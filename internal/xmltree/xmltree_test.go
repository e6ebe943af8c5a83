package xmltree

import (
	"fmt"
	"strings"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestReadResolvesNames(t *testing.T) {
	root, err := Read([]byte("\ufeff<?xml version='1.0'?><!DOCTYPE a [<!ENTITY X SYSTEM 'x' NDATA TIF>]><a xmlns:m='u'><m:b k='v' m:j='w'>&agr;&OHgr;&sfgr;&lsqb;&amp;&#x41;&minus;</m:b><!-- c --><![CDATA[<d>]]></a>"), "a")
	must(t, err)
	b := root.Child("b")
	if got := root.Text(nil, nil); got != "αΩς[&A−<d>" || b.Attr("j") != "w" || b.Attr("k") != "v" || b.Attr("l") != "" || root.Child("b", "c") != nil {
		t.Errorf("%q %+v", got, b)
	}
	latin, err := Read([]byte("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>"))
	if must(t, err); latin.Text(nil, nil) != "é" {
		t.Errorf("%q", latin.Text(nil, nil))
	}
	// An entity that the file declares is not resolved, so none can grow.
	if _, err := Read([]byte("<!DOCTYPE a [<!ENTITY lol 'x'><!ENTITY lol2 '&lol;&lol;'>]>\n<a>&lol2;</a>")); err == nil || err.Error() != "2: invalid character entity &lol2;: fetch the file again" {
		t.Errorf("%v", err)
	}
}

func TestSplitKeepsOrder(t *testing.T) {
	root, err := Read([]byte("<p>one <b>two <i>three</i></b><fig>F</fig> four <b>five <s>six <fig>G</fig> seven</s></b> eight</p>"))
	must(t, err)
	var got []string
	root.Split(Set("fig"), func(n *Node) { got = append(got, n.Text(nil, nil)) }, func(n *Node) { got = append(got, "["+n.Text(nil, nil)+"]") })
	// Markup around a block is left, so that what stands before and behind it stays apart.
	if s := strings.Join(got, "|"); s != "one two three|[F]|four|five|six|[G]|seven|eight" {
		t.Errorf("%s", s)
	}
}

// shape writes rows as text: cells by "|", rows by "/", "#" before headers and RxC behind wide cells.
func shape(rows [][]Cell) string {
	var b strings.Builder
	for i, row := range rows {
		if i > 0 {
			b.WriteByte('/')
		}
		for j, c := range row {
			if j > 0 {
				b.WriteByte('|')
			}
			if c.Head {
				b.WriteByte('#')
			}
			b.WriteString(c.Text)
			if c.Rows != 1 || c.Cols != 1 {
				fmt.Fprintf(&b, " %dx%d", c.Rows, c.Cols)
			}
		}
	}
	return b.String()
}

func TestTables(t *testing.T) {
	text := func(n *Node) string { return n.Text(nil, nil) }
	for _, c := range []struct {
		name, xml, want string
		read            func(*Node, func(*Node) string) [][]Cell
	}{
		{"rows", "<table><tfoot><tr><td>sum</td></tr></tfoot><thead><tr><th colspan='2'>h</th></tr></thead><tbody><tr><td rowspan='2'>a</td><td>b &lt;</td></tr><tr><td>c</td></tr></tbody></table>",
			"#h 1x2/a 2x1|b </c/sum", Rows},
		{"spans that are none", "<table><tr><td colspan='99999' rowspan='-1'>a</td><td colspan='x'>b</td></tr><tr/></table>", "a|b", Rows},
		{"CALS", `<table><tgroup><colspec colname="o"/><colspec colname="1"/><colspec colnum="5" colname="z"/><thead><row><entry namest="o" nameend="1">h</entry><entry/></row></thead>
		<tbody><row><entry morerows="1">a</entry><entry namest="1" nameend="z">b</entry></row><row><entry namest="z" nameend="o">c</entry><entry namest="no" nameend="z">d</entry></row></tbody></tgroup></table>`,
			"#h 1x2|#/a 2x1|b 1x4/c|d", CALS},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, err := Read([]byte(c.xml))
			must(t, err)
			if got := shape(c.read(root, text)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ xml, want string }{
		{"", "1: holds no element"},
		{"<a>\n<b></a>", "2: </a> where <b> of line 2 is open"},
		{"<a>\n", "2: the file ends inside of <a> of line 1"},
		{"<a/><b/>", "1: a second root element <b>"},
		{strings.Repeat("<a>", maxDepth+1), "1: more than 256 elements stand inside of each other"},
		{"<x/>", "1: the root element is <x>, not <a> or <b>"},
	} {
		roots := []string{}
		if c.xml == "<x/>" {
			roots = []string{"a", "b"}
		}
		if _, err := Read([]byte(c.xml), roots...); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.20q: %v, want %q", c.xml, err, c.want)
		}
	}
}

// FuzzRead: no panic, an error that begins with a line, or a tree within the bounds whose tables can
// be read.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"<a>&agr;<b", "\ufeff<a/>", "<?xml encoding='utf-16'?><a/>", "", "<table><tr><td rowspan='2'>a</td></tr></table>",
		"<table><tgroup><colspec colname='a'/><tbody><row><entry namest='a' nameend='a' morerows='2'>e</entry></row></tbody></tgroup></table>"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		root, err := Read(raw)
		if err != nil {
			if line, _, ok := strings.Cut(err.Error(), ":"); !ok || strings.Trim(line, "0123456789") != "" {
				t.Fatalf("no line: %v", err)
			}
			return
		}
		text := func(n *Node) string { return n.Text(nil, nil) }
		for _, rows := range [][][]Cell{Rows(root, text), CALS(root, text)} {
			for _, row := range rows {
				for _, c := range row {
					if c.Rows < 1 || c.Cols < 1 || c.Rows > maxSpan || c.Cols > maxSpan {
						t.Fatalf("spans %d by %d", c.Rows, c.Cols)
					}
				}
			}
		}
	})
}
