package flex

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	verifyflex "schedgap/exact/verify/flex"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/proof"
	"schedgap/models/trials"
)

// oneMachine has works and due dates of few values, so that ties are many, due dates of 0 and before it, and dates that are met to the
// last bit, in units from 2^-20 to 2^20; weights reach from next to nothing to 2^30.
func oneMachine(r *rand.Rand, n int) *flex.Instance {
	metric := flex.Metrics[r.IntN(len(flex.Metrics))]
	slots := 1 + r.IntN(3)
	unit, weight := math.Ldexp(1, r.IntN(40)-20), math.Ldexp(1, r.IntN(30)*r.IntN(2))
	in := &flex.Instance{Slots: slots, Objective: flex.Objective{Metric: metric, Aggregate: flex.Sum, Weighted: r.IntN(3) > 0}}
	in.Name = "one"
	total := 0
	for j := range n {
		w := 1 + r.IntN(1+r.IntN(9))
		total += w
		in.Jobs = append(in.Jobs, flex.Job{
			ID: string(rune('a' + j)), Work: unit * float64(w), Max: slots, Weight: weight * float64(1+r.IntN(4)),
		})
		if r.IntN(8) == 0 {
			in.Jobs[j].Weight = 1e-100
		}
	}
	for j := range in.Jobs {
		due := func() float64 { return unit * float64(r.IntN(total+3)-2) / float64(slots) }
		switch {
		case metric == flex.SLA:
			at := due()
			in.Jobs[j].Steps = []flex.Step{{At: at, Penalty: float64(r.IntN(3))}, {At: at + unit*float64(1+r.IntN(3)), Penalty: 4}}
		case metric.NeedsDeadline():
			d := due()
			in.Jobs[j].Deadline = &d
		}
	}
	return in
}

// bestOrder tries all orders on one machine that never waits.
func bestOrder(in *flex.Instance) float64 {
	best, packer := math.Inf(1), flex.NewPacker(in)
	var try func(order []int, k int)
	try = func(order []int, k int) {
		if k == len(order) {
			best = min(best, in.Value(packer.Completions(order)))
		}
		for i := k; i < len(order); i++ {
			order[k], order[i] = order[i], order[k]
			try(order, k+1)
			order[k], order[i] = order[i], order[k]
		}
	}
	try(models.OrderBy(len(in.Jobs), func(j int) int { return j }), 0)
	return best
}

// searched runs the search to its end.
func searched(t *testing.T, in *flex.Instance) (s *machineSearch, closed bool) {
	t.Helper()
	s = machineOf(in)
	if s == nil {
		t.Fatalf("no machine: %s", show(in))
	}
	s.goal = better(in, s)
	s.begin(t.Context(), nil)
	closed, err := s.run(t.Context())
	fail.On(t, err)
	return s, closed
}

// The search finds the best of all orders and proves it, its proof is believed, and whatever a changed proof proves is true.
func TestMachine(t *testing.T) {
	rng := trials.Rand(t, 158, 2)
	closedOnes, changes := 0, 0
	for range trials.Count(1600) {
		in := oneMachine(rng, 1+rng.IntN(6))
		want := bestOrder(in)
		s, closed := searched(t, in)
		got := in.Value(flex.NewPacker(in).Completions(s.order))
		size := sizeOf(in)
		if closed && got > want+1e-10*math.Abs(want)+1e-13*size {
			t.Fatalf("the search ends at %v, the best order is worth %v\n%s", got, want, show(in))
		}
		if b := s.proven(); b > want+1e-13*size {
			t.Fatalf("the bound is %v, the best order is worth %v\n%s", b, want, show(in))
		}
		if !closed {
			continue
		}
		closedOnes++
		lines := s.written(t.Context())
		bound, err := verifyflex.Bound(proof.FlexMachine, in, lines)
		if err != nil || bound > want+1e-13*size || bound < s.proven()-1e-13*size {
			t.Fatalf("the proof is of %v, %v; the best order is worth %v, the search proves %v\n%s", bound, err, want, s.proven(), show(in))
		}
		for range 5 {
			bound, err := verifyflex.Bound(proof.FlexMachine, in, changed(rng, lines))
			if err == nil {
				changes++
				if bound > want+1e-13*size {
					t.Fatalf("a changed proof proves %v, the best order is worth %v\n%s", bound, want, show(in))
				}
			}
		}
	}
	if closedOnes < trials.Count(1200) || changes < 100 {
		t.Errorf("%d searches end with a proof, %d changed proofs are believed", closedOnes, changes)
	}
}

