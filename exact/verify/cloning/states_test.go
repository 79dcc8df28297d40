package cloning_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"schedgap/exact"
	exactcloning "schedgap/exact/cloning"
	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/oracle"
	"schedgap/exact/cloning/search"
	"schedgap/exact/optimatest"
	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/trials"
)

// claimOf is a proof of a bound.
func claimOf(in *cloning.Instance, kind string, fixed bool, bound float64, lines ...any) *verifytest.Claimed {
	c := &verifytest.Claimed{
		Header: proof.Header{Problem: "cloning", Instance: in.Name, SHA256: "x", Reference: cloning.Opt, Kind: kind, Bound: &bound},
		Lines:  lines, Opt: math.NaN(), Show: oracle.Show(in),
		Check: func(p *proof.Proof) error { return verifytest.Refusal(verifycloning.Verify(p, in, "x")) },
	}
	if fixed {
		c.Header.Reference = cloning.OptNonpreemptive
	}
	return c
}

func check(t *testing.T, c *verifytest.Claimed) error {
	t.Helper()
	return c.Check(verifytest.Read(t, c.File(t)))
}

// ofOptimum proves an instance's optimum.
func ofOptimum(t *testing.T, in *cloning.Instance, fixed bool) *verifytest.Claimed {
	t.Helper()
	target := exactcloning.Opt
	if fixed {
		target = exactcloning.OptNonpreemptive
	}
	out, err := target.Algorithm(exact.Deps[*cloning.Instance, cloning.Solution]{}).Run(t.Context(), &cloning.Pass{
		Instance: in, Threads: 1, Improved: func(cloning.Solution) {}, Bounded: func(float64) {},
	})
	if err != nil || out.Status != models.Optimal {
		t.Fatalf("%s: %v\n%s", out.Status, err, oracle.Show(in))
	}
	opt := *cloning.Problem.Check(in, out.Solution).Objective
	claim, err := search.Prove(t.Context(), in, out.Solution, opt, fixed)
	if err != nil || claim == nil {
		t.Fatalf("no proof: %v\n%s", err, oracle.Show(in))
	}
	c := claimOf(in, claim.Kind, fixed, *claim.Bound, claim.Lines...)
	c.Header.Value, c.Opt = claim.Value, opt
	return c
}

func solutionOf(line verifycloning.Schedule) cloning.Solution {
	var s cloning.Solution
	for _, c := range line.Copies {
		s.Copies = append(s.Copies, cloning.Copy{
			Task: cloning.Task{Job: c[0], Phase: c[1], Index: c[2]}, Server: c[3], Start: c[4],
			End: c[5],
		})
	}
	return s
}

// The example of docs/bounds-and-proofs.md.
func TestProofByHand(t *testing.T) {
	in := onOne(1, jobOf(0, phase(1, 1)), jobOf(0, phase(1, 1)))
	guide := &verifycloning.Guide{Prices: [][][]int64{{{4096, 0}, {4096, 0}}}, States: [][][]int64{{}, {}}}
	three, four := 3.0, 4.0
	c := claimOf(in, verifycloning.States, false, three, verifycloning.Schedule{Copies: [][6]int{}}, guide)
	fail.On(t, check(t, c))
	c.Header.Bound = &four
	if check(t, c) == nil {
		t.Fatal("4 is no bound")
	}
	c.Header.Bound, c.Header.Value = &three, &three
	if check(t, c) == nil {
		t.Fatal("no schedule is worth 3")
	}
	c.Lines[0] = verifycloning.Schedule{Copies: [][6]int{{0, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 2}}}
	fail.On(t, check(t, c))
}

