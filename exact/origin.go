package exact

import (
	"context"

	"schedgap/models"
)

// A Solving searches for an optimum, from a solution that is known; nil: none is.
type Solving[I models.Instance, S any] = func(ctx context.Context, p *models.Pass[I, S], start *S) (models.Outcome[S], error)

// FromFirst has instances solved with time counted from their first arrival. Flowtimes are the same, nothing runs before it, and
// where arrivals are dates neither margins for rounding nor the sizes of searches grow with them. first returns the instance in
// that time with the time of its first arrival, later moves a solution.
func FromFirst[I models.Instance, S any, T int | float64](
	first func(in I) (moved I, origin T), later func(s S, by T) S, solve Solving[I, S],
) Solving[I, S] {
	return func(ctx context.Context, p *models.Pass[I, S], start *S) (models.Outcome[S], error) {
		in, origin := first(p.Instance)
		if origin == 0 {
			return solve(ctx, p, start)
		}
		moved := *p
		moved.Instance, moved.Improved = in, func(s S) { p.Improved(later(s, origin)) }
		if start != nil {
			s := later(*start, -origin)
			start = &s
		}
		out, err := solve(ctx, &moved, start)
		if out.Found {
			out.Solution = later(out.Solution, origin)
		}
		return out, err
	}
}
