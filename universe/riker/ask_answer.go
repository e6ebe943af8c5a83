package riker

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"enterprisedocbench"
)

// form is the kind of answer that a question wants.
type form struct {
	typ  string // of edb.GoldAnswer
	unit string // of a number
	only string // what to reply with only: "the number"
}

var (
	asMoney   = form{"number", "USD", "the amount in US dollars"}
	asPercent = form{"number", "percent", "the percentage"}
	asPoints  = form{"number", "points", "the number of points"}
	asDate    = form{"date", "", "the date, written as in 2024-03-31"}
	asName    = form{"text", "", "the name"}
	asWords   = form{"text", "", "the words that the document uses"}
	asWeekday = form{"text", "", "the day of the week"}
	asExact   = form{"exact", "", "the number as it is printed"}
	asYesNo   = form{"boolean", "", "yes or no"}
	asList    = form{"set", "", "the list, its items parted by semicolons"}
	asSources = form{"set", "", "the list, its items parted by semicolons, each as in NAME (NUMBER)"}
)

// asNumber counts units: days, leases.
func asNumber(unit string) form { return form{"number", unit, "the number"} }

// instruction is how every question ends, answerable or not (RIKER section 3.4.2). That the answer
// may be missing is said everywhere, so that it tells nothing.
func (f form) instruction() string {
	return "Reply with only " + f.only + ", or N/A if the documents do not say."
}

// notApplicable is the answer for an optional part that a document does not have, and its equals.
const notApplicable = "N/A"

var notApplicableAlso = []string{"NA", "not applicable", "not available", "not specified", "not stated", "not mentioned", "not provided", "none", "unknown", "the document does not say", "the documents do not say"}

// gold makes a typed answer of what a reading or a query gave: a float64, string (a date as
// 2006-01-02), bool or []string. bare gives the names of companies without their legal form.
func (f form) gold(v any, bare func(string) string) edb.GoldAnswer {
	if v == notApplicable {
		return edb.GoldAnswer{Type: "text", Value: notApplicable, Aliases: slices.Clone(notApplicableAlso), Facts: []string{notApplicable}}
	}
	a := edb.GoldAnswer{Type: f.typ, Value: v, Unit: f.unit}
	switch x := v.(type) {
	case float64:
		plain := strconv.FormatFloat(x, 'f', -1, 64)
		comma := commas(x)
		a.Facts = []string{comma}
		switch f.unit {
		case "USD":
			a.Aliases = []string{"$" + comma, comma}
			if x != math.Trunc(x) {
				two := commas2(x)
				a.Aliases = []string{"$" + two, two}
				a.Facts = []string{two}
			}
		case "percent":
			a.Aliases = []string{plain + "%", plain + " percent"}
		default:
			a.Aliases = []string{comma}
		}
		if !slices.Contains(a.Aliases, plain) {
			a.Aliases = append(a.Aliases, plain)
		}
	case string:
		a.Facts = []string{x}
		if f.typ == "date" {
			t, _ := time.Parse(time.DateOnly, x)
			for _, layout := range []string{"January 2, 2006", "2 January 2006", "Jan 2, 2006"} {
				a.Aliases = append(a.Aliases, t.Format(layout))
			}
			a.Facts = a.Aliases[:1:1]
		} else if b := bare(x); b != x {
			a.Aliases = []string{b}
			a.Facts = []string{b}
		}
	case bool:
		a.Aliases = []string{map[bool]string{true: "yes", false: "no"}[x]}
		a.Facts = a.Aliases
	case []string:
		a.Facts = slices.Clone(x)
	}
	return a
}

// commas prints a number with commas and as many decimals as it has.
func commas(x float64) string {
	whole, frac := math.Modf(math.Abs(x))
	s := edb.Thousands(int(whole))
	if frac > 0 {
		s += strings.TrimPrefix(strconv.FormatFloat(math.Round(frac*100)/100, 'f', -1, 64), "0")
	}
	if x < 0 {
		s = "-" + s
	}
	return s
}

func commas2(x float64) string {
	s := commas(x)
	if i := strings.IndexByte(s, '.'); i >= 0 && len(s)-i == 2 {
		s += "0"
	}
	return s
}

// query runs a question's SQL: rows of one column. Numbers come back as float64, no row and a NULL
// as nil, and more than one row as a set.
func (f form) query(ctx context.Context, db Querier, text string) (any, error) {
	rows, err := db.QueryContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var got []any
	for rows.Next() {
		var v any
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		switch x := v.(type) {
		case []byte:
			v = string(x)
		case int64:
			v = float64(x)
		}
		got = append(got, v)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	if f.typ == "set" {
		set := make([]string, 0, len(got))
		for _, v := range got {
			set = append(set, fmt.Sprint(v))
		}
		slices.Sort(set)
		if len(set) == 0 {
			return nil, nil
		}
		return set, nil
	}
	switch {
	case len(got) == 0:
		return nil, nil
	case len(got) > 1:
		return nil, fmt.Errorf("%d rows, not one", len(got))
	}
	if x, ok := got[0].(float64); ok && f.typ == "boolean" {
		return x != 0, nil
	}
	return got[0], nil
}

// same compares what two ways gave.
func same(a, b any) bool {
	x, ok := a.(float64)
	y, also := b.(float64)
	if ok && also {
		return math.Abs(x-y) < 1e-6
	}
	return fmt.Sprint(a) == fmt.Sprint(b)
}

// isoValue is the value of 2006-01-02.
func isoValue(s string) value {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic("riker: the date " + s + " of a fact is none")
	}
	return t.Unix() / dayValue
}

// lit is a text in SQL.
func lit(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

var _ Querier = (*sql.DB)(nil)
