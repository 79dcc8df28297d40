package pocd

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"schedgap/datasets/derive"
	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/pocd"
)

// Deriver makes snapshots of a trace's jobs at a chosen progress. The rules are in
// docs/problems/pocd.md#derivation-from-traces.
var Deriver = &models.Deriver[*pocd.Instance]{
	Doc: "jobs of a trace at a chosen progress, their durations fitted to Pareto distributions\n\n" +
		"Maximum likelihood makes t_min and β, quantiles make deadlines, durations make progress and stragglers; the rules are " +
		"in docs/problems/pocd.md#derivation-from-traces. " + trace.Censoring,
	Params: derivationParams(),
	Fixed:  models.Fixed{"max_tasks": float64(mostTasks), "progress": progress},
	Derive: derive.Each[*pocd.Instance](newDerivation),
}

// Decided here: traces have no snapshots.
const (
	mostTasks = 50  // of a job; of more a sample is taken
	progress  = 0.3 // mean of a job's tasks at the snapshot
)

func derivationParams() []models.Param {
	return slices.Concat([]models.Param{
		models.Between("jobs", 10, 1, 1e6, "most jobs of an instance"),
		models.Between("min_jobs", 2, 1, 1e6, "least jobs of an instance"),
		models.Between("min_tasks", 5, 2, mostTasks, "least finished tasks of a job"),
		models.Choice("deadline_basis", "tasks", []string{"tasks", "fit"},
			"times that deadlines come from: the durations of the job's tasks, or the fitted execution time of the job"),
		models.Between("deadline_quantile", 0.75, 0, 0.999, "quantile of these times"),
		models.Between("deadline_factor", 1.0, 1e-6, 1e6, "deadline over that quantile"),
	}, decisionParams())
}

// A derivation is a frame with the jobs that have enough countable tasks.
type derivation struct {
	*derive.Frame
	jobs []*trace.Job
}

func newDerivation(ctx context.Context, r models.DeriveRequest) (derivation, error) {
	var d derivation
	if _, err := alphaOf(r.Params); err != nil {
		return d, err
	}
	var err error
	d.Frame, err = derive.Load(ctx, r, "min_jobs", "jobs")
	if err != nil {
		return d, err
	}
	least := r.Params.Int("min_tasks")
	d.jobs = d.Trace.Select(func(j *trace.Job) bool { return len(j.Durations()) >= least })
	if d.From >= d.To || len(d.jobs) == 0 {
		return d, d.Nothing(fmt.Sprintf("job with %d tasks from start to finish", least))
	}
	return d, nil
}

// Instance implements derive.Derivation.
func (d derivation) Instance(ctx context.Context, s derive.Stratum) (*pocd.Instance, bool, error) {
	var qualified []pocd.Job
	for _, j := range s.Of(d.jobs) {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		if job, ok := d.job(j, s.Rand); ok {
			qualified = append(qualified, job)
		}
	}
	if d.Short(len(qualified), "min_jobs", fmt.Sprintf("jobs with %d tasks of different durations", d.Request.Params.Int("min_tasks"))) {
		return nil, false, nil
	}
	in := &pocd.Instance{}
	for _, q := range derive.Sample(len(qualified), d.Request.Params.Int("jobs"), s.Rand) {
		in.Jobs = append(in.Jobs, qualified[q])
	}
	d.Fewer("jobs", len(qualified))
	if err := settle(in, d.Request.Params); err != nil {
		return nil, false, err
	}
	return in, true, d.Sign(ctx, &in.Header, d.Name(s), s.Facts(len(qualified)))
}

// job makes the snapshot of one job; false when it does not qualify.
func (d derivation) job(j *trace.Job, rng *rand.Rand) (pocd.Job, bool) {
	v := d.Request.Params
	attempts := countedTasks(j, rng)
	if len(attempts) < v.Int("min_tasks") {
		return pocd.Job{}, false
	}
	durations := make([]float64, len(attempts))
	for i, a := range attempts {
		durations[i] = a.duration
	}
	slices.Sort(durations)
	tMin, beta, ok := FitPareto(durations)
	if !ok {
		d.Equal++
		return pocd.Job{}, false
	}
	due := trace.Quantile(durations, v.Float("deadline_quantile"))
	if v.Text("deadline_basis") == "fit" {
		due = fittedQuantile(tMin, beta, len(durations), v.Float("deadline_quantile"))
	}
	due = cmp.Or(j.Deadline, due)
	job := pocd.Job{
		ID:       j.ID,
		Deadline: derive.RoundTo(v.Float("deadline_factor")*due, 3),
		Elapsed:  derive.RoundTo(elapsedAt(attempts, progress), 3),
	}
	// A fit of tiny β makes deadlines that no number of seconds holds.
	if math.IsInf(job.Deadline, 0) || job.Elapsed >= job.Deadline {
		return pocd.Job{}, false
	}
	job.Tasks = observe(attempts, job.Elapsed, job.Deadline)
	for i := range job.Tasks {
		job.Tasks[i].TMin, job.Tasks[i].Beta = derive.RoundTo(tMin, 6), beta
	}
	return job, len(job.Tasks) > 0
}

// countedTasks are the job's tasks whose duration is known and positive, at most mostTasks of them.
func countedTasks(j *trace.Job, rng *rand.Rand) []attempt {
	var all []attempt
	for i := range j.Tasks {
		if seconds, known := j.Tasks[i].Duration(); known && seconds > 0 {
			all = append(all, attempt{strconv.Itoa(int(j.Tasks[i].Index)), seconds})
		}
	}
	if len(all) <= mostTasks {
		return all
	}
	sample := make([]attempt, mostTasks)
	for i, k := range derive.Sample(len(all), mostTasks, rng) {
		sample[i] = all[k]
	}
	return sample
}

// FitPareto is the maximum likelihood fit to positive durations, ascending: t_min the least and β = n/Σ ln(d/t_min), to six
// significant digits. It is false for durations that are all equal, whose likelihood has no maximum.
func FitPareto(durations []float64) (tMin, beta float64, ok bool) {
	tMin = durations[0]
	sum := 0.0
	for _, d := range durations {
		sum += math.Log(d / tMin)
	}
	if sum == 0 {
		return tMin, 0, false
	}
	beta, err := strconv.ParseFloat(strconv.FormatFloat(float64(len(durations))/sum, 'g', 6, 64), 64)
	return tMin, beta, err == nil
}

// fittedQuantile is the p-quantile of the longest of n Pareto durations: t with (1 − (t_min/t)^β)^n = p.
func fittedQuantile(tMin, beta float64, n int, p float64) float64 {
	if p == 0 {
		return tMin
	}
	return tMin * math.Pow(-math.Expm1(math.Log(p)/float64(n)), -1/beta)
}
