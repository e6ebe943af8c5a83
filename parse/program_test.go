package parse

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	imagefont "golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"enterprisedocbench"
	"enterprisedocbench/internal/testdata"
)

func TestBboxPages(t *testing.T) {
	pages, err := bboxPages([]byte(`<html><body><doc><page width="200" height="100"><flow><block><line>
<word xMin="10" yMin="10" xMax="40" yMax="22">AT&amp;T</word><word xMin="50" yMin="10" xMax="70" yMax="22">x</word>
<word xMin="90" yMin="10" xMax="96" yMax="80">upright</word>
<word xMin="-90" yMin="10" xMax="-9" yMax="20">off</word><word xMin="nan" yMin="1" xMax="9" yMax="9"></word></line></block></flow></page>
<page width="200" height="100"></page></doc></body></html>`))
	if err != nil || len(pages) != 2 || len(pages[1].words) != 0 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	w := pages[0].words
	if len(w) != 3 || w[0].text != "AT&T" || w[0].box != (edb.Box{10, 10, 40, 22}) || w[0].font.size != 10 || w[2].turn != 1 {
		t.Errorf("words %+v", w)
	}
	if _, err := bboxPages([]byte("<html></html>")); kindOf(err) != Damaged {
		t.Errorf("no page: %v", err)
	}
}

func TestStextPages(t *testing.T) {
	pages, err := stextPages([]byte(`<?xml version="1.0"?><document><page id="page1" width="200" height="100"><block><line wmode="0" dir="1 0">
<font name="Times-Bold" size="10"><char quad="10 5 15 5 10 30 15 30" x="10" y="20" c="O"/><char quad="15 5 20 5 15 30 20 30" x="15" y="20" c="k"/>
<char quad="20 5 25 5 20 30 25 30" x="20" y="20" c=" "/><char quad="25 5 30 5 25 30 30 30" x="25" y="20" c="&#x0;"/><char quad="30 5 35 5 30 30 35 30" x="30" y="20" c="!"/></font></line>
<line dir="0 -1"><font name="Times" size="10"><char quad="60 50 60 45 70 50 70 45" x="70" y="50" c="U"/></font></line></block></page></document>`))
	if err != nil || len(pages) != 1 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	w := pages[0].words
	if len(w) != 3 || w[0].text != "Ok" || w[0].box != (edb.Box{10, 12, 20, 22}) || !w[0].font.bold || w[1].text != "!" || w[2].turn != 1 {
		t.Errorf("words %+v", w)
	}
	if _, err := stextPages([]byte("<document/>")); kindOf(err) != Damaged {
		t.Errorf("no page: %v", err)
	}
}

func TestTSVWords(t *testing.T) {
	rows := []string{"level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext",
		"4\t1\t1\t1\t1\t0\t100\t50\t400\t30\t-1\t", "5\t1\t1\t1\t1\t1\t100\t55\t80\t20\t96.5\tnet", "5\t1\t1\t1\t1\t2\t200\t50\t80\t30\t12\tdirt",
		"5\t1\t1\t1\t1\t3\t300\t50\t80\t30\tx\tno", "5\t1\t1\t1\t1\t4\t400\t50\t80\t30\t90\t \t", "5\t1"}
	got := tsvWords([]byte(strings.Join(rows, "\n")), 0.5, 0.5)
	if len(got) != 1 || got[0].text != "net" || got[0].box != (edb.Box{50, 25, 90, 40}) {
		t.Errorf("words %+v", got)
	}
}

