package cloning

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/exact/verify/core"
	"schedgap/models/cloning"
)

// States is the kind of proof that follows all partial schedules from slot to slot
// (docs/bounds-and-proofs.md#proofs-of-cloning). Its lines are a solution, a guide, and for each moment the states that are gone
// on from or closed by their prices.
const States = "cloning-states"

// A Guide has the prices and states of jobs to which the states of a proof refer by place.
type Guide struct {
	// Prices are of copies, in 2^-12 slots, by phase, the jobs' one after the other, and by slot from the first arrival on.
	Prices [][][]int64 `json:"prices"`
	// States are by job the progress of each task, in units, and, nonpreemptive, then its running copies by server.
	States [][][]int64 `json:"states"`
}

// A Moment is the states at a moment, counted from the first arrival. A state is the place of its prices, in the
// preemptive regime the cost so far, and by job the place of its state.
type Moment struct {
	At   int     `json:"at"`
	Keep [][]int `json:"keep"`
}

// A state is a partial schedule up to a moment, or what its continuations depend on.
type state struct {
	at, cost, prices int
	nodes            []int32      // by job
	starts           int64        // nonpreemptive: the sum of all copies' starts
	fresh            []bool       // nonpreemptive: phases that may run from this very moment on
	free             kernel.Rooms // nonpreemptive: beside the copies of the slot before
}

func stateKey(nodes []int32) string {
	key := make([]byte, 0, 4*len(nodes))
	for _, s := range nodes {
		key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
	}
	return string(key)
}

// statesProof is a proof that is being read.
type statesProof struct {
	*kernel.Space
	*core.Reader
	graphs   []*kernel.Graph
	patterns *kernel.Patterns
	target   int // what no schedule may cost less than
	prices   []*slotPrices
	live     []*slotPrices // with tables
	cells    int           // of these tables
	nodes    [][]int32     // by job and place in the guide
	kept     map[int]*keptStates
	tried    int // of Tries, those that are accounted for
}

// keptStates are a moment's states in the order of the file; in the nonpreemptive regime without a cost until one of the key is
// reached.
type keptStates struct {
	line    int
	list    []*state
	reached []bool
	at      map[string]int // place in list by key
}

// checkStates checks that no schedule of the regime costs less than the bound.
func checkStates(r *core.Reader, in *cloning.Instance) error {
	if b := *r.Header.Bound; b != math.Trunc(b) || math.Abs(b) > mostCost {
		return fmt.Errorf("the bound %v is no whole number, or larger than %d", b, mostCost)
	}
	var guide Guide
	if err := r.Read(&guide); err != nil {
		return err
	}
	sp, err := kernel.New(in, r.Header.Reference == cloning.OptNonpreemptive)
	if err != nil {
		return err
	}
	m := &statesProof{Space: sp, Reader: r, target: int(*r.Header.Bound), kept: map[int]*keptStates{}}
	if err := m.guide(&guide); err != nil {
		return err
	}
	for r.Next < len(r.Lines) {
		if err := m.moment(); err != nil {
			return err
		}
	}
	return m.follow()
}

// guide reads prices and states. It checks shapes first: a file that does not match its instance must not make the jobs' graphs.
func (m *statesProof) guide(g *Guide) error {
	if len(g.Prices) == 0 || len(g.States) != len(m.Jobs) {
		return fmt.Errorf("%d prices and states of %d jobs, and there must be prices, and states of %d", len(g.Prices), len(g.States),
			len(m.Jobs))
	}
	for v, price := range g.Prices {
		p, err := m.price(price)
		if err != nil {
			return fmt.Errorf("prices[%d]: %w", v, err)
		}
		m.prices = append(m.prices, p)
	}
	for j, job := range m.Jobs {
		numbers := m.Phases[job.To-1].To - m.Phases[job.From].From
		if m.Fixed {
			numbers *= 1 + len(m.Servers)
		}
		for i, row := range g.States[j] {
			if len(row) != numbers {
				return fmt.Errorf("states[%d][%d] has %d numbers and must have %d", j, i, len(row), numbers)
			}
		}
	}
	if err := m.list(); err != nil {
		return err
	}
	for j, list := range g.States {
		var nodes []int32
		for i, row := range list {
			tasks := len(m.graphs[j].Phase)
			var running []uint8
			for _, c := range row[tasks:] {
				running = append(running, uint8(max(0, min(c, math.MaxUint8))))
			}
			s := m.graphs[j].Find(row[:tasks], running)
			if s < 0 {
				return fmt.Errorf("states[%d][%d]: no schedule has a job in such a state", j, i)
			}
			nodes = append(nodes, s)
		}
		m.nodes = append(m.nodes, nodes)
	}
	return nil
}

// list makes the jobs' graphs and the servers' patterns.
func (m *statesProof) list() error {
	states := 0
	for j := range m.Jobs {
		g, err := m.Graph(m.Context(), j)
		m.spendTries()
		if err == nil {
			err = m.Spent()
		}
		if err != nil {
			return fmt.Errorf("job %s: %w", m.In.Jobs[j].ID, err)
		}
		m.graphs = append(m.graphs, g)
		states += len(g.Nodes)
	}
	m.patterns = m.Patterns(slotSets, slotChoices)
	if m.patterns == nil {
		return fmt.Errorf("the servers hold too many sets of copies for prices by slot")
	}
	for v, p := range m.prices {
		if m.patterns.Held() > 1<<61/p.dearest {
			return fmt.Errorf("prices[%d]: the servers could earn more than can be counted", v)
		}
		if !Tables(len(p.price), states) {
			return fmt.Errorf("prices[%d]: the jobs have too many states for prices of so many slots", v)
		}
	}
	return nil
}

