package redundancy

import (
	"context"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/redundancy"
)

// Deriver makes jobs of a trace into jobs that run redundantly. The rules are in
// docs/problems/redundancy.md#derivation-from-traces.
var Deriver = &models.Deriver[*redundancy.Instance]{
	Doc: "works and arrivals of a trace's jobs\n\n" +
		"Total work of finished jobs, arrivals scaled to a load; the rules are in " +
		"docs/problems/redundancy.md#derivation-from-traces. " + trace.Censoring,
	Params: derivationParams(),
	Fixed:  clusterFixed(models.Fixed{"work": "total"}),
	Derive: derive.Each[*redundancy.Instance](newDerivation),
}

func derivationParams() []models.Param {
	return slices.Concat([]models.Param{
		models.Between("jobs", 4, 1, 1e6, "most jobs of an instance"),
		models.Between("min_jobs", 2, 1, 1e6, "least jobs of an instance"),
		models.Between("load", 1.0, 0, 1e6,
			"offered load, works over machines times the span of the arrivals; 0: arrivals as recorded"),
	}, clusterParams())
}

// A derivation is a frame with the jobs that qualify.
type derivation struct {
	*derive.Frame
	jobs []*trace.Job
}

func newDerivation(ctx context.Context, r models.DeriveRequest) (derivation, error) {
	var d derivation
	var err error
	d.Frame, err = derive.Load(ctx, r, "min_jobs", "jobs")
	if err != nil {
		return d, err
	}
	for _, j := range d.Trace.FinishedJobs() {
		if work(j) > 0 {
			d.jobs = append(d.jobs, j)
		}
	}
	if d.From >= d.To || len(d.jobs) == 0 {
		return d, d.Nothing("job whose tasks all finished and took time")
	}
	return d, nil
}

// work is a job's, the summed durations of its tasks, in seconds on one machine, to a millisecond.
func work(j *trace.Job) float64 { return derive.RoundTo(j.Work(), 3) }

// Instance implements derive.Derivation.
func (d derivation) Instance(ctx context.Context, s derive.Stratum) (*redundancy.Instance, bool, error) {
	v, qualified := d.Request.Params, s.Of(d.jobs)
	if d.Short(len(qualified), "min_jobs", "finished jobs") {
		return nil, false, nil
	}
	in, err := cluster(v, s.Rand)
	if err != nil {
		return nil, false, err
	}
	total := 0.0
	var submits []float64
	for _, q := range derive.Sample(len(qualified), v.Int("jobs"), s.Rand) {
		j := qualified[q]
		in.Jobs = append(in.Jobs, redundancy.Job{ID: j.ID, Work: work(j)})
		submits = append(submits, j.Submit.Seconds())
		total += in.Jobs[len(in.Jobs)-1].Work
	}
	factor, span := 1.0, submits[len(submits)-1]-submits[0]
	if load := v.Float("load"); load > 0 && span > 0 {
		factor = models.Load([]float64{total}, []float64{float64(in.Machines)}, load*span)
	}
	for i := range in.Jobs {
		in.Jobs[i].Arrival = derive.RoundTo((submits[i]-submits[0])*factor, 3)
	}
	d.Fewer("jobs", len(qualified))
	facts := s.Facts(len(qualified))
	facts["factor"] = factor // of the arrivals
	return in, true, d.Sign(ctx, &in.Header, d.Name(s), facts)
}
