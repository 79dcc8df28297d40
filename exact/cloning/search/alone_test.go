package search

import (
	"math"
	"testing"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/oracle"
	"schedgap/models/cloning"
	"schedgap/models/trials"
)

// A job alone on a server, with tasks that gain nothing from clones, is a project, whose optimum the oracle finds by trying everything.
// In other instances there is none.
func TestLoneJob(t *testing.T) {
	rng := trials.Rand(t, 7, 600)
	tried := 0
	for range trials.Count(600) {
		in := oracle.RandomInstance(rng, 5)
		in.Jobs, in.Servers = in.Jobs[:1], in.Servers[:1]
		in.Jobs[0].Arrival = 0
		fits, clones := true, false
		for k := range in.Jobs[0].Phases {
			ph := &in.Jobs[0].Phases[k]
			if rng.IntN(3) > 0 {
				ph.Speedup = []float64{1, 1, 1}[:in.MaxCopies]
			}
			fits = fits && cloning.Fits(ph.Demand, in.Servers[0].Capacity)
		}
		if !fits {
			continue
		}
		v := bounds.Of(in)
		for k := range v.Phases {
			clones = clones || v.Phases[k].Most > 1
		}
		l := newLoneJob(v, true)
		if (l == nil) != clones || newLoneJob(v, false) != nil {
			t.Fatalf("%v, clones help: %v\n%s", l != nil, clones, oracle.Show(in))
		}
		if l == nil {
			continue
		}
		tried++
		bound, value := 0, 0
		improved := func(s cloning.Solution) {
			s.Regime = cloning.Nonpreemptive
			rep := cloning.Problem.Check(in, s)
			if !rep.Feasible(nil) {
				t.Fatalf("%+v\n%s", rep.Violations, oracle.Show(in))
			}
			value = int(*rep.Objective)
		}
		want := oracle.Opt(in, true)
		if !l.search(t.Context(), math.MaxInt, math.MaxInt64, func(b int) { bound = b }, improved) || bound != want || value != want {
			t.Fatalf("bound %d, value %d, the oracle says %d\n%s", bound, value, want, oracle.Show(in))
		}
	}
	if tried == 0 {
		t.Error("no instance was tried")
	}
}
