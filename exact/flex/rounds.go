package flex

import (
	"cmp"
	"context"
	"slices"

	"schedgap/exact/parallel"
)

// A frontier is a branch-and-bound's open nodes, which are searched in rounds: some of them at once, each for a number of nodes with what
// was known when the round began. What they leave open and find is put together in their order. So the tree depends on counts alone,
// not on time or threads (docs/design/flex.md#threads).
type frontier[N any] struct {
	open  []N
	bound func(N) float64
	// work searches a node on a thread, as a part of a round, and returns what it left open, what it would go on with first.
	work func(ctx context.Context, thread, part int, o N) []N
	// merge takes over what the parts of a round found, and reports whether to go on. least is the least bound of what is open.
	merge func(parts int, least float64) bool
}

const (
	roundParts = 32
	partNodes  = 256
	mostOpen   = 2000 // from so many open nodes on, for memory, the latest come first, before the least bounds
)

// search searches until no node is open, merge says so or ctx ends.
func (f *frontier[N]) search(ctx context.Context, threads int) {
	left := make([][]N, roundParts)
	for more := true; more && len(f.open) > 0 && ctx.Err() == nil; {
		if len(f.open) < mostOpen {
			slices.SortStableFunc(f.open, func(a, b N) int { return cmp.Compare(f.bound(b), f.bound(a)) })
		}
		rest := max(0, len(f.open)-roundParts)
		chosen := slices.Clone(f.open[rest:])
		slices.Reverse(chosen)
		clear(f.open[rest:])
		f.open = f.open[:rest]
		parallel.Each(threads, len(chosen), func(thread, part int) { left[part] = f.work(ctx, thread, part, chosen[part]) })
		for part := len(chosen) - 1; part >= 0; part-- {
			slices.Reverse(left[part])
			f.open = append(f.open, left[part]...)
		}
		more = f.merge(len(chosen), f.least())
	}
}

func (f *frontier[N]) least() float64 {
	least := inf
	for _, o := range f.open {
		least = min(least, f.bound(o))
	}
	return least
}
