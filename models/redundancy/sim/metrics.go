package sim

import "schedgap/models"

// counts is what a run adds up.
type counts struct {
	busy, running, copies int // machines with copies; jobs with copies; copies
	launched              int // copies started

	busyTime, runningTime, copyTime, activeTime, service float64
	// The same up to the last arrival.
	arrivalEnd, arrivalBusy, arrivalActive float64
}

func (c *counts) started(machine, job bool) {
	c.launched++
	c.copies++
	if machine {
		c.busy++
	}
	if job {
		c.running++
	}
}

func (c *counts) stopped(machine, job bool) {
	c.copies--
	if machine {
		c.busy--
	}
	if job {
		c.running--
	}
}

// advance lets time pass.
func (e *engine) advance(to float64) {
	d := to - e.now
	e.busyTime += d * float64(e.busy)
	e.runningTime += d * float64(e.running)
	e.copyTime += d * float64(e.copies)
	e.activeTime += d * float64(e.active)
	for i := range e.machines {
		m := &e.machines[i]
		service := m.process.advance(to)
		if n := len(m.copies); n > 0 {
			m.clock += service / float64(e.each)
			e.service += service * float64(n) / float64(e.each)
		}
	}
	e.now = to
}

func (e *engine) arrivalsEnd() {
	e.arrivalEnd, e.arrivalBusy, e.arrivalActive = e.now, e.busyTime, e.activeTime
}

// report emits the metrics of a finished run.
//
// Of each job: flowtime, from its arrival to its completion, units of time.
//
// Of the run: mean_flowtime and max_flowtime; within_40 and within_200, the shares of jobs with at most that flowtime,
// which the paper's Figures 5, 8 and 9 are about; mean_in_time, the mean flowtime of the jobs that complete before the
// last arrival, which is what a simulation sees that stops at its horizon. utilisation, the share of machines that have
// copies, and active_jobs are means over time while jobs arrive, or to the end when all arrive together;
// whole_utilisation is to the end. copies_per_job is the mean over time of the copies of a running job; copies_started
// counts them. useful is the jobs' work over the service of the machines that copies got: 1 without redundancy and slots.
// makespan is from the first arrival to the last completion.
func (e *engine) report(emit func(models.Metric)) {
	place, work := make([]int, len(e.jobs)), 0.0 // by file order
	for i, k := range e.file {
		place[k] = i
		work += e.jobs[i].Work
	}
	sum, longest, within40, within200, inTime, early := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for _, i := range place {
		f := e.states[i].end - e.jobs[i].Arrival
		emit(models.Metric{Scope: "job", Job: e.jobs[i].ID, Name: "flowtime", Unit: "units", Value: f})
		sum += f
		longest = max(longest, f)
		if e.states[i].end < e.arrivalEnd {
			early += f
			inTime++
		}
		if f <= 40 {
			within40++
		}
		if f <= 200 {
			within200++
		}
	}
	total := func(name, unit string, v float64) {
		emit(models.Metric{Scope: "run", Name: name, Unit: unit, Value: v})
	}
	n := float64(len(e.jobs))
	total("mean_flowtime", "units", sum/n)
	total("max_flowtime", "units", longest)
	if inTime > 0 {
		total("mean_in_time", "units", early/inTime)
	}
	total("within_40", "share", within40/n)
	total("within_200", "share", within200/n)

	machines, first := float64(len(e.machines)), e.jobs[0].Arrival
	makespan := e.now - first
	span, busy, active := e.arrivalEnd-first, e.arrivalBusy, e.arrivalActive
	if span == 0 {
		span, busy, active = makespan, e.busyTime, e.activeTime
	}
	if span > 0 {
		total("utilisation", "share", min(1, busy/span/machines)) // rounding aside
		total("active_jobs", "jobs", active/span)
	}
	if makespan > 0 {
		total("whole_utilisation", "share", min(1, e.busyTime/makespan/machines))
		total("copies_per_job", "copies", e.copyTime/e.runningTime)
		total("useful", "share", work/e.service)
	}
	total("copies_started", "copies", float64(e.launched))
	total("makespan", "units", makespan)
}
