package flex_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	exactflex "schedgap/exact/flex"
	flexoracle "schedgap/exact/flex/oracle"
	"schedgap/exact/verify/core"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/exact/verify/verifytest"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/proof"
	"schedgap/models/trials"
)

// optimum solves in and proves the solution in a pass of its own.
func optimum(t *testing.T, in *flex.Instance) (s flex.Schedule, value float64, c *verifytest.Claimed) {
	t.Helper()
	p := &flex.Pass{Instance: in, Threads: 1, Improved: func(flex.Schedule) {}, Bounded: func(float64) {}}
	out, err := exactflex.Opt.Alone(t.Context(), exactflex.Opt.Methods[0], p, nil)
	if err != nil || !out.Found {
		t.Fatalf("no optimum: %v", err)
	}
	value = *flex.Problem.Check(in, out.Solution).Objective
	return out.Solution, value, proveFlex(t, t.Context(), in, out.Solution, value)
}

func proveFlex(t *testing.T, ctx context.Context, in *flex.Instance, s flex.Schedule, value float64) *verifytest.Claimed {
	t.Helper()
	claim, err := exactflex.Opt.Methods[0].Prove(ctx, in, s, value, value)
	fail.On(t, err)
	file, err := flex.Problem.MarshalInstance(in)
	fail.On(t, err)
	if claim == nil {
		t.Fatalf("nothing is proven\n%s", file)
	}
	sha := models.Digest(file)
	return &verifytest.Claimed{
		Header: proof.Header{
			Problem: "flex", Instance: in.Name, SHA256: sha, Reference: flex.Opt, Kind: claim.Kind, Value: claim.Value,
			Bound: claim.Bound,
		},
		Lines: claim.Lines, Opt: math.NaN(), Show: string(file),
		Check: func(p *proof.Proof) error { return verifytest.Refusal(verifyflex.Verify(p, in, sha)) },
	}
}

// size is what errors of values are measured by.
func size(in *flex.Instance) float64 {
	sum := 0.0
	for j := range in.Jobs {
		t := in.Jobs[j].Work
		if d := in.Jobs[j].Deadline; d != nil {
			t += math.Abs(*d)
		}
		sum += in.Factor(j) * t
	}
	return sum
}

// Optima of all objectives are proven and verified, and are the oracle's; a false optimum, worse or better, is refused.
func TestFlexOptima(t *testing.T) {
	rng := trials.Rand(t, 16, 5)
	kinds := map[string]int{}
	for i := range trials.Count(200) {
		in := flexoracle.RandomInstance(rng, 1+i%4)
		in.Name = fmt.Sprint("random-", i)
		want := flexoracle.Opt(in)
		s, value, c := optimum(t, in)
		if err := c.Check(verifytest.Read(t, c.File(t))); err != nil {
			t.Fatalf("refused: %v\n%s", err, c.Show)
		}
		kinds[c.Header.Kind]++
		tiny := 1e-12 * size(in)
		if c.Header.Value == nil || *c.Header.Value < want-tiny || *c.Header.Bound > want+tiny ||
			*c.Header.Value-*c.Header.Bound > 1e-9*max(size(in), want)+tiny { // of response Σ w E is the value
			t.Fatalf("value %v and bound %v are proven, the optimum is %v\n%s", c.Header.Value, *c.Header.Bound, want, c.Show)
		}

		// A better optimum than the true one, with the times that it would take.
		less := value - 1e-6*size(in)
		c.Header.Value, c.Header.Bound = &less, &less
		if c.Check(verifytest.Read(t, c.File(t))) == nil {
			t.Fatalf("the value %v is verified, the optimum is %v\n%s", less, want, c.Show)
		}
		times := slices.Clone(c.Lines[0].(proof.Completions).Times)
		for j := range times {
			times[j] *= 1 - 1e-6
		}
		c.Lines = slices.Concat([]any{proof.Completions{Times: times}}, c.Lines[1:])
		if c.Check(verifytest.Read(t, c.File(t))) == nil && (in.StepTimes(0) == nil || less < want-tiny) {
			t.Fatalf("times are verified that are too early\n%s", c.Show)
		}

		// A worse solution is taken for the optimum.
		worse := append(flex.Schedule{{Start: 0, End: 0}}, s...)
		if in.TotalMin() == 0 { // all wait
			for q := range worse {
				worse[q].Start++
				worse[q].End++
			}
			worse[0].Start = 0
		}
		v := *flex.Problem.Check(in, worse).Objective
		if v <= want+1e-6*size(in) {
			continue
		}
		c = proveFlex(t, t.Context(), in, worse, v)
		// Where the verifier caps ends, a schedule that waits may be worth the optimum.
		if worth := c.Header.Value; worth != nil && *worth > want+tiny {
			t.Fatalf("%v is claimed to be optimal, the optimum is %v\n%s", *worth, want, c.Show)
		}
		if err := c.Check(verifytest.Read(t, c.File(t))); err != nil || *c.Header.Bound > want+tiny {
			t.Fatalf("the bound %v is not verified, or above the optimum %v: %v\n%s", *c.Header.Bound, want, err, c.Show)
		}
		c.Header.Value = &v
		if c.Check(verifytest.Read(t, c.File(t))) == nil {
			t.Fatalf("%v is verified as optimal, the optimum is %v\n%s", v, want, c.Show)
		}
		c.Header.Bound = &v
		if c.Check(verifytest.Read(t, c.File(t))) == nil {
			t.Fatalf("the bound %v is verified, the optimum is %v\n%s", v, want, c.Show)
		}
	}
	for _, kind := range []string{proof.FlexOrders, proof.FlexDeadlines, proof.FlexPrices} {
		if kinds[kind] < trials.Count(20) {
			t.Errorf("only %d proofs of the kind %s", kinds[kind], kind)
		}
	}
}

