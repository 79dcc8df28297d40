package cloning

import (
	"math"

	"schedgap/models"
)

// features returns the properties that ratios may depend on: the amount of work and its arrival, the variation of durations,
// against which clones help, and the shape of the jobs' graphs.
func features(in *Instance) map[string]any {
	phases, tasks, deviation, longest := 0, 0., 0., 0.
	fastest := 1.0
	first, last := math.MaxInt, 0
	for j := range in.Jobs {
		job := &in.Jobs[j]
		first, last = min(first, job.Arrival), max(last, job.Arrival)
		longest = max(longest, job.LongestPath(func(k int) float64 { return job.Phases[k].Mean }))
		phases += len(job.Phases)
		for k := range job.Phases {
			p := &job.Phases[k]
			n := float64(p.Tasks)
			tasks += n
			deviation += n * p.SD / p.Mean
			fastest = max(fastest, p.Rate(in.MaxCopies))
		}
	}
	f := map[string]any{
		// The bottleneck's work over its capacity from the first arrival until the last job could be done.
		"work_over_horizon": models.Load(in.Work(), in.Total(), float64(last-first)+longest),
		"phases_per_job":    float64(phases) / float64(len(in.Jobs)),
		"dag":               in.shape(),
		"cv":                min(math.MaxFloat64, deviation/tasks), // mean of σ/θ over tasks
		"arrivals":          "transient",
		"max_speedup":       fastest, // R of Theorem 1
		"servers":           float64(len(in.Servers)),
		"tasks_per_job":     tasks / float64(len(in.Jobs)),
	}
	if first < last {
		f["arrivals"] = "online"
		f["load"] = models.Load(in.Work(), in.Total(), float64(last-first))
	}
	return f
}

// shape names the form of the jobs' graphs: single, chain or dag, or mixed when jobs differ.
func (in *Instance) shape() string {
	shape := in.Jobs[0].shape()
	for j := range in.Jobs {
		if in.Jobs[j].shape() != shape {
			return "mixed"
		}
	}
	return shape
}

func (job *Job) shape() string {
	if len(job.Phases) == 1 {
		return "single"
	}
	// With at most one parent and one child each, and one without a parent, phases can only form one chain.
	roots := 0
	for k, children := range job.Children() {
		if len(job.Phases[k].Parents) > 1 || len(children) > 1 {
			return "dag"
		}
		if len(job.Phases[k].Parents) == 0 {
			roots++
		}
	}
	if roots > 1 {
		return "dag"
	}
	return "chain"
}
