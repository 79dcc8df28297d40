package sim

import "schedgap/models"

// report emits the metrics of a finished run.
//
// Of each job: response, from arrival to the end of its last task. Of the run: average_response; average_stretch, the mean
// of response over the slot-seconds of the job's tasks; makespan, from the first arrival to the last end; map_utilisation and
// reduce_utilisation, the share of slot-time up to the makespan in which tasks computed (a Reduce task that waits for
// Maps does not); average_response_bound and makespan_bound, below which no policy could have been with these times of tasks
// (docs/bounds-simulated.md); the metrics of simulation.Monitor, of slots that tasks hold, also while they wait; with the option timing, policy_seconds, the mean time of one allocation of one pool.
func (e *engine) report(emit func(models.Metric)) {
	n := len(e.jobs)
	response, flow := make([]float64, n), make([]float64, n) // in file order, and by arrival
	work := make([]float64, 2)
	sum, stretch, last := 0.0, 0.0, 0.0
	for i, k := range e.file {
		flow[i] = e.end[i] - e.jobs[i].Arrival
		response[k] = flow[i]
		for kind := range work {
			if spec := e.spec(kind, int32(i)); spec != nil {
				work[kind] += spec.Work()
			}
		}
		sum += response[k]
		stretch += response[k] / (e.pools[mapPool].phases[i].work + e.pools[reducePool].phases[i].work)
		last = max(last, e.end[i])
	}
	ids := make([]string, n)
	for i, k := range e.file {
		ids[k] = e.jobs[i].ID
	}
	for k, r := range response {
		emit(models.Metric{Scope: "job", Job: ids[k], Name: "response", Unit: "s", Value: r})
	}
	total := func(name, unit string, v float64) {
		emit(models.Metric{Scope: "run", Name: name, Unit: unit, Value: v})
	}
	makespan := last - e.jobs[0].Arrival
	used := func(kind int) float64 { return e.pools[kind].doneTime / (float64(e.slots[kind]) * makespan) }
	leastResponse, leastMakespan := e.bound()
	total("average_response", "s", sum/float64(n))
	total("average_response_bound", "s", leastResponse)
	total("average_stretch", "1/slot", stretch/float64(n))
	total("makespan", "s", makespan)
	total("makespan_bound", "s", leastMakespan)
	total("map_utilisation", "share", used(mapPool))
	total("reduce_utilisation", "share", used(reducePool))
	e.monitor.Report(work, flow, "s", emit)
	if e.timing {
		spent, count := 0.0, 0
		for kind := range e.pools {
			spent += e.pools[kind].planned.Seconds()
			count += e.pools[kind].planCount
		}
		total("policy_seconds", "s", spent/float64(max(count, 1)))
	}
}
