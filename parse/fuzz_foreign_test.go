package parse

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"enterprisedocbench"
)

// FuzzForeignAnswer: what a command or a service of somebody's answers is a parse, or a failure of the
// document.
func FuzzForeignAnswer(f *testing.F) {
	f.Add([]byte("# Head\n\ntext | 1\n"))
	f.Add([]byte(` {"pages":[{"number":1,"width":9,"height":9,"elements":[{"id":"a","kind":"table","text":"a","html":"<table><tr><td>a</td></tr></table>","box":[0,0,1,1]}]}]}`))
	f.Add([]byte(`{"schema_name":"DoclingDocument","body":{"children":[{"$ref":"#/texts/0"}]},"texts":[{"self_ref":"#/texts/0","label":"text","text":"a"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := answer(bytes.Clone(b))
		again, err2 := answer(bytes.Clone(b))
		switch {
		case err != nil && (kindOf(err) != Damaged || err.Error() == ""):
			t.Fatalf("%v is no failure of the document", err)
		case (err == nil) != (err2 == nil) || !reflect.DeepEqual(p, again):
			t.Fatal("the same bytes give two answers")
		case err == nil:
			given(t, p)
		}
	})
}

// storedExts are the names by which stored output is read.
var storedExts = []string{".json", ".md", ".html", ".txt", ".doctags", ".doctags.txt", ".hocr"}

// FuzzFiles: stored output of any name is a parse or a failure of the document.
func FuzzFiles(f *testing.F) {
	for i, s := range []string{`{"pages":[{"number":1,"elements":[{"kind":"code","text":"x"}]}]}`, "# a\n\n|b|\n|-|\n", "<table><tr><td>a<td>b", "a\n\nb\fc",
		"<doctag><text>a</text></doctag>", "<doctag>", "<div class='ocr_page' title='bbox 0 0 9 9'><span class='ocr_line'>a</span></div>"} {
		f.Add(uint8(i), []byte(s))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, kind uint8, b []byte) {
		path := filepath.Join(dir, "d"+storedExts[int(kind)%len(storedExts)])
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(path)
		p, err := stored(dir, Source{Doc: edb.Document{ID: "d"}, Path: "d.pdf"})
		switch {
		case err != nil && (kindOf(err) != Damaged || !strings.Contains(err.Error(), filepath.Base(path))):
			t.Fatalf("%v is no failure of the document that names the file", err)
		case err == nil:
			given(t, p)
		}
	})
}

// given holds what somebody else's output was read to: pages in order, boxes that are boxes, IDs that
// are there given once.
func given(t *testing.T, p edb.Parsed) {
	t.Helper()
	ids := map[string]bool{}
	for i, pg := range p.Pages {
		if pg.Number < 1 || i > 0 && pg.Number <= p.Pages[i-1].Number {
			t.Fatalf("page %d of the list has number %d", i+1, pg.Number)
		}
		for _, e := range pg.Elements {
			if e.ID != "" && ids[e.ID] {
				t.Fatalf("id %q is given twice", e.ID)
			}
			ids[e.ID] = true
			if e.Box != nil && !(e.Box[0] <= e.Box[2] && e.Box[1] <= e.Box[3]) {
				t.Fatalf("box %v", *e.Box)
			}
		}
	}
	if b, err := json.Marshal(p); err != nil || len(p.Pages) == 0 {
		t.Fatalf("%d pages, %d bytes, %v", len(p.Pages), len(b), err)
	}
}

// FuzzSidecar: lines of the program that reads pictures are words on the page, or an error.
func FuzzSidecar(f *testing.F) {
	f.Add([]byte(`{"lines":[{"box":[1,1,90,20],"text":"One two","score":0.9},{"box":[5,1,2,9],"text":"x","score":1}]}` + "\n"))
	f.Add([]byte(`{"error":"no memory"}` + "\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := sidecar{argv: []string{"program"}, out: bufio.NewReader(bytes.NewReader(b))}
		var reply struct {
			Lines []rapidLine `json:"lines"`
		}
		if err := s.answer(&reply); err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		pg := rawPage{number: 1, width: 600, height: 800}
		for _, l := range reply.Lines {
			pg.words = append(pg.words, l.words(0.24, 0.24)...)
		}
		holds(t, layout([]rawPage{pg}))
	})
}

// FuzzFrames: a frame that is read is written and read again as the same; others are errors.
func FuzzFrames(f *testing.F) {
	var b bytes.Buffer
	if err := writeFrame(&b, reply{Ready: true, Parsed: paged("d"), Kind: Crash, Error: "e", CPU: 1, Peak: 2}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add([]byte("\xff\xff\xff\xffx"))
	f.Add([]byte("\x00\x00\x00\x02{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var a, again reply
		if err := readFrame(bytes.NewReader(b), &a); err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		var w bytes.Buffer
		if err := writeFrame(&w, a); err != nil {
			t.Fatal(err)
		}
		if err := readFrame(&w, &again); err != nil || a.Error != again.Error || a.Parsed.Text() != again.Parsed.Text() {
			t.Fatalf("written and read again: %v", err)
		}
	})
}

// says answers a few requests with the same bytes, then with 503.
type says struct {
	b    []byte
	left int
}

func (s *says) RoundTrip(r *http.Request) (*http.Response, error) {
	status := http.StatusOK
	if s.left--; s.left < 0 {
		status = http.StatusServiceUnavailable
	}
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Header: http.Header{}, Request: r, Body: io.NopCloser(bytes.NewReader(s.b))}, nil
}

// FuzzDoclingService: whatever stands where docling-serve should, the engine answers or says *Error.
func FuzzDoclingService(f *testing.F) {
	f.Add([]byte(`{"task_id":"1","task_status":"success","status":"success","document":{"json_content":` + doclingSample + `}}`))
	f.Add([]byte(`{"task_id":"1","task_status":"failure","status":"failure","errors":[{"error_message":"a password is needed"}]}`))
	f.Add([]byte(`{"task_id":"/../x","task_status":"partial_success"}`))
	src := source(f, "d")
	old := client.Transport
	f.Cleanup(func() { client.Transport = old })
	f.Fuzz(func(t *testing.T, b []byte) {
		client.Transport = &says{b, 5} // one that is never done is the run's limit's to end
		p, err := doclingEngine{base: "http://localhost", poll: 1}.Parse(t.Context(), src)
		switch {
		case err != nil && (kindOf(err) == "" || err.Error() == ""):
			t.Fatalf("%v is no *Error", err)
		case err == nil:
			holds(t, p)
		}
	})
}
