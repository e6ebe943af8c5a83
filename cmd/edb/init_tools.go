package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"enterprisedocbench"
)

// pagesName is the hidden command that reads single pages of a PDF by OCR and prints them in the gold
// layout. A pool starts it like any foreign parser, so the pool's limits hold for the tools it runs.
const pagesName = "__pages"

func pagesCmd(s *streams) *cobra.Command {
	return &cobra.Command{
		Use: pagesName + " FILE PAGE...", Hidden: true, Args: cobra.MinimumNArgs(2),
		Short: "Print pages as tesseract reads them (used by edb itself)",
		RunE: func(c *cobra.Command, args []string) error {
			p, err := tesseractPages(c.Context(), args[0], args[1:])
			if err != nil {
				return err
			}
			return s.printJSON(p)
		},
	}
}

// textPage is a page with one element: what a tool printed for it.
func textPage(number int, text string) edb.Page {
	pg := edb.Page{Number: number, Elements: []edb.Element{}}
	if text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")); text != "" {
		pg.Elements = append(pg.Elements, edb.Element{Kind: edb.KindParagraph, Text: text})
	}
	pg.NoText = text == ""
	return pg
}

// ocrDPI is the resolution at which pages are drawn for OCR.
const ocrDPI = "200"

// tesseractPages draws pages by pdftoppm and reads them by tesseract, in tesseract's own order: neither
// the drawing nor the order is that of the engines it is compared with.
func tesseractPages(ctx context.Context, path string, pages []string) (edb.Parsed, error) {
	p := edb.Parsed{Paged: true}
	for _, page := range pages {
		n, err := strconv.Atoi(page)
		if err != nil || n < 1 {
			return p, fmt.Errorf("%q is no page", page)
		}
		image, err := tool(ctx, nil, "pdftoppm", "-r", ocrDPI, "-gray", "-f", page, "-l", page, path)
		if err != nil {
			return p, err
		}
		text, err := tool(ctx, image, "tesseract", "stdin", "stdout")
		if err != nil {
			return p, err
		}
		p.Pages = append(p.Pages, textPage(n, string(text)))
	}
	return p, nil
}

// tool runs a program and gives its standard output; an error has the first line it complained with.
func tool(ctx context.Context, in []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin = bytes.NewReader(in)
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1") // pages are read side by side
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(complaint.String()), "\n")
		return nil, fmt.Errorf("%s: %w: %s", name, err, first)
	}
	return out.Bytes(), nil
}

var versionNumber = regexp.MustCompile(`\d+(?:\.\d+)+`)

// toolVersion is the version that an installed program says it has, "" where it is not there.
func toolVersion(ctx context.Context, name, flag string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, path, flag).CombinedOutput()
	if v := versionNumber.Find(out); v != nil && (err == nil || len(out) > 0) {
		return string(v)
	}
	return ""
}
