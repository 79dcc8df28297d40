package history

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

// A Metric is what is followed of an algorithm.
type Metric string

// The metrics. Ratio is the logarithm of the ratio to the best value known in all runs, the same for all of them, so that a
// change is that of the algorithm's value; of a bound, that of the best value to it. Value is for instances without ratios: the
// difference to the best value over the largest value that the unit ever had. Proofs and Failures are 1 or 0, Time is the
// logarithm of seconds.
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

// A Key says what a series is of.
type Key struct {
	Problem   string `json:"problem"`
	Algorithm string `json:"algorithm"`
	Metric    Metric `json:"metric"`
	Machine   string `json:"machine,omitempty"` // of times
}

// A Series is a metric of an algorithm over the runs.
type Series struct {
	Key
	Instances int     `json:"instances"`
	Points    []Point `json:"points"`
	// Adjusted: the machine's speed is taken out of times.
	Adjusted bool `json:"adjusted,omitempty"`

	units    []string    // their instances
	values   [][]float64 // by unit and run; NaN: none. Larger is worse, but for proofs
	style    int         // of the algorithm in figures; negative: of a bound
	findings []Finding
}

// A Point is what the mean over all instances is, or would be, in a run.
type Point struct {
	Run    string         `json:"run"`
	Commit string         `json:"commit"`
	Value  summary.Number `json:"value"`

	run int
}

// collect makes the series of all algorithms, without what is found in them. runs are in order.
func collect(set *ratio.Set, runs []*Run) []*Series {
	at := map[string]int{}
	for i, r := range runs {
		at[r.ID] = i
	}
	var list []*Series
	for _, p := range set.Problems {
		variants, all := summary.FindVariants(p)
		styles := summary.Styles(p, variants, all)
		known := map[Key]*Series{}
		units := map[string][]*ratio.Unit{} // by run; nil: not in it
		for _, u := range p.Units {
			run, id, _ := strings.Cut(u.UnitID, separator)
			if units[id] == nil {
				units[id] = make([]*ratio.Unit, len(runs))
			}
			units[id][at[run]] = u
		}
		for _, u := range p.Units {
			_, id, _ := strings.Cut(u.UnitID, separator)
			variant := variants[u.Setup]
			for _, metric := range metrics {
				for machine, values := range measure(p, metric, units[id], runs) {
					k := Key{p.Name, variant.Label, metric, machine}
					if known[k] == nil {
						known[k] = &Series{Key: k, style: -1}
						if style, drawn := styles[*variant]; drawn {
							known[k].style = style
						}
						list = append(list, known[k])
					}
					known[k].units, known[k].values = append(known[k].units, u.InstanceSHA256), append(known[k].values, values)
				}
			}
			delete(units, id) // it has one row in each series
		}
	}
	slices.SortStableFunc(list, func(a, b *Series) int {
		return cmp.Or(cmp.Compare(a.Problem, b.Problem), cmp.Compare(slices.Index(metrics, a.Metric), slices.Index(metrics, b.Metric)),
			cmp.Compare(a.Algorithm, b.Algorithm), cmp.Compare(a.Machine, b.Machine))
	})
	return list
}

// measure is what one unit contributes to a metric, by machine; the empty machine is any.
func measure(p *ratio.Problem, metric Metric, units []*ratio.Unit, runs []*Run) map[string][]float64 {
	var values []float64
	switch metric {
	case Ratio, Value:
		values = quality(p, units, metric)
	case Time:
		values = times(units)
	default:
		values = each(units, func(u *ratio.Unit) float64 {
			if bench.Status(u.Status) == bench.Skipped || metric == Proofs && u.Kind != string(models.Exact) {
				return math.NaN()
			}
			if metric == Proofs && u.Proved() || metric == Failures && failed(u.Status, u.Objective, u.Record.Bound) {
				return 1
			}
			return 0
		})
	}
	out := map[string][]float64{}
	for run, x := range values {
		machine := ""
		if metric == Time {
			machine = runs[run].Machine
		}
		if out[machine] == nil && stats.IsFinite(x) {
			out[machine] = slices.Repeat([]float64{math.NaN()}, len(runs))
		}
		if stats.IsFinite(x) {
			out[machine][run] = x
		}
	}
	for machine := range out {
		// What was at its limit every time says nothing of times.
		if metric == Time && !slices.ContainsFunc(units, func(u *ratio.Unit) bool {
			return u != nil && machine == machineOf(u.CPUModel, u.NCPUs) && ended(u)
		}) {
			delete(out, machine)
		}
	}
	return out
}

// each is a number of a unit in each run; NaN: it is not in it.
func each(units []*ratio.Unit, of func(u *ratio.Unit) float64) []float64 {
	xs := make([]float64, len(units))
	for run, u := range units {
		if xs[run] = math.NaN(); u != nil {
			xs[run] = of(u)
		}
	}
	return xs
}

