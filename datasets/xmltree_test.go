package datasets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/testdata"
)

func TestReadXMLResolvesNames(t *testing.T) {
	root, err := readXML([]byte("\ufeff<?xml version='1.0'?><!DOCTYPE a [<!ENTITY X SYSTEM 'x' NDATA TIF>]><a xmlns:m='u'><m:b k='v' m:j='w'>&agr;&OHgr;&sfgr;&lsqb;&amp;&#x41;&minus;</m:b><!-- c --><![CDATA[<d>]]></a>"), "a")
	must(t, err)
	b := root.child("b")
	if got := root.text(nil, nil); got != "αΩς[&A−<d>" || b.attr("j") != "w" || b.attr("k") != "v" || b.attr("l") != "" || root.child("b", "c") != nil {
		t.Errorf("%q %+v", got, b)
	}
	latin, err := readXML([]byte("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>"))
	if must(t, err); latin.text(nil, nil) != "é" {
		t.Errorf("%q", latin.text(nil, nil))
	}
	// An entity that the file declares is not resolved, so none can grow.
	if _, err := readXML([]byte("<!DOCTYPE a [<!ENTITY lol 'x'><!ENTITY lol2 '&lol;&lol;'>]>\n<a>&lol2;</a>")); err == nil || err.Error() != "2: invalid character entity &lol2;: fetch the file again" {
		t.Errorf("%v", err)
	}
}

func TestSplitKeepsOrder(t *testing.T) {
	root, err := readXML([]byte("<p>one <b>two <i>three</i></b><fig>F</fig> four <b>five <s>six <fig>G</fig> seven</s></b> eight</p>"))
	must(t, err)
	var got []string
	root.split(names("fig"), func(n *xmlNode) { got = append(got, n.text(nil, nil)) }, func(n *xmlNode) { got = append(got, "["+n.text(nil, nil)+"]") })
	// Markup around a block is left, so that what stands before and behind it stays apart.
	if s := strings.Join(got, "|"); s != "one two three|[F]|four|five|six|[G]|seven|eight" {
		t.Errorf("%s", s)
	}
}

func TestGrids(t *testing.T) {
	text := func(n *xmlNode) string { return n.text(nil, nil) }
	for _, c := range []struct{ xml, text, html string }{
		{"<table><tfoot><tr><td>sum</td></tr></tfoot><thead><tr><th colspan='2'>h</th></tr></thead><tbody><tr><td rowspan='2'>a</td><td>b &lt;</td></tr><tr><td>c</td></tr></tbody></table>",
			"h\na\tb <\nc\nsum", `<table><tr><th colspan="2">h</th></tr><tr><td rowspan="2">a</td><td>b &lt;</td></tr><tr><td>c</td></tr><tr><td>sum</td></tr></table>`},
		{"<table><tr><td colspan='99999' rowspan='-1'>a</td><td colspan='x'>b</td></tr><tr/></table>", "a\tb", "<table><tr><td>a</td><td>b</td></tr></table>"},
	} {
		root, err := readXML([]byte(c.xml))
		must(t, err)
		if g := xmlGrid(root, text); g.text() != c.text || g.html() != c.html {
			t.Errorf("%q %s", g.text(), g.html())
		}
	}
	root, err := readXML([]byte(`<table><tgroup><colspec colname="o"/><colspec colname="1"/><colspec colnum="5" colname="z"/><thead><row><entry namest="o" nameend="1">h</entry><entry/></row></thead>
		<tbody><row><entry morerows="1">a</entry><entry namest="1" nameend="z">b</entry></row><row><entry namest="z" nameend="o">c</entry><entry namest="no" nameend="z">d</entry></row></tbody></tgroup></table>`))
	must(t, err)
	if g := calsGrid(root, text); g.text() != "h\t\na\tb\nc\td" || g.html() != `<table><tr><th colspan="2">h</th><th></th></tr><tr><td rowspan="2">a</td><td colspan="4">b</td></tr><tr><td>c</td><td>d</td></tr></table>` {
		t.Errorf("%q %s", g.text(), g.html())
	}
}

func TestJATSLicence(t *testing.T) {
	for _, c := range []struct{ permissions, spdx string }{
		{`<license href="http://creativecommons.org/licenses/by-nc-nd/4.0/"/>`, "CC-BY-NC-ND-4.0"},
		{`<license/><license_ref>http://creativecommons.org/licenses/by-sa/3.0/</license_ref>`, "CC-BY-SA-3.0"},
		{`<license href="https://creativecommons.org/publicdomain/zero/1.0/"/>`, "CC0-1.0"},
		{`<license href="http://creativecommons.org/publicdomain/mark/1.0/"/>`, "CC-PDM-1.0"},
		{`<license><license-p>under the Creative Commons Attribution License, which</license-p></license>`, "LicenseRef-CC-BY-unversioned"},
		{`<license><license-p>All rights reserved.</license-p></license>`, "NOASSERTION"},
		{``, "NOASSERTION"},
	} {
		root, err := readXML([]byte("<article><front><article-meta><permissions>" + c.permissions + "</permissions></article-meta></front></article>"))
		must(t, err)
		l := jatsLicence(root, "nothing")
		if open := l.SPDX != "NOASSERTION"; l.SPDX != c.spdx || l.Evidence == "" || l.Redistribute != open ||
			l.Derivatives != (open && !strings.Contains(c.spdx, "ND")) || l.Commercial != (open && !strings.Contains(c.spdx, "NC")) {
			t.Errorf("%s: %+v", c.permissions, l)
		}
	}
}

