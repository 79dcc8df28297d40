package models

import (
	"cmp"
	"slices"
)

// Topological orders the nodes of a graph so that parents come before children, breadth first from those without parents. Nodes
// of a cycle and those behind it are left out.
func Topological(nodes int, parents func(node int) []int) []int {
	waits, children := make([]int, nodes), make([][]int, nodes)
	order := make([]int, 0, nodes)
	for k := range nodes {
		for _, p := range parents(k) {
			children[p] = append(children[p], k)
		}
		waits[k] = len(parents(k))
		if waits[k] == 0 {
			order = append(order, k)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, c := range children[order[i]] {
			waits[c]--
			if waits[c] == 0 {
				order = append(order, c)
			}
		}
	}
	return order
}

// OrderBy lists the numbers 0 to n−1 by ascending key, of equal keys the least number first.
func OrderBy[K cmp.Ordered](n int, key func(i int) K) []int {
	order, keys := make([]int, n), make([]K, n)
	for i := range order {
		order[i], keys[i] = i, key(i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(keys[a], keys[b]) })
	return order
}
