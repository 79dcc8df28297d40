package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"

	"schedgap/models/trials/property"
)

var nan, inf = math.NaN(), math.Inf(1)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if math.IsNaN(want) != math.IsNaN(got) || math.Abs(got-want) > tol {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// Means by hand, and missing where the data support none.
func TestMeans(t *testing.T) {
	near(t, "GeoMean", GeoMean([]float64{1, 2, 4}), 2, 1e-12)               // ∛8
	near(t, "GeoMean with a zero", GeoMean([]float64{0, 2}), nan, 0)        // undefined, not 0
	near(t, "GeoMean of nothing", GeoMean(nil), nan, 0)                     // not 1
	near(t, "Mean of nothing", Mean(nil), nan, 0)                           // not 0
	near(t, "ShiftedGeoMean", ShiftedGeoMean([]float64{0, 3}, 1), 1, 1e-12) // √(1·4) − 1
}

// Quantiles equal R's quantile(c(1, 2, 3, 4, 10), c(0, .25, .5, .9, 1)): h = p·4, and .9 is 4 + 0.6·(10−4).
func TestQuantile(t *testing.T) {
	xs := []float64{1, 2, 3, 4, 10}
	for p, want := range map[float64]float64{0: 1, 0.25: 2, 0.5: 3, 0.9: 7.6, 1: 10} {
		near(t, "Quantile", Quantile(xs, p), want, 1e-12)
	}
	near(t, "Quantile of nothing", Quantile(nil, 0.5), nan, 0)
}

// TestValue: what is not there is NaN.
func TestValue(t *testing.T) {
	near(t, "Value", Value(new(int64(3))), 3, 0)
	near(t, "Value of nothing", Value[float64](nil), nan, 0)
}

// The geometric mean and the distribution function agree with gonum/stat on random samples.
func TestAgainstGonum(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(0.01, 100), 1, 40).Draw(t, "xs")
		if got, want := GeoMean(xs), stat.GeometricMean(xs, nil); math.Abs(got-want) > 1e-9*want {
			t.Fatalf("GeoMean = %v, gonum has %v", got, want)
		}
		q := rapid.Float64Range(0, 110).Draw(t, "q")
		sorted := slices.Sorted(slices.Values(xs))
		if got, want := Distribution(xs, len(Finite(xs))).At(q), stat.CDF(q, stat.Empirical, sorted, nil); math.Abs(got-want) > 1e-12 {
			t.Fatalf("ECDF(%v) = %v, gonum has %v", q, got, want)
		}
	})
}

// For 1…100 the bootstrap interval of the mean must be near the normal one: σ = √((100²−1)/12) = 28.866, so
// 50.5 ± 1.96·2.8866 = 50.5 ± 5.658. The same seed gives the same interval.
func TestBootstrapMean(t *testing.T) {
	xs := make([]float64, 100)
	for i := range xs {
		xs[i] = float64(i + 1)
	}
	b := Bootstrap{Draws: 4000, Level: 0.95}
	iv := b.Mean(xs)[0]
	near(t, "lower end", iv.Lo, 50.5-5.658, 0.4)
	near(t, "upper end", iv.Hi, 50.5+5.658, 0.4)
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(xs), func(i, j int) { xs[i], xs[j] = xs[j], xs[i] })
	if again := b.Mean(xs)[0]; again != iv {
		t.Errorf("the same values in another order gave %v and %v", iv, again)
	}
}

// Small samples and values without a logarithm get no interval; a constant sample gets a point.
func TestBootstrapRefuses(t *testing.T) {
	b := Bootstrap{Draws: 100, Level: 0.95}
	near(t, "five values", b.Mean([]float64{1, 2, 3, 4, 5})[0].Lo, nan, 0)
	got := b.Mean(Logs([]float64{0, 1, 2, 3, 4, 5}), []float64{1, 1, 1, 1, 1, 1})
	near(t, "a zero", got[0].Hi, nan, 0)
	if got[1] != (Interval{1, 1}) {
		t.Errorf("six ones: %v", got[1])
	}
}

// Series are resampled together, so a scaled one has the scaled interval exactly.
func TestBootstrapTogether(t *testing.T) {
	got := Bootstrap{Draws: 100, Level: 0.95}.Mean([]float64{1, 2, 3, 4, 5, 9},
		[]float64{2, 4, 6, 8, 10, 18})
	near(t, "lower end", got[1].Lo, 2*got[0].Lo, 0)
	near(t, "upper end", got[1].Hi, 2*got[0].Hi, 0)
}

// A distribution over more items than values ends below 1, and NaN or infinite values count as never reached.
func TestDistribution(t *testing.T) {
	c := Distribution([]float64{2, nan, 1, 2, inf}, 5)
	for x, want := range map[float64]float64{0.5: 0, 1: 0.2, 1.5: 0.2, 2: 0.6, 1e9: 0.6} {
		near(t, "Distribution", c.At(x), want, 1e-12)
	}
	if e := Distribution([]float64{nan, nan}, 0); len(e.X) != 0 || e.At(3) != 0 {
		t.Errorf("ECDF of NaN = %v", e)
	}
}

