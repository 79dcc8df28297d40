package catalog

import (
	"math"
	"os"
	"testing"

	cloningoracle "schedgap/exact/cloning/oracle"
	"schedgap/exact/linked"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/trials"
)

// All algorithms of cloning complete all jobs, and claim nothing that is false, where demands are at the edge of capacities,
// nothing or nearly that, capacities are the least and the greatest, and tables are concave to 1e-9 only.
func TestCloningExtremes(t *testing.T) {
	rng := trials.Rand(t, 24, 3)
	algorithms := cloningDefinition(linked.Solvers()).Algorithms
	instances := []*cloning.Instance{edge(t, "fit-edge"), edge(t, "tiny-demand")}
	for range trials.Count(40) {
		instances = append(instances, cloningoracle.ExtremeInstance(rng, 4))
	}
	for _, in := range instances {
		optimum := map[string]float64{}
		if cloning.Problem.Size(in).Tasks <= 4 {
			for reference, fixed := range map[string]bool{cloning.Opt: false, cloning.OptNonpreemptive: true} {
				optimum[reference] = float64(cloningoracle.Opt(in, fixed))
			}
		}
		for _, a := range algorithms {
			params := models.Defaults(a.Params)
			if a.Name == "best" {
				params["evaluations"] = 50
			}
			out, err := a.Run(t.Context(), &cloning.Pass{
				Instance: in, Params: params, Seed: 1, Threads: 1, Improved: func(cloning.Solution) {}, Bounded: func(float64) {},
			})
			if err != nil {
				t.Fatalf("%s: %v\n%s", a.Name, err, shown(t, in))
			}
			opt, known := optimum[a.Reference]
			if out.Bound != nil && (math.IsNaN(*out.Bound) || known && *out.Bound > opt) {
				t.Errorf("%s: the bound %v, the optimum is %v\n%s", a.Name, *out.Bound, opt, shown(t, in))
			}
			if a.Kind == models.Bound {
				continue
			}
			r := cloning.Problem.Check(in, out.Solution)
			switch {
			case !r.Feasible(nil) && out.Solution.CapacityFactor <= 1:
				t.Errorf("%s: %+v\n%s", a.Name, r.Violations, shown(t, in))
			case known && out.Solution.CapacityFactor <= 1 && *r.Objective < opt, a.Kind == models.Exact &&
				(out.Status != models.Optimal || known && *r.Objective != opt):
				t.Errorf("%s: %s, %v, the optimum is %v\n%s", a.Name, out.Status, *r.Objective, opt, shown(t, in))
			}
		}
	}
}

// edge is an instance with which something was wrong once.
func edge(t *testing.T, name string) *cloning.Instance {
	t.Helper()
	data, err := os.ReadFile("testdata/cloning-" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	in, err := cloning.Problem.ParseInstance(name, data)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func shown(t *testing.T, in *cloning.Instance) string {
	t.Helper()
	data, err := cloning.Problem.MarshalInstance(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
