package parallel_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"schedgap/exact/parallel"
)

// Every part is run once, by a thread that runs no other at the time.
func TestEach(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 7} {
		const parts = 1000
		var done [parts]atomic.Int64
		busy := make([]atomic.Bool, max(1, threads))
		parallel.Each(threads, parts, func(thread, part int) {
			if busy[thread].Swap(true) {
				t.Errorf("thread %d runs two parts", thread)
			}
			done[part].Add(1)
			busy[thread].Store(false)
		})
		for part := range done {
			if n := done[part].Load(); n != 1 {
				t.Fatalf("%d threads: part %d was run %d times", threads, part, n)
			}
		}
	}
}

// With two threads two parts run at once: each waits for the other.
func TestAtOnce(t *testing.T) {
	met := make(chan int)
	parallel.Each(2, 2, func(_, part int) {
		if part == 0 {
			met <- part
		} else {
			<-met
		}
	})
}

// What a part panics with reaches the caller, and where.
func TestPanics(t *testing.T) {
	for _, threads := range []int{1, 3} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, "part 5") || threads > 1 &&
					!strings.Contains(got, "parallel_test.go") {
					t.Errorf("%d threads: %s", threads, got)
				}
			}()
			parallel.Each(threads, 9, func(_, part int) {
				if part == 5 {
					panic("part 5")
				}
			})
			t.Errorf("%d threads: no panic", threads)
		}()
	}
}
