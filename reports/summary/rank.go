package summary

import (
	"cmp"
	"math"
	"slices"

	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// Rows selects rows of ratios, or regrets, to a reference.
func (p *Problem) Rows(reference string, regret bool, of func(r *Ratios) bool) (rows []*Ratios) {
	for _, list := range [][]Ratios{p.Ratios, p.BySuite} {
		for i := range list {
			if r := &list[i]; r.Reference == reference && r.Regret == regret && of(r) {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// Table lists the algorithms' ratios, or regrets, to a reference over all instances, the best first.
func (p *Problem) Table(reference string, regret bool) []*Ratios {
	rows := p.Rows(reference, regret, func(r *Ratios) bool { return r.Class == (Class{}) })
	Rank(rows)
	return rows
}

// Rank puts the best of every class first, and rows that are not compared behind the contenders.
func Rank(rows []*Ratios) {
	class := map[Class]int{}
	for _, r := range rows {
		if _, ok := class[r.Class]; !ok {
			class[r.Class] = len(class)
		}
	}
	slices.SortStableFunc(rows, func(a, b *Ratios) int {
		order := cmp.Or(cmp.Compare(class[a.Class], class[b.Class]), cmp.Compare(apart(a), apart(b)))
		if order == 0 && a.Contender() {
			order = byQuality(a, b)
		}
		return order
	})
}

func apart(r *Ratios) int {
	if r.Contender() {
		return 0
	}
	return 1
}

// byQuality puts the better algorithm first: by the mean over the instances that all have in common or, without any, over its
// own. Of infinite ones that which is so on fewer instances, then the smaller median.
func byQuality(a, b *Ratios) int {
	return cmp.Or(cmp.Compare(a.Quality(), b.Quality()), cmp.Compare(a.Infinite, b.Infinite), cmp.Compare(a.median(), b.median()))
}

// Quality is the number by which algorithms of a view are sorted, smaller first.
func (r *Ratios) Quality() float64 {
	switch {
	case !r.ranked():
		return math.Inf(1)
	case !math.IsNaN(float64(r.Common.Hi)):
		return float64(r.Common.Hi)
	}
	return float64(r.Lead().Hi)
}

// Even is the leading mean over the instances that all contenders have in common, and their number; over its own of an algorithm
// that does not have all of them.
func (r *Ratios) Even() (mean Span, n int) {
	if own := r.Compared + r.Unsolved; math.IsNaN(float64(r.Common.Hi)) || own == r.CommonSize {
		return r.Lead(), own
	}
	return r.Common, r.CommonSize
}

// ranked reports whether the algorithm is one of those that are put in an order.
func (r *Ratios) ranked() bool { return r.Contender() && r.Compared > 0 }

func (r *Ratios) median() float64 {
	for _, q := range r.Quantiles {
		if q.P == 0.5 {
			return float64(q.Hi)
		}
	}
	return math.NaN()
}

// markBest finds, in each class, the algorithm that is ranked first and those that are not certainly worse: by Wilcoxon's test on
// the instances that all have in common, corrected by Holm's method for the number of the others. One with an infinite mean is
// certainly worse than one with a finite mean. Tables print these in bold if the test sets them apart from any other.
func markBest(rows []Ratios) {
	byClass := map[Class][]*Ratios{}
	for i := range rows {
		if r := &rows[i]; r.ranked() {
			byClass[r.Class] = append(byClass[r.Class], r)
		}
	}
	for _, list := range byClass {
		slices.SortStableFunc(list, byQuality)
		ps := make([]float64, len(list))
		for i, r := range list {
			ps[i] = math.NaN()
			if len(r.common) == len(list[0].common) {
				ps[i] = stats.ComparePaired(apartness(list[0].common, r.common, r.Regret)).WilcoxonP
			}
		}
		apart := false
		for i, p := range stats.Holm(ps) {
			list[i].Best = !(p < stats.Significant) && (!math.IsInf(list[i].Quality(), 1) || math.IsInf(list[0].Quality(), 1))
			apart = apart || !list[i].Best
		}
		for _, r := range list {
			r.Bold = r.Best && apart && r.CommonSize >= stats.MinSample && !math.IsInf(r.Quality(), 1)
		}
	}
}

// apartness are differences that a signed rank test may compare: of regrets, or of the logarithms of ratios.
func apartness(xs, ys []float64, regret bool) []float64 {
	out := make([]float64, len(xs))
	for i, x := range xs {
		switch y := ys[i]; {
		case ratio.Equal(x, y), x == y: // both may be infinite
		case regret:
			out[i] = x - y
		default:
			out[i] = math.Log(x / y)
		}
	}
	return out
}
