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

// Darwin's fifteen pairs of maize (The Effects of Cross and Self Fertilisation, 1876; Fisher, The Design of Experiments, §17),
// the example of SciPy's wilcoxon: the smaller rank sum is 24, so W₊ = 120 − 24, and p = 0.041259765625 = 1352/2¹⁵.
func TestWilcoxonDarwin(t *testing.T) {
	w, p := WilcoxonSignedRank([]float64{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75})
	near(t, "W", w, 96, 0)
	near(t, "p", p, 0.041259765625, 1e-12)
	near(t, "sign test, 13 of 15", SignTest(13, 2), 2*(1+15+105)/math.Pow(2, 15), 1e-12)
}

// Sixty pairs with ties, beyond the exact distribution, as R's wilcox.test has it with its defaults (correct = TRUE): differences of
// size 1, 2, and 3, twenty each, of which 14, 13, and 13 are positive. V = 1200, mean 915, and the variance 18452.5 less
// 3·(20³−20)/48 is 17953.75, so z = 284.5/√17953.75. Where all 60 are of one size, 40 of them positive, ties take a quarter away.
func TestWilcoxonTiedPairs(t *testing.T) {
	signed := func(size float64, positive, all int) (out []float64) {
		for i := range all {
			if i == positive {
				size = -size
			}
			out = append(out, size)
		}
		return out
	}
	w, p := WilcoxonSignedRank(slices.Concat(signed(1, 14, 20), signed(2, 13, 20), signed(3, 13, 20)))
	near(t, "V", w, 1200, 0)
	near(t, "p", p, 0.03373145403865129, 1e-12)
	w, p = WilcoxonSignedRank(signed(7, 40, 60))
	near(t, "V of one size", w, 40*30.5, 0)
	near(t, "p of one size", p, 0.009944415291191427, 1e-12)
}

// The interval of Imbens and Manski (2004), eqs. 6 and 7, in a sample so large that it is the normal one: lower ends 5 ± 1, upper
// ends 5.02 ± 3, 2,500 of them. Its width is measured in the larger standard error, 3/50: Φ(c + 1/3) − Φ(−c) = .95 for c = 1.820,
// where the smaller would give 1.68 and miss the mean too often.
func TestIdentifiedUnequal(t *testing.T) {
	los, his := make([]float64, 2500), make([]float64, 2500)
	for i := range los {
		sign := float64(1 - 2*(i%2))
		los[i], his[i] = 5+sign, 5.02+3*sign
	}
	iv := Bootstrap{Draws: 1000, Level: 0.95}.Identified(los, his)
	near(t, "lower end", iv.Lo, 5-0.03641219978775747, 1e-9)
	near(t, "upper end", iv.Hi, 5+0.1292365993632724, 1e-9)
}

// Clopper and Pearson's intervals as R's binom.test has them, and those of 0 and n of n, which are 1 − (α/2)^(1/n).
func TestShare(t *testing.T) {
	for _, c := range []struct {
		k, n   int
		lo, hi float64
	}{
		{8, 10, 0.4439045376923585, 0.9747892736731666},
		{10, 10, math.Pow(0.025, 0.1), 1},
		{0, 10, 0, 1 - math.Pow(0.025, 0.1)},
		{0, 0, 0, 1},
	} {
		lo, hi := Share(c.k, c.n)
		near(t, "lower end", lo, c.lo, 1e-9)
		near(t, "upper end", hi, c.hi, 1e-9)
	}
}

// The ends are order statistics (David and Nagaraja 2003, section 7.1): for ten values the second and ninth, which hold the median with
// probability 1 − 22/1024; for eight the first and last, 1 − 2/256; for twenty the sixth and fifteenth, 0.9586. Five have no such pair.
func TestMedianInterval(t *testing.T) {
	for n, r := range map[int]int{6: 1, 8: 1, 9: 2, 10: 2, 20: 6} {
		xs := make([]float64, n)
		for i := range xs {
			xs[i] = float64(n - i)
		}
		xs[0] = math.Inf(1)
		lo, hi := MedianInterval(xs)
		want := float64(n + 1 - r)
		if r == 1 {
			want = math.Inf(1)
		}
		if lo != float64(r) || hi != want {
			t.Errorf("%d values: %v to %v, want %d to %v", n, lo, hi, r, want)
		}
	}
	lo, hi := MedianInterval([]float64{1, 2, 3, 4, 5})
	if !math.IsNaN(lo) || !math.IsNaN(hi) {
		t.Errorf("five values: %v to %v", lo, hi)
	}
}

