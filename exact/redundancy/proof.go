package redundancy

import (
	"context"
	"slices"
	"time"

	"schedgap/exact/prices"
	"schedgap/exact/verify/core"
	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// Value and bound of an optimum may differ by 1e-9 of the sum of flowtimes (docs/bounds-and-proofs.md); trees prove all but
// provenGap of it, so that rounding does not make them larger. A tree of more than provenNodes nodes is given up. At a limit,
// bounds that are provenClose are not told apart, and none is tried in less than provenTime. The prices are ascended in
// rootSteps times the square of the number of jobs steps, at most mostSteps. Of fewer than rootSteps jobs it is the cube: trees of
// so few jobs are smaller than what more steps cost. The number of steps decides how tight a bound is, and never whether it holds.
const (
	rootSteps   = 10
	mostSteps   = 2000
	provenGap   = 5e-10
	provenNodes = 2_000_000
	provenClose = 1e-6
	provenTime  = 50 * time.Millisecond
)

// priceLines are the lines of a proof by prices with the climb that found them; nil: of no prices, which prove that jobs
// run alone.
func priceLines(ctx context.Context, in *redundancy.Instance, bounded func(float64)) (*prices.Climb, []any) {
	n := len(in.Jobs)
	c := priceBound(ctx, in, min(n*n*n, rootSteps*n*n, mostSteps), bounded)
	if c == nil || c.Point.Price == nil {
		return nil, []any{proof.Multipliers{Grid: []float64{0, 1}, Price: []float64{0}}}
	}
	return c, c.Claim(ids(in)).Lines
}

// prove makes a proof that s is optimal, or, where ctx ends or the tree is too large, of the highest bound that it has
// time for. Its tree is the search's, given the bound.
func prove(ctx context.Context, in *redundancy.Instance, s redundancy.Solution, value, known float64) (*proof.Claim, error) {
	c, lines := priceLines(ctx, in, func(float64) {})
	less := lowered(singles(in), singles(in))
	if c != nil {
		less = c.Best.Safe()
	}
	claim := &proof.Claim{Kind: proof.Prices, Lines: lines, Bound: &less}
	if c == nil || len(in.Jobs) > verifyredundancy.MostJobs {
		return claim, nil
	}
	steps, exact := replay(in, s)
	if steps != nil {
		value = core.RoundUp(exact)
	}
	t, err := verifyredundancy.NewTree(in, lines)
	if err != nil {
		return nil, err
	}
	goal := value - provenGap*value
	env := newEnvelope(ctx, in, len(in.Jobs))
	grow := func(ctx context.Context, bound float64) (*listing, error) {
		s := &search{masterProblem: newMasterProblem(in), incumbent: newIncumbent(in, nil), env: env, judges: t, cutoff: bound}
		return s.proof(ctx, t.Root(), less, s.coarse(c))
	}
	tree, bound := highest(ctx, less, goal, known >= value-2*provenGap*value, grow)
	if tree == nil {
		return claim, nil
	}
	claim.Kind, claim.Bound = proof.RedundancyTree, &bound
	if bound < goal {
		steps = nil
	} else if steps != nil {
		claim.Value = &value
	}
	claim.Lines = slices.Concat([]any{proof.Schedule{Solution: steps}}, lines, tree.lines, []any{proof.Tree{Nodes: tree.nodes}})
	return claim, nil
}

// highest is the tree of the highest bound between low and goal that is proven in time, nil: of none above low. Unless all
// time is for the goal, half of it goes there, and half of the rest, again and again, to the middle between the proven bound and
// the least one that was not.
func highest(
	ctx context.Context, low, goal float64, only bool, grow func(context.Context, float64) (*listing, error),
) (tree *listing, bound float64) {
	end, limited := ctx.Deadline()
	only = only || !limited
	for high := goal; ; {
		part, cancel := ctx, context.CancelFunc(func() {})
		if !only {
			part, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		}
		t, err := grow(part, goal)
		cancel()
		if err == nil {
			tree, bound, low = t, goal, goal
		} else { // time is over, the tree is too large, or something is worth less
			high = goal
		}
		if only || low >= high || time.Until(end) < provenTime || high-low <= provenClose*high {
			break
		}
		goal = low + (high-low)/2
	}
	return tree, bound
}
