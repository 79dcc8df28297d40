// Package flex has the schedulers that the FLEX paper (Wolf et al., Middleware 2010) proposes and compares with: priority
// orders through the Malleable Packing Scheme, and the Hadoop Fair Scheduler's allocation.
package flex

import (
	"context"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
)

// Flex is the paper's scheduler: the generic order and a metric-specific one, each packed, the better kept.
var Flex = &flex.Algorithm{
	Name: "flex",
	Doc: "generic RAP order and metric-specific order through MPS, the better kept\n\n" +
		"Wolf et al. 2010, section 3. The specific orders are this project's; docs/problems/flex.md#orders.",
	Kind: models.Heuristic, Reference: flex.Opt, Class: flex.OptMPS,
	Params: []models.Param{{
		Name: "specific", Default: "one", Choices: []string{"one", "swaps"},
		Doc: "the metric-specific order: one, by a rule, or improved by swaps of neighbours as in flex-ls, since the paper has " +
			"\"at most a modest number\" of them",
	}},
	Run: func(ctx context.Context, p *flex.Pass) (flex.Outcome, error) {
		if p.Params.Text("specific") == "swaps" {
			return swapped(ctx, p.Instance, 0)
		}
		packer := flex.NewPacker(p.Instance)
		return flex.Outcome{Solution: packer.Pack(Best(p.Instance, packer)), Found: true, Status: models.Feasible}, nil
	},
}

// packed makes an algorithm of a rule for the priority order.
func packed(order func(p *flex.Pass) ([]int, error)) func(context.Context, *flex.Pass) (flex.Outcome, error) {
	return func(ctx context.Context, p *flex.Pass) (flex.Outcome, error) {
		o, err := order(p)
		if err != nil {
			return flex.Outcome{}, err
		}
		return flex.Outcome{Solution: flex.NewPacker(p.Instance).Pack(o), Found: true, Status: models.Feasible}, nil
	}
}

// Best is the better, by objective, of the generic and the metric-specific order; the generic one when they tie.
func Best(in *flex.Instance, packer *flex.Packer) []int {
	generic := RAPOrder(in)
	value := in.Value(packer.Completions(generic))
	if specific := SpecificOrder(in); in.Value(packer.Completions(specific)) < value {
		return specific
	}
	return generic
}

// RAPOrder orders jobs by their completion in the optimal moldable schedule. Where there is none, or its program would take too
// long, it is SPT.
func RAPOrder(in *flex.Instance) []int {
	if flex.MoldableFits(in) != nil {
		return SPTOrder(in)
	}
	s, ok := flex.Moldable(in)
	if !ok {
		return SPTOrder(in)
	}
	return flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work / float64(s[j]) })
}

// SpecificOrder is the order that suits the instance's metric; where jobs have different ones, by least work per factor.
func SpecificOrder(in *flex.Instance) []int {
	if in.Mixed() {
		return flex.OrderBy(in, func(j int) float64 { return in.Jobs[j].Work / in.Factor(j) })
	}
	switch in.MetricOf(0) {
	case flex.Response:
		if !in.Objective.Weighted {
			return SPTOrder(in)
		}
		return WSPTOrder(in)
	case flex.Stretch:
		return WSPTOrder(in)
	case flex.Tardy:
		return MooreHodgsonOrder(in)
	}
	return EDDOrder(in)
}

// FlexPolicy is Flex, epoch by epoch: of the better order's schedule only the first interval is put into force.
var FlexPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "flex",
		Doc: "each epoch the first interval of the better of the generic and the metric-specific order through MPS\n\n" +
			"Wolf et al. 2010, sections 2.2 and 3: \"only the first interval in the FLEX output will actually be enforced\".",
	},
	Targets: func(in *flex.Instance, targets []float64) {
		generic, specific := RAPOrder(in), SpecificOrder(in)
		other := make([]float64, len(targets))
		firstInterval(in, generic, false, targets)
		firstInterval(in, specific, false, other)
		// The two orders mostly agree on their first jobs, and whole schedules are packed only to choose between different ones.
		if slices.Equal(targets, other) {
			return
		}
		packer := flex.NewPacker(in)
		value := in.Value(packer.Completions(generic))
		if in.Value(packer.Completions(specific)) < value {
			copy(targets, other)
		}
	},
}

// firstInterval fills targets with the allocation in the first interval of an order's packing: the minima, unless waived,
// then the slack to each job in turn up to its maximum.
func firstInterval(in *flex.Instance, order []int, waive bool, targets []float64) {
	slack := in.Slots
	least := func(j int) int {
		if waive {
			return 0
		}
		return in.Jobs[j].Min
	}
	for j := range in.Jobs {
		slack -= least(j)
	}
	for _, j := range order {
		extra := min(slack, in.Jobs[j].Max-least(j))
		targets[j] = float64(least(j) + extra)
		slack -= extra
	}
}
