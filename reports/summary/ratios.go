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
	Skipped   int `json:"skipped"` // instances that the algorithm declined; they are not among Instances
	// Missing are the instances of the class on which the algorithm has no solution: it failed, declined, or was not run.
	Missing int `json:"missing"`
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
	Unsolved int `json:"unsolved"`
	Infinite int `json:"infinite"`
	// Rank is the place among the contenders of the class, 1 for the best, see byQuality; 0 for others. Tied are those that share it.
	Rank int      `json:"rank"`
	Tied []string `json:"tied_with,omitempty"`
	Best bool     `json:"best"` // ranked first in its class, or not certainly worse than that, see markBest
	Bold bool     `json:"-"`    // Best, where the test tells the best from others, see markBest

	Proven  int    `json:"proven"`  // instances whose optimum is proven
	Optimal Number `json:"optimal"` // instances on which all seeds are, see ratio.Unit.Optimal; null if Outside
	// Outside: no unit makes solutions of the reference. All are augmented, waive a constraint or are of a wider class, so that a
	// value as good as the optimum is no optimum.
	Outside bool `json:"outside,omitempty"`

	// Statistics over all instances that count, of the arithmetic means over the seeds of each; null where one is undefined.
	GeoMean   Span       `json:"geometric_mean"` // of ratios
	Mean      Span       `json:"arithmetic_mean"`
	Quantiles []Quantile `json:"quantiles"`
	// Worst is over units: seeds are not averaged. Its low end is the largest low end of any unit, so that the worst case is proven to be
	// at least as far; its high end, and the instance, are those of the largest high end.
	Worst *Worst `json:"worst"`
	// Solved is Lead over the instances with a solution, and SolvedWorst the worst of these.
	Solved      Span   `json:"solved_mean"`
	SolvedWorst *Worst `json:"-"`

	Seconds  Seconds  `json:"seconds"`
	Warnings []string `json:"warnings,omitempty"`

	at   []int     // indices of the instances that count
	his  []float64 // high ends on these
	lost losses
}

// losses say how units ended that have no solution.
type losses struct {
	units  map[bench.Status]int
	limit  float64 // the longest time limit that was too short, in seconds
	notRun int     // instances without units
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
		for k, variant := range v.Variants {
			g.Go(func() error {
				out[i*len(v.Variants)+k] = v.summarize(variant, class, b)
				return nil
			})
		}
	}
	_ = g.Wait() // the jobs have no errors
	out = slices.DeleteFunc(out, func(r Ratios) bool { return r.Instances+r.Skipped == 0 })
	rank(out)
	return out
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
	all, solved, quotients ends
	seconds                []float64
}

func (v *View) summarize(variant *Variant, class Class, b stats.Bootstrap) Ratios {
	r := Ratios{
		Variant: *variant, Class: class, Reference: v.Reference, Regret: v.Regret, Statuses: map[string]int{}, Outside: true,
		GeoMean: noSpan(), lost: losses{units: map[bench.Status]int{}},
	}
	cells := v.Cells[variant]
	s := sums{seconds: make([]float64, 0, len(cells))}
	for i := range cells {
		if c := &cells[i]; class.Has(c.In) {
			v.count(&r, &s, c)
		}
	}
	r.lost.notRun = v.Size(class) - r.Instances - r.Skipped
	r.Missing = r.NoSolution + r.Skipped + r.lost.notRun
	if r.Outside {
		r.Optimal = Missing
	}
	r.Mean, r.GeoMean = v.means(s.all, b)
	r.Solved = r.Lead()
	if r.Unsolved > 0 {
		solved := Ratios{Regret: v.Regret}
		solved.Mean, solved.GeoMean = v.means(s.solved, b)
		r.Solved = solved.Lead()
	}
	if v.Regret {
		r.GeoMean.Lo, r.GeoMean.Hi = s.quotients.of(stats.GeoMean)
	}
	r.his = slices.Clone(s.all.his)
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

// Size is the number of a view's instances that a class has.
func (v *View) Size(class Class) (n int) {
	for _, in := range v.Instances {
		if class.Has(in) {
			n++
		}
	}
	return n
}

// count enters a cell into the counts and sums of its variant.
func (v *View) count(r *Ratios, s *sums, c *Cell) {
	for _, u := range c.Units {
		r.Units++
		r.Statuses[u.Status]++
		s.seconds = appendSeconds(s.seconds, u)
		r.Outside = r.Outside && !u.Solves(v.Reference)
		r.lost.add(u)
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
		v.enter(r, s, c)
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

// enter enters a counted cell into the sums.
func (v *View) enter(r *Ratios, s *sums, c *Cell) {
	s.all.add(c.Lo, c.Hi)
	r.at = append(r.at, c.In.Index)
	ratioHi := c.Hi
	if v.Regret {
		var ratioLo float64
		ratioLo, ratioHi = v.Quotients(c)
		s.quotients.add(ratioLo, ratioHi)
	}
	if math.IsInf(ratioHi, 1) || c.Failed {
		r.Infinite++
	}
	r.Worst = v.further(r.Worst, c)
	if c.Failed {
		r.Unsolved++
		r.NoSolution++
		return
	}
	r.Compared++
	s.solved.add(c.Lo, c.Hi)
	r.SolvedWorst = v.further(r.SolvedWorst, c)
}

// further is the worst of several cells and another one.
func (v *View) further(worst *Worst, c *Cell) *Worst {
	lo, hi := v.Furthest(c)
	if worst == nil || Number(hi) > worst.Hi {
		low := Number(lo)
		if worst != nil {
			low = max(low, worst.Lo)
		}
		return &Worst{low, Number(hi), c.In.Name, c.In.SHA256, c.Worst.Seed, c.Worst.UnitID}
	}
	worst.Lo = max(worst.Lo, Number(lo))
	return worst
}

// Size is the number of the class's instances.
func (r *Ratios) Size() int { return r.Instances + r.Skipped + r.lost.notRun }

// add counts a unit that has no solution.
func (l *losses) add(u *ratio.Unit) {
	if u.Value != nil {
		return
	}
	status := bench.Status(u.Status)
	l.units[status]++
	if status == bench.Timeout && u.TimeLimitSeconds != nil {
		l.limit = max(l.limit, *u.TimeLimitSeconds)
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

// means are the arithmetic mean of distances and, of ratios, the geometric one, with their intervals.
func (v *View) means(of ends, b stats.Bootstrap) (mean, geometric Span) {
	ci := b.Identified(of.los, of.his)
	lo, hi := of.of(stats.Mean)
	mean, geometric = Span{lo, hi, Number(ci.Lo), Number(ci.Hi)}, noSpan()
	if !v.Regret {
		ci := b.Identified(stats.Logs(of.los), stats.Logs(of.his))
		lo, hi := of.of(stats.GeoMean)
		geometric = Span{lo, hi, Number(math.Exp(ci.Lo)), Number(math.Exp(ci.Hi))}
	}
	return mean, geometric
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
