package sim

// A task is the state of a task of a running job.
type task struct {
	first     int32 // VM of its oldest attempt, −1: completed
	attempts  int32 // that run
	drawn     int32 // attempts started ever, or the number of the next one
	best      int32 // VM of its fastest attempt at the last check
	straggles bool  // at the last check
}

// An attempt runs on a VM.
type attempt struct {
	speed   float64 // progress per second once it processes
	launch  float64 // how long it took or takes to launch
	ready   float64 // when it begins to process
	end     float64 // unless its speed changes before
	offset  float64 // progress at which it begins
	since   float64 // when its speed last changed, or ready
	done    float64 // progress at since
	changes float64 // when its speed changes
	segment int32   // changes of its speed
	job     int32
	task    int32
	k       int32 // 0 for the first attempt of the task
	next    int32 // VM of the next attempt of the task, −1: none
	extra   bool  // started beside others
}

// progress is the done part of the task in this attempt; progress passed on to it counts once it processes.
func (a *attempt) progress(now float64) float64 {
	if now <= a.ready {
		return 0
	}
	return a.done + a.speed*(now-a.since)
}

// rate is the speed that progress reports tell: the mean since the first of them, b_proc/(t_now − t_FP) of eq. (15).
func (a *attempt) rate(now float64) float64 {
	if a.segment == 0 {
		return a.speed
	}
	return (a.progress(now) - a.offset) / (now - a.ready)
}

// estimatedEnd is when it ends at the speed that progress reports tell.
func (a *attempt) estimatedEnd(now float64) float64 {
	if a.segment == 0 {
		return a.end
	}
	return now + (1-a.progress(now))/a.rate(now)
}

func (e *engine) launchAttempt(id, i int32, offset float64) {
	vm := int32(len(e.vms))
	if last := len(e.idle) - 1; last >= 0 {
		vm = e.idle[last]
		e.idle = e.idle[:last]
	} else {
		e.vms = append(e.vms, attempt{})
	}
	t := &e.states[id].tasks[i]
	x, lasts := e.segment(id, i, t.drawn, 0)
	launch := e.launchTime(id, i, t.drawn)
	ready := e.Now + launch
	e.vms[vm] = attempt{
		speed: 1 / x, launch: launch, ready: ready, end: ready + (1-offset)*x, offset: offset, since: ready, done: offset,
		changes: ready + lasts, job: id, task: i, k: t.drawn, next: -1,
	}
	if t.first < 0 {
		t.first = vm
	} else {
		last := t.first
		for e.vms[last].next >= 0 {
			last = e.vms[last].next
		}
		e.vms[last].next = vm
		e.vms[vm].extra = true
		e.copiesLaunched++
	}
	t.drawn++
	e.mostDrawn = max(e.mostDrawn, t.drawn)
	t.attempts++
	e.free--
	e.events.Set(2*vm, min(e.vms[vm].end, e.vms[vm].changes))
	e.tell(Launched, id, i, vm)
}

// release takes an attempt off its VM.
func (e *engine) release(vm int32) {
	a := &e.vms[vm]
	t := &e.states[a.job].tasks[a.task]
	if t.first == vm {
		t.first = a.next
	} else {
		before := t.first
		for e.vms[before].next != vm {
			before = e.vms[before].next
		}
		e.vms[before].next = a.next
	}
	t.attempts--
	e.events.Remove(2 * vm)
	e.idle = append(e.idle, vm)
	e.free++
}

func (e *engine) killAttempt(vm int32) {
	a := &e.vms[vm]
	e.attemptsKilled++
	if e.Now <= a.ready {
		e.killedLaunching++
	}
	e.release(vm)
	e.tell(Killed, a.job, a.task, vm)
}

// complete ends a task with the attempt on vm.
func (e *engine) complete(vm int32) {
	a := e.vms[vm]
	s := &e.states[a.job]
	e.release(vm)
	e.tell(Completed, a.job, a.task, vm)
	for t := &s.tasks[a.task]; t.first >= 0; {
		e.killAttempt(t.first)
	}
	if a.extra {
		e.copiesWon++
	}
	s.left--
	e.tasks--
	s.taskTime += e.Now - s.start
	if s.left > 0 {
		return
	}
	e.endJob(a.job, ended)
	e.tell(Ended, a.job, 0, 0)
}
