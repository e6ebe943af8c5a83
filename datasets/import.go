package datasets

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	edb "enterprisedocbench"
)

// Imported is what came of one import. Of a failed one only Set, Error and Seconds are set.
type Imported struct {
	Set       string  `json:"set"`
	Out       string  `json:"out"`
	Documents int     `json:"documents"`
	Pages     int     `json:"pages"`
	Questions int     `json:"questions"`
	Answers   int     `json:"answers"`  // questions with an answer
	Labelled  int     `json:"labelled"` // labelled answers
	Judged    int     `json:"judged"`   // questions with judgements
	Gold      []Count `json:"gold"`     // documents by kind of gold
	Seconds   float64 `json:"seconds"`
	// Faults are those that CheckWith finds; nil where it was not asked.
	Faults *int   `json:"faults,omitempty"`
	Error  string `json:"error,omitempty"`
}

// ImportCheck says what happens after an import.
type ImportCheck struct {
	// Check reads the whole dataset again and counts its faults, with Markdown as reader of gold.
	Check    bool
	Markdown func(path string) (edb.Parsed, error)
	// Now gives the time, for Seconds.
	Now func() time.Time
}

// ImportOne makes a dataset directory of one collection, opens it and counts what it holds. The error
// is also in Imported.Error.
func ImportOne(ctx context.Context, im Importer, from, out string, opt ImportOptions, after ImportCheck) (Imported, error) {
	begin := after.Now()
	got := Imported{Set: im.Name, Out: out}
	err := im.Import(ctx, from, out, opt)
	if err == nil {
		err = got.count(out)
	}
	if err == nil && after.Check {
		var faults []Fault
		if faults, err = CheckWith(out, after.Markdown); err == nil {
			n := len(faults)
			got.Faults = &n
		}
	}
	got.Seconds = after.Now().Sub(begin).Seconds()
	if err != nil {
		got.Error = err.Error()
	}
	return got, err
}

func (i *Imported) count(out string) error {
	ds, err := Open(out)
	if err != nil {
		return err
	}
	gold := tally{}
	for _, d := range ds.Documents {
		i.Pages += d.Pages
		gold[d.Gold]++
	}
	for _, q := range ds.Questions {
		if q.Answer != nil {
			i.Answers++
		}
	}
	i.Labelled = len(ds.Answers)
	i.Documents, i.Questions, i.Judged, i.Gold = len(ds.Documents), len(ds.Questions), len(ds.Qrels), gold.counts()
	return nil
}

// ImportAll imports, one after the other, every collection for which the folder from holds a folder of
// its importer's name, into out/NAME. A failure is an entry with its error and the others go on;
// progress, if set, hears of each that begins. The error is for a folder without any collection,
// and for an end of ctx.
func ImportAll(ctx context.Context, importers []Importer, from, out string, opt ImportOptions, after ImportCheck, begins func(name string)) ([]Imported, error) {
	entries, err := os.ReadDir(from)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: name the folder that holds the collections", from, cause(err))
	}
	var results []Imported
	for _, im := range importers {
		dir := filepath.Join(from, im.Name)
		if !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == im.Name }) {
			continue
		}
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			continue
		}
		if begins != nil {
			begins(im.Name)
		}
		got, _ := ImportOne(ctx, im, dir, filepath.Join(out, im.Name), opt, after)
		if ctx.Err() != nil {
			return results, ctx.Err()
		}
		results = append(results, got)
	}
	if len(results) == 0 {
		return nil, fmt.Errorf("%s holds no folder that is named like an importer: see edb dataset import --help for the names", from)
	}
	return results, nil
}
