package cloning

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"schedgap/exact/cloning/oracle"
	"schedgap/exact/cloning/pricing"
	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/trials"
)

// odd makes an instance of a few jobs with anything in it: one to three resources, servers of all sizes, demands that just fit in
// thirds and tenths, demands of nothing, graphs, arrivals, speedups of all kinds, means of a fraction of a slot.
func odd(rng *rand.Rand) *cloning.Instance {
	in := &cloning.Instance{MaxCopies: 1 + rng.IntN(3)}
	in.Name = "odd"
	in.MaxCopiesPerServer = 1 + rng.IntN(in.MaxCopies)
	for r := range 1 + rng.IntN(3) {
		in.Resources = append(in.Resources, fmt.Sprint("r", r))
	}
	for s := range 1 + rng.IntN(4) {
		server := cloning.Server{ID: fmt.Sprint("s", s)}
		for range in.Resources {
			server.Capacity = append(server.Capacity, []float64{0.3, 0.5, 1, 1, 0.7}[rng.IntN(5)])
		}
		in.Servers = append(in.Servers, server)
	}
	for j := range 1 + rng.IntN(4) {
		job := cloning.Job{ID: fmt.Sprint("j", j), Arrival: max(0, rng.IntN(8)-4)}
		for k := range 1 + rng.IntN(3) {
			ph := cloning.Phase{ID: fmt.Sprint("p", k), Tasks: 1 + rng.IntN(3)}
			ph.Mean = []float64{0.2, 1, 1.5, 2, 3, 4, 4.000000001, 5.5, 7}[rng.IntN(9)]
			for p := range k {
				if rng.IntN(2) == 0 {
					ph.Parents = append(ph.Parents, p)
				}
			}
			for _, c := range in.Servers[rng.IntN(len(in.Servers))].Capacity {
				ph.Demand = append(ph.Demand, c*[]float64{0, 0.1, 1. / 3, 0.5, 0.25, 2. / 3, 1}[rng.IntN(7)])
			}
			switch rng.IntN(3) {
			case 0:
				ph.Speedup = cloning.ParetoSpeedup(ph.Mean, ph.Mean*3*rng.Float64(), in.MaxCopies)
			case 1:
				ph.Speedup = []float64{1, 2, 3}[:in.MaxCopies]
			default:
				ph.Speedup = []float64{1, 1.5, 1.75}[:in.MaxCopies]
			}
			job.Phases = append(job.Phases, ph)
		}
		in.Jobs = append(in.Jobs, job)
	}
	return in
}

// optimum is the preemptive optimum by the search, false when it takes long.
func optimum(tb testing.TB, in *cloning.Instance, limit time.Duration) (float64, bool) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), limit)
	defer cancel()
	p := pass(in)
	out, err := Opt.Algorithm(parts).Run(ctx, p)
	if err != nil {
		tb.Fatalf("%v\n%s", err, oracle.Show(in))
	}
	if out.Status != models.Optimal {
		return 0, false
	}
	return value(tb, in, out.Solution), true
}

func againstPrices(tb testing.TB, in *cloning.Instance, opt float64, steps int) (bound float64) {
	tb.Helper()
	moved, _ := kernel.FromFirst(in)
	told := 0.0
	r := pricing.Bound(tb.Context(), moved, pricing.Options{Steps: steps, Bounded: func(b float64) { told = max(told, b) }})
	if r.Bound > opt || told > opt || r.Prices == nil || !r.Done {
		tb.Fatalf("prices prove %v (%v, told %v), the optimum is %v\n%s", r.Bound, r.Raw, told, opt, oracle.Show(in))
	}
	if proven := verified(tb, in, r.Prices); proven < r.Bound || proven > opt {
		tb.Fatalf("prices verify as %v instead of %v (%v), the optimum is %v\n%s", proven, r.Bound, r.Raw, opt, oracle.Show(in))
	}
	return r.Bound
}

