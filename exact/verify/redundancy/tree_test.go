package redundancy_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	exactredundancy "schedgap/exact/redundancy"
	redundancyoracle "schedgap/exact/redundancy/oracle"
	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

func optimalRedundancy(t *testing.T, in *redundancy.Instance) redundancy.Solution {
	t.Helper()
	p := &redundancy.Pass{Instance: in, Threads: 1, Improved: func(redundancy.Solution) {}, Bounded: func(float64) {}}
	out, err := exactredundancy.Opt.Alone(t.Context(), exactredundancy.Opt.Methods[0], p, nil)
	if err != nil || !out.Found {
		t.Fatalf("no optimum: %v", err)
	}
	return out.Solution
}

// redundancyOptima are the oracle's.
var redundancyOptima = map[*redundancy.Instance]float64{}

// proveRedundancy has s proven; of five jobs or more it is taken for the optimum. Where ctx has a deadline, nothing else
// is known.
func proveRedundancy(t *testing.T, ctx context.Context, in *redundancy.Instance, s redundancy.Solution) *verifytest.Claimed {
	t.Helper()
	value := *redundancy.Problem.Check(in, s).Objective
	known := value
	if _, limited := ctx.Deadline(); limited {
		known = 0
	}
	claim, err := exactredundancy.Opt.Methods[0].Prove(ctx, in, s, value, known)
	if err != nil || claim == nil {
		t.Fatalf("nothing is proven: %v", err)
	}
	file, err := redundancy.Problem.MarshalInstance(in)
	fail.On(t, err)
	sha, opt := models.Digest(file), *redundancy.Problem.Check(in, s).Objective
	if len(in.Jobs) < 5 {
		if _, ok := redundancyOptima[in]; !ok {
			redundancyOptima[in] = redundancyoracle.Opt(in)
		}
		opt = redundancyOptima[in]
	}
	return &verifytest.Claimed{
		Header: proof.Header{
			Problem: "redundancy", Instance: in.Name, SHA256: sha, Reference: redundancy.Opt, Kind: claim.Kind, Value: claim.Value,
			Bound: claim.Bound,
		},
		Lines: claim.Lines, Opt: opt, Show: string(file),
		Check: func(p *proof.Proof) error { return verifytest.Refusal(verifyredundancy.Verify(p, in, sha)) },
	}
}

// oneByOne runs jobs by turns on one machine.
func oneByOne(in *redundancy.Instance) redundancy.Solution {
	s := redundancy.Solution{Speed: 1}
	order := make([]int, len(in.Jobs))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(i, j int) int {
		if in.Jobs[i].Arrival < in.Jobs[j].Arrival {
			return -1
		}
		return 1
	})
	t := 0.0
	for _, j := range order {
		if a := in.Jobs[j].Arrival; a > t {
			s.Intervals = append(s.Intervals, redundancy.Interval{Start: t, End: a})
			t = a
		}
		end := t + in.Jobs[j].Work
		s.Intervals = append(s.Intervals, redundancy.Interval{
			Start: t, End: end,
			Alloc: []redundancy.Allocation{{Job: j, Copies: 1, Share: 1}},
		})
		t = end
	}
	return s
}

