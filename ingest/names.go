package ingest

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"enterprisedocbench/datasets"
)

// maxID is the longest document ID made of a path, in bytes.
const maxID = 400

// name gives every file its document ID: its path in the folder, since that is what its owner calls
// it. Control characters and bytes that are no UTF-8 become %XX, a very long path is cut and ends in
// a hash. IDs that would differ in letter case only get ~2, ~3, ... in the order of the paths.
func name(files []file) {
	taken := map[string]bool{}
	for i := range files {
		id := plainID(files[i].path)
		try := id
		for n := 2; taken[fold(try)]; n++ {
			try = fmt.Sprintf("%s~%d", id, n)
		}
		taken[fold(try)] = true
		files[i].id = try
	}
}

// fold is the form in which file names of a dataset must differ: some file systems see no case.
func fold(id string) string { return strings.ToLower(datasets.FileName(id)) }

func plainID(p string) string {
	var b strings.Builder
	for i, r := range p {
		n := utf8.RuneLen(r)
		bad := unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
		if r == utf8.RuneError && !strings.HasPrefix(p[i:], "\uFFFD") {
			n, bad = 1, true
		}
		if !bad {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(p[i : i+n]) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	id := b.String()
	if len(id) > maxID {
		cut := maxID - 17
		for !utf8.RuneStart(id[cut]) {
			cut--
		}
		id = fmt.Sprintf("%s~%.8x", id[:cut], sha256.Sum256([]byte(p)))
	}
	return id
}
