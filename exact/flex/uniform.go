package flex

import (
	"context"
	"errors"
	"math"

	"schedgap/models"
	"schedgap/models/flex"
)

// uniform is an algorithm for instances of one metric that also takes those which flex.Instance.Uniform makes such. Proofs
// are about the file, so there are none if jobs have metrics of their own.
func uniform(a *flex.Algorithm) *flex.Algorithm {
	b := *a
	b.Applies = func(in *flex.Instance, arg string) error {
		u, _, ok := in.Uniform()
		if !ok {
			return errors.New("it takes no instance in which the penalties of some jobs jump, tardy and sla, and those of others do not")
		}
		if a.Applies != nil {
			return a.Applies(u, arg)
		}
		return nil
	}
	b.Run = func(ctx context.Context, p *flex.Pass) (flex.Outcome, error) {
		u, offset, ok := p.Instance.Uniform()
		if !ok {
			return flex.Outcome{}, models.NotApplicablef("the penalties of some jobs jump, and those of others do not")
		}
		if u == p.Instance {
			return a.Run(ctx, p)
		}
		shift := func(bound float64) float64 {
			return bound + offset - roundingTolerance*(math.Abs(bound)+math.Abs(offset))
		}
		q := *p
		q.Instance, q.Prove = u, false
		if p.Bounded != nil {
			q.Bounded = func(bound float64) { p.Bounded(shift(bound)) }
		}
		out, err := a.Run(ctx, &q)
		if out.Bound != nil {
			bound := shift(*out.Bound)
			out.Bound = &bound
		}
		if out.Claimed != nil {
			claimed := *out.Claimed + offset
			out.Claimed = &claimed
		}
		out.Proof, out.Prove = nil, nil
		return out, err
	}
	return &b
}

// oneMetric returns why a formulation cannot state an instance: it reads the objective's metric only.
func oneMetric(in *flex.Instance) error {
	if u, _, ok := in.Uniform(); !ok || u != in {
		return errors.New("jobs have metrics of their own; it states instances of one metric")
	}
	return nil
}
