package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"enterprisedocbench/ingest"
	"enterprisedocbench/report"
)

// shownFiles is how many files a list on the sheet names; sheet.json has them all.
const shownFiles = 8

// sheet prints what can be measured now and what labelling would add.
func (s *streams) sheet(sh *ingest.Sheet, out string) error {
	line := func(format string, a ...any) { fmt.Fprintf(s.out, format+"\n", a...) }
	dir := filepath.ToSlash(out)
	line("%s: %s, %s, %s; gold: a parser's text, which locates evidence and scores no parser", dir, plural(sh.Documents, "document"), plural(sh.Pages, "page"), plural(sh.Questions.N, "question"))
	s.files("left out", sh.LeftOut)
	s.files("kept, but not readable here (they fail in a run)", sh.Failing)
	for _, l := range sh.Lines() {
		line("%s", l)
	}
	line("")
	line("what can be measured:")
	for _, g := range sh.Groups() {
		head := g.State
		if g.N > 0 {
			head += fmt.Sprintf(" (n=%d, %s at most)", g.N, g.Half())
		}
		line("  %s: %s", head, strings.Join(g.Keys, " "))
		for _, l := range wrap(g.Note, 100) {
			line("      %s", l)
		}
	}
	line("")
	rows := [][]string{{"An hour of", "adds", "then", "for ±.12", "for ±.10", "for ±.05", "assumed"}}
	for _, w := range sh.Labelling {
		row := []string{w.Name, fmt.Sprintf("%d %ss", w.HourItems, w.Item), ingest.Half(w.HourHalfWidth)}
		for _, p := range w.Plans {
			row = append(row, fmt.Sprintf("%d (%.3g h)", p.Items, p.Hours))
		}
		rows = append(rows, append(row, fmt.Sprintf("%g min", w.Minutes)))
	}
	if err := report.Columns(s.out, rows); err != nil {
		return err
	}
	for _, w := range sh.Labelling {
		line("  %s: %s", w.Name, w.What)
	}
	line("± is half of the 95 %% interval of a mean of independent values from 0 to 1, at most; few documents make it wider.")
	line("")
	line("next: edb run %s/%s --out %s/run", dir, ingest.ConfigFile, dir)
	for _, n := range sh.Next[1:] {
		line("  %s", strings.ReplaceAll(n, "OUT/", dir+"/"))
	}
	line("all of it: %s/%s", dir, ingest.SheetFile)
	return nil
}

func (s *streams) files(what string, list []ingest.LeftOut) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(s.out, "%s: %d\n", what, len(list))
	for i, l := range list {
		if i == shownFiles {
			fmt.Fprintf(s.out, "  ... and %d more\n", len(list)-i)
			break
		}
		fmt.Fprintf(s.out, "  %q %s\n", l.Path, l.Reason)
	}
}

// wrap breaks a text into lines of at most width bytes, between words.
func wrap(text string, width int) []string {
	var out []string
	at := ""
	for _, w := range strings.Fields(text) {
		if at != "" && len(at)+1+len(w) > width {
			out, at = append(out, at), ""
		}
		at = strings.TrimSpace(at + " " + w)
	}
	return append(out, at)
}
