package flex

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Truncation keeps every draw in (0, limit]; the standard deviation of a third leaves the mean where it is.
func TestTruncatedNormal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	sum := 0.0
	for range 20000 {
		for _, limit := range []float64{0.2, 1, 1.5} {
			if x := truncatedNormal(1./3, limit, rng); x <= 0 || x > limit {
				t.Fatalf("drew %v, want it in (0, %v]", x, limit)
			}
		}
		if x := truncatedNormal(3, math.Inf(1), rng); x <= 0 {
			t.Fatalf("drew %v, want it above 0", x)
		}
		sum += truncatedNormal(1./3, math.Inf(1), rng)
	}
	// Cut at three standard deviations the mean is 1 + φ(3)/Φ(3)/3 = 1.0015; the standard error here is 0.0024.
	if mean := sum / 20000; math.Abs(mean-1.0015) > 0.012 {
		t.Errorf("mean %v, want 1.0015", mean)
	}
	if x := truncatedNormal(0, 0.5, rng); x != 1 {
		t.Errorf("without spread drew %v, want the mean", x)
	}
}

// A job's maximum is its number of tasks: 7 tasks of 0.3 make 2.1, though 2.1/0.3 is a bit more than 7 in floating point.
func TestDemand(t *testing.T) {
	for _, c := range []struct {
		work, task float64
		want       int
	}{{2.1, 0.3, 7}, {2.11, 0.3, 8}, {0.01, 1, 1}, {1e9, 1e-6, 100}} {
		if got := demand(c.work, c.task, 100); got != c.want {
			t.Errorf("demand(%v, %v) = %d, want %d", c.work, c.task, got, c.want)
		}
	}
}
