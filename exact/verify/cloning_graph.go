package verify

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
)

// A jobGraph is the states of a job, alone on the cluster: node 0 is the beginning, an arc is a slot with some copies.
type jobGraph struct {
	nodes []jobNode
	at    map[string]int32
	end   int32
	free  []int64 // by node, the least number of slots to the end
}

// A jobNode is a state of a job's tasks, sorted within phases. In the nonpreemptive regime copies that run go on.
type jobNode struct {
	progress []int64
	placed   []uint8 // by task and server; nil in the preemptive regime
	open     uint64  // phases that are not done; of more than 64 phases in all none is known to be
	arcs     []jobArc
}

type jobArc struct {
	copies []uint8 // by task, and in the nonpreemptive regime server
	buys   []jobBuy
	next   int32
}

// A jobBuy is copies of a phase.
type jobBuy struct{ phase, copies int }

// Limits of the graphs of all jobs together.
const (
	graphNodes = 400_000
	graphArcs  = 8_000_000
	graphSums  = 2_000
	sumsPhases = 1_000 // up to which sums are listed
)

var errGraphs = errors.New("the jobs have too many states for prices of copies")

// addSums lists, by phase, what whole slots may bring together, up to the first sum that is enough; nil: too many.
func (sp *CloningSpace) addSums() {
	for k := range sp.phases {
		ph := &sp.phases[k]
		list := []int64{0}
		if len(sp.phases) > sumsPhases {
			sp.sums = append(sp.sums, nil)
			continue
		}
		for at := 0; list[at] < ph.need; at++ {
			for _, g := range ph.gain {
				if i, known := slices.BinarySearch(list, list[at]+g); !known {
					list = slices.Insert(list, i, list[at]+g)
				}
			}
			if len(list) > graphSums {
				list = nil
				break
			}
		}
		sp.sums = append(sp.sums, list)
	}
}

// advance is the progress of a task of phase k after some more, rounded down to the least that takes the same slots: what is left is
// raised to the next sum that slots can bring.
func (sp *CloningSpace) advance(k int, progress, by int64) int64 {
	need := sp.phases[k].need
	if progress >= need-by {
		return need
	}
	progress += by
	if sp.sums[k] == nil {
		return progress
	}
	i, _ := slices.BinarySearch(sp.sums[k], need-progress)
	return max(0, need-sp.sums[k][i])
}

// addGraphs builds the graphs of all jobs.
func (sp *CloningSpace) addGraphs() error {
	nodes, arcs := 0, 0
	for j := range sp.jobs {
		g := &jobGraph{at: map[string]int32{}}
		b := graphBuilder{sp: sp, g: g, job: &sp.jobs[j]}
		b.tasks = sp.task[sp.phases[b.job.from].from:sp.phases[b.job.to-1].to]
		first := jobNode{progress: make([]int64, len(b.tasks))}
		if sp.fixed {
			first.placed = make([]uint8, len(b.tasks)*len(sp.servers))
		}
		b.node(first)
		for at := 0; at < len(g.nodes); at++ {
			if b.expand(at); b.tries > graphArcs {
				return errGraphs
			}
			nodes, arcs = nodes+1, arcs+len(g.nodes[at].arcs)
			if nodes > graphNodes || arcs > graphArcs {
				return errGraphs
			}
		}
		if err := g.count(); err != nil {
			return err
		}
		sp.graphs = append(sp.graphs, g)
	}
	return sp.room.err
}

type graphBuilder struct {
	sp    *CloningSpace
	g     *jobGraph
	job   *spaceJob
	tasks []int // phases of the job's tasks
	tries int
}

// jobKey sorts the tasks of each phase and names a job's state.
func (sp *CloningSpace) jobKey(key []byte, tasks []int, progress []int64, placed []uint8) []byte {
	n := len(sp.servers)
	for i := 1; i < len(tasks); i++ {
		for q := i; q > 0 && tasks[q-1] == tasks[q]; q-- {
			c := cmp.Compare(progress[q], progress[q-1])
			if c == 0 && placed != nil {
				c = bytes.Compare(placed[q*n:(q+1)*n], placed[(q-1)*n:q*n])
			}
			if c <= 0 {
				break
			}
			progress[q], progress[q-1] = progress[q-1], progress[q]
			if placed != nil {
				for s := range n {
					placed[q*n+s], placed[(q-1)*n+s] = placed[(q-1)*n+s], placed[q*n+s]
				}
			}
		}
	}
	for _, p := range progress {
		key = append(key, byte(p), byte(p>>8), byte(p>>16), byte(p>>24), byte(p>>32), byte(p>>40), byte(p>>48), byte(p>>56))
	}
	return append(key, placed...)
}

func (b *graphBuilder) node(n jobNode) int32 {
	key := string(b.sp.jobKey(nil, b.tasks, n.progress, n.placed))
	if at, ok := b.g.at[key]; ok {
		return at
	}
	at := int32(len(b.g.nodes))
	b.g.at[key] = at
	for i, k := range b.tasks {
		if n.progress[i] < b.sp.phases[k].need {
			n.open |= b.sp.bit(k)
		}
	}
	if len(n.progress) > 0 && n.open == 0 {
		b.g.end = at
	}
	b.g.nodes = append(b.g.nodes, n)
	return at
}

