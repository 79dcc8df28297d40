// Package values prices what is left of every job of cloning, alone, from any state of it and any moment on.
//
// A job's graph has a node for every multiset of its tasks' progress, phase by phase; an arc is a slot with some copies. Given a
// price of a copy of each phase in each slot, a Table holds, for every moment and node, the least price at which the job can
// still be completed, its remaining slots in the system included. With what servers are worth at the prices (Market.Worth) that
// bounds every partial schedule: slots spent so far, plus the tables at the jobs' states, less the worth of the slots to come.
// docs/bounds-cloning.md#states has the proof. All sums are of integers.
package values

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"slices"
)

// A Job is what the graph of a job is made of.
type Job struct {
	Arrival int
	Phases  []Phase
}

// A Phase is n tasks with the progress that each needs and what a slot in 1, 2, … copies brings, in whole units.
type Phase struct {
	Tasks   int
	Parents []int // places in Job.Phases
	Need    int64
	Gain    []int64
}

// A Graph is the states of a job; node 0 is the beginning.
type Graph struct {
	End     int32
	Phase   []int // by task, its phase
	Servers int   // by which copies differ: all of the cluster where they must go on, otherwise 1
	Nodes   []Node
	Earlier []int32 // by node, the least number of slots in which it is reached
	Free    []int32 // by node, the least number of slots to the end
	buys    [][]Buy // the different purchases of arcs
	order   []int32 // the nodes, each after all those that follow it
	from    []int32 // by node, its first arc in next and buy, those that stay at the node first; one more at the end
	waits   []int   // by node, the number of arcs that stay
	next    []int32 // by arc
	buy     []int32 // by arc, its place in buys
	at      map[string]int32
	key     []byte
	sums    [][]int64 // by phase, what whole slots may bring, in order, up to the first that is enough; nil: too many
	need    []int64   // by phase
	gain    [][]int64
}

// A Node is a state of a job. Progress is sorted within phases, the most advanced task first.
type Node struct {
	Progress []int64
	Running  []uint8 // by task and server, copies that have to go on; nil if copies may stop
	Arcs     []Arc
}

// An Arc is a slot: copies by task of the node and server, and the node after it.
type Arc struct {
	Copies []uint8
	Buys   []Buy
	Next   int32
}

// A Buy is a number of copies of a phase of the job.
type Buy struct {
	Phase  int32
	Copies int32
}

// Limits of a graph, beyond which there is none, and of the sums of gains of a phase, beyond which progress is not rounded.
const (
	maxNodes = 30_000
	maxArcs  = 200_000
	maxFrom  = 1<<16 - 1 // arcs from a node, which are numbered by 16 bits
	maxSums  = 5_000
)

// NewGraph builds the graph of a job. servers is 0 where copies may stop, otherwise the number of servers: copies run there until
// their task completes. fits says which copies the cluster holds in a slot where nothing else of the job runs, by task and server,
// given the tasks' phases. The graph is nil when it would be too large, or when ctx ends.
func NewGraph(ctx context.Context, job *Job, servers int, fits func(phase []int, copies []uint8) bool) *Graph {
	g := &Graph{at: map[string]int32{}, Servers: max(1, servers)}
	for k := range job.Phases {
		for range job.Phases[k].Tasks {
			g.Phase = append(g.Phase, k)
		}
		g.need, g.gain = append(g.need, job.Phases[k].Need), append(g.gain, job.Phases[k].Gain)
		g.sums = append(g.sums, sums(&job.Phases[k]))
	}
	b := builder{Graph: g, ctx: ctx, job: job, fixed: servers > 0, fits: fits}
	if !b.build() {
		return nil
	}
	return g
}

// sums lists what slots in any numbers of copies may bring together, up to the first sum that is the whole need.
func sums(ph *Phase) []int64 {
	list := []int64{0}
	for at := 0; ; at++ {
		if list[at] >= ph.Need {
			return list[:at+1]
		}
		for _, g := range ph.Gain {
			x := list[at] + g
			i, known := slices.BinarySearch(list, x)
			if !known {
				list = slices.Insert(list, i, x)
			}
		}
		if len(list) > maxSums {
			return nil
		}
	}
}

// Round is the least progress of a task of phase k that is as good as the given one: what is left is raised to the next sum that
// slots can bring, which takes the same slots.
func (g *Graph) Round(k int, progress int64) int64 {
	if progress <= 0 || progress >= g.need[k] || g.sums[k] == nil {
		return min(max(progress, 0), g.need[k])
	}
	i, _ := slices.BinarySearch(g.sums[k], g.need[k]-progress)
	return max(0, g.need[k]-g.sums[k][i])
}

