package sim

import "slices"

// A firstFit finds the first of a row of servers on which a demand fits: a complete binary tree whose nodes hold, by resource,
// the most room of any server below.
type firstFit struct {
	width, leaves int
	most          []float64 // by node, the root being 1, and resource
	scratch       []float64
	full          []float64 // no room
}

// noRoom is that of leaves without a server: no demand fits, not even of nothing.
const noRoom = -1

// reset makes the tree one of n servers; the room of each is then filled in and the tree built.
func (t *firstFit) reset(n, width int) {
	t.width, t.leaves = width, 1
	for t.leaves < n {
		t.leaves *= 2
	}
	size := 2 * t.leaves * width
	if cap(t.most) < size {
		t.most = make([]float64, size)
	}
	t.most = t.most[:size]
	if t.scratch == nil {
		t.scratch, t.full = make([]float64, width), slices.Repeat([]float64{noRoom}, width)
	}
	for i := (t.leaves + n) * width; i < size; i++ {
		t.most[i] = noRoom
	}
}

func (t *firstFit) fill(i int, room []float64) { copy(t.most[(t.leaves+i)*t.width:], room) }

func (t *firstFit) build() {
	for node := t.leaves - 1; node > 0; node-- {
		t.pull(node)
	}
}

// mostOfLeaves sets most to the most room of any server by resource. The tree need not be built.
func (t *firstFit) mostOfLeaves(most []float64) {
	leaves := t.most[t.leaves*t.width:]
	if t.width == 2 {
		m0, m1 := leaves[0], leaves[1]
		for i := 2; i+1 < len(leaves); i += 2 {
			if leaves[i] > m0 { // max would mind NaNs, which there are none of
				m0 = leaves[i]
			}
			if leaves[i+1] > m1 {
				m1 = leaves[i+1]
			}
		}
		most[0], most[1] = m0, m1
		return
	}
	copy(most, leaves)
	for ; len(leaves) > 0; leaves = leaves[t.width:] {
		for r := range most {
			most[r] = max(most[r], leaves[r])
		}
	}
}

// pull renews a node from its children and reports whether that changed it.
func (t *firstFit) pull(node int) bool {
	w, changed := t.width, false
	own, children := t.most[node*w:node*w+w], t.most[2*node*w:2*node*w+2*w]
	for r := range own {
		m := children[r]
		if children[w+r] > m {
			m = children[w+r]
		}
		if m != own[r] {
			own[r], changed = m, true
		}
	}
	return changed
}

// set changes the room of a server.
func (t *firstFit) set(i int, room []float64) {
	t.fill(i, room)
	for node := (t.leaves + i) / 2; node > 0 && t.pull(node); node /= 2 {
	}
}

// leaf is the room of a server, of which there may be one more than there are.
func (t *firstFit) leaf(i int) []float64 {
	if i >= t.leaves {
		return t.full
	}
	return t.most[(t.leaves+i)*t.width : (t.leaves+i+1)*t.width]
}

// root is, by resource, the most room of any server.
func (t *firstFit) root() []float64 { return t.most[t.width : 2*t.width] }

// find returns the first server from a place on on which demand fits, or −1.
func (t *firstFit) find(from int, demand []float64) int {
	if from >= t.leaves {
		return -1
	}
	node := t.leaves + from
	if from == 0 {
		node = 1 // the whole row at once
	}
	if t.width == 2 { // most instances
		d0, d1, most := demand[0], demand[1], t.most
		for {
			if d0 <= most[2*node] && d1 <= most[2*node+1] {
				if node >= t.leaves {
					return node - t.leaves
				}
				node *= 2
				continue
			}
			for node&1 == 1 {
				node >>= 1
			}
			if node == 0 {
				return -1
			}
			node++
		}
	}
	for {
		if within(demand, t.most[node*t.width:]) {
			if node >= t.leaves {
				return node - t.leaves
			}
			node *= 2
			continue
		}
		for node&1 == 1 { // on to the next subtree to the right
			node >>= 1
		}
		if node == 0 {
			return -1
		}
		node++
	}
}

// within reports whether demand is at most room in every resource.
func within(demand, room []float64) bool {
	for r, d := range demand {
		if d > room[r] {
			return false
		}
	}
	return true
}
