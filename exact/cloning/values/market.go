package values

import (
	"context"
	"slices"
	"sync"

	"schedgap/exact/verify/jobgraph"
)

// A Market is the jobs of an instance, the servers and what they hold.
type Market struct {
	*jobgraph.Space
	Graphs  []*Graph
	Arrival []int // by job
	First   []int // by job, its first phase; one more at the end
	Servers []Server
	Limit   []int32 // by phase, copies that the whole cluster runs at most
	trees   forest
}

// A forest keeps the trees of all servers by what is open.
type forest struct {
	sync.Mutex
	known map[string][]tree
	steps int
}

// maxTreeSteps bounds what a forest keeps.
const maxTreeSteps = 5_000_000

// treesOf are the trees of the servers' sets without copies of phases that are not open.
func (m *Market) treesOf(open []bool) []tree {
	key := make([]byte, len(open))
	for k, o := range open {
		if o {
			key[k] = 1
		}
	}
	m.trees.Lock()
	defer m.trees.Unlock()
	if list, ok := m.trees.known[string(key)]; ok {
		return list
	}
	list := make([]tree, 0, len(m.Servers))
	for _, s := range m.Servers {
		list = append(list, newTree(s.Sets, open))
		m.trees.steps += len(list[len(list)-1].steps)
	}
	if m.trees.steps < maxTreeSteps {
		if m.trees.known == nil {
			m.trees.known = map[string][]tree{}
		}
		m.trees.known[string(key)] = list
	}
	return list
}

// maxSets bounds the sets of copies that servers are listed to hold.
const maxSets = 20_000

// NewMarket makes the jobs' graphs, of some arcs at most all together, and the servers' sets of copies; nil where one of them is
// too large, or ctx ends.
func NewMarket(ctx context.Context, sp *jobgraph.Space, arcs int) *Market {
	m := &Market{Space: sp}
	for j, job := range sp.Jobs {
		if job.To-job.From > 64 {
			return nil // the bits of a node's open phases
		}
		sp.Arcs = min(sp.Arcs, arcs)
		g, err := sp.Graph(ctx, j)
		if err != nil {
			return nil
		}
		for s := range g.Nodes {
			arcs -= len(g.Nodes[s].Arcs)
		}
		m.Graphs, m.Arrival, m.First = append(m.Graphs, newGraph(g)), append(m.Arrival, job.Arrival), append(m.First, job.From)
	}
	m.First = append(m.First, len(sp.Phases))
	for k := range sp.Phases {
		m.Limit = append(m.Limit, int32(sp.Phases[k].Tasks()*len(sp.Phases[k].Gain)))
	}
	total := 0
	for c := range sp.Classes {
		sets := sp.Sets(c, maxSets)
		if total += len(sets); sets == nil || total > maxSets || ctx.Err() != nil {
			return nil
		}
		m.Servers = append(m.Servers, Server{Count: sp.Classes[c].Servers, Sets: sets})
	}
	return m
}

// A Server is what one server, or each of several alike, holds in a slot: the maximal sets of copies, as lists of Buys whose
// phases are of the whole instance.
type Server struct {
	Count int
	Sets  [][]Buy
}

// Arcs is the number of arcs of all graphs: a table of all jobs takes time in proportion for every slot.
func (m *Market) Arcs() int {
	n := 0
	for _, g := range m.Graphs {
		n += len(g.next)
	}
	return n
}

// Largest is the number of nodes of the largest graph.
func (m *Market) Largest() int {
	n := 0
	for _, g := range m.Graphs {
		n = max(n, len(g.Nodes))
	}
	return n
}

// Nodes is the number of nodes of all graphs, the size of a table of all jobs for every moment.
func (m *Market) Nodes() int {
	n := 0
	for _, g := range m.Graphs {
		n += len(g.Nodes)
	}
	return n
}

// A chooser finds what the servers are worth at the prices of a slot, to the open phases.
type chooser struct {
	*Market
	open  []bool    // by phase
	sets  []tree    // by server
	worth [][]int64 // by server and place in its tree
	most  []int64   // by server
	total []int64   // by server, the most that it and those after it are worth, in all
	count []int32   // copies by phase of the sets under consideration
	price []int64   // by phase
	best  int64
	take  []int32 // copies by phase that the best sets are paid for
	idle  []int   // phases whose copies the sets under consideration are not paid for, as a dearer one excludes them
	steps int
}

// A tree holds the sets of a server, those that begin alike on a common path.
type tree struct {
	steps []step
	ends  []int32 // by set, its last step
	sets  [][]Buy
}

// A step is the last kind of copies of a set, and the place of those before it; place 0 is the empty set.
type step struct {
	before int32
	Buy
}

