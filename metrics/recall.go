package metrics

import (
	"regexp"
	"strings"
	"unicode"

	"enterprisedocbench"
	"enterprisedocbench/internal/tokens"
)

// NumberRecall is the share of the gold text's numbers that the predicted text has: numbers as
// tokens.Numbers finds them, by value in full with sign and scale and percent sign ("1,234.50" is
// "1234.5", "4.2 million" is "4,200,000"), each as often as it stands. In [0,1], higher is better;
// numbers that only the prediction has cost nothing.
// No number in gold: nothing to measure (ok is false). Prediction without numbers: 0.
// Source: ours: numbers are what answers about documents mostly need.
func NumberRecall(pred, gold string) (value float64, ok bool) {
	count := func(s string) bag {
		b := bag{}
		for _, n := range tokens.Numbers(s) {
			b[numberForm(n)]++
		}
		return b
	}
	g := count(gold)
	if len(g) == 0 {
		return 0, false
	}
	p := count(pred)
	found := 0
	for k, n := range g {
		found += min(n, p[k])
	}
	return float64(found) / float64(g.size()), true
}

// EntityRecall is the share of the gold's entities that the predicted text has, each as often as it
// stands in the gold. Entities are found by rule, without a model, in each element of the gold:
//
//   - names: two or more words with a capital next to each other, function words at the front left
//     out ("In Paris" is none), with of, de, van, von, der, la, du and del allowed between;
//   - dates with a year, in any of the usual English forms;
//   - codes: three or more characters with a letter and a digit among them (10-K, CVE-2021-1234), not
//     ordinal numbers.
//
// A name or code is had where its words (UAX 29, NFKC, case-folded) follow each other in the
// predicted text, whatever stands between words or lines; a date where the same day, month or quarter
// stands, in any form. What the gold's own text does not have in this way (a code in the middle of a
// word with underscores) is left out, so that a text has all of its own entities. In [0,1], higher is
// better.
// No entity in gold: nothing to measure (ok is false).
// Source: ours.
func EntityRecall(pred, gold edb.Parsed) (value float64, ok bool) {
	wanted, dates := bag{}, bag{}
	for _, e := range gold.Elements {
		if e.Artifact() {
			continue
		}
		entities(e, wanted, dates)
	}
	g, p := newEntityText(gold.Text()), newEntityText(pred.Text())
	total, found := 0, 0
	for k, n := range dates {
		n = min(n, g.dates[k])
		total += n
		found += min(n, p.dates[k])
	}
	for k, n := range wanted {
		n = min(n, g.occurrences(k))
		total += n
		found += min(n, p.occurrences(k))
	}
	if total == 0 {
		return 0, false
	}
	return float64(found) / float64(total), true
}

// entityText is a text in which entities are looked for.
type entityText struct {
	words []string
	at    map[string][]int // where each word stands
	dates bag
}

func newEntityText(text string) entityText {
	t := entityText{words: tokens.WordKeys(text), at: map[string][]int{}, dates: bag{}}
	for i, w := range t.words {
		t.at[w] = append(t.at[w], i)
	}
	for _, d := range datesOf(oneLine(text)) {
		t.dates[d.form]++
	}
	return t
}

// occurrences counts where the words follow each other, places not overlapping.
func (t entityText) occurrences(words string) (n int) {
	want := strings.Fields(words)
	free := 0
	for _, i := range t.at[want[0]] {
		if i < free || i+len(want) > len(t.words) {
			continue
		}
		same := true
		for k, w := range want {
			if same = t.words[i+k] == w; !same {
				break
			}
		}
		if same {
			n++
			free = i + len(want)
		}
	}
	return n
}

var (
	between   = wordSet(`of de van von der la du del`)
	codeWords = regexp.MustCompile(`[\pL\pN]+(?:[-/.][\pL\pN]+)*`)
	ordinal   = regexp.MustCompile(`(?i)^\d+(?:st|nd|rd|th)$`)
)

// oneLine is a text with line ends as blanks, so that a date may run over them.
func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// entities counts what stands in an element: names and codes as their words, dates by their form.
// Cells and rows of tables are kept apart.
func entities(e edb.Element, words, dates bag) {
	parts := []string{oneLine(e.Text)}
	if e.Kind == edb.KindTable {
		parts = strings.FieldsFunc(e.Text, func(r rune) bool { return r == '\t' || r == '\n' })
	}
	for _, s := range parts {
		at := 0
		for _, d := range append(datesOf(s), dateAt{start: len(s), end: len(s)}) {
			plain := s[at:max(at, d.start)] // what stands before the date
			for f := range strings.FieldsSeq(plain) {
				if !strings.ContainsFunc(f, unicode.IsDigit) {
					continue
				}
				for _, c := range codeWords.FindAllString(f, -1) {
					if code(c) {
						words[strings.Join(tokens.WordKeys(c), " ")]++
					}
				}
			}
			names(plain, words)
			if d.form != "" {
				dates[d.form]++
			}
			at = d.end
		}
	}
}

func code(s string) bool {
	return len(s) >= 3 && strings.IndexFunc(s, unicode.IsLetter) >= 0 && strings.IndexFunc(s, unicode.IsDigit) >= 0 && !ordinal.MatchString(s)
}

// names counts the runs of capitalised words.
func names(s string, out bag) {
	rs := []rune(s)
	ws := tokens.Words(s)
	var run []string
	var front []bool      // whether the word may be left out at the front
	capitals, end := 0, 0 // words with a capital in the run; where the last of them stands in it
	flush := func() {
		run = run[:end]
		for i := 0; len(run) > 0 && front[i]; i++ {
			run, capitals = run[1:], capitals-1
		}
		if capitals >= 2 {
			out[strings.Join(run, " ")]++
		}
		run, front, capitals, end = nil, nil, 0, 0
	}
	for i, w := range ws {
		if i > 0 && !joins(rs[ws[i-1].End:w.Start], ws[i-1].End-ws[i-1].Start) {
			flush()
		}
		switch {
		case unicode.IsUpper(rs[w.Start]):
			run = append(run, w.Key)
			front = append(front, functionWords[w.Key] && (w.End == w.Start+1 || unicode.IsLower(rs[w.Start+1]))) // not "US"
			capitals++
			end = len(run)
		case len(run) > 0 && between[w.Key]:
			run, front = append(run, w.Key), append(front, false)
		default:
			flush()
		}
	}
	flush()
}

// joins says whether what stands between two words, the first of n characters, keeps a name together:
// blanks, "&", and a full stop after an initial.
func joins(gap []rune, n int) bool {
	for _, r := range gap {
		if !unicode.IsSpace(r) && r != '&' && (r != '.' || n > 1) {
			return false
		}
	}
	return true
}