// laws holds what is true of all gold that blocks make: no fault, and offsets that count code points.
func laws(t *testing.T, b *blocks) {
	t.Helper()
	p := b.onePage()
	if f := goldFaults(edb.Document{}, *p); len(f) > 0 {
		t.Fatalf("%v", f)
	}
	if n := len([]rune(p.Text())); n != b.size {
		t.Fatalf("the text has %d code points, %d were counted", n, b.size)
	}
}

// FuzzReadXML reads any bytes as each kind of document: no panic, an error that begins with a line, or gold without
// a fault.
func FuzzReadXML(f *testing.F) {
	for _, s := range []string{
		"<article><front><article-meta><title-group><article-title>T<fn><p>n</p></fn></article-title></title-group><contrib-group><contrib><name><surname>S</surname></name></contrib></contrib-group></article-meta></front><body><sec><title>H</title><p>x<fig><label>1</label><caption><p>c</p></caption></fig>y</p><table-wrap><table><tr><td rowspan='2'>a</td></tr></table><table-wrap-foot><fn><p>f</p></fn></table-wrap-foot></table-wrap><list><list-item><p>i</p><list><list-item><p>j</p></list-item></list></list-item></list><disp-formula>m</disp-formula><boxed-text><caption><title>b</title></caption></boxed-text></sec></body><back><ack><p>a</p></ack></back></article>",
		"<document><title>T</title><component><structuredBody><component><section><code code='1-1'/><title>S</title><text><paragraph>p</paragraph><list><caption>c</caption><item>i</item></list><table><caption>t</caption><tr><td>1</td></tr></table><renderMultiMedia/></text><component><section><code code='1-1'/><text>u</text></section></component></section></component></structuredBody></component></document>",
		"<PATDOC><SDOBI><B540><STEXT><PDAT>T</PDAT></STEXT></B540></SDOBI><SDODE><BTEXT><H LVL='1'><STEXT>H</STEXT></H><PARA><PTEXT>x<CWU><TABLE-US><table><tgroup><colspec colname='a'/><tbody><row><entry namest='a' nameend='a' morerows='2'>e</entry></row></tbody></tgroup></table></TABLE-US></CWU>y</PTEXT></PARA></BTEXT></SDODE><SDOCL><CL><CLM><PARA>1. c</PARA></CLM></CL></SDOCL></PATDOC>",
		"<a>&agr;<b", "\ufeff<a/>", "<?xml encoding='utf-16'?><a/>", "",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		root, err := readXML(raw)
		if err != nil {
			if line, _, ok := strings.Cut(err.Error(), ":"); !ok || strings.Trim(line, "0123456789") != "" {
				t.Fatalf("no line: %v", err)
			}
			return
		}
		laws(t, &readArticle(root).blocks)
		l := &label{codes: map[string]int{}}
		l.component(root, 1)
		laws(t, &l.blocks)
		p := &patent{}
		p.read(root, &edb.Document{})
		laws(t, &p.blocks)
		jatsLicence(root, "")
	})
}

// FuzzReadPosts: no panic, an error that begins with a line, or posts with an ID each.
func FuzzReadPosts(f *testing.F) {
	f.Add([]byte(`<posts><row Id="1" PostTypeId="1" Score="1" CreationDate="2018-03-12T17:00:45.567" Title="t" Body="b"/><row Id="2" PostTypeId="5"/></posts>`))
	f.Add([]byte(`<posts><row/></posts>`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		posts, err := readPosts(raw)
		if err != nil {
			if line, _, ok := strings.Cut(err.Error(), ":"); !ok || strings.Trim(line, "0123456789") != "" {
				t.Fatalf("no line: %v", err)
			}
			return
		}
		for _, p := range posts {
			if p.id == "" || p.line < 1 {
				t.Fatalf("%+v", p)
			}
		}
	})
}

// TestXMLKeepsText holds that no paragraph of an article is lost.
func TestXMLKeepsText(t *testing.T) {
	dir := testdata.Data(t, "jats")
	raw, err := os.ReadFile(filepath.Join(dir, "elife00007.xml"))
	must(t, err)
	root, err := readXML(raw, "article")
	must(t, err)
	a := readArticle(root)
	laws(t, &a.blocks)
	// Every paragraph of the body is in the gold, word for word.
	text := a.text()
	for p := range root.child("body").all("p") {
		if s := jatsText(p); !p.holds(jatsBlocks) && !strings.Contains(text, s) {
			t.Errorf("missing: %.80s", s)
		}
	}
}
