package summary

import (
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/reports/stats"
)

// TestEnough: of normal differences with a mean of .3 standard deviations, a single signed-rank test needs (1.96 +
// .84)²/(.3²·3/π) ≈ 91.
func TestEnough(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	diffs := make([]float64, 4000)
	for i := range diffs {
		diffs[i] = rng.NormFloat64() + 0.3
	}
	test := stats.ComparePaired(diffs)
	q := &Pair{Instances: 2 * len(diffs), Win: test.Win, Loss: test.Loss, test: test} // every second instance is a tie
	if n := enough(q, 1); math.Abs(float64(n)-2*91) > 0.15*2*91 {
		t.Errorf("%d instances, want about %d", n, 2*91)
	}
	if one, many := enough(q, 1), enough(q, 28); many < one*5/4 {
		t.Errorf("%d for one pair, %d for 28", one, many)
	}
}
