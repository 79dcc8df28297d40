package summary

import (
	"math"

	"schedgap/models"
	"schedgap/reports/anytime"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// An Anytime says how fast an algorithm came close to the optimum of a reference, over the instances that are compared by
// ratio: means over instances of means over seeds. Where an optimum is open, the low end of a gap takes the best value for it and
// the high end the best bound. Without a value the gap is 1.
type Anytime struct {
	Variant
	Reference  string `json:"reference"`
	Instances  int    `json:"instances"`
	Units      int    `json:"units"`
	Horizon    Number `json:"horizon_seconds"`            // the longest time limit; without any, the longest time
	FirstValue Number `json:"median_first_value_seconds"` // null where half of the units had none
	PrimalLo   Number `json:"primal_integral_lo"`         // of the gap from 0 to the horizon, in seconds
	PrimalHi   Number `json:"primal_integral_hi"`
	GapLo      Number `json:"gap_at_limit_lo"` // at the horizon
	GapHi      Number `json:"gap_at_limit_hi"`

	Traces []Trace `json:"-"`
}

// A Trace is the gap of one unit's values over time.
type Trace struct {
	In     *ratio.Instance
	First  float64     // the second of the first value; +Inf: there was none
	Lo, Hi anytime.Gap // to the best value, and to the best bound
}

// Over adds to the report what units knew before their ends.
func (r *Report) Over(log anytime.Log) {
	for _, p := range r.Problems {
		p.Formulations = formulations(p, log)
		p.OverTime = []Anytime{}
		if len(log) == 0 {
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

// overTime lists the algorithms with a logged value before the end, at the view's reference.
func overTime(v *View, log anytime.Log) []Anytime {
	of, list := FindVariants(v.Problem)
	var units []*ratio.Unit
	known := map[*Variant]bool{}
	for _, in := range v.Instances {
		for _, u := range in.Units {
			if u.WallSeconds != nil && in.Trouble == "" && u.Solves(v.Reference) && u.Kind != string(models.Bound) {
				units = append(units, u)
				known[of[u.Setup]] = known[of[u.Setup]] || len(log[u.UnitID]) > 0
			}
		}
	}
	traces := map[*Variant][]Trace{}
	limit, longest := 0.0, 0.0
	for _, u := range units {
		if variant := of[u.Setup]; known[variant] {
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
		if known[variant] {
			out = append(out, condense(variant, v.Reference, horizon, traces[variant]))
		}
	}
	return out
}

func trace(v *View, u *ratio.Unit, log anytime.Log) Trace {
	t := Trace{In: u.In, First: math.Inf(1)}
	values, best := log.Values(u), u.In.Best(v.Reference)
	if len(values) > 0 {
		t.First = values[0].Seconds
	}
	to := func(optimum *float64) anytime.Gap {
		if optimum == nil {
			return anytime.Gap{}
		}
		return anytime.NewGap(values, *optimum)
	}
	t.Lo, t.Hi = to(best.Value), to(best.Bound)
	return t
}

func condense(variant *Variant, reference string, horizon float64, traces []Trace) Anytime {
	a := Anytime{Variant: *variant, Reference: reference, Units: len(traces), Horizon: Number(horizon), Traces: traces}
	mean := func(of func(t *Trace) float64) Number {
		var means []float64
		for i := 0; i < len(traces); { // those of an instance are neighbours
			sum, n, in := 0.0, 0.0, traces[i].In
			for ; i < len(traces) && traces[i].In == in; i++ {
				sum, n = sum+of(&traces[i]), n+1
			}
			means = append(means, sum/n)
		}
		a.Instances = len(means)
		return Number(stats.Mean(means))
	}
	a.PrimalLo = mean(func(t *Trace) float64 { return t.Lo.Integral(horizon) })
	a.PrimalHi = mean(func(t *Trace) float64 { return t.Hi.Integral(horizon) })
	a.GapLo = mean(func(t *Trace) float64 { return t.Lo.At(horizon) })
	a.GapHi = mean(func(t *Trace) float64 { return t.Hi.At(horizon) })
	var first []float64
	for _, t := range traces {
		first = append(first, t.First)
	}
	a.FirstValue = Number(stats.Median(first))
	if math.IsInf(float64(a.FirstValue), 0) {
		a.FirstValue = Missing
	}
	return a
}
