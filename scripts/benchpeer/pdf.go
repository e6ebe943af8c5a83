package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"enterprisedocbench"
	"enterprisedocbench/parse"
)

func init() { paths["pdf"] = pdfText }

// perFile is what became of one file.
type perFile struct {
	State string  `json:"st"` // ok, error, timeout or crash
	CPU   float64 `json:"cpu"`
	Pages int     `json:"pages"`
}

// pdfText reads every file of FOLDER/pdfs with the pdfium engine, fonts and boxes included, and
// leaves FOLDER/out_ours/NAME.pdf.txt and _per.json. A file stands as "crash" until it is done, and
// a restarted run goes on after it.
func pdfText(folder string) error {
	e, err := parse.Lookup("pdfium")
	if err != nil {
		return err
	}
	engine, err := e.New()
	if err != nil {
		return err
	}
	out := filepath.Join(folder, "out_ours")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	done := map[string]perFile{}
	record := filepath.Join(out, "_per.json")
	if b, err := os.ReadFile(record); err == nil {
		if err := json.Unmarshal(b, &done); err != nil {
			return err
		}
	}
	save := func() error {
		b, err := json.Marshal(done)
		if err != nil {
			return err
		}
		return os.WriteFile(record, b, 0o644)
	}
	files, err := filepath.Glob(filepath.Join(folder, "pdfs", "*.pdf"))
	if err != nil {
		return err
	}
	slices.Sort(files)
	for _, f := range files {
		name := filepath.Base(f)
		if _, ok := done[name]; ok {
			continue
		}
		done[name] = perFile{State: "crash"}
		if err := save(); err != nil {
			return err
		}
		start := cpu()
		p, err := engine.Parse(context.Background(), parse.Source{Doc: edb.Document{ID: name}, Path: f})
		res := perFile{State: "ok", CPU: cpu() - start, Pages: len(p.Pages)}
		var pe *parse.Error
		if errors.As(err, &pe) {
			res.State = "error"
		} else if err != nil {
			return err
		}
		done[name] = res
		if err := os.WriteFile(filepath.Join(out, name+".txt"), []byte(p.Text()), 0o644); err != nil {
			return err
		}
	}
	return save()
}
