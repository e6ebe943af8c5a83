package riker

import (
	"context"
	"fmt"
	"math"

	"enterprisedocbench/internal/tokens"
)

// How near a world comes to its budget: fitted ends the search, allowed is what the definition of the
// presets asks for.
const (
	fitted    = .005
	allowed   = .03
	fitTrials = 14
)

func tokenizer(p Plan) (*tokens.BPE, error) {
	name := p.Tokenizer
	if name == "" {
		name = "o200k"
	}
	return tokens.NewBPE(name)
}

// Fit finds the Filler with which all documents of a plan, as plain text, come to its Budget, by
// bisection, and counts the tokens. It gives the plan as it is, and no count, where the budget is 0.
// It fails where the nearest world is more than 3 % away.
func Fit(ctx context.Context, p Plan, opt WriteOptions) (Plan, int, error) {
	if p.Budget == 0 {
		return p, 0, p.Check()
	}
	bpe, err := tokenizer(p)
	if err != nil {
		return p, 0, err
	}
	lo, hi := 0.0, 1.0
	best, count := p, 0
	off := math.Inf(1)
	for trial := 0; trial < fitTrials && off > fitted; trial++ {
		// The ends first: a budget outside of them needs no search.
		switch trial {
		case 0:
			p.Filler = 0
		case 1:
			p.Filler = 1
		default:
			p.Filler = (lo + hi) / 2
		}
		n, err := textTokens(ctx, p, bpe, opt, trial)
		if err != nil {
			return p, 0, err
		}
		if d := math.Abs(float64(n)/float64(p.Budget) - 1); d < off {
			best, count, off = p, n, d
		}
		switch {
		case trial == 0 && n >= p.Budget || trial == 1 && n <= p.Budget:
			trial = fitTrials
		case trial > 1 && n < p.Budget:
			lo = p.Filler
		case trial > 1:
			hi = p.Filler
		}
	}
	if off > allowed {
		return p, 0, fmt.Errorf("%d documents come to %d tokens of %s, %.1f %% from the budget of %d: ask for another number of documents or another budget",
			p.Documents(), count, bpe.Name(), 100*off, p.Budget)
	}
	return best, count, nil
}

// textTokens counts the tokens of all documents as plain text.
func textTokens(ctx context.Context, p Plan, bpe *tokens.BPE, opt WriteOptions, trial int) (int, error) {
	w, err := New(p)
	if err != nil {
		return 0, err
	}
	n, sum := p.Documents(), 0
	err = inOrder(ctx, opt.Workers, n, func(id int) (int, error) {
		text, err := w.Text(id)
		return bpe.Count(text), err
	}, func(id, tokens int) error {
		sum += tokens
		opt.progress(fmt.Sprintf("budget, trial %d,", trial+1), id+1, n)
		return nil
	})
	return sum, err
}
