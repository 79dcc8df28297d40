package sim

import (
	"schedgap/models"
	"schedgap/models/simulation"
)

// Report implements simulation.Engine: it emits the metrics of a finished run.
//
// Of each job: response, from arrival to the end of its last task, and penalty, by the metric. Of the run:
// average_response; average_stretch, the mean of response over the slot-seconds of the job's tasks; makespan, from the first
// arrival to the last end; map_utilisation and reduce_utilisation, the share of slot-time up to the makespan in which tasks
// computed (a Reduce task that waits for Maps does not); average_response_bound and makespan_bound, below which no policy could
// have been with these times of tasks (docs/bounds-and-proofs.md#simulated-runs); objective, the sum or the largest of the
// penalties, and objective_bound; the metrics of simulation.Monitor, of slots that tasks hold, also while they wait.
func (e *engine) Report(emit func(models.Metric)) {
	response := func(i int) float64 { return e.end[i] - e.Jobs[i].Arrival }
	for i, one := range e.Reported(emit) {
		one("response", "s", response(i))
	}
	work := make([]float64, 2)
	sum, stretch, last, n := 0.0, 0.0, 0.0, float64(len(e.Jobs))
	for i := range e.Jobs {
		for kind := range work {
			if spec := e.spec(kind, int32(i)); spec != nil {
				work[kind] += spec.Work()
			}
		}
		sum += response(i)
		stretch += response(i) / (e.pools[mapPool].phases[i].work + e.pools[reducePool].phases[i].work)
		last = max(last, e.end[i])
	}
	total := simulation.EmitRun(emit)
	makespan := last - e.Jobs[0].Arrival
	used := func(kind int) float64 {
		return simulation.Share(e.pools[kind].doneTime, float64(e.slots[kind])*makespan)
	}
	leastResponse, leastMakespan := e.bound()
	e.value(func(i int) func(string, string, float64) { return simulation.EmitJob(e.Jobs[i].ID, emit) }, total)
	total("average_response", "s", sum/n)
	total("average_response_bound", "s", leastResponse)
	total("average_stretch", "1/slot", stretch/n)
	total("makespan", "s", makespan)
	total("makespan_bound", "s", leastMakespan)
	total("map_utilisation", "share", used(mapPool))
	total("reduce_utilisation", "share", used(reducePool))
	e.Monitor.Report(work, response, "s", emit)
}

// Realised implements simulation.Engine.
func (e *engine) Realised() float64 { return e.Monitor.Realised(0) }
