package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/universe/press"
	"enterprisedocbench/universe/riker"
)

// newWorld are the flags of edb universe new.
type newWorld struct {
	preset, set, formats, questions, shard, truth, out string
	documents, size, workers                           int
	seed                                               uint64
	filler                                             float64
	asJSON                                             bool
}

// writtenWorld is what edb universe new prints.
type writtenWorld struct {
	Dir       string  `json:"dir"`
	Name      string  `json:"name"`
	Set       string  `json:"set,omitempty"`
	Seed      uint64  `json:"seed"`
	Documents int     `json:"documents"`
	Questions int     `json:"questions"`
	Shards    int     `json:"shards"` // 0: a dataset directory
	Filler    float64 `json:"filler"`
	Budget    int     `json:"budget,omitempty"`
	Tokens    int     `json:"tokens,omitempty"`
	Tokenizer string  `json:"tokenizer,omitempty"` // that counted them
}

func universeNewCmd(s *streams) *cobra.Command {
	var f newWorld
	c := &cobra.Command{
		Use:   "new --preset NAME | --documents N --out DIR",
		Short: "Make a world: documents of six types, questions of twelve levels, and their truth",
		Long: `Makes RIKER's world of a property firm from a seed: leases, sales field reports, HR evaluations, and with
--documents invoices, quarterly statements and policy handbooks too. Writes a dataset directory with truth.sqlite
and plan.json beside it. The same flags give the same bytes on any machine.

A preset has RIKER's document and question counts and its token budget, kept to within 3 %. Worlds of more than
50,000 documents, or with --shard-size, are written as compressed shards (corpus-00001-of-00020.jsonl.zst);
--shard makes one of them alone, with the same bytes.`,
		Example: "  edb universe new --preset 32K --seed 7 --out world\n  edb universe new --documents 2000 --formats pdf=2,html=1 --questions single=100,list=20 --out mixed\n  edb universe new --documents 1000000 --seed 7 --shard 3 --out shards",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			plan, opt, err := f.plan(c)
			if err != nil {
				return err
			}
			// Documents live for a moment only: collecting them less often costs memory, within a bound.
			debug.SetGCPercent(400)
			debug.SetMemoryLimit(768 << 20)
			p := newProgress(s.err)
			defer p.close()
			opt.Progress = p.show
			got, err := riker.Write(c.Context(), f.out, plan, opt)
			p.close()
			if err != nil {
				return err
			}
			return s.newWorld(f, got)
		},
	}
	fl := c.Flags()
	fl.StringVar(&f.preset, "preset", "", "one of "+strings.Join(riker.Presets(), ", "))
	fl.StringVar(&f.set, "set", "", "of a preset: A to D are other worlds, HA to HD other questions (150 of one document, 150 probes)")
	fl.IntVar(&f.documents, "documents", 0, "number of documents, 20 or more, in place of a preset")
	fl.Uint64Var(&f.seed, "seed", 7, "which world")
	fl.StringVar(&f.formats, "formats", "", "shares of pdf, pdf-2col, html, md and text, as pdf=2,text=1 (default text; all of them for --documents up to 10000)")
	fl.Float64Var(&f.filler, "filler", 0, "share of the clauses beside the point that are printed, 0 to 1; of a preset, in place of its token budget")
	fl.StringVar(&f.questions, "questions", "", "numbers of questions by kind, as single=50,aggregation=30,probe=10,list=10; kinds left out keep theirs")
	fl.IntVar(&f.size, "shard-size", 0, "documents in a shard")
	fl.StringVar(&f.shard, "shard", "", "make this shard alone: I or I/N, from 1")
	fl.StringVar(&f.truth, "truth", "full", "full, or none: shards without truth.sqlite and questions")
	fl.IntVar(&f.workers, "workers", 0, "documents made at a time (default: one a processor)")
	fl.StringVar(&f.out, "out", "", "the folder that is made")
	fl.BoolVar(&f.asJSON, "json", false, "print one JSON object")
	return c
}

// plan makes a plan of the flags.
func (f newWorld) plan(c *cobra.Command) (riker.Plan, riker.WriteOptions, error) {
	opt := riker.WriteOptions{Workers: f.workers, ShardSize: f.size, NoTruth: f.truth == "none"}
	var p riker.Plan
	var err error
	switch {
	case f.out == "":
		err = errors.New("give --out: the folder that is made")
	case f.preset != "" && f.documents != 0:
		err = errors.New("--preset and --documents exclude each other: give one")
	case f.preset != "":
		p, err = riker.Preset(f.preset, f.set, f.seed)
	case f.documents == 0:
		err = fmt.Errorf("give --preset (%s) or --documents N", strings.Join(riker.Presets(), ", "))
	case f.set != "":
		err = errors.New("--set needs --preset")
	default:
		if p, err = riker.Sized(f.documents, f.seed); err == nil && f.documents <= 10_000 && f.size == 0 && f.shard == "" {
			p.Formats = map[string]float64{"pdf": .3, "pdf-2col": .15, "html": .2, "md": .15, "text": .2}
		}
	}
	if err != nil {
		return p, opt, err
	}
	switch {
	case f.truth != "full" && f.truth != "none":
		err = fmt.Errorf("--truth %q: choose full or none", f.truth)
	case f.size < 0:
		err = fmt.Errorf("--shard-size %d: give 1 or more", f.size)
	case f.workers < 0:
		err = fmt.Errorf("--workers %d: give 1 or more, or 0 for one a processor", f.workers)
	}
	if err != nil {
		return p, opt, err
	}
	if c.Flags().Changed("filler") {
		p.Filler, p.Budget = f.filler, 0
	}
	if f.formats != "" {
		if p.Formats, err = shares(f.formats); err != nil {
			return p, opt, err
		}
	}
	if f.questions != "" {
		if p.Questions, err = questionMix(p.Questions, f.questions); err != nil {
			return p, opt, err
		}
	}
	if f.shard != "" {
		err = f.oneShard(p.Documents(), &opt)
	}
	return p, opt, err
}

