package parse

import (
	"bytes"
	"regexp"
	"strconv"
)

// What is wrong with the structure of a PDF though it can be read. PDFium mends these in silence; a
// file that says so is one that its sender should know of.

var (
	prevEntry  = regexp.MustCompile(`/Prev[ \t\r\n]+(\d{1,12})`)
	pagesNode  = regexp.MustCompile(`/Type[ \t\r\n]*/Pages\b`)
	objectHead = regexp.MustCompile(`(?:^|[\r\n])(\d{1,9})[ \t]+\d{1,5}[ \t]+obj\b`)
	kidsEntry  = regexp.MustCompile(`/Kids[ \t\r\n]*\[([^\]]*)\]`)
	reference  = regexp.MustCompile(`(\d{1,9})[ \t\r\n]+\d{1,5}[ \t\r\n]+R\b`)
)

const (
	maxSections = 1000    // sections of cross references that are followed
	maxTrailer  = 1 << 16 // bytes in which a section's dictionary is looked for
	maxTreeFile = 1 << 25 // bytes of a file whose page tree is looked at
)

// xrefLoop says whether a section of cross references names an earlier one that was followed already.
func xrefLoop(b []byte) bool {
	tail := b[max(0, len(b)-2048):]
	i := bytes.LastIndex(tail, []byte("startxref"))
	if i < 0 {
		return false
	}
	at, ok := leadingNumber(tail[i+len("startxref"):])
	seen := map[int]bool{}
	for n := 0; ok && at >= 0 && at < len(b) && n < maxSections; n++ {
		if seen[at] {
			return true
		}
		seen[at] = true
		section := b[at:]
		if bytes.HasPrefix(section, []byte("xref")) {
			t := bytes.Index(section, []byte("trailer"))
			if t < 0 {
				return false
			}
			section = section[t:]
		}
		section = section[:min(len(section), maxTrailer)]
		for _, end := range []string{"startxref", "stream"} {
			if e := bytes.Index(section, []byte(end)); e >= 0 {
				section = section[:e]
			}
		}
		m := prevEntry.FindSubmatch(section)
		if m == nil {
			return false
		}
		at, ok = leadingNumber(m[1])
	}
	return false
}

func leadingNumber(b []byte) (int, bool) {
	b = bytes.TrimLeft(b, " \t\r\n")
	n := 0
	for n < len(b) && n < 12 && b[n] >= '0' && b[n] <= '9' {
		n++
	}
	v, err := strconv.Atoi(string(b[:n]))
	return v, err == nil
}

// pageTreeCycle says whether a node of the page tree is among its own descendants, as far as the nodes
// stand in the clear and not in compressed objects.
func pageTreeCycle(b []byte) bool {
	if len(b) > maxTreeFile {
		return false
	}
	kids := map[string][]string{}
	heads := objectHead.FindAllSubmatchIndex(b, -1)
	for i, h := range heads {
		end := len(b)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		body := b[h[1]:min(end, h[1]+1<<17)]
		if !pagesNode.Match(body) {
			continue
		}
		id := string(b[h[2]:h[3]])
		kids[id] = nil // a later object of the same number takes the place of an earlier one
		if m := kidsEntry.FindSubmatch(body); m != nil {
			for _, r := range reference.FindAllSubmatch(m[1], -1) {
				kids[id] = append(kids[id], string(r[1]))
			}
		}
	}
	const (
		open   = 1
		closed = 2
	)
	state := map[string]int{}
	var cycle func(id string) bool
	cycle = func(id string) bool {
		state[id] = open
		for _, k := range kids[id] {
			if _, node := kids[k]; !node || state[k] == closed {
				continue
			}
			if state[k] == open || len(state) < 100000 && cycle(k) {
				return true
			}
		}
		state[id] = closed
		return false
	}
	for id := range kids {
		if state[id] == 0 && cycle(id) {
			return true
		}
	}
	return false
}