// spendTries accounts for the tries of arcs and packings since the last call.
func (m *statesProof) spendTries() {
	m.Spend(64 * (m.Tries - m.tried))
	m.tried = m.Tries
}

// moment reads the states of a moment.
func (m *statesProof) moment() error {
	var moment Moment
	if err := m.Read(&moment); err != nil {
		return err
	}
	if moment.At < 0 || int64(moment.At) > m.Horizon || m.kept[moment.At] != nil {
		return fmt.Errorf("the moment %d comes twice, or is none of a schedule", moment.At)
	}
	k := &keptStates{line: m.Next, at: make(map[string]int, len(moment.Keep)), reached: make([]bool, len(moment.Keep))}
	m.kept[moment.At] = k
	first := 2 // of the places of jobs' states
	if m.Fixed {
		first = 1
	}
	for n, row := range moment.Keep {
		if len(row) != first+len(m.Jobs) {
			return fmt.Errorf("keep[%d]: %d numbers, and it must have %d", n, len(row), first+len(m.Jobs))
		}
		st := &state{at: moment.At, prices: row[0]}
		if row[0] < 0 || row[0] >= len(m.prices) {
			return fmt.Errorf("keep[%d]: there are no prices %d", n, row[0])
		}
		if !m.Fixed {
			st.cost = row[1]
			if st.cost < 0 || st.cost >= max(1, m.target) {
				return fmt.Errorf("keep[%d]: the cost %d is not from 0 to less than the bound", n, st.cost)
			}
		}
		for j, at := range row[first:] {
			if at < 0 || at >= len(m.nodes[j]) {
				return fmt.Errorf("keep[%d]: job %d has no state %d", n, j, at)
			}
			st.nodes = append(st.nodes, m.nodes[j][at])
		}
		if _, twice := k.at[stateKey(st.nodes)]; !twice {
			k.at[stateKey(st.nodes)] = n
		}
		k.list = append(k.list, st)
		k.reached[n] = !m.Fixed
	}
	return nil
}

// follow takes the states of all moments in turn: whatever follows from one must be among them, or no better than one of them,
// or have a bound of at least the target.
func (m *statesProof) follow() error {
	root := &state{nodes: make([]int32, len(m.Jobs))}
	if m.Fixed {
		root.free = m.Rooms()
		root.fresh = m.mayBegin(root, nil)
	}
	m.Next = 2 // lines, to the guide
	if m.bound(root) < m.target {
		if err := m.take(root); err != nil {
			return err
		}
	}
	for _, at := range slices.Sorted(maps.Keys(m.kept)) {
		k := m.kept[at]
		m.Next = k.line
		for i, st := range k.list {
			if !k.reached[i] || m.bound(st) >= m.target {
				continue
			}
			if m.ended(st) {
				return fmt.Errorf("keep[%d] is a schedule and has nothing to go on with", i)
			}
			if err := m.succeed(st); err != nil {
				return fmt.Errorf("keep[%d]: %v", i, err)
			}
		}
		delete(m.kept, at)
	}
	m.Next = len(m.Lines)
	return nil
}

func (m *statesProof) ended(st *state) bool {
	for j, s := range st.nodes {
		if s != m.graphs[j].End {
			return false
		}
	}
	return true
}

// bound is at most the cost of every schedule that begins with a state, by its prices.
func (m *statesProof) bound(st *state) int {
	if m.ended(st) {
		return st.cost
	}
	return int((m.prices[st.prices].bound(st.nodes, st.at, st.cost) + slotUnit - 1) >> slotBits)
}

// take accounts for a state that was reached, whose bound is less than the target.
func (m *statesProof) take(st *state) error {
	k := m.kept[st.at]
	if k != nil {
		i, listed := k.at[stateKey(st.nodes)]
		switch {
		case listed && m.Fixed:
			if old := k.list[i]; !k.reached[i] || st.cost < old.cost || st.cost == old.cost && st.starts < old.starts {
				kept := *st
				kept.prices, kept.nodes = old.prices, old.nodes
				k.list[i], k.reached[i] = &kept, true
			}
			return nil
		case listed && k.list[i].cost <= st.cost:
			return nil
		}
		if !m.Fixed && slices.ContainsFunc(k.list, func(kept *state) bool { return m.covers(kept, st) }) {
			return nil
		}
	}
	var progress [][]int64
	for j, s := range st.nodes {
		progress = append(progress, m.graphs[j].Nodes[s].Progress)
	}
	return fmt.Errorf("at moment %d a schedule of cost %d so far may end with less than %d, and is not among the states kept: %.200s",
		st.at, st.cost, m.target, fmt.Sprint(progress))
}

// covers reports whether no preemptive schedule that begins with b is better than the best one that begins with a: at one
// moment, a has cost no more and all its tasks have done no less.
func (m *statesProof) covers(a, b *state) bool {
	m.Spend(len(a.nodes))
	if a.cost > b.cost {
		return false
	}
	for j, s := range a.nodes {
		if s != b.nodes[j] && !m.graphs[j].Ahead(s, b.nodes[j]) {
			return false
		}
	}
	return true
}
