package speculation

import (
	"context"

	"schedgap/models/speculation"
)

// upperBound is the lesser of two sums, an upper bound on the scalar optimum: each straggler's saving on its best slot, and each
// slot's saving with its best straggler.
func upperBound(_ context.Context, in *speculation.Instance) (float64, error) {
	rows, columns := make([]float64, len(in.Stragglers)), make([]float64, len(in.Slots))
	for i := range in.Stragglers {
		for j, v := range in.Helping(i) {
			rows[i], columns[j] = max(rows[i], v), max(columns[j], v)
		}
	}
	return raised(min(total(rows), total(columns)), len(rows)+len(columns)), nil
}

func total(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum
}

// raised makes up for the rounding of a sum of n terms, none of them negative.
func raised(sum float64, n int) float64 { return sum * (1 + float64(n+2)*2.3e-16) }
