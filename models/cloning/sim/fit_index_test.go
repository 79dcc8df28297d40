package sim_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/cloning/sim"
	"schedgap/models/trials/property"
)

// A fitIndex finds what a walk along all its demands finds, also of equals and where a weight is a little less than 0, while demands
// leave it one by one.
func TestFitIndex(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 3).Draw(t, "resources")
		vector := func(low, high float64, label string) []float64 {
			v := make([]float64, width)
			for r := range v {
				v[r] = rapid.Float64Range(low, high).Draw(t, label)
				if rapid.Bool().Draw(t, "whole") {
					v[r] = math.Round(v[r])
				}
			}
			return v
		}
		demands := make([][]float64, rapid.IntRange(1, 150).Draw(t, "demands"))
		for i := range demands {
			demands[i] = vector(0, 4, "demand")
		}
		var weight, key []float64
		epsilon := 0.0
		if rapid.Bool().Draw(t, "blend") {
			epsilon = rapid.SampledFrom([]float64{0, 0.5, 2}).Draw(t, "ε")
			for range demands {
				weight = append(weight, rapid.SampledFrom([]float64{0.25, 0.5, 1}).Draw(t, "weight"))
				key = append(key, float64(rapid.IntRange(0, 9).Draw(t, "key")))
			}
		}
		s := sim.NewFitIndex(demands, width, epsilon, weight, key)
		for range len(demands) {
			room, weights := vector(0, 5, "room"), vector(-0.1, 3, "weight")
			want, best := -1, math.Inf(-1)
			for i, d := range demands {
				fits, sum := d != nil, 0.0
				for r := range d {
					fits, sum = fits && d[r] <= room[r], sum+d[r]*weights[r]
				}
				if key != nil {
					sum *= weight[i]
					if longest := slices.Max(key); longest > 0 {
						sum += epsilon * (1 - key[i]/longest)
					}
				}
				if fits && sum > best {
					want, best = i, sum
				}
			}
			got := s.Best(room, weights)
			if got != want {
				t.Fatalf("of %v within %v by %v: %d, want %d", demands, room, weights, got, want)
			}
			if got >= 0 {
				s.Drop(got)
				demands[got] = nil
			}
		}
	})
}
