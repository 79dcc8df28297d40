package cloning

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"schedgap/exact/cloning/oracle"
	"schedgap/exact/cloning/pricing"
	"schedgap/models"
	"schedgap/models/cloning"
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
		tb.Fatalf("%v\n%s", err, show(in))
	}
	if out.Status != models.Optimal {
		return 0, false
	}
	return *cloning.Problem.Check(in, out.Solution).Objective, true
}

func againstPrices(tb testing.TB, in *cloning.Instance, opt float64, steps int) (bound float64) {
	tb.Helper()
	moved, _ := fromFirst(in)
	told := 0.0
	r := pricing.Bound(tb.Context(), moved, pricing.Options{Steps: steps, Bounded: func(b float64) { told = max(told, b) }})
	if r.Bound > opt || told > opt || r.Prices == nil || !r.Done {
		tb.Fatalf("prices prove %v (%v, told %v), the optimum is %v\n%s", r.Bound, r.Raw, told, opt, show(in))
	}
	return r.Bound
}

// The prices' bound never exceeds an optimum: of the oracle on the tiniest instances, of the search on larger ones. With
// -instances 2500 it is tried on 5,000 and more.
func TestPricesBelowOptimum(t *testing.T) {
	tried, tight, share := 0, 0, 0.0
	count := func(opt, bound float64) {
		tried++
		if bound == opt {
			tight++
		}
		share += bound / opt
	}
	rng := rand.New(rand.NewPCG(15, 1))
	for range *instances {
		in := oracle.RandomInstance(rng, 4)
		opt := float64(oracle.Opt(in, false))
		count(opt, againstPrices(t, in, opt, 40))
	}
	rng = rand.New(rand.NewPCG(15, 2))
	for i := range 2 * *instances {
		in := odd(rng)
		if i%4 == 0 {
			in = clustered(rng, 1+rng.IntN(3), 1+rng.IntN(3), 4)
		}
		if opt, ok := optimum(t, in, time.Second); ok {
			count(opt, againstPrices(t, in, opt, 60))
		}
	}
	t.Logf("%d optima, %d reached, mean share %.4f", tried, tight, share/float64(tried))
}
