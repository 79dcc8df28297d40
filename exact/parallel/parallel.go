// Package parallel runs the independent parts of a search on several threads, for exact/tree and exact/cloning.
//
// A search stays deterministic if its parts do not depend on each other, nor on how many threads there are: they are chosen
// before, and their results are put together after, in the order of their numbers.
package parallel

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each calls work for the parts 0 to n−1, begun in this order, on at most the given number of threads, and returns when all have
// ended. The thread, from 0, says whose scratch memory a part may use. One thread is the caller's own. If a part
// panics, Each panics with its value and stack after the others have ended.
func Each(threads, n int, work func(thread, part int)) {
	threads = min(threads, n)
	if threads <= 1 {
		for part := range n {
			work(0, part)
		}
		return
	}
	var (
		next   atomic.Int64
		group  sync.WaitGroup
		once   sync.Once
		failed any
	)
	run := func(thread int) {
		defer func() {
			if cause := recover(); cause != nil {
				next.Store(int64(n))
				once.Do(func() { failed = fmt.Sprintf("%v\n%s", cause, debug.Stack()) })
			}
		}()
		for part := next.Add(1) - 1; part < int64(n); part = next.Add(1) - 1 {
			work(thread, int(part))
		}
	}
	for thread := 1; thread < threads; thread++ {
		group.Go(func() { run(thread) })
	}
	run(0)
	group.Wait()
	if failed != nil {
		panic(failed)
	}
}
