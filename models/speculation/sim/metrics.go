package sim

import (
	"schedgap/models"
	"schedgap/models/simulation"
)

// Classes of attempts by which energy is split (section 6.2).
const (
	normalSuccess = iota
	stragSuccess
	stragKilled
	copySuccess
	copyKilled
	classes
)

var classNames = [classes]string{"normal_success", "strag_success", "strag_killed", "copy_success", "copy_killed"}

// counts are the totals of a run.
type counts struct {
	copies, copiesWon, copiesKilled int
	copyTime, copyWonTime           float64 // sums
	decisions                       int
	candidates                      int // slots on offer, summed over decisions

	busyTime float64 // of slots
	serving  int     // jobs with attempts
	idleEach float64 // energy of free slots that a job active all along would have booked
}

// power is the present power of an attempt beyond the static power (section 5.2.2): its core (eq. 4; a node has a core a
// slot, so all that run are active), its memory accesses, and its transfer, which progresses as the attempt does.
func (e *engine) power(at int32) float64 {
	a, n := &e.slots[at].attempt, &e.nodes[e.slots[at].node]
	p := n.corePower + MemoryEnergy*e.Jobs[a.job].Memory
	if a.remote {
		p += NetworkEnergy / 1000 * e.Jobs[a.job].Input / ((a.until - a.from) * n.stretch)
	}
	return p
}

// account books the energy of an attempt that ends, its slot's share of the static power included. Its node's clock must be
// up to date. An original that was killed counts as a straggler: the policy took it for one.
func (e *engine) account(at int32, won bool) {
	a, n := &e.slots[at].attempt, &e.nodes[e.slots[at].node]
	j, took := &e.Jobs[a.job], e.Now-a.begin
	energy := took * (e.static + n.corePower + MemoryEnergy*j.Memory)
	if a.remote {
		energy += NetworkEnergy / 1000 * j.Input * min(1, (n.clock-a.from)/(a.until-a.from))
	}
	class := stragKilled
	switch {
	case a.copy && won:
		class = copySuccess
		e.copiesWon++
		e.copyWonTime += took
	case a.copy:
		class = copyKilled
		e.copiesKilled++
	case won && a.straggles:
		class = stragSuccess
	case won:
		class = normalSuccess
	}
	if a.copy {
		e.copyTime += took
	}
	e.states[a.job].energy[class] += energy
}

// advance lets time pass.
func (e *engine) advance(to float64) {
	e.busyTime += (to - e.Now) * float64(len(e.slots)-e.free)
	if jobs := e.Present(); e.BookIdle && jobs > 0 {
		e.idleEach += (to - e.Now) * e.static * float64(e.free) / float64(jobs)
	}
	e.Pass(to, e.serving, float64(len(e.slots)-e.free))
}

// Report implements simulation.Engine: it emits the metrics of a finished run.
//
// Of each job: response, from its arrival to its end; execution, the paper's makespan of a job, to its end from its first attempt
// or its arrival, as execution_from says; and energy, that of its attempts, each with its slot's share of the static power, and
// with book_idle of the free slots'.
//
// Of the run: mean_execution, max_execution, mean_response and mean_energy of the jobs, and with _bound at their ends, except the
// second, below what no policy could have been with these sizes and slowdowns (docs/bounds-and-proofs.md#simulated-runs);
// mean_energy split into the paper's five classes, energy_normal_success to energy_copy_killed; idle_energy, the free slots'
// share of the static power; total_energy of the nodes, from the first arrival to the last end. efficiency is 1/mean_energy, the
// paper's definition, and efficiency_time 1/(mean_energy·mean_execution), what its figures show. copies launched, copies_won and
// copies_killed; mean_copy_time and mean_copy_won_time, of all copies and of those that completed a task. decisions on copies
// and mean_candidates, the slots on offer at them. The metrics of simulation.Monitor come with these. makespan is from the first
// arrival to the last end.
func (e *engine) Report(emit func(models.Metric)) {
	n := float64(len(e.Jobs))
	execution, response, longest, all, booked := 0.0, 0.0, 0.0, 0.0, 0.0
	var byClass [classes]float64
	for i, one := range e.Reported(emit) {
		j, s := &e.Jobs[i], &e.states[i]
		energy := s.idle
		booked += s.idle
		for k, v := range s.energy {
			energy += v
			byClass[k] += v
		}
		took := s.end - s.begin
		if e.FromArrival {
			took = s.end - j.Arrival
		}
		one("execution", "s", took)
		one("response", "s", s.end-j.Arrival)
		one("energy", "J", energy)
		execution += took
		response += s.end - j.Arrival
		longest = max(longest, took)
		all += energy
	}
	total := simulation.EmitRun(emit)
	mean := func(name, unit string, sum float64, count int) {
		if count > 0 {
			total(name, unit, sum/float64(count))
		}
	}
	leastExecution, leastResponse, leastEnergy := e.bounds()
	total("mean_execution", "s", execution/n)
	total("mean_execution_bound", "s", leastExecution)
	total("max_execution", "s", longest)
	total("mean_response", "s", response/n)
	total("mean_response_bound", "s", leastResponse)
	total("mean_energy", "J", all/n)
	total("mean_energy_bound", "J", leastEnergy)
	for k, v := range byClass {
		total("energy_"+classNames[k], "J", v/n)
	}
	slots, first := float64(len(e.slots)), e.Jobs[0].Arrival
	makespan := e.Elapsed()
	idle := e.static * (slots*makespan - e.busyTime)
	total("idle_energy", "J", idle)
	total("total_energy", "J", all-booked+idle)
	if all > 0 {
		total("efficiency", "1/J", n/all)
		total("efficiency_time", "1/(J s)", simulation.Share(n/all*n, execution))
	}
	total("copies", "attempts", float64(e.copies))
	total("copies_won", "attempts", float64(e.copiesWon))
	total("copies_killed", "attempts", float64(e.copiesKilled))
	mean("mean_copy_time", "s", e.copyTime, e.copies)
	mean("mean_copy_won_time", "s", e.copyWonTime, e.copiesWon)
	total("decisions", "decisions", float64(e.decisions))
	mean("mean_candidates", "slots", float64(e.candidates), e.decisions)
	size := 0.0
	for _, j := range e.Jobs {
		size += float64(j.Tasks) * j.Mean
	}
	work := []float64{e.work(size, slots*(e.LastArrival()-first))}
	e.Monitor.Report(work, func(i int) float64 { return e.states[i].end - e.Jobs[i].Arrival }, "s", emit)
	total("makespan", "s", makespan)
}

// Realised implements simulation.Engine.
func (e *engine) Realised() float64 { return e.Monitor.Realised(0) }
