package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	edb "enterprisedocbench"
)

// Exit codes; of several, 2 before 1 before 3.
const (
	exitDone        = 0
	exitCheck       = 1 // a gate or check failed, or nothing could be scored
	exitInput       = 2 // bad input or usage
	exitUnits       = 3 // the run is complete, some units failed
	exitInterrupted = 130
)

// exitError ends a command with a code; an empty message says that all was said already.
type exitError struct {
	code int
	msg  string
}

func (e *exitError) Error() string { return e.msg }

// streams are where a command reads and writes: results to out, all else to err.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run is the whole program: it takes arguments and gives the exit code, so that tests need no process.
func run(ctx context.Context, in io.Reader, out, errOut io.Writer, args []string) int {
	s := &streams{in, out, errOut}
	root := &cobra.Command{
		Use:   "edb",
		Short: "Measure document pipelines stage by stage: parse, index, retrieve, generate",
		Long: `edb measures document pipelines stage by stage and says where the quality is lost.

Exit codes: 0 done; 1 a gate or check failed, or nothing could be scored; 2 bad input or usage;
3 some units failed (the run is complete, the report lists them); 130 interrupted.`,
		SilenceUsage: true, SilenceErrors: true,
		Args: noSuchCommand,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(plainFlagError)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	root.SetArgs(args)
	root.AddCommand(demoCmd(s), initCmd(s), pagesCmd(s), runCmd(s), reportCmd(s), compareCmd(s), gateCmd(s), validateCmd(s), reproduceCmd(s), parseCmd(s), explainCmd(s), evalCmd(s), statsCmd(s), datasetCmd(s), universeCmd(s),
		doctorCmd(s), modelsCmd(s), configCmd(s), versionCmd(s), workerCmd(s))
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if ctx.Err() != nil || errors.Is(err, context.Canceled) {
		fmt.Fprintln(errOut, "edb: interrupted; what is finished is kept, run the same command again to go on")
		return exitInterrupted
	}
	var e *exitError
	if errors.As(err, &e) {
		if e.msg != "" {
			fmt.Fprintln(errOut, "edb: "+e.msg)
		}
		return e.code
	}
	fmt.Fprintln(errOut, "edb: "+err.Error())
	return exitInput
}

var parseOf = regexp.MustCompile(`strconv\.Parse(Int|Uint|Float|Bool): parsing ".*": (invalid syntax|value out of range)$`)

// plainFlagError takes the names of Go's functions off the error of a flag and says what is wanted.
func plainFlagError(c *cobra.Command, err error) error {
	msg, wanted := err.Error(), map[string]string{"Int": "a whole number", "Uint": "a whole number, 0 or more", "Float": "a number", "Bool": "true or false"}
	if m := parseOf.FindStringSubmatch(msg); m != nil {
		want := wanted[m[1]]
		if m[2] == "value out of range" {
			want = "a smaller number"
		}
		return errors.New(strings.TrimSuffix(msg, m[0]) + "give " + want)
	}
	return fmt.Errorf("%s: see %s --help", msg, c.CommandPath())
}

// noSuchCommand refuses what follows a command that only holds others.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unknown command %q: see %s --help", args[0], c.CommandPath())
	}
	return nil
}

// group is a command that only holds others: alone it prints its help.
func group(name, short string) *cobra.Command {
	return &cobra.Command{Use: name, Short: short, Args: noSuchCommand, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
}

// exactly refuses any other number of arguments and says how the command is written.
func exactly(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return fmt.Errorf("%s where %d belong: write %s", plural(len(args), "argument"), n, c.UseLine())
	}
}

// printJSON writes one indented object to standard output.
func (s *streams) printJSON(v any) error {
	e := json.NewEncoder(s.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// plural writes "1 unit", "2 units".
func plural(n int, noun string) string {
	return edb.Count(n, noun)
}

// atLeast asks for n arguments or more.
func atLeast(n int, fix string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= n {
			return nil
		}
		return fmt.Errorf("%s where %d or more belong: %s", plural(len(args), "argument"), n, fix)
	}
}
