package flex

import (
	"math"
	"testing"

	"schedgap/exact"
	"schedgap/exact/flex/oracle"
	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

// TestMoldableBound: the bound of opt-moldable is that of the allocation, less what rounding may have decided, and not the checker's
// value. It proves the value where no allocation ends within rounding of a step.
func TestMoldableBound(t *testing.T) {
	rng := trials.Rand(t, 52, 7)
	algorithm := OptMoldable.Algorithm(exact.Deps[*flex.Instance, flex.Schedule]{})
	solved := func(in *flex.Instance) flex.Outcome {
		p := pass(in)
		p.Params = models.Defaults(algorithm.Params)
		out, err := algorithm.Run(t.Context(), p)
		if err != nil || out.Bound == nil {
			t.Fatalf("%v, bound %v\n%s", err, out.Bound, show(in))
		}
		return out
	}
	// The times of both ends of the tolerance: the one has the job late, the other in time, by less than floats can say.
	work, end := 2.0, 2.0/5
	for ulps := range 12 {
		due := end / (1 + flex.Tolerance)
		for range ulps {
			due = math.Nextafter(due, 0)
		}
		in := &flex.Instance{
			Slots: 5, Objective: flex.Objective{Metric: flex.Tardy, Aggregate: flex.Sum},
			Jobs: []flex.Job{{ID: "a", Work: work, Max: 5, Weight: 1, Deadline: &due}},
		}
		out := solved(in)
		if v := value(t, in, out.Solution); flex.After(end, due) && v == 0 || ulps < 3 && *out.Bound != 0 || ulps > 8 && *out.Bound < 1-1e-9 {
			t.Errorf("%d units before the edge: value %v, bound %v", ulps, v, *out.Bound)
		}
	}
	for i := range trials.Count(400) {
		in := oracle.RandomInstance(rng, 1+i%4)
		for j := range in.Jobs {
			in.Jobs[j].Weight = math.Ldexp(in.Jobs[j].Weight, 40*rng.IntN(2))
		}
		want, ok := oracle.Moldable(in)
		if !ok {
			continue
		}
		out := solved(in)
		if least := flex.Problem.Accuracy(in, 0); *out.Bound > want && !least.Same(*out.Bound, want) || out.Status != models.Optimal {
			t.Fatalf("%s, bound %v, the optimum is %v\n%s", out.Status, *out.Bound, want, show(in))
		}
	}
}
