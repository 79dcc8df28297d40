package bounds

import (
	"slices"

	"schedgap/models/cloning"
)

// stepsPerPattern bounds the search for patterns.
const stepsPerPattern = 100

// A kind is copies of equal demand.
type kind struct {
	demand []float64
	limit  int // copies on one server
}

// classes groups servers by equal capacities, nil if there are more classes than limit.
func classes(in *cloning.Instance, limit int) [][]int {
	var list [][]int
	for s := range in.Servers {
		if len(list) > limit {
			return nil
		}
		i := slices.IndexFunc(list, func(c []int) bool { return slices.Equal(in.Servers[c[0]].Capacity, in.Servers[s].Capacity) })
		if i < 0 {
			list = append(list, nil)
			i = len(list) - 1
		}
		list[i] = append(list[i], s)
	}
	return list
}

// patterns lists the maximal numbers of copies by kind that fit into a capacity, nil if there are more than limit or they are
// hard to find.
func patterns(kinds []kind, capacity []float64, limit int) [][]int {
	var list [][]int
	now, loads := make([]int, len(kinds)), cloning.NewLoads(cloning.Server{Capacity: capacity})
	steps := 0
	var try func(k int) bool
	try = func(k int) bool {
		steps++
		if steps > stepsPerPattern*limit {
			return false
		}
		if k == len(kinds) {
			for q := range kinds {
				if now[q] < kinds[q].limit && loads.Fit(0, kinds[q].demand, 1) {
					return true
				}
			}
			list = append(list, slices.Clone(now))
			return len(list) <= limit
		}
		n := loads.Most(0, kinds[k].demand, kinds[k].limit)
		loads.Add(0, kinds[k].demand, n)
		for ; n >= 0; n-- {
			now[k] = n
			if !try(k + 1) {
				return false
			}
			loads.Add(0, kinds[k].demand, -min(n, 1))
		}
		now[k] = 0
		return true
	}
	if !try(0) {
		return nil
	}
	return list
}