// quality is a unit's ratio, if it has one in all runs in which it has a value, or else its scaled value.
func quality(p *ratio.Problem, units []*ratio.Unit, metric Metric) []float64 {
	quotients, largest := true, 0.0
	ratios := each(units, func(u *ratio.Unit) float64 {
		lo, _, value, ok := distance(p, u)
		if !ok {
			return math.NaN()
		}
		quotients = quotients && stats.IsFinite(math.Log(lo))
		largest = max(largest, math.Abs(value))
		return math.Log(lo)
	})
	switch {
	case quotients == (metric == Value):
		return nil
	case metric == Ratio:
		return ratios
	}
	return each(units, func(u *ratio.Unit) float64 {
		_, difference, _, ok := distance(p, u)
		if !ok {
			return math.NaN()
		}
		return difference / cmp.Or(largest, 1)
	})
}

// distance is a unit's ratio to and its difference from the best value known, with its value.
func distance(p *ratio.Problem, u *ratio.Unit) (lo, difference, value float64, ok bool) {
	i := slices.IndexFunc(p.Reported, u.Related)
	if i < 0 || u.In.Trouble != "" {
		return 0, 0, 0, false
	}
	if u.Kind != string(models.Bound) {
		d := p.Distance(u, p.Reported[i])
		if u.Value == nil || !stats.IsFinite(d.DifferenceLo) {
			return 0, 0, 0, false
		}
		return d.RatioLo, d.DifferenceLo, *u.Value, true
	}
	best := u.In.Best(p.Reported[i]).Value
	if u.Bound == nil || best == nil || !stats.IsFinite(*u.Bound) {
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
	wall := slices.ContainsFunc(units, func(u *ratio.Unit) bool { return u != nil && timed(u) && u.CPUSeconds == nil })
	return each(units, func(u *ratio.Unit) float64 {
		switch {
		case !timed(u):
			return math.NaN()
		case wall:
			return math.Log(*u.WallSeconds + timeShift)
		}
		return math.Log(*u.CPUSeconds + timeShift)
	})
}

func timed(u *ratio.Unit) bool {
	return u.WallSeconds != nil && stats.IsFinite(*u.WallSeconds) && (ended(u) || bench.Status(u.Status) == bench.Timeout)
}

func ended(u *ratio.Unit) bool { return u.Proved() || bench.Status(u.Status) == bench.Feasible }

// A course is what units have in common over the runs: what they differ in is taken out, so that runs which lack some units, and
// suites that grow, are compared by the units that they share.
type course struct {
	runs    []int // those that have a value
	effects []float64
	level   float64 // the mean of the units; level + effect is what the mean of all units would be in a run
}

// tied are the runs that have units in common with the last one, or with runs that do.
func tied(values [][]float64) []int {
	units, in := make([][]int, len(values)), map[int]bool{} // the runs of the units
	last := -1
	for i, xs := range values {
		for run, x := range xs {
			if !math.IsNaN(x) {
				units[i], last = append(units[i], run), max(last, run)
			}
		}
	}
	in[last] = true
	for n := 0; n < len(in); {
		n = len(in)
		for _, runs := range units {
			if slices.ContainsFunc(runs, func(run int) bool { return in[run] }) {
				for _, run := range runs {
					in[run] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(in))
}

// fit splits values into one level a unit and one effect a run by least squares, by turns. Runs that are not tied to the last one
// by common units are left out.
func fit(values [][]float64) course {
	if len(values) == 0 {
		return course{}
	}
	c := course{runs: tied(values)}
	c.effects = make([]float64, len(c.runs))
	levels := make([]float64, len(values))
	const rounds, precise = 1000, 1e-13
	for range rounds {
		for i, xs := range values {
			levels[i] = meanOf(len(c.runs), func(k int) float64 { return xs[c.runs[k]] - c.effects[k] })
		}
		moved := 0.0
		for k, run := range c.runs {
			effect := meanOf(len(values), func(i int) float64 { return values[i][run] - levels[i] })
			moved = max(moved, math.Abs(effect-c.effects[k]))
			c.effects[k] = effect
		}
		if moved < precise {
			break
		}
	}
	c.level = meanOf(len(levels), func(i int) float64 { return levels[i] }) // NaN where all runs were left out
	return c
}

// meanOf is the mean of those of n numbers that there are.
func meanOf(n int, at func(i int) float64) float64 {
	sum, known := 0.0, 0.0
	for i := range n {
		if x := at(i); !math.IsNaN(x) {
			sum, known = sum+x, known+1
		}
	}
	return sum / known
}

// adjust takes the machine's speed out of the logarithms of times, as the reference unit tells it, where all runs have it and the
// series has less noise without.
func (c *course) adjust(runs []*Run) bool {
	speeds := make([]float64, len(c.runs))
	for k, run := range c.runs {
		speeds[k] = math.Log(float64(runs[run].MachineSeconds)) // NaN: not known
	}
	mean, adjusted := stats.Mean(speeds), slices.Clone(c.effects)
	for k := range adjusted {
		adjusted[k] += mean - speeds[k]
	}
	less := stats.Noise(adjusted) < stats.Noise(c.effects) // not if it is NaN
	if less {
		c.effects = adjusted
	}
	return less
}
