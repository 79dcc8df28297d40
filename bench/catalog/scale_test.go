package catalog_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/models"
)

// What regret is measured in is fixed by the instance: it is positive, no name and no place in the file has a part in it, and it
// has the unit of the objective.
func TestScales(t *testing.T) {
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		problem, reference string
		params             map[string]any
		unit               string
		power              float64 // of the unit in the objective
	}{
		{"flex", "opt", map[string]any{"metric": "tardiness"}, "work", 1},
		{"flex", "opt-mps", map[string]any{"metric": "tardiness", "aggregate": "max", "weighted": true}, "work", 1},
		{"flex", "opt", map[string]any{"metric": "lateness", "weighted": true}, "work", 1},
		{"flex", "opt", map[string]any{"metric": "lateness", "weighted": true}, "weight", 1},
		{"flex", "opt", map[string]any{"metric": "tardy", "weighted": true}, "work", 0},
		{"flex", "opt", map[string]any{"metric": "tardy", "weighted": true}, "weight", 1},
		{"flex", "opt", map[string]any{"metric": "sla"}, "weight", 1},
		{"pocd", "opt", map[string]any{"alpha": "0"}, "time", 0},
		{"pocd", "opt", map[string]any{"alpha": "1"}, "time", 0},
		{"pocd", "opt-all", map[string]any{"alpha": "2"}, "time", 0},
		{"pocd", "opt", map[string]any{"alpha": "inf"}, "time", 0},
		{"speculation", "opt", nil, "time", 1},
	} {
		p, err := registry.Problem(c.problem)
		if err != nil {
			t.Fatal(err)
		}
		v, err := models.Resolve(p.Generator.Params, c.params)
		if err != nil {
			t.Fatal(err)
		}
		for i := range uint64(5) {
			rng := rand.New(rand.NewPCG(1, i))
			in, err := p.Generate("scale", v, rng)
			if err != nil {
				t.Fatal(err)
			}
			scale := in.Scales[c.reference]
			if !(scale > 0) || scale != in.Scale(c.reference) {
				t.Fatalf("%s %v: the scale is %v", c.problem, c.params, scale)
			}
			changed := func(what string, factor float64, change func(models.Parts)) {
				d, err := in.Draft("another name")
				if err != nil {
					t.Fatal(err)
				}
				change(d.Parts())
				other, err := d.Instance()
				if err != nil {
					t.Fatal(err)
				}
				if got := other.Scale(c.reference); math.Abs(got-factor*scale) > 1e-9*factor*scale {
					t.Errorf("%s %v: %s takes the scale from %v to %v, want %v times as much", c.problem, c.params, what, scale, got, factor)
				}
			}
			changed("another order", 1, func(parts models.Parts) {
				jobs := parts.Lists[0]
				for a := range jobs.Len() {
					jobs.Swap(a, rng.IntN(jobs.Len()))
				}
				jobs.Rename()
			})
			changed("another "+c.unit, math.Pow(3, c.power), func(parts models.Parts) {
				for _, n := range parts.Numbers {
					if n.Unit == c.unit {
						n.Set(3 * n.Get())
					}
				}
			})
		}
	}
	if got := (&bench.Instance{}).Scale("opt"); got != 1 {
		t.Errorf("without a scale regret is measured in %v, want 1", got)
	}
}
