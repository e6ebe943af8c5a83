package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"enterprisedocbench/internal/store"
	"enterprisedocbench/parse"
	"enterprisedocbench/universe"
)

func universeScanCmd(s *streams) *cobra.Command {
	var scan universe.Scan
	var out string
	c := &cobra.Command{
		Use:   "scan FILE|DIR --out OUT",
		Short: "Make scans of a PDF, or the scanned twin of a dataset directory",
		Long: `Draws every page of a PDF, turns, blurs and speckles it, and binds the pictures as a PDF without a text layer.
Of a dataset directory it makes the scanned twin: documents marked as scanned, the boxes of gold and evidence (and
of truth.sqlite, where there is one) moved to where the text lies on the scan, all else as it was. The same input
and settings give the same bytes. Draws in this process: for files that are vouched for.`,
		Example: "  edb universe scan letter.pdf --out scan.pdf --skew 1\n  edb universe scan edb-demo/dataset --out scanned --dpi 150 --blur 1 --jpeg 40 --speckle 0.002",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("give --out: the file or dataset directory that is made")
			}
			// A setting of 0 is the default of the package, so one that was asked for must not reach it.
			if c.Flags().Changed("dpi") && scan.DPI == 0 || c.Flags().Changed("jpeg") && scan.JPEG == 0 {
				return errors.New("--dpi or --jpeg is 0: --dpi takes 50 to 600, --jpeg 1 to 100")
			}
			st, err := os.Stat(args[0])
			if err != nil {
				return fmt.Errorf("%s cannot be read: name a PDF or a dataset directory", args[0])
			}
			if !st.IsDir() {
				if _, err := os.Stat(out); err == nil {
					return fmt.Errorf("%s is there already: name another file", out)
				}
			}
			draw, err := parse.DrawPages()
			if err != nil {
				return err
			}
			if st.IsDir() {
				p := newProgress(s.err)
				defer p.close()
				err := scan.Dataset(c.Context(), args[0], out, draw, parse.ReadFile, func(done, total int) { p.show("scan", done, total) })
				p.close()
				if err != nil {
					return err
				}
				ds, err := openDataset(out)
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(s.out, "%s: %s scanned\n", out, plural(len(ds.Documents), "document"))
				return err
			}
			pdf, turns, err := scan.PDF(c.Context(), args[0], filepath.Base(args[0]), draw)
			if err != nil {
				return err
			}
			if err := store.WriteFile(out, pdf); err != nil {
				return err
			}
			_, err = fmt.Fprintf(s.out, "%s: %s scanned\n", out, plural(len(turns), "page"))
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&out, "out", "", "the file or dataset directory that is made")
	f.Float64Var(&scan.DPI, "dpi", 200, "dots an inch, 50 to 600")
	f.Float64Var(&scan.Skew, "skew", .5, "largest angle in degrees, 0 to 15; pages are turned evenly between it and its opposite")
	f.Float64Var(&scan.Blur, "blur", .5, "standard deviation of the blur in dots, 0 to 20")
	f.IntVar(&scan.JPEG, "jpeg", 75, "JPEG quality, 1 to 100")
	f.Float64Var(&scan.Speckle, "speckle", .0005, "share of the dots that dirt covers, 0 to 0.5")
	f.Uint64Var(&scan.Seed, "seed", 1, "which angles and specks")
	return c
}
