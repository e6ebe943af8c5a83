package parse

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Bounds of an Office Open XML package: a small file may unfold into an enormous one.
const (
	maxParts     = 10_000
	maxPart      = 128 << 20 // bytes of one part, unpacked
	maxWholeZip  = 512 << 20 // bytes of all parts that are read
	maxXMLDepth  = 500
	maxXMLNodes  = 5_000_000
	oleSignature = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"
)

// officePackage is an opened package: parts by name.
type officePackage struct {
	parts map[string]*zip.File
	read  int64
}

// openOffice opens a package. A file in the old binary container is encrypted or of an old format.
func openOffice(b []byte) (*officePackage, error) {
	if bytes.HasPrefix(b, []byte(oleSignature)) {
		return nil, fail(Encrypted, "the file is encrypted, or of a format before Office 2007: save it anew without a password")
	}
	z, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, fail(Damaged, "the file is no Office package: %w", err)
	}
	if len(z.File) > maxParts {
		return nil, fail(TooLarge, "the package has %d parts, more than %d", len(z.File), maxParts)
	}
	p := &officePackage{parts: map[string]*zip.File{}}
	for _, f := range z.File {
		p.parts[strings.TrimPrefix(f.Name, "/")] = f
	}
	return p, nil
}

// part unpacks one part; nil without error where there is none.
func (p *officePackage) part(name string) ([]byte, error) {
	f := p.parts[name]
	if f == nil {
		return nil, nil
	}
	r, err := f.Open()
	if err != nil {
		return nil, fail(Damaged, "%s: %w", name, err)
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, maxPart+1))
	p.read += int64(len(b))
	switch {
	case len(b) > maxPart || p.read > maxWholeZip:
		return nil, fail(TooLarge, "%s unpacks to more than %d MB", name, int64(maxPart)>>20)
	case err != nil:
		return nil, fail(Damaged, "%s: %w", name, err)
	}
	return b, nil
}

// node is an XML element: its local name, attributes by local name, children, and the text directly
// in it.
type node struct {
	name string
	attr map[string]string
	kids []*node
	text string
}

// tree reads one part as XML; nil without error where there is no such part.
func (p *officePackage) tree(name string) (*node, error) {
	b, err := p.part(name)
	if err != nil || b == nil {
		return nil, err
	}
	d := xml.NewDecoder(bytes.NewReader(b))
	d.CharsetReader = func(charset string, r io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("the encoding %q is none that Office writes", charset)
	}
	root := &node{}
	stack := []*node{root}
	count := 0
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fail(Damaged, "%s: %w", name, err)
		}
		top := stack[len(stack)-1]
		switch e := t.(type) {
		case xml.StartElement:
			if count++; count > maxXMLNodes || len(stack) > maxXMLDepth {
				return nil, fail(TooLarge, "%s has more than %d elements or is nested deeper than %d", name, maxXMLNodes, maxXMLDepth)
			}
			n := &node{name: e.Name.Local}
			if len(e.Attr) > 0 {
				n.attr = make(map[string]string, len(e.Attr))
				for _, a := range e.Attr {
					n.attr[a.Name.Local] = a.Value
				}
			}
			top.kids = append(top.kids, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.text += string(e)
		}
	}
	if len(root.kids) == 0 {
		return nil, fail(Damaged, "%s is empty", name)
	}
	return root.kids[0], nil
}

// child goes down by names, always to the first of the name; nil where the way ends.
func (n *node) child(names ...string) *node {
	for _, name := range names {
		if n == nil {
			return nil
		}
		var next *node
		for _, k := range n.kids {
			if k.name == name {
				next = k
				break
			}
		}
		n = next
	}
	return n
}

// val is the attribute val of a child; "" where there is none.
func (n *node) val(names ...string) string {
	if c := n.child(names...); c != nil {
		return c.attr["val"]
	}
	return ""
}

// on says whether a switch is there and not switched off.
func (n *node) on(names ...string) bool {
	c := n.child(names...)
	if c == nil {
		return false
	}
	v := strings.ToLower(c.attr["val"])
	return v != "0" && v != "false" && v != "off" && v != "none"
}

// related gives the names of the parts that a part points at, by the last word of the relation.
func (p *officePackage) related(part string) (map[string][]string, error) {
	dir, file := path.Split(part)
	rels, err := p.tree(dir + "_rels/" + file + ".rels")
	if err != nil || rels == nil {
		return nil, err
	}
	out := map[string][]string{}
	for _, r := range rels.kids {
		if r.attr["TargetMode"] == "External" {
			continue
		}
		target := r.attr["Target"]
		if !strings.HasPrefix(target, "/") {
			target = path.Join("/"+dir, target)
		}
		kind := path.Base(r.attr["Type"])
		out[kind] = append(out[kind], strings.TrimPrefix(path.Clean(target), "/"))
	}
	return out, nil
}