// Optima are proven, and are the oracle's; a false one, worse or better, is refused.
func TestRedundancyOptima(t *testing.T) {
	rng := trials.Rand(t, 16, 10)
	planted := map[bool]int{}
	for i := range trials.Count(170) {
		kind := proof.RedundancyTree
		in := redundancyoracle.RandomInstance(rng, i%17 >= 12)
		if i%2 == 0 { // numbers that are no binary fractions
			for j := range in.Jobs {
				in.Jobs[j].Work *= 0.7 + rng.Float64()
				in.Jobs[j].Arrival *= 1.1
			}
		}
		c := proveRedundancy(t, t.Context(), in, optimalRedundancy(t, in))
		tiny := 1e-14 * c.Opt
		if c.Header.Kind != kind || c.Header.Value == nil || *c.Header.Value < c.Opt-tiny || *c.Header.Value > c.Opt*(1+2e-10)+tiny ||
			*c.Header.Bound > c.Opt {
			t.Fatalf("kind %s, value %v, bound %v; the optimum is %v\n%s", c.Header.Kind, c.Header.Value, *c.Header.Bound, c.Opt, c.Show)
		}
		if err := c.Check(verifytest.Read(t, c.File(t))); err != nil {
			t.Fatalf("refused: %v\n%s", err, c.Show)
		}
		for _, by := range []float64{1e-6, 1e-11} {
			header, less, more := c.Header, *c.Header.Value*(1-by)-2*tiny, c.Opt*(1+by)+2*tiny
			c.Header.Value = &less
			if less < c.Opt && c.Check(verifytest.Read(t, c.File(t))) == nil {
				t.Fatalf("the value %v is verified, the optimum is %v\n%s", less, c.Opt, c.Show)
			}
			c.Header = header
			if more > *c.Header.Value { // the tree is as good as the value, which may be above the oracle's by less than 2e-10
				c.Header.Bound = &more
				if c.Check(verifytest.Read(t, c.File(t))) == nil {
					t.Fatalf("the bound %v is verified, the optimum is %v\n%s", more, c.Opt, c.Show)
				}
			}
			c.Header = header
		}

		worse := oneByOne(in)
		v := *redundancy.Problem.Check(in, worse).Objective
		if v < c.Opt*(1+1e-6) {
			continue
		}
		planted[in.Multitasking]++
		c = proveRedundancy(t, t.Context(), in, worse)
		if c.Header.Value != nil || *c.Header.Bound > c.Opt {
			t.Fatalf("%v and %v are claimed, the optimum is %v\n%s", c.Header.Value, *c.Header.Bound, c.Opt, c.Show)
		}
		if err := c.Check(verifytest.Read(t, c.File(t))); err != nil {
			t.Fatalf("the bound is refused: %v\n%s", err, c.Show)
		}
		for _, bound := range []float64{v, *c.Header.Bound} {
			c.Header.Value, c.Header.Bound = &v, &bound
			if c.Check(verifytest.Read(t, c.File(t))) == nil {
				t.Fatalf("%v is verified as optimal, the optimum is %v\n%s", v, c.Opt, c.Show)
			}
		}
	}
	if planted[false] < trials.Count(20) || planted[true] < trials.Count(20) {
		t.Errorf("only %v false optima", planted)
	}
}

// fiveJobs is a random instance on shared machines, larger than the oracle's.
func fiveJobs(rng *rand.Rand) *redundancy.Instance {
	in := &redundancy.Instance{Machines: 3, Multitasking: true, Speed: 1, Speedup: []float64{1, 1.5 + 0.5*rng.Float64(), 0}}
	in.Name = "five"
	in.Speedup[2] = in.Speedup[1] + (in.Speedup[1]-1)*rng.Float64()
	at := 0.0
	for j := range 5 {
		in.Jobs = append(in.Jobs, redundancy.Job{ID: string(rune('a' + j)), Arrival: at, Work: 1 + 3*rng.ExpFloat64()})
		if rng.IntN(4) > 0 {
			at += 1.5 * rng.ExpFloat64()
		}
	}
	return in
}

