package sim

import (
	"schedgap/models"
	"schedgap/models/simulation"
)

// counts are the totals of a run.
type counts struct {
	checks          int
	plannedSum      float64 // share of the VMs that each check plans to use
	copiesLaunched  int
	copiesWon       int
	attemptsKilled  int
	killedLaunching int
	jobsKilled      int

	peak int     // busy VMs
	work float64 // of the first attempts, expected, VM seconds
}

// advance lets time pass.
func (e *engine) advance(to float64) {
	d, busy := to-e.Now, e.capacity-e.free
	if d > 0 {
		e.peak = max(e.peak, busy)
	}
	e.Pass(to, e.running, float64(busy))
}

func (e *engine) met(i int) bool {
	return e.states[i].phase == ended && meets(e.states[i].end-e.Jobs[i].Arrival, e.Jobs[i].Deadline)
}

// pocd is the share of jobs that meet their deadlines; killed ones do not.
func (e *engine) pocd() float64 {
	met := 0
	for i := range e.Jobs {
		if e.met(i) {
			met++
		}
	}
	return float64(met) / float64(len(e.Jobs))
}

// Report implements simulation.Engine: it emits the metrics of a finished run.
//
// Of each job: response, from its arrival to its end, and met, 1 when it completed by its deadline, else 0; of those that
// were not killed also execution, from start to end.
//
// Of the run: pocd, the share of jobs that met their deadlines; pocd_bound, above which no policy could have been, and
// pocd_bound_of_few, the same for policies that start at most 1 + max_copies attempts of a task, as this run did
// (docs/bounds-and-proofs.md#simulated-runs); jobs_killed; mean_execution and mean_response of the jobs that were not killed, and
// max_execution; mean_wait of all from arrival to start or kill. copies, extra attempts launched; copies_won, those that completed
// a task; attempts_killed, first ones included, and of these killed_launching, which had processed nothing. active_jobs that run is
// a mean over time in the window of simulation.Monitor, whose metrics come with these; a job that was killed leaves the system
// then. peak_utilisation is the maximum. planned_utilisation is the mean over checks of the machines that the decision would use; a
// policy that never checks has none. makespan is from the first arrival to the last end.
func (e *engine) Report(emit func(models.Metric)) {
	n := float64(len(e.Jobs))
	execution, response, longest, wait, completed := 0.0, 0.0, 0.0, 0.0, 0.0
	for i, one := range e.Reported(emit) {
		j, s := &e.Jobs[i], &e.states[i]
		one("response", "s", s.end-j.Arrival)
		wait += s.start - j.Arrival
		if s.phase == ended {
			completed++
			one("execution", "s", s.end-s.start)
			execution += s.end - s.start
			response += s.end - j.Arrival
			longest = max(longest, s.end-s.start)
		}
		met := 0.0
		if e.met(i) {
			met = 1
		}
		one("met", "jobs", met)
	}
	total := simulation.EmitRun(emit)
	total("pocd", "share", e.pocd())
	if most, ok := e.bound(); ok {
		total("pocd_bound", "share", most)
	}
	if most, ok := e.boundOfFew(); ok {
		total("pocd_bound_of_few", "share", most)
	}
	total("jobs_killed", "jobs", float64(e.jobsKilled))
	if completed > 0 {
		total("mean_execution", "s", execution/completed)
		total("mean_response", "s", response/completed)
		total("max_execution", "s", longest)
	}
	total("mean_wait", "s", wait/n)
	total("copies", "attempts", float64(e.copiesLaunched))
	total("copies_won", "attempts", float64(e.copiesWon))
	total("attempts_killed", "attempts", float64(e.attemptsKilled))
	total("killed_launching", "attempts", float64(e.killedLaunching))
	total("checks", "checks", float64(e.checks))

	present, waiting := e.Monitor.Report([]float64{e.work}, func(i int) float64 { return e.states[i].end - e.Jobs[i].Arrival }, "s",
		emit)
	total("active_jobs", "jobs", present-waiting)
	total("peak_utilisation", "share", float64(e.peak)/float64(e.capacity))
	if e.checks > 0 {
		total("planned_utilisation", "share", e.plannedSum/float64(e.checks))
	}
	total("makespan", "s", e.Elapsed())
}

// Realised implements simulation.Engine: masters are no load.
func (e *engine) Realised() float64 { return e.Monitor.Realised(1) }