// The end of a chain of 64 phases: the servers earn nothing from the first one once it is done, by which the bound is as long as the chain.
func TestChainOf64(t *testing.T) {
	var chain []cloning.Phase
	prices := make([][]int64, 64)
	for k := range prices {
		chain, prices[k] = append(chain, phase(1, 1)), []int64{0, 0}
		if k > 0 {
			chain[k].Parents = []int{k - 1}
		}
	}
	prices[0] = []int64{4096, 4096}
	in := onOne(1, jobOf(0, chain...))
	guide := verifycloning.Guide{Prices: [][][]int64{prices}, States: [][][]int64{{make([]int64, 64)}}}
	for bound, ok := range map[float64]bool{64: true, 65: false} {
		lines := []any{verifycloning.Schedule{}, guide, verifycloning.Moment{Keep: [][]int{{0, 0, 0}}}}
		if err := check(t, claimOf(in, verifycloning.States, false, bound, lines...)); (err == nil) != ok {
			t.Errorf("the bound %v: %v", bound, err)
		}
	}
}

// Every optimum of a small instance has a proof, which proves no slot more.
func TestProofsByStates(t *testing.T) {
	rng := trials.Rand(t, 16, 1)
	followed := 0
	for i := range trials.Count(160) {
		fixed, small := i%2 == 1, i%4 < 2
		in := oracle.Clustered(rng, 4, 2, 4)
		tiny := optimatest.One(t, rng, cloning.Problem)
		if small {
			in = tiny.In
		}
		c := ofOptimum(t, in, fixed)
		opt := c.Opt
		if small {
			opt = tiny.Optima[c.Header.Reference]
		}
		if c.Header.Value == nil || *c.Header.Value != opt {
			t.Fatalf("the value %v is not proven\n%s", opt, oracle.Show(in))
		}
		if err := check(t, c); err != nil {
			t.Fatalf("refused: %v\n%s", err, oracle.Show(in))
		}
		if len(c.Lines) > 2 {
			followed++
		}
		more := c.Opt + 1
		c.Header.Bound = &more
		if check(t, c) == nil {
			t.Fatalf("the value %v with the bound %v is verified\n%s", c.Opt, more, oracle.Show(in))
		}
		// A false optimum: the schedule a slot later.
		late := search.ScheduleOf(kernel.Later(solutionOf(c.Lines[0].(verifycloning.Schedule)), 1))
		worse := c.Opt + float64(len(in.Jobs))
		c.Lines[0], c.Header.Value, c.Header.Bound = late, &worse, &worse
		if cost, err := late.Cost(in, fixed); err != nil || float64(cost) != worse {
			t.Fatalf("the schedule costs %d, not %v: %v\n%s", cost, worse, err, oracle.Show(in))
		}
		if check(t, c) == nil {
			t.Fatalf("%v is verified where %v is the optimum\n%s", worse, c.Opt, oracle.Show(in))
		}
		c.Header.Value, c.Header.Bound = nil, &more
		if check(t, c) == nil {
			t.Fatalf("the bound %v is verified where %v is the optimum\n%s", more, c.Opt, oracle.Show(in))
		}
	}
	if followed < trials.Count(20) {
		t.Errorf("%d proofs have states: too few for this test to say anything of them", followed)
	}
}

// Proofs with something changed are refused, or what they say is true.
func TestMutatedStates(t *testing.T) {
	rng := trials.Rand(t, 16, 2)
	verifytest.ChangedProofs(t, func() *verifytest.Claimed {
		for {
			c := ofOptimum(t, oracle.RandomInstance(rng, 9), rng.IntN(2) == 0)
			if len(c.Lines) > 2 || rng.IntN(10) == 0 { // else a proof by the guide alone
				return c
			}
		}
	}, func(c *verifytest.Claimed) []byte {
		changed := *c
		if rng.IntN(3) > 0 {
			b := c.Opt + float64(rng.IntN(4)-1)
			changed.Header.Bound, changed.Header.Value = &b, nil
			if rng.IntN(2) == 0 {
				changed.Header.Value = &b
			}
		}
		changed.Lines = verifytest.Mutate(t, rng, c.Lines, 1+rng.IntN(2))
		return changed.File(t)
	}, 0)
}

// done is the progress, in units, at which a task of one of the two jobs is done.
func done(mean float64) int64 { return int64(math.Ldexp(mean-1e-9, 58)) }