// Find returns the node of a state, or −1. Progress is rounded, and sorted within phases.
func (g *Graph) Find(progress []int64, running []uint8) int32 {
	g.key = appendKey(g.key[:0], progress, running)
	if at, ok := g.at[string(g.key)]; ok {
		return at
	}
	return -1
}

func appendKey(key []byte, progress []int64, running []uint8) []byte {
	for _, p := range progress {
		key = binary.LittleEndian.AppendUint64(key, uint64(p))
	}
	return append(key, running...)
}

type builder struct {
	*Graph
	ctx   context.Context
	job   *Job
	fixed bool
	fits  func(phase []int, copies []uint8) bool
	arcs  int
}

func (b *builder) node(progress []int64, running []uint8) int32 {
	b.sort(progress, running)
	if at := b.Find(progress, running); at >= 0 {
		return at
	}
	at := int32(len(b.Nodes))
	b.at[string(b.key)] = at
	b.Nodes = append(b.Nodes, Node{Progress: progress, Running: running})
	return at
}

// row is a task's copies by server.
func (g *Graph) row(copies []uint8, task int) []uint8 {
	return copies[task*g.Servers : (task+1)*g.Servers]
}

// ended reports whether all tasks of phase k are done in a node.
func (g *Graph) ended(node int32, k int) bool {
	for i, q := range g.Phase {
		if q == k && g.Nodes[node].Progress[i] < g.need[k] {
			return false
		}
	}
	return true
}

// After says where the tasks of a node are after an arc with some copies: by place in the next node, the place before.
func (g *Graph) After(node int32, copies []uint8) []int {
	from := &g.Nodes[node]
	progress, running := slices.Clone(from.Progress), slices.Clone(copies)
	places := make([]int, len(g.Phase))
	for i, k := range g.Phase {
		places[i] = i
		if r := total(g.row(copies, i)); r > 0 {
			progress[i] = g.Round(k, progress[i]+g.gain[k][r-1])
			if progress[i] == g.need[k] {
				clear(g.row(running, i))
			}
		}
	}
	slices.SortStableFunc(places, func(a, b int) int {
		c := cmp.Or(cmp.Compare(g.Phase[a], g.Phase[b]), cmp.Compare(progress[b], progress[a]))
		if c == 0 && from.Running != nil {
			c = bytes.Compare(g.row(running, b), g.row(running, a))
		}
		return c
	})
	return places
}

// sort brings the tasks of each phase into order: the most progress first, then by what runs.
func (b *builder) sort(progress []int64, running []uint8) {
	for i := 1; i < len(b.Phase); i++ {
		for q := i; q > 0 && b.Phase[q-1] == b.Phase[q]; q-- {
			later := progress[q] > progress[q-1] ||
				running != nil && progress[q] == progress[q-1] && bytes.Compare(b.row(running, q), b.row(running, q-1)) > 0
			if !later {
				break
			}
			progress[q], progress[q-1] = progress[q-1], progress[q]
			if running != nil {
				for s, r := range b.row(running, q) {
					running[q*b.Servers+s], running[(q-1)*b.Servers+s] = running[(q-1)*b.Servers+s], r
				}
			}
		}
	}
}

func (b *builder) build() bool {
	var running []uint8
	if b.fixed {
		running = make([]uint8, len(b.Phase)*b.Servers)
	}
	b.node(make([]int64, len(b.Phase)), running)
	for at := 0; at < len(b.Nodes); at++ {
		b.expand(at)
		from := len(b.Nodes[at].Arcs)
		if b.arcs += from; len(b.Nodes) > maxNodes || b.arcs > maxArcs || from >= maxFrom {
			return false
		}
	}
	b.count()
	return true
}

func (b *builder) ready(progress []int64, k int) bool {
	for i, q := range b.Phase {
		if progress[i] < b.job.Phases[q].Need && slices.Contains(b.job.Phases[k].Parents, q) {
			return false
		}
	}
	return true
}

