package catalog

import (
	"math/rand/v2"
	"testing"

	"schedgap/bench"
	"schedgap/exact/milp/linked/linkedtest"
	"schedgap/models"
	"schedgap/models/trials"
)

// TestRelaxations: of every model, lp_bound and root_bound are bounds on the optimum. lp_solve adds no cuts, so that its root node's
// bound is the relaxation's optimum, which another solver computes; HiGHS's is no worse. Some relaxation is not tight.
func TestRelaxations(t *testing.T) {
	linkedtest.Need(t, "highs")
	linkedtest.Need(t, "lpsolve")
	registry, err := New()
	if err != nil {
		t.Fatal(err)
	}
	loose, some, none := 0, 0, 0
	for name, params := range map[string]map[string]any{
		"flex": {"jobs": 4, "metric": "sla"}, "redundancy": {"jobs": 3}, "cloning": {"jobs": 2, "shape": "single"},
		"pocd": {"jobs": 6, "alpha": "1"}, "speculation": {"stragglers": 5, "slots": 5},
	} {
		p, err := registry.Problem(name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := models.Resolve(p.Generator.Params, params)
		if err != nil {
			t.Fatal(err)
		}
		for i := range trials.Count(3) {
			in, err := p.Generate(name, v, rand.New(rand.NewPCG(uint64(i), 43)))
			if err != nil {
				t.Fatal(err)
			}
			a, _, err := p.Find("opt")
			if err != nil {
				t.Fatal(err)
			}
			for _, model := range a.Models {
				for _, solver := range []string{"highs", "lpsolve"} {
					request := bench.Request{
						Algorithm: "opt", Solver: solver, Model: model, Threads: 1, Relax: true, Params: map[string]any{"start": "none"},
					}
					res := p.Run(t.Context(), in, request, bench.Observer{})
					if res.Status == bench.Skipped {
						continue
					}
					if res.Status != bench.Optimal || !res.Relaxes() {
						t.Fatalf("%s %s by %s: %s %s", name, model, solver, res.Status, res.Error)
					}
					res.Relax(t.Context())
					if res.LPBound == nil || res.RootBound == nil {
						none++ // the solver's tolerances are worth too much of the relaxation's value
						t.Logf("%s %s by %s: relaxation %v, root %v", name, model, solver, show(res.LPBound), show(res.RootBound))
						continue
					}
					some++
					sign, optimum := float64(p.Sense), *res.Objective
					slack := 1e-6 * max(1, optimum, -optimum)
					lp, root := sign*(optimum-*res.LPBound), sign*(optimum-*res.RootBound)
					if lp < -slack || root < -slack || root > lp+slack || solver == "lpsolve" && root < lp-slack {
						t.Fatalf("%s %s by %s: relaxation %v, root %v, optimum %v\n%s", name, model, solver, *res.LPBound,
							*res.RootBound, optimum, in.JSON)
					}
					if lp > slack {
						loose++
					}
				}
			}
		}
	}
	if loose == 0 {
		t.Error("every relaxation is tight")
	}
	if none > some/10 {
		t.Errorf("%d relaxations without a bound beside %d with one", none, some)
	}
}