// Mutated proofs of optima are refused, or what they say is true.
func TestMutatedFlexOptima(t *testing.T) {
	rng := trials.Rand(t, 16, 6)
	refused, kept := map[string]int{}, map[string]int{}
	for i := 0; i < trials.Count(1600); {
		in := flexoracle.RandomInstance(rng, 2+rng.IntN(3))
		in.Name = "random"
		_, _, c := optimum(t, in)
		want, tiny := flexoracle.Opt(in), 1e-12*size(in)
		for range 10 {
			i++
			m := *c
			if rng.IntN(4) == 0 {
				v := *m.Header.Value - rng.Float64()*1e-6*size(in)
				m.Header.Value = &v
			}
			p, err := proof.Read(verifytest.MutateTree(t, rng, &m))
			if err == nil {
				err = c.Check(p)
			}
			if err != nil {
				refused[c.Header.Kind]++
				continue
			}
			kept[c.Header.Kind]++
			h := p.Header
			if *h.Bound > want+tiny || h.Value != nil && *h.Value < want-tiny {
				t.Fatalf("value %v and bound %v are verified, the optimum is %v\n%s\n%s", h.Value, *h.Bound, want, c.Show, p.Lines)
			}
		}
	}
	t.Logf("refused %v, verified and true %v", refused, kept)
	for _, kind := range []string{proof.FlexOrders, proof.FlexDeadlines, proof.FlexPrices} {
		if refused[kind] == 0 || kept[kind] == 0 {
			t.Errorf("%s: %d mutated proofs refused, %d verified: both must happen for this test to say anything", kind, refused[kind],
				kept[kind])
		}
	}
}

// At a limit a proof says less, and what it says is true.
func TestFlexProofAtALimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 7))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 40 {
		in := flexoracle.RandomInstance(rng, 4)
		in.Name = "random"
		s, value, _ := optimum(t, in)
		c := proveFlex(t, ctx, in, s, value)
		if err := c.Check(verifytest.Read(t, c.File(t))); err != nil || *c.Header.Bound > value+1e-12*size(in) {
			t.Fatalf("the bound %v of %v is refused: %v\n%s", *c.Header.Bound, value, err, c.Show)
		}
	}
}

