package parse

import (
	"bytes"
	"context"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/charmap"

	"enterprisedocbench"
)

// parseBytes reads a file whole and hands it to a parser of bytes.
func parseBytes(ctx context.Context, src Source, parse func([]byte) (edb.Parsed, error)) (edb.Parsed, error) {
	if err := ctx.Err(); err != nil {
		return edb.Parsed{}, err
	}
	b, err := read(src.Path)
	if err != nil {
		return edb.Parsed{}, err
	}
	if bytes.HasPrefix(bytes.TrimSpace(b[:min(len(b), 1024)]), []byte("%PDF-")) { // which may be all in the clear
		return edb.Parsed{}, fail(Damaged, "the file is a PDF: name an engine that reads one")
	}
	p, err := parse(b)
	if err != nil {
		return edb.Parsed{}, err
	}
	p.Doc = src.Doc.ID
	return p, ctx.Err()
}

// decode gives text from bytes of UTF-8, UTF-16 with a mark, or (with a warning) Windows-1252, the
// superset of Latin-1. Line ends become \n. Bytes that are no text are a Damaged error.
func decode(b []byte) (text, warning string, err error) {
	s, warning, err := decodeAs(b, func([]byte) (string, string) {
		r, _ := charmap.Windows1252.NewDecoder().Bytes(b)
		return string(r), "not UTF-8: read as Latin-1 (Windows-1252)"
	})
	return unixLines(s), warning, err
}

// decodeHTML is decode, but what is not UTF-8 is read in the encoding that the document declares.
func decodeHTML(b []byte) (text, warning string, err error) {
	return decodeAs(b, func(b []byte) (string, string) {
		enc, name, _ := charset.DetermineEncoding(b, "")
		r, err := enc.NewDecoder().Bytes(b)
		if err != nil || !utf8.Valid(r) {
			r, _ = charmap.Windows1252.NewDecoder().Bytes(b)
			name = "windows-1252"
		}
		return string(r), "not UTF-8: read as " + name
	})
}

func decodeAs(b []byte, other func([]byte) (string, string)) (text, warning string, err error) {
	switch {
	case bytes.HasPrefix(b, []byte{0xEF, 0xBB, 0xBF}):
		b = b[3:]
	case bytes.HasPrefix(b, []byte{0xFF, 0xFE}):
		return withoutNUL(utf16Text(b[2:], binary.LittleEndian)), "", nil
	case bytes.HasPrefix(b, []byte{0xFE, 0xFF}):
		return withoutNUL(utf16Text(b[2:], binary.BigEndian)), "", nil
	}
	control := 0
	for _, c := range b {
		if c < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != '\v' || c == 127 {
			control++
		}
	}
	if control*20 > len(b) {
		return "", "", fail(Damaged, "the file is not text: %d of its %d bytes are control bytes", control, len(b))
	}
	if utf8.Valid(b) {
		text = string(b)
	} else {
		text, warning = other(b)
	}
	if control > 0 {
		text = withoutNUL(text)
	}
	return text, warning, nil
}

func withoutNUL(s string) string { return strings.ReplaceAll(s, "\x00", "") }

func utf16Text(b []byte, order binary.ByteOrder) string {
	u := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		u = append(u, order.Uint16(b[i:]))
	}
	return string(utf16.Decode(u))
}

// unixLines turns \r\n and lone \r into \n.
func unixLines(s string) string {
	b := []byte(s)
	if bytes.IndexByte(b, '\r') < 0 {
		return s
	}
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	return string(bytes.ReplaceAll(b, []byte("\r"), []byte("\n")))
}
