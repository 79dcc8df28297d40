package sim

import (
	"context"
	"math"
	"slices"
	"strconv"

	"schedgap/models/pocd"
)

// check is one round of Algorithm 1, with the policy's own rules.
func (e *engine) check(ctx context.Context) error {
	if err := ctx.Err(); err != nil { // on a large cluster a check takes long
		return err
	}
	p := e.policy
	e.checks++
	if p.KillLate {
		e.killLate()
	}
	e.compact()
	stragglers := e.detect()
	if p.KeepFastest {
		e.killExtras(e.Surplus && e.head == len(e.waiting))
	}
	before := len(e.active)
	e.admit()
	for _, id := range e.active[before:] { // they start with this check, not with one of their own
		for i := range e.states[id].tasks {
			e.states[id].tasks[i].best = e.states[id].tasks[i].first
		}
	}
	e.due = false
	planned := e.running + e.tasks
	if (stragglers || p.AllTasks) && e.running > 0 {
		copies, err := e.decide(ctx)
		if err != nil {
			return err
		}
		planned += e.apply(copies)
	}
	e.plannedSum += float64(planned) / float64(e.capacity)
	if p.Checks&Periodic != 0 && e.running > 0 {
		sum := 0.0
		for _, id := range e.active {
			sum += e.Jobs[id].Deadline
		}
		e.nextCheck = e.Now + e.interval(sum/float64(e.running))
	}
	return nil
}

// killLate kills the jobs whose deadlines have come, which includes those that wait.
func (e *engine) killLate() {
	late := func(id int32) bool { return e.Now >= e.Jobs[id].Arrival+e.Jobs[id].Deadline }
	for _, id := range e.active {
		if e.states[id].phase == runs && late(id) {
			e.kill(id)
		}
	}
	for _, id := range e.waiting[e.head:] {
		if e.states[id].phase == waits && late(id) {
			e.kill(id)
		}
	}
}

// detect finds every task's fastest attempt and the stragglers, and reports whether there is one.
func (e *engine) detect() bool {
	found := false
	for _, id := range e.active {
		s := &e.states[id]
		limit := e.Jobs[id].Arrival + e.Jobs[id].Deadline*(1+pocd.Tolerance)
		if e.policy.ByMeanTime {
			limit = math.Inf(1) // while no task of the job is completed there is nothing to compare with
			if done := len(s.tasks) - s.left; done > 0 {
				limit = e.Now + s.taskTime/float64(done)
			}
		}
		for i := range s.tasks {
			t := &s.tasks[i]
			if t.first < 0 {
				continue
			}
			best := t.first
			if t.attempts > 1 {
				most := e.vms[best].progress(e.Now)
				for vm := e.vms[best].next; vm >= 0; vm = e.vms[vm].next {
					if p := e.vms[vm].progress(e.Now); p > most {
						best, most = vm, p
					}
				}
			}
			t.best = best
			// An attempt that processes nothing yet reports nothing to estimate from.
			end := e.vms[best].estimatedEnd(e.Now)
			t.straggles = s.observed && e.Now > e.vms[best].ready && end > limit
			found = found || t.straggles
		}
	}
	return found
}

// killExtras kills all attempts but the fastest of each task, or spares those of stragglers.
func (e *engine) killExtras(spare bool) {
	for _, id := range e.active {
		s := &e.states[id]
		for i := range s.tasks {
			t := &s.tasks[i]
			if t.attempts < 2 || spare && (t.straggles || e.policy.AllTasks) {
				continue
			}
			for vm := t.first; vm >= 0; {
				next := e.vms[vm].next
				if vm != t.best {
					e.killAttempt(vm)
				}
				vm = next
			}
		}
	}
}

// decide asks the policy.
func (e *engine) decide(ctx context.Context) (pocd.Copies, error) {
	in := e.snapshot()
	ask := e.policy.Copies
	if e.Straggling && e.policy.AllTasks {
		ask = e.askStraggling
	}
	copies := ask(ctx, in)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return copies, checkCopies(in, copies, e.policy.AllTasks)
}