// False optima, worse ones and better ones, and proofs that leave something out, each with the reason for which they are refused.
func TestFalseStates(t *testing.T) {
	in := onOne(1, jobOf(0, phase(2, 1)), jobOf(0, phase(1, 1))) // 1 + 3 is best
	shortest, longest := [][6]int{{1, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 1, 3}}, [][6]int{{0, 0, 0, 0, 0, 2}, {1, 0, 0, 0, 2, 3}}
	free := [][][]int64{{{0}, {0}}}
	guide := verifycloning.Guide{Prices: free, States: [][][]int64{{{0}, {done(2) - 1<<58}, {done(2)}}, {{0}, {done(1)}}}}
	keep := func(at int, rows ...[]int) verifycloning.Moment { return verifycloning.Moment{At: at, Keep: rows} }
	for name, c := range map[string]struct {
		value, bound float64
		fixed        bool
		solution     [][6]int
		guide        verifycloning.Guide
		moments      []verifycloning.Moment
		reason       string
	}{
		"a worse one": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(0, []int{0, 0, 0, 0})},
			reason: "not among the states kept",
		},
		"a better one":          {value: 3, bound: 3, solution: shortest, guide: guide, reason: "is worth 4, not 3"},
		"the bound of another":  {value: 4, bound: 3, solution: shortest, guide: guide, reason: "too far apart"},
		"two on the one server": {value: 3, bound: 3, solution: [][6]int{{1, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 2}}, reason: "violates capacity"},
		"a task undone": {
			value: 3, bound: 3, solution: [][6]int{{1, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 1, 2}},
			reason: "violates work",
		},
		"copies after the end": {
			value: 4, bound: 4, solution: [][6]int{{1, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 1, 4}},
			reason: "violates after_completion",
		},
		"no copy": {value: 4, bound: 4, solution: [][6]int{{2, 0, 0, 0, 0, 1}}, reason: "no copy of the instance"},
		"a copy that is stopped": {value: 4, bound: 4, fixed: true, solution: [][6]int{
			{1, 0, 0, 0, 0, 1},
			{0, 0, 0, 0, 1, 2},
			{0, 0, 0, 0, 2, 3},
		}, reason: "violates regime"},
		"nothing kept": {value: 4, bound: 4, solution: shortest, guide: guide, reason: "not among the states kept"},
		"a state with a cost of its own": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(0, []int{0, 4, 0, 0})},
			reason: "not among the states kept",
		},
		"a cost of the bound": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(0, []int{0, 5, 0, 0})},
			reason: "the cost 5 is not from 0",
		},
		"a negative cost": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(0, []int{0, -1, 0, 0})},
			reason: "the cost -1 is not from 0",
		},
		"a finished state covers all": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(0, []int{0, 0, 2, 1})},
			reason: "is a schedule",
		},
		"a moment twice": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(0), keep(0)},
			reason: "twice",
		},
		"the last moment": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(3)},
			reason: "not among the states kept",
		},
		"a moment after it": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(4)},
			reason: "none of a schedule",
		},
		"no state": {
			value: 5, bound: 5, solution: longest, guide: guide,
			moments: []verifycloning.Moment{keep(0, []int{0, 0, 3, 0})}, reason: "job 0 has no state 3",
		},
		"no prices of the state": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(0, []int{1, 0, 0, 0})},
			reason: "there are no prices 1",
		},
		"a short row": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(0, []int{0, 0})},
			reason: "it must have 4",
		},
		"a state of no job": {
			value: 5, bound: 5, solution: longest, guide: verifycloning.Guide{Prices: free, States: [][][]int64{{{1}}, {}}},
			reason: "no schedule has a job",
		},
		"a false price": {
			value: 5, bound: 5, solution: longest, guide: verifycloning.Guide{
				Prices: [][][]int64{{{-1}, {1}}},
				States: [][][]int64{{}, {}},
			}, reason: "must be from 0",
		},
		"too many prices": {
			value: 5, bound: 5, solution: longest, guide: verifycloning.Guide{
				Prices: [][][]int64{{{1}, {1}, {1}}},
				States: [][][]int64{{}, {}},
			},
			reason: "prices of 3 phases",
		},
		"no prices": {
			value: 5, bound: 5, solution: longest, guide: verifycloning.Guide{States: [][][]int64{{}, {}}},
			reason: "there must be prices",
		},
		"half a slot": {value: 4, bound: 4.5, solution: shortest, guide: guide, reason: "the bound 4.5"},
	} {
		lines := []any{verifycloning.Schedule{Copies: c.solution}, c.guide}
		for _, m := range c.moments {
			lines = append(lines, m)
		}
		q := claimOf(in, verifycloning.States, c.fixed, c.bound, lines...)
		q.Header.Value = &c.value
		if err := check(t, q); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want a reason with %q", name, err, c.reason)
		}
	}
}

