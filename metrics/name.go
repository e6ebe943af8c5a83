package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Name is the written name of a measure: axis.base@depth(param=value,...). It prints and parses
// back, so that the same string stands in configs, records, tables and messages. Names are
// comparable. Parameters are kept sorted by their name; a parameter that has the measure's default
// value is left out, so parse.teds(mode=content) is parse.teds.
type Name struct {
	Axis  string // parse, index, retrieve, generate, cost, quality
	Base  string // ndcg, tis, ...
	Depth int    // the k of ndcg@k; 0 where the name has none

	params string // "a=1,b=2", sorted
}

// ParseName reads a measure's name. Beside the form that String prints it takes the shell-safe
// form with a colon, parse.teds:mode=structure. It checks the form only; [Find] says whether there
// is such a measure.
func ParseName(s string) (Name, error) {
	var n Name
	bad := func(why string) (Name, error) {
		return Name{}, fmt.Errorf("measure %q: %s; write axis.name@depth(param=value,...), for example retrieve.ndcg@5(grain=document)", s, why)
	}
	head, params := s, ""
	if i := strings.IndexAny(s, "(:"); i >= 0 {
		head, params = s[:i], s[i+1:]
		if s[i] == '(' {
			var ok bool
			if params, ok = strings.CutSuffix(params, ")"); !ok {
				return bad("the parenthesis is not closed")
			}
		}
		if params == "" {
			return bad("no parameter after the name")
		}
	}
	head, depth, hasDepth := strings.Cut(head, "@")
	if hasDepth {
		d, err := strconv.Atoi(depth)
		if err != nil || d <= 0 || depth != strconv.Itoa(d) {
			return bad(fmt.Sprintf("depth %q is not a whole number from 1", depth))
		}
		n.Depth = d
	}
	var ok bool
	if n.Axis, n.Base, ok = strings.Cut(head, "."); !ok || !plainWord(n.Axis) || !plainWord(n.Base) {
		return bad("no axis and name of lower-case letters, digits and underscores")
	}
	if params == "" {
		return n, nil
	}
	for p := range strings.SplitSeq(params, ",") {
		k, v, ok := strings.Cut(p, "=")
		if !ok || !plainWord(k) || v == "" || strings.ContainsAny(v, "()=,: \t\n\r\"'") {
			return bad(fmt.Sprintf("%q is not param=value", p))
		}
		if n.Param(k) != "" {
			return bad(fmt.Sprintf("parameter %s stands twice", k))
		}
		n = n.put(k, v)
	}
	// only now, so that a default written beside another value is seen as the repetition it is
	return n.canonical(), nil
}

// ParseNames reads a list of names separated by commas or white space. A comma inside parentheses,
// or before a further param=value of the colon form, belongs to the name.
func ParseNames(list string) ([]Name, error) {
	var fields, parts []string
	depth, start := 0, 0
	for i := 0; i <= len(list); i++ {
		c := byte(',')
		if i < len(list) {
			c = list[i]
		}
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ',', ' ', '\t', '\n', '\r':
			if depth > 0 && i < len(list) {
				continue
			}
			if i > start {
				fields = append(fields, list[start:i])
			}
			start = i + 1
		}
	}
	for _, field := range fields {
		eq, dot := strings.IndexByte(field, '='), strings.IndexAny(field, ".:(")
		if len(parts) > 0 && eq > 0 && (dot < 0 || dot > eq) {
			parts[len(parts)-1] += "," + field
			continue
		}
		parts = append(parts, field)
	}
	var out []Name
	for _, p := range parts {
		n, err := ParseName(p)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func plainWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c == '_' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

// String is the canonical name: ParseName(n.String()) is n.
func (n Name) String() string {
	s := n.Key()
	if n.Depth > 0 {
		s += "@" + strconv.Itoa(n.Depth)
	}
	if n.params != "" {
		s += "(" + n.params + ")"
	}
	return s
}

// Key is the name without depth and parameters, as [All] lists it: retrieve.ndcg.
func (n Name) Key() string { return n.Axis + "." + n.Base }

// Param is the value of a parameter as written, "" where the name does not have it (it then has
// the default of the measure, see [Measure.Params]).
func (n Name) Param(key string) string {
	for p := range strings.SplitSeq(n.params, ",") {
		if k, v, ok := strings.Cut(p, "="); ok && k == key {
			return v
		}
	}
	return ""
}

// With is the name with a parameter set; an empty value takes it away.
func (n Name) With(key, value string) Name { return n.put(key, value).canonical() }

// At is the name at another depth.
func (n Name) At(depth int) Name {
	n.Depth = depth
	return n
}

func (n Name) put(key, value string) Name {
	var ps []string
	for p := range strings.SplitSeq(n.params, ",") {
		if k, _, ok := strings.Cut(p, "="); ok && k != key {
			ps = append(ps, p)
		}
	}
	if value != "" {
		ps = append(ps, key+"="+value)
	}
	slices.Sort(ps)
	n.params = strings.Join(ps, ",")
	return n
}

// canonical leaves out what is the measure's default.
func (n Name) canonical() Name {
	m, ok := byKey[n.Key()]
	if !ok {
		return n
	}
	for _, p := range m.Params {
		if v := n.Param(p.Name); v != "" && v == p.Default() {
			n = n.put(p.Name, "")
		}
	}
	return n
}
