package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// A Paired is the comparison of two algorithms over paired values, most often one pair an instance.
type Paired struct {
	N                 int // pairs
	Win, Tie, Loss    int // of the first: its difference is negative, zero, positive
	SignP, WilcoxonP  float64
	WilcoxonStatistic float64 // W₊, the sum of ranks of positive differences
}

// Significant is the p-value below which a difference counts as one.
const Significant = 0.05

// Disagreement says why two tests of one comparison, by p-values corrected in the same way, do not lead to the same conclusion on
// first and second; empty: they do.
func (p *Paired) Disagreement(sign, wilcoxon float64, first, second string) string {
	often, seldom, far, near := first, second, first, second
	if p.Loss > p.Win {
		often, seldom = second, first
	}
	if n := float64(p.Win + p.Loss); p.WilcoxonStatistic > n*(n+1)/4 {
		far, near = second, first
	}
	switch {
	case sign < Significant && wilcoxon < Significant && often != far:
		return often + " wins more often, " + far + " by more"
	case sign < Significant && wilcoxon >= Significant:
		return often + " wins more often than " + seldom + ", but not by more (sign test yes, Wilcoxon no)"
	case wilcoxon < Significant && sign >= Significant:
		return far + " does not win more often than " + near + ", but wins by more (Wilcoxon yes, sign test no)"
	}
	return ""
}

// ComparePaired tests the differences first − second, where smaller is better. Ties are left out of both tests, as
// Wilcoxon did, and both p-values are NaN when fewer than MinSample pairs differ.
func ComparePaired(diffs []float64) Paired {
	p := Paired{N: len(diffs), SignP: math.NaN(), WilcoxonP: math.NaN(), WilcoxonStatistic: math.NaN()}
	var differ []float64
	for _, d := range diffs {
		switch {
		case d < 0:
			p.Win++
			differ = append(differ, d)
		case d > 0:
			p.Loss++
			differ = append(differ, d)
		default:
			p.Tie++
		}
	}
	if len(differ) >= MinSample {
		p.SignP = SignTest(p.Win, p.Loss)
		p.WilcoxonStatistic, p.WilcoxonP = WilcoxonSignedRank(differ)
	}
	return p
}

// SignTest returns the exact two-sided p-value of wins against losses when either is equally likely.
func SignTest(wins, losses int) float64 {
	n := wins + losses
	if n == 0 {
		return math.NaN()
	}
	b := distuv.Binomial{N: float64(n), P: 0.5}
	return min(1, 2*b.CDF(float64(min(wins, losses))))
}

// exactLimit is the largest sample whose signed-rank distribution is computed exactly, as in R's wilcox.test.
const exactLimit = 50

// WilcoxonSignedRank returns W₊ and its two-sided p-value for differences that are all nonzero (Wilcoxon 1945; Hollander
// and Wolfe, Nonparametric Statistical Methods, §3.1). Up to 50 differences the p-value is exact, conditional on ties
// among their magnitudes; beyond it is the normal approximation with corrections for ties and continuity.
func WilcoxonSignedRank(diffs []float64) (statistic, p float64) {
	n := len(diffs)
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	order := slices.Clone(diffs)
	slices.SortFunc(order, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	doubled := make([]int, n) // twice the midrank is an integer
	positive, tieTerm := 0, 0.0
	for i := 0; i < n; {
		j := i
		for j < n && math.Abs(order[j]) == math.Abs(order[i]) {
			j++
		}
		for k := i; k < j; k++ {
			doubled[k] = i + 1 + j
			if order[k] > 0 {
				positive += doubled[k]
			}
		}
		t := float64(j - i)
		tieTerm += t*t*t - t
		i = j
	}
	statistic = float64(positive) / 2
	if n <= exactLimit {
		return statistic, exactSignedRank(doubled, positive)
	}
	f := float64(n)
	mean, variance := f*(f+1)/4, f*(f+1)*(2*f+1)/24-tieTerm/48
	z := math.Max(0, math.Abs(statistic-mean)-0.5) / math.Sqrt(variance)
	return statistic, math.Erfc(z / math.Sqrt2) // twice the tail, which 1 − Φ(z) would round to 0
}

// exactSignedRank counts the sign assignments whose positive doubled ranks sum to each value and returns the two-sided
// p-value of sum.
func exactSignedRank(doubled []int, sum int) float64 {
	total := 0
	for _, r := range doubled {
		total += r
	}
	prob := make([]float64, total+1)
	prob[0] = 1
	for _, r := range doubled {
		for s := total; s >= 0; s-- {
			prob[s] /= 2
			if s >= r {
				prob[s] += prob[s-r] / 2
			}
		}
	}
	tail := 0.0
	for s := 0; s <= min(sum, total-sum); s++ {
		tail += prob[s]
	}
	return min(1, 2*tail)
}

// Bonferroni adjusts a p-value for the number of tests: it depends on no other p-value, unlike Holm's. NaN stays NaN.
func Bonferroni(p float64, tests int) float64 { return min(1, p*float64(tests)) }

// Holm adjusts p-values for their number by the step-down method of Holm (1979). NaN stays NaN and does not count.
func Holm(ps []float64) []float64 {
	adjusted := make([]float64, len(ps))
	var order []int
	for i, p := range ps {
		adjusted[i] = p
		if !math.IsNaN(p) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ps[a], ps[b]) })
	running := 0.0
	for k, i := range order {
		running = max(running, min(1, float64(len(order)-k)*ps[i]))
		adjusted[i] = running
	}
	return adjusted
}