// bit stands for a phase among those that are open.
func (sp *CloningSpace) bit(k int) uint64 {
	if len(sp.phases) > 64 {
		return 1
	}
	return 1 << k
}

// expand finds a node's arcs. To wait is the first one, if nothing runs.
func (b *graphBuilder) expand(at int) {
	sp, from, n := b.sp, b.g.nodes[at], 1
	if sp.fixed {
		n = len(sp.servers)
	}
	done := func(k int) bool {
		for i, q := range b.tasks {
			if q == k && from.progress[i] < sp.phases[k].need {
				return false
			}
		}
		return true
	}
	ready := map[int]bool{}
	for k := b.job.from; k < b.job.to; k++ {
		ready[k] = !slices.ContainsFunc(sp.phases[k].parents, func(p int) bool { return !done(p) })
	}
	copies := make([]uint8, len(b.tasks)*n)
	copy(copies, from.placed)
	var try func(cell int)
	try = func(cell int) {
		if b.tries++; b.tries > graphArcs {
			return
		}
		if cell == len(copies) {
			b.add(at, copies)
			return
		}
		i := cell / n
		k := b.tasks[i]
		ph := &sp.phases[k]
		if from.progress[i] >= ph.need || !ready[k] {
			try(cell + 1)
			return
		}
		least, most := 0, len(ph.gain)
		if sp.fixed {
			least = int(copies[cell])
			most = min(most-tally(copies[i*n:cell])-tally(from.placed[cell+1:(i+1)*n]), sp.in.MaxCopiesPerServer)
		} else {
			for r, g := range ph.gain {
				if from.progress[i]+g >= ph.need {
					most = r + 1
					break
				}
			}
			if i > 0 && b.tasks[i-1] == k && from.progress[i-1] == from.progress[i] {
				most = min(most, int(copies[i-1]))
			}
		}
		for r := least; r <= most; r++ {
			copies[cell] = uint8(r)
			if r > least && !b.fits(copies, cell%n) {
				break
			}
			try(cell + 1)
		}
		copies[cell] = uint8(least)
	}
	try(0)
}

// fits reports whether copies find room in the empty cluster; in the nonpreemptive regime, on the given server.
func (b *graphBuilder) fits(copies []uint8, server int) bool {
	if !b.sp.fixed {
		return b.sp.room.fits(b.tasks, copies)
	}
	n := len(b.sp.servers)
	free := slices.Clone(b.sp.rooms[b.sp.servers[server]])
	for i, k := range b.tasks {
		c := int64(copies[i*n+server])
		size := b.sp.phases[k].size[b.sp.servers[server]]
		if c > 0 && size == nil {
			return false
		}
		for r, d := range size {
			if c > 0 && d > free[r]/c {
				return false
			}
			free[r] -= c * d
		}
	}
	return true
}

// add adds an arc unless one with no more copies leads to the same node.
func (b *graphBuilder) add(at int, copies []uint8) {
	sp := b.sp
	n := len(copies) / len(b.tasks)
	next := jobNode{progress: slices.Clone(b.g.nodes[at].progress)}
	if sp.fixed {
		next.placed = slices.Clone(copies)
	}
	arc := jobArc{copies: slices.Clone(copies)}
	for i, k := range b.tasks {
		r := tally(copies[i*n : (i+1)*n])
		if r == 0 {
			continue
		}
		if q := len(arc.buys); q > 0 && arc.buys[q-1].phase == k {
			arc.buys[q-1].copies += r
		} else {
			arc.buys = append(arc.buys, jobBuy{k, r})
		}
		next.progress[i] = sp.advance(k, next.progress[i], sp.phases[k].gain[r-1])
		if sp.fixed && next.progress[i] == sp.phases[k].need {
			clear(sp.row(next.placed, i))
		}
	}
	arc.next = b.node(next)
	node := &b.g.nodes[at]
	for _, a := range node.arcs {
		if a.next == arc.next && !slices.ContainsFunc(indices(copies), func(i int) bool { return a.copies[i] > copies[i] }) {
			return
		}
	}
	node.arcs = append(node.arcs, arc)
}

func indices(list []uint8) []int {
	all := make([]int, len(list))
	for i := range all {
		all[i] = i
	}
	return all
}

// count finds, by node, the least number of slots to the end.
func (g *jobGraph) count() error {
	g.free = make([]int64, len(g.nodes))
	before := make([][]int32, len(g.nodes))
	for s := range g.nodes {
		g.free[s] = -1
		for _, a := range g.nodes[s].arcs {
			before[a.next] = append(before[a.next], int32(s))
		}
	}
	g.free[g.end] = 0
	queue := []int32{g.end}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, s := range before[queue[0]] {
			if g.free[s] < 0 {
				g.free[s] = g.free[queue[0]] + 1
				queue = append(queue, s)
			}
		}
	}
	if slices.Contains(g.free, -1) {
		return errors.New("a job can come to a state that it cannot go on from")
	}
	return nil
}
