package redundancy_test

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	exactredundancy "schedgap/exact/redundancy"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

// What nodes say is true of all schedules that belong to them by the definition: along random paths down trees each
// schedule is in a child, is not closed by what is more than its value, keeps to the windows, orders, sets and copies of
// the node, and is worth no less than any weights prove.
func TestRedundancyNodesHoldTheirSchedules(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 2))
	states, asked := 0, map[string]int{}
	for i := 0; states < 100_000; i++ {
		in := redundancyoracle.RandomInstance(rng, i%2 == 0)
		scale := []float64{1, 1, 1e-8, 1e12}[rng.IntN(4)]
		if rng.IntN(2) == 0 { // more jobs, equal ones among them
			for k := range 1 + rng.IntN(4) {
				job := in.Jobs[rng.IntN(len(in.Jobs))]
				if rng.IntN(2) == 0 {
					job.Arrival += float64(rng.IntN(3))
				}
				job.ID = "more" + string(rune('a'+k))
				in.Jobs = append(in.Jobs, job)
			}
		}
		for j := range in.Jobs {
			in.Jobs[j].Arrival *= scale
			in.Jobs[j].Work *= scale
		}
		lines := []any{proof.Multipliers{Grid: []float64{0, 1}, Price: []float64{0}}}
		if i%4 < 2 {
			p := &redundancy.Pass{Instance: in, Params: models.Defaults(exactredundancy.LBPrice.Params), Bounded: func(float64) {}}
			p.Params["steps"] = 100
			if out, err := exactredundancy.LBPrice.Run(t.Context(), p); err == nil && out.Proof != nil {
				lines = out.Proof.Lines
			}
		}
		tree, err := verifyredundancy.NewTree(in, lines)
		fail.On(t, err)
		for range 20 {
			states += walk(t, rng, in, tree, asked)
		}
	}
	t.Logf("%d states, questions %v", states, asked)
	for _, q := range []string{"window", "pair", "copies", "none", "proven"} {
		if asked[q] < 100 {
			t.Errorf("%d times %s", asked[q], q)
		}
	}
}

// walk goes down a tree with a random schedule, and returns the number of nodes.
func walk(t *testing.T, rng *rand.Rand, in *redundancy.Instance, tree *verifyredundancy.Tree, asked map[string]int) (states int) {
	t.Helper()
	run, n := redundancyoracle.RandomRun(rng, in), tree.Root()
	value, _ := run.Value.Float64()
	var path []proof.TreeNode
	for states = 1; states <= 12; states++ {
		fail := func(what string, args ...any) {
			text, _ := redundancy.Problem.MarshalInstance(in)
			t.Fatalf("%s %v after %+v: %+v\n%s", what, args, path, run, text)
		}
		if n.Closed(value * (1 + 1e-9)) {
			fail("closed")
		}
		known := map[string]bool{}
		for k := range run.Moments() {
			sets, err := n.Sets(k)
			if err != nil {
				fail("sets", err)
			}
			for _, g := range run.Gaps {
				if g.Moment != k {
					continue
				}
				if !slices.Contains(sets, g.Set) {
					fail("set", g)
				}
				for j, c := range g.Copies {
					low, high := n.Copies(k, g.Set, j)
					if g.Set>>j&1 == 1 && (c < low || c > high) && !(in.Multitasking && c == 0) {
						fail("copies", g, j, low, high)
					}
				}
				known["gap"] = true
			}
		}
		for j := range in.Jobs {
			if k := run.Last(j); k < n.Lo[j] || k > n.Hi[j] {
				fail("window", j, n.Lo[j], n.Hi[j])
			}
			for i := range in.Jobs {
				if i != j && n.Ordered(i, j) && run.Done[i].Cmp(run.Done[j]) > 0 {
					fail("order", i, j)
				}
			}
		}
		weights := make([]float64, len(in.Jobs))
		for j := range weights {
			weights[j] = 3 * rng.Float64()
			if !in.Multitasking && rng.IntN(8) == 0 {
				weights[j] *= -1
			}
		}
		for range 8 {
			if v, err := n.Bound(weights); err == nil {
				asked["proven"]++
				if new(big.Rat).SetFloat64(min(v, 1e300)).Cmp(run.Value) > 0 {
					fail("weights prove", weights, v)
				}
				break
			}
			for j := range weights {
				weights[j] *= 0.7
			}
		}
		q := question(rng, in, run)
		less, more, err := n.Children(q)
		if err != nil {
			continue
		}
		path = append(path, q)
		switch {
		case q.Window != nil:
			asked["window"]++
		case q.Pair != nil:
			asked["pair"]++
		case q.Copies[2] == 0:
			asked["none"]++
		default:
			asked["copies"]++
		}
		first, second := run.Sides(q)
		if !first && !second {
			fail("in no child")
		}
		n = less
		if !first || second && rng.IntN(2) == 0 {
			n = more
		}
	}
	return states - 1
}

// question is a random one, of copies mostly where the schedule has a gap.
func question(rng *rand.Rand, in *redundancy.Instance, run *redundancyoracle.Run) proof.TreeNode {
	j := rng.IntN(len(in.Jobs))
	switch rng.IntN(4) {
	case 0:
		return proof.TreeNode{Window: []int{j, rng.IntN(run.Moments() + 1)}}
	case 1:
		return proof.TreeNode{Pair: []int{j, rng.IntN(len(in.Jobs))}}
	}
	g := run.Gaps[rng.IntN(len(run.Gaps))]
	if rng.IntN(8) == 0 {
		g.Set &^= 1 << rng.IntN(len(in.Jobs))
	}
	q := proof.TreeNode{Copies: []int{g.Moment, j, rng.IntN(in.Machines)}}
	for j := range in.Jobs {
		if g.Set>>j&1 == 1 {
			q.Set = append(q.Set, j)
		}
	}
	return q
}

// The orders that the root of a tree knows cost nothing: some optimal schedule has them all.
func TestRedundancyRootOrders(t *testing.T) {
	rng := trials.Rand(t, 25, 3)
	known := 0
	for range trials.Count(150) {
		in := redundancyoracle.RandomInstance(rng, false)
		if rng.IntN(2) == 0 {
			in.Jobs[len(in.Jobs)-1].Arrival, in.Jobs[len(in.Jobs)-1].Work = in.Jobs[0].Arrival, in.Jobs[0].Work
		}
		tree, err := verifyredundancy.NewTree(in, []any{proof.Multipliers{Grid: []float64{0, 1}, Price: []float64{0}}})
		fail.On(t, err)
		root := tree.Root()
		want := redundancyoracle.Opt(in)
		got := redundancyoracle.OptWhere(in, func(done []*big.Rat) bool {
			for i := range done {
				for j := range done {
					if i != j && root.Ordered(i, j) && done[i].Cmp(done[j]) > 0 {
						return false
					}
				}
			}
			return true
		})
		for i := range in.Jobs {
			for j := range in.Jobs {
				if root.Ordered(i, j) {
					known++
				}
			}
		}
		if got != want {
			text, _ := redundancy.Problem.MarshalInstance(in)
			t.Fatalf("with the root's orders %v, without %v\n%s", got, want, text)
		}
	}
	if known < trials.Count(100) {
		t.Errorf("only %d orders", known)
	}
}