// changed has other multipliers, another target, or lines that are lost, come twice, or are steps of another kind.
func changed(rng *rand.Rand, lines []any) []any {
	list := slices.Clone(lines)
	i := rng.IntN(len(list))
	line := list[i].(proof.MachineLine)
	switch {
	case i == 0:
		start := *line.Start
		start.Target += rng.Int64N(1+max(start.Target, -start.Target)) >> rng.IntN(50)
		start.Bits -= rng.IntN(3) / 2
		list[0] = proof.MachineLine{Start: &start}
	case rng.IntN(3) == 0:
		return slices.Delete(list, i, i+1)
	case rng.IntN(2) == 0:
		return slices.Insert(list, i, any(proof.MachineLine{Count: new(rng.IntN(8))}), list[rng.IntN(len(list)-1)+1])
	case line.Prune != nil:
		m := slices.Clone(line.Prune)
		m[rng.IntN(len(m))] += rng.Int64N(1<<30) - 1<<29
		list[i] = proof.MachineLine{Prune: m}
	}
	return list
}

// Beyond the few jobs of which all orders can be tried, the program of one machine and the other searches agree.
func TestMachineAndPairs(t *testing.T) {
	rng := trials.Rand(t, 158, 3)
	for range trials.Count(40) {
		in := oneMachine(rng, 11+rng.IntN(3))
		if m := in.Objective.Metric; m != flex.Tardiness && !m.Steps() {
			continue
		}
		s, closed := searched(t, in)
		light := slices.ContainsFunc(in.Jobs, func(j flex.Job) bool { return j.Weight == 1e-100 })
		if !closed && light { // what only they cost is below the scale
			continue
		}
		if !closed {
			t.Fatalf("not closed\n%s", show(in))
		}
		got := in.Value(flex.NewPacker(in).Completions(s.order))
		a := *Opt
		a.Methods = []*method{{Name: "other", Solve: solvePairs}}
		if in.Objective.Metric.Steps() {
			a.Methods[0].Solve = solveLevels
		}
		status, want, _ := solve(t, &a, in)
		if tiny := 1e-9*want + 1e-13*sizeOf(in); got > want+tiny || status == models.Optimal && got < want-tiny {
			t.Fatalf("one machine: %v; the other search: %v, %s\n%s", got, want, status, show(in))
		}
	}
}

// What lb-price proves of one machine in few steps, or many, is true, and its proof is of that bound.
func TestMachinePrices(t *testing.T) {
	rng := trials.Rand(t, 158, 4)
	for range trials.Count(400) {
		in := oneMachine(rng, 1+rng.IntN(6))
		out := machinePrices(t.Context(), machineOf(in), 1+rng.IntN(1+rng.IntN(900)), func(float64) {})
		if out == nil || out.Proof == nil {
			t.Fatalf("no bound, or no proof of it\n%s", show(in))
		}
		bound, err := verifyflex.Bound(proof.FlexMachine, in, out.Proof.Lines)
		if want := bestOrder(in); err != nil || *out.Bound > want+1e-13*sizeOf(in) || bound < *out.Bound {
			t.Fatalf("the bound is %v, the proof's %v, %v; the best order is worth %v\n%s", *out.Bound, bound, err, want, show(in))
		}
	}
}