// Thinning keeps both ends and never leaves the curve.
func TestThin(t *testing.T) {
	xs := make([]float64, 1000)
	for i := range xs {
		xs[i] = float64(i)
	}
	c := Distribution(xs, len(Finite(xs)))
	thin := c.Thin(10)
	if len(thin.X) != 10 || thin.X[0] != 0 || thin.X[9] != 999 || thin.Y[9] != 1 {
		t.Fatalf("Thin = %v", thin)
	}
	for i, x := range thin.X {
		near(t, "thinned", thin.Y[i], c.At(x), 0)
	}
}

// Unsolved units cost a multiple of their limit; without a limit nothing can be said.
func TestPAR(t *testing.T) {
	got := PAR([]Time{{Seconds: 1, Solved: true, Limit: 60}, {Seconds: 61, Limit: 60}, {Seconds: 5, Limit: nan}}, 10)
	if got[0] != 1 || got[1] != 600 || !math.IsNaN(got[2]) {
		t.Errorf("PAR10 = %v", got)
	}
}

// The depression data of Hollander and Wolfe (1973), p. 29, as in R's wilcox.test example: V = 40, two-sided p = 0.03906.
func TestWilcoxonPublished(t *testing.T) {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	p := ComparePaired(d)
	near(t, "W", p.WilcoxonStatistic, 40, 0)
	near(t, "p", p.WilcoxonP, 0.0390625, 1e-12) // 20 of 512 sign assignments
	if p.Win != 2 || p.Loss != 7 || p.Tie != 0 {
		t.Errorf("win/tie/loss = %d/%d/%d", p.Win, p.Tie, p.Loss)
	}
	near(t, "sign", p.SignP, 2*46.0/512, 1e-12) // 2·(1 + 9 + 36)/2⁹
}

// Ties in magnitude share midranks: |d| = 1, 1, 2, 2, 2, 3 has ranks 1.5, 1.5, 4, 4, 4, 6. With all positive W₊ = 21 and
// only one of 64 assignments is as high, so p = 2/64. With one 1 negative W₊ = 19.5, and 1 + 2 of 64 are as high.
func TestWilcoxonTies(t *testing.T) {
	w, p := WilcoxonSignedRank([]float64{1, 1, 2, 2, 2, 3})
	near(t, "W", w, 21, 0)
	near(t, "p", p, 2.0/64, 1e-12)
	w, p = WilcoxonSignedRank([]float64{-1, 1, 2, 2, 2, 3})
	near(t, "W", w, 19.5, 0)
	near(t, "p", p, 6.0/64, 1e-12)
}

// The approximation used beyond 50 pairs agrees with the exact distribution.
func TestWilcoxonApproximation(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	d, ranks := make([]float64, 60), make([]int, 60)
	for i := range d {
		d[i] = rng.NormFloat64() + 0.25
		ranks[i] = 2 * (i + 1)
	}
	w, p := WilcoxonSignedRank(d)
	near(t, "p", p, exactSignedRank(ranks, int(2*w)), 0.002)
}

// With 200 wins of 200 no p-value is 0: z = (10050 − 0.5)/√671675 = 12.262, whose tails are 1.4470e-34 (by the continued
// fraction of Mills' ratio), and 2/2²⁰⁰.
func TestTinyPValues(t *testing.T) {
	d := make([]float64, 200)
	for i := range d {
		d[i] = float64(i + 1)
	}
	p := ComparePaired(d)
	near(t, "signed rank test", p.WilcoxonP/1.4470017348102835e-34, 1, 1e-9)
	near(t, "sign test", p.SignP*math.Exp2(199), 1, 1e-9)
}

// Swapping the two algorithms swaps wins and losses and leaves the p-values; identical samples have no p-value.
func TestComparePaired(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		d := rapid.SliceOfN(rapid.Float64Range(-5, 5), 6, 70).Draw(t, "d")
		neg := make([]float64, len(d))
		for i := range d {
			neg[i] = -d[i]
		}
		a, b := ComparePaired(d), ComparePaired(neg)
		if a.Win != b.Loss || a.Tie != b.Tie || !same(a.SignP, b.SignP) || !same(a.WilcoxonP, b.WilcoxonP) {
			t.Fatalf("%+v, swapped %+v", a, b)
		}
	})
	p := ComparePaired(make([]float64, 20))
	if p.Tie != 20 || !math.IsNaN(p.SignP) || !math.IsNaN(p.WilcoxonP) {
		t.Errorf("identical samples: %+v", p)
	}
	if p := ComparePaired([]float64{1, 1, 1, 1, 1}); !math.IsNaN(p.SignP) {
		t.Errorf("five pairs have p = %v", p.SignP)
	}
	p = ComparePaired([]float64{1, 1, 1, 1, 1, 1})
	near(t, "sign test of six pairs", p.SignP, 2./64, 1e-12)
	near(t, "signed rank test of six pairs", p.WilcoxonP, 2./64, 1e-12)
}

