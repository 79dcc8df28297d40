package bounds

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"slices"

	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/proof"
)

// LBHeads is the bound of one machine with heads and tails as an algorithm.
var LBHeads = &cloning.Algorithm{
	Name: "lb-heads",
	Doc: "lower bound: each job alone, its phases on one machine with heads and tails (Carlier 1982)\n\n" +
		"Jackson's preemptive schedule for every resource and for tasks of which few run at a time. Never less than lb-path. " +
		"docs/bounds-and-proofs.md#heads-and-tails.",
	Kind: models.Bound, Reference: cloning.Opt, Proves: true,
	Run: func(_ context.Context, p *cloning.Pass) (cloning.Outcome, error) {
		in, _ := kernel.FromFirst(p.Instance)
		bound, sets := Of(in).ByHeads()
		claim, err := ProvenHeads(in, sets)
		return cloning.Outcome{Status: models.Feasible, Bound: &bound, Proof: claim}, err
	},
}

// ProvenHeads is the claim of the bound that the sets prove to a verifier, after the lines before. It can be less than heads, as a
// verifier knows fewer surrogates of a phase's span.
func ProvenHeads(in *cloning.Instance, sets []verifycloning.Set, before ...any) (*proof.Claim, error) {
	bound, err := verifycloning.HeadsBound(in, sets)
	if err != nil {
		return nil, fmt.Errorf("sets of phases: %w", err)
	}
	for _, set := range sets {
		before = append(before, set)
	}
	return &proof.Claim{Kind: verifycloning.Heads, Bound: &bound, Lines: before}, nil
}

// Heads is the sum of the jobs' ends by heads and tails.
func Heads(in *cloning.Instance) float64 {
	in, _ = kernel.FromFirst(in)
	bound, _ := Of(in).ByHeads()
	return bound
}

// ByHeads is the sum of the jobs' least flowtimes, each job alone, and the sets of phases that prove those above the critical path.
func (v *Outlook) ByHeads() (bound float64, sets []verifycloning.Set) {
	for j := range v.In.Jobs {
		end, set := v.critical(j)
		bound += float64(end)
		if set != nil {
			sets = append(sets, verifycloning.Set{Job: j, Phases: set})
		}
	}
	return bound - v.Arrivals(), sets
}

// critical is the moment before which job j, alone on the cluster, cannot be done, and the set of its phases that shows it: the
// least head, the slots that their work takes, and the least tail come one after the other. The set is nil where the critical
// path is as long.
func (v *Outlook) critical(j int) (end int, set []int) {
	end = v.Earliest(j)
	for g := range v.Surrogates[:v.simple] {
		if at, found := v.machine(j, g); at > end {
			end, set = at, found
		}
	}
	slices.Sort(set)
	return end, set
}

// A load is a phase as a task of one machine.
type load struct {
	index      int // in its job
	head, tail int
	work       float64 // in slots of the machine
}

// machine is the longest set of job j's phases on the machine of surrogate g.
func (v *Outlook) machine(j, g int) (end int, set []int) {
	var loads []load
	for k := v.First[j]; k < v.First[j+1]; k++ {
		ph := &v.Phases[k]
		if w := v.Surrogates[g].Weight[k]; w > 0 {
			work := w * float64(ph.Tasks) * float64(v.units[k]) / v.Surrogates[g].Capacity
			loads = append(loads, load{index: ph.Index, head: v.head[k], tail: v.tail[k], work: work})
		}
	}
	if len(loads) < 2 {
		return 0, nil // a span has the work of one phase
	}
	slices.SortFunc(loads, func(a, b load) int { return cmp.Compare(a.head, b.head) })
	tail := jackson(loads)
	// Of the phases with no smaller tail, the longest set is those from some head on.
	work, from := 0.0, 0
	for i, l := range slices.Backward(loads) {
		if l.tail < tail {
			continue
		}
		work += l.work
		if at := l.head + int(Ceil(work)) + tail; at > end {
			end, from = at, i
		}
	}
	for _, l := range loads[from:] {
		if l.tail >= tail {
			set = append(set, l.index)
		}
	}
	return end, set
}

// byTail is the loads that wait, those with the largest tails first.
type byTail []load

func (q byTail) Len() int           { return len(q) }
func (q byTail) Less(a, b int) bool { return q[a].tail > q[b].tail }
func (q byTail) Swap(a, b int)      { q[a], q[b] = q[b], q[a] }
func (q *byTail) Push(l any)        { *q = append(*q, l.(load)) }

func (q *byTail) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// jackson returns the tail of the load that ends last, tail included, when the machine always does the waiting load with the
// largest tail. Loads come by head. The largest bound of a set has this tail as its least (Carlier 1982).
func jackson(loads []load) (tail int) {
	var waiting byTail
	now, last := 0.0, -1.0
	for next := 0; next < len(loads) || len(waiting) > 0; {
		if len(waiting) == 0 {
			now = max(now, float64(loads[next].head))
		}
		for next < len(loads) && float64(loads[next].head) <= now {
			heap.Push(&waiting, loads[next])
			next++
		}
		first := &waiting[0]
		if end := now + first.work; next == len(loads) || end <= float64(loads[next].head) {
			now = end
			if all := now + float64(first.tail); all > last {
				last, tail = all, first.tail
			}
			heap.Pop(&waiting)
			continue
		}
		first.work -= float64(loads[next].head) - now
		now = float64(loads[next].head)
	}
	return tail
}