func TestUnsoundTextLayers(t *testing.T) {
	page := func(texts ...string) rawPage {
		pg := rawPage{width: 600, height: 800}
		for _, s := range texts {
			pg.words = append(pg.words, wordRun{text: s, box: edb.Box{1, 1, 9, 9}})
		}
		return pg
	}
	scan := page("12")
	scan.images = []edb.Box{{0, 0, 600, 790}}
	figure := page("Figure", "12")
	figure.images = []edb.Box{{100, 100, 500, 400}}
	picture := page()
	picture.images = []edb.Box{{0, 0, 600, 800}}
	unmapped := page("ab")
	unmapped.unmapped = 3
	codes := strings.Fields(strings.Repeat("Wkdw zdv qrw grqh ", 12))
	for _, c := range []struct {
		name string
		pg   rawPage
		want string
	}{
		{"text", page(strings.Fields(strings.Repeat("plain words of a report ", 10))...), ""},
		{"blank", page(), ""},
		{"picture alone", picture, "no text layer"},
		{"scan with a number", scan, "a scan with little text"},
		{"figure", figure, ""},
		{"private use", page("\ue001\ue002\ue003", "ok"), "3 of 5 glyphs have no usable character"},
		{"no characters", unmapped, "3 of 5 glyphs have no usable character"},
		{"shifted codes", page(codes...), "words have no vowel"},
		{"few abbreviations", page("GmbH", "Ltd", "HTTP"), ""},
		{"Greek", page(strings.Fields(strings.Repeat("λόγος ", 40))...), ""},
		{"numbers", page(strings.Fields(strings.Repeat("12.5 ", 90))...), ""},
	} {
		if got := unsound(c.pg); got != c.want && (c.want == "" || !strings.Contains(got, c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestLanguages(t *testing.T) {
	e := &tesseractEngine{langs: map[string]bool{"eng": true, "deu": true}}
	for _, c := range [][3]string{{"", "eng", ""}, {"de-AT", "deu", ""}, {"en", "eng", ""}, {"fr", "eng", "tesseract-ocr-fra"}, {"zh-Hans", "eng", "chi-sim"}, {"tlh", "eng", "no name in tesseract"}} {
		name, warning := e.language(c[0])
		if name != c[1] || (warning == "") != (c[2] == "") || !strings.Contains(warning, c[2]) {
			t.Errorf("%q: %q, %q", c[0], name, warning)
		}
	}
}

// A picture of words is read, and so is a page of a PDF that is one.
func TestOCRReadsPictures(t *testing.T) {
	e, err := Lookup("tesseract")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Available(); err != nil {
		t.Skipf("%v: %s", err, e.Get)
	}
	img := image.NewGray(image.Rect(0, 0, 1200, 400))
	small := image.NewGray(image.Rect(0, 0, 300, 100))
	for i := range small.Pix {
		small.Pix[i] = 255
	}
	d := imagefont.Drawer{Dst: small, Src: image.NewUniform(color.Black), Face: basicfont.Face7x13, Dot: fixed.P(20, 40)}
	d.DrawString("Harbour ledger 4711")
	for y := range 400 {
		for x := range 1200 {
			img.SetGray(x, y, small.GrayAt(x/4, y/4))
		}
	}
	path := filepath.Join(t.TempDir(), "page.png")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tesseract", "auto", "rapidocr"} {
		e, _ := Lookup(name)
		if e.Available() != nil {
			continue
		}
		p, err := e.New()
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Parse(t.Context(), Source{Doc: edb.Document{ID: "d"}, Path: path})
		if err != nil || !strings.Contains(out.Text(), "Harbour ledger 4711") || out.Engine != (Spec{Engine: name}).Label() {
			t.Errorf("%s: %q of %s, %v", name, out.Text(), out.Engine, err)
		}
	}
}

// auto reads a page without text by OCR, says so, and leaves sound pages to their text layer.
func TestAutoDecidesByPage(t *testing.T) {
	e, err := Lookup("auto")
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Available(); err != nil {
		t.Skipf("%v: %s", err, e.Get)
	}
	p, err := e.New()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(testdata.Data(t, "olmocr_bench"), "pdfs")
	out, err := p.Parse(t.Context(), Source{Doc: edb.Document{ID: "sound"}, Path: filepath.Join(dir, "earnings.pdf")})
	if err != nil || strings.Contains(strings.Join(out.Warnings, " "), "OCR") {
		t.Errorf("a sound page: %v, %v", out.Warnings, err)
	}
}

func TestProgramSaysWhatIsWrong(t *testing.T) {
	if _, err := program(t.Context(), nil, "no-such-program-here"); err == nil || !strings.Contains(err.Error(), "edb doctor") {
		t.Errorf("a program that is not there: %v", err)
	}
	for script, kind := range map[string]string{
		"echo 'Incorrect password' >&2; exit 1": Encrypted, "echo 'May not be a PDF' >&2; exit 1": Damaged, "kill -9 $$": Crash,
	} {
		if _, err := program(t.Context(), nil, "sh", "-c", script); kindOf(err) != kind {
			t.Errorf("%s: %v, want %s", script, err, kind)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := program(ctx, nil, "sleep", "60"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if b, err := program(t.Context(), []byte("in"), "cat"); err != nil || string(b) != "in" {
		t.Errorf("%q, %v", b, err)
	}
}

func FuzzProgramAnswers(f *testing.F) {
	f.Add([]byte(`<page width="9" height="9"><word xMin="1" yMin="1" xMax="2" yMax="2">a</word></page>`))
	f.Add([]byte(`<page width="9" height="9"><line dir="1 0"><font size="3"><char quad="1 1 2 1 1 2 2 2" y="2" c="a"/></font></line></page>`))
	f.Add([]byte("<page width=\"9\" height=\"9\">\n<stroke_path transform=\"1 0 0 -1 0 9\">\n<moveto x=\"1\" y=\"1\"/>\n<lineto x=\"8\" y=\"1\"/>\n<closepath/>\n</stroke_path>\n"))
	f.Add([]byte("5\t1\t1\t1\t1\t1\t1\t1\t2\t2\t96\tword"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if pages, err := bboxPages(b); err == nil {
			layout(pages)
		}
		if pages, err := stextPages(b); err == nil {
			tr := tracer{of: pages}
			_, err := tr.Write(b)
			tr.drawn(err)
			layout(pages)
		}
		pg := rawPage{number: 1, width: 600, height: 800, words: tsvWords(b, 0.24, 0.24)}
		if out := layout([]rawPage{pg}); len(out.Pages) != 1 {
			t.Fatalf("%d pages of one", len(out.Pages))
		}
	})
}

// Real files that open only with a password, and ones that say they are encrypted but open.
func TestProgramsAndPasswords(t *testing.T) {
	dir := testdata.Data(t, filepath.Join("robustness", "pypdf"))
	for _, name := range []string{"poppler", "mupdf"} {
		e, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Available(); err != nil {
			t.Logf("%v: %s", err, e.Get)
			continue
		}
		p, err := e.New()
		if err != nil {
			t.Fatal(err)
		}
		for file, kind := range map[string]string{
			"encrypted-file.pdf": Encrypted, "encryption_r3-user-password.pdf": Encrypted, "encryption_r6-both-passwords.pdf": Encrypted,
			"encryption_r5-owner-password.pdf": "", "encryption_unencrypted.pdf": "",
		} {
			_, err := p.Parse(t.Context(), Source{Doc: edb.Document{ID: file}, Path: filepath.Join(dir, file)})
			if kindOf(err) != kind || (err == nil) != (kind == "") {
				t.Errorf("%s, %s: error of kind %q: %v, want %q", name, file, kindOf(err), err, kind)
			}
		}
	}
}
