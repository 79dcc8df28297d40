package flex

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/trace"
	"schedgap/datasets/trace/event"
	"schedgap/models"
	"schedgap/models/flex"
)

// Deriver makes one instance of what is left of some jobs that were active at one instant of a trace. The rules, with their
// reasons, are in docs/derivation-flex.md:
//
//   - The window, from the trace's first record to the last end of a finished task unless it is narrower, is cut into N equal
//     strata. A seeded uniform instant is drawn in each, anew up to 20 times when less than min_jobs jobs qualify. A stratum
//     without such an instant gives no instance.
//   - A job qualifies when it was submitted by then and at least min_tasks of its tasks were submitted by then and finished
//     later, in a run whose start is recorded or known to lie before the trace. Only these tasks count. If more than `jobs`
//     jobs qualify, a seeded uniform sample is taken; they keep the order of submission.
//   - Work is the sum of the remaining durations of the counted tasks in slot-seconds, rounded to milliseconds.
//   - The slots are given, or derived: capacity times the sum over the jobs of the most counted tasks that ran at one time
//     after the instant, rounded, at least min_floor a job.
//   - The maximum is the number of counted tasks, up to the slots.
//   - The weight is 1 + the highest priority of the counted tasks; 1 in formats without priorities.
//   - The minima are fair shares by weight of (1 − slack)·slots, rounded by largest remainders, each between min_floor and the
//     maximum.
//   - The deadline is deadline_factor times the deadline_quantile of a sample of times from the instant on: until the job's
//     own counted tasks ended (own), or until the other qualifying jobs did (others). Step k of an sla lies at k deadlines and
//     costs k.
//
// Lineage holds the trace's files with their SHA-256, window, seed, parameters, instant and the number of qualifying jobs. What
// trace.Censoring says applies. Formats that record tasks as a whole give upper bounds on the work; dependencies between tasks
// are ignored; a format without tasks (swim) is an error.
var Deriver = &models.Deriver[*flex.Instance]{
	Doc: "what is left of the jobs that were active at an instant of a trace\n\n" +
		"Remaining tasks that finished later make work and maxima, priorities make weights and minima, what happened in the " +
		"trace makes deadlines; the rules are in docs/derivation-flex.md. " + trace.Censoring,
	Params: derivationParams(),
	Derive: func(ctx context.Context, r models.DeriveRequest) iter.Seq2[*flex.Instance, error] {
		return func(yield func(*flex.Instance, error) bool) {
			d, err := newDerivation(ctx, r)
			if err != nil {
				yield(nil, err)
				return
			}
			for stratum := range r.N {
				in, err := d.instance(ctx, stratum)
				if in == nil && err == nil {
					continue
				}
				if !yield(in, err) || err != nil {
					return
				}
			}
		}
	},
}

func derivationParams() []models.Param {
	return slices.Concat([]models.Param{
		{Name: "jobs", Default: 10, Min: 1, Max: 1e6, Doc: "most jobs of an instance"},
		{Name: "min_jobs", Default: 2, Min: 1, Max: 1e6, Doc: "least jobs of an instance"},
		{Name: "min_tasks", Default: 1, Min: 1, Max: 1e6, Doc: "least unfinished tasks of a job"},
		{Name: "slots", Default: 0, Min: 0, Max: 1e6, Doc: "number of slots; 0: derived, see capacity"},
		{
			Name: "capacity", Default: 0.5, Min: 0, Max: 1e3,
			Doc: "derived slots over the sum of the jobs' peaks, the most of its tasks that ran at one time after the instant",
		},
	}, minimaParams(), objectiveParams(), []models.Param{
		{
			Name: "deadline_basis", Default: "own", Choices: []string{"own", "others"},
			Doc: "times that deadlines come from: until the job's own tasks ended, or until the other jobs did",
		},
		{Name: "deadline_quantile", Default: 1.0, Min: 0, Max: 1, Doc: "quantile of these times"},
		{Name: "deadline_factor", Default: 1.0, Min: 0, Max: 1e6, Doc: "deadline over that quantile"},
		{Name: "steps", Default: 3, Min: 1, Max: 100, Doc: "steps of a job's service level agreement, metric sla"},
	})
}

// redraws is how often an instant is drawn in a stratum before the stratum is given up.
const redraws = 20

// A derivation is one request against one assembled trace.
type derivation struct {
	r         models.DeriveRequest
	objective flex.Objective
	lineage   trace.Lineage
	jobs      []*trace.Job // with at least one countable task
	from, to  trace.Time
}

