package sim

import (
	"schedgap/models"
	"schedgap/models/simulation"
)

// Report implements simulation.Engine: it emits the metrics of a finished run.
//
// Of each job: flowtime, from arrival to the end of its last task; running_time, from the slot in which its first task
// started; usage, the resources of all its copies, each over the mean server's and summed, times their durations
// (section 6.3.1), and clone_usage, that of the copies besides first ones.
//
// Of the run: mean_flowtime, total_flowtime, max_flowtime, mean_running_time; makespan, from the first arrival to the last end;
// mean_flowtime_bound and makespan_bound, below which no policy could have been with these durations
// (docs/bounds-and-proofs.md#simulated-runs); usage and clone_usage summed; tasks; clones, the copies besides first ones;
// cloned_share of tasks that had a clone; and the metrics of simulation.Monitor, for which copies hold their servers until the
// slot ends, and jobs come when they are let in.
func (e *simulated) Report(emit func(models.Metric)) {
	w, o, r := e.workload, e.options, e.request
	var flow, longest, runningTime, usage, cloneUsage, last float64
	tasks, cloned, clones := 0, 0, 0
	first := w.Jobs[0].Arrival
	for j := range w.Jobs {
		job, s := &w.Jobs[j], &e.jobs[j]
		one := simulation.EmitJob(job.ID, emit)
		finish := s.finish * o.Slot
		f, rt := finish-job.Arrival, finish-float64(s.start)*o.Slot
		one("flowtime", "s", f)
		one("running_time", "s", rt)
		one("usage", "server·s", s.usage*o.Slot)
		one("clone_usage", "server·s", s.cloneUsage*o.Slot)
		flow, longest, runningTime = flow+f, max(longest, f), runningTime+rt
		usage, cloneUsage = usage+s.usage*o.Slot, cloneUsage+s.cloneUsage*o.Slot
		first, last = min(first, job.Arrival), max(last, finish)
		cloned, clones = cloned+s.cloned, clones+s.clones
		for k := range job.Phases {
			tasks += job.Phases[k].Tasks
		}
	}
	total := simulation.EmitRun(emit)
	n := float64(len(w.Jobs))
	var leastFlow, leastMakespan float64
	if r.Wants("mean_flowtime_bound") || r.Wants("makespan_bound") {
		leastFlow, leastMakespan = e.bound(w, o.Slot)
	}
	total("mean_flowtime", "s", flow/n)
	total("mean_flowtime_bound", "s", leastFlow*o.Slot)
	total("total_flowtime", "s", flow)
	total("max_flowtime", "s", longest)
	total("mean_running_time", "s", runningTime/n)
	total("makespan", "s", last-first)
	total("makespan_bound", "s", leastMakespan*o.Slot)
	total("usage", "server·s", usage)
	total("clone_usage", "server·s", cloneUsage)
	total("tasks", "tasks", float64(tasks))
	total("clones", "copies", float64(clones))
	total("cloned_share", "share", float64(cloned)/float64(tasks))
	work := e.in.Work()
	for r := range work {
		work[r] *= o.Slot
	}
	e.monitor.Report(work, func(i int) float64 {
		return e.jobs[e.order[i]].finish*o.Slot - w.Jobs[e.order[i]].Arrival
	}, "s", emit)
}