// expand finds a node's arcs. The first is to wait, if the node may.
func (b *builder) expand(at int) {
	from := b.Nodes[at]
	copies := make([]uint8, len(b.Phase)*b.Servers)
	tries := 0
	var try func(cell int)
	try = func(cell int) {
		if tries++; tries > maxArcs || b.ctx.Err() != nil {
			b.arcs = maxArcs + 1
			return
		}
		if cell == len(copies) {
			b.add(at, copies)
			return
		}
		i := cell / b.Servers
		ph := &b.job.Phases[b.Phase[i]]
		if from.Progress[i] == ph.Need || !b.ready(from.Progress, b.Phase[i]) {
			copies[cell] = 0
			try(cell + 1)
			return
		}
		least, most := 0, len(ph.Gain)
		if b.fixed {
			least = int(from.Running[cell])
			most -= total(copies[i*b.Servers : cell])
		}
		for r := least; r <= most; r++ {
			copies[cell] = uint8(r)
			if r > least && !b.fits(b.Phase, copies) {
				break
			}
			try(cell + 1)
		}
		copies[cell] = 0
		if b.fixed {
			copies[cell] = from.Running[cell]
		}
	}
	if b.fixed {
		copy(copies, from.Running)
	}
	try(0)
}

func total(copies []uint8) int {
	n := 0
	for _, c := range copies {
		n += int(c)
	}
	return n
}

// add adds the arc of some copies to a node, unless one with no more copies leads to the same node.
func (b *builder) add(at int, copies []uint8) {
	progress := slices.Clone(b.Nodes[at].Progress)
	var running []uint8
	if b.fixed {
		running = slices.Clone(copies)
	}
	var buys []Buy
	for i, k := range b.Phase {
		r := total(b.row(copies, i))
		if r == 0 {
			continue
		}
		if n := len(buys); n > 0 && buys[n-1].Phase == int32(k) {
			buys[n-1].Copies += int32(r)
		} else {
			buys = append(buys, Buy{int32(k), int32(r)})
		}
		progress[i] = b.Round(k, progress[i]+b.job.Phases[k].Gain[r-1])
		if b.fixed && progress[i] == b.need[k] {
			clear(b.row(running, i))
		}
	}
	next := b.node(progress, running)
	arcs := b.Nodes[at].Arcs
	for _, a := range arcs {
		if a.Next == next && within(a.Copies, copies) {
			return
		}
	}
	b.Nodes[at].Arcs = append(arcs, Arc{Copies: slices.Clone(copies), Buys: buys, Next: next})
}

// within reports whether a has nowhere more copies than b.
func within(a, b []uint8) bool {
	for i, r := range a {
		if r > b[i] {
			return false
		}
	}
	return true
}

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

// count finds the end, and by node the slots from the beginning and to the end.
func (b *builder) count() {
	end := make([]int64, len(b.Phase))
	for i, k := range b.Phase {
		end[i] = b.need[k]
	}
	var running []uint8
	if b.fixed {
		running = make([]uint8, len(b.Phase)*b.Servers)
	}
	b.End = b.Find(end, running)
	for s := range b.Nodes {
		b.from = append(b.from, int32(len(b.next)))
		for _, stays := range []bool{true, false} {
			for _, a := range b.Nodes[s].Arcs {
				if (int(a.Next) == s) != stays {
					continue
				}
				at := slices.IndexFunc(b.buys, func(l []Buy) bool { return slices.Equal(l, a.Buys) })
				if at < 0 {
					at = len(b.buys)
					b.buys = append(b.buys, a.Buys)
				}
				b.next, b.buy = append(b.next, a.Next), append(b.buy, int32(at))
			}
			if stays {
				b.waits = append(b.waits, len(b.next)-int(b.from[s]))
			}
		}
	}
	b.from = append(b.from, int32(len(b.next)))
	b.rank()
	b.Earlier = b.after(0)
	b.Free = slices.Repeat([]int32{far}, len(b.Nodes))
	b.Free[b.End] = 0
	for changed := true; changed; {
		changed = false
		for s := len(b.Nodes) - 1; s >= 0; s-- {
			for _, a := range b.Nodes[s].Arcs {
				if f := b.Free[a.Next] + 1; f < b.Free[s] {
					b.Free[s], changed = f, true
				}
			}
		}
	}
}

// rank orders the nodes, each after all those that follow it. There are no cycles but arcs that stay: progress and, until a task is
// done, its copies do not fall.
func (b *builder) rank() {
	left := make([]int32, len(b.Nodes)) // arcs not looked at
	seen := make([]bool, len(b.Nodes))
	stack := []int32{0}
	seen[0], left[0] = true, b.from[1]-b.from[0]
	for len(stack) > 0 {
		s := stack[len(stack)-1]
		if left[s] == 0 {
			b.order, stack = append(b.order, s), stack[:len(stack)-1]
			continue
		}
		left[s]--
		if next := b.next[b.from[s]+left[s]]; !seen[next] {
			seen[next], left[next] = true, b.from[next+1]-b.from[next]
			stack = append(stack, next)
		}
	}
}
