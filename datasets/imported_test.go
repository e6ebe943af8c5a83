package datasets

import (
	"context"
	"testing"

	edb "enterprisedocbench"
)

// manySheets stands in for a parser: pages enough for every page that a collection names, of a size that
// holds every box.
func manySheets(context.Context, string) (edb.Parsed, error) {
	p := edb.Parsed{Engine: "many@1", Paged: true}
	for n := range 400 {
		p.Pages = append(p.Pages, edb.Page{Number: n + 1})
	}
	return p, nil
}

// Dates and licences that the collections themselves state; the dates of the first and the last document
// were looked up in the files by hand.
func TestImportedDatesAndAnnotations(t *testing.T) {
	for _, c := range []struct {
		name, from, to, annotations string
		missing                     int
	}{
		{"uspto", "2001-03-15", "2015-01-06", "", 0},
		{"fda_spl", "2010-07-28", "2013-09-30", "", 0},
		{"gao", "2006-02-01", "2007-02-01", "", 1},
		{"stackexchange", "2018-03-12", "2018-09-01", "CC-BY-SA-3.0 AND CC-BY-SA-4.0", 0},
		{"edgar_html", "2023", "2024", "MIT", 0},
		{"cuad", "1996-08-01", "2020-07-06", "CC-BY-4.0", 0},
		{"docbank", "2014-01", "2018-09", "Apache-2.0", 0},
		{"text_extraction", "2016-01", "2022-01", "BSD-3-Clause", 1},
		{"s2orc", "2000", "2017", "", 3},
		{"finqa", "2001", "2019", "MIT", 0},
		{"vaswani", "", "", "LicenseRef-free-test-collection", 11429},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := imported(t, c.name, ImportOptions{Parse: manySheets})
			got, err := Describe(DescribeOptions{}, d)
			must(t, err)
			if want := (Dates{c.from, c.to, len(d.Documents) - c.missing, c.missing}); got.Dates != want {
				t.Errorf("dates %+v, want %+v", got.Dates, want)
			}
			switch a := d.Info.Annotations; {
			case a == nil && c.annotations != "", a != nil && a.SPDX != c.annotations:
				t.Errorf("annotations %+v, want %q", a, c.annotations)
			}
		})
	}
}