// Planted falsehoods in trees, each with the reason for which it is refused.
func TestFlexTreesRefused(t *testing.T) {
	in := &flex.Instance{Slots: 2, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}}
	in.Name = "three"
	for j, id := range []string{"a", "b", "c"} {
		in.Jobs = append(in.Jobs, flex.Job{ID: id, Work: 2 - float64(j), Max: 1 + j%2, Weight: 1})
	}
	in.Jobs[2].Work = 3
	steps := *in
	steps.Objective.Metric = flex.Tardy
	steps.Jobs = slices.Clone(in.Jobs)
	due := 1.0
	for j := range steps.Jobs {
		steps.Jobs[j].Deadline = &due
	}
	value, worse, bound := 7.0, 7+1e-9, 0.0
	leaf := proof.OrderLine{Leaf: &proof.OrderLeaf{}}
	moment := func(end int, from, late []int) proof.OrderLine {
		return proof.OrderLine{Moment: &proof.MomentCut{End: end, From: from, Late: late}}
	}
	level := func(j, k int) proof.DeadlineLine { return proof.DeadlineLine{Level: &proof.Level{Job: j, Level: k}} }
	closed := proof.DeadlineLine{Leaf: &proof.DeadlineLeaf{}}
	moments := func(n int) proof.DeadlineLine {
		return proof.DeadlineLine{Leaf: &proof.DeadlineLeaf{At: make([]float64, n), Price: make([]float64, n)}}
	}
	times := proof.Completions{Times: []float64{2, 1, 4}}
	for name, c := range map[string]struct {
		kind   string
		value  *float64
		bound  float64
		lines  []any
		reason string
	}{
		"no solution":      {proof.FlexOrders, nil, 0, nil, "not complete"},
		"no tree":          {proof.FlexOrders, nil, 0, []any{times}, "not complete"},
		"a child left out": {proof.FlexOrders, nil, 0, []any{times, proof.OrderLine{Pair: []int{0, 1}}, leaf}, "not complete"},
		"one too many":     {proof.FlexOrders, nil, 0, []any{times, leaf, leaf}, "ended before"},
		"two in one":       {proof.FlexOrders, nil, 0, []any{times, proof.OrderLine{Pair: []int{0, 1}, Leaf: leaf.Leaf}}, "one of"},
		"no job":           {proof.FlexOrders, nil, 0, []any{times, proof.OrderLine{Pair: []int{0, 3}}}, "two jobs"},
		"one job":          {proof.FlexOrders, nil, 0, []any{times, proof.OrderLine{Pair: []int{1, 1}}}, "two jobs"},
		"a known pair": {proof.FlexOrders, nil, 0, []any{
			times,
			proof.OrderLine{Pair: []int{0, 1}},
			proof.OrderLine{Pair: []int{1, 0}},
		}, "neither"},
		"too much": {proof.FlexOrders, nil, 6, []any{times, leaf}, "the leaves prove"},
		"not empty": {
			proof.FlexOrders, nil, 0,
			[]any{times, proof.OrderLine{Leaf: &proof.OrderLeaf{Empty: true}}},
			"not empty",
		},
		"no cut": {proof.FlexOrders, nil, 0, []any{
			times,
			proof.OrderLine{Leaf: &proof.OrderLeaf{Cuts: []int{0}, By: []float64{1}}},
		}, "no cut 0"},
		"negative": {proof.FlexOrders, nil, 0, []any{
			times, moment(0, []int{0, -1, -1}, nil),
			proof.OrderLine{Leaf: &proof.OrderLeaf{Cuts: []int{0}, By: []float64{-1}}},
		}, "negative"},
		"an unknown order": {proof.FlexOrders, nil, 0, []any{
			times, moment(0, []int{0, 0, -1}, []int{1}),
			proof.OrderLine{Leaf: &proof.OrderLeaf{Cuts: []int{0}, By: []float64{1}}},
		}, "for granted"},
		"an unknown pair": {proof.FlexOrders, nil, 0, []any{
			times,
			proof.OrderLine{Leaf: &proof.OrderLeaf{Pairs: [][2]int{{0, 1}}, Of: []float64{1}}},
		}, "not known"},
		"late and nothing": {proof.FlexOrders, nil, 0, []any{times, moment(0, []int{0, -1, -1}, []int{1})}, "no job"},
		"a short from":     {proof.FlexOrders, nil, 0, []any{times, moment(0, []int{0}, nil)}, "moment: jobs must be from 0 to 2"},
		"no such end":      {proof.FlexOrders, nil, 0, []any{times, moment(3, []int{0, -1, -1}, nil)}, "moment: jobs must be from 0 to 2"},
		"no such from":     {proof.FlexOrders, nil, 0, []any{times, moment(0, []int{3, -1, -1}, nil)}, "from 3 is no job"},
		"no multiplier": {
			proof.FlexOrders, nil, 0,
			[]any{times, proof.OrderLine{Leaf: &proof.OrderLeaf{Cuts: []int{0}}}},
			"0 multipliers",
		},
		"a job twice": {proof.FlexOrders, nil, 0, []any{
			times,
			proof.OrderLine{Parallel: &proof.ParallelCut{Jobs: []int{0, 0}, At: []float64{1, 1}}},
		}, "jobs from 0 to 2, each once"},
		"times too early": {
			proof.FlexOrders, &value, 0,
			[]any{proof.Completions{Times: []float64{2, 0.5, 3}}, leaf},
			"more than the slots can",
		},
		"a job too fast": {
			proof.FlexOrders, &value, 0,
			[]any{proof.Completions{Times: []float64{1.5, 1, 4}}, leaf},
			"even at its maximum",
		},
		"too few times":     {proof.FlexOrders, &value, 0, []any{proof.Completions{Times: []float64{1}}, leaf}, "1 times"},
		"worth more":        {proof.FlexOrders, &bound, 0, []any{times, leaf}, "worth 7"},
		"not optimal":       {proof.FlexOrders, &value, 0, []any{times, leaf}, "too far apart"},
		"worse than it is":  {proof.FlexOrders, &worse, 0, []any{times, leaf}, "worth 7"},
		"an unknown field":  {proof.FlexOrders, nil, 0, []any{times, map[string]any{"leaf": map[string]any{"bound": 7}}}, "bound"},
		"another objective": {proof.FlexDeadlines, nil, 0, []any{times, closed}, "tardy and sla"},
	} {
		refuse(t, name, in, c.kind, c.value, c.bound, c.lines, c.reason)
	}
	for name, c := range map[string]struct {
		bound  float64
		lines  []any
		reason string
	}{
		"a child left out":  {0, []any{times, level(0, 0), closed}, "not complete"},
		"the highest level": {0, []any{times, level(0, 1)}, "below its highest"},
		"a level twice":     {0, []any{times, level(0, 0), level(0, 0)}, "below its highest"},
		"too much":          {3, []any{times, closed}, "the leaves prove"},
		"not empty": {0, []any{times, proof.DeadlineLine{Leaf: &proof.DeadlineLeaf{
			Empty: true, At: []float64{1},
			Price: []float64{1},
		}}}, "not empty"},
		"a negative price": {
			0,
			[]any{times, proof.DeadlineLine{Leaf: &proof.DeadlineLeaf{At: []float64{1}, Price: []float64{-1}}}},
			"negative",
		},
		"a missing price":  {0, []any{times, proof.DeadlineLine{Leaf: &proof.DeadlineLeaf{At: []float64{1}}}}, "0 prices"},
		"one too many":     {0, []any{times, closed, closed}, "ended before"},
		"no such job":      {0, []any{times, level(3, 0)}, "below its highest"},
		"many moments":     {3, []any{times, moments(core.GridPoints + 12)}, "the leaves prove"},
		"too many moments": {3, []any{times, moments(core.GridPoints + 13)}, "1513 moments, which may be 1512"},
	} {
		refuse(t, name, &steps, proof.FlexDeadlines, nil, c.bound, c.lines, c.reason)
	}
	refuse(t, "orders of steps", &steps, proof.FlexOrders, nil, 0, []any{times, leaf}, "trees over orders")
}

func refuse(t *testing.T, name string, in *flex.Instance, kind string, value *float64, bound float64, lines []any,
	reason string,
) {
	t.Helper()
	c := &verifytest.Claimed{Header: proof.Header{
		Problem: "flex", Instance: in.Name, SHA256: "x", Reference: flex.Opt, Kind: kind, Value: value, Bound: &bound,
	}, Lines: lines}
	if _, err := verifyflex.Verify(verifytest.Read(t, c.File(t)), in, "x"); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("%s: %v, want a reason with %q", name, err, reason)
	}
}
