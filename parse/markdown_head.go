package parse

import (
	"strings"
	"unicode"
)

// yamlHead parts a document from the YAML head that pandoc allows before it and gives the head's
// top-level text values (title, abstract); block scalars and values over several lines are joined
// to one line. ok is false where there is no head: body is then all of s. It is no YAML reader:
// values that are lists or maps are left out.
func yamlHead(s string) (head map[string]string, body string, ok bool) {
	rest, found := strings.CutPrefix(s, "---\n")
	if !found || strings.HasPrefix(strings.TrimLeft(rest, " \t"), "\n") {
		return nil, s, false
	}
	var lines []string
	for {
		line, after, more := strings.Cut(rest, "\n")
		rest = after
		if t := strings.TrimRight(line, " \t"); t == "---" || t == "..." {
			break
		}
		if !more {
			return nil, s, false
		}
		lines = append(lines, line)
	}
	head = map[string]string{}
	key := ""
	var value []string
	end := func() {
		if key != "" {
			head[key] = yamlText(value)
		}
		key, value = "", nil
	}
	keys := 0
	for _, line := range lines {
		if line == "" || line[0] == ' ' || line[0] == '\t' {
			value = append(value, strings.TrimSpace(line))
			continue
		}
		if line[0] == '#' || line[0] == '-' {
			continue
		}
		end()
		if k, v, found := strings.Cut(line, ":"); found && !strings.ContainsAny(k, " \t") {
			key, value = k, []string{strings.TrimSpace(v)}
			keys++
		}
	}
	end()
	if keys == 0 {
		return nil, s, false
	}
	return head, rest, true
}

// yamlText joins the lines of a text value; lists and maps give "".
func yamlText(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	first, more := lines[0], lines[1:]
	if len(first) > 0 && (first[0] == '|' || first[0] == '>') {
		return squeeze(strings.Join(more, " "))
	}
	if first == "" || first[0] == '[' || first[0] == '{' || first[0] == '&' || first[0] == '*' {
		return ""
	}
	t := squeeze(first + " " + strings.Join(more, " "))
	if n := len(t); n >= 2 && t[0] == '"' && t[n-1] == '"' {
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(t[1 : n-1])
	} else if n >= 2 && t[0] == '\'' && t[n-1] == '\'' {
		return strings.ReplaceAll(t[1:n-1], "''", "'")
	}
	if i := strings.Index(t, " #"); i >= 0 {
		t = t[:i]
	}
	return t
}

// smart writes --, --- and straight quotes as they are printed. A quote opens where white space, an
// opening bracket stands before it; before is what stands before the text.
func smart(before rune, s string) string {
	if !strings.ContainsAny(s, `-"'`) {
		return s
	}
	s = strings.NewReplacer("---", "\u2014", "--", "\u2013").Replace(s)
	var b strings.Builder
	for _, r := range s {
		opens := unicode.IsSpace(before) || strings.ContainsRune("([{\u2013\u2014\u201c\u2018", before)
		switch {
		case r == '"' && opens:
			r = '\u201c'
		case r == '"':
			r = '\u201d'
		case r == '\'' && opens:
			r = '\u2018'
		case r == '\'':
			r = '\u2019'
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}
