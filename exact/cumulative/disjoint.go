package cumulative

import (
	"cmp"
	"slices"
)

// mostPairs is the most pairs of tasks of which one has to wait for the other that a search decides on. More are left to timetables.
const mostPairs = 50_000

// mostMachines is the most sets of tasks of which no two can run at once that edges are sought for.
const mostMachines = 24

// disjoint adds a variable for each pair of tasks that no room holds and no precedence orders, and machines: sets of tasks of which no two
// can run at once, for whatever reason, such as those that take more than half of a resource.
func (e *engine) disjoint(p *Problem) {
	n := len(p.Durations)
	if n > 2*mostEdges {
		return
	}
	apart := make([][]bool, n) // whether two tasks cannot run at once
	ordered := p.ordered()
	for i := range n {
		apart[i] = slices.Clone(ordered[i])
	}
	for i := range n {
		for j := range i {
			together := func(r Resource) bool { return r.Demands[i] > r.Room-r.Demands[j] }
			apart[i][j] = ordered[i][j] || slices.ContainsFunc(p.Resources, together)
			apart[j][i] = apart[i][j]
			if apart[i][j] && !ordered[i][j] {
				x := int32(n + len(e.orders))
				e.orders = append(e.orders, order{int32(i), int32(j)})
				e.ordersOf[i], e.ordersOf[j] = append(e.ordersOf[i], x), append(e.ordersOf[j], x)
			}
		}
	}
	e.paired = len(e.orders) <= mostPairs
	if !e.paired {
		e.orders, e.ordersOf = nil, make([][]int32, n)
	}
	if n > mostEdges {
		return
	}
	for _, set := range e.cliques(apart) {
		for _, i := range set {
			e.machinesOf[i] = append(e.machinesOf[i], int32(len(e.machines)))
		}
		e.machines = append(e.machines, machine{tasks: set, dirty: true})
	}
}

// ordered says of each two tasks whether precedences put one of them behind the other.
func (p *Problem) ordered() [][]bool {
	n := len(p.Durations)
	out := make([][]bool, n)
	for i := range out {
		out[i] = make([]bool, n)
	}
	for i := range n {
		seen, stack := make([]bool, n), []int{i}
		for len(stack) > 0 {
			last := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, j := range p.Before[last] {
				if !seen[j] {
					seen[j], out[i][j], out[j][i] = true, true, true
					stack = append(stack, j)
				}
			}
		}
	}
	return out
}

// cliques are sets of tasks of which each two are apart: from each task on, the longest that is apart from all so far. The longest sets
// are kept.
func (e *engine) cliques(apart [][]bool) [][]int32 {
	byLength := make([]int32, len(apart))
	for i := range byLength {
		byLength[i] = int32(i)
	}
	slices.SortStableFunc(byLength, func(a, b int32) int { return cmp.Compare(e.durations[b], e.durations[a]) })
	var sets [][]int32
	for i := range apart {
		set, pair := []int32{int32(i)}, false
		for _, j := range byLength {
			if int(j) != i && !slices.ContainsFunc(set, func(k int32) bool { return !apart[j][k] }) {
				set = append(set, j)
			}
		}
		for _, x := range e.ordersOf[i] { // in a chain of precedences nothing is to be found
			o := e.orders[int(x)-len(apart)]
			pair = pair || slices.Contains(set, o.i) && slices.Contains(set, o.j)
		}
		slices.Sort(set)
		if pair && len(set) > 2 && !slices.ContainsFunc(sets, func(s []int32) bool { return slices.Equal(s, set) }) {
			sets = append(sets, set)
		}
	}
	length := func(set []int32) (sum int) {
		for _, i := range set {
			sum += e.durations[i]
		}
		return sum
	}
	slices.SortStableFunc(sets, func(a, b []int32) int { return cmp.Compare(length(b), length(a)) })
	return sets[:min(len(sets), mostMachines)]
}
