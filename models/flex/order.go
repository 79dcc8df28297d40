package flex

import (
	"cmp"
	"slices"
)

// OrderBy returns the jobs by key, the least first, ties in file order.
func OrderBy(in *Instance, key func(j int) float64) []int {
	keys := make([]float64, len(in.Jobs))
	order := make([]int, len(in.Jobs))
	for j := range order {
		keys[j], order[j] = key(j), j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	return order
}
