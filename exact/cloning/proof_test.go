package cloning

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/oracle"
	"schedgap/exact/cloning/search"
	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/exact/verify/verifytest"
	"schedgap/models/cloning"
	"schedgap/models/proof"
	"schedgap/models/trials"
)

// A claimed is a proof by states of an instance.
type claimed struct {
	in     *cloning.Instance
	header proof.Header
	lines  []any
	opt    float64
}

func (c *claimed) file(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := proof.Write(&b, c.header, c.lines); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func (c *claimed) check(t *testing.T) error {
	t.Helper()
	p, err := proof.Read(c.file(t))
	if err != nil {
		t.Fatal(err)
	}
	_, err = verifycloning.Verify(p, c.in, c.header.SHA256)
	return err
}

func ofRegime(fixed bool) *target {
	if fixed {
		return OptNonpreemptive
	}
	return Opt
}

// ofOptimum proves an instance's optimum.
func ofOptimum(t *testing.T, in *cloning.Instance, fixed bool) *claimed {
	t.Helper()
	s, v := solve(t, ofRegime(fixed), in, "", "")
	return ofSolution(t, in, s, v, fixed)
}

func ofSolution(t *testing.T, in *cloning.Instance, s cloning.Solution, v float64, fixed bool) *claimed {
	t.Helper()
	claim, err := search.Prove(t.Context(), in, s, v, fixed)
	if err != nil || claim == nil {
		t.Fatalf("no proof: %v\n%s", err, oracle.Show(in))
	}
	return &claimed{in, proof.Header{
		Problem: "cloning", Instance: in.Name, SHA256: "x", Reference: ofRegime(fixed).Reference, Kind: claim.Kind, Bound: claim.Bound,
		Value: claim.Value,
	}, claim.Lines, v}
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
	job := func(id string) cloning.Job {
		return cloning.Job{ID: id, Phases: []cloning.Phase{{ID: "p", Tasks: 1, Mean: 1, Demand: []float64{1}, Speedup: []float64{1}}}}
	}
	in := &cloning.Instance{
		Resources: []string{"r"}, MaxCopies: 1, MaxCopiesPerServer: 1, Jobs: []cloning.Job{job("a"), job("b")},
		Servers: []cloning.Server{{ID: "s", Capacity: []float64{1}}},
	}
	in.Name = "hand"
	guide := &verifycloning.Guide{Prices: [][][]int64{{{4096, 0}, {4096, 0}}}, States: [][][]int64{{}, {}}}
	three, four := 3.0, 4.0
	c := &claimed{in, proof.Header{
		Problem: "cloning", Instance: in.Name, SHA256: "x", Reference: cloning.Opt, Kind: verifycloning.States, Bound: &three,
	}, []any{verifycloning.Schedule{Copies: [][6]int{}}, guide}, three}
	if err := c.check(t); err != nil {
		t.Fatal(err)
	}
	c.header.Bound = &four
	if c.check(t) == nil {
		t.Fatal("4 is no bound")
	}
	c.header.Bound, c.header.Value = &three, &three
	if c.check(t) == nil {
		t.Fatal("no schedule is worth 3")
	}
	c.lines[0] = verifycloning.Schedule{Copies: [][6]int{{0, 0, 0, 0, 0, 1}, {1, 0, 0, 0, 1, 2}}}
	if err := c.check(t); err != nil {
		t.Fatal(err)
	}
}

// Every optimum of a small instance has a proof, which proves no slot more.
func TestProofsByStates(t *testing.T) {
	rng := trials.Rand(t, 16, 1)
	followed := 0
	for i := range trials.Count(160) {
		fixed, small := i%2 == 1, i%4 < 2
		in := oracle.Clustered(rng, 4, 2, 4)
		if small {
			in = oracle.RandomInstance(rng, 4)
		}
		c := ofOptimum(t, in, fixed)
		opt := c.opt
		if small {
			opt = float64(oracle.Opt(in, fixed))
		}
		if c.header.Value == nil || *c.header.Value != opt {
			t.Fatalf("the value %v is not proven\n%s", opt, oracle.Show(in))
		}
		if err := c.check(t); err != nil {
			t.Fatalf("refused: %v\n%s", err, oracle.Show(in))
		}
		if len(c.lines) > 2 {
			followed++
		}
		more := c.opt + 1
		c.header.Bound = &more
		if c.check(t) == nil {
			t.Fatalf("the value %v with the bound %v is verified\n%s", c.opt, more, oracle.Show(in))
		}
		// A false optimum: the schedule a slot later.
		late := search.ScheduleOf(kernel.Later(solutionOf(c.lines[0].(verifycloning.Schedule)), 1))
		worse := c.opt + float64(len(in.Jobs))
		c.lines[0], c.header.Value, c.header.Bound = late, &worse, &worse
		if cost, err := late.Cost(in, fixed); err != nil || float64(cost) != worse {
			t.Fatalf("the schedule costs %d, not %v: %v\n%s", cost, worse, err, oracle.Show(in))
		}
		if c.check(t) == nil {
			t.Fatalf("%v is verified where %v is the optimum\n%s", worse, c.opt, oracle.Show(in))
		}
		c.header.Value, c.header.Bound = nil, &more
		if c.check(t) == nil {
			t.Fatalf("the bound %v is verified where %v is the optimum\n%s", more, c.opt, oracle.Show(in))
		}
	}
	if followed < trials.Count(20) {
		t.Errorf("%d proofs have states: too few for this test to say anything of them", followed)
	}
}

// What is proven when a limit ends the search is verified too, and no more than is true. Poor prices leave something to search
// for.
func TestInterruptedProofs(t *testing.T) {
	rng := trials.Rand(t, 16, 3)
	less := 0
	for i := range trials.Count(60) {
		in, fixed := oracle.Clustered(rng, 4, 2, 4), i%2 == 0
		s, opt := solve(t, ofRegime(fixed), in, "", "")
		whole := &ending{t.Context(), math.MaxInt}
		if _, err := search.Prove(whole, in, s, opt+2, fixed); err != nil {
			t.Fatal(err)
		}
		asked := math.MaxInt - whole.left
		claim, err := search.Prove(&ending{t.Context(), rng.IntN(asked + 1)}, in, s, opt+2, fixed)
		if err != nil {
			t.Fatal(err)
		}
		if claim == nil {
			continue // not even the jobs' states were listed
		}
		c := &claimed{in, proof.Header{
			Problem: "cloning", Instance: in.Name, SHA256: "x", Reference: ofRegime(fixed).Reference, Kind: claim.Kind, Bound: claim.Bound,
			Value: claim.Value,
		}, claim.Lines, opt}
		if err := c.check(t); err != nil || *claim.Bound > opt {
			t.Fatalf("the bound %v, where %v is the optimum: %v\n%s", *claim.Bound, opt, err, oracle.Show(in))
		}
		if *claim.Bound < opt {
			less++
		}
	}
	if less < trials.Count(15) {
		t.Errorf("only %d searches were cut short", less)
	}
}

// Proofs with something changed are refused, or what they say is true.
func TestMutatedStates(t *testing.T) {
	rng := trials.Rand(t, 16, 2)
	refused, kept := 0, 0
	for i := 0; i < trials.Count(300); {
		c := ofOptimum(t, oracle.RandomInstance(rng, 9), rng.IntN(2) == 0)
		if len(c.lines) < 3 && rng.IntN(10) > 0 {
			continue // a proof by the guide alone
		}
		for range 10 {
			i++
			q := mutateStates(t, rng, c)
			if q.check(t) != nil {
				refused++
				continue
			}
			kept++
			if h := q.header; *h.Bound > c.opt || h.Value != nil && *h.Value != c.opt {
				t.Fatalf("%v and %v are verified, the optimum is %v\n%s\n%s", h.Value, *h.Bound, c.opt, oracle.Show(c.in), q.lines)
			}
		}
	}
	t.Logf("%d refused, %d verified and true", refused, kept)
	if refused == 0 || kept == 0 {
		t.Errorf("%d mutated proofs refused, %d verified: both must happen for this test to say anything", refused, kept)
	}
}

// mutateStates changes numbers, drops or repeats parts of lists, or whole lines, and mostly claims more because of it.
func mutateStates(t *testing.T, rng *rand.Rand, c *claimed) *claimed {
	t.Helper()
	header := c.header
	if rng.IntN(3) > 0 {
		b := c.opt + float64(rng.IntN(4)-1)
		header.Bound = &b
		if rng.IntN(2) == 0 {
			header.Value = &b
		} else {
			header.Value = nil
		}
	}
	changed := *c
	changed.header, changed.lines = header, verifytest.Mutate(t, rng, c.lines, 1+rng.IntN(2))
	return &changed
}

// twoJobs are 2 and 1 slots on one server: 1 + 3 is best.
func twoJobs() *cloning.Instance {
	in := &cloning.Instance{
		Resources: []string{"cpu"}, MaxCopies: 1, MaxCopiesPerServer: 1, Servers: []cloning.Server{{ID: "s", Capacity: []float64{1}}},
	}
	in.Name = "two"
	for i, id := range []string{"a", "b"} {
		in.Jobs = append(in.Jobs, cloning.Job{ID: id, Phases: []cloning.Phase{
			{ID: "p", Tasks: 1, Demand: []float64{1}, Mean: float64(2 - i), Speedup: []float64{1}},
		}})
	}
	return in
}

// done is the progress, in units, at which a task of one of the two jobs is done.
func done(mean float64) int64 { return int64(math.Ldexp(mean-1e-9, 58)) }

// False optima, worse ones and better ones, and proofs that leave something out, each with the reason for which they are refused.
func TestFalseStates(t *testing.T) {
	in := twoJobs()
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
		"a finished state covers all": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(0, []int{0, 0, 2, 1})},
			reason: "is a schedule",
		},
		"a moment twice": {
			value: 5, bound: 5, solution: longest, guide: guide, moments: []verifycloning.Moment{keep(0), keep(0)},
			reason: "twice",
		},
		"no state": {
			value: 5, bound: 5, solution: longest, guide: guide,
			moments: []verifycloning.Moment{keep(0, []int{0, 0, 9, 0})}, reason: "job 0 has no state 9",
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
		q := &claimed{in: in, lines: lines}
		q.header = proof.Header{
			Problem: "cloning", Instance: "two", SHA256: "x", Reference: cloning.Opt, Kind: verifycloning.States, Value: &c.value,
			Bound: &c.bound,
		}
		if c.fixed {
			q.header.Reference = cloning.OptNonpreemptive
		}
		if err := q.check(t); err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want a reason with %q", name, err, c.reason)
		}
	}
	// The method itself is not fooled by a schedule that is no optimum.
	for _, fixed := range []bool{false, true} {
		var worse cloning.Solution
		for _, c := range longest {
			worse.Copies = append(worse.Copies, cloning.Copy{Task: cloning.Task{Job: c[0]}, Start: c[4], End: c[5]})
		}
		c := ofSolution(t, in, worse, 5, fixed)
		if c.header.Value != nil || *c.header.Bound != 4 {
			t.Errorf("of a schedule of cost 5, %v and %v are claimed; the optimum is 4", c.header.Value, *c.header.Bound)
		}
		if err := c.check(t); err != nil {
			t.Errorf("the bound 4 is refused: %v", err)
		}
	}
}

