package stats_test

import (
	"math"
	"math/rand/v2"
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

// Of 50 series each, steps and drifts are taken for what they are and placed where they are.
func TestFindChanges(t *testing.T) {
	for _, c := range []struct {
		name  string
		level func(i int) float64
		want  []stats.Change // of which Drift, From and, where it is not 0, To count
	}{
		{"a step", func(i int) float64 { return float64(i / 25 * 6) }, []stats.Change{{From: 25}}},
		{"a step down in the last three", func(i int) float64 { return -8 * float64(i/47) }, []stats.Change{{From: 47}}},
		{"up and down", func(i int) float64 { return []float64{0, 6, 0}[i/20] }, []stats.Change{{From: 20}, {From: 40}}},
		{"a drift", func(i int) float64 { return 0.4 * float64(i) }, []stats.Change{{Drift: true, From: 0, To: 50}}},
	} {
		right := 0
		for seed := range uint64(50) {
			xs := series(rand.New(rand.NewPCG(seed, 5)), 50, c.level)
			got := stats.FindChanges(xs, 0, 0.01)
			same := len(got) == len(c.want)
			for i := 0; same && i < len(got); i++ {
				same = got[i].Drift == c.want[i].Drift && got[i].From == c.want[i].From && (c.want[i].To == 0 || got[i].To == c.want[i].To)
			}
			if same {
				right++
			}
		}
		if right < 45 {
			t.Errorf("%s is found in %d of 50 series", c.name, right)
		}
	}
}

// A step's size and interval are those of Student's t; an outlier is no step, and what is too short says nothing.
func TestFindChangesSize(t *testing.T) {
	xs := []float64{1, 1, 2, 2, 1, 1, 2, 2, 11, 11, 12, 12, 11, 11, 12, 12}
	got := stats.FindChanges(xs, 0, 0.01)
	if len(got) != 1 || got[0].From != 8 || got[0].Before != 1.5 || got[0].After != 11.5 || got[0].Size != 10 {
		t.Fatalf("%+v", got)
	}
	// 14 degrees of freedom: t = 2.1448; the residuals are ±1/2 with variance 4/14.
	half := 2.1448 * math.Sqrt(4.0/14) * math.Sqrt(1.0/8+1.0/8)
	if math.Abs(got[0].Interval.Lo-(10-half)) > 1e-3 || math.Abs(got[0].Interval.Hi-(10+half)) > 1e-3 {
		t.Errorf("interval %v, want 10 ± %v", got[0].Interval, half)
	}
	xs = series(rand.New(rand.NewPCG(1, 5)), 40, func(i int) float64 {
		if i == 30 {
			return 50
		}
		return 0
	})
	if got := stats.FindChanges(xs, 0, 0.01); len(got) > 0 {
		t.Errorf("an outlier is %+v", got)
	}
	if got := stats.FindChanges([]float64{1, 2, 1, 2, 90, 91, 90}, 0, 0.01); got != nil {
		t.Errorf("seven values have %+v", got)
	}
	if got := stats.FindChanges(make([]float64, 20), 0, 0.01); got != nil {
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

// Kendall's score, variance and p by hand: of 1 2 3 4 5 7 6 8, 28 pairs, one falls; the variance is 8·7·21/18.
func TestMannKendall(t *testing.T) {
	xs := []float64{1, 2, 3, 4, 5, 7, 6, 8}
	score, p := stats.MannKendall(xs, 1)
	want := math.Erfc(25 / math.Sqrt(8*7*21/18.0) / math.Sqrt2)
	if score != 26 || math.Abs(p-want) > 1e-12 {
		t.Errorf("score %v, p %v, want 26, %v", score, p, want)
	}
	if _, more := stats.MannKendall(xs, 4); math.Abs(more-math.Erfc(25/2.0/math.Sqrt(8*7*21/18.0)/math.Sqrt2)) > 1e-12 {
		t.Errorf("with four times the variance p is %v", more)
	}
	// Ties: 1 1 2 2 has 4 rising pairs and the variance (4·3·13 − 2·(2·1·9))/18.
	score, p = stats.MannKendall([]float64{1, 1, 2, 2}, 1)
	if want := math.Erfc(3 / math.Sqrt((156-36)/18.0) / math.Sqrt2); score != 4 || math.Abs(p-want) > 1e-12 {
		t.Errorf("score %v, p %v, want 4, %v", score, p, want)
	}
	if score, p := stats.MannKendall([]float64{3, 3, 3}, 1); score != 0 || p != 1 {
		t.Errorf("a constant has score %v, p %v", score, p)
	}
}

// The ten slopes of 0 1 2 3 10 are 1 (six times), 7, 4, 3 and 2.5: one outlier moves them little. A 95 % interval holds the slope in
// 95 of 100 series.
func TestTheilSen(t *testing.T) {
	if slope, _ := stats.TheilSen([]float64{0, 1, 2, 3, 10}, 0.95, 1); slope != 1 {
		t.Errorf("slope %v", slope)
	}
	rng := rand.New(rand.NewPCG(2, 6))
	inside := 0
	for range 200 {
		_, i := stats.TheilSen(series(rng, 30, func(i int) float64 { return 0.1 * float64(i) }), 0.95, 1)
		if i.Lo <= 0.1 && 0.1 <= i.Hi {
			inside++
		}
	}
	if inside < 180 || inside == 200 {
		t.Errorf("the slope is in %d of 200 intervals of 95 %%", inside)
	}
}

// The example of Benjamini and Hochberg (1995, §3.1): of 15 p-values four are believed at 0.05.
func TestBenjaminiHochberg(t *testing.T) {
	ps := []float64{0.6528, 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.7590, 1}
	if limit := stats.BenjaminiHochberg(ps, len(ps), 0.05); limit != 0.0095 {
		t.Errorf("believed up to %v", limit)
	}
	if limit := stats.BenjaminiHochberg([]float64{0.01}, 20, 0.05); limit != 0.0025 {
		t.Errorf("one of twenty is believed up to %v", limit)
	}
}
