package bounds

import (
	"context"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
	"schedgap/models/simulation/relaxed"
)

// A Work has the data of an unfinished job that bounds use: its earliest start and end, and its volume by surrogate.
type Work struct {
	Release  float64
	Earliest float64
	Volume   []float64 // in slots of the whole cluster
}

// Works are the jobs of a fresh instance.
func (v *Outlook) Works() []Work {
	surrogates := v.Surrogates
	list := make([]Work, len(v.In.Jobs))
	for j := range list {
		w := &list[j]
		end, _ := v.critical(j)
		w.Release, w.Earliest = float64(v.In.Jobs[j].Arrival), float64(end)
		w.Volume = make([]float64, len(surrogates))
		for g := range surrogates {
			for k := v.First[j]; k < v.First[j+1]; k++ {
				if d := surrogates[g].Weight[k]; d > 0 {
					w.Volume[g] += d * float64(v.Phases[k].Tasks) * float64(v.units[k]) / surrogates[g].Capacity
				}
			}
		}
	}
	return list
}

// srpt returns the completion times, in order and rounded up to slots, of the rule of shortest remaining time on one machine
// of the surrogate's capacity. No schedule of the cluster has its k-th completion earlier: the rule has at every moment the most
// jobs done.
func srpt(works []Work, g int) []float64 {
	jobs := make([]relaxed.Job, len(works))
	for i := range works {
		jobs[i] = relaxed.Job{Release: works[i].Release, Volume: works[i].Volume[g]}
	}
	ends := relaxed.Shortest(jobs, relaxed.Constant(1))
	for i := range ends {
		ends[i] = Ceil(ends[i])
	}
	return ends
}

// Ceil rounds a moment up to the end of its slot, except for what rounding errors and the tolerance of capacities may make of it.
func Ceil(t float64) float64 { return math.Ceil(t - surrogateSlack*max(1, t)) }

// completions are bounds on the sorted completions: the k-th is no earlier than the k-th least of the jobs' earliest ends, nor
// than the k-th completion of any surrogate's machine.
func completions(works []Work, surrogates int) []float64 {
	ends := make([]float64, len(works))
	for i := range works {
		ends[i] = works[i].Earliest
	}
	slices.Sort(ends)
	for g := range surrogates {
		for i, end := range srpt(works, g) {
			ends[i] = max(ends[i], end)
		}
	}
	return ends
}

// Together is the sum of completions.
func Together(works []Work, surrogates int) float64 {
	sum := 0.0
	for _, end := range completions(works, surrogates) {
		sum += end
	}
	return sum
}

// Lower is a bound on the optimum of both regimes that takes O(n log n) time: heads and tails and machines of
// the cluster's summed capacity together, completion by completion.
func Lower(in *cloning.Instance) float64 {
	in, _ = kernel.FromFirst(in)
	v := Of(in)
	return Together(v.Works(), len(v.Surrogates)) - v.Arrivals()
}

// Path is the sum of the jobs' critical paths, tasks in as many copies as help.
func Path(in *cloning.Instance) float64 {
	in, _ = kernel.FromFirst(in)
	v, sum := Of(in), 0.0
	for j := range in.Jobs {
		sum += float64(v.Earliest(j))
	}
	return sum - v.Arrivals()
}

// SRPT is the largest, over the resources, of the flowtime of shortest remaining time on one machine with the cluster's
// summed capacity.
func SRPT(in *cloning.Instance) float64 {
	in, _ = kernel.FromFirst(in)
	v, best := Of(in), 0.0
	works := v.Works()
	for g := range v.Surrogates {
		sum := 0.0
		for _, end := range srpt(works, g) {
			sum += end
		}
		best = max(best, sum-v.Arrivals())
	}
	return best
}

// LBPath is PathBound as an algorithm.
var LBPath = exact.Bound[*cloning.Instance, cloning.Solution]("lb-path",
	"lower bound: the jobs' critical paths with all the copies that help\n\ndocs/problems/cloning.md#bounds.",
	cloning.Opt, func(_ context.Context, in *cloning.Instance) (float64, error) { return Path(in), nil })

// LBSRPT is SRPTBound as an algorithm.
var LBSRPT = exact.Bound[*cloning.Instance, cloning.Solution]("lb-srpt",
	"lower bound: SRPT on one machine of the cluster's summed capacity, the largest over resources\n\n"+
		"Volumes and completions in whole slots; counts of copies of large demands act as further resources "+
		"(exact/cloning/bounds/surrogates.go). docs/problems/cloning.md#bounds.",
	cloning.Opt, func(_ context.Context, in *cloning.Instance) (float64, error) { return SRPT(in), nil })
