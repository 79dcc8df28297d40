package flex

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/datasets/event"
	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/flex"
)

// Deriver makes one instance of the work that some active jobs have left at an instant of a trace. The rules are in
// docs/problems/flex.md#derivation-from-traces.
var Deriver = &models.Deriver[*flex.Instance]{
	Doc: "the remaining work of jobs that were active at an instant of a trace\n\n" +
		"Remaining tasks that finished later make work and maxima, priorities make weights and minima, completions in the " +
		"trace make deadlines; the rules are in docs/problems/flex.md#derivation-from-traces. " + trace.Censoring,
	Params: derivationParams(),
	Fixed:  models.Fixed{"deadline_basis": "own", "deadline_quantile": 1., "deadline_factor": 1., "steps": float64(flex.Steps)},
	Derive: derive.Each[*flex.Instance](newDerivation),
}

func derivationParams() []models.Param {
	return slices.Concat([]models.Param{
		models.Between("jobs", 10, 1, 1e6, "most jobs of an instance"),
		models.Between("min_jobs", 2, 1, 1e6, "least jobs of an instance"),
		models.Choice("derivation", contended, []string{contended, uncontended},
			"jobs that have something to share compete for few slots, or all jobs are taken and most run at once"),
		models.Between("min_tasks", 0, 0, 1e6, "least unfinished tasks of a job; 0: 5, and uncontended 1"),
		models.Between("slots", 0, 0, 1e6, "number of slots; 0: derived, see capacity"),
		models.Between("capacity", 0.0, 0, 1e3,
			"derived slots over the sum of the jobs' peaks, the most of its tasks that ran at one time after the instant; "+
				"0: 0.2, and uncontended 0.5"),
		models.Between("load", 0.0, 0, 1e3,
			"derived slots with the nearest load to this: the jobs' work from the instant to the last end over the slots' time "+
				"until then; 0: by capacity"),
	}, minimaParams(), flex.ObjectiveParams())
}

// The derivations.
const (
	contended   = "contended"
	uncontended = "uncontended"
)

// settled fills in the options that the option derivation sets. At an instant of Google's 2011 trace a third of the jobs have 5
// tasks left or more, and 99 % of the running tasks. They ran 93 % of their peaks, so only a small share of these, a fifth, makes
// them compete.
func settled(v models.Values) models.Values {
	v = maps.Clone(v)
	tasks, capacity := 5, 0.2
	if v.Text("derivation") == uncontended {
		tasks, capacity = 1, 0.5
	}
	v["min_tasks"], v["capacity"] = cmp.Or(v.Int("min_tasks"), tasks), cmp.Or(v.Float("capacity"), capacity)
	return v
}

// A derivation is a frame with the jobs that have at least one countable task.
type derivation struct {
	*derive.Frame
	objective flex.Objective
	jobs      []*trace.Job
}

func newDerivation(ctx context.Context, r models.DeriveRequest) (derivation, error) {
	var d derivation
	var err error
	r.Params = settled(r.Params)
	d.objective, _, err = flex.ReadObjective(r.Params)
	if err != nil {
		return d, err
	}
	if r.Params.Text("metric") == flex.MixedMetrics {
		return d, fmt.Errorf("parameter metric: mixed is of generated instances, traces do not say what their jobs are after")
	}
	most := r.Params.Int("jobs")
	if slots := r.Params.Int("slots"); slots > 0 && most*r.Params.Int("min_floor") > slots {
		return d, fmt.Errorf("parameter slots: %d must be at least jobs, %d, which have a minimum of at least 1", slots, most)
	}
	if r.Params.Float("load") > 0 && r.Params.Int("slots") > 0 {
		return d, fmt.Errorf("parameter load: %v is about derived slots, and slots is %d", r.Params.Float("load"), r.Params.Int("slots"))
	}
	d.Frame, err = derive.Load(ctx, r, "min_jobs", "jobs")
	if err != nil {
		return d, err
	}
	if r.Params.Text("derivation") == contended {
		d.Hint = "; -p derivation=uncontended takes smaller jobs, too"
	}
	last := trace.Never
	d.jobs = d.Trace.Select(func(j *trace.Job) (counts bool) {
		for i := range j.Tasks {
			if k := &j.Tasks[i]; countable(k) {
				last, counts = max(last, k.End), true
			}
		}
		return counts
	})
	d.To = min(d.Trace.To, last)
	if d.From >= d.To {
		return d, d.Nothing("task from its start to its finish")
	}
	return d, nil
}

