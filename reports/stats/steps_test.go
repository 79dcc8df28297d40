package stats_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"schedgap/reports/stats"
)

// series are n values of normal noise around a level.
func series(rng *rand.Rand, n int, level func(i int) float64) []float64 {
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = level(i) + rng.NormFloat64()
	}
	return xs
}

// Of 50 series each, steps are placed where they are, and a drift is none.
func TestFindSteps(t *testing.T) {
	for _, c := range []struct {
		name  string
		level func(i int) float64
		want  []int
	}{
		{"a step", func(i int) float64 { return float64(i / 25 * 6) }, []int{25}},
		{"a step down in the last three", func(i int) float64 { return -8 * float64(i/47) }, []int{47}},
		{"up and down", func(i int) float64 { return []float64{0, 6, 0}[i/20] }, []int{20, 40}},
		{"a drift", func(i int) float64 { return 0.4 * float64(i) }, nil},
	} {
		right := 0
		for seed := range uint64(50) {
			var places []int
			for _, step := range stats.FindSteps(series(rand.New(rand.NewPCG(seed, 5)), 50, c.level), 0, 0.01) {
				places = append(places, step.At)
			}
			if slices.Equal(places, c.want) {
				right++
			}
		}
		if right < 45 {
			t.Errorf("%s is found in %d of 50 series", c.name, right)
		}
	}
}

// A step's size and interval are those of Student's t; an outlier is no step, and what is too short says nothing.
func TestFindStepsSize(t *testing.T) {
	xs := []float64{1, 1, 2, 2, 1, 1, 2, 2, 11, 11, 12, 12, 11, 11, 12, 12}
	got := stats.FindSteps(xs, 0, 0.01)
	if len(got) != 1 || got[0].At != 8 || got[0].Before != 1.5 || got[0].After != 11.5 {
		t.Fatalf("%+v", got)
	}
	// Six of the 14 differences inside the parts are ±1, so that the variance is 6/28; 2·14²/(3·14−1) = 9.561 degrees of freedom
	// have t = 2.2421.
	half := 2.2421 * math.Sqrt(6.0/28) * math.Sqrt(1.0/8+1.0/8)
	if math.Abs(got[0].Interval.Lo-(10-half)) > 1e-3 || math.Abs(got[0].Interval.Hi-(10+half)) > 1e-3 {
		t.Errorf("interval %v, want 10 ± %v", got[0].Interval, half)
	}
	xs = series(rand.New(rand.NewPCG(1, 5)), 40, func(i int) float64 {
		if i == 30 {
			return 50
		}
		return 0
	})
	if got := stats.FindSteps(xs, 0, 0.001); len(got) > 0 {
		t.Errorf("an outlier is %+v", got)
	}
	if got := stats.FindSteps([]float64{1, 2, 1, 2, 90, 91, 90}, 0, 0.01); got != nil {
		t.Errorf("seven values have %+v", got)
	}
	if got := stats.FindSteps(make([]float64, 20), 0, 0.01); got != nil {
		t.Errorf("a constant has %+v", got)
	}
}

// Steps and drifts are not taken for correlation.
func TestCorrelation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 6))
	for _, phi := range []float64{0, 0.3, 0.6} {
		var list [][]float64
		for range 20 {
			xs := make([]float64, 60)
			for i, e := 0, 0.0; i < len(xs); i++ {
				e = phi*e + math.Sqrt(1-phi*phi)*rng.NormFloat64()
				xs[i] = e + float64(i/30*5) + 0.05*float64(i)
			}
			list = append(list, xs)
		}
		if got := stats.Correlation(list...); math.Abs(got-phi) > 0.2 {
			t.Errorf("correlation %v is estimated as %v", phi, got)
		}
	}
	if got := stats.Correlation([]float64{1, 2, 3}, nil); got != 0 {
		t.Errorf("nothing has the correlation %v", got)
	}
}

func TestHampel(t *testing.T) {
	got := stats.Hampel([]float64{1, 2, 30, 2, 1, 2, 9, 9, 9}, 1)
	want := []float64{1, 2, 2, 2, 1, 2, 9, 9, 9}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}
