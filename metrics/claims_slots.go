package metrics

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"enterprisedocbench/internal/tokens"
)

// slots is what a statement says exactly (numbers, dates, names, whether it denies), and the other
// content words that say what it is about.
type slots struct {
	numbers  []string // value in full, "%" after a percentage; each once, sorted
	dates    []string // 2024-03-12, 2024-03, 2024-Q2; each once, sorted
	entities []string // words of names, each once, sorted
	denies   bool
	anchors  []string // other content words, stemmed, each once, sorted
	all      map[string]bool
}

var months = map[string]int{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12}

const monthNames = `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

var datePattern = regexp.MustCompile(`(?i)\b(\d{4})-(\d{2})-(\d{2})\b` +
	`|\b(\d{1,2})(?:st|nd|rd|th)?\.? (?:of )?` + monthNames + `\.?,? (\d{4})\b` +
	`|\b` + monthNames + `\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b` +
	`|\b` + monthNames + `\.?,? (\d{4})\b` +
	`|\bQ([1-4])[ /-]?(\d{4})\b` +
	`|\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b`)

// dateAt is a date in a text: its normal form and its bytes [start, end).
type dateAt struct {
	form       string
	start, end int
}

// datesOf finds the dates of a text. Dates of the form 03/04/2024 are read as month/day unless the
// first number is above 12.
func datesOf(s string) []dateAt {
	if !fourDigits(s) {
		return nil
	}
	var out []dateAt
	for _, m := range datePattern.FindAllStringSubmatchIndex(s, -1) {
		g := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return s[m[2*i]:m[2*i+1]]
		}
		n := func(i int) int { v, _ := strconv.Atoi(g(i)); return v }
		mon := func(i int) int { return months[strings.ToLower(g(i))[:3]] }
		form := ""
		switch {
		case g(1) != "":
			form = fmt.Sprintf("%04d-%02d-%02d", n(1), n(2), n(3))
		case g(4) != "":
			form = fmt.Sprintf("%04d-%02d-%02d", n(6), mon(5), n(4))
		case g(7) != "":
			form = fmt.Sprintf("%04d-%02d-%02d", n(9), mon(7), n(8))
		case g(10) != "":
			form = fmt.Sprintf("%04d-%02d", n(11), mon(10))
		case g(12) != "":
			form = fmt.Sprintf("%04d-Q%d", n(13), n(12))
		default:
			month, day := n(14), n(15)
			if month > 12 {
				month, day = day, month
			}
			form = fmt.Sprintf("%04d-%02d-%02d", n(16), month, day)
		}
		out = append(out, dateAt{form, m[0], m[1]})
	}
	return out
}

// fourDigits reports whether a text holds a year; without one it holds no date.
func fourDigits(s string) bool {
	run := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			run = 0
		} else if run++; run == 4 {
			return true
		}
	}
	return false
}

// withoutDates blanks dates with spaces of their length, so that byte offsets stay.
func withoutDates(s string, ds []dateAt) string {
	if len(ds) == 0 {
		return s
	}
	b := []byte(s)
	for _, d := range ds {
		for i := d.start; i < d.end; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

var scales = map[string]float64{"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}

// numberForm is a number written in full: scale multiplied in, a percent sign kept.
func numberForm(n tokens.Number) string {
	v := n.Value
	if f, ok := scales[n.Scale]; ok {
		v *= f
	}
	s := strconv.FormatFloat(v, 'g', 12, 64)
	if n.Percent {
		s += "%"
	}
	return s
}

// functionWords say nothing by themselves.
var functionWords = wordSet(`a an the of in on at to for from by with and or as is are was were be been being do does did has have
	had what which who whom whose when where why how it its this that these those there their they he she his her him we our
	you your i me my any all some each such per so then than if while also into under about over between during after before
	according will would shall should can could may might must s t`)

var denials = wordSet(`no not never none neither nor without cannot can't don't doesn't didn't isn't aren't wasn't weren't won't
	wouldn't shouldn't hasn't haven't hadn't couldn't mustn't nothing nobody`)

var legalForms = wordSet(`ltd inc llc plc gmbh ag corp co`)

func wordSet(s string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(s) {
		out[w] = true
	}
	return out
}

// stemmed takes off possessives and common English endings, so that "pays" meets "paid by" half-way.
func stemmed(k string) string {
	k = strings.TrimSuffix(strings.TrimSuffix(k, "'s"), "’s")
	if len(k) < 4 || k[0] >= '0' && k[0] <= '9' {
		return k
	}
	for _, e := range []string{"ing", "ed", "es", "s", "ly"} {
		if t, ok := strings.CutSuffix(k, e); ok && len(t) >= 3 && !strings.HasSuffix(k, "ss") {
			k = t
			break
		}
	}
	if t, ok := strings.CutSuffix(k, "i"); ok {
		k = t + "y"
	}
	return strings.TrimSuffix(k, "e")
}

var citeMark = regexp.MustCompile(`\s*\[\d+(?:\s*[,;]\s*\d+)*\]`)

// slotsOf reads a statement, a sentence or a table row.
func slotsOf(s string) slots {
	if strings.Contains(s, "[") {
		s = citeMark.ReplaceAllStringFunc(s, func(m string) string { return strings.Repeat(" ", len(m)) })
	}
	out := slots{all: map[string]bool{}}
	ds := datesOf(s)
	for _, d := range ds {
		out.dates = append(out.dates, d.form)
	}
	rest := withoutDates(s, ds)
	if strings.ContainsAny(rest, "0123456789") {
		for _, n := range tokens.Numbers(rest) {
			out.numbers = append(out.numbers, numberForm(n))
		}
	}
	r := []rune(rest)
	sentenceStart, last := true, 0
	for _, w := range tokens.Words(rest) {
		if strings.ContainsAny(string(r[last:w.Start]), ".!?:\t\n") {
			sentenceStart = true
		}
		last = w.End
		key := strings.ReplaceAll(w.Key, "’", "'")
		upper := unicode.IsUpper(r[w.Start])
		first := sentenceStart
		sentenceStart = false
		switch {
		case denials[key]:
			out.denies = !out.denies
		case functionWords[key] || legalForms[key]:
		case isNumberWord(key):
		case upper && (!first || len(w.Key) > 1 && hasUpperAfterFirst(r[w.Start:w.End])):
			out.entities = append(out.entities, stemmed(key))
		default:
			out.anchors = append(out.anchors, stemmed(key))
		}
		out.all[stemmed(key)] = true
	}
	for _, l := range []*[]string{&out.numbers, &out.dates, &out.entities, &out.anchors} {
		slices.Sort(*l)
		*l = slices.Compact(*l)
	}
	return out
}

func hasUpperAfterFirst(r []rune) bool {
	return slices.ContainsFunc(r[1:], unicode.IsUpper)
}

func isNumberWord(key string) bool {
	return key[0] >= '0' && key[0] <= '9' && !strings.ContainsFunc(key, unicode.IsLetter)
}

// both are the slots of two sentences together.
func both(a, b slots) slots {
	merge := func(x, y []string) []string {
		z := append(slices.Clone(x), y...)
		slices.Sort(z)
		return slices.Compact(z)
	}
	out := slots{merge(a.numbers, b.numbers), merge(a.dates, b.dates), merge(a.entities, b.entities), a.denies != b.denies,
		merge(a.anchors, b.anchors), maps.Clone(a.all)}
	maps.Copy(out.all, b.all)
	return out
}