// Prices by slot are up to 2^23, of up to 2^13 slots, and tables of up to 40,000,000 moments and states.
func TestLimitsOfSlotPrices(t *testing.T) {
	in := onOne(1, jobOf(0, phase(1, 1)))
	for _, c := range []struct {
		slots  int
		price  int64
		reason string
	}{
		{1 << 13, 0, ""},
		{1<<13 + 1, 0, "prices of 8193 slots, more than 8192"},
		{1, 1 << 23, ""},
		{1, 1<<23 + 1, "must be from 0 to 8388608"},
	} {
		prices := make([]int64, c.slots)
		prices[c.slots-1] = c.price
		guide := verifycloning.Guide{Prices: [][][]int64{{prices}}, States: [][][]int64{{}}}
		err := check(t, claimOf(in, verifycloning.States, false, -1<<23, verifycloning.Schedule{}, guide))
		if (err == nil) != (c.reason == "") || err != nil && !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%d slots, the last at %d: %v, want %q", c.slots, c.price, err, c.reason)
		}
	}
	for _, c := range []struct {
		slots, states int
		want          bool
	}{{1 << 13, 40_000_000 / (1<<13 + 1), true}, {1 << 13, 40_000_000/(1<<13+1) + 1, false}, {1<<13 + 1, 1, false}, {0, 40_000_000, true}} {
		if got := verifycloning.Tables(c.slots, c.states); got != c.want {
			t.Errorf("%d slots and %d states: %v", c.slots, c.states, got)
		}
	}
}

// A schedule's copies end by 2^53. It costs up to 2^50, which is the largest bound.
func TestLimitsOfSchedules(t *testing.T) {
	in := onOne(1, jobOf(0, phase(1, 1)))
	for end, reason := range map[int]string{
		1 << 50: "", 1<<50 + 1: "costs more than", 1 << 53: "costs more than", 1<<53 + 1: "is no copy of the instance",
	} {
		s := verifycloning.Schedule{Copies: [][6]int{{0, 0, 0, 0, end - 1, end}}}
		if cost, err := s.Cost(in, false); (err == nil) != (reason == "") || err == nil && cost != end ||
			err != nil && !strings.Contains(err.Error(), reason) {
			t.Errorf("a copy that ends at %d: cost %d, %v; want %q", end, cost, err, reason)
		}
	}
	guide := verifycloning.Guide{Prices: [][][]int64{{{0}}}, States: [][][]int64{{}}}
	for bound, reason := range map[float64]string{1 << 50: "not among the states kept", 1<<50 + 1: "larger than"} {
		err := check(t, claimOf(in, verifycloning.States, false, bound, verifycloning.Schedule{}, guide))
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("the bound %v: %v, want %q", bound, err, reason)
		}
	}
}

