package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"enterprisedocbench"
	"enterprisedocbench/datasets"
	"enterprisedocbench/parse"
)

// pair is what is scored as one document. Gold or facts may be missing, not both.
type pair struct {
	unit  string
	gold  func() (edb.Parsed, *string, error) // the gold, and its Markdown as it is written; nil: none
	pred  string                              // "": no prediction
	facts []edb.Fact
	holds func(kind string) bool // says what the gold annotates; nil: everything
}

// pairSet are the pairs of eval parse, by unit.
type pairSet struct {
	pairs   []pair
	missing []string // units without a prediction
	unused  []string // files of predictions without gold or facts
	folder  bool
}

func goldFile(path string) func() (edb.Parsed, *string, error) {
	return func() (edb.Parsed, *string, error) { return readParsed(path) }
}

// pairs finds what is to be scored. Facts are by the stem of their document.
func (f *evalParse) pairs(facts map[string][]edb.Fact, keys []string) (pairSet, error) {
	var set pairSet
	p, err := input(f.pred)
	if err != nil {
		return set, err
	}
	set.folder = p.IsDir()
	if f.gold == "" {
		if err := factKeys(keys); err != nil {
			return set, err
		}
		return set, set.byFacts(facts, f.pred)
	}
	g, err := input(f.gold)
	if err != nil {
		return set, err
	}
	_, err = os.Stat(filepath.Join(f.gold, datasets.InfoFile))
	switch dataset := g.IsDir() && err == nil; {
	case dataset && !set.folder:
		return set, fmt.Errorf("--gold %s is a dataset and --pred %s a file: name a folder of predictions, called after documents", f.gold, f.pred)
	case dataset:
		return set, set.ofDataset(f.gold, f.pred, facts)
	case g.IsDir() != set.folder:
		return set, fmt.Errorf("--gold %s and --pred %s: give two files or two folders", f.gold, f.pred)
	case !set.folder:
		unit := filepath.Base(f.gold)
		set.pairs = []pair{{unit: unit, gold: goldFile(f.gold), pred: f.pred, facts: facts[stem(unit)]}}
		return set, nil
	}
	return set, set.byStems(f.gold, f.pred, facts)
}

// add adds a pair of a folder.
func (s *pairSet) add(p pair) {
	if p.pred == "" {
		s.missing = append(s.missing, p.unit)
	}
	s.pairs = append(s.pairs, p)
}

// byStems pairs files of two folders by stem.
func (s *pairSet) byStems(gold, pred string, facts map[string][]edb.Fact) error {
	golds, err := byStem(gold)
	if err != nil {
		return err
	}
	preds, err := byStem(pred)
	if err != nil {
		return err
	}
	if len(golds) == 0 {
		return fmt.Errorf("%s holds no file that ends in %s: name a folder of gold, or the dataset directory that holds %s", gold, endings(), datasets.InfoFile)
	}
	for _, stem := range slices.Sorted(maps.Keys(golds)) {
		s.add(pair{unit: stem, gold: goldFile(golds[stem]), pred: preds[stem], facts: facts[stem]})
	}
	s.leave(preds, func(stem string) bool { return golds[stem] != "" })
	return nil
}

// byFacts pairs documents that facts are known of with predictions, where there is no gold.
func (s *pairSet) byFacts(facts map[string][]edb.Fact, pred string) error {
	preds := map[string]string{stem(filepath.Base(pred)): pred}
	if s.folder {
		var err error
		if preds, err = byStem(pred); err != nil {
			return err
		}
	}
	for _, doc := range slices.Sorted(maps.Keys(facts)) {
		if preds[doc] != "" || s.folder {
			s.add(pair{unit: doc, pred: preds[doc], facts: facts[doc]})
		}
	}
	if len(s.pairs) == 0 {
		return fmt.Errorf("--facts has none about %s: the last part of a document's id is the stem of its file", pred)
	}
	s.leave(preds, func(stem string) bool { return facts[stem] != nil })
	return nil
}

// leave notes the predictions that nothing is known about.
func (s *pairSet) leave(preds map[string]string, known func(stem string) bool) {
	for stem, path := range preds {
		if !known(stem) {
			s.unused = append(s.unused, filepath.Base(path))
		}
	}
	slices.Sort(s.unused)
}

// ofDataset takes the documents of a dataset whose gold may score a parse, or that facts are known of.
// given are facts by stem, nil for those of the dataset.
func (s *pairSet) ofDataset(dir, pred string, given map[string][]edb.Fact) error {
	ds, err := openDataset(dir)
	if err != nil {
		return err
	}
	facts := map[string][]edb.Fact{}
	for _, f := range ds.Facts {
		facts[f.Doc] = append(facts[f.Doc], f)
	}
	used := map[string]bool{}
	for _, d := range ds.Documents {
		p := pair{unit: d.ID, pred: cmp.Or(parse.Stored(pred, d.ID, d.Path), parse.Stored(pred, datasets.FileName(d.ID), "")), facts: facts[d.ID]}
		if given != nil {
			p.facts = given[stem(filepath.Base(d.ID))]
		}
		if d.GoldScoresParsing() {
			p.gold = func() (edb.Parsed, *string, error) {
				gold, _, err := ds.Gold(d.ID)
				return gold, nil, err
			}
			p.holds = ds.GoldHolds
		}
		if p.gold != nil || p.facts != nil {
			s.add(p)
			used[p.pred] = true
		}
	}
	if len(s.pairs) == 0 {
		return fmt.Errorf("%s: no document has gold that may score parsing, or facts: name a dataset with gold, or a folder of gold", dir)
	}
	slices.SortFunc(s.pairs, func(a, b pair) int { return cmp.Compare(a.unit, b.unit) })
	slices.Sort(s.missing)
	entries, err := os.ReadDir(pred)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if _, ok := parse.Stem(e.Name()); ok && !e.IsDir() && !used[filepath.Join(pred, e.Name())] {
			s.unused = append(s.unused, e.Name())
		}
	}
	return nil
}

// byStem lists the files of a folder that are read, by stem.
func byStem(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, e := range entries {
		stem, ok := parse.Stem(e.Name())
		if e.IsDir() || !ok {
			continue
		}
		if old, ok := out[stem]; ok {
			return nil, fmt.Errorf("%s: %s and %s have one stem: keep one", dir, filepath.Base(old), e.Name())
		}
		out[stem] = filepath.Join(dir, e.Name())
	}
	return out, nil
}
