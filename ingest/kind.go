package ingest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"

	"enterprisedocbench/datasets"
)

// headSize is how many bytes of a file are looked at to tell its kind. PDF readers look for their
// mark in the first 1024.
const headSize = 4096

// maxOffice bounds, in bytes, the Office files whose table of contents is read.
const maxOffice = 128 << 20

// extensions gives the extension that a file is kept under. Text is known by its name alone.
var extensions = map[string]string{
	".pdf": ".pdf", ".html": ".html", ".htm": ".html", ".xhtml": ".html", ".xml": ".xml", ".md": ".md", ".markdown": ".md",
	".docx": ".docx", ".xlsx": ".xlsx", ".pptx": ".pptx", ".png": ".png", ".jpg": ".jpg", ".jpeg": ".jpg", ".tif": ".tiff", ".tiff": ".tiff",
	".txt": ".txt", ".text": ".txt", ".log": ".txt", ".rst": ".txt", ".tex": ".txt", "": ".txt", ".csv": ".csv", ".json": ".json",
}

// dataKinds are read as documents only where an engine takes them: most hold data, not text.
var dataKinds = map[string]bool{".csv": true, ".json": true}

// kindOf tells what a file is by its first bytes, and by its name where it is text. ext is the
// extension to keep it under; why says, where there is none, why the file cannot be taken.
func kindOf(name string, head []byte, file io.ReaderAt, size int64) (ext, why string) {
	suffix := strings.ToLower(path.Ext(name))
	named, known := extensions[suffix]
	found, what := magic(head, file, size)
	switch {
	case found == "" && what != "":
		return "", what
	case found == "": // text
		return textKind(suffix, named, known, head)
	case suffix != "" && known && named != found:
		return "", fmt.Sprintf("is named %s but is %s: rename it if it is meant to be read", suffix, datasets.MIMEOf(found))
	}
	return found, ""
}

// textKind is kindOf for text. A web page is known by its bytes; other text by its name.
func textKind(suffix, named string, known bool, head []byte) (ext, why string) {
	t, _, _ := strings.Cut(http.DetectContentType(head), ";")
	html := t == "text/html" || t == "text/xml" && bytes.Contains(bytes.ToLower(head), []byte("<html"))
	switch {
	case named == ".html" || named == ".md" || named == ".json" || named == ".csv":
		return named, ""
	case html && (named == ".txt" || named == ".xml"):
		return ".html", ""
	case known && (named == ".txt" || named == ".xml"):
		return named, ""
	case known && html:
		return "", fmt.Sprintf("is named %s but is a web page (an error page in its place?): rename it to .html if it is meant to be read", suffix)
	case known:
		return "", fmt.Sprintf("is named %s but is plain text: rename it to .txt if it is meant to be read", suffix)
	}
	return "", fmt.Sprintf("is text of a kind that is not taken (%s): rename it to .txt or .md if it is a document", suffix)
}

// magic tells binary files by how they begin. Both results are empty for text.
func magic(head []byte, file io.ReaderAt, size int64) (ext, why string) {
	has := func(s string) bool { return bytes.HasPrefix(head, []byte(s)) }
	switch {
	case bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")):
		return ".pdf", ""
	case has("PK\x03\x04"):
		return office(file, size)
	case has("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
		return "", "is an old Office file, or an Office file with a password: save it as .docx, .xlsx or .pptx without one"
	case has("\x89PNG\r\n\x1a\n"):
		return ".png", ""
	case has("\xff\xd8\xff"):
		return ".jpg", ""
	case has("II*\x00"), has("MM\x00*"):
		return ".tiff", ""
	case has("\xff\xfe"), has("\xfe\xff"): // UTF-16
		return "", ""
	}
	t, _, _ := strings.Cut(http.DetectContentType(head), ";")
	if !strings.HasPrefix(t, "text/") {
		if t == "application/octet-stream" {
			t = "of an unknown kind"
		}
		return "", "is " + t + ": convert it to PDF or text"
	}
	return "", ""
}

// office tells Word, Excel and PowerPoint files from other archives by what lies in them.
func office(file io.ReaderAt, size int64) (ext, why string) {
	if size > maxOffice {
		return "", fmt.Sprintf("is an archive of more than %d MB: unpack it", maxOffice>>20)
	}
	z, err := zip.NewReader(file, size)
	if err != nil {
		return "", "is a damaged archive: save it again"
	}
	for _, f := range z.File {
		switch f.Name {
		case "word/document.xml":
			return ".docx", ""
		case "xl/workbook.xml", "xl/workbook.bin":
			return ".xlsx", ""
		case "ppt/presentation.xml":
			return ".pptx", ""
		}
	}
	return "", "is an archive: unpack it"
}
