package cloning

import (
	"context"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/cloning/pricing"
	"schedgap/models/cloning"
)

// A work has the data of an unfinished job that bounds use: its earliest start and end, and its volume by surrogate.
type work struct {
	release  float64
	earliest float64
	volume   []float64 // in slots of the whole cluster
}

// works are the jobs of a fresh instance.
func (v *preprocessed) works() []work {
	surrogates := v.surrogates
	list := make([]work, len(v.in.Jobs))
	for j := range list {
		w := &list[j]
		end, _ := v.critical(j)
		w.release, w.earliest = float64(v.in.Jobs[j].Arrival), float64(end)
		w.volume = make([]float64, len(surrogates))
		for g := range surrogates {
			for k := v.first[j]; k < v.until(j); k++ {
				if d := surrogates[g].weight[k]; d > 0 {
					w.volume[g] += d * float64(v.phases[k].Tasks) * float64(v.phases[k].volume) / surrogates[g].capacity
				}
			}
		}
	}
	return list
}

// srpt returns the completion times, in order and rounded up to slots, of the rule of shortest remaining time on one machine
// of the surrogate's capacity. No schedule of the cluster has its k-th completion earlier: the rule has at every moment the most
// jobs done.
func srpt(works []work, g int) []float64 {
	release, volume := make([]float64, len(works)), make([]float64, len(works))
	for i := range works {
		release[i], volume[i] = works[i].release, works[i].volume[g]
	}
	ends := pricing.SRPT(release, volume)
	for i := range ends {
		ends[i] = ceil(ends[i])
	}
	return ends
}

// ceil rounds a moment up to the end of its slot, except for what rounding errors and the tolerance of capacities may make of it.
func ceil(t float64) float64 { return math.Ceil(t - surrogateSlack*max(1, t)) }

// completions are bounds on the sorted completions: the k-th is no earlier than the k-th least of the jobs' earliest ends, nor
// than the k-th completion of any surrogate's machine.
func completions(works []work, surrogates int) []float64 {
	ends := make([]float64, len(works))
	for i := range works {
		ends[i] = works[i].earliest
	}
	slices.Sort(ends)
	for g := range surrogates {
		for i, end := range srpt(works, g) {
			ends[i] = max(ends[i], end)
		}
	}
	return ends
}

// together is the sum of completions.
func together(works []work, surrogates int) float64 {
	sum := 0.0
	for _, end := range completions(works, surrogates) {
		sum += end
	}
	return sum
}

// LowerBound is a bound on the optimum of both regimes that takes O(n log n) time: heads and tails and machines of
// the cluster's summed capacity together, completion by completion.
func LowerBound(in *cloning.Instance) float64 {
	in, _ = fromFirst(in)
	v := preprocess(in)
	return together(v.works(), len(v.surrogates)) - v.arrivals()
}

// PathBound is the sum of the jobs' critical paths, tasks in as many copies as help.
func PathBound(in *cloning.Instance) float64 {
	in, _ = fromFirst(in)
	v, sum := preprocess(in), 0.0
	for j := range in.Jobs {
		sum += float64(v.earliest(j))
	}
	return sum - v.arrivals()
}

// SRPTBound is the largest, over the resources, of the flowtime of shortest remaining time on one machine with the cluster's
// summed capacity.
func SRPTBound(in *cloning.Instance) float64 {
	in, _ = fromFirst(in)
	v, best := preprocess(in), 0.0
	works := v.works()
	for g := range v.surrogates {
		sum := 0.0
		for _, end := range srpt(works, g) {
			sum += end
		}
		best = max(best, sum-v.arrivals())
	}
	return best
}

// LBPath is PathBound as an algorithm.
var LBPath = exact.Bound[*cloning.Instance, cloning.Solution]("lb-path",
	"lower bound: the jobs' critical paths with all the copies that help\n\ndocs/problems/cloning.md#bounds.",
	cloning.Opt, func(_ context.Context, in *cloning.Instance) (float64, error) { return PathBound(in), nil })

// LBSRPT is SRPTBound as an algorithm.
var LBSRPT = exact.Bound[*cloning.Instance, cloning.Solution]("lb-srpt",
	"lower bound: SRPT on one machine of the cluster's summed capacity, the largest over resources\n\n"+
		"Volumes and completions in whole slots; counts of copies of large demands act as further resources "+
		"(exact/cloning/bound_surrogate.go). docs/problems/cloning.md#bounds.",
	cloning.Opt, func(_ context.Context, in *cloning.Instance) (float64, error) { return SRPTBound(in), nil })
