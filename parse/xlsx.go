package parse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"enterprisedocbench"
)

// Xlsx reads Excel workbooks (Office Open XML). Each visible sheet is a page that begins with the
// sheet's name as a heading; blocks of rows parted by empty rows are tables of the values as they are
// shown, merged cells with their spans, and a block of one cell a row is paragraphs. Formulas give
// the value that was saved with them. Errors are Missing, Damaged, Encrypted or TooLarge.
type Xlsx struct{}

var _ Parser = Xlsx{}

// maxCells bounds what is read of a workbook.
const maxCells = 2_000_000

// Parse implements Parser.
func (Xlsx) Parse(ctx context.Context, src Source) (edb.Parsed, error) {
	return parseBytes(ctx, src, parseXlsx)
}

func parseXlsx(b []byte) (edb.Parsed, error) {
	if _, err := openOffice(b); err != nil {
		return edb.Parsed{}, err
	}
	f, err := excelize.OpenReader(bytes.NewReader(b), excelize.Options{UnzipSizeLimit: maxWholeZip, UnzipXMLSizeLimit: maxPart})
	if err != nil {
		if errors.Is(err, excelize.ErrWorkbookPassword) {
			return edb.Parsed{}, fail(Encrypted, "password required")
		}
		if strings.Contains(err.Error(), "unzip size exceeds") {
			return edb.Parsed{}, fail(TooLarge, "the workbook: %w", err)
		}
		return edb.Parsed{}, fail(Damaged, "the workbook: %w", err)
	}
	defer f.Close()
	out := edb.Parsed{Engine: Spec{Engine: "xlsx"}.Label(), Paged: true}
	cells := 0
	for _, sheet := range f.GetSheetList() {
		if shown, err := f.GetSheetVisible(sheet); err == nil && !shown {
			out.Warnings = append(out.Warnings, fmt.Sprintf("the sheet %q is hidden: left out", sheet))
			continue
		}
		number := len(out.Pages) + 1
		pg := edb.Page{Number: number}
		add := func(e edb.Element) {
			e.ID = fmt.Sprintf("p%de%d", number, len(pg.Elements)+1)
			pg.Elements = append(pg.Elements, e)
		}
		add(edb.Element{Kind: edb.KindHeading, Level: 1, Text: squeeze(sheet)})
		rows, err := sheetRows(f, sheet, &cells)
		if err != nil {
			var pe *Error
			if errors.As(err, &pe) {
				return edb.Parsed{}, err
			}
			out.Warnings = append(out.Warnings, fmt.Sprintf("the sheet %q cannot be read: %v", sheet, err))
		}
		merged, err := f.GetMergeCells(sheet)
		if err != nil {
			out.Warnings = append(out.Warnings, fmt.Sprintf("the merged cells of the sheet %q cannot be read: %v", sheet, err))
		}
		spans := mergedSpans(merged)
		for from := 0; from < len(rows); {
			if len(rows[from]) == 0 {
				from++
				continue
			}
			to := from
			for to < len(rows) && len(rows[to]) > 0 {
				to++
			}
			for _, e := range sheetBlock(rows[from:to], from, spans) {
				add(e)
			}
			from = to
		}
		pg.NoText = len(pg.Elements) == 1 && pg.Elements[0].Text == ""
		out.Pages = append(out.Pages, pg)
	}
	if len(out.Pages) == 0 {
		return edb.Parsed{}, fail(Damaged, "the workbook has no sheet that is shown")
	}
	return out, nil
}

// sheetRows are the values of a sheet as shown; a row without any is empty.
func sheetRows(f *excelize.File, sheet string, cells *int) ([][]string, error) {
	it, err := f.Rows(sheet)
	if err != nil {
		return nil, err
	}
	defer it.Close()
	var rows [][]string
	for it.Next() {
		row, err := it.Columns()
		if err != nil {
			return rows, err
		}
		used := 0
		for i := range row {
			if row[i] = squeeze(strings.ToValidUTF8(row[i], "\uFFFD")); row[i] != "" {
				used = i + 1
			}
		}
		rows = append(rows, row[:used])
		if *cells += used + 1; *cells > maxCells {
			return nil, fail(TooLarge, "the workbook has more than %d cells", maxCells)
		}
	}
	return rows, it.Error()
}

// mergedSpans are the merged cells by row and column from 0: rows and columns that each covers.
func mergedSpans(merged []excelize.MergeCell) map[[2]int][2]int {
	out := map[[2]int][2]int{}
	for _, m := range merged {
		x0, y0, err0 := excelize.CellNameToCoordinates(m.GetStartAxis())
		x1, y1, err1 := excelize.CellNameToCoordinates(m.GetEndAxis())
		if err0 != nil || err1 != nil || x1 < x0 || y1 < y0 || x1-x0 >= maxSpan || y1-y0 >= maxSpan {
			continue
		}
		out[[2]int{y0 - 1, x0 - 1}] = [2]int{y1 - y0 + 1, x1 - x0 + 1}
	}
	return out
}

// sheetBlock makes a table of rows without an empty one between them, the first of which is row
// first of the sheet; columns empty in all of them at the left and right go. One column is
// paragraphs.
func sheetBlock(rows [][]string, first int, spans map[[2]int][2]int) []edb.Element {
	left, right := 1<<30, 0
	for _, r := range rows {
		for i, c := range r {
			if c != "" {
				left, right = min(left, i), max(right, i+1)
			}
		}
	}
	if right-left == 1 {
		var out []edb.Element
		for _, r := range rows {
			out = append(out, edb.Element{Kind: edb.KindParagraph, Text: r[left]})
		}
		return out
	}
	covered := map[[2]int]bool{}
	var t htmlTable
	for y, r := range rows {
		var row []htmlCell
		for x := left; x < right; x++ {
			at := [2]int{first + y, x}
			if covered[at] {
				continue
			}
			c := htmlCell{rowspan: 1, colspan: 1}
			if x < len(r) {
				c.text = r[x]
			}
			if s, ok := spans[at]; ok {
				c.rowspan, c.colspan = min(s[0], len(rows)-y), min(s[1], right-x)
				for dy := range c.rowspan {
					for dx := range c.colspan {
						covered[[2]int{at[0] + dy, at[1] + dx}] = true
					}
				}
			}
			row = append(row, c)
		}
		t.rows = append(t.rows, row)
	}
	return []edb.Element{{Kind: edb.KindTable, Text: t.text(), HTML: t.html()}}
}
