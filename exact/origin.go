package exact

import (
	"context"

	"schedgap/models"
)

// A Solving searches for an optimum, from what the pass's ledger knows. It writes what it finds there, and returns why it stopped
// and what work it did.
type Solving[I models.Instance, S any] = func(ctx context.Context, p *models.Pass[I, S]) (models.End, error)

// A Resuming goes on with a search, see models.End.Resume.
type Resuming = func(ctx context.Context) (models.End, error)

// FromFirst has instances solved with time counted from their first arrival. Flowtimes are the same, nothing runs before it, and
// where arrivals are dates neither values nor margins for rounding nor the sizes of searches grow with them. first returns the
// instance in that time with the time of its first arrival, later moves a solution.
func FromFirst[I models.Instance, S any, T int | float64](
	problem *models.Problem[I, S], reference string, first func(in I) (moved I, origin T), later func(s S, by T) S, solve Solving[I, S],
) Solving[I, S] {
	return func(ctx context.Context, p *models.Pass[I, S]) (models.End, error) {
		in, origin := first(p.Instance)
		if origin == 0 {
			return solve(ctx, p)
		}
		moved := *p
		moved.Instance = in
		moved.Ledger = models.NewLedger(Rules(problem, reference, in, nil, p.Ask), func(s S) { p.Offer(later(s, origin)) }, p.Bound)
		known := func() {
			if s, _, ok := p.Best(); ok {
				moved.Offer(later(s, -origin))
			}
		}
		known()
		end, err := solve(ctx, &moved)
		return resumed(end, known), err
	}
}

// resumed has the resumptions of an end begin with a call.
func resumed(end models.End, begin func()) models.End {
	if resume := end.Resume; resume != nil {
		end.Resume = func(ctx context.Context) (models.End, error) {
			begin()
			next, err := resume(ctx)
			return resumed(next, begin), err
		}
	}
	return end
}