func newDerivation(ctx context.Context, r models.DeriveRequest) (*derivation, error) {
	d := &derivation{r: r}
	var err error
	if d.objective, err = objectiveOf(r.Params); err != nil {
		return nil, err
	}
	most := r.Params.Int("jobs")
	if least := r.Params.Int("min_jobs"); least > most {
		return nil, fmt.Errorf("parameter min_jobs: %d must be at most jobs, %d", least, most)
	}
	if slots := r.Params.Int("slots"); slots > 0 && most*r.Params.Int("min_floor") > slots {
		return nil, fmt.Errorf("parameter slots: %d must be at least jobs, %d, which have a minimum of at least 1", slots, most)
	}
	source, err := trace.Open(r.Dir, r.Format)
	if err != nil {
		return nil, err
	}
	opt := trace.Options{From: r.From, To: r.To}
	tr, err := trace.Assemble(ctx, source, opt)
	if err != nil {
		return nil, err
	}
	last := trace.Never
	d.jobs = tr.Select(func(j *trace.Job) (counts bool) {
		for i := range j.Tasks {
			if k := &j.Tasks[i]; countable(k) {
				last, counts = max(last, k.End), true
			}
		}
		return counts
	})
	if d.from, d.to = max(tr.From, tr.First), min(tr.To, last); d.from >= d.to {
		return nil, fmt.Errorf("%s: window %v,%v (0: the end): the %s trace records no task there from its start to its finish",
			r.Dir, r.From, r.To, tr.Format)
	}
	d.lineage, err = source.Lineage(ctx, opt, r.Seed, r.Params)
	return d, err
}

// instance derives the instance of a stratum, nil when there is none.
func (d *derivation) instance(ctx context.Context, stratum int) (*flex.Instance, error) {
	rng := rand.New(rand.NewPCG(d.r.Seed, uint64(stratum)))
	width := float64(d.to-d.from) / float64(d.r.N)
	for range redraws {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := d.from + trace.Time((float64(stratum)+rng.Float64())*width)
		qualified := snapshot(d.jobs, t, d.r.Params.Int("min_tasks"))
		if len(qualified) < d.r.Params.Int("min_jobs") {
			continue
		}
		name := fmt.Sprintf("%s-seed%d-%03d-at%ds", d.lineage.Format, d.r.Seed, stratum+1, t/event.Second)
		lineage, err := encodeLineage(d.lineage, t, len(qualified))
		if err != nil {
			return nil, fmt.Errorf("lineage of %s: %w", name, err)
		}
		taken := rng.Perm(len(qualified))[:min(len(qualified), d.r.Params.Int("jobs"))]
		slices.Sort(taken)
		in := d.build(qualified, taken)
		in.Header = models.Header{Name: name, Lineage: lineage}
		return in, nil
	}
	return nil, nil
}

// build makes an instance of the qualified jobs in taken.
func (d *derivation) build(qualified []remainder, taken []int) *flex.Instance {
	v := d.r.Params
	in := &flex.Instance{Objective: d.objective, Slots: v.Int("slots"), Jobs: make([]flex.Job, len(taken))}
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
		job.Weight = 1 + float64(max(0, r.priority))
		shares[i], most[i] = job.Weight, job.Max
		deadline := milliseconds(v.Float("deadline_factor") * d.due(qualified, q))
		if d.objective.Metric.NeedsDeadline() {
			job.Deadline = &deadline
		}
		if d.objective.Metric == flex.SLA {
			for k := range v.Int("steps") {
				job.Steps = append(job.Steps, flex.Step{At: milliseconds(float64(k+1) * deadline), Penalty: float64(k + 1)})
			}
		}
	}
	for i, m := range apportion(shares, guaranteed(v.Float("slack"), in.Slots), v.Int("min_floor"), most) {
		in.Jobs[i].Min = m
	}
	return in
}

// due is the quantile, in seconds from the instant on, that the deadline of job q is a multiple of. A job without others goes
// by itself.
func (d *derivation) due(qualified []remainder, q int) float64 {
	var sample []float64
	if d.r.Params.Text("deadline_basis") == "own" {
		for _, end := range qualified[q].ends {
			sample = append(sample, end.Seconds())
		}
	} else {
		for i := range qualified {
			if i != q || len(qualified) == 1 {
				sample = append(sample, qualified[i].last().Seconds())
			}
		}
		slices.Sort(sample)
	}
	return trace.Quantile(sample, d.r.Params.Float("deadline_quantile"))
}

// milliseconds rounds a positive number of seconds to milliseconds, at least one.
func milliseconds(seconds float64) float64 { return max(1e-3, roundTo(seconds, -3)) }

// encodeLineage writes the lineage in the canonical form in which instance files are read back.
func encodeLineage(l trace.Lineage, t trace.Time, qualified int) (json.RawMessage, error) {
	text, err := json.Marshal(struct {
		trace.Lineage
		Instant   float64 `json:"instant"`   // seconds of the trace's clock
		Qualified int     `json:"qualified"` // jobs to choose from
	}{l, t.Seconds(), qualified})
	if err != nil {
		return nil, err
	}
	var fields any
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	return json.Marshal(fields)
}
