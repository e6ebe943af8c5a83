package ingest

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// config is a configuration that edb run takes as it is, with the dataset beside it.
func config(s *Sheet) []byte {
	var b bytes.Buffer
	b.WriteString("# Three text pipelines on your files: edb run init.yaml.\n")
	if s.Questions.Synthetic {
		b.WriteString("# The questions are synthetic known-item questions, so no Q is given: see sheet.json.\n")
	}
	name, _ := json.Marshal(runName(s.Dataset)) // a JSON string is a YAML string
	fmt.Fprintf(&b, "name: %s\ndataset: ./%s\nseed: %d\n", name, DatasetDir, s.Seed)
	b.WriteString(`pipelines:
  - {name: bm25, retrieve: {method: bm25, k1: 1.5, b: 0.75}}
  - {name: dense-static, retrieve: {method: dense, encoder: static}}
  - {name: hybrid, retrieve: {method: hybrid, weights: [0.5, 0.5], norm: minmax}}
`)
	return b.Bytes()
}

// runName makes the name of a run of a dataset's: it becomes part of a folder's name.
func runName(dataset string) string {
	var b bytes.Buffer
	for _, r := range dataset {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			b.WriteRune(r)
		default:
			b.WriteByte('-')
		}
	}
	if n := bytes.Trim(b.Bytes(), "-"); len(n) > 0 {
		return string(n[:min(len(n), 60)])
	}
	return "init"
}
