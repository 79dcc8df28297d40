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
	speed  float64 // progress per second once it processes
	ready  float64 // when it begins to process
	end    float64
	offset float64 // progress at which it begins
	job    int32
	task   int32
	k      int32 // 0 for the first attempt of the task
	next   int32 // VM of the next attempt of the task, −1: none
	place  int32 // of its end in the heap
	extra  bool  // started beside others
}

// progress is what this attempt has done of the task; what was passed on to it counts once it processes.
func (a *attempt) progress(now float64) float64 {
	if now <= a.ready {
		return 0
	}
	return a.offset + a.speed*(now-a.ready)
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
	x := e.duration(id, i, t.drawn)
	ready := e.now + e.launch
	e.vms[vm] = attempt{
		speed: 1 / x, ready: ready, end: ready + (1-offset)*x, offset: offset, job: id, task: i, k: t.drawn, next: -1,
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
	t.attempts++
	e.free--
	e.events.push(event{e.vms[vm].end, vm})
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
	e.events.remove(int(a.place))
	e.idle = append(e.idle, vm)
	e.free++
}

func (e *engine) killAttempt(vm int32) {
	a := &e.vms[vm]
	e.attemptsKilled++
	if e.now <= a.ready {
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
	e.tasksDone++
	s.taskTime += e.now - s.start
	if s.left > 0 {
		return
	}
	e.endJob(a.job, ended)
	e.tell(Ended, a.job, 0, 0)
}
