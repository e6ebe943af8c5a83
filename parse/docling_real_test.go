package parse

import (
	"encoding/json"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"enterprisedocbench"
)

// recorded is what a real docling-serve answered for a document (scripts/oracles/docling.py).
type recorded struct {
	File   string
	Task   exchange
	Poll   exchange
	Result exchange
}

type exchange struct {
	Status int
	Body   json.RawMessage
}

func recording(t *testing.T, name string) recorded {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", "docling", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var r recorded
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return r
}

// recordedService answers as the recorded service did; busy counts the requests that are first answered with
// 503. The form must be what the service takes.
func recordedService(t *testing.T, r recorded, busy int) (address string) {
	t.Helper()
	id, polls := "", 0
	give := func(w http.ResponseWriter, x exchange) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(x.Status)
		w.Write(x.Body)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"status":"ok"}`) })
	mux.HandleFunc("POST /v1/convert/file/async", func(w http.ResponseWriter, q *http.Request) {
		if busy > 0 {
			busy--
			http.Error(w, `{"detail":"Service Unavailable"}`, http.StatusServiceUnavailable)
			return
		}
		_, params, err := mime.ParseMediaType(q.Header.Get("Content-Type"))
		if err != nil {
			t.Error(err)
		}
		form, err := multipart.NewReader(q.Body, params["boundary"]).ReadForm(1 << 20)
		if err != nil || form.Value["to_formats"][0] != "json" || form.Value["target_type"][0] != "inbody" || form.File["files"][0].Filename != r.File {
			t.Errorf("the form is %+v, %v", form, err)
		}
		var task struct {
			ID string `json:"task_id"`
		}
		json.Unmarshal(r.Task.Body, &task)
		id = task.ID
		give(w, r.Task)
	})
	mux.HandleFunc("GET /v1/status/poll/{id}", func(w http.ResponseWriter, q *http.Request) {
		if polls++; polls == 1 {
			io.WriteString(w, strings.Replace(string(r.Task.Body), "pending", "started", 1))
			return
		}
		if q.PathValue("id") != id {
			t.Errorf("asked for task %q, not %q", q.PathValue("id"), id)
		}
		give(w, r.Poll)
	})
	mux.HandleFunc("GET /v1/result/{id}", func(w http.ResponseWriter, _ *http.Request) { give(w, r.Result) })
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// through sends a file through the engine to a replay.
func through(t *testing.T, r recorded, busy int, content string) (edb.Parsed, error) {
	t.Helper()
	e := doclingEngine{recordedService(t, r, busy), time.Millisecond, time.Millisecond}
	return e.Parse(t.Context(), Source{Doc: edb.Document{ID: "d"}, Path: put(t, r.File, content)})
}

// What the real service made of documents, element by element. The lines were held against the
// documents by eye; what is odd in them is docling's reading (the Markdown's head, Figure 2).
var recordedLines = map[string][]string{
	"html": {
		"header: Not printed",
		"header: Site name",
		"header: Home",
		"header: About",
		"heading1: Annual report",
		"paragraph: First line second line, bold ly.",
		"heading2: Results",
		"list-item: one",
		"list-item: one a",
		"list-item: two",
		"caption of e12: Table 1. Sales",
		"e12 table: Region\tYear\n2024\t2025\nNorth & East\t1,200\t1,300\nhidden\t\t",
		"e13 figure: ",
		"caption of e13: Figure 1. Sales by year",
		"paragraph: drawn",
		"caption: Figure 2. Drawn by a script",
		"code: if x {\n    go()\n}",
		"list-item: A note.",
		"footer: Page 3 of 9",
	},
	"jats": {
		"heading1: Salt in harbour water A survey",
		"paragraph: Ada Marsh, The Tide Group",
		"paragraph: Institute of Quays, Port Vell",
		"heading2: Abstract",
		"paragraph: Water was weighed.",
		"heading2: 1.",
		"paragraph: Before the list",
		"list-item: one kilogram",
		"list-item: by hand",
		"paragraph: and after it.",
		"paragraph: practical salinity unit",
		"formula: S = 35",
		"heading3: Places",
		"e14 figure: ",
		"caption of e14: Figure 1 The quay. Seen from the east.",
		"caption of e17: Table 1 Salt by depth",
		"e17 table: Depth\tSalt\nlow\thigh\n1 m\t30\t34",
		"paragraph: Do not drink.",
		"heading2: Thanks",
		"paragraph: To the pilots.",
		"heading2: References",
		"list-item: Tide A. Water. 1999.",
		"list-item: Marsh A, Ebb B. Brine. J Salt 3:4–9 (2001).",
		"paragraph: A review that is an article of its own.",
	},
	"markdown": {
		"paragraph: title: 'A tool''s story -- told' tags:",
		"list-item: one authors:",
		"list-item: name: A. Writer abstract: | of abstract.",
		"heading1: Summary {#sec:summary}",
		"paragraph: It's a \"small\" tool [@key2020; see @other, p. 3] with $a_i * b_i$ and $5 or $6 -- see \\autoref{fig:one}. The next line _ here & there, bold and code -- \"as is\" .",
		"paragraph: $$ E = mc^2 = x_1 * y_1 $$",
		"paragraph: \\begin{equation}\\label{eq:one} a_1",
		"paragraph: b_1 \\end{equation}",
		"e9 figure: ",
		"paragraph: The workflow of the tool .\\label{fig:one} { width=80% #fig:one }",
		"e11 table: Name\tValue\nα\t1\nb\t$x",
		"paragraph: Table: Names and values. {#tbl:names}",
		"paragraph: : Before the table.",
		"e14 table: \t\nc\td",
		"e15 table: Head\n1\t2",
		"list-item: first continued",
		"list-item: inner",
		"list-item: second[^1]",
		"code: x = \"$a$\"",
		"paragraph: quoted",
		"paragraph: [^1]: The note.",
	},
	"word": {
		"heading1: Salt report",
		"heading2: Methods",
		"paragraph: Water was weighed twice at each quay.",
		"heading3: Sampling",
		"list-item: one kilogram a day",
		"list-item: by hand",
		"list-item: first",
		"paragraph: Table 1. Depths",
		"e9 table: Quay\tSalt\nlow\thigh\nNorth quay by the pier\t30\t1,234.50",
		"e10 figure: ",
		"paragraph: Figure 1. The quay",
		"paragraph: Do not drink.",
		"footer: Harbour office",
		"footer: Page 1",
	},
	"slides": {
		"heading1: Salt report",
		"list-item: Water was weighed",
		"list-item: by hand",
		"heading1: Depths",
		"e5 table: Quay\tSalt\nNorth\t30",
		"e6 figure: ",
	},
	"sheets": {
		"e1 table: Quay\tSalt\nlow\thigh\nNorth\t30\t1234.5\nSouth\t\t33",
		"e2 table: Pilot\tBoat\nAda\tEbb",
		"e3 table: Weighed by hand",
	},
	"csv": {
		"e1 table: Quay\tSalt\nNorth\t30\nSouth, old\t33",
	},
	"pdf": {
		"paragraph: Salt report",
		"paragraph: Water was weighed at each quay.",
		"paragraph: Do not drink.",
	},
}

func TestDoclingRecorded(t *testing.T) {
	for name, want := range recordedLines {
		t.Run(name, func(t *testing.T) {
			p, err := through(t, recording(t, name), 0, "x")
			if err != nil {
				t.Fatal(err)
			}
			holds(t, p)
			compareLines(t, lines(p), want)
		})
	}
	// Boxes of PDFs are counted from below, of slides from above and in English metric units (12,700 a point);
	// those of sheets are columns and rows.
	for name, want := range map[string]edb.Page{
		"pdf":    {Number: 1, Width: 400, Height: 300, Elements: []edb.Element{{Box: &edb.Box{40, 300 - 258.616, 95.356, 300 - 247.516}}}},
		"slides": {Number: 1, Width: 720, Height: 540, Elements: []edb.Element{{Box: &edb.Box{36, 274638. / emu, 684, 1417638. / emu}}}},
		"sheets": {Number: 1, Elements: []edb.Element{{}}},
	} {
		p, err := through(t, recording(t, name), 0, "x")
		if err != nil {
			t.Fatal(err)
		}
		pg := p.Pages[0]
		got, box := pg.Elements[0].Box, want.Elements[0].Box
		if !p.Paged || len(p.Pages) != 2 || pg.Width != want.Width || pg.Height != want.Height || (got == nil) != (box == nil) {
			t.Errorf("%s: %d pages, the first %v by %v", name, len(p.Pages), pg.Width, pg.Height)
			continue
		}
		for i := range 4 {
			if box != nil && math.Abs(got[i]-box[i]) > 1e-6 {
				t.Errorf("%s: box %v, want %v", name, *got, *box)
			}
		}
	}
}

// Our reading of a DoclingDocument against docling's own exports of it: the same words in the same
// order outside of tables, the same tables with the same spans and header cells. Where a blank
// stands inside of a cell of several runs, docling's HTML and its cells differ, so blanks do not count there.
func TestDoclingReadsLikeItsOwnExports(t *testing.T) {
	for name := range recordedLines {
		t.Run(name, func(t *testing.T) {
			var r struct {
				Document struct {
					JSON json.RawMessage `json:"json_content"`
					Text string          `json:"text_content"`
					HTML string          `json:"html_content"`
				}
			}
			if err := json.Unmarshal(recording(t, name).Result.Body, &r); err != nil {
				t.Fatal(err)
			}
			p, err := readDocling(r.Document.JSON)
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := readBytes(".html", []byte(r.Document.HTML))
			if err != nil {
				t.Fatal(err)
			}
			text, tables := outsideTables(p)
			_, want := outsideTables(theirs)
			if got, want := exportWords(text), exportWords(r.Document.Text); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("words\n got %q\nwant %q", got, want)
			}
			if got, want := strings.Join(tables, "\n"), strings.Join(want, "\n"); got != want {
				t.Errorf("tables\n got %s\nwant %s", got, want)
			}
		})
	}
}

func outsideTables(p edb.Parsed) (text string, tables []string) {
	p.Elements(func(_ int, e edb.Element) bool {
		switch {
		case e.Kind == edb.KindTable:
			tables = append(tables, strings.Join(strings.Fields(e.HTML), ""))
		case !e.Artifact():
			text += e.Text + "\n"
		}
		return true
	})
	return text, tables
}

// exportMark is what docling's text export puts before the item of a list.
var exportMark = regexp.MustCompile(`^\s*(- )?(\S{1,3}[.)] )?`)

// exportWords are the words of a text less marks of lists and tables in Markdown.
func exportWords(s string) (out []string) {
	for line := range strings.Lines(s) {
		if !strings.HasPrefix(strings.TrimSpace(line), "|") {
			line = exportMark.ReplaceAllString(line, "")
			out = append(out, strings.FieldsFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })...)
		}
	}
	return out
}

// Recorded failures: whose they are decides whether the document is tried again.
func TestDoclingRecordedFailures(t *testing.T) {
	for _, c := range []struct{ name, content, kind, says string }{
		{"damaged", "x", Damaged, "MsWordDocumentBackend could not load document"},
		{"locked", "%PDF-1.3\ntrailer << /Encrypt 5 0 R >>", Encrypted, "encrypted"},
		{"locked", "%PDF-1.3", Damaged, "docling-parse could not load document"},
		{"skipped", "x", Unsupported, "File format not allowed: note.xml"},
		{"late", "x", Timeout, "document timeout exceeded"},
		{"large", "x", TooLarge, "exceeds"},
		{"no-models", "x", Transport, "Internal processing error."},
		{"no-key", "x", Transport, "EDB_DOCLING_KEY"},
	} {
		_, err := through(t, recording(t, c.name), 0, c.content)
		if kindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v (%s), want %s with %q", c.name, err, kindOf(err), c.kind, c.says)
		}
	}
	p, err := through(t, recording(t, "part"), 0, "x")
	if err != nil || p.Text() == "" || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "document timeout exceeded") {
		t.Errorf("part: %q, %v, %v", p.Text(), p.Warnings, err)
	}
}

// A service that has no room is asked again, a bounded number of times.
func TestDoclingIsBusy(t *testing.T) {
	if _, err := through(t, recording(t, "csv"), doclingTries-1, "x"); err != nil {
		t.Errorf("a service that is busy for a while: %v", err)
	}
	if _, err := through(t, recording(t, "csv"), doclingTries, "x"); kindOf(err) != Transport || !strings.Contains(err.Error(), "503") {
		t.Errorf("a service that stays busy: %v", err)
	}
}

func TestDoclingName(t *testing.T) {
	for _, c := range [][3]string{
		{"a/b.pdf", "application/pdf", "b.pdf"}, {"B.HTM", "text/html; charset=utf-8", "B.HTM"}, {"0017", "text/markdown", "0017.md"},
		{"x.txt", "text/csv", "x.txt.csv"}, {"x.bin", "application/octet-stream", "x.bin"}, {"x.bin", "", "x.bin"},
		{"testdata/article.xml", "application/xml", "article.xml"},
	} {
		if got := doclingName(c[0], c[1]); got != c[2] {
			t.Errorf("%s of %s is sent as %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
