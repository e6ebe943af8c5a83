package parse

import (
	"bytes"
	"errors"
	"fmt"

	"enterprisedocbench"
)

// maxTrace bounds what is read of a document's trace, bytes, and maxLine one line of it.
const (
	maxTrace = 1 << 30
	maxLine  = 1 << 16
)

// tracer reads what mutool trace writes, line by line as it comes: of all that a page draws it keeps the
// paths that are filled or stroked. Structured text has none of them.
type tracer struct {
	of      []rawPage // the pages of the structured text: what is drawn on one that lies askew is turned with it
	pages   []rawPage // with rules, grounds and paths alone
	rest    []byte    // a line that is not whole yet
	size    int64
	skip    int // groups of what is not drawn as it stands: tiles of patterns, masks
	cur     *trail
	hull    edb.Box // of the path, as the page lies
	matrix  [6]float64
	stroked bool
	n       int // paths on this page
}

// Write implements io.Writer; it fails beyond maxTrace bytes.
func (t *tracer) Write(b []byte) (int, error) {
	if t.size += int64(len(b)); t.size > maxTrace {
		return 0, fmt.Errorf("the list of what is drawn is larger than %d MB", maxTrace>>20)
	}
	n := len(b)
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			if len(t.rest)+len(b) <= maxLine {
				t.rest = append(t.rest, b...)
			}
			return n, nil
		}
		if len(t.rest) == 0 {
			t.line(b[:i])
		} else if len(t.rest)+i <= maxLine {
			t.line(append(t.rest, b[:i]...))
		}
		t.rest, b = t.rest[:0], b[i+1:]
	}
}

func (t *tracer) line(b []byte) {
	b = bytes.TrimLeft(b, " ")
	if len(b) < 2 || b[0] != '<' || bytes.HasPrefix(b, []byte("<g ")) { // most lines are glyphs
		return
	}
	end := bytes.IndexAny(b, " >/")
	if b[1] == '/' {
		end = bytes.IndexByte(b, '>')
	}
	if end < 0 {
		return
	}
	switch name := string(b[1:end]); name {
	case "page":
		t.pages = append(t.pages, rawPage{number: len(t.pages) + 1})
		t.cur, t.skip, t.n = nil, 0, 0
	case "tile", "mask":
		t.skip++
	case "/tile", "/mask":
		t.skip = max(0, t.skip-1)
	case "fill_path", "stroke_path":
		t.n++
		if len(t.pages) > 0 && t.skip == 0 && t.n <= maxObjects {
			m := numbers(attribute(b, ` transform="`))
			t.cur, t.matrix, t.stroked = &trail{}, [6]float64(m[:6]), name == "stroke_path"
		}
	case "/fill_path", "/stroke_path":
		if t.cur != nil && t.cur.n > 0 {
			pg := &t.pages[len(t.pages)-1]
			if !pg.draw(t.cur, !t.stroked, t.stroked) {
				pg.paths = append(pg.paths, t.hull)
			}
		}
		t.cur = nil
	case "moveto":
		if t.cur != nil {
			t.cur.move(t.at(b, ` x="`, ` y="`))
		}
	case "lineto":
		if t.cur != nil {
			t.cur.line(t.at(b, ` x="`, ` y="`))
		}
	case "closepath":
		if t.cur != nil {
			t.cur.close()
		}
	case "curveto":
		if t.cur != nil {
			t.cur.bent = true
			t.cur.point(t.at(b, ` x3="`, ` y3="`))
		}
	}
}

// at is a point on the page.
func (t *tracer) at(b []byte, x, y string) [2]float64 {
	px, py, m := numbers(attribute(b, x))[0], numbers(attribute(b, y))[0], t.matrix
	pt := [2]float64{finite(m[0]*px + m[2]*py + m[4]), finite(m[1]*px + m[3]*py + m[5])}
	hull := edb.Box{pt[0], pt[1], pt[0], pt[1]}
	if t.cur.n > 0 {
		hull = union(t.hull, hull)
	}
	t.hull = hull
	if n := len(t.pages); n <= len(t.of) && t.of[n-1].skew != 0 {
		pg := t.of[n-1]
		return turnPoint(pt, -pg.skew, pg.width, pg.height)
	}
	return pt
}

// attribute is the value of an attribute whose name comes with the blank before and the quote after it.
func attribute(b []byte, name string) string {
	_, after, ok := bytes.Cut(b, []byte(name))
	if !ok {
		return ""
	}
	v, _, _ := bytes.Cut(after, []byte(`"`))
	return string(v)
}

// drawn puts what a trace found on the pages of the structured text. It says what is missing.
func (t *tracer) drawn(err error) string {
	for i := range min(len(t.of), len(t.pages)) {
		t.of[i].rules, t.of[i].grounds, t.of[i].paths = t.pages[i].rules, t.pages[i].grounds, t.pages[i].paths
	}
	var pe *Error
	if errors.As(err, &pe) {
		return fmt.Sprintf("drawn lines are known of the first %d pages alone: %v", len(t.pages), err)
	}
	return ""
}
