package trace

import "slices"

// A pool hands out the ends of large slices, so that many small ones cost little.
type pool[T any] struct{ rest []T }

const poolSize = 4096

// empty is a slice to append to; keep must follow before the next.
func (p *pool[T]) empty() []T {
	if cap(p.rest) < poolSize/64 {
		p.rest = make([]T, 0, poolSize)
	}
	return p.rest[:0]
}

// keep returns the slice without room to grow: that is the pool's again.
func (p *pool[T]) keep(list []T) []T {
	if cap(list) > 0 && cap(p.rest) > 0 && &list[:1][0] == &p.rest[:1][0] { // it did not outgrow the pool's
		p.rest = list[len(list):]
	}
	return slices.Clip(list)
}

func (p *pool[T]) one() *T { return &p.keep(append(p.empty(), *new(T)))[0] }
