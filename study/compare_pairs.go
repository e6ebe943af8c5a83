package study

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"enterprisedocbench"
)

// side is one pipeline of one run; name is what the comparison calls it.
type side struct {
	run       *Run
	arm, name string
}

func (s side) records() *records { return s.run.arms[s.arm] }

// figure is what the summary says of a key: among the measures, or among times and money.
func (s side) figure(key string) edb.Figure {
	if f, ok := s.run.Summary.Pipelines[s.arm][key]; ok {
		return f
	}
	return s.run.Summary.Costs[s.arm][key]
}

func (s side) has(key string) bool {
	_, measured := s.run.Summary.Pipelines[s.arm][key]
	_, priced := s.run.Summary.Costs[s.arm][key]
	return measured || priced
}

// pairing is a candidate and what it is held against.
type pairing struct{ base, other side }

// locate splits RUN or RUN:PIPELINE: what is a folder as a whole is a run.
func locate(arg string) (dir, arm string) {
	if _, err := os.Stat(arg); err == nil {
		return arg, ""
	}
	for i, c := range arg {
		if c == ':' && i > 0 {
			if st, err := os.Stat(arg[:i]); err == nil && st.IsDir() {
				return arg[:i], arg[i+1:]
			}
		}
	}
	return arg, ""
}

// Folder gives the folder that RUN or RUN:PIPELINE names; it need not be there.
func Folder(arg string) string {
	dir, _ := locate(arg)
	return dir
}

// open reads the runs and lists the sides that the arguments and the names of pipelines choose; the
// baseline is always among them.
func open(args, pipelines []string, baseline string) ([]side, []*Run, error) {
	type choice struct {
		run *Run
		arm string
	}
	var runs []*Run
	var choices []choice
	byDir := map[string]*Run{}
	for _, arg := range args {
		dir, arm := locate(arg)
		key := filepath.Clean(dir)
		if byDir[key] == nil {
			r, err := Open(dir)
			if err != nil {
				return nil, nil, err
			}
			byDir[key] = r
			runs = append(runs, r)
		}
		if arm != "" && byDir[key].arms[arm] == nil {
			return nil, nil, noPipeline(byDir[key], arm)
		}
		choices = append(choices, choice{byDir[key], arm})
	}
	if len(runs) == 0 {
		return nil, nil, errors.New("no run is named: give the folder that edb run left")
	}
	if baseline == "" && len(runs) == 1 && len(pipelines) == 1 {
		baseline = runs[0].Summary.Baseline // one pipeline alone is held against it
	}
	label := runLabels(runs)
	var sides []side
	found := map[string]bool{}
	for _, c := range choices {
		for _, a := range c.run.Summary.Arms {
			s := side{c.run, a, a}
			if len(runs) > 1 {
				s.name = label[c.run] + ":" + a
			}
			chosen := c.arm == a || c.arm == "" && (len(pipelines) == 0 || slices.Contains(pipelines, a) || baseline == a || baseline == s.name)
			found[a] = found[a] || chosen
			if chosen && !slices.Contains(sides, s) {
				sides = append(sides, s)
			}
		}
	}
	for _, p := range pipelines {
		if !found[p] {
			return nil, nil, noPipeline(runs[0], p)
		}
	}
	return sides, runs, nil
}

func noPipeline(r *Run, arm string) error {
	return fmt.Errorf("%s has no pipeline %q: choose from %s", r.Dir, arm, strings.Join(r.Summary.Arms, ", "))
}

// runLabels are the last parts of the folders' paths, or the paths where those do not differ.
func runLabels(runs []*Run) map[*Run]string {
	out, seen := map[*Run]string{}, map[string]bool{}
	same := false
	for _, r := range runs {
		out[r] = filepath.Base(filepath.Clean(r.Dir))
		same = same || seen[out[r]]
		seen[out[r]] = true
	}
	if same {
		for _, r := range runs {
			out[r] = filepath.ToSlash(r.Dir)
		}
	}
	return out
}

// pair says what is held against what.
func pair(sides []side, runs []*Run, baseline string) (pairs []pairing, notes []string, err error) {
	base, root, err := chooseBase(sides, runs, baseline)
	if err != nil {
		return nil, nil, err
	}
	if base != nil {
		for _, s := range sides {
			if s != *base {
				pairs = append(pairs, pairing{*base, s})
			}
		}
		if len(pairs) == 0 {
			return nil, nil, fmt.Errorf("%s: there is one pipeline to compare, %s: name a second run, or more with --pipelines", runs[0].Dir, base.name)
		}
		return pairs, nil, nil
	}
	var alone []string
	for _, s := range sides {
		if s.run == root {
			if !slices.ContainsFunc(sides, func(o side) bool { return o.run != root && o.arm == s.arm }) {
				alone = append(alone, s.name)
			}
			continue
		}
		i := slices.IndexFunc(sides, func(o side) bool { return o.run == root && o.arm == s.arm })
		if i < 0 {
			alone = append(alone, s.name)
			continue
		}
		pairs = append(pairs, pairing{sides[i], s})
	}
	if len(pairs) == 0 {
		var names []string
		for _, s := range sides {
			names = append(names, s.name)
		}
		return nil, nil, fmt.Errorf("no pipeline of %s has a namesake in the other runs: name one that all are held against with --baseline, from %s", root.Dir, strings.Join(names, ", "))
	}
	if len(alone) > 0 {
		notes = append(notes, "left out, without a namesake in the other run: "+strings.Join(alone, ", "))
	}
	return pairs, notes, nil
}

// chooseBase gives the side that all others are held against, or the run whose pipelines each are
// held against by their namesakes.
func chooseBase(sides []side, runs []*Run, baseline string) (*side, *Run, error) {
	if baseline == "" {
		several := 0
		for _, r := range runs {
			n := 0
			for _, s := range sides {
				if s.run == r {
					n++
				}
			}
			several = max(several, n)
		}
		if len(runs) > 1 && several > 1 {
			return nil, runs[0], nil
		}
		for i, s := range sides {
			if len(runs) == 1 && s.arm == runs[0].Summary.Baseline {
				return &sides[i], nil, nil
			}
		}
		if len(sides) == 0 {
			return nil, nil, fmt.Errorf("no pipeline is chosen: see --pipelines")
		}
		return &sides[0], nil, nil
	}
	var names []string
	var fits []*side
	for i, s := range sides {
		names = append(names, s.name)
		if s.name == baseline {
			return &sides[i], nil, nil
		}
		if s.arm == baseline {
			fits = append(fits, &sides[i])
		}
	}
	if len(fits) == 1 {
		return fits[0], nil, nil
	}
	if len(fits) > 1 {
		return nil, nil, fmt.Errorf("baseline %q stands in %d runs: write one of %s", baseline, len(fits), strings.Join(names, ", "))
	}
	label := runLabels(runs)
	for _, r := range runs {
		if len(runs) > 1 && (label[r] == baseline || filepath.Clean(r.Dir) == filepath.Clean(baseline)) {
			return nil, r, nil
		}
	}
	return nil, nil, fmt.Errorf("baseline %q is not compared here: choose from %s", baseline, strings.Join(names, ", "))
}