// againstStates is the bound by prices of copies: its proof is accepted, for a slot more or with prices that are none it is
// refused. 0: there is none.
func againstStates(t *testing.T, in *cloning.Instance, opt float64) (bound float64) {
	t.Helper()
	moved, _ := kernel.FromFirst(in)
	claim := boundByStates(t.Context(), moved, nil, 1, 40, func(b float64) { bound = b })
	if claim == nil {
		return 0
	}
	if bound > opt {
		t.Fatalf("states prove %v, the optimum is %v\n%s", bound, opt, oracle.Show(in))
	}
	c := &claimed{in, proof.Header{
		Problem: "cloning", Instance: in.Name, SHA256: "x", Reference: cloning.Opt, Kind: claim.Kind, Bound: &bound,
	}, claim.Lines, opt}
	if err := c.check(t); err != nil {
		t.Fatalf("%v\n%s", err, oracle.Show(in))
	}
	more := opt + 1
	var rng *rand.Rand
	for name, lie := range map[string]func(prices [][]int64){
		"a bound above the optimum": func([][]int64) {},
		"a negative price":          func(prices [][]int64) { prices[0][rng.IntN(len(prices[0]))] = -1 },
		"a price beyond all":        func(prices [][]int64) { prices[0][rng.IntN(len(prices[0]))] = math.MaxInt64 },
		"a slot less":               func(prices [][]int64) { prices[len(prices)-1] = append(prices[0], 1) },
		"other prices": func(prices [][]int64) {
			for k := range prices {
				for t := range prices[k] {
					prices[k][t] = min(1<<22, rng.Int64N(3)*prices[k][t])
				}
			}
		},
	} {
		guide := *claim.Lines[1].(*verifycloning.Guide)
		prices := make([][]int64, len(guide.Prices[0]))
		for k, row := range guide.Prices[0] {
			prices[k] = slices.Clone(row)
		}
		rng = rand.New(rand.NewPCG(15, uint64(len(name))))
		lie(prices)
		guide.Prices = [][][]int64{prices}
		forged := *c
		forged.header.Bound, forged.lines = &more, []any{claim.Lines[0], &guide}
		if forged.check(t) == nil {
			t.Fatalf("%s is accepted\n%s", name, oracle.Show(in))
		}
	}
	return bound
}

// verified is what exact/verify makes of prices that went through a file.
func verified(tb testing.TB, in *cloning.Instance, prices *verifycloning.Prices) float64 {
	tb.Helper()
	data, err := json.Marshal(prices)
	fail.On(tb, err)
	var back verifycloning.Prices
	fail.On(tb, json.Unmarshal(data, &back))
	proven, err := verifycloning.Bound(in, &back)
	if err != nil {
		tb.Fatalf("%v\n%s", err, oracle.Show(in))
	}
	return float64(proven.Int64())
}

// The prices' bound never exceeds an optimum: of the oracle on the tiniest instances, of the search on larger ones.
func TestPricesBelowOptimum(t *testing.T) {
	tried, tight, share := 0, 0, 0.0
	count := func(opt, bound float64) {
		tried++
		if bound == opt {
			tight++
		}
		share += bound / opt
	}
	rng := trials.Rand(t, 15, 1)
	for range trials.Count(40) {
		in := oracle.RandomInstance(rng, 4)
		opt := float64(oracle.Opt(in, false))
		count(opt, max(againstPrices(t, in, opt, 40), againstStates(t, in, opt)))
	}
	rng = trials.Rand(t, 15, 2)
	for i := range trials.Count(80) {
		in := odd(rng)
		if i%4 == 0 {
			in = oracle.Clustered(rng, 1+rng.IntN(3), 1+rng.IntN(3), 4)
		}
		if opt, ok := optimum(t, in, time.Second); ok {
			count(opt, max(againstPrices(t, in, opt, 60), againstStates(t, in, opt)))
		}
	}
	t.Logf("%d optima, %d reached, mean share %.4f", tried, tight, share/float64(tried))
}

// priced is an instance of a few jobs with prices.
func priced(t *testing.T, seed uint64) (*cloning.Instance, []*verifycloning.Prices) {
	t.Helper()
	in := oracle.Clustered(rand.New(rand.NewPCG(15, seed)), 4, 3, 6)
	moved, _ := kernel.FromFirst(in)
	var list []*verifycloning.Prices
	for _, steps := range []int{4, 40} {
		if r := pricing.Bound(t.Context(), moved, pricing.Options{Steps: steps}); r.Prices != nil {
			list = append(list, r.Prices)
		}
	}
	return in, list
}

