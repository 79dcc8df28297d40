package verify

import (
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"slices"

	"schedgap/models/cloning"
)

// A CloningSpace is the partial schedules of a cloning instance in whole numbers: progress in units of a slot, demands in shares of
// a server. Gains and capacities are rounded up, needs and demands down, so that all that the instance allows is allowed
// here, and a bound for this space holds for the instance (docs/proofs.md#cloning). Time is counted from the first arrival.
//
// The prover walks through it as well: what it has to hand over is only which states to keep.
type CloningSpace struct {
	in      *cloning.Instance
	fixed   bool // nonpreemptive
	jobs    []spaceJob
	phases  []spacePhase
	order   []int // phases, parents before children
	task    []int // by task, its phase
	servers []int // by server, its class
	classes []cloningLimit
	rooms   [][]int64            // by class and resource, whole units that there are
	like    []int                // by server, the first one of its class
	horizon int64                // by which all is done, if only one task runs at a time
	gauges  []spaceGauge         // of the guide
	room    *spaceRoom           // what fits
	rest    *spaceScratch        // of bounds
	sums    [][]int64            // by phase
	graphs  []*jobGraph          // by job
	tariff  *cloningTariff       // nil: there are no prices by slot
	moves   map[string][][]uint8 // of slots, by what is ripe
	listed  int
}

type spaceJob struct{ arrival, from, to int }

type spacePhase struct {
	job      int
	parents  []int
	from, to int     // tasks
	need     int64   // units of progress
	gain     []int64 // of a slot in 1, 2, … copies, as many as matter
	rate     int64   // most units that a copy makes in a slot
	size     [][]int64
}

// A spaceGauge is a weighted count of running copies: Σ weight·copies ≤ capacity in every slot.
type spaceGauge struct {
	weight   []int64 // by phase
	capacity int64
}

// A CloningGuide is what bounds the states of a proof.
type CloningGuide struct {
	Gauges [][]int64 `json:"gauges"`           // weights of copies, by phase, the jobs' one after the other
	Copies [][]int64 `json:"copies,omitempty"` // prices of copies by phase and slot from the first arrival on, in 2^-12 slots
	Levels [][]int64 `json:"levels,omitempty"` // by phase: amounts of progress, which states refer to
}

// Sizes beyond which a space is not built.
const (
	spaceTasks = 100_000
	spaceCells = 1_000_000 // tasks by servers
	spaceMean  = 1 << 30   // slots
	mostWeight = 1 << 24   // of a gauge
	mostGauges = 64
	mostCopies = 250
)

// NewCloningSpace builds the space of a regime. What cannot be a guide of the instance is an error.
func NewCloningSpace(in *cloning.Instance, fixed bool, guide *CloningGuide) (*CloningSpace, error) {
	sp := &CloningSpace{in: in, fixed: fixed, moves: map[string][][]uint8{}}
	if err := sp.measure(); err != nil {
		return nil, err
	}
	sp.room = newSpaceRoom(sp)
	for g, weight := range guide.Gauges {
		if err := sp.addGauge(weight); err != nil {
			return nil, fmt.Errorf("gauges[%d]: %w", g, err)
		}
	}
	if len(sp.gauges) > mostGauges {
		return nil, fmt.Errorf("there are %d gauges, more than %d", len(sp.gauges), mostGauges)
	}
	sp.rest = newSpaceScratch(sp)
	sp.addSums()
	if guide.Copies != nil {
		if err := sp.addTariff(guide.Copies); err != nil {
			return nil, err
		}
	}
	return sp, nil
}

