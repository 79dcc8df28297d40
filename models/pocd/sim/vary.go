package sim

import "math"

// Launch times and speeds vary where the options say so. What an attempt meets depends on the seed, its task and its number only,
// so that all policies meet the same luck.

// launchTime is how long an attempt takes to begin: lognormal with mean launch and the given coefficient of variation.
func (e *engine) launchTime(id, i, k int32) float64 {
	if e.launchCV == 0 {
		return e.launch
	}
	variance := math.Log1p(e.launchCV * e.launchCV)
	normal := math.Sqrt2 * math.Erfinv(2*uniform(ofLaunch.of(e.states[id].stream), i, k)-1)
	return e.launch * math.Exp(math.Sqrt(variance)*normal-variance/2)
}

// segment is the n-th stretch, from 0, of equal speed of an attempt: the time that it would take for a whole task, and how long
// the stretch lasts. The first has the attempt's own time; the others draw new ones, as Theorem 2 has it of what remains of a
// task at a check.
func (e *engine) segment(id, i, k, n int32) (x, lasts float64) {
	if n == 0 {
		x, lasts = e.duration(id, i, k), math.Inf(1)
	}
	if e.speedEvery == 0 {
		return x, lasts
	}
	if e.segments != nil {
		return e.segments(e.file[id], int(i), int(k), int(n))
	}
	stream := mix(e.states[id].stream + golden*uint64(n+1))
	if n > 0 {
		x = e.processing(pareto(&e.jobs[id], ofSpeed.of(stream), i, k))
	}
	return x, max(0.01, -e.speedEvery*math.Log(uniform(ofStretch.of(stream), i, k)))
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

// progressAt is the progress of a task's first attempt t seconds after its job's start.
func (e *engine) progressAt(id, i int32, t float64) float64 {
	if t -= e.launchTime(id, i, 0); t <= 0 {
		return 0
	}
	done := 0.0
	for n := int32(0); done < 1; n++ {
		x, lasts := e.segment(id, i, 0, n)
		done += min(t, lasts) / x
		if t <= lasts {
			break
		}
		t -= lasts
	}
	return min(done, 1)
}

// observedAt is when the progress of a job that starts now, the mean of its tasks' first attempts, reaches ξ.
func (e *engine) observedAt(id int32) float64 {
	s := &e.states[id]
	if e.launchCV == 0 && e.speedEvery == 0 {
		return e.now + e.launch + e.progressTime(s)
	}
	reached := func(t float64) bool {
		sum := 0.0
		for i := range s.tasks {
			sum += e.progressAt(id, int32(i), t)
		}
		return sum >= e.xi*float64(len(s.tasks))*(1-1e-12)
	}
	low, high := 0.0, e.launch+e.processing(e.jobs[id].TMin)
	for !reached(high) {
		low, high = high, 2*high
	}
	for high-low > 1e-9*high {
		if middle := low + (high-low)/2; reached(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return e.now + high
}

// change begins the next stretch of an attempt.
func (e *engine) change(vm int32) {
	a := &e.vms[vm]
	a.done, a.since = a.progress(e.now), e.now
	a.segment++
	x, lasts := e.segment(a.job, a.task, a.k, a.segment)
	a.speed, a.end, a.changes = 1/x, e.now+(1-a.done)*x, e.now+lasts
	e.events.remove(int(a.place))
	e.events.push(event{min(a.end, a.changes), vm})
}
