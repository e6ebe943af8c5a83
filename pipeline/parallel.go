package pipeline

import (
	"context"
	"sync"
)

// ordered runs do(0..n-1) on the given number of goroutines and hands the results to emit in
// order, one at a time. At most a few results wait, so memory stays flat. The first error, or the
// end of ctx, stops it.
func ordered[T any](ctx context.Context, n, workers int, do func(ctx context.Context, i int) (T, error), emit func(i int, v T) error) error {
	if n == 0 {
		return ctx.Err()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type slot struct {
		v    T
		done chan struct{}
	}
	workers = max(1, min(workers, n))
	window := make(chan int, workers*4) // indexes handed out and not yet emitted
	slots := make([]*slot, n)
	for i := range slots {
		slots[i] = &slot{done: make(chan struct{})}
	}
	jobs := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(jobs)
		for i := range n {
			select {
			case window <- i:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- i:
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			for i := range jobs {
				v, err := do(ctx, i)
				if err != nil {
					cancel(err)
					return
				}
				slots[i].v = v
				close(slots[i].done)
			}
		})
	}
	for i := range n {
		select {
		case <-slots[i].done:
		case <-ctx.Done():
			wg.Wait()
			return context.Cause(ctx)
		}
		s := slots[i]
		slots[i] = nil
		<-window
		if err := emit(i, s.v); err != nil {
			cancel(err)
			wg.Wait()
			return err
		}
	}
	wg.Wait()
	return context.Cause(ctx)
}