// newTree makes the tree of the sets without copies of phases that are not open; what is part of a longer path is left out.
func newTree(sets [][]Buy, open []bool) tree {
	t := tree{steps: make([]step, 1, 2*len(sets))}
	at := map[step]int32{}
	inner := []bool{false}
	var ends []int32
	for _, set := range sets {
		place := int32(0)
		for _, b := range set {
			if !open[b.Phase] {
				continue
			}
			inner[place] = true
			next, known := at[step{place, b}]
			if !known {
				next = int32(len(t.steps))
				at[step{place, b}] = next
				t.steps, inner = append(t.steps, step{place, b}), append(inner, false)
			}
			place = next
		}
		ends = append(ends, place)
	}
	listed := make([]bool, len(t.steps))
	for _, end := range ends {
		if inner[end] || listed[end] {
			continue
		}
		listed[end] = true
		var set []Buy
		for place := end; place > 0; place = t.steps[place].before {
			set = append(set, t.steps[place].Buy)
		}
		t.ends, t.sets = append(t.ends, end), append(t.sets, set)
	}
	return t
}

func newChooser(m *Market) *chooser {
	phases := m.First[len(m.Graphs)]
	return &chooser{
		Market: m, most: make([]int64, len(m.Servers)), total: make([]int64, len(m.Servers)+1),
		worth: make([][]int64, len(m.Servers)),
		count: make([]int32, phases), take: make([]int32, phases), price: make([]int64, phases),
	}
}

// allow says which phases count from now on; open is kept.
func (c *chooser) allow(open []bool) {
	if c.open != nil && slices.Equal(c.open, open) {
		return
	}
	c.open = slices.Clone(open)
	c.sets = c.treesOf(open)
	for i := range c.sets {
		if n := len(c.sets[i].steps); n <= cap(c.worth[i]) {
			c.worth[i] = c.worth[i][:n]
		} else {
			c.worth[i] = make([]int64, n)
		}
	}
}

// at takes the prices of a slot.
func (c *chooser) at(prices Prices, slot int) {
	for k := range prices {
		c.price[k] = int64(prices[k][slot])
	}
}

// maxChoices bounds the search for sets of all servers together.
const maxChoices = 4_000

// choose returns the most that one set of open phases for each server is worth at chooser.price; chooser.take has its copies.
// Copies beyond a phase's limit are worth nothing, and of two phases that never run together only the dearer one counts: a part
// of the sets does as well. Past maxChoices it is the sum of the servers' dearest sets.
func (c *chooser) choose() int64 {
	last := len(c.Servers)
	clear(c.count)
	for i := last - 1; i >= 0; i-- {
		t, worth := &c.sets[i], c.worth[i]
		for at := 1; at < len(worth); at++ {
			s := &t.steps[at]
			worth[at] = worth[s.before] + int64(s.Copies)*c.price[s.Phase]
		}
		c.most[i] = -1
		dearest := 0
		for q, end := range t.ends {
			if worth[end] > c.most[i] {
				c.most[i], dearest = worth[end], q
			}
		}
		count := c.Servers[i].Count
		c.total[i] = c.total[i+1] + int64(count)*c.most[i]
		for _, b := range t.sets[dearest] {
			c.count[b.Phase] += int32(count) * b.Copies
		}
	}
	c.best, c.steps = -1, maxChoices
	if c.offer(); c.best < c.total[0] {
		clear(c.count)
		c.search(0, 0, 0)
		if c.steps <= 0 {
			return c.total[0]
		}
	}
	return c.best
}

// offer takes the sets whose copies chooser.count has, if they are worth more than the best.
func (c *chooser) offer() {
	sum := int64(0)
	c.idle = c.idle[:0]
	for j := range c.Graphs {
		drop, idle := int64(0), -1
		for k := c.First[j]; k < c.First[j+1]; k++ {
			n := min(c.count[k], c.Limit[k])
			if n == 0 {
				continue
			}
			here := int64(n) * c.price[k]
			sum += here
			for q := c.First[j]; q < k; q++ {
				if c.count[q] > 0 && c.Apart[k]>>q&1 == 1 {
					there := int64(min(c.count[q], c.Limit[q])) * c.price[q]
					if cheaper := min(here, there); idle < 0 || cheaper > drop {
						drop, idle = cheaper, q
						if here < there {
							idle = k
						}
					}
				}
			}
		}
		if sum -= drop; idle >= 0 {
			c.idle = append(c.idle, idle)
		}
	}
	if sum > c.best {
		c.best = sum
		for k := range c.take {
			c.take[k] = min(c.count[k], c.Limit[k])
		}
		for _, k := range c.idle {
			c.take[k] = 0
		}
	}
}

// search chooses for the servers from the at-th of class i on.
func (c *chooser) search(i, at int, worth int64) {
	if i < len(c.Servers) && at == c.Servers[i].Count {
		i, at = i+1, 0
	}
	if i == len(c.Servers) {
		c.offer()
		return
	}
	rest := c.total[i] - int64(at+1)*c.most[i]
	for q, end := range c.sets[i].ends {
		more := worth + c.worth[i][end]
		if more+rest <= c.best {
			continue
		}
		if c.steps--; c.steps <= 0 {
			return
		}
		for _, b := range c.sets[i].sets[q] {
			c.count[b.Phase] += b.Copies
		}
		c.search(i, at+1, more)
		for _, b := range c.sets[i].sets[q] {
			c.count[b.Phase] -= b.Copies
		}
	}
}
