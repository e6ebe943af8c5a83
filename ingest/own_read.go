package ingest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	edb "enterprisedocbench"

	"enterprisedocbench/internal/tokens"
)

// columns lists the names that are understood for each column, without spaces, dashes and case.
var columns = map[string][]string{
	"id":       {"id", "questionid", "queryid", "qid"},
	"question": {"question", "query", "text", "q", "questiontext", "prompt"},
	"answer":   {"answer", "answers", "gold", "goldanswer", "expected", "expectedanswer", "groundtruth", "referenceanswer", "a"},
	"document": {"document", "documents", "doc", "documentid", "docid", "docname", "documentname", "file", "filename", "path", "source"},
	"page":     {"page", "pages", "pagenumber", "pageno", "p"},
	"quote":    {"quote", "quotes", "evidencetext", "evidencequote", "passage", "excerpt", "context", "span"},
	"modality": {"modality"},
	"evidence": {"evidence"},
}

// column gives the column that a header names, "" where none.
func column(header string) string {
	h := strings.ToLower(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" _-.\u00a0\t", r) {
			return -1
		}
		return r
	}, header))
	for c, names := range columns {
		if slices.Contains(names, h) {
			return c
		}
	}
	return ""
}

// readTable reads CSV with a line of column names.
func readTable(b []byte, fault func(int, string, string)) []row {
	first, _, _ := bytes.Cut(bytes.TrimLeft(b, "\r\n"), []byte("\n"))
	r := csv.NewReader(bytes.NewReader(b))
	r.Comma = delimiter(string(first))
	r.FieldsPerRecord = -1
	var cols []string
	var out []row
	for {
		rec, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			line, what := 1, err.Error()
			var pe *csv.ParseError
			if errors.As(err, &pe) {
				line, what = pe.StartLine, pe.Err.Error()
			}
			fault(line, "cannot be read as CSV: "+what, `put fields that hold quotes or line ends in quotes, and write a quote in them twice`)
			return nil
		}
		line, _ := r.FieldPos(0)
		if blank(rec) {
			continue
		}
		if cols == nil {
			if cols = header(rec, line, fault); cols == nil {
				return nil
			}
			continue
		}
		if len(rec) > len(cols) && !blank(rec[len(cols):]) {
			fault(line, fmt.Sprintf("%d fields where the header has %d", len(rec), len(cols)), fmt.Sprintf("put fields that hold %q in quotes", r.Comma))
			continue
		}
		row := row{line: line}
		for i, v := range rec[:min(len(rec), len(cols))] {
			row.set(cols[i], strings.TrimSpace(v))
		}
		out = append(out, row)
	}
	if cols == nil {
		fault(1, "the file is empty", "write the column names question, answer, document, page, quote and one question a line")
	}
	return out
}

// header maps the fields of the first line to columns; nil where the question has none.
func header(rec []string, line int, fault func(int, string, string)) []string {
	cols := make([]string, len(rec))
	for i, h := range rec {
		c := column(h)
		if c == "evidence" {
			c = "quote"
		}
		if c != "" && slices.Contains(cols, c) {
			fault(line, fmt.Sprintf("two columns stand for the %s", c), "keep one of them")
			return nil
		}
		cols[i] = c
	}
	if !slices.Contains(cols, "question") {
		var named []string
		for _, h := range rec {
			named = append(named, strconv.Quote(strings.TrimSpace(h)))
		}
		fault(line, "no column is called question (there are "+strings.Join(named, ", ")+")", "name the columns question, answer, document, page, quote in the first line")
		return nil
	}
	return cols
}

func blank(rec []string) bool {
	return !slices.ContainsFunc(rec, func(s string) bool { return strings.TrimSpace(s) != "" })
}

// delimiter is the one of comma, semicolon and tab that the first line has most of.
func delimiter(line string) rune {
	best, n := ',', 0
	for _, c := range ",;\t" {
		if k := strings.Count(line, string(c)); k > n {
			best, n = c, k
		}
	}
	return best
}

func (r *row) set(col, v string) {
	switch col {
	case "id":
		r.id = v
	case "question":
		r.question = v
	case "answer":
		r.answer = v
	case "document":
		r.document = v
	case "page":
		r.page = v
	case "quote":
		r.quote = v
	case "modality":
		r.modality = strings.ToLower(v)
	}
}

// readJSONLines reads one object a line. Beside plain values, evidence may be a list of objects
// with document, page and quote, and answer an object as in queries.jsonl.
func readJSONLines(b []byte, fault func(int, string, string)) []row {
	var out []row
	line := 0
	for raw := range bytes.Lines(b) {
		line++
		raw = bytes.TrimSpace(raw)
		if len(raw) == 0 {
			continue
		}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		var m map[string]any
		err := d.Decode(&m)
		if err == nil && m == nil {
			err = errors.New("null is no object")
		}
		if err == nil {
			if _, more := d.Token(); !errors.Is(more, io.EOF) {
				err = errors.New("more stands behind the object")
			}
		}
		if err != nil {
			fault(line, "is no JSON object: "+err.Error(), `write one object a line: {"question":...,"answer":...,"document":...,"page":...,"quote":...}`)
			continue
		}
		r := row{line: line}
		if r.fill(m, fault) {
			out = append(out, r)
		}
	}
	return out
}

