package datasets

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"enterprisedocbench/internal/xmltree"
)

// validDate reports whether s is a day, month or year: 2026-03-01, 2026-03 or 2026.
func validDate(s string) bool {
	for _, layout := range []string{"2006-01-02", "2006-01", "2006"} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// dateOf writes a date as far as it is known: month and day may be 0. What is no date is "".
func dateOf(year, month, day int) string {
	s := fmt.Sprintf("%04d", year)
	if month > 0 {
		s += fmt.Sprintf("-%02d", month)
		if day > 0 {
			s += fmt.Sprintf("-%02d", day)
		}
	}
	if year < 1000 || !validDate(s) {
		return ""
	}
	return s
}

var dateDigits = regexp.MustCompile(`^(\d{4})(\d\d)?(\d\d)?`)

// compactDate reads 20260301 and what follows it, 202603 or 2026.
func compactDate(s string) string {
	m := dateDigits.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return ""
	}
	return dateOf(number(m[1]), number(m[2]), number(m[3]))
}

// number is that of digits, 0 where there are none.
func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// wordsDate reads 1 March 2026 and March 2026.
func wordsDate(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if t, err := time.Parse("2 January 2006", s); err == nil {
		return t.Format("2006-01-02")
	}
	if t, err := time.Parse("January 2006", s); err == nil {
		return t.Format("2006-01")
	}
	return ""
}

var arxivID = regexp.MustCompile(`(?:^|/)(\d\d)(\d\d)(?:\.\d{4,5}|\d{3})(?:v\d+)?$`)

// arxivDate is the month in which arXiv gave out an identifier: the first four digits of 1401.6921 and of
// hep-th/9901001 are year and month; the scheme begins in 1991.
func arxivDate(id string) string {
	m := arxivID.FindStringSubmatch(id)
	if m == nil {
		return ""
	}
	year := 2000 + number(m[1])
	if number(m[1]) >= 91 {
		year -= 100
	}
	return dateOf(year, number(m[2]), 0)
}

// accessionDate is the year in which the SEC took a filing in: the middle of 0000320193-24-000123.
func accessionDate(accession string) string {
	p := strings.Split(accession, "-")
	if len(p) != 3 || len(p[1]) != 2 {
		return ""
	}
	year := 2000 + number(p[1])
	if number(p[1]) >= 93 { // the first year of electronic filings
		year -= 100
	}
	return dateOf(year, 0, 0)
}

// exhibitDate is the day on which a contract was filed, from its name in CUAD: NAME_04_24_2003-EX... or
// NAME_20170303_F-1A....
var exhibitDates = regexp.MustCompile(`_(\d\d)_(\d\d)_(\d{4})-|_(\d{8})_`)

func exhibitDate(name string) string {
	m := exhibitDates.FindStringSubmatch(name)
	switch {
	case m == nil:
		return ""
	case m[4] != "":
		return compactDate(m[4])
	}
	return dateOf(number(m[3]), number(m[1]), number(m[2]))
}

// jatsDate is the first day on which an article was published, as its XML says; of dates that begin
// alike the more exact one.
func jatsDate(root *xmltree.Node) string {
	first := ""
	for k := range root.Child("front", "article-meta").All("pub-date") {
		part := func(name string) int { return number(strings.TrimSpace(k.Child(name).Text(nil, nil))) }
		d := dateOf(part("year"), part("month"), part("day"))
		if d == "" {
			continue
		}
		if first == "" || strings.HasPrefix(d, first) || d < first && !strings.HasPrefix(first, d) {
			first = d
		}
	}
	return first
}