// Mutated proofs of optima are refused, or what they say is true.
func TestMutatedRedundancyOptima(t *testing.T) {
	for name, random := range map[string]func(rng *rand.Rand) *redundancy.Instance{
		"whole":  func(rng *rand.Rand) *redundancy.Instance { return redundancyoracle.RandomInstance(rng, false) },
		"shared": func(rng *rand.Rand) *redundancy.Instance { return redundancyoracle.RandomInstance(rng, true) },
		"five":   fiveJobs,
	} {
		rng := trials.Rand(t, 16, 11)
		refused, kept := 0, 0
		for i := 0; i < trials.Count(300); {
			in := random(rng)
			c := proveRedundancy(t, t.Context(), in, optimalRedundancy(t, in))
			if c.Header.Value == nil {
				t.Fatalf("%s: the optimum %v is not proven\n%s", name, c.Opt, c.Show)
			}
			for range 10 {
				i++
				m := *c
				if rng.IntN(4) == 0 {
					v := *m.Header.Value * (1 - 1e-6*rng.Float64())
					m.Header.Value = &v
				}
				p, err := proof.Read(mutateRedundancy(t, rng, &m))
				if err == nil {
					err = c.Check(p)
				}
				if err != nil {
					refused++
					continue
				}
				kept++
				tiny := 1e-14 * c.Opt
				if name == "five" { // no oracle, but a search
					tiny = 1e-9 * c.Opt
				}
				if h := p.Header; *h.Bound > c.Opt+tiny || h.Value != nil && *h.Value < c.Opt-tiny {
					t.Fatalf("%s: value %v and bound %v are verified, the optimum is %v\n%s\n%s", name, h.Value, *h.Bound, c.Opt, c.Show,
						p.Lines)
				}
			}
		}
		t.Logf("%s: %d refused, %d verified and true", name, refused, kept)
		if refused == 0 || kept == 0 {
			t.Errorf("%s: %d mutated proofs refused, %d verified: both must happen for this test to say anything", name, refused, kept)
		}
	}
}

// mutateRedundancy changes lines as those of trees with a line a node, or something in a line, with a better bound or not.
func mutateRedundancy(t *testing.T, rng *rand.Rand, c *verifytest.Claimed) []byte {
	t.Helper()
	if rng.IntN(2) == 0 {
		return verifytest.MutateTree(t, rng, c)
	}
	last := len(c.Lines) - 1
	changed := *c
	changed.Lines = append(slices.Clone(c.Lines[:last]), verifytest.Mutate(t, rng, c.Lines[last:], 1+rng.IntN(3))...)
	if rng.IntN(2) == 0 {
		b := *c.Header.Bound * (1 + 1e-3*rng.Float64())
		changed.Header.Bound, changed.Header.Value = &b, nil
	}
	return changed.File(t)
}

// At a limit a bound is proven: by prices where there is no time for more, else by a tree.
func TestRedundancyProofAtALimit(t *testing.T) {
	rng := trials.Rand(t, 16, 12)
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	kinds := map[string]int{}
	for i := range trials.Count(40) {
		in, until := redundancyoracle.RandomInstance(rng, i%2 == 0), ctx
		if i%4 < 2 {
			long, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			until = long
		}
		c := proveRedundancy(t, until, in, oneByOne(in))
		kinds[c.Header.Kind]++
		if err := c.Check(verifytest.Read(t, c.File(t))); err != nil || *c.Header.Bound > c.Opt*(1+1e-14) {
			t.Fatalf("the bound %v of %v is refused: %v\n%s", *c.Header.Bound, c.Opt, err, c.Show)
		}
		if until != ctx && *c.Header.Bound < c.Opt*(1-2e-6) {
			t.Fatalf("the bound %v is proven, the optimum is %v\n%s", *c.Header.Bound, c.Opt, c.Show)
		}
	}
	if len(kinds) < 2 {
		t.Errorf("only %v", kinds)
	}
}

