package kernel

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Graph is the states of a job, alone on the cluster: node 0 is the beginning, an arc is a slot with some copies.
type Graph struct {
	Phase []int // by task, its phase, counted in the job
	Nodes []Node
	End   int32
	Free  []int32 // by node, the least number of slots to the end
	at    map[string]int32
}

// A Node is a state of a job's tasks, sorted within phases, the most advanced first. In the nonpreemptive regime copies that run
// go on.
type Node struct {
	Progress []int64
	Running  []uint8 // by task and server; nil in the preemptive regime
	Open     uint64  // phases that are not done, counted through all jobs, modulo 64
	Arcs     []Arc
}

// An Arc is a slot: copies by task and, in the nonpreemptive regime, server, and the node after it.
type Arc struct {
	Copies []uint8
	Buys   []Buy // by phase of the job
	Next   int32
}

// A Buy is copies of a phase.
type Buy struct{ Phase, Copies int32 }

// Limits of the graphs of an instance, of that of a job, and of the sums of gains of a phase, beyond which progress is not
// rounded.
const (
	mostArcs   = 500_000   // of all jobs together
	triesByArc = 8         // tries to find each of them
	mostNodes  = 1 << 16   // of a job, which 16 bits number
	mostFrom   = 1<<16 - 1 // arcs from a node
	mostSums   = 5_000
	mostPhases = 64    // of a job, the bits of a node's open phases
	sumPhases  = 1_000 // up to which sums are listed
)

var errGraph = errors.New("the jobs have too many states")

// sumsOf lists what whole slots may bring a task of phase k together, up to the first sum that is enough; nil: too many.
func (sp *Space) sumsOf(k int) []int64 {
	ph := &sp.Phases[k]
	if sp.sums[k] != nil || len(sp.Phases) > sumPhases {
		return sp.sums[k]
	}
	list := []int64{0}
	for at := 0; list[at] < ph.Need; at++ {
		for _, g := range ph.Gain {
			if i, known := slices.BinarySearch(list, list[at]+g); !known {
				list = slices.Insert(list, i, list[at]+g)
			}
		}
		if len(list) > mostSums {
			list = []int64{}
			break
		}
	}
	sp.sums[k] = list
	return list
}

// Advance is the progress of a task of phase k after a slot in r copies, rounded down to the least that takes the same slots:
// what is left is raised to the next sum that slots can bring.
func (sp *Space) Advance(k int, progress int64, r int) int64 {
	need, by := sp.Phases[k].Need, sp.Phases[k].Gain[r-1]
	if progress >= need-by {
		return need
	}
	progress += by
	sums := sp.sumsOf(k)
	if len(sums) == 0 {
		return progress
	}
	i, _ := slices.BinarySearch(sums, need-progress)
	return max(0, need-sums[i])
}

// Graph is the graph of job j.
func (sp *Space) Graph(ctx context.Context, j int) (*Graph, error) {
	job := &sp.Jobs[j]
	if job.To-job.From > mostPhases {
		return nil, fmt.Errorf("a job has more than %d phases", mostPhases)
	}
	b := builder{Graph: &Graph{at: map[string]int32{}, End: -1}, sp: sp, job: job}
	first := Node{}
	for k := job.From; k < job.To; k++ {
		for range sp.Phases[k].Tasks() {
			b.Phase = append(b.Phase, k-job.From)
		}
	}
	first.Progress = make([]int64, len(b.Phase))
	if sp.Fixed {
		first.Running = make([]uint8, len(b.Phase)*len(sp.Servers))
	}
	b.node(first)
	for at := 0; at < len(b.Nodes); at++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.expand(at)
		sp.arcs += len(b.Nodes[at].Arcs)
		if b.givesUp(at) || len(b.Nodes) > mostNodes || sp.arcs > sp.Arcs {
			return nil, errGraph
		}
	}
	if err := sp.Err(); err != nil {
		return nil, err
	}
	return b.Graph, b.count()
}

// Find is the node of a state, −1 where there is none. Tasks are sorted.
func (g *Graph) Find(progress []int64, running []uint8) int32 {
	if at, ok := g.at[key(progress, running)]; ok {
		return at
	}
	return -1
}

func key(progress []int64, running []uint8) string {
	k := make([]byte, 0, 8*len(progress)+len(running))
	for _, p := range progress {
		k = binary.LittleEndian.AppendUint64(k, uint64(p))
	}
	return string(append(k, running...))
}

type builder struct {
	*Graph
	sp  *Space
	job *Job
}

