package models

// Topological orders the nodes of a graph so that parents come before children, breadth first from those without parents. Nodes
// of a cycle and those behind it are left out.
func Topological(nodes int, parents func(node int) []int) []int {
	waits, children := make([]int, nodes), make([][]int, nodes)
	order := make([]int, 0, nodes)
	for k := range nodes {
		for _, p := range parents(k) {
			children[p] = append(children[p], k)
		}
		if waits[k] = len(parents(k)); waits[k] == 0 {
			order = append(order, k)
		}
	}
	for i := 0; i < len(order); i++ {
		for _, c := range children[order[i]] {
			if waits[c]--; waits[c] == 0 {
				order = append(order, c)
			}
		}
	}
	return order
}
