package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"enterprisedocbench"
	"enterprisedocbench/parse"
)

// mimeOf tells a file's type by its extension, for files that stand in no dataset.
func mimeOf(path string) string {
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".pdf":
		return "application/pdf"
	case ".md", ".markdown":
		return "text/markdown"
	case ".txt", ".text":
		return "text/plain"
	case ".html", ".htm", ".xhtml":
		return "text/html"
	case ".xml", ".nxml":
		return parse.TypeOf(path, "application/xml")
	case ".json":
		return "application/json"
	default:
		t, _, _ := strings.Cut(mime.TypeByExtension(ext), ";")
		return t
	}
}

// parseFile runs one file through an engine in a worker process.
func parseFile(ctx context.Context, engine, path string) (edb.Parsed, error) {
	if st, err := os.Stat(path); err != nil {
		return edb.Parsed{}, err
	} else if st.IsDir() {
		return edb.Parsed{}, fmt.Errorf("%s is a folder: name a file", path)
	}
	doc := edb.Document{ID: filepath.Base(path), MIME: mimeOf(path)}
	if engine == "" {
		for _, e := range parse.All() {
			if !e.Named && slices.Contains(e.Accepts, doc.MIME) {
				engine = e.Name
				break
			}
		}
		if engine == "" {
			return edb.Parsed{}, fmt.Errorf("%s: no engine reads this kind of file: name one with --engine", path)
		}
	}
	if _, err := parse.Lookup(engine); err != nil {
		return edb.Parsed{}, err
	}
	exe, err := os.Executable()
	if err != nil {
		return edb.Parsed{}, err
	}
	pool := parse.NewPool(exe, 1, parse.DefaultLimits, "")
	defer pool.Close()
	p, _, err := pool.Parse(ctx, parse.Spec{Engine: engine}, parse.Source{Doc: doc, Path: path})
	if err != nil {
		return p, fmt.Errorf("%s: %w", path, err)
	}
	return p, nil
}

func parseCmd(s *streams) *cobra.Command {
	var engine, format string
	c := &cobra.Command{
		Use:     "parse FILE",
		Short:   "Parse one file and print its text, Markdown or elements in reading order",
		Example: "  edb parse report.pdf --engine pdfium --format md",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			if !slices.Contains([]string{"text", "md", "json", "facts"}, format) {
				return fmt.Errorf("--format %q is not one of text, md, json, facts", format)
			}
			p, err := parseFile(c.Context(), engine, args[0])
			if err != nil {
				var pe *parse.Error
				if errors.As(err, &pe) {
					words := fmt.Sprintf("%v (%s)", err, pe.Kind)
					if fix := parse.Remedy(pe.Kind); fix != "" {
						words += ": " + fix
					}
					return &exitError{exitInput, words}
				}
				return err
			}
			for _, w := range p.Warnings {
				fmt.Fprintln(s.err, "edb: "+w)
			}
			if p.Text() == "" {
				hint := ""
				if mimeOf(args[0]) == "application/pdf" {
					hint = ": an engine with OCR (auto, tesseract) may read it"
				}
				fmt.Fprintf(s.err, "edb: %s: no text on %s%s\n", args[0], plural(len(p.Pages), "page"), hint)
			}
			switch format {
			case "json":
				return s.printJSON(p)
			case "facts":
				e := json.NewEncoder(s.out)
				e.SetEscapeHTML(false)
				for _, f := range p.Tagged {
					if err := e.Encode(f); err != nil {
						return err
					}
				}
				if len(p.Tagged) == 0 {
					fmt.Fprintf(s.err, "edb: %s: no inline XBRL facts\n", args[0])
				}
			case "md":
				_, err = fmt.Fprint(s.out, p.Markdown())
			default:
				_, err = fmt.Fprintln(s.out, p.Text())
			}
			return err
		},
	}
	c.Flags().StringVar(&engine, "engine", "", "the engine (edb doctor lists them); default the first that reads the format")
	c.Flags().StringVar(&format, "format", "text", "text, md, json (the gold element layout) or facts (inline XBRL of HTML, a JSON line each)")
	return c
}
