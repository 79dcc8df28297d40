package history

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// A Metric is what is followed of an algorithm.
type Metric string

// The metrics. Ratio is the logarithm of the ratio to the best value known in all runs, the same for all of them, so that a change is
// that of the algorithm's value; of a bound, that of the best value to it. Value is for instances without ratios: the difference to the
// best value over the largest value that the unit ever had. Proofs and Failures are 1 or 0, Time is the logarithm of seconds.
const (
	Ratio    Metric = "ratio"
	Value    Metric = "value"
	Proofs   Metric = "proofs"
	Failures Metric = "failures"
	Time     Metric = "time"
)

var metrics = []Metric{Ratio, Value, Proofs, Failures, Time}

// timeShift is added to times, in seconds, as in compare: what takes much less than a millisecond is timer and cache.
const timeShift = 1e-3

// A key says what a series is of.
type key struct {
	problem, algorithm string
	metric             Metric
	machine            string // of times only
}

// A table has the values of a series by unit and run; NaN: none. Larger is worse, but for proofs.
type table struct {
	key
	units  []string // their instances, for counting
	values [][]float64
	style  int // of the algorithm in figures; negative: of a bound
}

// tables are the series of all algorithms. runs are in order.
func tables(set *ratio.Set, runs []*Run) []*table {
	at := map[string]int{}
	for i, r := range runs {
		at[r.ID] = i
	}
	var out []*table
	for _, p := range set.Problems {
		variants, styles := summary.Variants(p), summary.Styles(p)
		type unit struct {
			label *summary.Variant
			first *ratio.Unit
			runs  []*ratio.Unit // by run; nil: not in it
		}
		units := map[string]*unit{}
		var order []string
		for _, u := range p.Units {
			run, id, _ := strings.Cut(u.UnitID, separator)
			if units[id] == nil {
				units[id] = &unit{label: variants[u.Setup], first: u, runs: make([]*ratio.Unit, len(runs))}
				order = append(order, id)
			}
			units[id].runs[at[run]] = u
		}
		byKey := map[key]*table{}
		for _, id := range order {
			u := units[id]
			for _, metric := range metrics {
				for machine, values := range of(p, metric, u.runs, runs) {
					k := key{p.Name, u.label.Label, metric, machine}
					t := byKey[k]
					if t == nil {
						style, drawn := styles[*u.label]
						if !drawn {
							style = -1
						}
						t = &table{key: k, style: style}
						byKey[k] = t
						out = append(out, t)
					}
					t.units, t.values = append(t.units, u.first.InstanceSHA256), append(t.values, values)
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *table) int {
		return cmp.Or(cmp.Compare(a.problem, b.problem), cmp.Compare(slices.Index(metrics, a.metric), slices.Index(metrics, b.metric)),
			cmp.Compare(a.algorithm, b.algorithm), cmp.Compare(a.machine, b.machine))
	})
	return out
}

// of is what one unit contributes to a metric, by machine; the empty machine is any.
func of(p *ratio.Problem, metric Metric, units []*ratio.Unit, runs []*Run) map[string][]float64 {
	out := map[string][]float64{}
	set := func(machine string, run int, x float64) {
		if !finite(x) {
			return
		}
		if out[machine] == nil {
			out[machine] = slices.Repeat([]float64{math.NaN()}, len(runs))
		}
		out[machine][run] = x
	}
	switch metric {
	case Ratio, Value:
		for run, x := range quality(p, units, metric) {
			set("", run, x)
		}
	case Time:
		for run, x := range times(units) {
			set(runs[run].Machine, run, x)
		}
		for machine := range out {
			if !slices.ContainsFunc(units, func(u *ratio.Unit) bool { return u != nil && machine == machineOf(u.CPUModel, u.NCPUs) && ended(u) }) {
				delete(out, machine) // at its limit every time
			}
		}
	default:
		for run, u := range units {
			if u == nil || bench.Status(u.Status) == bench.Skipped || metric == Proofs && u.Kind != string(models.Exact) {
				continue
			}
			is := metric == Proofs && proven(u) || metric == Failures && failure(u)
			set("", run, map[bool]float64{true: 1}[is])
		}
	}
	return out
}

// quality is a unit's ratio, if it has one in all runs in which it has a value, or else its scaled value.
func quality(p *ratio.Problem, units []*ratio.Unit, metric Metric) []float64 {
	ratios, values := slices.Repeat([]float64{math.NaN()}, len(units)), slices.Repeat([]float64{math.NaN()}, len(units))
	quotients, largest := true, 0.0
	for run, u := range units {
		if u == nil || u.In.Trouble != "" {
			continue
		}
		lo, difference, value, ok := distance(p, u)
		if !ok {
			continue
		}
		ratios[run], values[run] = math.Log(lo), difference
		quotients = quotients && finite(ratios[run])
		largest = max(largest, math.Abs(value))
	}
	if quotients == (metric == Value) {
		return nil
	}
	if metric == Ratio {
		return ratios
	}
	for run := range values {
		if largest > 0 {
			values[run] /= largest
		}
	}
	return values
}

// distance is a unit's ratio to and its difference from the best value known, with its value.
func distance(p *ratio.Problem, u *ratio.Unit) (lo, difference, value float64, ok bool) {
	i := slices.IndexFunc(p.Reported, u.Related)
	if i < 0 {
		return 0, 0, 0, false
	}
	if u.Kind != string(models.Bound) {
		d := p.Distance(u, p.Reported[i])
		return d.RatioLo, d.DifferenceLo, orZero(u.Value), u.Value != nil && finite(d.DifferenceLo)
	}
	best := u.In.Best(p.Reported[i]).Value
	if u.Bound == nil || best == nil || !finite(*u.Bound) {
		return 0, 0, 0, false
	}
	lo, difference = *best / *u.Bound, *best-*u.Bound // a bound is worse the further from the values it lies
	if p.Sense == models.Maximize {
		lo, difference = 1/lo, -difference
	}
	if u.In.Comparison == models.Difference || *best < ratio.Zero || *u.Bound < ratio.Zero {
		lo = math.NaN()
	}
	return lo, difference, *u.Bound, true
}

// times are the logarithms of a unit's processor seconds, or of wall seconds where some run has no others.
func times(units []*ratio.Unit) []float64 {
	cpu := !slices.ContainsFunc(units, func(u *ratio.Unit) bool { return u != nil && timed(u) && u.CPUSeconds == nil })
	out := make([]float64, len(units))
	for run, u := range units {
		switch {
		case u == nil || !timed(u):
			out[run] = math.NaN()
		case cpu:
			out[run] = math.Log(*u.CPUSeconds + timeShift)
		default:
			out[run] = math.Log(*u.WallSeconds + timeShift)
		}
	}
	return out
}

func timed(u *ratio.Unit) bool {
	return u.WallSeconds != nil && finite(*u.WallSeconds) && (ended(u) || bench.Status(u.Status) == bench.Timeout)
}

func ended(u *ratio.Unit) bool {
	switch bench.Status(u.Status) {
	case bench.Optimal, bench.Feasible, bench.Infeasible:
		return true
	}
	return false
}

func proven(u *ratio.Unit) bool {
	return bench.Status(u.Status) == bench.Optimal || bench.Status(u.Status) == bench.Infeasible
}

func failure(u *ratio.Unit) bool {
	r := Row{}
	r.Status, r.Objective, r.Bound = u.Status, u.Objective, u.Record.Bound
	return failed(&r)
}

func orZero(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