// TestDisagreement: what two tests say apart is put into words, by who wins more often and by more; a p-value of 0.05 is none below it.
func TestDisagreement(t *testing.T) {
	for _, c := range []struct {
		win, loss      int
		w              float64
		sign, wilcoxon float64
		want           string
	}{
		{8, 2, 40, .01, .01, "a wins more often, b by more"},
		{2, 8, 10, .01, .01, "b wins more often, a by more"},
		{8, 2, 10, .01, .01, ""},
		{8, 2, 20, .01, .01, ""}, // of ranks 1 to 10 half is 27.5
		{8, 2, 25, .01, .01, ""},
		{5, 5, 27.5, .01, .01, ""},
		{8, 2, 40, .01, .05, "a wins more often than b, but not by more (sign test yes, Wilcoxon no)"},
		{2, 8, 40, .01, .2, "b wins more often than a, but not by more (sign test yes, Wilcoxon no)"},
		{8, 2, 40, .05, .01, "b does not win more often than a, but wins by more (Wilcoxon yes, sign test no)"},
		{2, 8, 10, .2, .01, "a does not win more often than b, but wins by more (Wilcoxon yes, sign test no)"},
		{8, 2, 10, .05, .05, ""},
		{8, 2, 40, .05, .05, ""},
	} {
		p := Paired{Win: c.win, Loss: c.loss, WilcoxonStatistic: c.w}
		if got := p.Disagreement(c.sign, c.wilcoxon, "a", "b"); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func same(a, b float64) bool { return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1e-9 }

// Holm's adjustment equals R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm"); missing values do not count.
func TestHolm(t *testing.T) {
	got := Holm([]float64{0.01, nan, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, nan, 0.06, 0.06, 0.02} {
		near(t, "Holm", got[i], want, 1e-12)
	}
}

// TestPartialWarning: a mean over nothing says so.
func TestPartialWarning(t *testing.T) {
	for have, want := range map[int]string{0: "none of 20 can be compared", 7: "over 7 of 20"} {
		if got := (Warning{Partial, have, 20}).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestBorders: six values are enough for an interval and a test, none is no sample, and a p-value is at most 1.
func TestBorders(t *testing.T) {
	for have, want := range map[int]int{0: 0, 1: 1, MinSample - 1: 1, MinSample: 0} {
		if ws := SampleWarnings(have, have); len(ws) != want {
			t.Errorf("%d values: %v", have, ws)
		}
		if ws := (Paired{Win: have}).Warnings(); len(ws) != want {
			t.Errorf("%d pairs: %v", have, ws)
		}
	}
	los, his := []float64{1, 2, 3, 4, 5, 6}, []float64{11, 12, 13, 14, 15, 16}
	b := Bootstrap{Draws: 200, Level: 0.95}
	if iv := b.Identified(los, his); !(1 < iv.Lo && iv.Lo < 3.5 && 13.5 < iv.Hi && iv.Hi < 16) {
		t.Errorf("six values between two ends have the interval %v", iv)
	}
	near(t, "Bonferroni", Bonferroni(0.01, 3), 0.03, 1e-12)
	near(t, "Bonferroni", Bonferroni(0.5, 3), 1, 0)
	d, doubled, positive := make([]float64, exactLimit), make([]int, exactLimit), 0
	for i := range d {
		d[i], doubled[i] = float64(i+1), 2*(i+1)
		if i%3 == 0 {
			positive += doubled[i]
		} else {
			d[i] = -d[i]
		}
	}
	_, p := WilcoxonSignedRank(d)
	near(t, "signed rank test of as many pairs as are counted", p, exactSignedRank(doubled, positive), 0)
}

// TestResampler: numbers below 3·2³⁰ are multiples of 3 in a third of all cases, not in half of them, as without drawing again. The
// sequence stays what it is, so that the same results have the same intervals.
func TestResampler(t *testing.T) {
	r := NewResampler(1, 2, 3)
	multiples := 0
	for range 6000 {
		if r.Uint32N(3<<30)%3 == 0 {
			multiples++
		}
	}
	if multiples < 1800 || multiples > 2200 {
		t.Errorf("%d of 6000 are multiples of 3", multiples)
	}
	r = NewResampler(1, 2, 3)
	for i, want := range []uint32{1936341825, 3001364500, 1029104839, 3987121759} {
		if got := r.next(); got != want {
			t.Errorf("number %d is %d, want %d", i, got, want)
		}
	}
}
