package datasets

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"enterprisedocbench/internal/strict"
)

// maxName is the longest file name, in bytes, that FileName makes before its extension: file
// systems allow 255.
const maxName = 200

// FileName gives the name, without extension, under which a document's file and gold are kept.
// Letters and digits of any script, "-", "_" and "." stay; every other byte and a leading "."
// become %XX, so two IDs never share a name. A name over 200 bytes is cut and ends in a hash.
func FileName(id string) string {
	var b strings.Builder
	for i, r := range id {
		n := utf8.RuneLen(r)
		keep := r == '-' || r == '_' || (r == '.' && i > 0) || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		if r == utf8.RuneError && !strings.HasPrefix(id[i:], "\uFFFD") {
			n, keep = 1, false // an invalid byte
		}
		if keep {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(id[i : i+n]) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	name := b.String()
	if len(name) > maxName {
		cut := maxName - 17
		for !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = fmt.Sprintf("%s~%x", name[:cut], sha256.Sum256([]byte(id)))[:cut+17]
	}
	return name
}

// splitPageID undoes edb.PageID.
func splitPageID(s string) (doc string, page int, ok bool) {
	i := strings.LastIndexByte(s, '#')
	if i <= 0 {
		return "", 0, false
	}
	page, err := strconv.Atoi(s[i+1:])
	return s[:i], page, err == nil && page > 0
}

// EscapeID makes an ID safe as one column of qrels.txt and of a run file: white space, "#", "%", the byte order mark and
// control characters become %XX.
func EscapeID(id string) string {
	var b strings.Builder
	for _, r := range id {
		if r == '#' || r == '%' || r == '\ufeff' || unicode.IsSpace(r) || unicode.IsControl(r) {
			for _, c := range []byte(string(r)) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// unescapeID undoes EscapeID; a "%" that starts no escape stays.
func unescapeID(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

// badID says why an ID cannot be used, or "".
func badID(id string) string {
	switch {
	case id == "":
		return "is empty"
	case !utf8.ValidString(id):
		return "is not UTF-8"
	case len(id) > 1000:
		return "is longer than 1000 bytes"
	case strings.ContainsRune(id, 0):
		return "holds a NUL byte"
	}
	return ""
}

// oneOf lists alternatives: "a, b or c".
var oneOf = strict.OneOf

// cause is the error without the path that the caller names anyway.
func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
