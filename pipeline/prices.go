package pipeline

import (
	_ "embed"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"enterprisedocbench"
	"enterprisedocbench/internal/store"
)

//go:embed prices-2026-11.yaml
var defaultPrices []byte

// Prices is the price book: what a run's resources cost in dollars on a date. A price that is not
// in it is unknown, and so is every figure that needs it.
type Prices struct {
	Date             string           `yaml:"date" json:"date"`
	Source           string           `yaml:"source" json:"source"`
	VCPUHour         float64          `yaml:"vcpu_hour" json:"vcpu_hour"`
	GPUHour          float64          `yaml:"gpu_hour" json:"gpu_hour"`
	StorageGBMonth   float64          `yaml:"storage_gb_month" json:"storage_gb_month"`
	MemoryGBHour     float64          `yaml:"memory_gb_hour" json:"memory_gb_hour"`
	QueriesPerYear   float64          `yaml:"queries_per_year" json:"queries_per_year"`
	RebuildsPerYear  float64          `yaml:"rebuilds_per_year" json:"rebuilds_per_year"`
	TokensPerMillion map[string]Token `yaml:"tokens_per_million" json:"tokens_per_million"`
}

// Token is the price of a model's tokens, dollars per million.
type Token struct {
	Prompt     float64 `yaml:"prompt" json:"prompt"`
	Completion float64 `yaml:"completion" json:"completion"`
}

// LoadPrices reads a price book; "" is the one in the program.
func LoadPrices(path string) (Prices, error) {
	data := defaultPrices
	if path != "" {
		st, err := os.Stat(path)
		switch {
		case err != nil:
			return Prices{}, fmt.Errorf("%w: name a price book, or leave prices out for the one in the program", err)
		case !st.Mode().IsRegular() || st.Size() > 1<<20:
			return Prices{}, fmt.Errorf("%s is no file of less than 1 MiB: name a price book, or leave prices out for the one in the program", path)
		}
		if data, err = os.ReadFile(path); err != nil {
			return Prices{}, fmt.Errorf("%w: make the price book readable", err)
		}
	}
	return readPrices(data, path)
}

func readPrices(data []byte, path string) (Prices, error) {
	var p Prices
	if line := store.DeepYAML(data, maxDepth); line > 0 {
		return p, &ConfigError{path, []string{fmt.Sprintf("%d:1: nests deeper than %d: write flatter values", line, maxDepth)}}
	}
	if err := yaml.UnmarshalWithOptions(data, &p, yaml.Strict()); err != nil {
		return p, &ConfigError{path, []string{yamlFault(err)}}
	}
	for name, x := range p.all {
		if !(x >= 0) || math.IsInf(x, 0) {
			return p, &ConfigError{path, []string{fmt.Sprintf("1:1: %s is %v: write a price or number of 0 or more", name, x)}}
		}
	}
	if p.QueriesPerYear <= 0 {
		return p, &ConfigError{path, []string{"1:1: queries_per_year is missing: the yearly volume that building the index is spread over"}}
	}
	return p, nil
}

// all lists every price and number of the book by its name, in order.
func (p Prices) all(yield func(name string, x float64) bool) {
	for _, f := range []struct {
		name string
		x    float64
	}{{"vcpu_hour", p.VCPUHour}, {"gpu_hour", p.GPUHour}, {"storage_gb_month", p.StorageGBMonth}, {"memory_gb_hour", p.MemoryGBHour},
		{"queries_per_year", p.QueriesPerYear}, {"rebuilds_per_year", p.RebuildsPerYear}} {
		if !yield(f.name, f.x) {
			return
		}
	}
	for _, model := range slices.Sorted(maps.Keys(p.TokensPerMillion)) {
		t := p.TokensPerMillion[model]
		if !yield("tokens_per_million."+model+".prompt", t.Prompt) || !yield("tokens_per_million."+model+".completion", t.Completion) {
			return
		}
	}
}

const gib = 1 << 30

// indexYear is what an index costs a year: storage, resident memory, rebuilding.
func (p Prices) indexYear(ix indexResult) float64 {
	return float64(*ix.Bytes)/gib*(p.StorageGBMonth*12+p.MemoryGBHour*8760) + p.RebuildsPerYear*ix.BuildSeconds/3600*p.VCPUHour
}