func (sp *CloningSpace) measure() error {
	in := sp.in
	tasks, longest, first, last := 0, 1.0, in.Jobs[0].Arrival, 0
	for j := range in.Jobs {
		first = min(first, in.Jobs[j].Arrival)
		for k := range in.Jobs[j].Phases {
			tasks += in.Jobs[j].Phases[k].Tasks
			longest = max(longest, in.Jobs[j].Phases[k].Mean)
		}
	}
	if tasks > spaceTasks || tasks*len(in.Servers) > spaceCells || longest > spaceMean {
		return errors.New("the instance is too large for a proof by moments")
	}
	for s := range in.Servers {
		c := slices.IndexFunc(sp.classes, func(l cloningLimit) bool { return slices.Equal(l.capacity, in.Servers[s].Capacity) })
		if c < 0 {
			c = len(sp.classes)
			sp.classes = append(sp.classes, cloningLimit{capacity: in.Servers[s].Capacity})
			sp.rooms = append(sp.rooms, roomOn(in.Servers[s].Capacity))
		}
		sp.classes[c].servers++
		sp.servers = append(sp.servers, c)
		sp.like = append(sp.like, slices.Index(sp.servers, c))
	}
	unit := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(60-bits.Len64(uint64(longest)))))
	for j := range in.Jobs {
		job := &in.Jobs[j]
		base := len(sp.phases)
		for k := range job.Phases {
			ph, err := sp.phase(&job.Phases[k], unit)
			if err != nil {
				return fmt.Errorf("phase %s of job %s %w", job.Phases[k].ID, job.ID, err)
			}
			ph.job, ph.from = j, len(sp.task)
			ph.to = ph.from + job.Phases[k].Tasks
			for i := range ph.parents {
				ph.parents[i] += base
			}
			for range job.Phases[k].Tasks {
				sp.task = append(sp.task, len(sp.phases))
			}
			sp.phases = append(sp.phases, ph)
			sp.horizon += int64(ph.to-ph.from) * slots(ph.need, ph.gain[0])
		}
		for _, k := range job.Order() {
			sp.order = append(sp.order, base+k)
		}
		sp.jobs = append(sp.jobs, spaceJob{job.Arrival - first, base, len(sp.phases)})
		last = max(last, job.Arrival-first)
	}
	sp.horizon += int64(last)
	copies := int64(1)
	for k := range sp.phases {
		copies += int64(sp.phases[k].to-sp.phases[k].from) * int64(len(sp.phases[k].gain))
	}
	if last > spaceMean || sp.horizon > 1<<62/copies { // the sum of all starts
		return errors.New("the instance is too long for a proof by moments")
	}
	return nil
}

// phase finds how many copies of a task matter. No further copy does where it adds no progress, has no room in the empty cluster,
// or the task is done in one slot without it; and none but the first where even all do not end a task sooner.
func (sp *CloningSpace) phase(p *cloning.Phase, unit *big.Rat) (spacePhase, error) {
	ph := spacePhase{
		parents: slices.Clone(p.Parents),
		need:    max(1, whole(new(big.Rat).Mul(required(p), unit), false)),
	}
	room := int64(0)
	for _, c := range sp.classes {
		ph.size = append(ph.size, sizesOn(p.Demand, c.capacity))
		room += int64(cloning.Copies(p.Demand, c.capacity, min(sp.in.MaxCopies, sp.in.MaxCopiesPerServer))) * int64(c.servers)
	}
	most := min(int(min(room, mostCopies)), sp.in.MaxCopies)
	if most < 1 {
		return ph, errors.New("fits on no server")
	}
	for r := range most {
		ph.gain = append(ph.gain, whole(new(big.Rat).Mul(rat(p.Speedup[r]), unit), true))
		if ph.gain[r] >= ph.need {
			break
		}
	}
	if room > mostCopies && len(ph.gain) == mostCopies {
		return ph, fmt.Errorf("may run in more than %d copies", mostCopies)
	}
	for n := len(ph.gain) - 1; n > 0 && ph.gain[n] == ph.gain[n-1]; n-- {
		ph.gain = ph.gain[:n]
	}
	if last := ph.gain[len(ph.gain)-1]; slots(ph.need, last) == slots(ph.need, ph.gain[0]) {
		ph.gain = ph.gain[:1]
	}
	for r, g := range ph.gain {
		ph.rate = max(ph.rate, slots(g, int64(r+1)))
	}
	return ph, nil
}

// slots is ⌈amount / rate⌉.
func slots(amount, rate int64) int64 { return (amount + rate - 1) / rate }

// addGauge adds a gauge with the capacity that the dearest fillings of all servers have.
func (sp *CloningSpace) addGauge(weight []int64) error {
	if len(weight) != len(sp.phases) {
		return fmt.Errorf("%d weights for %d phases", len(weight), len(sp.phases))
	}
	g := spaceGauge{weight: weight}
	for k, w := range weight {
		if w < 0 || w > mostWeight {
			return fmt.Errorf("weight %d, %d, is not from 0 to %d", k, w, mostWeight)
		}
	}
	for c := range sp.classes {
		var f filling
		for k := range sp.phases {
			if ph := &sp.phases[k]; weight[k] > 0 && ph.size[c] != nil {
				limit := int64(ph.to-ph.from) * int64(min(sp.in.MaxCopiesPerServer, len(ph.gain)))
				f.items = append(f.items, fillingItem{price: weight[k], size: ph.size[c], limit: limit})
			}
		}
		worth, ok := f.dearest(sp.rooms[c])
		if !ok || worth > 1<<40/int64(sp.classes[c].servers) {
			return errors.New("its capacity is too large")
		}
		g.capacity += worth * int64(sp.classes[c].servers)
	}
	if g.capacity > 1<<61/sp.horizon {
		return errors.New("its capacity is too large")
	}
	if g.capacity > 0 {
		sp.gauges = append(sp.gauges, g)
	}
	return nil
}