// node is the number of a state's node. It owns the state.
func (b *builder) node(n Node) int32 {
	name := key(n.Progress, n.Running)
	if at, ok := b.at[name]; ok {
		return at
	}
	at := int32(len(b.Nodes))
	b.at[name] = at
	for i, k := range b.Phase {
		k += b.job.From
		if n.Progress[i] < b.sp.Phases[k].Need {
			n.Open |= 1 << (k % 64)
		}
	}
	if n.Open == 0 {
		b.End = at
	}
	b.Nodes = append(b.Nodes, n)
	return at
}

// row is a task's copies by server.
func row(copies []uint8, i, servers int) []uint8 { return copies[i*servers : (i+1)*servers] }

// Tally is how many copies there are.
func Tally(copies []uint8) int {
	n := 0
	for _, c := range copies {
		n += int(c)
	}
	return n
}

// ended reports whether all tasks of a phase of the job are done in a node.
func (b *builder) ended(n *Node, k int) bool {
	for i, q := range b.Phase {
		if q == k-b.job.From && n.Progress[i] < b.sp.Phases[k].Need {
			return false
		}
	}
	return true
}

// An expansion finds the arcs of one node by recursion over the tasks.
type expansion struct {
	*builder
	at      int
	from    Node
	ready   []bool  // by phase of the job, whether its parents are done
	copies  []uint8 // chosen so far, by task; nonpreemptive by task and server
	servers int     // entries of copies for each task: 1, nonpreemptive the servers
}

// expand finds a node's arcs. The first one is to wait, if nothing runs.
func (b *builder) expand(at int) {
	e := &expansion{builder: b, at: at, from: b.Nodes[at], servers: 1, ready: make([]bool, b.job.To-b.job.From)}
	for k := range e.ready {
		e.ready[k] = !slices.ContainsFunc(b.sp.Phases[b.job.From+k].Parents, func(p int) bool { return !b.ended(&e.from, p) })
	}
	if b.sp.Fixed {
		e.servers = len(b.sp.Servers)
	}
	e.copies = make([]uint8, len(b.Phase)*e.servers)
	copy(e.copies, e.from.Running)
	if b.sp.Fixed {
		e.place(0)
		return
	}
	e.number(0, b.sp.Empty)
}

// place chooses, nonpreemptive, the copies of the task and server of a cell and then those of the cells after it. Running copies
// go on, so the numbers begin at theirs.
func (e *expansion) place(cell int) {
	if e.exhausted() {
		return
	}
	n := e.servers
	if i := cell/n - 1; cell%n == 0 && e.alike(i) && bytes.Compare(row(e.copies, i-1, n), row(e.copies, i, n)) < 0 {
		return // of tasks alike the first run in the most copies
	}
	if cell == len(e.copies) {
		e.add(e.at, e.copies)
		return
	}
	i := cell / n
	if e.idle(i) {
		e.place(cell + n)
		return
	}
	least := e.copies[cell]
	most := min(
		len(e.phase(i).Gain)-Tally(e.copies[i*n:cell])-Tally(e.from.Running[cell+1:(i+1)*n]), e.sp.In.MaxCopiesPerServer)
	for r := int(least); r <= most; r++ {
		e.copies[cell] = uint8(r)
		if r > int(least) && !e.fits(e.copies, cell%n) {
			break
		}
		e.place(cell + 1)
	}
	e.copies[cell] = least
}

// number chooses, preemptive, how many copies task i has and then those of the tasks after it, given the set that the tasks before
// it hold.
func (e *expansion) number(i int, held *Set) {
	if e.exhausted() {
		return
	}
	if i == len(e.copies) {
		e.add(e.at, e.copies)
		return
	}
	if e.idle(i) {
		e.number(i+1, held)
		return
	}
	ph := e.phase(i)
	most := ph.Use(e.from.Progress[i])
	if e.alike(i) {
		most = min(most, int(e.copies[i-1]))
	}
	// Tasks come most progress first.
	if !e.sp.Level || len(ph.Gain) > 1 || !e.ahead(i) {
		e.number(i+1, held)
	}
	for r := 1; r <= most; r++ {
		with := e.sp.With(held, e.sp.Item(e.job.From+e.Phase[i], r))
		if with == nil {
			break
		}
		e.copies[i] = uint8(r)
		e.number(i+1, with)
	}
	e.copies[i] = 0
}

// exhausted counts a try and reports whether the graph is given up.
func (e *expansion) exhausted() bool {
	e.sp.Tries++
	return e.givesUp(e.at)
}

// givesUp reports whether there were too many tries, or arcs from a node.
func (b *builder) givesUp(at int) bool {
	return b.sp.Tries > triesByArc*b.sp.Arcs || len(b.Nodes[at].Arcs) >= mostFrom
}

// phase is that of task i.
func (e *expansion) phase(i int) *Phase { return &e.sp.Phases[e.job.From+e.Phase[i]] }

// idle reports whether task i is done or waits for a parent phase.
func (e *expansion) idle(i int) bool {
	return e.from.Progress[i] >= e.phase(i).Need || !e.ready[e.Phase[i]]
}