// performanceRatios returns r[s][p] = costs[s][p] / min over solvers of costs[·][p], the ratios whose distributions over
// all problems are the performance profiles of Dolan and Moré (Mathematical Programming 91, 2002). A failure is NaN in
// costs and +Inf in the result; it spoils neither the solver's other problems nor the problem's other solvers. Where the
// best cost is 0, a cost of 0 has ratio 1 and any other +Inf. Costs are not negative.
func performanceRatios(costs [][]float64) [][]float64 {
	ratios := make([][]float64, len(costs))
	for s := range costs {
		ratios[s] = make([]float64, len(costs[s]))
	}
	if len(costs) == 0 {
		return ratios
	}
	for p := range costs[0] {
		best := math.Inf(1)
		for s := range costs {
			if c := costs[s][p]; c < best {
				best = c
			}
		}
		for s := range costs {
			c := costs[s][p]
			switch {
			case math.IsNaN(c):
				ratios[s][p] = math.Inf(1)
			case c == best:
				ratios[s][p] = 1
			default:
				ratios[s][p] = c / best
			}
		}
	}
	return ratios
}

// Three solvers on four problems, worked by hand as in Dolan and Moré's definition (2002, §2): r = t/min t, and ρ_s(τ) is the
// share of all problems with r ≤ τ. A wins two problems, B two, C none, and C fails on the last.
func TestDolanMore(t *testing.T) {
	r := performanceRatios([][]float64{
		{1, 2, 30, 4}, // 1, 1, 3, 2
		{2, 8, 10, 2}, // 2, 4, 1, 1
		{4, 4, 20, nan},
	})
	for _, c := range []struct {
		solver int
		tau    float64
		share  float64
	}{
		{0, 1, 0.5},
		{0, 2, 0.75},
		{0, 3, 1},
		{1, 1, 0.5},
		{1, 3.9, 0.75},
		{1, 4, 1},
		{2, 1, 0},
		{2, 2, 0.5},
		{2, 4, 0.75},
		{2, 1e9, 0.75},
	} {
		near(t, "profile", Distribution(r[c.solver], 4).At(c.tau), c.share, 0)
	}
}

// Sums are gonum's: arithmetic means, shifted geometric means as the mean of logarithms, medians of odd samples.
func TestMeansAgainstGonum(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(0, 1000), 1, 60).Draw(t, "xs")
		shift := rapid.Float64Range(0.1, 10).Draw(t, "shift")
		logs := make([]float64, len(xs))
		for i, x := range xs {
			logs[i] = math.Log(x + shift)
		}
		if got, want := ShiftedGeoMean(xs, shift), math.Exp(stat.Mean(logs, nil))-shift; math.Abs(got-want) > 1e-9*(1+want) {
			t.Fatalf("ShiftedGeoMean = %v, gonum has %v", got, want)
		}
		sorted := slices.Sorted(slices.Values(xs))
		if got, want := Median(xs), stat.Quantile(0.5, stat.Empirical, sorted, nil); len(xs)%2 == 1 && got != want {
			t.Fatalf("Median = %v, gonum has %v", got, want)
		}
	})
}

// On both sides of the size beyond which nothing is drawn the interval of a skewed sample is the same to some
// hundredths of its width, and that of the shifted geometric mean is the one of the logarithms taken back.
func TestBootstrapLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	xs := make([]float64, largeSample+1)
	for i := range xs {
		xs[i] = rng.ExpFloat64()
	}
	b := Bootstrap{Draws: 4000, Level: 0.95}
	large, drawn := b.Mean(xs)[0], b.Mean(xs[:largeSample])[0]
	near(t, "lower end", large.Lo, drawn.Lo, 0.04*(drawn.Hi-drawn.Lo))
	near(t, "upper end", large.Hi, drawn.Hi, 0.04*(drawn.Hi-drawn.Lo))
	if m := Mean(xs[:largeSample]); math.Abs(drawn.Lo+drawn.Hi-2*m) < 1e-9 {
		t.Errorf("%v is symmetric about %v: nothing was drawn", drawn, m)
	}
	g := b.ShiftedGeoMean(xs, 1)
	if m := ShiftedGeoMean(xs, 1); !(g.Lo < m && m < g.Hi) || math.Abs((m+1)*(m+1)-(g.Lo+1)*(g.Hi+1)) > 1e-9 {
		t.Errorf("shifted geometric mean %v in %v", m, g)
	}
}

// Warnings name what there is and what it takes; a sample that is whole and large has none.
func TestWarnings(t *testing.T) {
	if ws := SampleWarnings(100, 100); ws != nil {
		t.Errorf("a large sample: %v", ws)
	}
	ws := SampleWarnings(3, 10)
	if len(ws) != 2 || ws[0] != (Warning{FewValues, 3, MinSample}) || ws[1] != (Warning{Partial, 3, 10}) {
		t.Errorf("3 of 10: %v", ws)
	}
	if ws := ComparePaired([]float64{1, 0, 0, 0, 0, 0, 2}).Warnings(); len(ws) != 1 || ws[0] != (Warning{FewPairs, 2, MinSample}) {
		t.Errorf("two differing pairs: %v", ws)
	}
}
