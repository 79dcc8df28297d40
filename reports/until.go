package reports

import (
	"context"
	"fmt"
	"runtime/metrics"
	"time"
)

// Until returns what work returns or, as soon as ctx ends, why it ended. Work is then left to itself, wherever it is: it must
// change nothing that anybody looks at afterwards.
func Until[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		if r.err != nil && ctx.Err() != nil {
			r.err = context.Cause(ctx)
		}
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// A MemoryError says that the program has more memory than it may take.
type MemoryError struct {
	Limit uint64 // bytes
	Rows  int64  // of results, for which they should have been enough
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("more than %d MiB of memory are in use, which is 2 GiB and 2 kB for each of %d rows", e.Limit>>20, e.Rows)
}

// MemoryFor is how many bytes a report on so many rows may take.
func MemoryFor(rows int64) uint64 { return 2<<30 + 2000*uint64(rows) }

// WithMemory returns a context that ends with a MemoryError when the program has more memory than limit. The function ends the
// watch.
func WithMemory(ctx context.Context, limit uint64, rows int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		const total, released = "/memory/classes/total:bytes", "/memory/classes/heap/released:bytes"
		sample := []metrics.Sample{{Name: total}, {Name: released}}
		for ticks := time.NewTicker(50 * time.Millisecond); ; {
			metrics.Read(sample)
			if sample[0].Value.Uint64()-sample[1].Value.Uint64() > limit {
				cancel(&MemoryError{limit, rows})
				return
			}
			select {
			case <-ctx.Done():
				ticks.Stop()
				return
			case <-ticks.C:
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}