// Changed sets are refused or prove no more than the optimum.
func TestMutatedHeads(t *testing.T) {
	rng := trials.Rand(t, 58, 3)
	refused, kept := 0, 0
	for range trials.Count(60) {
		in := oracle.RandomInstance(rng, 4)
		opt := float64(oracle.Opt(in, false))
		moved, _ := kernel.FromFirst(in)
		_, sets := bounds.Of(moved).ByHeads()
		if len(sets) == 0 {
			sets = []verifycloning.Set{{Job: 0, Phases: []int{0}}}
		}
		lines := make([]any, len(sets))
		for i := range sets {
			lines[i] = sets[i]
		}
		for range 10 {
			bound := opt + float64(rng.IntN(5)-3)
			c := &claimed{in, proof.Header{
				Problem: "cloning", Instance: in.Name, SHA256: "x", Reference: cloning.Opt, Kind: verifycloning.Heads, Bound: &bound,
			}, verifytest.Mutate(t, rng, slices.Clone(lines), 1+rng.IntN(2)), opt}
			if c.check(t) != nil {
				refused++
				continue
			}
			kept++
			if bound > opt {
				t.Fatalf("%v is verified, the optimum is %v\n%s\n%v", bound, opt, oracle.Show(in), c.lines)
			}
		}
	}
	if refused == 0 || kept == 0 {
		t.Errorf("%d mutated proofs refused, %d verified: both must happen for this test to say anything", refused, kept)
	}
}
