package flex

import (
	"context"
	"fmt"
	"math"

	"schedgap/exact"
	"schedgap/exact/verify"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// optimumTolerance is how far apart value and bound of an optimum may be, in parts of what verify.FlexValue says; trees are
// grown until they prove all but a part of that, which is left for rounding.
const (
	optimumTolerance = 1e-9
	provenPart       = 0.9
)

// prove makes a proof that s is optimal, or of the known bound, or, if ctx ends, of the bound of the open nodes: the search runs
// again, with the claim as its threshold, and logs the nodes that it closes.
func prove(ctx context.Context, in *flex.Instance, s flex.Schedule, value, known float64) (*proof.Claim, error) {
	times := flex.Completions(in, s)
	if times == nil {
		return nil, nil
	}
	solution, value, scale, met := provable(in, times, value)
	claim := &proof.Claim{Lines: []any{solution}}
	var bound float64
	if in.Objective.Aggregate == flex.Max {
		b, prices := maxClaim(ctx, in)
		if prices == nil {
			return nil, nil
		}
		claim.Kind, bound = proof.FlexPrices, b
		claim.Lines = append(claim.Lines, prices.Lines...)
	} else {
		goal, i := min(value-provenPart*optimumTolerance*scale, known), incumbent{in: in}
		goal = exact.Above(goal, goal, verify.FlexGrid(in))
		i.Best = value
		var tree []any
		switch {
		case in.Objective.Metric == flex.Tardy || in.Objective.Metric == flex.SLA:
			claim.Kind, tree = proof.FlexDeadlines, proveSteps(ctx, i, goal)
		case len(in.Jobs) > relaxationJobs:
			return nil, nil
		default:
			claim.Kind, tree = proof.FlexOrders, provePairs(ctx, i, goal)
		}
		var err error
		if bound, err = verify.FlexBound(claim.Kind, in, tree); err != nil {
			return nil, fmt.Errorf("the proof that was found proves nothing: %w", err)
		}
		claim.Lines = append(claim.Lines, tree...)
	}
	bound = min(bound, value)
	claim.Bound = &bound
	if met && value-bound <= optimumTolerance*scale {
		claim.Value = &value
	}
	return claim, nil
}

// A proofNode is a node of a search's log: what bounds it by itself, and a decision with two children unless it is a leaf.
type proofNode struct {
	line     any
	children [2]*proofNode
	leaf     proofLeaf
}

// bound is the most that the log proves of n, in the program's units.
func (n *proofNode) bound() float64 {
	b := n.leaf.bound()
	if n.children[0] == nil {
		return b
	}
	return max(b, min(n.children[0].bound(), n.children[1].bound()))
}

// A proofLeaf is why a node is closed, or what bounds it.
type proofLeaf interface {
	bound() float64 // in the program's units; infinite: the node is empty
	// reaches reports whether the bound is goal or more, and has the leaf written no more precisely than that takes.
	reaches(goal float64) bool
	// write appends the lines that say so.
	write(w *proofWriter)
}

// A proofWriter writes a log in pre-order.
type proofWriter struct {
	lines []any
	cuts  map[*rowOrigin]int // the numbers of those that are written
	goal  float64            // what each leaf is to prove, in the program's units
}

// written is the part of a log that it takes to prove goal, or as much of it as the log proves.
func written(root *proofNode, goal float64) []any {
	w := &proofWriter{cuts: map[*rowOrigin]int{}, goal: min(goal, root.bound())}
	w.write(root)
	return w.lines
}

// write writes a node that proves the goal by itself without its children: a search that ended early went deeper in many.
func (w *proofWriter) write(n *proofNode) {
	if n.leaf.reaches(w.goal) || n.children[0] == nil {
		n.leaf.write(w)
		return
	}
	w.lines = append(w.lines, n.line)
	for _, c := range n.children {
		w.write(c)
	}
}

// significant rounds v to some digits.
func significant(v float64, digits int) float64 {
	if digits >= 17 {
		return v
	}
	s := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(v)))
	return math.Round(v*s) / s
}

// provable makes completion times by which the jobs can complete without any tolerance, with their value, rounded up, and
// what its tolerance is measured by. Times that a search found are right to a rounding error, of their own or of the horizon:
// a little more will do. False: it will not.
func provable(in *flex.Instance, times []float64, found float64) (line proof.Completions, value, scale float64, ok bool) {
	h, size := flex.Horizon(in), 0.0
	line.Times = make([]float64, len(times))
	for j, t := range times {
		size = max(size, in.Factor(j)*t)
	}
	for push := 1e-15; push <= 1e-10 && in.Objective.Aggregate == flex.Max; push *= 10 {
		// All jobs but the worst have more time than they took.
		if s := newTargets(in); s.meets(found + push*size) {
			if value, scale, err := verify.FlexValue(in, s.times); err == nil {
				return proof.Completions{Times: s.times}, value, scale, true
			}
		}
	}
	for push := 1e-15; push <= 1e-10; push *= 10 {
		for _, of := range []float64{0, h} {
			for j, t := range times {
				line.Times[j] = t + push*max(t, of)
				if in.StepTimes(j) != nil {
					line.Times[j] = levelEnd(in, j, t, 4*h)
				}
			}
			if value, scale, err := verify.FlexValue(in, line.Times); err == nil {
				return line, value, scale, true
			}
		}
	}
	for j, t := range times {
		scale += in.Factor(j) * t
	}
	return line, found, scale, false
}

// levelEnd is the latest time at which job j's penalty is the same as at t, but no later than last; it is below the step by
// more than rounding.
func levelEnd(in *flex.Instance, j int, t, last float64) float64 {
	for _, at := range in.StepTimes(j) {
		if !flex.After(t, at) {
			end := at + flex.Tolerance*math.Abs(at)
			return min(last, math.Nextafter(math.Nextafter(end, -inf), -inf))
		}
	}
	return last
}
