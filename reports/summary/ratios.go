package summary

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// A Span is a statistic of an interval: of its low ends and of its high ends, between which it lies if optima are not
// known. CILo and CIHi are the ends of its 95 % interval with the sampling of instances as well, see stats.Bootstrap.Identified.
type Span struct {
	Lo   Number `json:"lo"`
	Hi   Number `json:"hi"`
	CILo Number `json:"ci_lo"`
	CIHi Number `json:"ci_hi"`
}

func noSpan() Span { return Span{Missing, Missing, Missing, Missing} }

// A Quantile is one quantile of the low ends and of the high ends.
type Quantile struct {
	P  float64 `json:"p"`
	Lo Number  `json:"lo"`
	Hi Number  `json:"hi"`
}

// quantiles are those in every table.
var quantiles = [...]float64{0.25, 0.5, 0.75, 0.9, 0.95}

// A Worst is the unit of an algorithm that is furthest from the reference, among those of compared instances.
type Worst struct {
	Lo       Number `json:"lo"`
	Hi       Number `json:"hi"`
	Instance string `json:"instance"`
	SHA256   string `json:"instance_sha256"`
	Seed     int64  `json:"seed"`
	UnitID   string `json:"unit_id"`
}

// Ratios are one algorithm's ratios, or regrets, to one reference on one class of instances.
type Ratios struct {
	Variant
	Class
	Reference string `json:"reference"`
	Regret    bool   `json:"difference"` // the spans are of regrets, not of ratios

	Units    int            `json:"units"`
	Statuses map[string]int `json:"statuses"`
	// Instances counts those that the algorithm was run on and applies to, solved or not. It is the n of every "k of n".
	Instances int `json:"instances"`
	Skipped   int `json:"skipped"` // instances to which the algorithm does not apply; they are not among Instances
	// Every instance is exactly one of these: compared (infinite ratios among them), undefined, without a usable bound or a known
	// value of the reference, without a solution, or not to be trusted because it is contradicted or unreadable.
	Compared   int `json:"compared"`
	Undefined  int `json:"undefined"`
	NoBound    int `json:"no_bound"`
	NoValue    int `json:"no_value"`
	NoSolution int `json:"no_solution"`
	Untrusted  int `json:"untrusted"`
	// Unsolved are the instances without a solution whose reference is known, where the algorithm applies: they count as infinite
	// in all statistics. Infinite are these and the ones whose ratio is.
	Unsolved int  `json:"unsolved"`
	Infinite int  `json:"infinite"`
	Best     bool `json:"best"` // ranked first in its class, or not certainly worse than that, see markBest
	Bold     bool `json:"-"`    // Best, where the test tells the best from others, see markBest

	Proven  int    `json:"proven"`  // instances whose optimum is proven
	Optimal Number `json:"optimal"` // instances on which all seeds are, see ratio.Unit.Optimal; null if Outside
	// Outside: no unit makes solutions of the reference. All are augmented, waive a constraint or are of a wider class, so that a
	// value as good as the optimum is no optimum.
	Outside bool `json:"outside,omitempty"`

	// of ratios, over means of seeds; null where one is undefined
	GeoMean   Span       `json:"geometric_mean"`
	Mean      Span       `json:"arithmetic_mean"` // over means of seeds
	Quantiles []Quantile `json:"quantiles"`       // seeds averaged first as for the leading mean
	Worst     *Worst     `json:"worst"`           // over units: seeds are not averaged
	// Common repeats the leading mean, geometric for ratios, over the instances that count for all heuristics and external
	// commands, failures as infinite, except for those for which none of the class does; means over different instances are not
	// to be compared with each other.
	Common     Span `json:"common_mean"`
	CommonSize int  `json:"common_instances"`

	Seconds  Seconds  `json:"seconds"`
	Warnings []string `json:"warnings,omitempty"`

	common      []float64 // high ends on the common instances
	CommonWorst Number    `json:"-"` // of units there
	lost        []bool    // on the common instances: there is no solution
	// commonProven counts those whose optimum is proven, commonOptimal those on which the algorithm has it.
	commonProven, commonOptimal int
}

// Lead is the mean that leads the tables: geometric for ratios, arithmetic for regrets.
func (r *Ratios) Lead() Span {
	if r.Regret {
		return r.Mean
	}
	return r.GeoMean
}

