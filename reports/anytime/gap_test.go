package anytime_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/reports/anytime"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{0, 0, 0}, {10, 8, 0.2}, {8, 10, 0.2}, {-10, -8, 0.2}, {3, -1, 1}, {0, 5, 1}, {5, 0, 1}, {7, 7, 0},
	} {
		if got := anytime.Distance(c.x, c.y); got != c.want {
			t.Errorf("between %v and %v: %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12 }

// An optimum of 8: nothing for a second, 16 (gap 1/2) until second 3, 10 (gap 1/5) until second 6, then 8. To second 10 the
// primal integral is 1·1 + 2/2 + 3/5 = 2.6.
func TestIntegrals(t *testing.T) {
	primal := anytime.NewGap([]anytime.Point{{1, 16}, {3, 10}, {6, 8}}, 8)
	for _, c := range []struct {
		name          string
		gap           anytime.Gap
		horizon, want float64
	}{
		{"primal", primal, 10, 2.6},
		{"primal", primal, 6, 2.6},
		{"primal", primal, 4, 2.2},
		{"primal, before anything is known", primal, 0.5, 0.5},
		{"nothing", anytime.Gap{}, 7, 7},
	} {
		if got := c.gap.Integral(c.horizon); !near(got, c.want) {
			t.Errorf("%s to second %v: %v, want %v", c.name, c.horizon, got, c.want)
		}
	}
	if a, b, c := primal.At(0.9), primal.At(1), primal.At(5); a != 1 || b != 0.5 || !near(c, 0.2) {
		t.Errorf("gaps %v, %v, %v", a, b, c)
	}
}

// The mean of gaps has the mean of the integrals, and at every time the mean of the gaps.
func TestMean(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		gaps := make([]anytime.Gap, 1+rng.IntN(5))
		for i := range gaps {
			at, y := 0.0, 1.0
			for range rng.IntN(5) {
				at, y = at+float64(1+rng.IntN(3)), y*rng.Float64()
				gaps[i].X, gaps[i].Y = append(gaps[i].X, at), append(gaps[i].Y, y)
			}
		}
		mean := anytime.Mean(gaps)
		for _, at := range []float64{0, 0.5, 1, 2, 3.5, 4, 9, 20} {
			value, integral := 0.0, 0.0
			for _, g := range gaps {
				value += g.At(at) / float64(len(gaps))
				integral += g.Integral(at) / float64(len(gaps))
			}
			if !near(mean.At(at), value) || math.Abs(mean.Integral(at)-integral) > 1e-9 {
				t.Fatalf("at %v: %v and %v, want %v and %v", at, mean.At(at), mean.Integral(at), value, integral)
			}
		}
	}
	if got := anytime.Mean(nil).At(3); got != 1 {
		t.Errorf("of nothing: %v", got)
	}
}
