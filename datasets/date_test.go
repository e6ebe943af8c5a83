package datasets

import (
	"strings"
	"testing"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/xmltree"
)

func TestDatesOfSources(t *testing.T) {
	for _, c := range []struct {
		name     string
		of       func(string) string
		in, want string
	}{
		{"day", compactDate, "20150106", "2015-01-06"}, {"day and time", compactDate, "20101101123000+0000", "2010-11-01"},
		{"month", compactDate, "201503", "2015-03"}, {"year", compactDate, " 1989 ", "1989"},
		{"no month 13", compactDate, "20151301", ""}, {"no day 31", compactDate, "20150231", ""}, {"no number", compactDate, "soon", ""},
		{"words", wordsDate, "25 September 2025", "2025-09-25"}, {"day with zero", wordsDate, "05  May 2025", "2025-05-05"},
		{"month in words", wordsDate, "May 2025", "2025-05"}, {"no words", wordsDate, "2025?", ""},
		{"arXiv", arxivDate, "1401.6921", "2014-01"}, {"arXiv with version", arxivDate, "2201.00037v2", "2022-01"},
		{"old arXiv", arxivDate, "hep-th/9901001", "1999-01"}, {"no arXiv", arxivDate, "GeoTopo-book", ""}, {"arXiv month 13", arxivDate, "1413.0001", ""},
		{"accession", accessionDate, "0000320193-24-000123", "2024"}, {"old accession", accessionDate, "0000320193-96-000023", "1996"}, {"no accession", accessionDate, "0000320193", ""},
		{"exhibit", exhibitDate, "ADAMSGOLFINC_03_21_2005-EX-10.17-ENDORSEMENT AGREEMENT", "2005-03-21"},
		{"exhibit of the other form", exhibitDate, "AzulSa_20170303_F-1A_EX-10.3_9943903_EX-10.3_Maintenance", "2017-03-03"},
		{"no exhibit", exhibitDate, "contract", ""}, {"exhibit of no day", exhibitDate, "X_13_41_2005-EX", ""},
	} {
		if got := c.of(c.in); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.name, c.in, got, c.want)
		}
	}
}

func TestJATSDateIsTheFirst(t *testing.T) {
	for _, c := range []struct{ dates, want string }{
		{`<pub-date date-type="pub"><day>31</day><month>07</month><year>2014</year></pub-date><pub-date pub-type="collection"><year>2014</year></pub-date>`, "2014-07-31"},
		{`<pub-date><year>2014</year></pub-date><pub-date><day>1</day><month>7</month><year>2014</year></pub-date>`, "2014-07-01"},
		{`<pub-date><year>2016</year><month>8</month></pub-date><pub-date><year>2016</year><month>4</month></pub-date>`, "2016-04"},
		{`<pub-date><year>soon</year></pub-date>`, ""},
		{``, ""},
	} {
		root, err := xmltree.Read([]byte(`<article><front><article-meta>`+c.dates+`</article-meta></front></article>`), "article")
		must(t, err)
		if got := jatsDate(root); got != c.want {
			t.Errorf("%s: %q, want %q", c.dates, got, c.want)
		}
	}
}

func TestDateOfADocumentIsChecked(t *testing.T) {
	for date, ok := range map[string]bool{"": true, "2026": true, "2026-03": true, "2026-02-28": true, "2026-02-30": false, "26-02-01": false, "March 2026": false, "2026-3-1": false} {
		faults := documentFaults(edb.Document{ID: "a", Path: "files/a.txt", Date: date, Licence: licence})
		if (len(faults) == 0) != ok {
			t.Errorf("date %q: %v", date, faults)
		}
		if !ok && !strings.Contains(faults[0].Fix, "2026-03-01, 2026-03 or 2026") {
			t.Errorf("date %q: %v", date, faults)
		}
	}
}

func FuzzDates(f *testing.F) {
	for _, s := range []string{"20150106", "1401.6921", "0000320193-24-000123", "X_03_21_2005-EX", "A_20170303_", "5 May 2025"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, of := range []func(string) string{compactDate, wordsDate, arxivDate, accessionDate, exhibitDate} {
			if d := of(s); d != "" && !validDate(d) {
				t.Errorf("%q gives %q", s, d)
			}
		}
	})
}
