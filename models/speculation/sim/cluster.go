package sim

import (
	"math"
	"math/rand/v2"

	"schedgap/models/heap"
)

// A node's attempts share one pace. Its clock shows the time that an attempt would have run alone on it since time 0, so that
// a change of pace moves no attempt's end on the clock.
type node struct {
	slowness  float64
	corePower float64 // W
	clock     float64 // at since
	since     float64
	stretch   float64 // seconds for one of the clock
	running   int32
	next      int32 // slot whose attempt ends first
	changed   bool  // since its next end was last found
}

func (n *node) clockAt(now float64) float64 { return n.clock + (now-n.since)/n.stretch }

// A slot runs one attempt at a time.
type slot struct {
	attempt
	node  int32
	fresh bool // became free at this moment
	// pace is T_h of section 5.2.1: the time, without loading, of the latest attempt here that did not straggle, over the mean
	// size of its job's tasks; 0: there was none.
	pace float64
	// reserved is the straggler that gets a copy here once the attempt ends; its job is −1 without one.
	reserved struct{ job, task int32 }
}

// An attempt occupies a slot. The order of the fields makes a slot fill a line of the processor's cache.
type attempt struct {
	job, task   int32 // job −1: the slot is free
	place       int32 // among the job's
	remote      bool  // loads its input
	copy        bool
	straggles   bool
	begin       float64
	from, until float64 // on the node's clock
}

// A cluster is the state of nodes and slots.
type cluster struct {
	nodes     []node
	slots     []slot // node by node
	stretches []float64
	ends      heap.Indexed // nodes by the next end of an attempt
	room      heap.Indexed // nodes with free slots by running attempts
	changed   []int32      // nodes
	free      int          // slots
	fresh     []int32      // slots that became free at this moment; they may be taken again
	freshFree int          // of fresh, those not taken
	paceSum   float64      // of all paces ever found
	paces     int
}

func newCluster(o *options, seed uint64) cluster {
	rng := rand.New(rand.NewPCG(seed, 1))
	slowness := unequal(o.NodeCount, 1, o.Heterogeneity, rng)
	power := unequal(o.NodeCount, 2*CorePower/(1+o.CorePowers), 2*CorePower*o.CorePowers/(1+o.CorePowers), rng)
	c := cluster{
		nodes: make([]node, o.NodeCount), slots: make([]slot, o.NodeCount*o.PerNode), free: o.NodeCount * o.PerNode,
		ends: heap.NewIndexed(o.NodeCount), room: heap.NewIndexed(o.NodeCount), stretches: make([]float64, o.PerNode+1),
	}
	contention := o.Contention
	if o.ByNode {
		contention = 1
		for i, x := range unequal(o.NodeCount, 1, o.Contention, rand.New(rand.NewPCG(seed, 2))) {
			slowness[i] *= x
		}
	}
	c.stretches[0] = 1
	for k := range o.PerNode {
		c.stretches[k+1] = 1 + (contention-1)*float64(k)/math.Max(1, float64(o.PerNode-1))
	}
	for i := range c.nodes {
		c.nodes[i] = node{slowness: slowness[i], corePower: power[i], stretch: 1}
		c.room.Set(int32(i), 0)
	}
	for i := range c.slots {
		c.slots[i].node, c.slots[i].job, c.slots[i].reserved.job = int32(i/o.PerNode), -1, -1
	}
	return c
}

// emptiest is a free slot of the node with least running attempts; there must be one.
func (e *engine) emptiest() int32 {
	at := e.room.Top() * int32(e.PerNode)
	for e.slots[at].job >= 0 {
		at++
	}
	return at
}

// load changes the number of attempts on a node.
func (e *engine) load(id, by int32) {
	n := &e.nodes[id]
	n.clock, n.since = n.clockAt(e.Now), e.Now
	n.running += by
	n.stretch = e.stretches[n.running]
	e.free -= int(by)
	if int(n.running) < e.PerNode {
		e.room.Set(id, float64(n.running))
	} else {
		e.room.Remove(id)
	}
	if !n.changed {
		n.changed = true
		e.changed = append(e.changed, id)
	}
}