// What is no proof of an optimum, each with the reason for which it is refused, on whole and on shared machines.
func TestRedundancyTreesRefused(t *testing.T) {
	in := &redundancy.Instance{Machines: 2, Speed: 1, Speedup: []float64{1, 1.5}, Jobs: []redundancy.Job{
		{ID: "a", Work: 3}, {ID: "b", Arrival: 1, Work: 1},
	}}
	in.Name = "two"
	// a runs on both until 1, then beside b until 2, then on both for 1/3: 2 + 1/3 and 1.
	value, bound := 10.0/3, 10.0/3-1e-9
	solution := func(steps ...[][3]float64) proof.Schedule { return proof.Schedule{Solution: steps} }
	steps := solution([][3]float64{{0, 2, 1}}, [][3]float64{{0, 1, 1}, {1, 1, 1}}, [][3]float64{{0, 2, 1}})
	free := proof.Multipliers{Grid: []float64{0, 1}, Price: []float64{0}}
	tree := func(nodes ...proof.TreeNode) proof.Tree { return proof.Tree{Nodes: nodes} }
	pair := proof.TreeNode{Pair: []int{0, 1}}
	copies := func(most int, set ...int) proof.TreeNode { return proof.TreeNode{Copies: []int{1, 0, most}, Set: set} }
	priced := func(k int) proof.TreeNode { return proof.TreeNode{Prices: k} }
	weights := func(list ...float64) proof.TreeNode { return proof.TreeNode{Weights: list} }
	// a waits for no one: while b is unfinished, work of a is worth 2/3, as a is alone at the end, and of b 4/3, so that both
	// earn 2. If b is last, both are worth less.
	first, second := weights(4.0/3*(1-1e-15), 2.0/3*(1-1e-15)), weights(2.0/3*(1-1e-15), 4.0/3*(1-1e-15))
	checked := func(shared bool, kind string, lines []any) error {
		two := *in
		two.Multitasking = shared
		q := &verifytest.Claimed{Lines: lines}
		q.Header = proof.Header{
			Problem: "redundancy", Instance: "two", SHA256: "x", Reference: "opt", Kind: kind, Value: &value, Bound: &bound,
		}
		return verifytest.Refusal(verifyredundancy.Verify(verifytest.Read(t, q.File(t)), &two, "x"))
	}
	for name, c := range map[string]struct {
		lines         []any
		whole, shared string // empty: as on whole machines
	}{
		"":               {[]any{steps, free, tree(pair, first, second)}, "", ""},
		"other prices":   {[]any{steps, free, free, tree(priced(1), pair, first, priced(1), second)}, "", ""},
		"no such prices": {[]any{steps, free, free, tree(priced(2), pair, first, second)}, "are not there", ""},
		"prices and a pair": {
			[]any{steps, free, free, tree(proof.TreeNode{Prices: 1, Pair: []int{0, 1}}, first, second)}, "not alone", "",
		},
		"prices above the grid": {
			[]any{steps, free, proof.Multipliers{Grid: []float64{1, 2}, Price: []float64{0}}, tree(priced(1), pair, first, second)},
			"begin with 0", "",
		},
		"no tree":            {[]any{steps, free}, "not complete", ""},
		"no node":            {[]any{steps, free, tree()}, "ends before", ""},
		"a node too few":     {[]any{steps, free, tree(pair, first)}, "ends before", ""},
		"a node too many":    {[]any{steps, free, tree(pair, first, second, second)}, "has 3 nodes", ""},
		"children exchanged": {[]any{steps, free, tree(pair, second, first)}, "the machines earn more", ""},
		"one order left out": {[]any{steps, free, tree(second)}, "the machines earn more", ""},
		"a pair twice":       {[]any{steps, free, tree(pair, pair)}, "node 1: the pair [0 1] is none whose order is open", ""},
		"a job and itself":   {[]any{steps, free, tree(proof.TreeNode{Pair: []int{1, 1}})}, "open", ""},
		"no such job":        {[]any{steps, free, tree(proof.TreeNode{Pair: []int{0, 2}})}, "open", ""},
		"window of nothing":  {[]any{steps, free, tree(proof.TreeNode{Window: []int{1, 1}})}, "leaves nothing", ""},
		"copies of all":      {[]any{steps, free, tree(copies(2, 0, 1))}, "leave nothing", ""},
		"no copies":          {[]any{steps, free, tree(copies(0, 0, 1))}, "ends before", "leave nothing"},
		"copies of others":   {[]any{steps, free, tree(copies(1, 1))}, "leave nothing", ""},
		"copies later":       {[]any{steps, free, tree(proof.TreeNode{Copies: []int{2, 0, 1}, Set: []int{0}})}, "no moment", ""},
		"copies of no job":   {[]any{steps, free, tree(proof.TreeNode{Copies: []int{1, 2, 1}, Set: []int{0}})}, "of no job or no moment", ""},
		"work on no job":     {[]any{solution([][3]float64{{2, 1, 1}}), free, tree()}, "line 2: ", ""},
		"set not arrived":    {[]any{steps, free, tree(proof.TreeNode{Copies: []int{0, 0, 1}, Set: []int{0, 1}})}, "arrived", ""},
		"two questions":      {[]any{steps, free, tree(proof.TreeNode{Pair: []int{0, 1}, Window: []int{0, 1}})}, "neither", ""},
		"a leaf that asks": {
			[]any{steps, free, tree(proof.TreeNode{Pair: []int{0, 1}, Weights: []float64{0, 0}})},
			"something else",
			"",
		},
		"nothing":          {[]any{steps, free, tree(proof.TreeNode{})}, "neither", ""},
		"a weight less":    {[]any{steps, free, tree(weights(0))}, "1 weights of 2", ""},
		"negative weights": {[]any{steps, free, tree(weights(0, -1))}, "the weights prove", "negative"},
		"weak weights":     {[]any{steps, free, tree(weights(0.5, 0.5))}, "the weights prove", ""},
		"shares above 1":   {[]any{solution([][3]float64{{0, 1, 1.5}}), free, tree()}, "share", ""},
		"half a machine":   {[]any{solution([][3]float64{{0, 1.5, 1}}), free, tree()}, "machines of 2", ""},
		"a shared machine": {[]any{solution([][3]float64{{0, 1, 0.5}}), free, tree()}, "share of 0.5", "not all jobs"},
		"more than machines": {
			[]any{solution([][3]float64{{0, 2, 1}}, [][3]float64{{0, 2, 1}, {1, 1, 1}}), free, tree()},
			"machines of 2", "",
		},
		"too many machines": {[]any{solution([][3]float64{{0, 3, 1}}), free, tree()}, "machines", ""},
		"too early":         {[]any{solution([][3]float64{{1, 1, 1}}), free, tree()}, "not arrived", ""},
		"a job twice":       {[]any{solution([][3]float64{{0, 1, 1}, {0, 1, 1}}), free, tree()}, "twice", ""},
		"not done":          {[]any{solution(steps.Solution[:2]...), free, tree()}, "not all jobs", ""},
		"goes on":           {[]any{solution(append(slices.Clone(steps.Solution), nil)...), free, tree()}, "all jobs are done", ""},
		"worse": {
			[]any{solution([][3]float64{{0, 1, 1}}, steps.Solution[1], [][3]float64{{0, 1, 1}}), free, tree()},
			"is worth", "",
		},
		"unknown field":       {[]any{steps, free, map[string]any{"nodes": []any{}, "best": 1}}, "best", ""},
		"solution of one job": {[]any{map[string]any{"solution": [][][2]int{{{0, 2}}}}, free, tree()}, "must have 3 elements", ""},
	} {
		for shared, reason := range map[bool]string{false: c.whole, true: cmp.Or(c.shared, c.whole)} {
			err := checked(shared, proof.RedundancyTree, c.lines)
			if reason == "" && err != nil || reason != "" && (err == nil || !strings.Contains(err.Error(), reason)) {
				t.Errorf("%s, shared %v: %v, want a reason with %q", name, shared, err, reason)
			}
		}
	}
	for _, kind := range []string{"redundancy-events", "redundancy-shares"} {
		if err := checked(true, kind, nil); err == nil || !strings.Contains(err.Error(), proof.RedundancyTree) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
