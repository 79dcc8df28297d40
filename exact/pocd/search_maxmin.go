package pocd

import (
	"math"
	"slices"
	"sort"

	"schedgap/models/pocd"
)

// maxMin returns choices that maximise the least p_j, for α = inf. The optimum is one of the frontiers' finitely many values,
// and whether every job can reach a value is a sum of copies, so bisection over the sorted values finds it exactly.
func maxMin(in *pocd.Instance, fs []frontier) []int {
	choice := make([]int, len(fs))
	if len(fs) == 0 {
		return choice
	}
	levels, spare := levels(fs), in.Spare()
	beyond := sort.Search(len(levels), func(k int) bool { return needs(fs, levels[k]) > spare })
	for k := range fs {
		choice[k] = fs[k].need(levels[beyond-1])
	}
	return choice
}

// levels lists, ascending, the values that the least ln p_j can have; no copies at all reach the first.
func levels(fs []frontier) []float64 {
	low, high := math.Inf(1), math.Inf(1)
	for k := range fs {
		low, high = min(low, fs[k].logP[0]), min(high, fs[k].logP[fs[k].most()])
	}
	var list []float64
	for k := range fs {
		for _, p := range fs[k].logP {
			if low <= p && p <= high {
				list = append(list, p)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
