package pipeline

import (
	"context"
	"fmt"
	"sync"
)

// firstCalls is how many calls of a system that is not ours must all fail before it is taken for
// dead.
const firstCalls = 5

// breaker spares an arm the waiting where the system that it asks is dead: once the first calls have
// all failed, no more are made. Until the first call succeeds, or the first few have failed, others
// wait, so that what is asked does not depend on the number of workers. A nil breaker lets all pass.
type breaker struct {
	mu      sync.Mutex
	begun   int
	failed  int
	last    error
	decided chan struct{} // closed when the system is known to live or to be dead
	dead    bool
}

func newBreaker() *breaker { return &breaker{decided: make(chan struct{})} }

// call makes a call, or gives an error at once where the first ones have failed.
func (b *breaker) call(ctx context.Context, do func() error) error {
	if b == nil {
		return do()
	}
	b.mu.Lock()
	b.begun++
	first := b.begun <= firstCalls
	b.mu.Unlock()
	if !first {
		select {
		case <-b.decided:
		case <-ctx.Done():
			return ctx.Err()
		}
		if b.dead { // written before decided is closed, never after
			return fmt.Errorf("not asked: the first %d calls failed, the last with: %w", firstCalls, b.last)
		}
		return do()
	}
	err := do()
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-b.decided:
		return err
	default:
	}
	if err == nil {
		close(b.decided)
		return nil
	}
	b.failed++
	if b.failed == firstCalls {
		b.dead, b.last = true, err
		close(b.decided)
	}
	return err
}
