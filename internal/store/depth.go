package store

import "fmt"

// MaxDepth is how deep lists and objects of a JSON value may nest. Decoders take time that grows with
// the square of the depth.
const MaxDepth = 200

// TooDeep says in one pass whether lists and objects of JSON nest deeper than limit; brackets in
// strings do not count.
func TooDeep(raw []byte, limit int) bool {
	depth, inString := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '[' || c == '{':
			if depth++; depth > limit {
				return true
			}
		case c == ']' || c == '}':
			depth--
		}
	}
	return false
}

func checkDepth(raw []byte) error {
	if (raw[0] == '{' || raw[0] == '[') && TooDeep(raw, MaxDepth) { // other lines are no JSON
		return fmt.Errorf("nests deeper than %d: write flatter values", MaxDepth)
	}
	return nil
}

// DeepYAML is the first line of YAML that nests deeper than limit, by brackets outside quotes, by
// list marks of one line, or by indentation; 0 where none does. Quotes end with their line, which
// only makes the count stricter.
func DeepYAML(data []byte, limit int) int {
	line, flow := 1, 0
	var indents []int
	quote := byte(0)
	start, column, marks, bare := true, 0, 0, false
	for i, c := range data {
		if c == '\n' {
			line++
			start, column, marks, quote, bare = true, 0, 0, 0, false
			continue
		}
		if start && (c == ' ' || c == '-' && (i+1 == len(data) || data[i+1] == ' ' || data[i+1] == '\n') || c == '?') {
			column++
			if c != ' ' {
				marks++
			}
			if marks > limit {
				return line
			}
			continue
		}
		if start && c != '\r' && c != '#' {
			start = false
			for len(indents) > 0 && indents[len(indents)-1] >= column {
				indents = indents[:len(indents)-1]
			}
			if indents = append(indents, column); len(indents) > limit {
				return line
			}
		}
		switch {
		case bare:
		case quote != 0:
			if c == quote && (quote != '"' || data[i-1] != '\\') {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || data[i-1] == ' ' || data[i-1] == '[' || data[i-1] == '{' || data[i-1] == ',' || data[i-1] == ':'):
			quote = c
		case c == '#' && (i == 0 || data[i-1] == ' ' || data[i-1] == '\n'):
			bare = true // a comment
		case c == '[' || c == '{':
			if flow++; flow > limit {
				return line
			}
		case (c == ']' || c == '}') && flow > 0:
			flow--
		}
	}
	return 0
}
