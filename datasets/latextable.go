package datasets

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	tabularEnv = regexp.MustCompile(`(?s)\\begin\{(tabular|tabularx|tabulary|array|longtable)\*?\}(.*?)\\end\{(?:tabular|tabularx|tabulary|array|longtable)\*?\}`)
	tableRules = regexp.MustCompile(`\\(?:hline|toprule|midrule|bottomrule|(?:cline|cmidrule)(?:\([a-z]*\))?\{[^{}]*\})`)
	texEscape  = regexp.MustCompile(`\\([%$&#_{}])`)
	texNumber  = regexp.MustCompile(`(^|[^\\])\$\s*((?:\\\$\s*)?[-+(]?\s*(?:\\\$\s*)?\d[\d.,]*\s*(?:\\%)?\)?)\s*\$`)
)

// texPlain undoes the escapes of single characters, takes numbers out of $...$ and squeezes white
// space; other markup stays.
func texPlain(s string) string {
	s = texNumber.ReplaceAllString(s, "$1$2")
	return strings.Join(strings.Fields(texEscape.ReplaceAllString(s, "$1")), " ")
}

// latexGrid reads the first tabular of a piece of LaTeX. A cell of several rows takes the place of
// the empty cells below it. False: there is none, or it has no cell.
func latexGrid(s string) (grid, bool) {
	m := tabularEnv.FindStringSubmatch(s)
	if m == nil {
		return grid{}, false
	}
	return tabularGrid(m[2])
}

// tabularGrid reads what stands between \begin{tabular} and \end{tabular}.
func tabularGrid(body string) (grid, bool) {
	for strings.HasPrefix(strings.TrimSpace(body), "{") || strings.HasPrefix(strings.TrimSpace(body), "[") {
		_, rest, ok := texGroup(strings.TrimSpace(body)) // the columns, and for some a width
		if !ok {
			break
		}
		body = rest
	}
	var g grid
	covered := map[int]int{} // column -> rows below that a cell above still covers
	cells := 0
	for _, line := range texSplit(body, `\\`) {
		line = tableRules.ReplaceAllString(line, " ")
		if strings.TrimSpace(line) == "" {
			continue
		}
		var row []gridCell
		col := 0
		for _, c := range texSplit(line, "&") {
			cell := texCell(c)
			if covered[col] > 0 && cell.text == "" {
				for i := range cell.cols {
					covered[col+i]--
				}
				col += cell.cols
				continue
			}
			for i := range cell.cols {
				delete(covered, col+i)
				if cell.rows > 1 && len(covered) < maxCells {
					covered[col+i] = cell.rows - 1
				}
			}
			col += cell.cols
			row = append(row, cell)
		}
		cells += len(row)
		g.rows = append(g.rows, row)
	}
	return g, cells > 0
}

// texCell reads \multicolumn{n}{columns}{text} and \multirow{n}{width}{text}, one in the other.
func texCell(s string) gridCell {
	cell := gridCell{rows: 1, cols: 1}
	s = strings.TrimSpace(s)
	for {
		rest, wide := strings.CutPrefix(s, `\multicolumn`)
		if !wide {
			var tall bool
			if rest, tall = strings.CutPrefix(s, `\multirow`); !tall {
				break
			}
		}
		var args [3]string
		ok := true
		for i := range args {
			rest = strings.TrimSpace(rest)
			if !wide && i == 1 && strings.HasPrefix(rest, "*") {
				args[i], rest = "*", rest[1:]
				continue
			}
			for !wide && strings.HasPrefix(rest, "[") && ok { // an option of \multirow
				_, rest, ok = texGroup(rest)
				rest = strings.TrimSpace(rest)
			}
			if ok {
				args[i], rest, ok = texGroup(rest)
			}
		}
		n, err := strconv.Atoi(strings.TrimSpace(args[0]))
		if !ok || err != nil || n < 1 || n > maxSpan {
			break
		}
		if wide {
			cell.cols = n
		} else {
			cell.rows = n
		}
		s = strings.TrimSpace(args[2] + rest)
	}
	cell.text = texPlain(s)
	return cell
}

// texGroup takes the first {group} or [option] off s, which must begin with one.
func texGroup(s string) (inside, rest string, ok bool) {
	if s == "" || (s[0] != '{' && s[0] != '[') {
		return "", s, false
	}
	open, shut := s[0], byte('}')
	if open == '[' {
		shut = ']'
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case open:
			depth++
		case shut:
			if depth--; depth == 0 {
				return s[1:i], s[i+1:], true
			}
		}
	}
	return "", s, false
}

// texSplit splits at a separator that is neither escaped nor inside of braces.
func texSplit(s, sep string) []string {
	var out []string
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch {
		case depth <= 0 && strings.HasPrefix(s[i:], sep):
			out = append(out, s[from:i])
			i += len(sep) - 1
			from = i + 1
		case s[i] == '\\':
			i++
		case s[i] == '{':
			depth++
		case s[i] == '}':
			depth--
		}
	}
	return append(out, s[from:])
}