// alike reports whether task i is in the state of the task before it.
func (e *expansion) alike(i int) bool { return e.Alike(&e.from, i) }

// Alike reports whether task i of a node is in the state of the task before it.
func (g *Graph) Alike(n *Node, i int) bool {
	servers := len(n.Running) / len(g.Phase)
	return i > 0 && g.Phase[i-1] == g.Phase[i] && n.Progress[i-1] == n.Progress[i] &&
		bytes.Equal(row(n.Running, i-1, servers), row(n.Running, i, servers))
}

// ahead reports whether a task of the phase of task i runs that has more progress.
func (e *expansion) ahead(i int) bool {
	for q := i - 1; q >= 0 && e.Phase[q] == e.Phase[i]; q-- {
		if e.copies[q] > 0 && e.from.Progress[q] > e.from.Progress[i] {
			return true
		}
	}
	return false
}

// fits reports whether copies that go on find room on a server that holds nothing else.
func (b *builder) fits(copies []uint8, server int) bool {
	n, class := len(b.sp.Servers), b.sp.Servers[server]
	free := slices.Clone(b.sp.Classes[class].room)
	for i, k := range b.Phase {
		c := int64(copies[i*n+server])
		if c == 0 {
			continue
		}
		size := b.sp.Phases[b.job.From+k].size[class]
		if size == nil || !within(size, free, c) {
			return false
		}
		add(free, size, -c)
	}
	return true
}

// After returns the state of a node after a slot with some copies, and by place in it where each task was before.
func (sp *Space) After(job int, g *Graph, from *Node, copies []uint8) (places []int, next Node) {
	n, first := len(copies)/len(g.Phase), sp.Jobs[job].From
	progress, running := slices.Clone(from.Progress), slices.Clone(copies)
	for i, k := range g.Phase {
		places = append(places, i)
		if r := Tally(row(copies, i, n)); r > 0 {
			progress[i] = sp.Advance(first+k, progress[i], r)
			if progress[i] == sp.Phases[first+k].Need {
				clear(row(running, i, n))
			}
		}
	}
	slices.SortStableFunc(places, func(a, b int) int {
		c := cmp.Or(cmp.Compare(g.Phase[a], g.Phase[b]), cmp.Compare(progress[b], progress[a]))
		if c == 0 && sp.Fixed {
			c = bytes.Compare(row(running, b, n), row(running, a, n))
		}
		return c
	})
	for _, i := range places {
		next.Progress = append(next.Progress, progress[i])
		if sp.Fixed {
			next.Running = append(next.Running, row(running, i, n)...)
		}
	}
	return places, next
}

// add adds an arc unless one with no more copies leads to the same node.
func (b *builder) add(at int, copies []uint8) {
	_, next := b.sp.After(b.sp.Phases[b.job.From].Job, b.Graph, &b.Nodes[at], copies)
	arc := Arc{Copies: slices.Clone(copies), Next: b.node(next)}
	n := len(copies) / len(b.Phase)
	for i, k := range b.Phase {
		if r := Tally(row(copies, i, n)); r == 0 {
			continue
		} else if q := len(arc.Buys); q > 0 && arc.Buys[q-1].Phase == int32(k) {
			arc.Buys[q-1].Copies += int32(r)
		} else {
			arc.Buys = append(arc.Buys, Buy{int32(k), int32(r)})
		}
	}
	for _, a := range b.Nodes[at].Arcs {
		if a.Next == arc.Next && NoMore(a.Copies, copies) {
			return
		}
	}
	b.Nodes[at].Arcs = append(b.Nodes[at].Arcs, arc)
}

// NoMore reports whether a is nowhere more than b.
func NoMore[N uint8 | int | int64](a, b []N) bool {
	for i, v := range a {
		if v > b[i] {
			return false
		}
	}
	return true
}

// Ahead reports whether every task is as advanced in node a as in node b.
func (g *Graph) Ahead(a, b int32) bool { return NoMore(g.Nodes[b].Progress, g.Nodes[a].Progress) }

// count finds, by node, the least number of slots to the end.
func (b *builder) count() error {
	const none = math.MaxInt32
	if b.End < 0 {
		return errGraph
	}
	b.Free = slices.Repeat([]int32{none}, len(b.Nodes))
	b.Free[b.End] = 0
	for changed := true; changed; {
		changed = false
		for s, n := range slices.Backward(b.Nodes) {
			for _, a := range n.Arcs {
				if b.Free[a.Next] < b.Free[s]-1 {
					b.Free[s], changed = b.Free[a.Next]+1, true
				}
			}
		}
	}
	if slices.Contains(b.Free, none) {
		return errors.New("a job can come to a state that it cannot go on from")
	}
	return nil
}