// LeadInfinite is the number of instances whose ratio, or regret, is infinite.
func (r *Ratios) LeadInfinite() int {
	if r.Regret {
		return r.Unsolved
	}
	return r.Infinite
}

// Seconds are wall times of all units that ran.
type Seconds struct {
	Units          int    `json:"units"`
	ShiftedGeoMean Number `json:"shifted_geometric_mean"` // shift 1 s
	Median         Number `json:"median"`
	Max            Number `json:"max"`
}

// shift is used in all geometric means of times, in seconds.
const shift = 1

// ratios summarizes all algorithms over classes of a view, on all processors: the bootstrap is most of the work.
func ratios(v *View, classes []Class, b stats.Bootstrap) []Ratios {
	out := make([]Ratios, len(classes)*len(v.Variants))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, class := range classes {
		common := v.common(class)
		for k, variant := range v.Variants {
			g.Go(func() error {
				out[i*len(v.Variants)+k] = v.summarize(variant, class, common, b)
				return nil
			})
		}
	}
	_ = g.Wait() // the jobs have no errors
	markBest(out)
	return slices.DeleteFunc(out, func(r Ratios) bool { return r.Instances+r.Skipped == 0 })
}

// common says, by the index of instances, which of a class count for all contenders for which any does.
func (v *View) common(class Class) []bool {
	contenders := 0
	compared := make([]int, len(v.Problem.Instances)) // by how many; each has one cell an instance
	for _, variant := range v.Variants {
		if !variant.Contender() {
			continue
		}
		any := 0
		for i := range v.Cells[variant] {
			if c := &v.Cells[variant][i]; c.Counted() && class.Has(c.In) {
				compared[c.In.Index]++
				any = 1
			}
		}
		contenders += any
	}
	all := make([]bool, len(compared))
	for i, n := range compared {
		all[i] = n > 0 && n == contenders
	}
	return all
}

// ends are low and high ends of ratios or regrets.
type ends struct{ los, his []float64 }

func (e *ends) add(lo, hi float64) { e.los, e.his = append(e.los, lo), append(e.his, hi) }

// of is a statistic of both.
func (e *ends) of(statistic func(xs []float64) float64) (lo, hi Number) {
	return Number(statistic(e.los)), Number(statistic(e.his))
}

// sums collect the numbers of cells.
type sums struct {
	all, plain, quotients, common ends // plain: the seeds of a ratio are averaged in two ways, one for each of the means
	seconds                       []float64
}

func (v *View) summarize(variant *Variant, class Class, shared []bool, b stats.Bootstrap) Ratios {
	r := Ratios{
		Variant: *variant, Class: class, Reference: v.Reference, Regret: v.Regret,
		Statuses: map[string]int{}, Outside: true, GeoMean: noSpan(), Common: noSpan(), CommonWorst: Missing,
	}
	for _, is := range shared {
		if is {
			r.CommonSize++
		}
	}
	cells := v.Cells[variant]
	s := sums{seconds: make([]float64, 0, len(cells))}
	twice := !v.Regret && slices.ContainsFunc(cells, func(c Cell) bool { return len(c.Units) > 1 })
	for i := range cells {
		if c := &cells[i]; class.Has(c.In) {
			v.count(&r, &s, c, shared[c.In.Index], twice)
		}
	}
	if !twice {
		s.plain = s.all
	}
	if r.Outside {
		r.Optimal = Missing
	}
	r.means(s.all, s.plain, b)
	lead := stats.GeoMean
	if v.Regret {
		r.GeoMean.Lo, r.GeoMean.Hi = s.quotients.of(stats.GeoMean)
		lead = stats.Mean
	}
	if r.common = s.common.his; len(r.common) == r.CommonSize {
		r.Common.Lo, r.Common.Hi = s.common.of(lead)
		if len(r.common) < len(s.all.los) { // else the leading mean has its interval
			even := Ratios{Variant: r.Variant, Regret: r.Regret}
			even.means(s.common, s.common, b)
			r.Common.CILo, r.Common.CIHi = even.Lead().CILo, even.Lead().CIHi
		}
	}
	slices.Sort(s.all.los)
	slices.Sort(s.all.his)
	for _, p := range quantiles {
		lo, hi := s.all.of(func(xs []float64) float64 { return stats.Quantile(xs, p) })
		r.Quantiles = append(r.Quantiles, Quantile{p, lo, hi})
	}
	slices.Sort(s.seconds)
	r.Seconds = Seconds{
		len(s.seconds), Number(stats.ShiftedGeoMean(s.seconds, shift)),
		Number(stats.Quantile(s.seconds, 0.5)), Number(stats.Quantile(s.seconds, 1)),
	}
	if 0 < r.Compared && r.Compared < stats.MinSample {
		r.warnf("%d compared instances are too few for an interval; it takes %d", r.Compared, stats.MinSample)
	}
	if r.Compared < r.Instances {
		r.warnf("means are over %d of %d instances", r.Compared, r.Instances)
	}
	return r
}

