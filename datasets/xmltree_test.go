package datasets

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/testdata"
	"enterprisedocbench/internal/xmltree"
)

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
		root, err := xmltree.Read([]byte("<article><front><article-meta><permissions>" + c.permissions + "</permissions></article-meta></front></article>"))
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
		root, err := xmltree.Read(raw)
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
	root, err := xmltree.Read(raw, "article")
	must(t, err)
	a := readArticle(root)
	laws(t, &a.blocks)
	// Every paragraph of the body is in the gold, word for word.
	text := a.text()
	for p := range root.Child("body").All("p") {
		if s := jatsText(p); !p.Holds(jatsBlocks) && !strings.Contains(text, s) {
			t.Errorf("missing: %.80s", s)
		}
	}
}
