package riker

import (
	"context"
	"runtime"
	"sync"
)

// chunk is how many numbers a goroutine takes at a time.
const chunk = 32

// inOrder calls work for 0 to n-1 on several goroutines (workers; 0: one a processor) and use with what
// came out, in order, on the caller's. A bounded number of results waits. The first error, or the end
// of ctx, ends it.
func inOrder[T any](ctx context.Context, workers, n int, work func(i int) (T, error), use func(i int, v T) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	type result struct {
		values []T
		err    error
	}
	type job struct {
		from int
		out  chan result
	}
	jobs, order := make(chan job), make(chan chan result, 4*workers)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	wg.Go(func() {
		defer close(order)
		defer close(jobs)
		for from := 0; from < n; from += chunk {
			j := job{from, make(chan result, 1)}
			select {
			case order <- j.out:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				var r result
				for i := j.from; i < min(j.from+chunk, n) && r.err == nil; i++ {
					var v T
					if r.err = ctx.Err(); r.err == nil {
						v, r.err = work(i)
					}
					r.values = append(r.values, v)
				}
				j.out <- r
			}
		})
	}
	i := 0
	for out := range order {
		select {
		case r := <-out:
			if r.err != nil {
				return r.err
			}
			for _, v := range r.values {
				if err := use(i, v); err != nil {
					return err
				}
				i++
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}
