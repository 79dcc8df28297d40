package summary

import (
	"math"
	"slices"

	"schedgap/models"
	"schedgap/reports/anytime"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// An Anytime says how fast an algorithm came close to the optimum of a reference, over the instances that are compared by
// ratio. Integrals are in seconds, from 0 to the horizon: the mean over instances of the mean over seeds. Where an optimum is
// open, the low end of a primal integral takes the best value for it and the high end the best bound; of a dual integral it is
// the other way round. An end without which nothing is known counts as a gap of 1.
type Anytime struct {
	Variant
	Reference string `json:"reference"`
	Instances int    `json:"instances"`
	Units     int    `json:"units"`
	Horizon   Number `json:"horizon_seconds"` // the longest time limit; without any, the longest time
	PrimalLo  Number `json:"primal_integral_lo"`
	PrimalHi  Number `json:"primal_integral_hi"` // null, as the low end: its values do not count at the reference
	DualLo    Number `json:"dual_integral_lo"`
	DualHi    Number `json:"dual_integral_hi"` // null, as the low end: its bounds do not count at the reference
	// Both is of the gap between the algorithm's own values and bounds, for which no optimum is needed.
	Both    Number   `json:"primal_dual_integral"`
	Targets []Target `json:"targets"`

	Traces []Trace `json:"-"`
}

// A Target is a primal gap and how often, and how fast, it was reached.
type Target struct {
	Gap     float64 `json:"gap"`
	Reached int     `json:"reached"`        // units that reached it whatever the optimum is
	Perhaps int     `json:"perhaps"`        // units that reached it if the optimum is the best value; at least Reached
	Median  Number  `json:"median_seconds"` // of those that reached it
}

// targets are those of every Anytime.
var targets = []float64{0.1, 0.01, 0.001}

// A Trace is what one unit knew over time.
type Trace struct {
	In             *ratio.Instance
	Jobs           Number // of the instance
	Values, Bounds []anytime.Point
	Primal, Dual   Ends
	Both           anytime.Gap
	Solves, Proves bool // values, or bounds, count at the reference
}

// Ends are a gap function to an optimum that is known up to an interval.
type Ends struct{ Lo, Hi anytime.Gap }

// Over adds to the report what units knew before their ends.
func (r *Report) Over(log anytime.Log) {
	for _, p := range r.Problems {
		for i := range p.Solvers {
			p.Solvers[i].over(log)
		}
		if p.OverTime = []Anytime{}; len(log) == 0 {
			continue
		}
		for _, reference := range p.References {
			v := &View{Problem: p.Views[0].Problem, Reference: reference.Name}
			for _, in := range v.Problem.Instances {
				if in.Comparison != models.Difference {
					v.Instances = append(v.Instances, in)
				}
			}
			p.OverTime = append(p.OverTime, overTime(v, log)...)
		}
	}
}

// overTime lists the algorithms of which the log knows anything at the view's reference.
func overTime(v *View, log anytime.Log) []Anytime {
	of, list := FindVariants(v.Problem)
	known := map[*Variant]bool{}
	limit, longest := 0.0, 0.0
	counts := func(u *ratio.Unit) bool {
		return u.WallSeconds != nil && u.In.Trouble == "" && (u.Solves(v.Reference) || u.Bounds(v.Reference))
	}
	for _, in := range v.Instances {
		for _, u := range in.Units {
			if len(log[u.UnitID]) > 0 && counts(u) {
				known[of[u.Setup]] = true
			}
		}
	}
	traces := map[*Variant][]Trace{}
	for _, in := range v.Instances {
		for _, u := range in.Units {
			variant := of[u.Setup]
			if !known[variant] || !counts(u) {
				continue
			}
			traces[variant] = append(traces[variant], trace(v, u, log))
			longest = max(longest, *u.WallSeconds)
			if u.TimeLimitSeconds != nil {
				limit = max(limit, *u.TimeLimitSeconds)
			}
		}
	}
	horizon := limit
	if horizon == 0 {
		horizon = longest
	}
	var out []Anytime
	for _, variant := range list {
		if of := traces[variant]; of != nil {
			if a := condense(variant, v.Reference, horizon, of); a.PrimalHi.Known() || a.DualHi.Known() {
				out = append(out, a)
			}
		}
	}
	return out
}

func trace(v *View, u *ratio.Unit, log anytime.Log) Trace {
	t := Trace{In: u.In, Jobs: Number(stats.Value(u.NJobs)), Proves: u.Bounds(v.Reference)}
	t.Solves = u.Solves(v.Reference) && u.Kind != string(models.Bound)
	values, bounds := log.Of(u, v.Reference)
	best := u.In.Best(v.Reference)
	to := func(points []anytime.Point, optimum *float64) anytime.Gap {
		if optimum == nil {
			return anytime.Gap{}
		}
		return anytime.NewGap(points, func(x float64) float64 { return anytime.Distance(x, *optimum) })
	}
	t.Values, t.Bounds = values, bounds
	t.Primal = Ends{to(values, best.Value), to(values, best.Bound)}
	t.Dual = Ends{to(bounds, best.Bound), to(bounds, best.Value)}
	t.Both = anytime.Between(values, bounds)
	return t
}

func condense(variant *Variant, reference string, horizon float64, traces []Trace) Anytime {
	a := Anytime{
		Variant: *variant, Reference: reference, Units: len(traces), Horizon: Number(horizon), Traces: traces,
		Targets: []Target{},
	}
	integral := func(counts func(t *Trace) bool, of func(t *Trace) anytime.Gap) Number {
		var means []float64
		for i := 0; i < len(traces); { // those of an instance are neighbours
			sum, n, in := 0.0, 0, traces[i].In
			for ; i < len(traces) && traces[i].In == in; i++ {
				if t := &traces[i]; counts(t) {
					sum += of(t).Integral(horizon)
					n++
				}
			}
			if n > 0 {
				means = append(means, sum/float64(n))
			}
		}
		return Number(stats.Mean(means))
	}
	solves, proves := func(t *Trace) bool { return t.Solves }, func(t *Trace) bool { return t.Proves }
	if !slices.ContainsFunc(traces, func(t Trace) bool { return len(t.Bounds) > 0 }) { // it is none that makes bounds
		proves = func(*Trace) bool { return false }
	}
	a.PrimalLo = integral(solves, func(t *Trace) anytime.Gap { return t.Primal.Lo })
	a.PrimalHi = integral(solves, func(t *Trace) anytime.Gap { return t.Primal.Hi })
	a.DualLo = integral(proves, func(t *Trace) anytime.Gap { return t.Dual.Lo })
	a.DualHi = integral(proves, func(t *Trace) anytime.Gap { return t.Dual.Hi })
	a.Both = integral(func(t *Trace) bool { return t.Solves && proves(t) }, func(t *Trace) anytime.Gap { return t.Both })
	instances := map[*ratio.Instance]bool{}
	for i := range traces {
		instances[traces[i].In] = true
	}
	a.Instances = len(instances)
	for _, target := range targets {
		sure := Target{Gap: target}
		var seconds []float64
		for i := range traces {
			t := &traces[i]
			if !math.IsNaN(t.Primal.Lo.Reaches(target)) {
				sure.Perhaps++
			}
			if at := t.Primal.Hi.Reaches(target); !math.IsNaN(at) {
				sure.Reached++
				seconds = append(seconds, at)
			}
		}
		sure.Median = Number(stats.Median(seconds))
		if !math.IsNaN(float64(a.PrimalLo)) {
			a.Targets = append(a.Targets, sure)
		}
	}
	return a
}