// A CloningState is a partial schedule up to a moment, or what its continuations depend on. Tasks of a phase are alike and sorted, so are
// servers of equal capacity.
type CloningState struct {
	At, Cost int
	Progress []int64 // by task, in units
	placed   []uint8 // nonpreemptive: running copies by task and server
	fresh    []bool  // nonpreemptive: phases that may run from this very moment on
	used     []int64 // nonpreemptive: what the slot before took, by server and resource
	starts   int64   // nonpreemptive: the sum of all copies' starts
	nodes    []int32 // by job, under prices by slot
}

// Root is the beginning of all schedules.
func (sp *CloningSpace) Root() *CloningState {
	st := &CloningState{Progress: make([]int64, len(sp.task))}
	if sp.fixed {
		st.placed = make([]uint8, len(sp.task)*len(sp.servers))
		st.fresh = make([]bool, len(sp.phases))
		st.used = make([]int64, len(sp.servers)*len(sp.in.Resources))
		sp.refresh(st, nil)
	}
	if sp.tariff != nil {
		st.nodes = make([]int32, len(sp.jobs))
	}
	return st
}

// Key is equal for states with the same continuations, costs and rules for starts aside.
func (st *CloningState) Key() string {
	if st.nodes != nil && st.placed == nil {
		key := make([]byte, 0, 4*len(st.nodes))
		for _, s := range st.nodes {
			key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
		}
		return string(key)
	}
	key := make([]byte, 0, 8*len(st.Progress)+len(st.placed))
	for _, p := range st.Progress {
		key = append(key, byte(p), byte(p>>8), byte(p>>16), byte(p>>24), byte(p>>32), byte(p>>40), byte(p>>48), byte(p>>56))
	}
	return string(append(key, st.placed...))
}

// Placed are a nonpreemptive state's running copies, by task and server.
func (st *CloningState) Placed() []uint8 { return st.placed }

// Clone is a copy that shares nothing with st.
func (st *CloningState) Clone() *CloningState {
	c := *st
	c.Progress, c.placed = slices.Clone(st.Progress), slices.Clone(st.placed)
	c.fresh, c.used, c.nodes = slices.Clone(st.fresh), slices.Clone(st.used), slices.Clone(st.nodes)
	return &c
}

// Before reports whether a, a state of the same key, is to be kept rather than b: by cost, then by the sum of starts.
func (a *CloningState) Before(b *CloningState) bool {
	return a.Cost < b.Cost || a.Cost == b.Cost && a.starts < b.starts
}

// Covers reports whether no preemptive schedule that begins with b is better than the best one that begins with a: at one moment, a
// has cost no more and all its tasks have done no less.
func (a *CloningState) Covers(b *CloningState) bool {
	if a.Cost > b.Cost {
		return false
	}
	for i, p := range a.Progress {
		if p < b.Progress[i] {
			return false
		}
	}
	return true
}

// ended reports whether all tasks of a phase are done. Sorted by progress, the last has done least.
func (sp *CloningSpace) ended(st *CloningState, k int) bool {
	ph := &sp.phases[k]
	return st.Progress[ph.to-1] >= ph.need
}

// ready reports whether a phase's tasks may run.
func (sp *CloningSpace) ready(st *CloningState, k int) bool {
	ph := &sp.phases[k]
	if sp.jobs[ph.job].arrival > st.At {
		return false
	}
	for _, p := range ph.parents {
		if !sp.ended(st, p) {
			return false
		}
	}
	return true
}

// present counts the jobs that have arrived and are not done, and finds the next arrival, or −1.
func (sp *CloningSpace) present(st *CloningState) (jobs, next int) {
	next = -1
	for _, job := range sp.jobs {
		if job.arrival > st.At {
			if next < 0 || job.arrival < next {
				next = job.arrival
			}
			continue
		}
		for k := job.from; k < job.to; k++ {
			if !sp.ended(st, k) {
				jobs++
				break
			}
		}
	}
	return jobs, next
}

// Phases is the number of phases of all jobs.
func (sp *CloningSpace) Phases() int { return len(sp.phases) }

// Phase is the phase of a task, both counted through all jobs.
func (sp *CloningSpace) Phase(task int) int { return sp.task[task] }
