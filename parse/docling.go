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
	"strings"
	"time"

	"enterprisedocbench"
)

// doclingServe is where docling-serve listens by default.
const doclingServe = "http://localhost:5001"

// doclingRun starts the service.
const doclingRun = "pip install 'docling-serve' && docling-serve run --port 5001 (or name a running one in EDB_DOCLING_URL)"

// DoclingURL is the address of docling-serve: EDB_DOCLING_URL, else http://localhost:5001.
func DoclingURL() string {
	return strings.TrimRight(cmp.Or(os.Getenv("EDB_DOCLING_URL"), doclingServe), "/")
}

// doclingTypes are the MIME types that are sent to docling.
var doclingTypes = []string{"application/pdf", "image/png", "image/jpeg", "image/tiff",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation", "text/html"}

// doclingEngine has a docling-serve of version 1 read documents and takes its DoclingDocument:
// elements in reading order with their boxes, tables with spans, captions with what they belong to.
// The service keeps its own time and memory: a run's limits end the waiting, not the work there. Its
// key, where it wants one, is EDB_DOCLING_KEY.
type doclingEngine struct {
	base string
	poll time.Duration // between looks at a task, besides what the service waits itself
}

func newDocling() (Parser, error) {
	base := DoclingURL()
	if u, err := url.Parse(base); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("EDB_DOCLING_URL is %q: it starts with http:// or https://", base)
	}
	return doclingEngine{base, 200 * time.Millisecond}, nil
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

// doclingTask is what the service says of a task.
type doclingTask struct {
	ID      string `json:"task_id"`
	Status  string `json:"task_status"`
	Problem string `json:"error_message"`
}

// doclingResult is the answer to a finished task.
type doclingResult struct {
	Document struct {
		JSON json.RawMessage `json:"json_content"`
	} `json:"document"`
	Status string `json:"status"`
	Errors []struct {
		Message string `json:"error_message"`
	} `json:"errors"`
}

// Parse implements Parser.
func (e doclingEngine) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	b, err := read(src.Path)
	if err != nil {
		return edb.Parsed{}, err
	}
	r, err := e.convert(ctx, filepath.Base(src.Path), b)
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
	var said []string
	for _, m := range r.Errors {
		said = append(said, squeeze(m.Message))
	}
	words := strings.Join(said, "; ")
	if r.Status != "success" && r.Status != "partial_success" {
		if strings.Contains(strings.ToLower(words), "password") {
			return edb.Parsed{}, fail(Encrypted, "password required")
		}
		return edb.Parsed{}, fail(Damaged, "docling cannot read the file (%s): %.300s", r.Status, words)
	}
	out, err := readDocling(r.Document.JSON)
	if err != nil {
		return edb.Parsed{}, fail(Damaged, "docling's answer: %w", err)
	}
	out.Doc, out.Engine = src.Doc.ID, Spec{Engine: "docling"}.Label()
	if r.Status == "partial_success" {
		out.Warnings = append(out.Warnings, "docling read a part of the file: "+words)
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
	if err := e.call(ctx, http.MethodPost, "/v1/convert/file/async", w.FormDataContentType(), &form, &task); err != nil {
		return r, err
	}
	if task.ID == "" {
		return r, fmt.Errorf("%s gives no task_id: it is no docling-serve of version 1", e.base)
	}
	id := url.PathEscape(task.ID)
	for {
		if err := e.get(ctx, "/v1/status/poll/"+id+"?wait=5", &task); err != nil {
			return r, err
		}
		switch task.Status {
		case "success", "partial_success":
			return r, e.get(ctx, "/v1/result/"+id, &r)
		case "pending", "started", "":
		default:
			// What went wrong stands in the result, where there is one.
			if err := e.get(ctx, "/v1/result/"+id, &r); err != nil || len(r.Errors) == 0 {
				return r, fail(Damaged, "docling cannot read the file (%s): %.300s", task.Status, cmp.Or(squeeze(task.Problem), "it does not say why"))
			}
			return r, nil
		}
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-time.After(e.poll):
		}
	}
}

func (e doclingEngine) get(ctx context.Context, path string, v any) error {
	return e.call(ctx, http.MethodGet, path, "", nil, v)
}

// call sends a request and reads JSON back. Redirects are not followed.
func (e doclingEngine) call(ctx context.Context, method, path, kind string, body io.Reader, v any) error {
	req, err := http.NewRequestWithContext(ctx, method, e.base+path, body)
	if err != nil {
		return err
	}
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	if key := os.Getenv("EDB_DOCLING_KEY"); key != "" {
		req.Header.Set("X-Api-Key", key)
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", e.base, err)
	case len(b) > maxReply:
		return fail(TooLarge, "docling: its answer is larger than %d MB", maxReply>>20)
	case resp.StatusCode/100 != 2:
		return fmt.Errorf("%s%s answered %s: %.200s", e.base, path, resp.Status, squeeze(string(b)))
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%s%s: %w", e.base, path, err)
	}
	return nil
}