// askStraggling asks the policy about the jobs with stragglers only; the others get no copies.
func (e *engine) askStraggling(ctx context.Context, in *pocd.Instance) pocd.Copies {
	copies, some := pocd.NoCopies(in), *in
	some.Jobs = nil
	var places []int
	for j := range in.Jobs {
		tasks := in.Jobs[j].Tasks
		if slices.ContainsFunc(tasks, func(t pocd.Task) bool { return t.Straggler }) {
			some.Jobs, places = append(some.Jobs, in.Jobs[j]), append(places, j)
		} else {
			some.Capacity -= len(tasks) + 1
		}
	}
	if len(places) == 0 {
		return copies
	}
	for k, own := range e.policy.Copies(ctx, &some) {
		copies[places[k]] = own
	}
	return copies
}

// snapshot is the problem instance of the moment.
func (e *engine) snapshot() *pocd.Instance {
	in := &e.instance
	in.Name, in.Capacity, in.MaxCopies = "check", e.capacity, e.MaxCopies
	in.Jobs = in.Jobs[:0]
	e.arena = slices.Grow(e.arena[:0], e.tasks)
	longest := 0.0
	for _, id := range e.active {
		j, s := &e.Jobs[id], &e.states[id]
		begin, tMin := len(e.arena), e.processing(j.TMin)
		for i := range s.tasks {
			t := &s.tasks[i]
			if t.first < 0 {
				continue
			}
			if extras := int(t.attempts) - 1; !t.straggles && !e.policy.AllTasks {
				in.Capacity -= extras // held by copies that are not asked about
			}
			k := pocd.Task{ID: strconv.Itoa(i), TMin: tMin, Beta: j.Beta, Straggler: t.straggles}
			if a := &e.vms[t.best]; e.Now > a.ready {
				k.Progress = min(a.progress(e.Now), 1-1e-12)
				if e.policy.EstimateBeta {
					k.Beta = shape(1/a.rate(e.Now), tMin)
				}
			}
			longest = max(longest, (1-k.Progress)*k.TMin)
			e.arena = append(e.arena, k)
		}
		in.Jobs = append(in.Jobs, pocd.Job{
			ID: j.ID, Deadline: j.Deadline, Elapsed: e.Now - j.Arrival, Tasks: e.arena[begin:len(e.arena):len(e.arena)],
		})
	}
	if e.policy.ByMeanTime {
		for i := range in.Jobs {
			in.Jobs[i].Elapsed, in.Jobs[i].Deadline = 0, 2*longest
		}
	}
	return in
}

// shape is eq. (14), t_rem/(t_rem − (1−φ)·t_min), for an attempt that takes x seconds for a whole task, so that t_rem is
// (1−φ)·x. No attempt takes less than t_min; the estimate has no bound where x comes near it.
func shape(x, tMin float64) float64 {
	if over := x - tMin; over > x/MaxBeta {
		return x / over
	}
	return MaxBeta
}

// apply brings the decided copies about and returns their number.
func (e *engine) apply(copies pocd.Copies) (planned int) {
	each := func(do func(id, i int32, t *task, copies int)) {
		for n, id := range e.active {
			place := 0
			for i := range e.states[id].tasks {
				if t := &e.states[id].tasks[i]; t.first >= 0 {
					do(id, int32(i), t, copies[n][place])
					place++
				}
			}
		}
	}
	each(func(_, _ int32, t *task, copies int) {
		planned += copies
		for e.policy.KeepFastest && int(t.attempts)-1 > copies {
			e.killAttempt(e.slowest(t))
		}
	})
	each(func(id, i int32, t *task, copies int) {
		offset, missing := e.passedOn(t), copies-(int(t.attempts)-1)
		for range min(missing, e.free) {
			if offset < 1 { // else the straggler will have ended before its copies begin
				e.launchAttempt(id, i, offset)
			}
		}
	})
	return planned
}

// slowest is the attempt of t with the least progress but the fastest one; the youngest among equals.
func (e *engine) slowest(t *task) int32 {
	worst, least := int32(-1), math.Inf(1)
	for vm := t.first; vm >= 0; vm = e.vms[vm].next {
		if p := e.vms[vm].progress(e.Now); vm != t.best && p <= least {
			worst, least = vm, p
		}
	}
	return worst
}

// passedOn is b_new of eq. (16), the progress at which new attempts of t begin: what its fastest attempt will have reached once
// they are launched. One that processes nothing yet has no speed to reckon with, and passes on where it begins itself.
func (e *engine) passedOn(t *task) float64 {
	if !e.policy.Resume {
		return 0
	}
	a := &e.vms[t.best]
	if e.Now <= a.ready {
		return a.offset
	}
	return a.progress(e.Now) + a.rate(e.Now)*a.launch
}
