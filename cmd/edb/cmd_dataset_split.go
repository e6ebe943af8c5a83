package main

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/parse"
	"enterprisedocbench/report"
)

// splitFlags are the flags of dataset split.
type splitFlags struct {
	fractions, out, like string
	near                 float64
	asJSON               bool
}

func datasetSplitCmd(s *streams) *cobra.Command {
	var f splitFlags
	c := &cobra.Command{
		Use:   "split DIR",
		Short: "Divide documents into train, val and test so that near-duplicates stay together and nobody moves later",
		Long: `Divides documents into train, val and test. Near-duplicates belong together: the hash of the id of the
first of them decides for all. splits.jsonl remembers who is where, so that nobody moves when documents are
added: newcomers join their near-duplicates, and one that is near to documents of two splits goes into
quarantine. The fractions that come out are printed, not forced.

Texts are the gold, or what the parser reads where the gold is not the whole text.`,
		Example: "  edb dataset split leases --fractions train=.1,val=.1,test=.8\n  edb dataset split leases-2 --like leases",
		Args:    exactly(1),
		RunE:    func(c *cobra.Command, args []string) error { return s.splitDataset(c.Context(), args[0], f) },
	}
	c.Flags().StringVar(&f.fractions, "fractions", "", "fractions of the splits; default those of dataset.yaml, else train=.1,val=.1,test=.8")
	c.Flags().StringVar(&f.out, "out", "", "make a copy with the splits here; default: write them into DIR")
	c.Flags().StringVar(&f.like, "like", "", "keep the splits of this earlier version too")
	c.Flags().Float64Var(&f.near, "near", datasets.DefaultNear, "Jaccard similarity of five-word runs from which on texts are near-duplicates")
	c.Flags().BoolVar(&f.asJSON, "json", false, "print one JSON object")
	return c
}

func (s *streams) splitDataset(ctx context.Context, dir string, f splitFlags) error {
	if !(f.near > 0 && f.near <= 1) {
		return fmt.Errorf("--near: similarity of near-duplicates is %v: use a number over 0 and up to 1", f.near)
	}
	fractions, err := parseFractions(f.fractions)
	if err != nil {
		return err
	}
	ds, err := openDataset(dir)
	if err != nil {
		return err
	}
	known, err := knownSplits(dir, f.like)
	if err != nil {
		return err
	}
	pool, err := newPool()
	if err != nil {
		return err
	}
	defer pool.Close()
	p := newProgress(s.err)
	defer p.close()
	got, err := ds.Split(ctx, datasets.SplitOptions{
		Fractions: fractions, Known: known, Near: f.near,
		TextOptions: datasets.TextOptions{
			Workers:  runtime.NumCPU(),
			Progress: func(done, total int) { p.show("read", done, total) },
			Text: func(ctx context.Context, doc edb.Document, path string) (string, error) {
				return textOf(ctx, pool, doc, path)
			},
		},
	})
	if err != nil {
		return err
	}
	p.close()
	if err := ds.WriteSplits(got, f.out); err != nil {
		return err
	}
	if f.asJSON {
		return s.printJSON(got)
	}
	return s.showSplits(got)
}

// textOf is the text of a file as the first engine for its type reads it.
func textOf(ctx context.Context, pool *parse.Pool, doc edb.Document, path string) (string, error) {
	engine, err := engineFor(parse.TypeOf(path, doc.MIME))
	if err != nil {
		return "", err
	}
	got, _, err := pool.Parse(ctx, parse.Spec{Engine: engine}, parse.Source{Doc: doc, Path: path})
	return got.Text(), err
}

// knownSplits are the lines of splits.jsonl of the dataset, before them those of an earlier version.
func knownSplits(dir, like string) ([]datasets.SplitLine, error) {
	own, err := datasets.ReadSplits(dir)
	if err != nil || like == "" {
		return own, err
	}
	before, err := datasets.ReadSplits(like)
	if err != nil {
		return nil, err
	}
	if len(before) == 0 {
		return nil, fmt.Errorf("--like %s: holds no %s: split it first, or leave --like out", like, datasets.SplitsFile)
	}
	return append(before, own...), nil
}

// parseFractions reads "train=.1,val=.1,test=.8"; nothing gives nil.
func parseFractions(text string) (map[string]float64, error) {
	if text == "" {
		return nil, nil
	}
	out := map[string]float64{}
	for part := range strings.SplitSeq(text, ",") {
		name, number, ok := strings.Cut(strings.TrimSpace(part), "=")
		v, err := strconv.ParseFloat(number, 64)
		_, twice := out[name]
		if !ok || err != nil || twice {
			return nil, fmt.Errorf("--fractions %q: cannot read %q: write train=.1,val=.1,test=.8", text, part)
		}
		out[name] = v
	}
	return out, nil
}

func (s *streams) showSplits(got *datasets.Splitting) error {
	names := []string{"train", "val", "test", "quarantine"}
	rows := [][]string{append([]string{"Domain", "Documents"}, names...)}
	for _, d := range got.Domains {
		row := []string{orNotStated(d.Domain), fmt.Sprint(d.Documents)}
		for _, n := range names {
			row = append(row, share(d.Splits[n], d.Documents))
		}
		rows = append(rows, row)
	}
	intended := []string{"intended", ""}
	for _, n := range names[:3] {
		intended = append(intended, fmt.Sprintf("%.1f %%", 100*got.Fractions[n]))
	}
	rows = append(rows, append(intended, ""))
	if err := report.Columns(s.out, rows); err != nil {
		return err
	}
	clustered := 0
	for _, c := range got.Clusters {
		clustered += len(c.Documents)
	}
	fmt.Fprintf(s.out, "documents: %d, placed before: %d; near-duplicates (similarity %v and more): %d, in clusters: %d\n", got.Documents, got.Kept, got.Near, clustered, len(got.Clusters))
	q := got.Questions
	asked := len(q.Spanning) + q.Free
	var in []string
	for _, n := range names {
		asked += q.Splits[n]
		in = append(in, fmt.Sprintf("%s %d", n, q.Splits[n]))
	}
	if asked > 0 {
		fmt.Fprintf(s.out, "questions: %d; %s; on documents of several splits %d, on none %d\n", asked, strings.Join(in, ", "), len(q.Spanning), q.Free)
	}
	for _, l := range got.Quarantined {
		fmt.Fprintf(s.out, "quarantine: %s is near to %s\n", l.Doc, strings.Join(l.Bridges, " and "))
	}
	for _, l := range got.Leaks {
		fmt.Fprintf(s.err, "edb: %s and %s are near-duplicates in two splits since an earlier version: take one out\n", l[0], l[1])
	}
	for _, u := range got.Unread {
		fmt.Fprintf(s.err, "edb: %s: compared by its bytes only: %s\n", u.Doc, u.Reason)
	}
	return nil
}

// share writes a count with its share of all.
func share(n, all int) string {
	if all == 0 {
		return "·"
	}
	return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(all))
}

func orNotStated(s string) string {
	if s == "" {
		return "not stated"
	}
	return s
}