// count enters a cell into the counts and sums of its variant.
func (v *View) count(r *Ratios, s *sums, c *Cell, shared, twice bool) {
	for _, u := range c.Units {
		r.Units++
		r.Statuses[u.Status]++
		s.seconds = appendSeconds(s.seconds, u)
		r.Outside = r.Outside && !u.Solves(v.Reference)
	}
	if !slices.ContainsFunc(c.Units, func(u *ratio.Unit) bool { return u.Status != string(bench.Skipped) }) {
		r.Skipped++
		return
	}
	r.Instances++
	if v.Proven(c.In) {
		r.Proven++
		if c.Optimal {
			r.Optimal++
		}
	}
	switch {
	case c.In.Trouble != "":
		r.Untrusted++
	case c.Counted():
		s.all.add(c.Lo, c.Hi)
		ratioHi := c.Hi
		if v.Regret {
			var ratioLo float64
			ratioLo, ratioHi = v.Quotients(c)
			s.quotients.add(ratioLo, ratioHi)
		}
		if math.IsInf(ratioHi, 1) || c.Failed {
			r.Infinite++
		}
		if twice {
			s.plain.add(v.Arithmetic(c))
		}
		lo, hi := v.Furthest(c)
		if shared {
			s.common.add(c.Lo, c.Hi)
			r.lost = append(r.lost, c.Failed)
			if v.Proven(c.In) {
				r.commonProven++
			}
			if c.Optimal {
				r.commonOptimal++
			}
			if !(r.CommonWorst >= Number(hi)) {
				r.CommonWorst = Number(hi)
			}
		}
		if r.Worst == nil || Number(hi) > r.Worst.Hi {
			r.Worst = &Worst{Number(lo), Number(hi), c.In.Name, c.In.SHA256, c.Worst.Seed, c.Worst.UnitID}
		}
		if c.Failed {
			r.Unsolved++
			r.NoSolution++
		} else {
			r.Compared++
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

func appendSeconds(xs []float64, u *ratio.Unit) []float64 {
	if u.WallSeconds == nil || u.Status == string(bench.Skipped) {
		return xs
	}
	return append(xs, *u.WallSeconds)
}

func (r *Ratios) warnf(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// means fills in the means with their intervals: the geometric one of all, the arithmetic one of plain.
func (r *Ratios) means(all, plain ends, b stats.Bootstrap) {
	ci := b.Identified(plain.los, plain.his)
	lo, hi := plain.of(stats.Mean)
	r.Mean = Span{lo, hi, Number(ci.Lo), Number(ci.Hi)}
	if !r.Regret {
		ci := b.Identified(stats.Logs(all.los), stats.Logs(all.his))
		lo, hi := all.of(stats.GeoMean)
		r.GeoMean = Span{lo, hi, Number(math.Exp(ci.Lo)), Number(math.Exp(ci.Hi))}
	}
}

// An Outcome says how one algorithm's units ended.
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

func outcomes(p *ratio.Problem, of Variants, list []*Variant) []Outcome {
	out := make([]Outcome, len(list))
	at, last := map[*Variant]*Outcome{}, map[*Variant]*ratio.Instance{}
	for i, v := range list {
		out[i] = Outcome{Variant: *v, Statuses: map[string]int{}}
		at[v] = &out[i]
	}
	for _, u := range p.Units {
		v := of[u.Setup]
		o := at[v]
		o.Units++
		o.Statuses[u.Status]++
		if u.Value != nil {
			o.Solutions++
		}
		o.seconds = appendSeconds(o.seconds, u)
		if last[v] != u.In {
			last[v] = u.In
			o.Instances++
		}
	}
	return out
}