// oneShard reads --shard: I, or I/N, which also sets the size where --shard-size does not.
func (f newWorld) oneShard(documents int, opt *riker.WriteOptions) error {
	first, rest, both := strings.Cut(f.shard, "/")
	i, err := strconv.Atoi(first)
	n := 0
	if err == nil && both {
		n, err = strconv.Atoi(rest)
	}
	if err != nil || i < 1 || both && (n < i || n > documents) {
		return fmt.Errorf("--shard %q: write I or I/N, from 1", f.shard)
	}
	opt.Shard = i
	if both && opt.ShardSize == 0 {
		opt.ShardSize = (documents + n - 1) / n
	}
	if both && (documents+opt.ShardSize-1)/opt.ShardSize != n {
		return fmt.Errorf("--shard %s: shards of %d documents are %d: write I/%d", f.shard, opt.ShardSize, (documents+opt.ShardSize-1)/opt.ShardSize, (documents+opt.ShardSize-1)/opt.ShardSize)
	}
	return nil
}

// eachPart calls do with the parts of name=number,name=number.
func eachPart(flag, s string, do func(name, number string) error) error {
	seen := map[string]bool{}
	for part := range strings.SplitSeq(s, ",") {
		name, number, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !ok {
			return fmt.Errorf("--%s: %q has no number: write %s=1", flag, part, part)
		}
		if seen[name] {
			return fmt.Errorf("--%s: %s stands twice: leave one out", flag, name)
		}
		seen[name] = true
		if err := do(name, number); err != nil {
			return fmt.Errorf("--%s: %w", flag, err)
		}
	}
	return nil
}

func shares(s string) (map[string]float64, error) {
	out, sum := map[string]float64{}, 0.0
	err := eachPart("formats", s, func(name, number string) error {
		if _, err := press.ParseFormat(name); err != nil {
			return err
		}
		v, err := strconv.ParseFloat(number, 64)
		if err != nil || !(v >= 0 && v <= 1e9) {
			return fmt.Errorf("%s=%s: give a share from 0 to 1e9", name, number)
		}
		out[name] = v
		sum += v
		return nil
	})
	if err == nil && sum == 0 {
		err = fmt.Errorf("--formats %s: all shares are 0: give one format more", s)
	}
	return out, err
}

func questionMix(m riker.Mix, s string) (riker.Mix, error) {
	kinds := map[string]*int{"single": &m.Single, "aggregation": &m.Aggregation, "probe": &m.Probe, "list": &m.List}
	err := eachPart("questions", s, func(name, number string) error {
		to, ok := kinds[name]
		if !ok {
			return fmt.Errorf("%q is no kind: choose single, aggregation, probe or list", name)
		}
		v, err := strconv.Atoi(number)
		if err != nil || v < 0 {
			return fmt.Errorf("%s=%s: give a whole number of 0 or more", name, number)
		}
		*to = v
		return nil
	})
	return m, err
}

// newWorld prints what was written.
func (s *streams) newWorld(f newWorld, got riker.Written) error {
	w := writtenWorld{Dir: f.out, Name: got.Plan.Name, Set: got.Plan.Set, Seed: f.seed, Documents: got.Documents, Questions: got.Questions, Shards: got.Shards, Filler: got.Plan.Filler, Budget: got.Plan.Budget, Tokens: got.Tokens}
	if w.Tokens > 0 {
		w.Tokenizer = got.Plan.Tokenizer
	}
	if f.asJSON {
		return s.printJSON(w)
	}
	line := fmt.Sprintf("%s: %s, %s", w.Dir, plural(w.Documents, "document"), plural(w.Questions, "question"))
	if f.shard != "" {
		line = fmt.Sprintf("%s: shard %s of a world of %s", w.Dir, f.shard, plural(w.Documents, "document"))
	} else if w.Shards > 0 {
		line += ", " + plural(w.Shards, "shard")
	}
	if w.Tokens > 0 {
		line += fmt.Sprintf(", %d tokens of %s (%+.1f %% of the budget)", w.Tokens, w.Tokenizer, 100*(float64(w.Tokens)/float64(w.Budget)-1))
	}
	_, err := fmt.Fprintln(s.out, line)
	return err
}
