package flex

import (
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
)

// LocalSearch begins with the better of flex and fair, and improves flex's order by swapping neighbours. Fair's schedule is no
// priority order's, so that swaps have nothing to go on from.
var LocalSearch = &flex.Algorithm{
	Name: "flex-ls",
	Doc: "flex, then adjacent swaps of the priority order while they improve the objective; fair where that stays better\n\n" +
		"At most 10·n² packings unless set otherwise; this project's.",
	Kind: models.Heuristic, Reference: flex.Opt, Search: true,
	Params: []models.Param{{
		Name: "evaluations", Default: 0, Doc: "the most evaluations of MPS; 0: 10·n²",
	}},
	Run: func(ctx context.Context, p *flex.Pass) (flex.Outcome, error) {
		out, err := swapped(ctx, p.Instance, p.Params.Int("evaluations"))
		if err != nil || out.Status == models.Timeout {
			return out, err
		}
		if s, err := fair(ctx, p.Instance); err == nil && valueOf(p.Instance, s) < valueOf(p.Instance, out.Solution) {
			out.Solution = s
		}
		return out, nil
	},
}

func valueOf(in *flex.Instance, s flex.Schedule) float64 {
	times := flex.Completions(in, s)
	if times == nil { // rounding keeps some job from completing
		return math.Inf(1)
	}
	return in.Value(times)
}

// swapped packs flex's order after adjacent swaps, with at most so many evaluations of MPS; 0: 10·n².
func swapped(ctx context.Context, in *flex.Instance, budget int) (flex.Outcome, error) {
	if budget == 0 {
		budget = 10 * len(in.Jobs) * len(in.Jobs)
	}
	packer := flex.NewPacker(in)
	order, finished := AdjacentSwaps(ctx, in, packer, Best(in, packer), budget)
	out := flex.Outcome{Solution: packer.Pack(order), Found: true, Status: models.Feasible}
	if !finished {
		out.Status = models.Timeout
	}
	return out, nil
}

// AdjacentSwaps returns the order after first-improvement adjacent swaps, until none helps or budget evaluations are used
// up. It is false when ctx ended first.
func AdjacentSwaps(ctx context.Context, in *flex.Instance, packer *flex.Packer, order []int, budget int) ([]int, bool) {
	order = slices.Clone(order)
	best := in.Value(packer.Completions(order))
	for improved := true; improved; {
		improved = false
		for i := 0; i+1 < len(order); i++ {
			if budget == 0 {
				return order, true
			}
			if ctx.Err() != nil {
				return order, false
			}
			budget--
			order[i], order[i+1] = order[i+1], order[i]
			if v := in.Value(packer.Completions(order)); v < best {
				best, improved = v, true
				continue
			}
			order[i], order[i+1] = order[i+1], order[i]
		}
	}
	return order, true
}
