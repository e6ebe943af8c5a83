package ingest

import (
	"archive/zip"
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"enterprisedocbench/datasets"
)

// archive makes a zip file that holds empty files of the names.
func archive(t *testing.T, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, n := range names {
		if _, err := z.Create(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestKindOf(t *testing.T) {
	page := []byte("<!DOCTYPE html><html><body>Not found</body></html>")
	pdfHead := []byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj")
	tests := []struct {
		name, file string
		bytes      []byte
		ext, why   string // why: a part of it
	}{
		{"a PDF", "a.pdf", pdfHead, ".pdf", ""},
		{"a PDF in capitals", "A.PDF", pdfHead, ".pdf", ""},
		{"a PDF after rubbish", "a.pdf", append([]byte("rubbish\n"), pdfHead...), ".pdf", ""},
		{"a PDF without extension", "scan", pdfHead, ".pdf", ""},
		{"a PDF with an extension nobody knows", "scan.2024", pdfHead, ".pdf", ""},
		{"a PDF named .txt", "a.txt", pdfHead, "", "is named .txt but is application/pdf"},
		{"a web page named .pdf", "a.pdf", page, "", "is named .pdf but is a web page"},
		{"text named .pdf", "a.pdf", []byte("hello there"), "", "is named .pdf but is plain text"},
		{"a picture named .pdf", "a.pdf", []byte("\xff\xd8\xff\xe0\x00\x10JFIF"), "", "is named .pdf but is image/jpeg"},
		{"a web page", "a.htm", page, ".html", ""},
		{"a fragment of a web page", "a.html", []byte("plain words"), ".html", ""},
		{"a web page named .txt", "a.txt", page, ".html", ""},
		{"an XHTML filing", "a.xml", []byte(`<?xml version="1.0"?><html xmlns="x">`), ".html", ""},
		{"XML", "a.xml", []byte(`<?xml version="1.0"?><article/>`), ".xml", ""},
		{"Markdown that begins as HTML", "a.md", []byte("<div>x</div>\n# T"), ".md", ""},
		{"text", "a.txt", []byte("Grüße"), ".txt", ""},
		{"text without extension", "README", []byte("hello"), ".txt", ""},
		{"UTF-16 text", "a.txt", []byte("\xff\xfeh\x00i\x00"), ".txt", ""},
		{"source code", "a.go", []byte("package a"), "", "is text of a kind that is not taken (.go)"},
		{"rubbish", "a.bin", []byte{0, 1, 2, 3}, "", "of an unknown kind"},
		{"rubbish named .txt", "a.txt", []byte{0, 1, 2, 3}, "", "of an unknown kind"},
		{"a PNG", "a.png", []byte("\x89PNG\r\n\x1a\n0000"), ".png", ""},
		{"a TIFF", "a.tif", []byte("II*\x00abcd"), ".tiff", ""},
		{"a sound", "a.wav", []byte("RIFF\x00\x00\x00\x00WAVEfmt "), "", "convert it to PDF or text"},
		{"an old Office file", "a.doc", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "", "old Office file"},
		{"Word", "a.docx", archive(t, "[Content_Types].xml", "word/document.xml"), ".docx", ""},
		{"Excel", "a.xlsx", archive(t, "xl/workbook.xml"), ".xlsx", ""},
		{"PowerPoint", "a.pptx", archive(t, "ppt/presentation.xml"), ".pptx", ""},
		{"Excel named .docx", "a.docx", archive(t, "xl/workbook.xml"), "", "is named .docx but is"},
		{"an archive", "a.zip", archive(t, "a.txt"), "", "is an archive: unpack it"},
		{"half an archive", "a.docx", archive(t, "word/document.xml")[:30], "", "damaged archive"},
		{"data", "a.csv", []byte("a,b\n1,2"), ".csv", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			ext, why := kindOf(tt.file, tt.bytes[:min(len(tt.bytes), headSize)], bytes.NewReader(tt.bytes), int64(len(tt.bytes)))
			if ext != tt.ext || (tt.why == "") != (why == "") || !strings.Contains(why, tt.why) {
				t.Errorf("got %q, %q; want %q, %q", ext, why, tt.ext, tt.why)
			}
			if ext != "" && datasets.MIMEOf(ext) == "" {
				t.Errorf("a dataset holds no %s", ext)
			}
		})
	}
}

func TestEveryExtensionIsOneOfADataset(t *testing.T) {
	for from, to := range extensions {
		if datasets.MIMEOf(to) == "" {
			t.Errorf("%s is kept as %s, which a dataset does not hold", from, to)
		}
	}
}

// FuzzKindOf: a file has an extension to keep it under, or words on why it cannot be taken.
func FuzzKindOf(f *testing.F) {
	var z bytes.Buffer
	w := zip.NewWriter(&z)
	if _, err := w.Create("word/document.xml"); err != nil {
		f.Fatal(err)
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	f.Add("a.docx", z.Bytes())
	f.Add("a.pdf", []byte("\n%PDF-1.4"))
	f.Add("a.txt", []byte("<!DOCTYPE html><p>x"))
	f.Add("a", []byte("\xff\xfea\x00"))
	f.Fuzz(func(t *testing.T, name string, b []byte) {
		ext, why := kindOf(name, b[:min(len(b), headSize)], bytes.NewReader(b), int64(len(b)))
		if (ext == "") == (why == "") {
			t.Fatalf("%q and %q", ext, why)
		}
		if ext != "" && !slices.Contains(slices.Collect(maps.Values(extensions)), ext) && ext != ".json" && ext != ".csv" {
			t.Fatalf("kept under %q", ext)
		}
	})
}