// Instance implements derive.Derivation.
func (d derivation) Instance(ctx context.Context, s derive.Stratum) (*flex.Instance, bool, error) {
	for range derive.Redraws {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		t := d.Instant(s)
		qualified := snapshot(d.jobs, t, d.Request.Params.Int("min_tasks"))
		if d.Short(len(qualified), "min_jobs", fmt.Sprintf("jobs with %d unfinished tasks", d.Request.Params.Int("min_tasks"))) {
			continue
		}
		taken := derive.Sample(len(qualified), d.Request.Params.Int("jobs"), s.Rand)
		slots, load := slotsFor(qualified, taken, d.Request.Params.Float("load"))
		if slots > 0 && slots < len(taken)*d.Request.Params.Int("min_floor") {
			continue // too few for the load and the minima
		}
		in := d.build(qualified, taken, slots)
		d.Fewer("jobs", len(qualified))
		facts := map[string]any{"instant": t.Seconds(), "qualified": len(qualified)} // the trace's clock; jobs to choose from
		if slots > 0 {
			facts["load"] = load // the realised one
		}
		return in, true, d.Sign(ctx, &in.Header, fmt.Sprintf("%s-at%ds", d.Name(s), t/event.Second), facts)
	}
	return nil, false, nil
}

// slotsFor is the number of slots with which the load of the jobs in taken is nearest to the given one, and that load; 0: none
// is given.
func slotsFor(qualified []remainder, taken []int, load float64) (slots int, realised float64) {
	work, last := 0.0, trace.Time(0)
	for _, q := range taken {
		work += qualified[q].work.Seconds()
		last = max(last, qualified[q].last())
	}
	if load == 0 {
		return 0, 0
	}
	running := work / last.Seconds()
	return models.Units(running, load), running / float64(models.Units(running, load))
}

// build makes an instance of the qualified jobs in taken, with so many slots, 0: by the options.
func (d derivation) build(qualified []remainder, taken []int, slots int) *flex.Instance {
	v := d.Request.Params
	in := &flex.Instance{Objective: d.objective, Slots: cmp.Or(slots, v.Int("slots")), Jobs: make([]flex.Job, len(taken))}
	if in.Slots == 0 {
		peaks := 0
		for _, q := range taken {
			peaks += qualified[q].peak
		}
		in.Slots = max(1, v.Int("min_floor")*len(taken), int(v.Float("capacity")*float64(peaks)+0.5))
	}
	shares, most := make([]float64, len(taken)), make([]int, len(taken))
	for i, q := range taken {
		r := &qualified[q]
		job := &in.Jobs[i]
		job.ID = r.job.ID
		job.Work = milliseconds(r.work.Seconds())
		job.Max = min(r.tasks, in.Slots)
		job.Weight = r.job.Weight
		if job.Weight == 0 {
			job.Weight = 1 + float64(max(0, r.priority))
		}
		shares[i], most[i] = job.Weight, job.Max
		deadline := milliseconds(r.due())
		if d.objective.Metric.NeedsDeadline() {
			job.Deadline = &deadline
		}
		if d.objective.Metric == flex.SLA {
			for k := range flex.Steps {
				job.Steps = append(job.Steps, flex.Step{At: milliseconds(float64(k+1) * deadline), Penalty: float64(k + 1)})
			}
		}
	}
	for i, m := range apportion(shares, guaranteed(v.Float("slack"), in.Slots), v.Int("min_floor"), most) {
		in.Jobs[i].Min = m
	}
	return in
}

// due is the deadline, in seconds from the instant on: the trace's, 0 if it has passed, or else the end of the last task.
func (r *remainder) due() float64 {
	if r.job.Deadline > 0 {
		return max(0, r.job.Deadline-r.age.Seconds())
	}
	return r.last().Seconds()
}

// milliseconds rounds a positive number of seconds to milliseconds, at least one.
func milliseconds(seconds float64) float64 { return max(1e-3, flex.RoundTo(seconds, -3)) }