// Changed sets are refused or prove no more than the optimum.
func TestMutatedHeads(t *testing.T) {
	rng := trials.Rand(t, 58, 3)
	verifytest.ChangedProofs(t, func() *verifytest.Claimed {
		tiny := optimatest.One(t, rng, cloning.Problem)
		moved, _ := kernel.FromFirst(tiny.In)
		_, sets := bounds.Of(moved).ByHeads()
		if len(sets) == 0 {
			sets = []verifycloning.Set{{Job: 0, Phases: []int{0}}}
		}
		lines := make([]any, len(sets))
		for i := range sets {
			lines[i] = sets[i]
		}
		c := claimOf(tiny.In, verifycloning.Heads, false, 0, lines...)
		c.Opt = tiny.Optima["opt"]
		return c
	}, func(c *verifytest.Claimed) []byte {
		changed, bound := *c, c.Opt+float64(rng.IntN(5)-3)
		changed.Header.Bound, changed.Lines = &bound, verifytest.Mutate(t, rng, c.Lines, 1+rng.IntN(2))
		return changed.File(t)
	}, 0)
}

// With all states kept that there are, preemptive with those that the verifier asks for, one after the other, the optimum is a bound at
// prices of nothing, and no slot more at any prices: no schedule is left out, and none that is not allowed is followed.
func TestAllStates(t *testing.T) {
	rng := trials.Rand(t, 57, 10)
	moments := 0
	for i := range trials.Count(800) {
		fixed := i%2 == 1
		tiny := optimatest.One(t, rng, cloning.Problem)
		in, opt := tiny.In, int(tiny.Optima[cloning.Opt])
		if fixed {
			opt = int(tiny.Optima[cloning.OptNonpreemptive])
		}
		switch i / 2 % 16 {
		case 0, 1:
			in = oracle.ExtremeInstance(rng, 3)
			opt = oracle.Opt(in, fixed)
		case 2: // with slots in which no job is there, and the next one is the last
			in, opt = onOne(1, jobOf(0, phase(1, 1)), jobOf(6, phase(1, 1)), jobOf(3, phase(1, 1))), 1+1+1
		case 3: // the longer job first costs more, but its many copies start earlier
			in, opt = longerFirst(), 1+3+1+2
		}
		for target := opt; target <= opt+1; target++ {
			dear := []int64{0}
			if target > opt {
				dear = []int64{0, 0, 1000, 2048, 4096, 6000}
			}
			c := claimOf(in, verifycloning.States, fixed, float64(target), allStates(t, rng, in, fixed, target, dear)...)
			err := check(t, c)
			if !fixed {
				err = asAsked(t, rng, c)
			}
			moments += len(c.Lines) - 2
			if (err == nil) != (target == opt) {
				t.Fatalf("fixed %v, the bound %d of %d: %v\n%s\n%v", fixed, target, opt, err, c.Show, c.Lines[1:])
			}
		}
	}
	if moments < trials.Count(800) {
		t.Errorf("%d moments: too few for this test to say anything", moments)
	}
}

// longerFirst is a job of a slot and one of two slots of three tasks, of which the server holds the one or all of the other, and two late
// jobs, which the bound lets end at once.
func longerFirst() *cloning.Instance {
	many := phase(2, 1)
	many.Tasks, many.Demand = 3, []float64{1. / 4}
	return onOne(1, jobOf(0, phase(1, 1)), jobOf(0, many), jobOf(3, phase(1, 1)), jobOf(3, phase(1, 1)))
}

