package parse

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"enterprisedocbench"
)

// doclingServe is where docling-serve listens by default.
const doclingServe = "http://localhost:5001"

// doclingRun starts the service.
const doclingRun = "pip install docling-serve && docling-serve run --port 5001 (7.3 GB, and the weights of its models; or name a running one in EDB_DOCLING_URL)"

// DoclingURL is the address of docling-serve: EDB_DOCLING_URL, else http://localhost:5001.
func DoclingURL() string {
	return strings.TrimRight(cmp.Or(os.Getenv("EDB_DOCLING_URL"), doclingServe), "/")
}

// doclingTypes are the MIME types that are sent to docling, each with the endings of a name by which
// docling knows it. The first is given to a file whose name ends otherwise.
var doclingTypes = map[string][]string{
	"application/pdf": {".pdf"}, "image/png": {".png"}, "image/jpeg": {".jpg", ".jpeg"}, "image/tiff": {".tiff", ".tif"},
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   {".docx"},
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         {".xlsx"},
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": {".pptx"},
	"text/html": {".html", ".htm", ".xhtml"}, "application/xhtml+xml": {".xhtml", ".html", ".htm"},
	"text/markdown": {".md", ".markdown"}, "text/csv": {".csv"}, typeJATS: {".xml", ".nxml"},
}

// doclingName is the name under which a file is sent: docling tells formats apart by the ending.
func doclingName(path, mime string) string {
	name := filepath.Base(path)
	ends := doclingTypes[TypeOf(path, mime)]
	if len(ends) == 0 || slices.Contains(ends, strings.ToLower(filepath.Ext(name))) {
		return name
	}
	return name + ends[0]
}

// doclingEngine has a docling-serve of version 1 read documents and takes its DoclingDocument:
// elements in reading order with their boxes, tables with spans, captions with what they belong to.
// The service keeps its own time and memory: a run's limits end the waiting, not the work there. Its
// key, where it wants one, is EDB_DOCLING_KEY.
type doclingEngine struct {
	base string
	poll time.Duration // before the first look at a task; it doubles from look to look, up to 25 times as long
	busy time.Duration // before a request is sent again to a service that has no room, doubled from try to try
}

func newDocling() (Parser, error) {
	base := DoclingURL()
	if u, err := url.Parse(base); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("EDB_DOCLING_URL is %q: it starts with http:// or https://", base)
	}
	return doclingEngine{base, 20 * time.Millisecond, 500 * time.Millisecond}, nil
}

// haveDocling asks the service whether it is well.
func haveDocling() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var health struct {
		Status string `json:"status"`
	}
	err := doclingEngine{base: DoclingURL()}.get(ctx, "/health", &health)
	switch {
	case err != nil:
		return fmt.Errorf("no docling-serve answers at %s", DoclingURL())
	case health.Status != "ok":
		return fmt.Errorf("what answers at %s is no docling-serve, or not well", DoclingURL())
	}
	return nil
}

// doclingTask is what the service says of a task. A task fails where the service does: that a
// document cannot be read stands in the result of a task that succeeds.
type doclingTask struct {
	ID      string `json:"task_id"`
	Status  string `json:"task_status"`
	Problem string `json:"error_message"`
	Failure struct {
		Category string `json:"category"`
		Message  string `json:"message"`
	} `json:"failure"`
}

// doclingResult is the answer to a finished task.
type doclingResult struct {
	Document struct {
		JSON json.RawMessage `json:"json_content"`
	} `json:"document"`
	Status string `json:"status"`
	Errors []struct {
		Message  string `json:"error_message"`
		Category string `json:"category"`
		Page     int    `json:"page_no"`
	} `json:"errors"`
}

// words are the errors of a result in one line, each once, cut after 300 characters.
func (r doclingResult) words() string {
	var said []string
	for _, m := range r.Errors {
		w := squeeze(m.Message)
		if m.Page > 0 {
			w = fmt.Sprintf("page %d: %s", m.Page, w)
		}
		if !slices.Contains(said, w) {
			said = append(said, w)
		}
	}
	return fmt.Sprintf("%.300s", strings.Join(said, "; "))
}

// failure is why a document that is not there, or has nothing in it, was not read.
func (r doclingResult) failure(file []byte) error {
	words := r.words()
	of := func(category string) bool {
		for _, m := range r.Errors {
			if m.Category == category {
				return true
			}
		}
		return false
	}
	lower := strings.ToLower(words)
	switch {
	case strings.Contains(lower, "password"):
		return fail(Encrypted, "password required")
	case bytes.HasPrefix(file, []byte("%PDF-")) && bytes.Contains(file, []byte("/Encrypt")):
		return fail(Encrypted, "the file is encrypted, and docling cannot open it: %s", words)
	case of("timeout"):
		return fail(Timeout, "docling ran out of time: %s", words)
	case of("source_unavailable"), of("inference_failure"):
		return fail(Transport, "docling's models failed: %s", words)
	case strings.Contains(lower, "exceeds"):
		return fail(TooLarge, "docling refuses the file: %s", words)
	case r.Status == "skipped":
		return fail(Unsupported, "docling does not take the file: %s", words)
	}
	return fail(Damaged, "docling cannot read the file (%s): %s", r.Status, cmp.Or(words, "it does not say why"))
}

