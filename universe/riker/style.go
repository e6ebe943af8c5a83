package riker

import (
	"strconv"
	"strings"

	"enterprisedocbench"
)

// Style is the language of a document (RIKER section 3.1.3).
type Style int

// The styles.
const (
	Formal Style = iota
	SemiFormal
	Casual
	styles
)

// String is the name of the style.
func (s Style) String() string { return [...]string{"formal", "semi-formal", "casual"}[s] }

// style is the language of document n of a type.
func (w *World) style(k Kind, n int) Style {
	return Style(w.pick("style-"+k.String(), n, int(styles)))
}

// Fact is one fact that a document states: its typed value and how that document prints it.
type Fact struct {
	Field   string
	Type    string  // text, number or date
	Text    string  // a text; a date as 2006-01-02; a number as it is printed
	Number  float64 // of a number
	Unit    string  // of a number: USD, percent, days, ...
	Printed string
}

func text(field, v string) Fact { return Fact{Field: field, Type: "text", Text: v, Printed: v} }

func (s Style) date(field string, d Date) Fact {
	return Fact{Field: field, Type: "date", Text: d.ISO(), Printed: d.In(s)}
}

func number(field string, v float64, unit, printed string) Fact {
	return Fact{Field: field, Type: "number", Text: printed, Number: v, Unit: unit, Printed: printed}
}

func usd(field string, n int) Fact { return number(field, float64(n), "USD", "$"+edb.Thousands(n)) }

// cents is an amount in cents: $1,234.50.
func cents(field string, n int) Fact {
	return number(field, float64(n)/100, "USD", "$"+edb.Thousands(n/100)+"."+pad2(n%100))
}

func count(field string, n int, unit string) Fact {
	return number(field, float64(n), unit, edb.Thousands(n))
}

func percent(field string, v float64) Fact {
	return number(field, v, "percent", strconv.FormatFloat(v, 'f', -1, 64)+"%")
}

func tenths(field string, n int) Fact {
	return number(field, float64(n)/10, "points", strconv.FormatFloat(float64(n)/10, 'f', 1, 64))
}

func hundredths(field string, n int) Fact {
	return number(field, float64(n)/100, "points", strconv.FormatFloat(float64(n)/100, 'f', 2, 64))
}

func pad2(n int) string {
	if n < 10 {
		return "0" + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}

// padded is prefix and n with zeros before it, to at least width digits.
func padded(prefix string, n, width int) string {
	digits := strconv.Itoa(n)
	if fill := width - len(digits); fill > 0 {
		return prefix + "0000000000"[:fill] + digits
	}
	return prefix + digits
}

// column makes a label part of a field name: score_customer_care.
func column(s string) string { return strings.ReplaceAll(strings.ToLower(s), " ", "_") }
