package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"enterprisedocbench/study"
)

// Gate writes one line a check and the outcome.
func Gate(w io.Writer, g *study.GateResult) error {
	rows := [][]string{{"Pipeline", "Check", "Result", "Why"}}
	for _, c := range g.Checks {
		rows = append(rows, []string{c.Pipeline, c.Title(), passed(c.Passed), c.Words})
	}
	if err := Columns(w, rows); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, outcome(g))
	return err
}

func passed(ok bool) string {
	if ok {
		return "pass"
	}
	return "FAIL"
}

func outcome(g *study.GateResult) string {
	if g.Passed {
		return fmt.Sprintf("passed: %d checks", len(g.Checks))
	}
	return fmt.Sprintf("failed: %d of %d checks", g.Failed, len(g.Checks))
}

// GateMarkdown writes the table that a CI job shows on its summary page.
func GateMarkdown(w io.Writer, g *study.GateResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "### edb gate: %s\n\n", outcome(g))
	fmt.Fprintf(&b, "Run %s", markdown(g.Run))
	if g.Baseline != "" {
		fmt.Fprintf(&b, ", baseline %s", markdown(g.Baseline))
	}
	b.WriteString(".\n\n| | Pipeline | Check | Why |\n|---|---|---|---|\n")
	for _, c := range g.Checks {
		mark := "✅"
		if !c.Passed {
			mark = "❌"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", mark, markdown(c.Pipeline), markdown(c.Title()), markdown(c.Words))
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// markdown keeps foreign text from being read as markup inside a table's cell.
func markdown(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("\\", `\\`, "|", `\|`, "<", "&lt;", "&", "&amp;", "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`).Replace(s)
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitFailure `xml:"failure"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
}

// GateJUnit writes the checks as JUnit XML: one suite, one test case a check of a pipeline.
func GateJUnit(w io.Writer, g *study.GateResult) error {
	s := junitSuite{Name: g.Run, Tests: len(g.Checks), Failures: g.Failed}
	for _, c := range g.Checks {
		x := junitCase{Class: c.Pipeline, Name: c.Title()}
		if c.Passed {
			x.Out = c.Words
		} else {
			x.Failure = &junitFailure{c.Kind, c.Words}
		}
		s.Cases = append(s.Cases, x)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(junitSuites{Name: "edb gate", Tests: s.Tests, Failures: s.Failures, Suites: []junitSuite{s}}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