// Parse implements Parser.
func (e doclingEngine) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	b, err := read(src.Path)
	if err != nil {
		return edb.Parsed{}, err
	}
	r, err := e.convert(ctx, doclingName(src.Path, src.Doc.MIME), b)
	if err != nil {
		if ctx.Err() != nil {
			return edb.Parsed{}, ctx.Err()
		}
		var pe *Error
		if !errors.As(err, &pe) {
			err = fail(Transport, "docling: %w", err)
		}
		return edb.Parsed{}, err
	}
	part := r.Status == "partial_success"
	if r.Status != "success" && !part {
		return edb.Parsed{}, r.failure(b)
	}
	out, err := readDocling(r.Document.JSON)
	if err != nil {
		return edb.Parsed{}, fail(Damaged, "docling's answer: %w", err)
	}
	if part && out.Text() == "" {
		return edb.Parsed{}, r.failure(b)
	}
	out.Doc, out.Engine = src.Doc.ID, Spec{Engine: "docling"}.Label()
	if part {
		out.Warnings = append(out.Warnings, "docling read a part of the file: "+cmp.Or(r.words(), "it does not say why"))
	}
	return out, nil
}

// convert gives a file to the service as a task, since it answers no longer than two minutes at once,
// and waits for the result.
func (e doclingEngine) convert(ctx context.Context, name string, b []byte) (doclingResult, error) {
	var r doclingResult
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for _, kv := range [][2]string{{"to_formats", "json"}, {"image_export_mode", "placeholder"}, {"target_type", "inbody"}, {"abort_on_error", "false"}} {
		if err := w.WriteField(kv[0], kv[1]); err != nil {
			return r, err
		}
	}
	part, err := w.CreateFormFile("files", name)
	if err != nil {
		return r, err
	}
	if _, err := part.Write(b); err != nil {
		return r, err
	}
	if err := w.Close(); err != nil {
		return r, err
	}
	var task doclingTask
	if err := e.call(ctx, http.MethodPost, "/v1/convert/file/async", w.FormDataContentType(), form.Bytes(), &task); err != nil {
		return r, err
	}
	if task.ID == "" {
		return r, fmt.Errorf("%s gives no task_id: it is no docling-serve of version 1", e.base)
	}
	id := url.PathEscape(task.ID)
	for wait := e.poll; ; wait = min(2*wait, 25*e.poll) {
		if err := sleep(ctx, wait); err != nil {
			return r, err
		}
		if err := e.get(ctx, "/v1/status/poll/"+id, &task); err != nil {
			return r, err
		}
		switch task.Status {
		case "success", "partial_success", "skipped":
			return r, e.get(ctx, "/v1/result/"+id, &r)
		case "pending", "started", "":
		default:
			// Where there is a result, what went wrong with the document stands in it.
			if err := e.get(ctx, "/v1/result/"+id, &r); err == nil && len(r.Errors) > 0 {
				return r, nil
			}
			return r, task.failure()
		}
	}
}

// failure is why a task came to nothing.
func (t doclingTask) failure() error {
	words := squeeze(cmp.Or(t.Failure.Message, t.Problem, "it does not say why"))
	switch {
	case t.Failure.Category == "timeout":
		return fail(Timeout, "docling ran out of time: %.300s", words)
	case t.Failure.Category == "policy", strings.Contains(strings.ToLower(words), "exceeds"):
		return fail(TooLarge, "docling refuses the file: %.300s", words)
	}
	return fail(Transport, "docling-serve failed before it read the document: %.300s (its log says more; without the weights of its models it reads nothing, HTML neither)", words)
}

// sleep waits, or gives the context's error.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

func (e doclingEngine) get(ctx context.Context, path string, v any) error {
	return e.call(ctx, http.MethodGet, path, "", nil, v)
}

// doclingTries is how often a request is sent to a service that answers that it has no room.
const doclingTries = 5

// call sends a request and reads JSON back. Redirects are not followed. A service that has no room
// (429, 503) is asked again, after the seconds in Retry-After where it names some, at most a minute.
func (e doclingEngine) call(ctx context.Context, method, path, kind string, body []byte, v any) error {
	wait := e.busy
	for try := 1; ; try++ {
		resp, b, err := e.send(ctx, method, path, kind, body)
		switch {
		case err != nil:
			return err
		case len(b) > maxReply:
			return fail(TooLarge, "docling: its answer is larger than %d MB", maxReply>>20)
		case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
			return fmt.Errorf("%s answered %s: put its key (DOCLING_SERVE_API_KEY there) into EDB_DOCLING_KEY", e.base, resp.Status)
		case resp.StatusCode == http.StatusRequestEntityTooLarge:
			return fail(TooLarge, "%s answered %s: %.200s", e.base, resp.Status, squeeze(string(b)))
		case (resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable) && try < doclingTries:
			if n, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && n > 0 {
				wait = time.Duration(min(n, 60)) * time.Second
			}
			if err := sleep(ctx, wait); err != nil {
				return err
			}
			wait *= 2
			continue
		case resp.StatusCode/100 != 2:
			return fmt.Errorf("%s%s answered %s: %.200s", e.base, path, resp.Status, squeeze(string(b)))
		}
		if err := json.Unmarshal(b, v); err != nil {
			return fmt.Errorf("%s%s: %w", e.base, path, err)
		}
		return nil
	}
}

// send sends a request once and gives the answer with its body, of which one byte more than maxReply is read.
func (e doclingEngine) send(ctx context.Context, method, path, kind string, body []byte) (*http.Response, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, e.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if key := os.Getenv("EDB_DOCLING_KEY"); key != "" {
		req.Header.Set("X-Api-Key", key)
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", e.base, err)
	}
	return resp, b, nil
}
