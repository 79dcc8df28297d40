package sim

import (
	"math"

	"schedgap/models/simulation"
)

// Launch times and speeds vary where the options say so. Draws depend on the seed, the task and the number of the attempt only,
// so they are the same for all policies.

// launchTime is how long an attempt takes to begin: lognormal with mean launch and the given coefficient of variation.
func (e *engine) launchTime(id, i, k int32) float64 {
	if e.LaunchCV == 0 {
		return e.Launch
	}
	variance := math.Log1p(e.LaunchCV * e.LaunchCV)
	normal := math.Sqrt2 * math.Erfinv(2*uniform(ofLaunch.of(e.states[id].stream), i, k)-1)
	return e.Launch * math.Exp(math.Sqrt(variance)*normal-variance/2)
}

// segment is the n-th stretch, from 0, of equal speed of an attempt: the time that it would take for a whole task, and how long
// the stretch lasts. The first has the attempt's own time; the others draw new ones, as Theorem 2 has it of what remains of a
// task at a check.
func (e *engine) segment(id, i, k, n int32) (x, lasts float64) {
	if n == 0 {
		x, lasts = e.duration(id, i, k), math.Inf(1)
	}
	if e.SpeedEvery == 0 {
		return x, lasts
	}
	if e.segments != nil {
		return e.segments(e.File[id], int(i), int(k), int(n))
	}
	stream := simulation.SubStream(e.states[id].stream, uint64(n))
	if n > 0 {
		x = e.processing(pareto(&e.Jobs[id], ofSpeed.of(stream), i, k))
	}
	return x, max(0.01, -e.SpeedEvery*math.Log(uniform(ofStretch.of(stream), i, k)))
}

// whole is how long an attempt that begins at no progress processes.
func (e *engine) whole(id, i, k int32) float64 {
	x, lasts := e.segment(id, i, k, 0)
	if lasts >= x {
		return x
	}
	t, done := 0.0, 0.0
	for n := int32(1); lasts < (1-done)*x; n++ {
		t += lasts
		done += lasts / x
		x, lasts = e.segment(id, i, k, n)
	}
	return t + (1-done)*x
}

// observedAt is when the progress of a job that starts now, the mean of its tasks' first attempts, reaches ξ.
func (e *engine) observedAt(id int32) float64 {
	s := &e.states[id]
	if e.LaunchCV == 0 && e.SpeedEvery == 0 {
		return e.Now + e.Launch + e.progressTime(s)
	}
	// Their sum is linear from one moment to the next at which an attempt begins, changes its speed or ends.
	paths := make([]path, len(s.tasks))
	for i := range paths {
		paths[i] = path{until: e.launchTime(id, int32(i), 0)}
	}
	t, sum, want := 0.0, 0.0, e.XI*float64(len(paths))
	for {
		speed, next := 0.0, math.Inf(1)
		for i := range paths {
			speed += paths[i].speed
			next = min(next, paths[i].until)
		}
		if speed > 0 && t+(want-sum)/speed <= next {
			return e.Now + t + (want-sum)/speed
		}
		if math.IsInf(next, 1) { // all have ended, and only rounding is left
			return e.Now + t
		}
		sum += speed * (next - t)
		t = next
		for i := range paths {
			if p := &paths[i]; p.until <= t {
				e.follow(id, int32(i), p)
			}
		}
	}
}

// A path is the progress of a task's first attempt until a moment after its job's start, when it has done the share done.
type path struct {
	until, speed, done float64
	segment            int32 // that comes then
}

// follow goes on to the stretch after p.
func (e *engine) follow(id, i int32, p *path) {
	if p.done >= 1 {
		*p = path{until: math.Inf(1), done: 1}
		return
	}
	x, lasts := e.segment(id, i, 0, p.segment)
	p.segment++
	p.speed = 1 / x
	if left := (1 - p.done) * x; lasts >= left {
		p.until, p.done = p.until+left, 1
	} else {
		p.until, p.done = p.until+lasts, p.done+lasts/x
	}
}

// change begins the next stretch of an attempt.
func (e *engine) change(vm int32) {
	a := &e.vms[vm]
	a.done, a.since = a.progress(e.Now), e.Now
	a.segment++
	x, lasts := e.segment(a.job, a.task, a.k, a.segment)
	a.speed, a.end, a.changes = 1/x, e.Now+(1-a.done)*x, e.Now+lasts
	e.events.Set(2*vm, min(a.end, a.changes))
}
