package speculation

import "slices"

// A node of the branch and bound is a set of matchings.
type node struct {
	cells     []int32 // places in the list of pairs that matchings may use, ascending
	must, use []bool  // stragglers that get a copy, slots that get one
	facets    []facet
	bound     float64   // on what a point of its box is worth in the box's direction
	inBox     int       // the box in which it was relaxed last
	price     []float64 // by slot, and
	mate      []int32   // by straggler: what the last relaxation of it or its parent left
}

func (n *node) clone() *node {
	c := *n
	c.cells, c.must, c.use = slices.Clone(n.cells), slices.Clone(n.must), slices.Clone(n.use)
	c.facets, c.price, c.mate = slices.Clone(n.facets), slices.Clone(n.price), slices.Clone(n.mate)
	return &c
}

func (n *node) drop(which func(cell int32) bool) { n.cells = slices.DeleteFunc(n.cells, which) }

// root is the node of all matchings.
func (s *searcher) root() *node {
	n := &node{
		cells: make([]int32, len(s.pairs.list)), must: make([]bool, len(s.in.Stragglers)), use: make([]bool, len(s.in.Slots)),
		facets: []facet{{energy: 1, level: 1}, {time: 1, level: 1}},
		price:  make([]float64, len(s.in.Slots)), mate: make([]int32, len(s.in.Stragglers)),
	}
	for k := range n.cells {
		n.cells[k] = int32(k)
	}
	for i := range n.mate {
		n.mate[i] = -1
	}
	return n
}
