package datasets

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
)

// formats lists the kinds of file a dataset may hold: extension, MIME type and how a file of the
// kind begins. Text formats have no fixed beginning.
var formats = []struct{ ext, mime, magic string }{
	{".pdf", "application/pdf", "%PDF-"},
	{".html", "text/html", ""},
	{".htm", "text/html", ""},
	{".md", "text/markdown", ""},
	{".txt", "text/plain", ""},
	{".xml", "application/xml", ""},
	{".json", "application/json", ""},
	{".csv", "text/csv", ""},
	{".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "PK\x03\x04"},
	{".xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "PK\x03\x04"},
	{".pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation", "PK\x03\x04"},
	{".png", "image/png", "\x89PNG\r\n\x1a\n"},
	{".jpg", "image/jpeg", "\xff\xd8\xff"},
	{".tiff", "image/tiff", ""},
}

func mimeOf(ext string) string {
	for _, f := range formats {
		if f.ext == ext {
			return f.mime
		}
	}
	return ""
}

func extOf(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	for _, f := range formats {
		if f.mime == strings.TrimSpace(mime) {
			return f.ext
		}
	}
	return ".bin"
}

// magicFault says that a file named .pdf (or .png, .docx, ...) is something else. PDF readers look
// for the mark in the first 1024 bytes, so head should hold as many.
func magicFault(ext string, head []byte) string {
	for _, f := range formats {
		if f.ext != ext || f.magic == "" {
			continue
		}
		found := bytes.HasPrefix(head, []byte(f.magic))
		if ext == ".pdf" {
			found = bytes.Contains(head, []byte(f.magic))
		}
		if !found {
			kind, _, _ := strings.Cut(http.DetectContentType(head), ";")
			return fmt.Sprintf("the file is named %s but is %s", ext, kind)
		}
	}
	return ""
}
