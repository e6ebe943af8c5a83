package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/datasets"
	"enterprisedocbench/report"
)

func datasetLicencesCmd(s *streams) *cobra.Command {
	var out string
	var release, commercial, asJSON bool
	c := &cobra.Command{
		Use:   "licences DIR...",
		Short: "Rate what may be done with documents; write the attribution file; refuse a release that cannot be",
		Long: `Rates every document by its licence and the flags of its line: allow (may be passed on, changed and
used for money), evaluate-only (may be measured with here) or refuse, each with its reason; and so what people
added to the documents (questions, answers, judgements, labels, gold) by annotations of dataset.yaml.

--out writes the attribution file. --release asks whether all of it can be passed on together; if it
cannot, what is to be left out is named (all of them with --json) and the exit code is 1.`,
		Example: "  edb dataset licences leases --out leases/ATTRIBUTION.md\n  edb dataset licences leases papers --release --commercial",
		Args:    oneOrMore,
		RunE: func(_ *cobra.Command, args []string) error {
			if commercial && !release {
				return errors.New("--commercial belongs to --release: give both, or neither")
			}
			read := args
			if filepath.Base(out) == attributionName {
				read = slices.DeleteFunc(slices.Clone(args), func(dir string) bool { return sameFolder(filepath.Dir(out), dir) })
			}
			if err := outputFile("--out", out, read...); err != nil {
				return err
			}
			sets, err := openDatasets(args)
			if err != nil {
				return err
			}
			documents, annotations := datasets.RateLicences(sets...), datasets.RateAnnotations(sets...)
			ratings := slices.Concat(documents, annotations)
			var rel *datasets.Release
			if release {
				r := datasets.CheckRelease(ratings, commercial)
				rel = &r
			}
			if asJSON {
				err = s.printJSON(struct {
					Documents   []datasets.Rating `json:"documents"`
					Annotations []datasets.Rating `json:"annotations"`
					Release     *datasets.Release `json:"release,omitempty"`
				}{documents, annotations, rel})
			} else {
				err = report.Columns(s.out, licenceRows(ratings, len(sets) > 1))
			}
			if err != nil {
				return err
			}
			if out != "" {
				if err := datasets.WriteAttribution(out, sets...); err != nil {
					return err
				}
				fmt.Fprintf(s.err, "edb: wrote %s\n", out)
			}
			if rel == nil {
				return nil
			}
			return s.release(*rel, len(documents), len(sets) > 1, asJSON)
		},
	}
	c.Flags().StringVar(&out, "out", "", "write the attribution file here: title, source, licence, evidence and changes of every document")
	c.Flags().BoolVar(&release, "release", false, "ask whether the documents can be released together")
	c.Flags().BoolVar(&commercial, "commercial", false, "with --release: for commercial use")
	c.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return c
}

// attributionName is the one file that may be written into a dataset that is read: its own
// attribution file.
const attributionName = "ATTRIBUTION.md"

func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

func licenceRows(ratings []datasets.Rating, many bool) [][]string {
	rows := [][]string{{"Licence", "Of", "Class", "Redistribute", "Derivatives", "Commercial", "Share alike", "Why"}}
	if many {
		rows[0] = append([]string{"Dataset"}, rows[0]...)
	}
	yes := map[bool]string{true: "yes", false: "no"}
	for _, c := range datasets.CountLicences(ratings) {
		of := datasets.PartAnnotations
		if c.Part == "" {
			of = plural(c.N, "document")
		}
		row := []string{orNotStated(c.SPDX), of, c.Class, yes[c.Redistribute], yes[c.Derivatives], yes[c.Commercial], strings.Join(c.ShareAlike, " and "), c.Reason}
		if many {
			row = append([]string{c.Dataset}, row...)
		}
		rows = append(rows, row)
	}
	return rows
}

// release says whether documents can be released together, with the documents that stand in the way.
func (s *streams) release(r datasets.Release, all int, many, asJSON bool) error {
	if !asJSON {
		for _, l := range leaveOut(r.LeaveOut, many) {
			fmt.Fprintln(s.out, l)
		}
		fmt.Fprintln(s.out, releaseTerms(r))
	}
	if len(r.LeaveOut) == 0 {
		return nil
	}
	docs := 0
	for _, b := range r.LeaveOut {
		if b.Part == "" {
			docs++
		}
	}
	var what []string
	if docs > 0 {
		what = append(what, fmt.Sprintf("%d of %s", docs, plural(all, "document")))
	}
	if n := len(r.LeaveOut) - docs; n > 0 {
		what = append(what, "the annotations of "+plural(n, "dataset"))
	}
	return &exitError{exitCheck, strings.Join(what, " and ") + " cannot be released: leave them out"}
}

// leaveOut names what stands in the way, documents with one reason on one line.
func leaveOut(list []datasets.Blocked, many bool) []string {
	type key struct{ set, part, spdx, reason string }
	names := map[key][]string{}
	var order []key
	for _, b := range list {
		k := key{b.Dataset, b.Part, b.SPDX, b.Reason}
		if names[k] == nil {
			order = append(order, k)
		}
		names[k] = append(names[k], b.Doc)
	}
	var out []string
	for _, k := range order {
		of := ""
		if many {
			of = " of " + k.set
		}
		if k.part != "" {
			out = append(out, fmt.Sprintf("leave out the %s%s (%s: %s)", k.part, of, orNotStated(k.spdx), k.reason))
			continue
		}
		out = append(out, fmt.Sprintf("leave out %d%s (%s: %s): %s", len(names[k]), of, orNotStated(k.spdx), k.reason, firstOf(names[k])))
	}
	return out
}

func releaseTerms(r datasets.Release) string {
	var what []string
	if r.Documents > 0 {
		what = append(what, plural(r.Documents, "document"))
	}
	if r.Annotations > 0 {
		what = append(what, "the annotations of "+plural(r.Annotations, "dataset"))
	}
	if len(what) == 0 {
		return "nothing can be released"
	}
	terms := []string{"not for commercial use"}
	if r.ForMoney {
		terms = []string{"also for commercial use"}
	}
	if r.Attribution {
		terms = append(terms, "the makers named (--out writes the file)")
	}
	if r.ShareAlike != "" {
		terms = append(terms, "all that is made of it under "+r.ShareAlike)
	}
	if r.NoDerivative > 0 {
		terms = append(terms, fmt.Sprintf("%d of them only as they are", r.NoDerivative))
	}
	return fmt.Sprintf("%s can be released: %s", strings.Join(what, " and "), strings.Join(terms, "; "))
}
