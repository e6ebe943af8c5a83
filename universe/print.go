package universe

import (
	"fmt"
	"strconv"
	"strings"

	"enterprisedocbench"
)

// thousands prints an integer as accounts do: 1,234, and a loss in brackets, (1,234).
func thousands(n int) string {
	if n < 0 {
		return "(" + edb.Thousands(-n) + ")"
	}
	return edb.Thousands(n)
}

// dollars prints whole US dollars: $1,234.
func dollars(n int) string { return "$" + thousands(n) }

// percent prints a percentage with one decimal where it needs it.
func percent(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) + "%" }

// tenths prints a number of tenths: 7.4.
func tenths(n int) string { return fmt.Sprintf("%d.%d", n/10, n%10) }

// millions prints dollars as millions with two decimals: 1.23.
func millions(n int) string {
	c := (n + 5000) / 10000
	return fmt.Sprintf("%d.%02d", c/100, c%100)
}

// lower makes a label a field name.
func lower(s string) string { return strings.ReplaceAll(strings.ToLower(s), " ", "-") }
