package sim

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models/speculation"
)

// period is the time between two looks for stragglers, at least 10 ms.
func (e *engine) period(s *state) float64 {
	share := heartbeat
	if e.policy.Window {
		share = e.WindowLength
	}
	return max(0.01, share*s.fastest)
}

// check looks for stragglers of a job, and decides on their copies.
func (e *engine) check(ctx context.Context, id int32) error {
	s := &e.states[id]
	e.checks.Set(id, e.Now+e.period(s))
	if !e.policy.Window && int(s.next) < e.Jobs[id].Tasks {
		return nil
	}
	e.detect(s)
	e.queueJob(id)
	return e.decide(ctx, id, true)
}

// detect finds the stragglers of a job that have no copy.
func (e *engine) detect(s *state) {
	s.pending = s.pending[:0]
	mean := s.meanTime()
	for _, at := range s.running {
		a := &e.slots[at].attempt
		elapsed := e.Now - a.begin
		if elapsed < leastRun*mean || !s.uncopied(a) {
			continue
		}
		if elapsed > threshold*mean*e.progress(at) {
			s.pending = append(s.pending, a.task)
		}
	}
	slices.Sort(s.pending)
}

// uncopied reports whether an attempt is the only one of its task, and none is to come.
func (s *state) uncopied(a *attempt) bool {
	return !a.copy && s.tasks[a.task].copy < 0 && s.tasks[a.task].reserved < 0
}

func (e *engine) progress(at int32) float64 {
	sl := &e.slots[at]
	return (e.nodes[sl.node].clockAt(e.Now) - sl.from) / (sl.until - sl.from)
}

// rest is how long an attempt goes on if its node's pace stays.
func (e *engine) rest(at int32) float64 {
	sl := &e.slots[at]
	n := &e.nodes[sl.node]
	if rest := (sl.until - n.clockAt(e.Now)) * n.stretch; rest > 0 {
		return rest
	}
	return 0
}

// An offered slot is free in so many seconds, and then takes time for a copy that need not load.
type offered struct {
	slot     int32
	beside   int32 // place in the list, from 1, of another one on its node; 0: none
	in, time float64
}

// decide asks the policy about a job's stragglers: at the beginning of its period with all slots on offer, otherwise with
// those that became free at this moment.
func (e *engine) decide(ctx context.Context, id int32, all bool) error {
	s := &e.states[id]
	e.asked = e.asked[:0]
	if len(s.pending) > 0 {
		e.collect(id, all)
		e.ask(s)
	}
	if len(s.pending) == 0 {
		e.queueJob(id)
	}
	if len(e.asked) == 0 {
		return nil
	}
	e.decisions++
	e.candidates += len(e.offer)
	in, err := e.build(ctx, id)
	if err != nil {
		return err
	}
	m := e.assign(ctx, in)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := checkMatching(in, m); err != nil {
		return err
	}
	for k, j := range m {
		if j == speculation.None {
			continue
		}
		i, at := e.asked[k], e.offer[j].slot
		if sl := &e.slots[at]; sl.job >= 0 {
			sl.reserved.job, sl.reserved.task = id, i
			s.tasks[i].reserved = at
			e.tell(Reserved, id, i, at)
		} else {
			e.launch(id, i, at, true)
		}
	}
	e.queueJob(id)
	return nil
}

// collect lists the slots on offer to a job by start time, as many free ones as the job scheduler allows.
func (e *engine) collect(id int32, all bool) {
	e.offer = e.offer[:0]
	if all {
		e.roomy = append(e.roomy[:0], e.room.All()...)
		slices.Sort(e.roomy)
		for _, n := range e.roomy {
			for at := n * int32(e.PerNode); at < (n+1)*int32(e.PerNode); at++ {
				if e.slots[at].job < 0 {
					e.offer = append(e.offer, offered{slot: at})
				}
			}
		}
	} else {
		for _, at := range e.fresh {
			if e.slots[at].fresh {
				e.offer = append(e.offer, offered{slot: at})
			}
		}
		slices.SortFunc(e.offer, func(a, b offered) int { return cmp.Compare(a.slot, b.slot) })
		e.offer = slices.CompactFunc(e.offer, func(a, b offered) bool { return a.slot == b.slot })
	}
	e.offer = e.offer[:max(0, min(len(e.offer), e.allowance(id)))]
	if all && e.policy.Window {
		e.collectWindow(id)
	}
	for k := range e.offer {
		at := e.offer[k].slot
		e.offer[k].time = e.estimate(at) * e.Jobs[id].Mean
	}
}

