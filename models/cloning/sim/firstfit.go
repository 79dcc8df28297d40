package sim

import "slices"

// A firstFit finds the first of a row of servers on which a demand fits: a tree of wide nodes that hold, by resource, the most
// room of any server below.
type firstFit struct {
	width, servers int
	levels         [][]float64 // by level, node and resource: first the servers themselves, last the root
	full           []float64   // no room
}

// fanOut is the number of children of a node, 2^fanBits: with few levels a search stays in few cache lines.
const (
	fanBits = 3
	fanOut  = 1 << fanBits
)

// noRoom is the room of children without a server: no demand fits, not even of nothing.
const noRoom = -1

// reset makes the tree one of n servers; the room of each is then filled in and the tree built.
func (t *firstFit) reset(n, width int) {
	t.width, t.servers = width, n
	if t.full == nil {
		t.full = slices.Repeat([]float64{noRoom}, width)
	}
	levels := t.levels[:0]
	for nodes := n; ; nodes = (nodes + fanOut - 1) / fanOut {
		size := max(1, (nodes+fanOut-1)/fanOut) * fanOut * width
		var level []float64
		if len(levels) < cap(levels) {
			level = levels[:len(levels)+1][len(levels)]
		}
		level = slices.Grow(level[:0], size)[:size]
		for i := nodes * width; i < size; i++ {
			level[i] = noRoom
		}
		levels = append(levels, level)
		if nodes <= 1 && len(levels) > 1 {
			break
		}
	}
	t.levels = levels
}

func (t *firstFit) fill(i int, room []float64) { copy(t.levels[0][i*t.width:], room) }

func (t *firstFit) build() {
	for level := 1; level < len(t.levels); level++ {
		children := len(t.levels[level-1]) / t.width
		for node := range children / fanOut {
			t.pull(level, node)
		}
	}
}

// pull renews a node from its children and reports whether that changed it.
func (t *firstFit) pull(level, node int) bool {
	w, changed := t.width, false
	own, children := t.levels[level][node*w:node*w+w], t.levels[level-1][node*fanOut*w:(node+1)*fanOut*w]
	if w == 2 { // most instances
		c := (*[2 * fanOut]float64)(children)
		m0 := max(max(max(c[0], c[2]), max(c[4], c[6])), max(max(c[8], c[10]), max(c[12], c[14])))
		m1 := max(max(max(c[1], c[3]), max(c[5], c[7])), max(max(c[9], c[11]), max(c[13], c[15])))
		changed = own[0] != m0 || own[1] != m1
		own[0], own[1] = m0, m1
		return changed
	}
	for r := range own {
		most := children[r]
		for i := r + w; i < len(children); i += w {
			if children[i] > most { // max would mind NaNs, which there are none of
				most = children[i]
			}
		}
		if most != own[r] {
			own[r], changed = most, true
		}
	}
	return changed
}

// set changes the room of a server.
func (t *firstFit) set(i int, room []float64) {
	copy(t.levels[0][i*t.width:], room)
	for level, node := 1, i/fanOut; level < len(t.levels) && t.pull(level, node); level, node = level+1, node/fanOut {
	}
}

// leaf returns the room of a server. There may be one leaf more than servers.
func (t *firstFit) leaf(i int) []float64 {
	if i >= t.servers {
		return t.full
	}
	return t.levels[0][i*t.width : (i+1)*t.width]
}

// root is, by resource, the most room of any server.
func (t *firstFit) root() []float64 { return t.levels[len(t.levels)-1][:t.width] }

// find returns the first server from a place on on which demand fits, or −1.
func (t *firstFit) find(from int, demand []float64) int {
	top := len(t.levels) - 1
	if from >= t.servers {
		return -1
	}
	level, node := 0, from
	if from == 0 { // the whole row at once
		if !within(demand, t.root()) {
			return -1
		}
		level = top - 1
	}
	for {
		last := node | (fanOut - 1)
		node = t.scan(t.levels[level], node, demand)
		if node <= last {
			if level == 0 {
				return node
			}
			level--
			node *= fanOut
			continue
		}
		for node%fanOut == 0 { // behind its siblings: on to the right of their parent
			level++
			if level >= top {
				return -1
			}
			node /= fanOut
		}
	}
}

// last returns the last server below a node on which demand fits, or −1.
func (t *firstFit) last(level, node int, demand []float64) int {
	if !within(demand, t.levels[level][node*t.width:]) {
		return -1
	}
	if level == 0 {
		return node
	}
	for child := (node+1)*fanOut - 1; child >= node*fanOut; child-- {
		if i := t.last(level-1, child, demand); i >= 0 {
			return i
		}
	}
	return -1
}

// scan returns the first node, from one on, on which demand fits among it and its later siblings, or the one behind these.
func (t *firstFit) scan(level []float64, node int, demand []float64) int {
	behind := (node | (fanOut - 1)) + 1
	if t.width == 2 { // most instances
		d0, d1, rooms := demand[0], demand[1], level[2*node:2*behind]
		for i := 0; i+1 < len(rooms); i += 2 {
			if d0 <= rooms[i] && d1 <= rooms[i+1] {
				return node + i/2
			}
		}
		return behind
	}
	for ; node < behind; node++ {
		if within(demand, level[node*t.width:]) {
			return node
		}
	}
	return behind
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
