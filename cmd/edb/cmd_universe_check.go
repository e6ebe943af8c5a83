package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"enterprisedocbench/parse"
	"enterprisedocbench/universe"
	"enterprisedocbench/universe/riker"
)

func universeCheckCmd(s *streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check DIR",
		Short: "Prove a generated dataset: quotes, absences, totals, answers, evidence, shortcuts",
		Long: `Proves a world that edb demo or edb universe new made, in one pass over its documents:
  every quote stands at its span, on its page and in its box, in the gold and as another program reads the PDF
  (poppler's pdftotext where it is installed, else PDFium; HTML, Markdown and text as the parsers read them); what
  must be absent is absent, whatever the case, accents and line breaks; totals add up; truth.sqlite, the world of the plan
  and the documents agree; answer, SQL and memory agree; every set of evidence suffices and no piece of it can go
  (of worlds of more than 10,000 documents, a sample); shortcuts are right for less than 2 % of the questions.
Lists every fault with file, line and remedy. Exit code 1 if there are any.`,
		Args: exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			reader := "pdfium"
			if _, err := exec.LookPath("pdftotext"); err == nil {
				reader = "poppler"
			}
			words, err := parse.WordReader(reader)
			if err != nil {
				return err
			}
			var got universe.Checked
			if _, plan := os.Stat(filepath.Join(args[0], riker.PlanFile)); plan == nil {
				p := newProgress(s.err)
				defer p.close()
				got, err = riker.Check(c.Context(), args[0], riker.CheckOptions{Words: words, Reader: reader, Read: parse.ReadFile, Progress: p.show})
				p.close()
			} else {
				got, err = universe.Check(c.Context(), args[0], universe.CheckOptions{Words: words, Reader: reader, Markdown: parse.ReadFile})
			}
			if err != nil {
				return err
			}
			if asJSON {
				err = s.printJSON(got)
			} else {
				err = s.provenWorld(args[0], got)
			}
			if err == nil && len(got.Faults) > 0 {
				err = &exitError{exitCheck, fmt.Sprintf("%s: %s", args[0], plural(len(got.Faults), "fault"))}
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// provenWorld prints the faults, then what was proven, measured and not looked at.
func (s *streams) provenWorld(dir string, got universe.Checked) error {
	for _, f := range got.Faults {
		fmt.Fprintln(s.out, f)
	}
	for _, p := range got.Proven {
		fmt.Fprintf(s.out, "%7d  %s\n", p.N, p.Name)
	}
	for _, h := range got.Shortcuts {
		forced := ""
		if h.Forced > 0 {
			forced = fmt.Sprintf("; for %d there was no other question", h.Forced)
		}
		fmt.Fprintf(s.out, "%5.1f %%  shortcut: %s (%d of %d%s)\n", 100*h.Share, h.Name, h.N, h.Of, forced)
	}
	for _, k := range got.Skipped {
		fmt.Fprintln(s.out, "not looked at: "+k)
	}
	if len(got.Faults) > 0 {
		return nil
	}
	_, err := fmt.Fprintf(s.out, "%s: no fault\n", dir)
	return err
}
