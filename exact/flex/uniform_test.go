package flex

import (
	"math/rand/v2"
	"strings"
	"testing"

	"schedgap/exact"
	"schedgap/exact/flex/oracle"
	heuristics "schedgap/heuristics/flex"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/trials"
)

// own gives jobs metrics of their own from a list, with what they need.
func own(rng *rand.Rand, in *flex.Instance, metrics ...flex.Metric) {
	for j := range in.Jobs {
		job, d := &in.Jobs[j], float64(rng.IntN(9)-1)
		job.Deadline, job.Steps = &d, []flex.Step{{At: d + 1, Penalty: 1}, {At: d + 3, Penalty: float64(2 + rng.IntN(3))}}
		job.Metric = metrics[rng.IntN(len(metrics))]
		if rng.IntN(3) == 0 && job.Metric == in.Objective.Metric {
			job.Metric = ""
		}
	}
}

// Jobs with metrics of their own: opt, opt-mps, opt-moldable, bounds and orders against the oracle, which reads each job's
// metric itself.
func TestOwnMetrics(t *testing.T) {
	linear := []flex.Metric{flex.Response, flex.Stretch, flex.Tardiness, flex.Lateness}
	rng := trials.Rand(t, 26, 1)
	algorithms := map[string]*flex.Algorithm{}
	for _, a := range Algorithms(exact.Deps[*flex.Instance, flex.Schedule]{}) {
		algorithms[a.Name] = a
	}
	for i := range trials.Count(200) {
		o := flex.Objective{Metric: linear[rng.IntN(4)], Aggregate: flex.Sum, Weighted: rng.IntN(2) == 0}
		list := linear
		switch i % 4 {
		case 0:
			o.Aggregate = flex.Max
		case 1:
			o.Metric, list = flex.SLA, []flex.Metric{flex.Tardy, flex.SLA}
		}
		in := oracle.RandomInstanceOf(rng, 1+i%4, o)
		own(rng, in, list...)
		want := oracle.Opt(in)
		wantMPS, _ := oracle.BestMPS(in)
		wantMold, ok := oracle.Moldable(in)
		for name, want := range map[string]float64{flex.Opt: want, flex.OptMPS: wantMPS, flex.OptMoldable: wantMold} {
			p := pass(in)
			p.Params = models.Defaults(algorithms[name].Params)
			out, err := algorithms[name].Run(t.Context(), p)
			fail.On(t, err)
			if name == flex.OptMoldable && !ok {
				if out.Status != models.Infeasible {
					t.Fatalf("%s ends as %s", name, out.Status)
				}
				continue
			}
			if got := value(t, in, out.Solution); out.Status != models.Optimal || !near(got, want) {
				t.Fatalf("%s is %v (%s), the oracle says %v\n%s", name, got, out.Status, want, show(in))
			}
			if out.Bound != nil && *out.Bound > want+1e-9*max(1, want, -want) {
				t.Fatalf("%s: bound %v above the optimum %v\n%s", name, *out.Bound, want, show(in))
			}
		}
		for _, name := range []string{"lb", "lb-price"} {
			p := pass(in)
			p.Params = models.Defaults(algorithms[name].Params)
			out, err := algorithms[name].Run(t.Context(), p)
			if err != nil || out.Bound == nil || *out.Bound > want+1e-9*max(1, want, -want) {
				t.Fatalf("%s: %v, %v above the optimum %v\n%s", name, err, out.Bound, want, show(in))
			}
		}
		for _, a := range heuristics.All {
			if a.Arg != "" || len(a.Waives) > 0 || a.Applies != nil && a.Applies(in, "") != nil {
				continue
			}
			p := pass(in)
			p.Params = models.Defaults(a.Params)
			out, err := a.Run(t.Context(), p)
			fail.On(t, err)
			if v := value(t, in, out.Solution); v < want-1e-9*max(1, want, -want) {
				t.Fatalf("%s reaches %v, below the optimum %v\n%s", a.Name, v, want, show(in))
			}
		}
	}
}

// Where some penalties jump and others do not, opt and its bounds say so in a sentence, formulations refuse jobs with metrics
// of their own, and the moldable optimum, which treats jobs apart, is found.
func TestJumpsBesideOthers(t *testing.T) {
	rng := trials.Rand(t, 26, 2)
	for i := range trials.Count(100) {
		in := oracle.RandomInstanceOf(rng, 2+i%3, flex.Objective{Metric: flex.Response, Aggregate: flex.Sum, Weighted: true})
		own(rng, in, flex.Metrics...)
		in.Jobs[0].Metric, in.Jobs[1].Metric = flex.Tardy, flex.Lateness
		for _, a := range Algorithms(exact.Deps[*flex.Instance, flex.Schedule]{}) {
			if a.Name == flex.OptMoldable {
				continue
			}
			if err := a.Applies(in, ""); err == nil || !strings.Contains(err.Error(), "jump") {
				t.Fatalf("%s: %v", a.Name, err)
			}
		}
		for _, f := range Opt.Formulations {
			if f.Applies(in) == nil {
				t.Fatalf("%s states it", f.Name)
			}
		}
		want, ok := oracle.Moldable(in)
		status, got, _ := solve(t, OptMoldable, in)
		if ok != (status == models.Optimal) || ok && !near(got, want) {
			t.Fatalf("opt-moldable is %v (%s), the oracle says %v %v\n%s", got, status, want, ok, show(in))
		}
	}
}
