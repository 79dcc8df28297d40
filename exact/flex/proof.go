package flex

import (
	"context"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// provenPart is the part of what value and bound of an optimum may differ by that trees are grown to; the rest is for rounding.
const provenPart = 0.9

// prove makes a proof that s is optimal, or of the known bound, or, if ctx ends, of the bound of the open nodes: the search runs
// again, with the claim as its threshold, and logs the nodes that it closes.
func prove(ctx context.Context, in *flex.Instance, s flex.Schedule, value, known float64) (*proof.Claim, error) {
	times := flex.Completions(in, s)
	if times == nil || manySteps(in) && newMachineSearch(in) == nil { // of many steps only one machine's have a tree
		return nil, nil
	}
	solution, value, met := provable(in, times, value, known)
	accuracy := flex.Problem.Accuracy(in, 0) // all of a proof is exact
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
		goal, i := min(value-provenPart*accuracy.Allowed(value), known), incumbent{in: in}
		goal = exact.Above(goal, goal, verifyflex.Grid(in))
		i.Best = value
		tree := proveMachine(ctx, in, s, goal)
		switch {
		case tree != nil:
			claim.Kind = proof.FlexMachine
		case manySteps(in):
			return nil, nil
		case in.Objective.Metric == flex.Tardy || in.Objective.Metric == flex.SLA:
			claim.Kind, tree = proof.FlexDeadlines, proveSteps(ctx, i, goal)
		case len(in.Jobs) > relaxationJobs:
			return nil, nil
		default:
			claim.Kind, tree = proof.FlexOrders, provePairs(ctx, i, goal)
		}
		var err error
		bound, err = verifyflex.Bound(claim.Kind, in, tree)
		if err != nil {
			return nil, fmt.Errorf("the proof that was found proves nothing: %w", err)
		}
		claim.Lines = append(claim.Lines, tree...)
	}
	bound = min(bound, value)
	claim.Bound = &bound
	if _, optimal := accuracy.Proves(value, bound); met && optimal {
		claim.Value = &value
	} else if claim.Kind == proof.FlexMachine { // a bound alone needs no times
		claim.Lines = claim.Lines[1:]
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

// provable makes completion times by which the jobs can complete without any tolerance, with their value, rounded up. Times that a
// search found are right to a rounding error, of their own or of the horizon: a little more will do. False: it will not.
func provable(in *flex.Instance, times []float64, found, bound float64) (line proof.Completions, value float64, ok bool) {
	h, size := flex.Horizon(in), 0.0
	for j, t := range times {
		size = max(size, in.Factor(j)*t)
	}
	try := func(later []float64) bool {
		v, err := verifyflex.Value(in, later)
		if err == nil && (!ok || v < value) {
			line.Times, value, ok = slices.Clone(later), v, true
		}
		return err == nil
	}
	pushes := []float64{0, 0x1p-52, 0x1p-50, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10}
	for _, push := range pushes {
		// All jobs but the worst have more time than they took.
		if s := newTargets(in); in.Objective.Aggregate == flex.Max && s.meets(found+push*size) && try(s.times) {
			if flex.Problem.Accuracy(in, 0).Same(value, found) {
				return line, value, ok
			}
			break // jobs with large weights need a coarse push, but perhaps no push at all
		}
	}
	later := make([]float64, len(times))
	for _, push := range pushes {
		for _, of := range []float64{0, h} {
			for _, late := range []float64{push, 0} {
				for j, t := range times {
					later[j] = inTime(in, j, t, t+push*max(t, of), late, 4*h)
				}
				if try(later) {
					return trimmed(in, times, line.Times, bound)
				}
			}
		}
	}
	return proof.Completions{Times: times}, found, false
}

// inTime is the time of job j in a proof: one that is in time by t, or is late by no more than a share of t, has until its due
// date, or the step, and no longer; any other job has until later.
func inTime(in *flex.Instance, j int, t, later, share, last float64) float64 {
	if in.StepTimes(j) != nil {
		return levelEnd(in, j, t, last)
	}
	if in.MetricOf(j) == flex.Tardiness {
		if d := *in.Jobs[j].Deadline; t <= d+share*math.Abs(d) && d >= flex.Earliest(in, j) {
			return min(last, d)
		}
	}
	return later
}

// trimmed takes from times that can be met what the jobs do not need beyond the times that a search found, those whose penalty
// grows fastest first, where the bound does not prove the value with it.
func trimmed(in *flex.Instance, found, times []float64, bound float64) (line proof.Completions, value float64, ok bool) {
	line.Times = slices.Clone(times)
	value, err := verifyflex.Value(in, line.Times)
	accuracy := flex.Problem.Accuracy(in, 0)
	order := flex.OrderBy(in, func(j int) float64 { return -in.Factor(j) })
	for _, j := range order {
		if _, optimal := accuracy.Proves(value, bound); optimal || err != nil {
			break
		}
		for _, t := range []float64{found[j], math.Nextafter(found[j], inf)} {
			kept := line.Times[j]
			if t >= kept {
				break
			}
			line.Times[j] = t
			v, err := verifyflex.Value(in, line.Times)
			if err == nil && v <= value {
				value = v
				break
			}
			line.Times[j] = kept
		}
	}
	return line, value, err == nil
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
