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
	for _, list := range [][]Ratios{p.Ratios, p.BySuite, p.ByObjective} {
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

// byQuality puts the better algorithm first. One that has a solution on more of the class's instances is better, so that nobody gains
// by declining a hard one; then the leading mean over the instances with a solution decides. Of infinite means that which is so on
// fewer instances is better, then the smaller median. The worst case decides between equal means.
func byQuality(a, b *Ratios) int {
	return cmp.Or(cmp.Compare(a.unknown(), b.unknown()), cmp.Compare(a.Missing, b.Missing), cmp.Compare(a.Solved.Hi, b.Solved.Hi),
		cmp.Compare(a.Infinite, b.Infinite), cmp.Compare(a.median(), b.median()), cmp.Compare(a.worst(), b.worst()))
}

// ties reports whether two algorithms have the same quality, up to rounding.
func (r *Ratios) ties(o *Ratios) bool {
	same := func(x, y float64) bool { return math.IsNaN(x) && math.IsNaN(y) || ratio.Equal(x, y) }
	return r.unknown() == o.unknown() && r.Missing == o.Missing && same(float64(r.Solved.Hi), float64(o.Solved.Hi)) &&
		r.Infinite == o.Infinite && same(r.worst(), o.worst())
}

// unknown is 1 for an algorithm without any known distance, which is ranked last, and else 0.
func (r *Ratios) unknown() int {
	if r.Compared > 0 {
		return 0
	}
	return 1
}

func (r *Ratios) median() float64 {
	for _, q := range r.Quantiles {
		if q.P == 0.5 {
			return float64(q.Hi)
		}
	}
	return math.NaN()
}

func (r *Ratios) worst() float64 {
	if r.SolvedWorst == nil {
		return math.NaN()
	}
	return float64(r.SolvedWorst.Hi)
}

// place is the rank of a row among rows, which are sorted by byQuality, and the labels of the others that share it.
func (r *Ratios) place(rows []*Ratios) (rank int, tied []string) {
	rank = 1
	for _, o := range rows {
		switch {
		case o == r:
		case r.ties(o):
			tied = append(tied, o.Label)
		case byQuality(o, r) < 0:
			rank++
		}
	}
	return rank, tied
}

// rank ranks the contenders of each class.
func rank(rows []Ratios) {
	byClass := map[Class][]*Ratios{}
	for i := range rows {
		if r := &rows[i]; r.Contender() {
			byClass[r.Class] = append(byClass[r.Class], r)
		}
	}
	for _, list := range byClass {
		slices.SortStableFunc(list, byQuality)
		for _, r := range list {
			r.Rank, r.Tied = r.place(list)
		}
		markBest(list)
	}
}

// markBest finds, in the ranked contenders of a class, the first and those that are not certainly worse: by Wilcoxon's test on the
// instances that count for both, corrected for the number of the others. One with a solution on fewer instances, or with an infinite
// mean, is certainly worse. Tables print these in bold if the test sets them apart from any other.
func markBest(list []*Ratios) {
	first, apart := list[0], false
	for _, r := range list {
		p := stats.Bonferroni(stats.ComparePaired(apartness(first, r)).WilcoxonP, len(list)-1)
		worse := p < stats.Significant || r.unknown() > 0 || r.Missing > first.Missing ||
			math.IsInf(float64(r.Solved.Hi), 1) && !math.IsInf(float64(first.Solved.Hi), 1)
		r.Best = !worse
		apart = apart || worse
	}
	for _, r := range list {
		r.Bold = r.Best && apart && first.Compared >= stats.MinSample && !math.IsInf(float64(r.Lead().Hi), 1)
	}
}

// apartness are the differences of two algorithms that a signed rank test may compare, on the instances that count for both: of
// regrets, or of the logarithms of ratios.
func apartness(a, b *Ratios) (out []float64) {
	k := 0
	for i, at := range a.at {
		for k < len(b.at) && b.at[k] < at {
			k++
		}
		if k == len(b.at) || b.at[k] != at {
			continue
		}
		switch x, y := a.his[i], b.his[k]; {
		case ratio.Equal(x, y), x == y: // both may be infinite
			out = append(out, 0)
		case a.Regret:
			out = append(out, x-y)
		default:
			out = append(out, math.Log(x/y))
		}
	}
	return out
}