// priced adds the time and money figures of every arm. They come from one machine's clock, so they
// carry no interval and stand apart from what is measured.
func (r *runner) priced(s *edb.Summary) {
	p := r.prices
	s.PriceBook = p.Date
	best := 0.0
	rate := map[string]float64{}
	for _, rk := range r.ranked {
		if rk.index.BuildSeconds > 0 {
			rate[rk.arm.name] = float64(rk.index.Pages) / rk.index.BuildSeconds
			best = max(best, rate[rk.arm.name])
		}
	}
	base := 0.0
	perK := map[string]float64{}
	reason := map[string]string{}
	for i, rk := range r.ranked {
		usd, why := r.perThousand(i, p)
		if why != "" {
			reason[rk.arm.name] = why
			continue
		}
		perK[rk.arm.name] = usd
		if rk.arm.name == r.cfg.Baseline {
			base = usd
		}
	}
	for _, rk := range r.ranked {
		name, ix := rk.arm.name, rk.index
		num := func(v float64, unit string) edb.Figure {
			return edb.Figure{Value: &v, N: 1, NOK: 1, Unit: unit, Method: "measured once", Reason: "one machine, one build", Def: 1}
		}
		unknown := func(why string) edb.Figure { return edb.Figure{Reason: why, Def: 1} }
		f := map[string]edb.Figure{}
		if ix.BuildSeconds > 0 && ix.Pages > 0 {
			f["index.build_seconds"] = num(ix.BuildSeconds, "s")
			f["index.pages_per_second"] = num(rate[name], "pages/s")
			f["index.relative"] = num(rate[name]/best, "")
			if ix.Bytes == nil {
				f["index.bytes_per_page"], f["index.usd_per_page_year"] = unknown("a foreign index: its size is unknown"), unknown("a foreign index: its size is unknown")
			} else {
				f["index.bytes_per_page"] = num(float64(*ix.Bytes)/float64(ix.Pages), "bytes")
				f["index.usd_per_page_year"] = num(p.indexYear(ix)/float64(ix.Pages), "USD")
			}
			if ix.PageEquiv {
				for k, v := range f {
					v.Reason += "; pages without page marks count as 3,000 characters each"
					f[k] = v
				}
			}
		} else {
			for _, k := range []string{"index.build_seconds", "index.pages_per_second", "index.relative", "index.bytes_per_page", "index.usd_per_page_year"} {
				f[k] = unknown("the index was not built by a run of this cache")
			}
		}
		if v, ok := perK[name]; ok {
			f["cost.usd_per_1k_queries"] = num(v, "USD")
			if base > 0 {
				f["cost.relative"] = num(v/base, "")
			} else {
				f["cost.relative"] = unknown("the baseline " + r.cfg.Baseline + " has no cost")
			}
		} else {
			f["cost.usd_per_1k_queries"], f["cost.relative"] = unknown(reason[name]), unknown(reason[name])
		}
		pages, secs, peak := 0, 0.0, int64(0)
		for _, d := range rk.arm.parsing.docs {
			if d.cost.PeakBytes != nil {
				peak = max(peak, *d.cost.PeakBytes)
			}
			if d.failure == nil {
				pages += max(1, d.pages)
				if d.cost.CPUSeconds != nil {
					secs += *d.cost.CPUSeconds
				}
			}
		}
		if secs > 0 {
			f["parse.pages_per_second"] = num(float64(pages)/secs, "pages/s")
		}
		if peak > 0 {
			f["parse.peak_bytes"] = num(float64(peak), "bytes")
		}
		s.Costs[name] = f
	}
}

// perThousand is cost.usd_per_1k_queries: the build spread over a year's queries, storage, query
// compute, tokens. The reason is set where a part is unknown.
func (r *runner) perThousand(i int, p Prices) (usd float64, reason string) {
	rk := r.ranked[i]
	ix := rk.index
	if ix.BuildSeconds == 0 || ix.QuerySeconds == nil {
		return 0, "the index was not built or queried by a run of this cache"
	}
	if ix.Bytes == nil {
		return 0, "a foreign index: its size is unknown"
	}
	usd = p.indexYear(ix)/p.QueriesPerYear*1000 + *ix.QuerySeconds/3600*p.VCPUHour*1000
	tokens, n := 0.0, 0
	for _, a := range r.answered[i] {
		if a.Error != "" {
			continue
		}
		n++
		switch {
		case a.Usage == nil:
			return 0, "at least one answer has no token usage: its cost is unknown"
		case a.Usage.USD != nil:
			tokens += *a.Usage.USD
		case a.Usage.PromptTokens == nil || a.Usage.CompletionTokens == nil:
			return 0, "at least one answer has no token usage: its cost is unknown"
		default:
			t, ok := p.TokensPerMillion[rk.arm.Stages.Generate.Model]
			if !ok {
				return 0, fmt.Sprintf("the price book has no token price for model %q", rk.arm.Stages.Generate.Model)
			}
			tokens += (float64(*a.Usage.PromptTokens)*t.Prompt + float64(*a.Usage.CompletionTokens)*t.Completion) / 1e6
		}
	}
	if n > 0 {
		usd += tokens / float64(n) * 1000
	}
	return usd, strings.TrimSpace(reason)
}