// clonePrices copies prices as a verifier reads them.
func clonePrices(t *testing.T, p *verifycloning.Prices) *verifycloning.Prices {
	t.Helper()
	data, err := json.Marshal(p)
	fail.On(t, err)
	var back verifycloning.Prices
	fail.On(t, json.Unmarshal(data, &back))
	return &back
}

// The same prices prove no more on servers with more capacity, and no less of longer tasks.
func TestPricesMoreCapacityMoreWork(t *testing.T) {
	for seed := range uint64(12) {
		in, list := priced(t, seed)
		for _, p := range list {
			before := verified(t, in, p)
			larger := *in
			larger.Servers = slices.Clone(in.Servers)
			stretched := clonePrices(t, p)
			for s := range larger.Servers {
				larger.Servers[s].Capacity = slices.Clone(in.Servers[s].Capacity)
				for r := range larger.Servers[s].Capacity {
					larger.Servers[s].Capacity[r] *= 1.25
				}
			}
			for c := range stretched.Classes {
				for s := range stretched.Classes[c].Servers {
					for r := range stretched.Classes[c].Servers[s] {
						stretched.Classes[c].Servers[s][r] *= 1.25
					}
				}
			}
			after, err := verifycloning.Bound(&larger, stretched)
			fail.On(t, err)
			if float64(after.Int64()) > before {
				t.Fatalf("on more capacity the same prices prove %v instead of %v\n%s", after, before, oracle.Show(in))
			}
			longer := *in
			longer.Jobs = slices.Clone(in.Jobs)
			for j := range longer.Jobs {
				longer.Jobs[j].Phases = slices.Clone(in.Jobs[j].Phases)
				for k := range longer.Jobs[j].Phases {
					longer.Jobs[j].Phases[k].Mean *= 1.3
				}
			}
			if v := verified(t, &longer, p); v < before {
				t.Fatalf("of more work the same prices prove %v instead of %v\n%s", v, before, oracle.Show(in))
			}
		}
	}
}

// Whatever prices a file holds, they prove no more than the optimum.
func TestAnyPricesBelowOptimum(t *testing.T) {
	rng := trials.Rand(t, 15, 7)
	for range trials.Count(10) {
		in := oracle.Clustered(rng, 1+rng.IntN(3), 1+rng.IntN(3), 4)
		opt, ok := optimum(t, in, 2*time.Second)
		if !ok {
			continue
		}
		moved, _ := kernel.FromFirst(in)
		r := pricing.Bound(t.Context(), moved, pricing.Options{Steps: 8 + 40*rng.IntN(2)})
		for range 8 {
			p := clonePrices(t, r.Prices)
			for _, row := range p.Surrogates {
				for i := range row {
					switch rng.IntN(6) {
					case 0:
						row[i] = int64(float64(row[i]) * 2 * rng.Float64())
					case 1:
						row[i] += rng.Int64N(1 << p.Bits)
					}
				}
			}
			if v, err := verifycloning.Bound(in, p); err != nil || float64(v.Int64()) > opt {
				t.Fatalf("changed prices prove %v (%v), the optimum is %v\n%s", v, err, opt, oracle.Show(in))
			}
		}
	}
}

// The same steps give the same prices, and more steps no smaller bound.
func TestPricesDeterministic(t *testing.T) {
	in := oracle.Clustered(rand.New(rand.NewPCG(15, 8)), 6, 4, 6)
	moved, _ := kernel.FromFirst(in)
	last := 0.0
	for _, steps := range []int{1, 8, 64} {
		a := pricing.Bound(t.Context(), moved, pricing.Options{Steps: steps})
		b := pricing.Bound(t.Context(), moved, pricing.Options{Steps: steps})
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%d steps prove %v and %v", steps, a.Raw, b.Raw)
		}
		if a.Raw < last*(1-1e-3) {
			t.Errorf("%d steps prove %v, fewer %v", steps, a.Raw, last)
		}
		last = a.Raw
	}
}
