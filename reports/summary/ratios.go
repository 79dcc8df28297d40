package summary

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// A Span is a statistic of an interval: of its low ends and of its high ends. CILo and CIHi are the outer ends of the
// bootstrap 95 % intervals of the two.
type Span struct {
	Lo   Number `json:"lo"`
	Hi   Number `json:"hi"`
	CILo Number `json:"ci_lo"`
	CIHi Number `json:"ci_hi"`
}

func noSpan() Span { return Span{missing, missing, missing, missing} }

// A Quantile is one quantile of the low ends and of the high ends.
type Quantile struct {
	P  float64 `json:"p"`
	Lo Number  `json:"lo"`
	Hi Number  `json:"hi"`
}

// quantiles are those in every table.
var quantiles = [...]float64{0.25, 0.5, 0.75, 0.9, 0.95}

// A Worst is the instance on which an algorithm is furthest from the reference.
type Worst struct {
	Lo       Number `json:"lo"`
	Hi       Number `json:"hi"`
	Instance string `json:"instance"`
	SHA256   string `json:"instance_sha256"`
	UnitID   string `json:"unit_id"`
}

// Ratios are one algorithm's ratios, or differences, to one reference on one class of instances.
type Ratios struct {
	Variant
	Class
	Reference  string `json:"reference"`
	Difference bool   `json:"difference"` // the spans are of differences, not of ratios

	Units     int            `json:"units"`
	Statuses  map[string]int `json:"statuses"`
	Instances int            `json:"instances"`
	// Every instance is exactly one of these: compared, undefined, without a usable bound or a known value of the
	// reference, without a solution, or not to be trusted because it is contradicted or unreadable.
	Compared   int `json:"compared"`
	Undefined  int `json:"undefined"`
	NoBound    int `json:"no_bound"`
	NoValue    int `json:"no_value"`
	NoSolution int `json:"no_solution"`
	Untrusted  int `json:"untrusted"`

	Proven  int `json:"proven"`  // instances whose optimum is proven
	Optimal int `json:"optimal"` // of those, on which every seed reaches it within 1e-9

	GeoMean   Span       `json:"geometric_mean"` // null for differences
	Mean      Span       `json:"arithmetic_mean"`
	Quantiles []Quantile `json:"quantiles"`
	Worst     *Worst     `json:"worst"`
	// Common repeats the leading mean, geometric for ratios, over the instances on which all heuristics and external
	// commands are compared; means over different instances are not to be compared with each other.
	Common     Span `json:"common_mean"`
	CommonSize int  `json:"common_instances"`

	Seconds  Seconds  `json:"seconds"`
	Warnings []string `json:"warnings,omitempty"`
}

// Lead is the mean that leads the tables: geometric for ratios, arithmetic for differences.
func (r *Ratios) Lead() Span {
	if r.Difference {
		return r.Mean
	}
	return r.GeoMean
}

// Seconds are wall times of all units that ran.
type Seconds struct {
	Units          int    `json:"units"`
	ShiftedGeoMean Number `json:"shifted_geometric_mean"` // shift 1 s
	Median         Number `json:"median"`
	Max            Number `json:"max"`
}

// shift is that of all geometric means of times, in seconds.
const shift = 1

// ratios summarizes all algorithms over all classes of a view, on all processors: the bootstrap is most of the work.
func ratios(v *View, d dice) []Ratios {
	type job struct {
		variant *Variant
		cells   []Cell
	}
	var out []Ratios
	for _, class := range v.Classes() { // one after the other, for each has a copy of its cells
		var jobs []job
		for _, variant := range v.Variants {
			if cells := v.Where(variant, class); len(cells) > 0 {
				jobs = append(jobs, job{variant, cells})
			}
		}
		common := v.common(class)
		done := make([]Ratios, len(jobs))
		var g errgroup.Group
		g.SetLimit(runtime.GOMAXPROCS(0))
		for i, j := range jobs {
			g.Go(func() error {
				done[i] = v.summarize(j.variant, class, j.cells, common, d)
				return nil
			})
		}
		_ = g.Wait() // the jobs have no errors
		out = append(out, done...)
	}
	return out
}

// common is the set of instances on which all contenders are compared.
func (v *View) common(class Class) map[*ratio.Instance]bool {
	contenders := 0
	compared := make(map[*ratio.Instance]int, len(v.Instances)) // by how many; each has one cell an instance
	for _, variant := range v.Variants {
		if !variant.Contender() {
			continue
		}
		contenders++
		for i := range v.Cells[variant] {
			if c := &v.Cells[variant][i]; c.Compared() && class.has(c.In) {
				compared[c.In]++
			}
		}
	}
	set := map[*ratio.Instance]bool{}
	for in, n := range compared {
		if n == contenders {
			set[in] = true
		}
	}
	return set
}

