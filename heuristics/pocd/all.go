// Package pocd has the speculation rules that the Shed+ paper (Alamro et al., IEEE TNSM 2020) proposes and compares with, and
// a greedy rule on the objective itself. None spends copies on hopeless jobs; ties go by file order.
package pocd

import (
	"context"

	"schedgap/models"
	"schedgap/models/pocd"
)

// All lists the package's algorithms in the order in which reports show them.
var All = []*pocd.Algorithm{ShedPlus, Shed, GreedyGain, Dolly, Hopper, Hadoop, None}

// None leaves every task its one attempt.
var None = &pocd.Algorithm{
	Name: "none",
	Doc:  "no extra copies\n\ndocs/problems/pocd.md#rules.",
	Kind: models.Heuristic, Reference: pocd.Opt,
	Run: decided(func(_ context.Context, in *pocd.Instance) pocd.Copies { return pocd.NoCopies(in) }),
}

// A Rule decides on copies. When its context ends it stops early, with the copies given so far.
type Rule func(ctx context.Context, in *pocd.Instance) pocd.Copies

// decided makes an algorithm's Run of a rule.
func decided(rule Rule) func(context.Context, *pocd.Pass) (pocd.Outcome, error) {
	return func(ctx context.Context, p *pocd.Pass) (pocd.Outcome, error) {
		out := pocd.Outcome{Solution: rule(ctx, p.Instance), Found: true, Status: models.Feasible}
		if ctx.Err() != nil {
			out.Status = models.Timeout
		}
		return out, nil
	}
}
