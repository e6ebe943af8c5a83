package riker

import "context"

// fillTables fills the tables that hold what is true: the world, the pools and what documents state.
func (w *World) fillTables(ctx context.Context, t *truth, tokens int, opt WriteOptions) error {
	t.add(w.worldRows(tokens)...)
	done, total := 0, w.Documents()
	occur := w.occur(func(int) bool { return ctx.Err() == nil })
	if occur == nil {
		return ctx.Err()
	}
	w.poolRows(occur, func(rows ...row) {
		if ctx.Err() == nil {
			t.add(rows...)
		}
	})
	for k, n := range w.Counts {
		err := inOrder(ctx, opt.Workers, n, func(i int) ([]row, error) { return w.rows(Kind(k), i), nil }, func(_ int, rows []row) error {
			t.add(rows...)
			done++
			opt.progress("truth", done, total)
			return t.err
		})
		if err != nil {
			return err
		}
	}
	return t.err
}
