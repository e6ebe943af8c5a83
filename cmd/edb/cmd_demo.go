package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"enterprisedocbench/internal/store"
	"enterprisedocbench/pipeline"
	"enterprisedocbench/universe"
)

// demoConfig is what DIR/demo.yaml holds; the dataset lies beside it.
const demoConfig = `# Three text pipelines on a generated world: run it again with edb run demo.yaml.
name: demo
dataset: ./dataset
seed: %d
pipelines:
  - {name: bm25, retrieve: {method: bm25, k1: 1.5, b: 0.75}}
  - {name: dense-static, retrieve: {method: dense, encoder: static}}
  - {name: hybrid, retrieve: {method: hybrid, weights: [0.5, 0.5], norm: minmax}}
`

func demoCmd(s *streams) *cobra.Command {
	var f runFlags
	var seed uint64
	c := &cobra.Command{
		Use:   "demo",
		Short: "Make a small world of documents and questions, run three pipelines on it, show the result",
		Long: `Makes a small world (PDFs of three document types with shared people and companies, questions with
gold evidence), runs bm25, dense-static and hybrid over it and prints the table. Needs no network, no
model and no key. Leaves DIR/dataset, DIR/demo.yaml and DIR/run.`,
		Args: exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if _, err := f.options(s, newProgress(s.err)); err != nil {
				return err
			}
			data := filepath.Join(f.out, "dataset")
			if err := oursToReplace(data); err != nil {
				return err
			}
			if err := os.MkdirAll(f.out, 0o755); err != nil {
				return err
			}
			if err := os.RemoveAll(data); err != nil {
				return err
			}
			if err := universe.WriteDemo(c.Context(), data, universe.Options{Seed: seed}); err != nil {
				return err
			}
			path := filepath.Join(f.out, "demo.yaml")
			if err := store.WriteFile(path, fmt.Appendf(nil, demoConfig, seed)); err != nil {
				return err
			}
			cfg, err := pipeline.Load(path)
			if err != nil {
				return err
			}
			g := f
			g.out = filepath.Join(f.out, "run")
			if !c.Flags().Changed("cache") {
				g.cache = filepath.Join(f.out, "cache")
			}
			return execute(c.Context(), s, cfg, g)
		},
	}
	f.add(c)
	c.Flags().StringVar(&f.out, "out", "edb-demo", "folder that is made")
	c.Flags().Uint64Var(&seed, "seed", 7, "which world")
	return c
}

// oursToReplace refuses a folder that holds anything but an earlier demo's world, which is rewritten.
func oursToReplace(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err == nil {
		var b []byte
		if b, err = os.ReadFile(filepath.Join(dir, "dataset.yaml")); err == nil && bytes.HasPrefix(b, []byte("name: demo-world\n")) {
			return nil
		}
	}
	return fmt.Errorf("%s is there and is no demo world: give --out another folder", dir)
}
