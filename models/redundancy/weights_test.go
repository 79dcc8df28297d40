package redundancy_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/redundancy"
	"schedgap/models/trials/property"
)

// At the weights k jobs earn k, and no other split of the machines earns more.
func TestWeights(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var speedup []float64
		gain, h := 1.0, 0.0
		for range rapid.IntRange(1, 5).Draw(t, "machines") {
			h += gain
			speedup = append(speedup, h)
			gain *= rapid.Float64Range(0, 1).Draw(t, "gain")
		}
		const n = 6
		w := redundancy.NewWeights(t.Context(), speedup, n)
		for k := 1; k <= n; k++ {
			earned := 0.0
			for i, c := range w.Split(k, 0) {
				earned += w.Y[k-1-i] * speedup[c-1]
			}
			if math.Abs(earned-float64(k)) > 1e-9 {
				t.Fatalf("%d jobs of weights %v earn %v", k, w.Y, earned)
			}
		}
	})
}
