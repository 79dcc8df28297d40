package backend

import (
	"context"
	"math/rand/v2"
	"slices"

	"schedgap/exact/milp"
)

// Shuffled is a solver without seeds of its own as one that has them: a seed other than 0 draws the order of the rows and columns that
// it gets, and points are mapped back. Such orders change what a solver does as its own seeds would: A. Lodi and A. Tramontani,
// Performance variability in mixed-integer programming, TutORials in Operations Research (2013).
func Shuffled(native Native) Native {
	return func(ctx context.Context, m *milp.Model, opt milp.Options) (Answer, error) {
		if opt.Seed == 0 {
			return native(ctx, m, opt)
		}
		rng := rand.New(rand.NewPCG(uint64(opt.Seed), uint64(len(m.Cols))))
		cols, rows := rng.Perm(len(m.Cols)), rng.Perm(len(m.Rows)) // cols[k] is the column at place k
		place := make([]int, len(cols))
		other := &milp.Model{Name: m.Name, Maximize: m.Maximize, Offset: m.Offset}
		for k, j := range cols {
			place[j] = k
			other.AddCol(m.Cols[j])
		}
		for _, i := range rows {
			row := m.Rows[i]
			row.Terms = slices.Clone(row.Terms)
			for k, t := range row.Terms {
				row.Terms[k].Col = place[t.Col]
			}
			slices.SortFunc(row.Terms, func(a, b milp.Term) int { return a.Col - b.Col })
			other.Rows = append(other.Rows, row)
		}
		if opt.Start != nil {
			opt.Start = reorder(opt.Start, cols)
		}
		if improved := opt.Improved; improved != nil {
			opt.Improved = func(x []float64, v float64) { improved(reorder(x, place), v) }
		}
		a, err := native(ctx, other, opt)
		if a.X != nil {
			a.X = reorder(a.X, place)
		}
		return a, err
	}
}

// reorder is x with the entry from[k] at place k; a point of the wrong length is left for the caller to refuse.
func reorder(x []float64, from []int) []float64 {
	if len(x) != len(from) {
		return x
	}
	y := make([]float64, len(x))
	for k, j := range from {
		y[k] = x[j]
	}
	return y
}
