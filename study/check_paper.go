package study

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// Paper is what a document reports: tables of printed numbers, and claims about how they hang
// together. See docs/statistics.md for the file.
type Paper struct {
	Name   string            `yaml:"paper"`
	Tables map[string]string `yaml:"tables"` // comma-separated; the first column names the rows
	Claims []Claim           `yaml:"claims"`

	tables map[string]*printedTable
}

// Claim is one statement of a paper about numbers: exactly one of the kinds is set.
type Claim struct {
	ID     string `yaml:"id"`
	Source string `yaml:"source"` // table or section
	What   string `yaml:"what"`
	Note   string `yaml:"note"` // what the claim assumes
	Each   string `yaml:"each"` // the table whose rows it is made of

	Correlation *correlationClaim `yaml:"correlation"`
	Composite   *compositeClaim   `yaml:"composite"`
	Mean        *meanClaim        `yaml:"mean"`
	Total       *listClaim        `yaml:"total"`
	Difference  *differenceClaim  `yaml:"difference"`
	Ratio       *ratioClaim       `yaml:"ratio"`
	Product     *listClaim        `yaml:"product"`
	Spread      *listClaim        `yaml:"spread"`
	Most        *listClaim        `yaml:"most"`
	Least       *listClaim        `yaml:"least"`
	Rate        *rateClaim        `yaml:"rate"`
	Precision   *precisionClaim   `yaml:"precision"`
	Supply      *supplyClaim      `yaml:"supply"`
	Bound       *boundClaim       `yaml:"bound"`
	Rows        *rowsClaim        `yaml:"rows"`
	Same        *sameClaim        `yaml:"same"`
	Distinct    *distinctClaim    `yaml:"distinct"`
	Open        *openClaim        `yaml:"open"`

	kind string
	body checker
	rows []string // names of the rows of Each; one "" without it
	line int
}

// checker is a kind of claim.
type checker interface {
	// check gives the verdicts for the inputs' row.
	check(in *inputs) []Finding
}

// UnmarshalYAML keeps the line of the claim for messages.
func (c *Claim) UnmarshalYAML(node ast.Node) error {
	type plain Claim
	if err := yaml.NodeToValue(node, (*plain)(c), yaml.Strict()); err != nil {
		return err
	}
	c.line = node.GetToken().Position.Line
	return nil
}

// Number is a printed number, or the name of one in a table: TABLE[ROW].COLUMN, or TABLE.COLUMN for
// the row that a claim is about; a "%" after it makes it a percentage. In lists, TABLE[*].COLUMN
// stands for the whole column.
type Number struct {
	text string
	line int
}

// UnmarshalYAML keeps the digits as they are written.
func (n *Number) UnmarshalYAML(node ast.Node) error {
	tok := node.GetToken()
	if _, ok := node.(ast.ScalarNode); !ok {
		return &lineError{tok.Position.Line, "a number belongs here, or the name of one in a table"}
	}
	n.text, n.line = tok.Value, tok.Position.Line
	return nil
}

// ReadPaper reads a file of claims; name is what errors call it. Unknown keys, claims without or with
// several kinds, numbers that are none and names of tables, rows and columns that are not there are
// errors with their line.
func ReadPaper(data []byte, name string) (*Paper, error) {
	if len(data) > 4<<20 {
		return nil, fmt.Errorf("%s: larger than 4 MiB: split it", name)
	}
	var p Paper
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(&p); err != nil {
		return nil, fmt.Errorf("%s:%s", name, yamlFault(err))
	}
	p.tables = map[string]*printedTable{}
	for _, id := range sortedKeys(p.Tables) {
		t, err := readTable(p.Tables[id], fmt.Sprintf("%s: table %s", name, id))
		if err != nil {
			return nil, err
		}
		p.tables[id] = t
	}
	if len(p.Claims) == 0 {
		return nil, fmt.Errorf("%s: no claims: list them under claims", name)
	}
	ids := map[string]bool{}
	for i := range p.Claims {
		c := &p.Claims[i]
		if err := c.prepare(&p); err != nil {
			return nil, fmt.Errorf("%s:%d: claim %q: %w", name, c.line, c.ID, err)
		}
		if ids[c.ID] {
			return nil, fmt.Errorf("%s:%d: claim %q stands twice: give each its own id", name, c.line, c.ID)
		}
		ids[c.ID] = true
	}
	return &p, nil
}

var checkerType = reflect.TypeFor[checker]()

// prepare finds the kind of the claim and its rows, and looks up every name once.
func (c *Claim) prepare(p *Paper) error {
	if c.ID == "" || c.Source == "" || c.What == "" {
		return errors.New("id, source and what are needed: say which number of which table or section it is")
	}
	v := reflect.ValueOf(c).Elem()
	var kinds []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.Type.Implements(checkerType) || f.Type.Kind() != reflect.Pointer {
			continue
		}
		kind := f.Tag.Get("yaml")
		kinds = append(kinds, kind)
		if v.Field(i).IsNil() {
			continue
		}
		if c.kind != "" {
			return fmt.Errorf("it is %s and %s: make two claims of it", c.kind, kind)
		}
		c.kind, c.body = kind, v.Field(i).Interface().(checker)
	}
	if c.kind == "" {
		return fmt.Errorf("no kind: give one of %s", strings.Join(kinds, ", "))
	}
	if l, ok := c.body.(*listClaim); ok {
		l.kind = c.kind
	}
	c.rows = []string{""}
	if c.Each != "" {
		t, err := p.table(c.Each)
		if err != nil {
			return err
		}
		c.rows = t.names
	}
	found := 0
	for _, row := range c.rows {
		in := &inputs{paper: p, row: row, strict: true}
		c.body.check(in)
		if in.err != nil {
			return in.err
		}
		if in.absent == "" {
			found++
		}
	}
	if found == 0 && c.Each != "" {
		return fmt.Errorf("no row of table %s has all its values", c.Each)
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// lineError is a fault of a line of the file.
type lineError struct {
	line int
	msg  string
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.msg) }

// yamlFault turns a decoder's error into "LINE:COLUMN: what is wrong".
func yamlFault(err error) string {
	var at *lineError
	if errors.As(err, &at) {
		return fmt.Sprintf("%d: %s", at.line, at.msg)
	}
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil {
		pos := e.GetToken().Position
		return fmt.Sprintf("%d:%d: %s", pos.Line, pos.Column, e.GetMessage())
	}
	return " " + strings.ReplaceAll(err.Error(), "\n", " ")
}
