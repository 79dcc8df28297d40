package ratio_test

import (
	"math"
	"testing"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// TestTinyValues: what is optimal, proven or contradicted does not depend on the unit in which an instance measures, from 1e-30 on;
// only where values may be 0 its least amount counts as well.
func TestTinyValues(t *testing.T) {
	for _, scale := range []float64{1e-30, 1e-12, 1e-9, 1, 1e12} {
		instances := fake.Instances{}
		instances.Add("tardy", models.QuotientZero, nil)
		find := func(sha string) (*bench.Instance, error) {
			in, err := instances.Find(sha)
			if in != nil && in.Accuracy.Least > 0 {
				in.Accuracy.Least = scale
			}
			return in, err
		}
		for _, name := range []string{"a", "tardy"} {
			set, err := ratio.New(ratio.Input{
				Records: ratio.Pack([]bench.Record{
					fake.Optimal(flex, name, "opt", scale), fake.Solved(flex, name, "fair", 2.44*scale),
					fake.Solved(flex, name, "flex", scale*(1+1e-10)), fake.Solved(flex, name, "spt", scale*(1+5e-7)),
				}),
				Problems: []*bench.Problem{fake.Problem()}, Instance: find,
			})
			fail.On(t, err)
			in := set.Problems[0].Instances[0]
			for _, u := range in.Units {
				if is, sense := u.Optimal("opt"); !sense || is != (u.Algorithm != "fair") {
					t.Errorf("%s, scale %v: %s is optimal: %v, %v", name, scale, u.Algorithm, is, sense)
				}
			}
			if in.Zero(scale) || in.Zero(1e-6*scale) || in.Zero(1e-10*scale) != (name == "tardy") {
				t.Errorf("%s, scale %v: what counts as zero", name, scale)
			}
		}
	}
}

// TestEqual: values are the same by the definition of an optimum, so whole numbers that are 1 apart are two, however large. Where values
// may come near 0, those below a billionth of the amount that measures them count as 0; others are compared by their own size.
func TestEqual(t *testing.T) {
	whole := ratio.Instance{Accuracy: models.Accuracy{Whole: true}}
	if whole.Equal(4e9, 4e9+1) || !whole.Equal(4e9, 4e9) {
		t.Error("whole numbers")
	}
	share := ratio.Instance{Accuracy: models.Accuracy{Amount: 1}}
	if !share.Equal(1e-10, 3e-10) || !share.Zero(1e-10) || share.Equal(1e-6, 1.0001e-6) || share.Equal(0, 1e-6) {
		t.Error("values near 0")
	}
	if inf := math.Inf(1); !ratio.Equal(1, 1+1e-10) || ratio.Equal(1, 2) || !ratio.Equal(inf, inf) || ratio.Equal(1, inf) {
		t.Error("ratios")
	}
}
