package generate

import (
	"strings"
	"unicode/utf8"

	"enterprisedocbench/internal/tokens"
)

// unit is what the reader may answer from: a sentence, or a row of a table.
type unit struct {
	ctx    int    // index of its context
	text   string // as it stands in the context; a row's cells joined by tabs
	start  int    // code point offset in the context's text
	cells  []string
	header []string // the table's first row; nil for itself, for tables of one row and for key-value rows
	near   string   // heading before a sentence; caption or line before and after a table
	keys   map[string]bool
	words  []string // normal forms in order
}

// cut takes a context apart. Lines with tabs are rows; consecutive rows are one table. Other lines
// are split into sentences; a short line without a full stop is a heading of what follows.
func cut(ctx int, text string) []unit {
	lines := strings.Split(text, "\n")
	starts := make([]int, len(lines))
	at := 0
	for i, l := range lines {
		starts[i] = at
		at += utf8.RuneCountInString(l) + 1
	}
	var out []unit
	heading := ""
	for i := 0; i < len(lines); {
		if !strings.Contains(lines[i], "\t") {
			for _, s := range tokens.Sentences(lines[i]) {
				out = append(out, unit{ctx: ctx, text: string([]rune(lines[i])[s.Start:s.End]), start: starts[i] + s.Start, near: heading})
			}
			if l := strings.TrimSpace(lines[i]); l != "" && utf8.RuneCountInString(l) <= 80 && !strings.HasSuffix(l, ".") {
				heading = l
			}
			i++
			continue
		}
		j := i
		for j < len(lines) && strings.Contains(lines[j], "\t") {
			j++
		}
		near := heading
		if i > 0 {
			near += " " + lines[i-1]
		}
		if j < len(lines) {
			near += " " + lines[j]
		}
		var header []string
		if j-i > 1 && isHeader(split(lines[i]), split(lines[i+1])) {
			header = split(lines[i])
		}
		for k := i; k < j; k++ {
			u := unit{ctx: ctx, text: lines[k], start: starts[k], cells: split(lines[k]), near: near}
			if k > i {
				u.header = header
			}
			if header == nil || k > i {
				out = append(out, u)
			}
		}
		i = j
	}
	for i := range out {
		u := &out[i]
		u.words = normal(u.text)
		u.keys = map[string]bool{}
		for _, k := range u.words {
			u.keys[k] = true
		}
	}
	return out
}

func split(row string) []string {
	cells := strings.Split(row, "\t")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// isHeader reports whether the first row of a table names its columns: it has the columns of the
// second, no plain number, and more than a label and its value.
func isHeader(first, second []string) bool {
	if len(first) != len(second) {
		return false
	}
	numbers := 0
	for i := range first {
		if numeric(first[i]) && !year(first[i]) && len(dates(first[i])) == 0 {
			return false
		}
		if numeric(second[i]) {
			numbers++
		}
	}
	if numbers > 0 {
		return true
	}
	// no numbers at all: rows of label, value, label, value have labels in the same columns below
	return len(first) != 4 && utf8.RuneCountInString(strings.Join(first, "")) <= utf8.RuneCountInString(strings.Join(second, ""))+10
}

func year(s string) bool {
	return len(s) == 4 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
}

// numeric reports whether a cell is a number with at most a unit beside it.
func numeric(s string) bool {
	ns := tokens.Numbers(s)
	letters := 0
	for _, r := range s {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			letters++
		}
	}
	return len(ns) == 1 && letters <= 8 || len(ns) > 0 && letters == 0
}

// normal gives the words of a text in the form in which question and unit are compared.
func normal(s string) []string {
	ks := tokens.WordKeys(s)
	for i, k := range ks {
		ks[i] = stem(k)
	}
	return ks
}

// stop are the words that say nothing about what is asked.
var stop = words(`a an the of in on at to for from by with and or as is are was were be been being do does did has have had
	what which who whom whose when where why how much many long often it its this that these those there their they he she
	his her we our you your i me my any all can could may might shall should will would must according give name state tell
	please document documents report says say about into under than then if so such per whether also`)

func words(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// same maps words that mean one thing in business documents to one of them.
var same = map[string]string{}

func init() {
	for _, line := range strings.Split(`month monthly
year yearly annual annually annum
quarter quarterly
pay pays paid payable payment
sign signs signed signing signature signatory
rent rental
employee employees staff headcount
begin begins start starts commence commences commencement
end ends expire expires expiry expiration terminate
square sq
charge charges fee fees
start-date start
visit visits visited
supervisor manager manages managed supervises
leave leaves
approve approves approved approval
audit audits audited auditor
prepare prepares prepared
propose proposed proposes
lease leases leased
sublet sublets subletting
location located address
telephone phone
buyer purchaser
total overall sum`, "\n") {
		fs := strings.Fields(line)
		for _, f := range fs {
			same[crude(f)] = crude(fs[0])
		}
	}
}

func stem(k string) string {
	k = crude(k)
	if s, ok := same[k]; ok {
		return s
	}
	return k
}

// crude takes off possessives and common English endings.
func crude(k string) string {
	for _, p := range []string{"'s", "’s"} {
		k = strings.TrimSuffix(k, p)
	}
	if len(k) < 4 || k[0] >= '0' && k[0] <= '9' {
		return k
	}
	for _, e := range []string{"ing", "ed", "es", "s"} {
		if t, ok := strings.CutSuffix(k, e); ok && len(t) >= 3 && !strings.HasSuffix(k, "ss") {
			k = t
			break
		}
	}
	if strings.HasSuffix(k, "i") {
		k = k[:len(k)-1] + "y"
	}
	return strings.TrimSuffix(k, "e")
}
