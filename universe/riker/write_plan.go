package riker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"enterprisedocbench/internal/store"
	"enterprisedocbench/universe"
)

// PlanFile is the name of the plan beside a world: with it every document can be made again.
const PlanFile = universe.PlanFile

// generator names the rules that worlds are made by; another name, another world from the same plan.
const generator = "riker 1"

// planFile is plan.json.
type planFile struct {
	Generator    string             `json:"generator"`
	Name         string             `json:"name"`
	Set          string             `json:"set,omitempty"`
	Seed         uint64             `json:"seed"`
	Documents    map[string]int     `json:"documents"` // by type
	Questions    Mix                `json:"questions"`
	QuestionSeed uint64             `json:"question_seed,omitempty"`
	Formats      map[string]float64 `json:"formats,omitempty"`
	Filler       float64            `json:"filler"`
	Budget       int                `json:"budget,omitempty"`
	Tokenizer    string             `json:"tokenizer,omitempty"`
	ShardSize    int                `json:"shard_size,omitempty"`
}

// encodePlan gives plan.json on one line.
func encodePlan(p Plan) []byte { return encodeSharded(p, 0) }

func encodeSharded(p Plan, size int) []byte {
	f := planFile{generator, p.Name, p.Set, p.Seed, map[string]int{}, p.Questions, p.QuestionSeed, p.Formats, p.Filler, p.Budget, p.Tokenizer, size}
	for k, n := range p.Counts {
		f.Documents[Kind(k).String()] = n
	}
	return store.JSON(f)
}

// ReadPlan reads the plan of the world in a directory; size is the number of documents of a shard, 0 for
// a dataset directory. Errors name file, line and remedy.
func ReadPlan(dir string) (p Plan, size int, err error) {
	path := filepath.Join(dir, PlanFile)
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return p, 0, fmt.Errorf("%s: no %s is there: name a directory that edb universe new made", dir, PlanFile)
	} else if err != nil {
		return p, 0, err
	}
	p, size, err = decodePlan(raw)
	if err != nil {
		return p, 0, fmt.Errorf("%s:%d: %w: make the world again", path, store.JSONLine(raw, err), store.Plain(err))
	}
	return p, size, nil
}

// maxPlan bounds plan.json, in bytes; maxDocuments the documents that numbers are computed for.
const (
	maxPlan      = 1 << 20
	maxDocuments = 1 << 40
)

func decodePlan(raw []byte) (Plan, int, error) {
	var f planFile
	if len(raw) > maxPlan {
		return Plan{}, 0, fmt.Errorf("a plan of %d bytes", len(raw))
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return Plan{}, 0, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return Plan{}, 0, errors.New("something follows the plan")
	}
	if f.Generator != generator {
		return Plan{}, 0, fmt.Errorf("the world was made by %q, this program makes %q", f.Generator, generator)
	}
	p := Plan{Name: f.Name, Set: f.Set, Seed: f.Seed, Questions: f.Questions, QuestionSeed: f.QuestionSeed, Formats: f.Formats, Filler: f.Filler, Budget: f.Budget, Tokenizer: f.Tokenizer}
	sum := 0
	for k := range p.Counts {
		name := Kind(k).String()
		n, ok := f.Documents[name]
		if !ok {
			return Plan{}, 0, fmt.Errorf("no number of documents of type %s", name)
		}
		if n < 0 || n > maxDocuments-sum {
			return Plan{}, 0, fmt.Errorf("%d documents of type %s", n, name)
		}
		sum += n
		p.Counts[k] = n
		delete(f.Documents, name)
	}
	for name := range f.Documents {
		return Plan{}, 0, fmt.Errorf("%q is no type of document", name)
	}
	if f.ShardSize < 0 {
		return Plan{}, 0, fmt.Errorf("shards of %d documents", f.ShardSize)
	}
	return p, f.ShardSize, p.Check()
}
