package values

import (
	"slices"

	"schedgap/exact/verify/cloning/kernel"
)

// A Graph is the states of a job with its arcs in the order in which tables are filled.
type Graph struct {
	*kernel.Graph
	Earlier []int32 // by node, the least number of slots in which it is reached
	buys    [][]Buy // the different purchases of arcs
	order   []int32 // the nodes, each after all those that follow it
	from    []int32 // by node, its first arc in next and buy, those that stay at the node first; one more at the end
	waits   []int   // by node, the number of arcs that stay
	next    []int32 // by arc
	buy     []int32 // by arc, its place in buys
}

// A Buy is a number of copies of a phase.
type Buy = kernel.Buy

func newGraph(of *kernel.Graph) *Graph {
	g := &Graph{Graph: of}
	for s := range g.Nodes {
		g.from = append(g.from, int32(len(g.next)))
		for _, stays := range []bool{true, false} {
			for _, a := range g.Nodes[s].Arcs {
				if (int(a.Next) == s) != stays {
					continue
				}
				at := slices.IndexFunc(g.buys, func(l []Buy) bool { return slices.Equal(l, a.Buys) })
				if at < 0 {
					at = len(g.buys)
					g.buys = append(g.buys, a.Buys)
				}
				g.next, g.buy = append(g.next, a.Next), append(g.buy, int32(at))
			}
			if stays {
				g.waits = append(g.waits, len(g.next)-int(g.from[s]))
			}
		}
	}
	g.from = append(g.from, int32(len(g.next)))
	g.rank()
	g.Earlier = g.after(0)
	return g
}

// open reports whether a phase, counted through all jobs, is not done in a node.
func (g *Graph) open(node int32, phase int) bool { return g.Nodes[node].Open>>(phase%64)&1 == 1 }

// far is a number of slots in which nothing is reached.
const far = 1 << 29

// after is the least number of slots in which each node is reached from one of them.
func (g *Graph) after(from int32) []int32 {
	slots := slices.Repeat([]int32{far}, len(g.Nodes))
	slots[from] = 0
	queue := []int32{from}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for i := range g.Nodes[s].Arcs {
			if next := g.Nodes[s].Arcs[i].Next; slots[next] == far {
				slots[next] = slots[s] + 1
				queue = append(queue, next)
			}
		}
	}
	return slots
}

// rank orders the nodes, each after all those that follow it. There are no cycles but arcs that stay: progress and, until a task
// is done, its copies do not fall.
func (g *Graph) rank() {
	left := make([]int32, len(g.Nodes)) // arcs not looked at
	seen := make([]bool, len(g.Nodes))
	stack := []int32{0}
	seen[0], left[0] = true, g.from[1]-g.from[0]
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		if left[s] == 0 {
			g.order, stack = append(g.order, s), stack[:len(stack)-1]
			continue
		}
		left[s]--
		if next := g.next[g.from[s]+left[s]]; !seen[next] {
			seen[next], left[next] = true, g.from[next+1]-g.from[next]
			stack = append(stack, next)
		}
	}
}