// collectWindow adds the slots that attempts leave within the job's window, by that time: its own attempts' and, with
// window_slots=cluster, those of others, up to the limit of the job scheduler on offered and reserved slots of that kind.
func (e *engine) collectWindow(id int32) {
	s, free := &e.states[id], len(e.offer)
	window := e.period(s)
	add := func(at int32) {
		if e.slots[at].reserved.job < 0 {
			if rest := e.rest(at); rest <= window {
				e.offer = append(e.offer, offered{slot: at, in: rest})
			}
		}
	}
	if e.OfCluster {
		room := e.allowance(id)
		for at := range e.slots {
			if sl := &e.slots[at]; sl.job >= 0 && sl.job != id {
				add(int32(at))
				if sl.reserved.job == id {
					room--
				}
			}
		}
		e.sortOffer(free)
		e.offer = e.offer[:max(0, min(len(e.offer), room))]
	}
	for _, at := range s.running {
		add(at)
	}
	e.sortOffer(min(free, len(e.offer)))
}

// sortOffer sorts the slots on offer from a place on by start, then number.
func (e *engine) sortOffer(from int) {
	slices.SortFunc(e.offer[from:], func(a, b offered) int { return cmp.Or(cmp.Compare(a.in, b.in), cmp.Compare(a.slot, b.slot)) })
}

// ask chooses the pending stragglers of a job that the policy is asked about: all, or those that may gain. Those that
// have ended or have a copy are pending no more.
func (e *engine) ask(s *state) {
	earliest := math.Inf(1) // end of a copy
	for _, o := range e.offer {
		if end := o.in + o.time; end < earliest {
			earliest = end
		}
	}
	all := len(e.offer) > 0 && !e.policy.Gains
	pending := s.pending[:0]
	for _, i := range s.pending {
		t := &s.tasks[i]
		if t.original < 0 || t.copy >= 0 || t.reserved >= 0 {
			continue
		}
		pending = append(pending, i)
		if all || e.rest(t.original) > earliest {
			e.asked = append(e.asked, i)
		}
	}
	s.pending = pending
}

// build makes the instance of the stragglers asked about and the slots on offer, by sections 5.2.1 and 5.2.2.
func (e *engine) build(ctx context.Context, id int32) (*speculation.Instance, error) {
	j, s, in := &e.Jobs[id], &e.states[id], &e.instance
	in.EnergyWeight = energyWeight
	in.Stragglers, in.Slots, in.CopyTime = in.Stragglers[:0], in.Slots[:0], in.CopyTime[:0]
	loading := j.Input / e.Bandwidth
	e.far = e.far[:0]
	for k, o := range e.offer {
		where := e.slots[o.slot].node
		power := e.nodes[where].corePower + MemoryEnergy*j.Memory
		power += NetworkEnergy / 1000 * j.Input / (o.time + loading)
		in.Slots = append(in.Slots, speculation.Slot{Start: o.in, Power: power})
		time := o.time
		if e.Replicas < e.NodeCount {
			time += loading
		}
		e.far = append(e.far, time)
		e.offer[k].beside, e.onNode[where] = e.onNode[where], int32(k+1)
	}
	n := len(e.offer)
	e.cells = slices.Grow(e.cells[:0], len(e.asked)*n)[:len(e.asked)*n]
	for r, i := range e.asked {
		if err := ctx.Err(); err != nil { // on a large cluster this takes long
			return nil, err
		}
		at := s.tasks[i].original
		a := &e.slots[at].attempt
		in.Stragglers = append(in.Stragglers, speculation.Straggler{
			Finish: e.rest(at), Power: e.power(at), Progress: min(e.progress(at), 1-1e-12), Duration: e.Now - a.begin,
		})
		row := e.cells[r*n : (r+1)*n : (r+1)*n]
		copy(row, e.far)
		for _, home := range e.replicasOf(id, i) {
			for k := e.onNode[home]; k > 0; k = e.offer[k-1].beside {
				row[k-1] = e.offer[k-1].time
			}
		}
		for k := e.onNode[e.slots[at].node]; k > 0; k = e.offer[k-1].beside {
			row[k-1] = math.NaN()
		}
		in.CopyTime = append(in.CopyTime, row)
	}
	for _, o := range e.offer {
		e.onNode[e.slots[o.slot].node] = 0
	}
	return in, nil
}

// estimate is the pace of a slot: that of its latest attempt that did not straggle, or the mean of all in the cluster. A
// job decides only after a task has been completed, so there is one.
func (e *engine) estimate(at int32) float64 {
	if p := e.slots[at].pace; p > 0 {
		return p
	}
	return e.paceSum / float64(e.paces)
}
