package flex

import (
	"math"
	"testing"

	"schedgap/exact/flex/oracle"
	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

// The search over levels finds what filling every choice of levels finds.
func TestLevels(t *testing.T) {
	rng := trials.Rand(t, 152, 1)
	for i := range trials.Count(600) {
		o := flex.Objective{Metric: flex.SLA, Aggregate: flex.Sum, Weighted: rng.IntN(2) == 0}
		if i%3 == 0 {
			o.Metric = flex.Tardy
		}
		in := oracle.RandomInstanceOf(rng, 1+rng.IntN(6), o)
		if i%4 == 0 {
			for j := range in.Jobs {
				in.Jobs[j].Work *= 0.5 + rng.Float64()
			}
		}
		status, got, _ := solve(t, Opt, in)
		want, times, fit := math.Inf(1), make([]float64, len(in.Jobs)), flex.NewFilling(in)
		var choose func(j int)
		choose = func(j int) {
			if j == len(in.Jobs) {
				if fit.Fits(times, flex.RealizeTolerance) {
					want = min(want, in.Value(times))
				}
				return
			}
			for _, o := range optionsOf(in, j, flex.Horizon(in)) {
				times[j] = o.time
				choose(j + 1)
			}
		}
		choose(0)
		if status != models.Optimal || math.Abs(got-want) > 1e-9*max(1, want) {
			t.Fatalf("opt is %v (%s), all choices of levels say %v\n%s", got, status, want, show(in))
		}
	}
}

// Optima of instances with many levels are proven: no node is left whose program takes more than all of a step.
func TestProofsOfLevels(t *testing.T) {
	for _, in := range generated(t, flex.Objective{Metric: flex.SLA, Aggregate: flex.Sum, Weighted: true}, 26, 8) {
		out := run(t, Opt, in)
		v := value(t, in, out.Solution)
		claim, err := prove(t.Context(), in, out.Solution, v, v)
		if err != nil || claim == nil || claim.Value == nil {
			t.Errorf("%s: the optimum %v is not proven: %+v, %v", in.Name, v, claim, err)
		}
	}
}