// settle finds the next ends on the nodes that changed.
func (e *engine) settle() {
	for _, id := range e.changed {
		n := &e.nodes[id]
		n.changed = false
		if n.running == 0 {
			e.ends.Remove(id)
			continue
		}
		first := math.Inf(1)
		begin := id * int32(e.PerNode)
		for i := range e.slots[begin : begin+int32(e.PerNode)] {
			if a := &e.slots[begin+int32(i)].attempt; a.job >= 0 && a.until < first {
				n.next, first = begin+int32(i), a.until
			}
		}
		e.ends.Set(id, max(e.Now, e.Now+(first-n.clock)*n.stretch))
	}
	e.changed = e.changed[:0]
}

// launch starts an attempt of a task on a free slot.
func (e *engine) launch(id, i, at int32, isCopy bool) {
	s, sl := &e.states[id], &e.slots[at]
	where := sl.node
	e.load(where, 1)
	if sl.fresh {
		sl.fresh = false
		e.freshFree--
	}
	slower, size := e.slower(id, i, isCopy), e.size(id, i)
	work := size * slower * e.nodes[where].slowness
	if !isCopy { // each task has one
		x := size * slower
		if slower > 1 {
			x = min(x, size*e.slower(id, i, true))
		}
		s.least.add(x)
	}
	remote := e.loads(e.replicasOf(id, i), where)
	if remote {
		work += e.Jobs[id].Input / e.Bandwidth
	}
	clock := e.nodes[where].clock
	sl.attempt = attempt{
		job: id, task: i, place: int32(len(s.running)), begin: e.Now, from: clock, until: clock + work,
		remote: remote, copy: isCopy, straggles: slower > 1,
	}
	s.running = append(s.running, at)
	if len(s.running) == 1 {
		e.serving++
	}
	if isCopy {
		s.tasks[i].copy = at
		e.copies++
	} else {
		s.tasks[i].original = at
	}
	e.tell(Launched, id, i, at)
}

// release takes an attempt off its slot, at its end or killed.
func (e *engine) release(at int32, won bool) {
	sl := &e.slots[at]
	a := &sl.attempt
	id, s := a.job, &e.states[a.job]
	e.load(e.slots[at].node, -1)
	e.account(at, won)
	if won {
		e.tell(Completed, id, a.task, at)
	} else {
		e.tell(Killed, id, a.task, at)
	}
	last := s.running[len(s.running)-1]
	s.running[a.place] = last
	e.slots[last].place = a.place
	s.running = s.running[:len(s.running)-1]
	if len(s.running) == 0 {
		e.serving--
	}
	if a.copy {
		s.tasks[a.task].copy = -1
	} else {
		s.tasks[a.task].original = -1
	}
	a.job = -1
	sl.fresh = true
	e.fresh = append(e.fresh, at)
	e.freshFree++
}

// complete ends a task with the attempt on a slot.
func (e *engine) complete(at int32) {
	a := e.slots[at].attempt
	s := &e.states[a.job]
	t := &s.tasks[a.task]
	other := t.original
	if !a.copy {
		other = t.copy
	}
	e.release(at, true)
	if other >= 0 {
		e.release(other, false)
	}
	t.done = true
	if t.reserved >= 0 {
		e.slots[t.reserved].reserved.job = -1
		t.reserved = -1
	}
	s.left--
	e.remaining--
	took := e.Now - a.begin
	s.timeSum += took
	first := s.fastest == 0
	if first || took < s.fastest {
		s.fastest = took
	}
	e.remember(at, &a, took)
	e.redeem(at)
	if other >= 0 {
		e.redeem(other)
	}
	switch {
	case s.left == 0:
		e.endJob(a.job)
	case first && e.assign != nil:
		e.checks.Set(a.job, e.Now+e.period(s))
	}
	e.queueJob(a.job)
}

// remember notes the pace of an attempt that, to the scheduler, did not straggle.
func (e *engine) remember(at int32, a *attempt, took float64) {
	s, j := &e.states[a.job], &e.Jobs[a.job]
	if took > threshold*s.meanTime() {
		return
	}
	if a.remote {
		took -= j.Input / e.Bandwidth
	}
	pace := max(took, 1e-9*(e.Now-a.begin)) / j.Mean // where loading is nearly all, rounding may leave nothing
	e.slots[at].pace = pace
	e.paceSum += pace
	e.paces++
}

// redeem launches the copy that a slot which became free is reserved for.
func (e *engine) redeem(at int32) {
	r := &e.slots[at].reserved
	if r.job < 0 {
		return
	}
	id, i := r.job, r.task
	r.job = -1
	e.states[id].tasks[i].reserved = -1
	e.launch(id, i, at, true)
	e.queueJob(id)
}
