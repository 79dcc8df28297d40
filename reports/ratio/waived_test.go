package ratio_test

import (
	"testing"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// A class that waives a constraint by its definition: its optimum and its heuristics count in it, its bound holds for the
// class inside too, and its values never count there.
func TestWaivedByDefinition(t *testing.T) {
	p := &bench.Problem{
		Name: "pocd", Sense: models.Maximize,
		References: []models.Reference{{Name: "opt-all", Waives: []string{"straggler"}}, {Name: "opt", Within: "opt-all"}},
		Algorithms: []bench.Algorithm{
			{Name: "opt-all", Kind: models.Exact, Reference: "opt-all", Class: "opt-all", Waives: []string{"straggler"}},
			{Name: "shed", Kind: models.Heuristic, Reference: "opt-all", Class: "opt-all", Waives: []string{"straggler"}},
			{Name: "shed+", Kind: models.Heuristic, Reference: "opt", Class: "opt"},
		},
	}
	instances := fake.Instances{}
	instances.Add("a", models.Quotient, nil)
	all := fake.Optimal(p, "a", "opt-all", 10)
	all.Waived = "straggler"
	set, err := ratio.New(ratio.Input{
		Problems: []*bench.Problem{p}, Instance: instances.Find,
		Records: ratio.Pack([]bench.Record{all, fake.Waived(p, "a", "shed", 8, "straggler"), fake.Solved(p, "a", "shed+", 5)}),
	})
	fail.On(t, err)
	pr := set.Problems[0]
	best := pr.Instances[0].Best
	if b := best("opt-all"); !b.Proven || *b.Value != 10 {
		t.Errorf("opt-all: %+v", b)
	}
	if b := best("opt"); b.Value == nil || *b.Value != 5 || b.Bound == nil || *b.Bound != 10 {
		t.Errorf("opt: value and bound should be 5 and 10: %+v", b)
	}
	for _, u := range pr.Units {
		home, inside := pr.Row(u, "opt-all"), pr.Row(u, "opt")
		if !u.Solves("opt-all") || u.Solves("opt") != (u.Algorithm == "shed+") {
			t.Errorf("%s: makes solutions of opt-all: %v, of opt: %v", u.Algorithm, u.Solves("opt-all"), u.Solves("opt"))
		}
		if u.Algorithm == "shed" && (home.Excluded != nil || inside.Excluded == nil || *home.RatioHi != 1.25) {
			t.Errorf("shed: at home %+v, inside %+v", home, inside)
		}
	}
}
