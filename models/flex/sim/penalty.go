package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/simulation"
	"schedgap/models/simulation/relaxed"
)

const makespan = "makespan"

// penaltyParams are the options of what policies minimise, the generator's of instances. Deadlines and steps of a job are those of
// both its phases, as the paper, which has an instance for either phase, says nothing of them.
func penaltyParams() []models.Param {
	objective := flex.ObjectiveParams()
	objective[0].Choices = append(objective[0].Choices, makespan)
	objective[0].Doc = "penalty of a job's response, that is its time from its arrival on; makespan: none, the last end counts; " +
		"mixed: each job has a metric of its own, drawn from those that the aggregate allows; a workload's job may name one"
	return slices.Concat(objective, flex.DateParams("the time that all slots take for all jobs, after a job's arrival"))
}

// drawPenalties says what each job's response is worth. Weight, deadline and metric are the workload's, or are drawn from a
// stream of the job, the same for all policies. Deadlines and steps count from the arrival.
func (e *engine) drawPenalties(v models.Values) error {
	o, own, err := flex.ReadObjective(v)
	if err != nil {
		return err
	}
	e.makespan = o.Metric == makespan
	if e.makespan {
		o = flex.Objective{Metric: flex.Response, Aggregate: flex.Max}
	}
	e.judge = flex.Instance{Objective: o, Jobs: make([]flex.Job, len(e.Jobs))}
	horizon := 0.0
	for kind := range e.pools {
		for i := range e.Jobs {
			if spec := e.spec(kind, int32(i)); spec != nil {
				horizon += spec.Work() / float64(e.slots[kind])
			}
		}
	}
	seen, owns := o, false // what instances of a moment have
	for i := range e.Jobs {
		job, file := &e.Jobs[i], uint64(e.File[i])
		rng := rand.New(rand.NewPCG(^e.seed, ^file))
		weight, due := flex.DrawUnit(rng), flex.DrawDate(v.Float("deadline_to"), horizon, rng)
		if job.Deadline > 0 {
			due = job.Deadline
		}
		e.judge.Jobs[i] = flex.Job{ID: job.ID, Weight: cmp.Or(job.Weight, weight), Metric: cmp.Or(job.Metric, own(rng)), Deadline: &due}
		metric := e.judge.MetricOf(i)
		if metric == flex.SLA {
			e.judge.Jobs[i].Steps = flex.DrawSteps(v.Float("step_to"), horizon, rng)
		}
		if metric.Steps() && o.Aggregate == flex.Max {
			return simulation.Faulty(job.ID, ": metric %s is not defined for the aggregate max", metric)
		}
		owns = owns || job.Metric != "" || e.judge.Jobs[i].Metric != ""
		e.dated = e.dated || e.policy.Dated || !e.makespan && (o.Aggregate == flex.Max || metric.NeedsDeadline() || metric == flex.SLA)
	}
	// Stretch is of whole phases, of whose rest an instance speaks: a weight, not the metric.
	seen.Weighted = o.Weighted || owns || o.Metric == flex.Stretch
	seen.Metric, _ = e.atMoment(o.Metric)
	for kind := range e.pools {
		e.pools[kind].instance.Objective, e.pools[kind].own = seen, owns
	}
	return nil
}

// atMoment is the metric that an instance of a moment has for a job's, whose jobs are all there at 0, and whether the job's
// arrival is its deadline: the largest of the times since arrivals is the largest lateness.
func (e *engine) atMoment(metric flex.Metric) (m flex.Metric, late bool) {
	switch {
	case metric != flex.Response && metric != flex.Stretch:
		return metric, false
	case e.judge.Objective.Aggregate == flex.Max && !e.makespan:
		return flex.Lateness, true
	}
	return flex.Response, false
}

// penalise gives the policy's view of a job's phase, with so much work in all, the job's penalty from now on.
func (e *engine) penalise(j *flex.Job, owns bool, id int32, now, work float64) {
	own, metric := &e.judge.Jobs[id], e.judge.MetricOf(int(id))
	begin := e.Jobs[id].Arrival - now
	switch j.Weight = 1; {
	case metric == flex.Stretch:
		j.Weight = 1 / work
	case e.judge.Objective.Weighted:
		j.Weight = own.Weight
	}
	seen, late := e.atMoment(metric)
	if owns {
		j.Metric = seen
	}
	if e.dated {
		due := begin
		if !late {
			due += *own.Deadline
		}
		j.Deadline = &due
	}
	if metric == flex.SLA {
		j.Steps = slices.Clone(own.Steps)
		for k := range j.Steps {
			j.Steps[k].At += begin
		}
	}
}

// value emits the jobs' penalties, the run's objective and a bound on it: each job takes at least the spans of its phases.
func (e *engine) value(of func(i int) func(name, unit string, v float64), total func(name, unit string, v float64)) {
	unit := map[flex.Metric]string{flex.Stretch: "1/slot", flex.Tardy: "jobs", flex.SLA: "penalty"}[e.judge.Objective.Metric]
	unit = cmp.Or(unit, "s")
	if e.pools[mapPool].own {
		unit = "penalty"
	}
	ends, least := make([]float64, len(e.Jobs)), make([]float64, len(e.Jobs))
	for i := range e.Jobs {
		m, r, from := &e.pools[mapPool].phases[i], &e.pools[reducePool].phases[i], e.Jobs[i].Arrival
		if e.makespan {
			from = e.Jobs[0].Arrival
		}
		e.judge.Jobs[i].Work = m.work + r.work
		ends[i] = e.end[i] - from
		least[i] = e.Jobs[i].Arrival - from + (e.span(mapPool, m)+e.span(reducePool, r))*(1-relaxed.Margin)
		of(i)("penalty", unit, e.judge.Penalty(i, ends[i]))
	}
	total("objective", unit, e.judge.Value(ends))
	total("objective_bound", unit, e.judge.Value(least))
}