func (v *View) summarize(variant *Variant, class Class, cells []Cell, common map[*ratio.Instance]bool, d dice) Ratios {
	r := Ratios{
		Variant: *variant, Class: class, Reference: v.Reference, Difference: v.Difference,
		Statuses: map[string]int{}, Instances: len(cells), CommonSize: len(common), GeoMean: noSpan(), Common: noSpan(),
	}
	numbers := func() []float64 { return make([]float64, 0, len(cells)) }
	los, his, commonLos, commonHis, seconds := numbers(), numbers(), numbers(), numbers(), numbers()
	for i := range cells {
		c := &cells[i]
		for _, u := range c.Units {
			r.Units++
			r.Statuses[u.Status]++
			seconds = appendSeconds(seconds, u)
		}
		if v.Proven(c.In) {
			r.Proven++
			if c.Optimal {
				r.Optimal++
			}
		}
		switch {
		case c.In.Trouble != "":
			r.Untrusted++
		case c.Compared():
			r.Compared++
			los, his = append(los, c.Lo), append(his, c.Hi)
			if common[c.In] {
				commonLos, commonHis = append(commonLos, c.Lo), append(commonHis, c.Hi)
			}
			if r.Worst == nil || Number(c.Hi) > r.Worst.Hi {
				r.Worst = &Worst{Number(c.Lo), Number(c.Hi), c.In.Name, c.In.SHA256, c.Worst.UnitID}
			}
		case c.Undefined:
			r.Undefined++
		case !math.IsNaN(c.Lo):
			r.NoBound++
		case c.solved():
			r.NoValue++
		default:
			r.NoSolution++
		}
	}
	r.means(los, his, d.rng(v.Problem.Name, v.Reference, fmt.Sprint(v.Difference), class.Source, class.Metric, variant.Label, variant.Mark))
	if len(commonLos) == len(common) {
		lead := stats.GeoMean
		if v.Difference {
			lead = stats.Mean
		}
		r.Common.Lo, r.Common.Hi = Number(lead(commonLos)), Number(lead(commonHis))
	}
	slices.Sort(los)
	slices.Sort(his)
	for _, p := range quantiles {
		r.Quantiles = append(r.Quantiles, Quantile{p, Number(stats.Quantile(los, p)), Number(stats.Quantile(his, p))})
	}
	slices.Sort(seconds)
	r.Seconds = Seconds{
		len(seconds), Number(stats.ShiftedGeoMean(seconds, shift)),
		Number(stats.Quantile(seconds, 0.5)), Number(stats.Quantile(seconds, 1)),
	}
	if 0 < r.Compared && r.Compared < stats.MinSample {
		r.warnf("%d compared instances are too few for an interval; it takes %d", r.Compared, stats.MinSample)
	}
	if r.Compared < r.Instances {
		r.warnf("means are over %d of %d instances", r.Compared, r.Instances)
	}
	return r
}

func appendSeconds(xs []float64, u *ratio.Unit) []float64 {
	if u.WallSeconds == nil || u.Status == string(bench.Skipped) {
		return xs
	}
	return append(xs, *u.WallSeconds)
}

func (r *Ratios) warnf(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// means fills in the means with their intervals.
func (r *Ratios) means(los, his []float64, rng *rand.Rand) {
	series := [][]float64{los, his}
	if slices.Equal(los, his) {
		series = series[:1]
	}
	if !r.Difference {
		for _, xs := range series {
			series = append(series, stats.Logs(xs))
		}
	}
	intervals := bootstrap.Mean(rng, series...)
	ends := func(of []stats.Interval) (lo, hi Number) { return Number(of[0].Lo), Number(of[len(of)-1].Hi) }
	half := len(series)
	if !r.Difference {
		half /= 2
		r.GeoMean = Span{Lo: Number(stats.GeoMean(los)), Hi: Number(stats.GeoMean(his))}
		lo, hi := ends(intervals[half:])
		r.GeoMean.CILo, r.GeoMean.CIHi = Number(math.Exp(float64(lo))), Number(math.Exp(float64(hi)))
	}
	r.Mean = Span{Lo: Number(stats.Mean(los)), Hi: Number(stats.Mean(his))}
	r.Mean.CILo, r.Mean.CIHi = ends(intervals[:half])
}

// An Outcome says what became of one algorithm's units.
type Outcome struct {
	Variant
	Units     int            `json:"units"`
	Instances int            `json:"instances"`
	Statuses  map[string]int `json:"statuses"`
	Solutions int            `json:"solutions"` // units with a checked solution

	seconds []float64
}

// Seconds returns the wall times of the units that ran.
func (o *Outcome) Seconds() []float64 { return slices.Clone(o.seconds) }

func outcomes(p *ratio.Problem, of map[*ratio.Unit]*Variant, list []*Variant) []Outcome {
	at := map[*Variant]*Outcome{}
	for _, in := range p.Instances {
		here := map[*Variant]bool{}
		for _, u := range in.Units {
			v := of[u]
			if at[v] == nil {
				at[v] = &Outcome{Variant: *v, Statuses: map[string]int{}}
			}
			o := at[v]
			o.Units++
			o.Statuses[u.Status]++
			if u.Value != nil {
				o.Solutions++
			}
			o.seconds = appendSeconds(o.seconds, u)
			here[v] = true
		}
		for v := range here {
			at[v].Instances++
		}
	}
	out := make([]Outcome, len(list))
	for i, v := range list {
		out[i] = *at[v]
	}
	return out
}
