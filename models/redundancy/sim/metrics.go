package sim

import (
	"schedgap/models"
	"schedgap/models/simulation"
)

// counts holds the sums of a run.
type counts struct {
	busy, running, copies int // machines with copies; jobs with copies; copies
	launched              int // copies started

	runningTime, copyTime, service float64
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

// A tally adds up the flowtimes of some of the jobs, and counts those within 40 and 200 units.
type tally struct{ jobs, flowtime, within40, within200 float64 }

func (t *tally) add(flowtime float64) {
	t.jobs++
	t.flowtime += flowtime
	if flowtime <= 40 {
		t.within40++
	}
	if flowtime <= 200 {
		t.within200++
	}
}

// advance lets time pass.
func (e *engine) advance(to float64) {
	d := to - e.Now
	e.runningTime += d * float64(e.running)
	e.copyTime += d * float64(e.copies)
	offered := 0.0
	for i := range e.machines {
		m := &e.machines[i]
		service := m.process.advance(to)
		offered += service
		if n := len(m.copies); n > 0 {
			if !e.saves.writing {
				m.clock += service / float64(e.each)
			}
			e.service += service * float64(n) / float64(e.each)
		}
	}
	e.Pass(to, e.running, float64(e.busy))
	e.offered.Add(e.Elapsed(), offered)
}

// Report implements simulation.Engine: it emits the metrics of a finished run.
//
// Of each job: flowtime, from its arrival to its completion, units of time.
//
// Of the run: mean_flowtime, mean_flowtime_bound, below which no policy could have been with these speeds of machines
// (docs/bounds-and-proofs.md#simulated-runs), and max_flowtime; within_40 and within_200, the shares of jobs with at most that
// flowtime, which the paper's Figures 5, 8 and 9 are about; mean_in_time, the mean flowtime of the jobs that complete before the
// last arrival, which is what a simulation sees that stops at its horizon. With counted=in-time the mean and the shares are of
// those jobs, too, if there are any. The metrics of simulation.Monitor come with these; active_jobs is the mean number of jobs
// present in its window. copies_per_job is the mean over time of the copies of a running job; copies_started counts them. useful
// is the jobs' work over the service of the machines that copies held: 1 without redundancy, slots and checkpoints that lose
// work or time. makespan is from the first arrival to the last completion.
func (e *engine) Report(emit func(models.Metric)) {
	var all, early tally
	longest, work := 0.0, 0.0
	for i := range e.Jobs {
		work += e.Jobs[i].Work
	}
	for i, one := range e.Reported(emit) {
		f := e.states[i].end - e.Jobs[i].Arrival
		one("flowtime", "units", f)
		longest = max(longest, f)
		all.add(f)
		if e.states[i].end < e.LastArrival() {
			early.add(f)
		}
	}
	counted := all
	if e.inTime && early.jobs > 0 {
		counted = early
	}
	total := simulation.EmitRun(emit)
	total("mean_flowtime", "units", counted.flowtime/counted.jobs)
	if counted == all { // which jobs are done in time is the policy's doing
		total("mean_flowtime_bound", "units", e.bound())
	}
	total("max_flowtime", "units", longest)
	if early.jobs > 0 {
		total("mean_in_time", "units", early.flowtime/early.jobs)
	}
	total("within_40", "share", counted.within40/counted.jobs)
	total("within_200", "share", counted.within200/counted.jobs)

	active, _ := e.Monitor.Report([]float64{work}, func(i int) float64 { return e.states[i].end - e.Jobs[i].Arrival }, "units", emit)
	total("active_jobs", "jobs", active)
	makespan := e.Elapsed()
	if makespan > 0 {
		total("copies_per_job", "copies", e.copyTime/e.runningTime)
		total("useful", "share", work/e.service)
	}
	total("copies_started", "copies", float64(e.launched))
	total("makespan", "units", makespan)
}

// Realised implements simulation.Engine.
func (e *engine) Realised() float64 { return e.Monitor.Realised(0) }
