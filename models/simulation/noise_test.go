package simulation_test

import (
	"math"
	"testing"

	"schedgap/models/simulation"
)

// Factors have mean 1 and the deviation of their logarithms that is asked for, and hang on seed and places.
func TestNoiseFactor(t *testing.T) {
	sum, logs, squares, n := 0.0, 0.0, 0.0, 100_000
	for i := range n {
		f := simulation.NoiseFactor(uint64(i%7), 0.5, i/7, i%3)
		sum, logs, squares = sum+f, logs+math.Log(f), squares+math.Log(f)*math.Log(f)
	}
	mean := logs / float64(n)
	if sd := math.Sqrt(squares/float64(n) - mean*mean); math.Abs(sum/float64(n)-1) > 0.01 || math.Abs(sd-0.5) > 0.01 {
		t.Errorf("mean %v, deviation of the logarithm %v", sum/float64(n), sd)
	}
	if simulation.NoiseFactor(1, 0, 1, 2) != 1 || simulation.NoiseFactor(1, 1, 1, 2) == simulation.NoiseFactor(1, 1, 2, 1) ||
		simulation.NoiseFactor(1, 1, 1, 2) != simulation.NoiseFactor(1, 1, 1, 2) {
		t.Error("places are mixed up")
	}
}
