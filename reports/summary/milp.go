package summary

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"schedgap/models"
	"schedgap/reports/anytime"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// A Formulation is a model of an exact algorithm with a solver on the instances of one source and metric, beside the best heuristic on the
// same instances. Gaps are defined in package anytime: 1 without a value. They are means over units, to the best value and to
// the best bound.
type Formulation struct {
	Algorithm string `json:"algorithm"`
	Reference string `json:"reference"`
	Model     string `json:"model"`
	Solver    string `json:"solver"`
	Start     string `json:"start,omitempty"` // as in Solver
	Source    string `json:"source"`
	Metric    string `json:"metric,omitempty"` // if the problem has several
	Instances int    `json:"instances"`
	Units     int    `json:"units"`
	Proven    int    `json:"proven"` // units

	// Relaxation and Root are medians of lp_bound and root_bound, see models.Work, over the optimum, see View.overOptimum. Null: one is
	// not known of a unit with a proven and positive optimum, or there is no such unit.
	Relaxation Number `json:"median_relaxation"`
	Root       Number `json:"median_root"`
	// FirstValue is the time of the solver's own first value; null if it was told one, or half of the units had none.
	FirstValue   Number `json:"median_first_value_seconds"`
	MedianNodes  Number `json:"median_nodes"`
	ProofSeconds Number `json:"median_proof_seconds"` // of the proven units
	// Heuristic has the least gap of those that were run on all of the instances; empty if there is none.
	Heuristic    string  `json:"heuristic"`
	HeuristicGap GapEnds `json:"heuristic_gap"`
	// HeuristicSeconds is the heuristic's mean time, and SameTimeGap the solver's gap after as long on each instance.
	HeuristicSeconds Number  `json:"heuristic_seconds"`
	SameTimeGap      GapEnds `json:"gap_after_as_long"`
	At               Number  `json:"at_seconds"` // the time limit, at most a minute
	Gap              GapEnds `json:"gap_at_seconds"`

	Relaxations []float64 `json:"-"` // by unit
}

// GapEnds are a mean gap to the best values and to the best bounds.
type GapEnds struct {
	Lo Number `json:"lo"`
	Hi Number `json:"hi"`
}

// gaps collects gaps of units.
type gaps struct{ ends }

func (g *gaps) of(lo, hi anytime.Gap, at float64) { g.add(lo.At(at), hi.At(at)) }

func (g *gaps) mean() GapEnds {
	lo, hi := g.ends.of(stats.Mean)
	return GapEnds{lo, hi}
}

// formulations compares methods with a model with the heuristics on the same instances, by source and metric.
func formulations(p *Problem, log anytime.Log) []Formulation {
	out := []Formulation{}
	problem := p.Views[0].Problem
	variants, list := FindVariants(problem)
	metrics := distinct(problem.Instances, (*ratio.Instance).Metric)
	for i := range p.Solvers {
		s := &p.Solvers[i]
		groups := map[[2]string][]InstanceTime{}
		for _, t := range s.Times {
			in := t.Unit.In
			best := in.Best(s.Reference)
			if s.Model != "" && in.Trouble == "" && in.Comparison != models.Difference && best.Value != nil && best.Bound != nil {
				of := [2]string{in.Source, ""}
				if len(metrics) > 1 {
					of[1] = in.Metric()
				}
				groups[of] = append(groups[of], t)
			}
		}
		for of, times := range groups {
			v := &View{Problem: problem, Reference: s.Reference}
			f := Formulation{
				Algorithm: s.Algorithm, Reference: s.Reference, Model: s.Model, Solver: s.Solver, Start: s.Start, Source: of[0],
				Metric: of[1], Units: len(times), HeuristicGap: GapEnds{Missing, Missing}, SameTimeGap: GapEnds{Missing, Missing},
				HeuristicSeconds: Missing,
			}
			seconds := f.bestHeuristic(v, variants, list, times)
			f.run(v, log, times, seconds)
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b Formulation) int {
		return cmp.Or(cmp.Compare(a.Algorithm, b.Algorithm), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Metric, b.Metric))
	})
	return out
}

// Of names the instances in tables and figures.
func (f *Formulation) Of() string { return strings.TrimSuffix(f.Source+", "+f.Metric, ", ") }

