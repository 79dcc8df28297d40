package sim

import (
	"math"

	"schedgap/models/cloning"
	"schedgap/models/simulation/relaxed"
)

// A need is the least amount that the tasks of a phase take. The copy that ends a task runs alone or with copies that started
// before it and ran at least as long. Time is counted in slots: in run as copies run, in hold as they hold their servers, which is
// until the end of a slot.
type need struct{ run, hold needed }

// A needed is of all tasks of a phase.
type needed struct {
	span    float64 // of the longest
	volume  float64 // copies times slots
	weighed float64 // Σ of the tasks' volumes times the least time from the mean moment of the volume to the end
}

// add adds a task that takes the given span, and least ≤ span, and volume.
func (n *needed) add(span, least, volume float64) {
	n.span = max(n.span, span)
	n.volume += volume
	n.weighed += volume * least / 2
}

// held is how many slots a copy holds its server.
func held(duration float64) float64 { return max(1, math.Ceil(duration-1e-6)) }

// need returns the need of phase k of job j.
func (e *engine) need(j, k int) (n need) {
	p := &e.in.Jobs[j].Phases[k]
	if e.draws == nil {
		span, volume := float64(p.Slots(cloning.Progress{}, e.in.MaxCopies)), float64(p.Volume(e.in.MaxCopies))
		n.run = needed{span, volume * float64(p.Tasks), volume * float64(p.Tasks) * volume / float64(e.in.MaxCopies) / 2}
		n.hold = n.run
		return n
	}
	l := e.draws.law(j, k)
	most := e.in.MaxCopies
	if l.measured() || e.draws.alike {
		for task := range p.Tasks {
			least, run, hold := math.Inf(1), math.Inf(1), math.Inf(1)
			for c := range most {
				d := e.draws.duration(&l, task, c)
				least, run, hold = min(least, d), min(run, float64(c+1)*d), min(hold, float64(c+1)*held(d))
			}
			n.run.add(least, least, run)
			n.hold.add(held(least), held(least), hold)
		}
		return n
	}
	// Durations fall as bits rise, so that most need not be computed; and none is below the distribution's least.
	slot, longest := e.draws.slot, uint64(math.MaxUint64)
	least := min(l.least, l.most) / slot
	leastHeld := held(least)
	for task := range p.Tasks {
		of := mixed(l.bits, task)
		top := mixed(of, 0)
		run := l.draw(top, task, 0) / slot
		hold := held(run)
		search := run > 2*least || hold > 2*leastHeld
		for c := 1; c < most; c++ {
			bits := mixed(of, c)
			top = max(top, bits)
			if times := float64(c + 1); search && (run > times*least || hold > times*leastHeld) {
				d := l.draw(bits, task, c) / slot
				run, hold = min(run, times*d), min(hold, times*held(d))
			}
		}
		longest = min(longest, top)
		n.run.add(0, least, run)
		n.hold.add(0, leastHeld, hold)
	}
	n.run.span = l.draw(longest, 0, 1) / slot
	n.hold.span = held(n.run.span)
	return n
}

// measured reports whether the phase's durations come from a list, or are all the same.
func (l *law) measured() bool { return len(l.phase.Durations) > 0 || l.alpha > 1e15 }

// bound is the least mean flowtime and the least makespan, in slots of the given length, that any policy could have had with the
// durations of this repetition (docs/bounds-and-proofs.md#simulated-runs): a machine a resource, as large as all servers
// together.
func (e *engine) bound(w *Workload, slot float64) (flow, makespan float64) {
	first := e.in.Jobs[e.order[0]].Arrival
	jobs := make([][2][]relaxed.Job, len(e.total)) // by resource: as copies run, as they hold
	var alone []relaxed.Job
	came := 0.0
	for j := range e.in.Jobs {
		job := &e.in.Jobs[j]
		release := float64(job.Arrival - first)
		came += w.Jobs[j].Arrival/slot - float64(first)
		needs := make([]need, len(job.Phases))
		for k := range job.Phases {
			n := e.need(j, k)
			for r, d := range job.Phases[k].Demand {
				if e.total[r] > 0 {
					n.run.span = max(n.run.span, n.run.volume*d/e.total[r]*(1-relaxed.Margin))
				}
			}
			// A phase ends no earlier than its last slot but one.
			n.hold.span = max(n.hold.span, math.Ceil(n.run.span-1e-6))
			needs[k] = n
		}
		head, tail := make([]float64, len(needs)), make([]float64, len(needs)) // before its start, after its end
		least := 0.0
		for k := range needs {
			for _, q := range job.Phases[k].Parents {
				head[k] = max(head[k], head[q]+needs[q].hold.span)
			}
			least = max(least, head[k]+needs[k].run.span)
		}
		for k := len(needs) - 1; k >= 0; k-- {
			after := needs[k].run.span // from the end of the parent's last slot
			if tail[k] > 0 {
				after = needs[k].hold.span + tail[k]
			}
			for _, q := range job.Phases[k].Parents {
				tail[q] = max(tail[q], after)
			}
		}
		alone = append(alone, relaxed.Job{Release: release, Least: least})
		makespan = max(makespan, release+least)
		for r := range e.total {
			run, hold := relaxed.Job{Release: release, Least: least}, relaxed.Job{Release: release, Least: least}
			for k := range needs {
				d := job.Phases[k].Demand[r]
				run.Volume += d * needs[k].run.volume
				run.Lag += d * (needs[k].run.weighed + needs[k].run.volume*tail[k])
				hold.Volume += d * needs[k].hold.volume
				after := tail[k]
				if after == 0 {
					after = -1 // the rest of its last slot
				}
				hold.Lag += d * (needs[k].hold.weighed + needs[k].hold.volume*after)
			}
			if run.Volume > 0 {
				run.Lag /= run.Volume
				hold.Lag /= hold.Volume
			}
			jobs[r][0] = append(jobs[r][0], run)
			jobs[r][1] = append(jobs[r][1], hold)
		}
	}
	ends, busy := relaxed.Earliest(alone), 0.0
	for r := range jobs {
		c := relaxed.Constant(e.total[r] * (1 + relaxed.Margin))
		if !(c > 0) {
			continue
		}
		relaxed.Later(ends, relaxed.Shortest(jobs[r][0], c))
		slots := relaxed.Shortest(jobs[r][1], c)
		for k := range slots {
			slots[k] = math.Ceil(slots[k]*(1-relaxed.Margin)-1e-6) - 1
		}
		relaxed.Later(ends, slots)
		busy = max(busy, relaxed.Busy(jobs[r][0], c), relaxed.Busy(jobs[r][1], c))
	}
	makespan = max(makespan, ends[len(ends)-1])
	return max(0, max(relaxed.Sum(alone, ends), busy)-came) / float64(len(alone)), max(0, makespan*(1-relaxed.Margin)-2e-9)
}