// fill takes the values of an object; false where one cannot be used.
func (r *row) fill(m map[string]any, fault func(int, string, string)) bool {
	from := map[string]string{} // column -> key
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		c := column(k)
		if c == "" || m[k] == nil {
			continue
		}
		if from[c] != "" {
			fault(r.line, fmt.Sprintf("%q and %q both stand for the %s", from[c], k, c), "keep one of them")
			return false
		}
		from[c] = k
		if c == "evidence" { // below, when the document is known
			continue
		}
		if o, ok := m[k].(map[string]any); ok && c == "answer" {
			a, err := goldAnswer(o)
			if err != nil {
				fault(r.line, "answer: "+err.Error(), `write text, or {"type":...,"value":...} as in queries.jsonl`)
				return false
			}
			r.typed, r.answer = a, fmt.Sprint(a.Value)
			continue
		}
		s, ok := plain(m[k])
		if !ok {
			fault(r.line, fmt.Sprintf("%q is no text or number", k), "write a plain value")
			return false
		}
		r.set(c, strings.TrimSpace(s))
	}
	return from["evidence"] == "" || r.evidence(m[from["evidence"]], fault)
}

// evidence takes a quote, an object with document, page and quote, or a list of such objects.
func (r *row) evidence(v any, fault func(int, string, string)) bool {
	if s, ok := plain(v); ok {
		r.quote = strings.TrimSpace(s)
		return true
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, x := range list {
		o, ok := x.(map[string]any)
		if !ok {
			fault(r.line, "evidence is no list of objects", `write [{"document":...,"page":...,"quote":...}]`)
			return false
		}
		one := row{line: r.line}
		if !one.fill(o, fault) {
			return false
		}
		if one.document == "" {
			one.document = r.document
		}
		p, ok := one.place(fault)
		if !ok {
			return false
		}
		r.places = append(r.places, p)
	}
	return true
}

func plain(v any) (string, bool) {
	switch x := v.(type) {
	case string:
		return x, true
	case json.Number:
		return x.String(), true
	case bool:
		if x {
			return "yes", true
		}
		return "no", true
	}
	return "", false
}

func goldAnswer(o map[string]any) (*edb.GoldAnswer, error) {
	b, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	var a edb.GoldAnswer
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		return nil, err
	}
	if a.Value == nil {
		return nil, errors.New("there is no value")
	}
	return &a, nil
}

var page = regexp.MustCompile(`^(?i)(?:p\.?|pages?)?\s*(\d{1,9})(?:\.0+)?$`)

// pageNumber reads "12", "p. 12" or a spreadsheet's "12.0"; an empty page is 0, not said.
func pageNumber(s string) (int, bool) {
	if s == "" {
		return 0, true
	}
	m := page.FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil && n > 0
}

// typed gives an answer its type: a lone number (with unit and scale), yes or no, a date as
// YYYY-MM-DD, else text.
func typed(s string) *edb.GoldAnswer {
	switch strings.ToLower(strings.Trim(s, " .")) {
	case "yes", "true":
		return &edb.GoldAnswer{Type: "boolean", Value: true}
	case "no", "false":
		return &edb.GoldAnswer{Type: "boolean", Value: false}
	}
	if _, err := time.Parse(time.DateOnly, s); err == nil {
		return &edb.GoldAnswer{Type: "date", Value: s}
	}
	if ns := tokens.Numbers(s); len(ns) == 1 && bare(s, ns[0]) {
		a := &edb.GoldAnswer{Type: "number", Value: ns[0].Value, Scale: ns[0].Scale, Aliases: []string{s}}
		switch {
		case ns[0].Percent:
			a.Unit = "%"
		case ns[0].Currency != "":
			a.Unit = map[string]string{"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY"}[ns[0].Currency]
		default:
			a.Unit = currency.FindString(s)
		}
		return a
	}
	return &edb.GoldAnswer{Type: "text", Value: s}
}

var currency = regexp.MustCompile(`\b(?:USD|EUR|GBP|JPY)\b`)

// bare says whether a text holds nothing but a number with its sign, currency, scale and percent.
func bare(s string, n tokens.Number) bool {
	r := []rune(s)
	rest := strings.Map(func(r rune) rune {
		if strings.ContainsRune("$€£¥%()-−+ \u00a0", r) {
			return -1
		}
		return r
	}, currency.ReplaceAllString(string(r[:n.Start])+" "+string(r[n.End:]), ""))
	rest = strings.ToLower(rest)
	return rest == "" || rest == "percent" || n.Scale != "" && (rest == n.Scale || rest == n.Scale+"s")
}
