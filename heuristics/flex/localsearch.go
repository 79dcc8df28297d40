package flex

import (
	"context"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
)

// LocalSearch improves an order by swapping neighbours.
var LocalSearch = &flex.Algorithm{
	Name: "flex-ls",
	Doc: "the better of flex's order and that of the completions under fair, then adjacent swaps while they improve the objective\n\n" +
		"docs/problems/flex.md#orders; at most 10·n² evaluations of swaps unless set otherwise.",
	Kind: models.Heuristic, Reference: flex.Opt, Class: flex.OptMPS,
	Params: []models.Param{{
		Name: "evaluations", Default: 0, Doc: "the most swaps that MPS evaluates, those of the starts not counted; 0: 10·n²",
	}},
	Run: func(ctx context.Context, p *flex.Pass) (flex.Outcome, error) {
		packer := flex.NewPacker(p.Instance)
		return swapped(ctx, p.Instance, packer, betterStart(ctx, p.Instance, packer), p.Params.Int("evaluations"))
	},
}

// betterStart is the better of flex's order and that of the completions under fair; flex's when they tie, ctx ends first or fair
// completes nothing, in times of which no double holds the least work.
func betterStart(ctx context.Context, in *flex.Instance, packer *flex.Packer) []int {
	own := Best(in, packer)
	s, err := fair(ctx, in)
	if err != nil {
		return own
	}
	ends := flex.Completions(in, s)
	if ends == nil {
		return own
	}
	order := flex.OrderBy(in, func(j int) float64 { return ends[j] })
	value := in.Value(packer.Completions(order))
	if value < in.Value(packer.Completions(own)) {
		return order
	}
	return own
}

// swapped packs start after adjacent swaps, with at most so many evaluations of them; 0: 10·n².
func swapped(ctx context.Context, in *flex.Instance, packer *flex.Packer, start []int, budget int) (flex.Outcome, error) {
	if budget == 0 {
		budget = 10 * len(in.Jobs) * len(in.Jobs)
	}
	order, finished := AdjacentSwaps(ctx, in, packer, start, budget)
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
