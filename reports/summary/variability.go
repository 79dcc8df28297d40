package summary

import (
	"fmt"
	"math"
	"slices"

	"schedgap/reports/stats"
)

// A Variability says how much the seeds of a MILP solver change what it does on the same instances: A. Lodi and A. Tramontani,
// Performance variability in mixed-integer programming, TutORials in Operations Research (2013). Times and nodes are of the instances
// that are proven with all seeds; times are of the processor where that is known, else of the clock.
type Variability struct {
	Algorithm string `json:"algorithm"`
	Model     string `json:"model"`
	Solver    string `json:"solver"`
	Start     string `json:"start,omitempty"` // as in Solver
	Instances int    `json:"instances"`       // with several seeds
	Seeds     int    `json:"seeds"`           // the most on an instance
	All       int    `json:"proven_by_all"`   // instances
	Some      int    `json:"proven_by_some"`  // but not by all
	// Quickest and Slowest are shifted geometric means, shift 1 s, of each instance's quickest and slowest seed.
	Quickest Number `json:"quickest_seconds"`
	Slowest  Number `json:"slowest_seconds"`
	// Score is the median over instances of the standard deviation of the seeds' times over their mean.
	Score Number `json:"median_score"`
	// Ratio and Largest are the median and the largest of slowest over quickest, Nodes the median of most over fewest nodes. No time
	// counts as less than 10 ms, the grain of processor time, and no number of nodes as less than 1.
	Ratio   Number `json:"median_ratio"`
	Largest Number `json:"largest_ratio"`
	Nodes   Number `json:"median_nodes_ratio"`
}

const grain = 0.01

// variabilities are of the solvers that have several seeds on an instance.
func variabilities(list []Solver) []Variability {
	out := []Variability{}
	for i := range list {
		s := &list[i]
		v := Variability{Algorithm: s.Algorithm, Model: s.Model, Solver: s.Solver, Start: s.Start, Largest: Missing}
		var quickest, slowest, scores, ratios, nodes []float64
		for _, l := range s.bySeeds() {
			seeds := len(distinct(l.times, func(t InstanceTime) string { return fmt.Sprint(t.Unit.Seed) }))
			if seeds < 2 {
				continue
			}
			v.Instances, v.Seeds = v.Instances+1, max(v.Seeds, seeds)
			if l.solved < len(l.times) {
				v.Some += min(l.solved, 1)
				continue
			}
			v.All++
			var took, grew []float64
			for _, t := range l.times {
				took, grew = append(took, t.worked()), append(grew, stats.Value(t.Unit.Nodes))
			}
			lo, hi := slices.Min(took), slices.Max(took)
			quickest, slowest = append(quickest, lo), append(slowest, hi)
			ratios, scores = append(ratios, max(hi, grain)/max(lo, grain)), append(scores, deviation(took))
			nodes = append(nodes, max(slices.Max(grew), 1)/max(slices.Min(grew), 1))
		}
		if v.Instances == 0 {
			continue
		}
		v.Quickest, v.Slowest = Number(stats.ShiftedGeoMean(quickest, shift)), Number(stats.ShiftedGeoMean(slowest, shift))
		v.Score, v.Ratio, v.Nodes = medianOfAll(scores), medianOfAll(ratios), medianOfAll(nodes)
		if len(ratios) > 0 {
			v.Largest = Number(slices.Max(ratios))
		}
		out = append(out, v)
	}
	return out
}

// worked is the processor time or, where that is not known, the wall time.
func (t *InstanceTime) worked() float64 {
	if math.IsNaN(t.CPU) {
		return t.Seconds
	}
	return t.CPU
}

// deviation is the sample's standard deviation over its mean.
func deviation(xs []float64) float64 {
	mean, squares := stats.Mean(xs), 0.0
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	return math.Sqrt(squares/float64(len(xs)-1)) / mean
}
