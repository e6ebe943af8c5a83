package parse

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/klippa-app/go-pdfium/requests"
)

// PickPages starts PDFium and gives a function that makes a PDF of some pages of the PDF at path, in
// the order of their numbers (from 1), text layer and pictures as they are. The same file and pages
// give the same bytes. It works in this process: for files that are vouched for. The function must
// not be called from several goroutines.
func PickPages() (func(ctx context.Context, path string, pages ...int) ([]byte, error), error) {
	m, err := startPdfium()
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, path string, pages ...int) ([]byte, error) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		file, err := read(path)
		if err != nil {
			return nil, err
		}
		return m.pick(file, pages)
	}, nil
}

func (m *pdfiumModule) pick(file []byte, pages []int) ([]byte, error) {
	if len(pages) == 0 {
		return nil, fmt.Errorf("no page is named")
	}
	src, err := m.lib.OpenDocument(&requests.OpenDocument{File: &file})
	if err != nil {
		return nil, fail(Damaged, "the PDF cannot be opened: %w", err)
	}
	defer m.lib.FPDF_CloseDocument(&requests.FPDF_CloseDocument{Document: src.Document})
	dst, err := m.lib.FPDF_CreateNewDocument(&requests.FPDF_CreateNewDocument{})
	if err != nil {
		return nil, err
	}
	defer m.lib.FPDF_CloseDocument(&requests.FPDF_CloseDocument{Document: dst.Document})
	var list []string
	for _, n := range pages {
		list = append(list, strconv.Itoa(n))
	}
	which := strings.Join(list, ",")
	if _, err := m.lib.FPDF_ImportPages(&requests.FPDF_ImportPages{Source: src.Document, Destination: dst.Document, PageRange: &which}); err != nil {
		return nil, fmt.Errorf("page %s: %w", which, err)
	}
	var out bytes.Buffer
	if _, err := m.lib.FPDF_SaveAsCopy(&requests.FPDF_SaveAsCopy{Document: dst.Document, FileWriter: &out}); err != nil {
		return nil, err
	}
	return named(out.Bytes()), nil
}

// fileID is the name that PDFium draws at random for a file that it writes.
var fileID = regexp.MustCompile(`/ID\[<[0-9A-F]{32}><[0-9A-F]{32}>\]>>\s+startxref\s`)

// named puts a name made of the content into the place of a drawn one.
func named(pdf []byte) []byte {
	at := fileID.FindIndex(pdf)
	if at == nil {
		return pdf
	}
	sum := sha256.Sum256(pdf[:at[0]])
	id := fmt.Sprintf("%X", sum[:16])
	copy(pdf[at[0]:], "/ID[<"+id+"><"+id+">]")
	return pdf
}
