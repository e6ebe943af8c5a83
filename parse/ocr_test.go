package parse

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/image/tiff"
)

// Pictures that say they are enormous are refused before they are unpacked; ones that say they are large
// and hold little are damaged.
func TestHugePictures(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 12, 9))
	var p, j, f bytes.Buffer
	if err := png.Encode(&p, img); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&j, img, nil); err != nil {
		t.Fatal(err)
	}
	if err := tiff.Encode(&f, img, nil); err != nil {
		t.Fatal(err)
	}
	// sized says in a picture's head that it is w by h dots.
	asPNG := func(w, h int) []byte {
		b := bytes.Clone(p.Bytes())
		binary.BigEndian.PutUint32(b[16:], uint32(w))
		binary.BigEndian.PutUint32(b[20:], uint32(h))
		return withCRC(b)
	}
	asJPEG := func(w, h int) []byte {
		b := bytes.Clone(j.Bytes())
		at := bytes.Index(b, []byte{0xff, 0xc0})
		binary.BigEndian.PutUint16(b[at+5:], uint16(h))
		binary.BigEndian.PutUint16(b[at+7:], uint16(w))
		return b
	}
	asTIFF := func(w, h int) []byte {
		b := bytes.Clone(f.Bytes())
		dir := binary.LittleEndian.Uint32(b[4:])
		for n := range int(binary.LittleEndian.Uint16(b[dir:])) {
			e := b[int(dir)+2+12*n:]
			if tag := binary.LittleEndian.Uint16(e); tag == 256 || tag == 257 {
				binary.LittleEndian.PutUint16(e[2:], 4)
				binary.LittleEndian.PutUint32(e[8:], uint32([]int{w, h}[tag-256]))
			}
		}
		return b
	}
	for _, c := range []struct {
		name string
		b    []byte
		kind string
	}{
		{"a small PNG", asPNG(12, 9), ""}, {"a small JPEG", asJPEG(12, 9), ""}, {"a small TIFF", asTIFF(12, 9), ""},
		{"an enormous PNG", asPNG(65536, 65536), TooLarge}, {"an enormous JPEG", asJPEG(65535, 65535), TooLarge}, {"an enormous TIFF", asTIFF(1<<20, 1<<11), TooLarge},
		{"a PNG of one long line", asPNG(1<<30, 1), TooLarge},
		{"a large PNG without dots", asPNG(4096, 4096), Damaged}, {"a large JPEG without dots", asJPEG(4096, 4096), Damaged}, {"a large TIFF without dots", asTIFF(4096, 4096), Damaged},
	} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, c.b, 0o600); err != nil {
			t.Fatal(err)
		}
		seen := false
		_, _, err := ocr(t.Context(), Source{Path: path}, nil, 72, func(context.Context, *image.Gray, *rawPage) error { seen = true; return nil })
		if kindOf(err) != c.kind || seen != (c.kind == "") {
			t.Errorf("%s: %v, handed on: %v, want %q", c.name, err, seen, c.kind)
		}
	}
}

// withCRC mends the check sum of a PNG's head.
func withCRC(b []byte) []byte {
	binary.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29]))
	return b
}