// bestHeuristic finds the heuristic with the least gap on the units' instances, and returns its mean seconds by instance.
func (f *Formulation) bestHeuristic(v *View, of Variants, list []*Variant, times []InstanceTime) map[*ratio.Instance]float64 {
	instances := map[*ratio.Instance]bool{}
	for _, t := range times {
		instances[t.Unit.In] = true
	}
	f.Instances = len(instances)
	var best map[*ratio.Instance]float64
	for _, variant := range list {
		if !variant.Contender() {
			continue
		}
		var g gaps
		all, n, seconds := 0.0, 0.0, map[*ratio.Instance]float64{}
		for in := range instances {
			sum, units := 0.0, 0.0
			for _, u := range in.Units {
				if of[u.Setup] != variant || !u.Solves(v.Reference) || u.WallSeconds == nil {
					continue
				}
				t := trace(v, u, nil)
				g.of(t.Lo, t.Hi, math.Inf(1))
				sum, units = sum+*u.WallSeconds, units+1
			}
			if units > 0 {
				seconds[in] = sum / units
			}
			all, n = all+sum, n+units
		}
		mean := g.mean()
		if len(seconds) < len(instances) || best != nil && cmp.Or(cmp.Compare(mean.Hi, f.HeuristicGap.Hi),
			cmp.Compare(Number(all/n), f.HeuristicSeconds)) >= 0 {
			continue
		}
		best, f.Heuristic, f.HeuristicGap, f.HeuristicSeconds = seconds, variant.Label, mean, Number(all/n)
	}
	return best
}

// atMost is when the gap that a solver leaves is looked at, in seconds, unless its limit is shorter.
const atMost = 60

func limitsOf(times []InstanceTime) (limits []float64) {
	for _, t := range times {
		if t.Unit.TimeLimitSeconds != nil {
			limits = append(limits, *t.Unit.TimeLimitSeconds)
		}
	}
	return limits
}

// run fills in the solver's numbers, and its gap after the seconds that the heuristic took on each instance.
func (f *Formulation) run(v *View, log anytime.Log, times []InstanceTime, seconds map[*ratio.Instance]float64) {
	var atEnd, same gaps
	var first, nodes, proofs, roots []float64
	told := false
	f.At = atMost
	if limits := limitsOf(times); len(limits) > 0 {
		f.At = min(atMost, Number(slices.Max(limits)))
	}
	for _, t := range times {
		u, tr := t.Unit, trace(v, t.Unit, log)
		atEnd.of(tr.Lo, tr.Hi, float64(f.At))
		told = told || len(log[u.UnitID]) > 0
		if seconds != nil {
			same.of(tr.Lo, tr.Hi, seconds[u.In])
		}
		first, nodes = append(first, tr.First), append(nodes, stats.Value(u.Nodes))
		if t.Solved {
			f.Proven++
			proofs = append(proofs, t.Seconds)
		}
		if best := u.In.Best(v.Reference); best.Proven && *best.Value > 0 {
			f.Relaxations = append(f.Relaxations, v.overOptimum(u.LPBound, *best.Value))
			roots = append(roots, v.overOptimum(u.RootBound, *best.Value))
		}
	}
	f.Gap = atEnd.mean()
	if seconds != nil && told {
		f.SameTimeGap = same.mean()
	}
	f.FirstValue = Missing
	if m := stats.Median(first); f.Start == "none" && stats.IsFinite(m) {
		f.FirstValue = Number(m)
	}
	f.MedianNodes, f.ProofSeconds = Number(stats.Median(stats.Finite(nodes))), Number(stats.Median(proofs))
	f.Relaxation, f.Root = medianOfAll(f.Relaxations), medianOfAll(roots)
	f.Relaxations = stats.Finite(f.Relaxations)
}

// overOptimum is a bound over the optimum, mirrored for maximisation, so that 1 is as tight as can be; NaN: there is no bound.
func (v *View) overOptimum(bound *float64, optimum float64) float64 {
	if v.Problem.Sense == models.Maximize {
		return optimum / stats.Value(bound)
	}
	return stats.Value(bound) / optimum
}

// medianOfAll is the median of xs; null if one is not known, so that medians of two columns are of the same units.
func medianOfAll(xs []float64) Number {
	if slices.ContainsFunc(xs, math.IsNaN) {
		return Missing
	}
	return Number(stats.Median(xs))
}
