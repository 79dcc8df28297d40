package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBootstrapOf: of a mean the interval is that of Bootstrap.Mean but for luck; of the least of two means its coverage is about
// what it should be; of one row there is none.
func TestBootstrapOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	mean := func(xs []float64, rows []uint32) float64 {
		sum := 0.0
		for _, i := range rows {
			sum += xs[i]
		}
		return sum / float64(len(rows))
	}
	b := Bootstrap{Draws: 2000, Level: 0.95}
	covered := 0
	for range 200 {
		xs, ys := make([]float64, 40), make([]float64, 40)
		for i := range xs {
			xs[i], ys[i] = rng.NormFloat64(), 3+rng.NormFloat64()
		}
		least := func(rows []uint32) float64 { return min(mean(xs, rows), mean(ys, rows)) }
		if iv := b.Of(NewResampler(1, 2, 3), len(xs), least); iv.Lo <= 0 && 0 <= iv.Hi {
			covered++
		}
		a := b.Of(NewResampler(1, 2, 3), len(xs), func(rows []uint32) float64 { return mean(xs, rows) })
		if m := b.Mean(xs)[0]; math.Abs(a.Lo-m.Lo) > 0.1 || math.Abs(a.Hi-m.Hi) > 0.1 {
			t.Fatalf("%v, and by Mean %v", a, m)
		}
	}
	if covered < 180 || covered > 199 {
		t.Errorf("%d of 200 intervals of 95 %% hold the value", covered)
	}
	if iv := b.Of(NewResampler(1, 2, 3), 2, func(rows []uint32) float64 { return float64(rows[0] + rows[1]) }); iv.Lo != 0 || iv.Hi != 2 {
		t.Errorf("two rows have the interval %v", iv)
	}
	if iv := b.Of(NewResampler(1, 2, 3), 1, func([]uint32) float64 { return 1 }); !math.IsNaN(iv.Lo) {
		t.Errorf("one row has the interval %v", iv)
	}
}