// allStates is a proof, at prices among some. Nonpreemptive it keeps all states of schedules that cost less than a target, also of copies
// that do not fit.
func allStates(t *testing.T, rng *rand.Rand, in *cloning.Instance, fixed bool, target int, dear []int64) []any {
	t.Helper()
	sp, err := kernel.New(in, fixed)
	fail.On(t, err)
	guide := verifycloning.Guide{}
	for range 1 + rng.IntN(2) {
		prices, slots := make([][]int64, len(sp.Phases)), rng.IntN(8)
		for k := range prices {
			prices[k] = make([]int64, slots)
			for t := range prices[k] {
				prices[k][t] = dear[rng.IntN(len(dear))]
			}
		}
		guide.Prices = append(guide.Prices, prices)
	}
	graphs := make([]*kernel.Graph, len(sp.Jobs))
	for j := range graphs {
		graphs[j], err = sp.Graph(t.Context(), j)
		fail.On(t, err)
		var rows [][]int64
		for _, n := range graphs[j].Nodes {
			row := slices.Clone(n.Progress)
			for _, c := range n.Running {
				row = append(row, int64(c))
			}
			rows = append(rows, row)
		}
		guide.States = append(guide.States, rows)
	}
	lines := []any{verifycloning.Schedule{}, guide}
	now := map[string]partial{"": {nodes: make([]int, len(graphs))}}
	for at := 0; fixed && len(now) > 0; at++ {
		moment, next := verifycloning.Moment{At: at}, map[string]partial{}
		keys := slices.Sorted(maps.Keys(now))
		rng.Shuffle(len(keys), func(a, b int) { keys[a], keys[b] = keys[b], keys[a] })
		for _, key := range keys {
			p := now[key]
			if p.cost >= target || p.ended(graphs) {
				continue
			}
			moment.Keep = append(moment.Keep, append([]int{rng.IntN(len(guide.Prices))}, p.nodes...))
			p.follow(sp, graphs, at, func(q partial) {
				name := fmt.Sprint(q.nodes)
				if old, known := next[name]; !known || q.cost < old.cost {
					next[name] = q
				}
			})
		}
		if len(moment.Keep) > 0 {
			lines = append(lines, moment)
		}
		now = next
	}
	return lines
}

// asking is the reason for which a state is missing.
var asking = regexp.MustCompile(`at moment (\d+) a schedule of cost (\d+) so far .* kept: \[(.*)\]$`)

// asAsked keeps the states whose lack the verifier gives as the reason of a refusal, until that is another one.
func asAsked(t *testing.T, rng *rand.Rand, c *verifytest.Claimed) error {
	t.Helper()
	guide, moments := c.Lines[1].(verifycloning.Guide), map[string]*verifycloning.Moment{}
	for {
		err := check(t, c)
		if err == nil {
			return nil
		}
		asked := asking.FindStringSubmatch(err.Error())
		if asked == nil {
			return err
		}
		m := moments[asked[1]]
		if m == nil {
			m = &verifycloning.Moment{}
			moments[asked[1]] = m
			c.Lines = append(c.Lines, m)
		}
		var cost int
		if _, err := fmt.Sscan(asked[1]+" "+asked[2], &m.At, &cost); err != nil {
			t.Fatal(err)
		}
		row := []int{rng.IntN(len(guide.Prices)), cost}
		for j, progress := range strings.Split(asked[3], "] [") {
			row = append(row, slices.IndexFunc(guide.States[j], func(state []int64) bool {
				return fmt.Sprint(state) == "["+strings.Trim(progress, "[]")+"]"
			}))
		}
		if slices.ContainsFunc(m.Keep, func(kept []int) bool { return slices.Equal(kept[1:], row[1:]) }) {
			t.Fatalf("%v is kept, and yet: %v\n%s", row, err, c.Show)
		}
		m.Keep = append(m.Keep, row)
	}
}

// A partial schedule is the jobs' nodes and what it costs so far.
type partial struct {
	nodes []int
	cost  int
}

func (p partial) ended(graphs []*kernel.Graph) bool {
	for j, s := range p.nodes {
		if s != int(graphs[j].End) {
			return false
		}
	}
	return true
}

// follow calls each with what follows after a slot in copies that may not fit.
func (p partial) follow(sp *kernel.Space, graphs []*kernel.Graph, at int, each func(partial)) {
	q := partial{slices.Clone(p.nodes), p.cost}
	var from func(j int)
	from = func(j int) {
		if j == len(graphs) {
			each(partial{slices.Clone(q.nodes), q.cost})
			return
		}
		if s := int32(p.nodes[j]); s == graphs[j].End || sp.Jobs[j].Arrival > at {
			from(j + 1)
			return
		}
		q.cost++
		for _, a := range graphs[j].Nodes[p.nodes[j]].Arcs {
			q.nodes[j] = int(a.Next)
			from(j + 1)
		}
		q.nodes[j] = p.nodes[j]
		q.cost--
	}
	from(0)
}
