package summary

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// A View is the results on one problem against one reference, over the instances that are compared in the same way: by
// ratio, or by regret. Tables and figures are made of views, so that they never mix references.
type View struct {
	Problem   *ratio.Problem      `json:"-"`
	Reference string              `json:"reference"`
	Regret    bool                `json:"difference"`
	Variants  []*Variant          `json:"-"` // without bounds
	Instances []*ratio.Instance   `json:"-"`
	Cells     map[*Variant][]Cell `json:"-"` // by instance, in the order of Instances; instances without units are left out
}

// A Cell is one variant on one instance. Several seeds are replaced by their arithmetic mean first, so that every instance counts
// once. A worst case is no mean: see View.Furthest.
type Cell struct {
	In     *ratio.Instance
	Units  []*ratio.Unit
	Lo, Hi float64     // the ratio or regret; NaN: unknown, since the reference is or the algorithm does not apply
	Worst  *ratio.Unit // the unit furthest from the reference; nil: none can be compared
	// some unit ended without a solution, which is as bad as can be: Lo and Hi are infinite if the reference is known
	Failed    bool
	Undefined bool // the quotient of some unit is undefined
	Optimal   bool // every unit has the proven optimum, as a solution of the reference
}

// Counted reports whether both ends are known, so that statistics count the cell, a failure among them.
func (c *Cell) Counted() bool { return !math.IsNaN(c.Lo) && !math.IsNaN(c.Hi) }

// Compared reports whether the algorithm ended with a solution and both ends are known. They may be infinite.
func (c *Cell) Compared() bool { return c.Counted() && !c.Failed }

// Finite reports whether a figure has a place for the cell.
func (c *Cell) Finite() bool { return c.Compared() && !math.IsInf(c.Hi, 0) }

// solved reports whether some unit has a checked solution, comparable or not.
func (c *Cell) solved() bool {
	return slices.ContainsFunc(c.Units, func(u *ratio.Unit) bool { return u.Value != nil })
}

// Proven reports whether the optimum of the view's reference is known.
func (v *View) Proven(in *ratio.Instance) bool {
	return in.Trouble == "" && in.Best(v.Reference).Proven
}

// Objective names the view's objective, such as weighted tardiness.
func (v *View) Objective() string { return cmp.Or(objective(v.Instances), "objective") }

// objective names the objective of a class of the view's instances; empty if the problem does not say.
func (v *View) objective(class Class) string { return cmp.Or(class.Objective, objective(v.Instances)) }

// objective names the objective of instances; empty if their problem does not say.
func objective(list []*ratio.Instance) string {
	switch names := distinct(list, func(in *ratio.Instance) string { return in.Objective }); len(names) {
	case 0:
		return ""
	case 1, 2, 3:
		return strings.Join(names, " or ")
	default:
		return fmt.Sprintf("objective (%d kinds)", len(names))
	}
}

// Ends are the ratio or regret of one unit; NaN: unknown.
func (v *View) Ends(u *ratio.Unit) (lo, hi float64) {
	d := v.Problem.Distance(u, v.Reference)
	return d.Ends(v.Regret)
}

// Furthest is the ratio or regret of the cell's worst unit, which no average over seeds makes smaller: the largest low end, which is
// proven, and the largest high end. NaN: unknown.
func (v *View) Furthest(c *Cell) (lo, hi float64) {
	switch {
	case c.Worst == nil:
		return math.NaN(), math.NaN()
	case len(c.Units) == 1:
		return c.Lo, c.Hi
	}
	lo, hi = v.Ends(c.Worst)
	for _, u := range c.Units {
		if l, _ := v.Ends(u); l > lo { // not if it is NaN
			lo = l
		}
	}
	return lo, hi
}

// Quotients are the ratio beside a counted cell's regret, the mean over seeds; NaN: it is undefined.
func (v *View) Quotients(c *Cell) (lo, hi float64) {
	switch {
	case c.In.Comparison == models.Difference:
		return math.NaN(), math.NaN()
	case c.Failed:
		return math.Inf(1), math.Inf(1)
	}
	var los, his []float64
	for _, u := range c.Units {
		if d := v.Problem.Distance(u, v.Reference); u.Value != nil {
			los, his = append(los, d.RatioLo), append(his, d.RatioHi)
		}
	}
	return seeds(los), seeds(his)
}

// views splits a problem's results.
func views(p *ratio.Problem, of Variants, list []*Variant) []*View {
	var out []*View
	for _, reference := range p.Reported {
		for _, regret := range []bool{false, true} {
			v := &View{Problem: p, Reference: reference, Regret: regret, Cells: map[*Variant][]Cell{}}
			for _, in := range p.Instances {
				if in.Comparison.ByRegret() == regret {
					v.Instances = append(v.Instances, in)
				}
			}
			if len(v.Instances) > 0 {
				out = append(out, v)
			}
		}
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, v := range out {
		g.Go(func() error {
			v.fill(of, list)
			return nil
		})
	}
	_ = g.Wait() // the jobs have no errors
	return out
}

// fill makes the cells of a view.
func (v *View) fill(of Variants, list []*Variant) {
	var a averager
	units := map[*Variant][]*ratio.Unit{} // of one instance
	for _, in := range v.Instances {
		for _, u := range in.Units {
			if variant := of[u.Setup]; variant.Kind != string(models.Bound) && u.Related(v.Reference) {
				units[variant] = append(units[variant], u)
			}
		}
		for variant, list := range units {
			v.Cells[variant] = append(v.Cells[variant], a.cell(v, in, list))
		}
		clear(units)
	}
	v.Variants = slices.DeleteFunc(slices.Clone(list), func(variant *Variant) bool { return len(v.Cells[variant]) == 0 })
}

// An averager makes cells. It has what would else be made again for each.
type averager struct{ los, his []float64 }

func (a *averager) cell(v *View, in *ratio.Instance, units []*ratio.Unit) Cell {
	c := Cell{In: in, Units: units}
	los, his := a.los[:0], a.his[:0]
	worst := math.Inf(-1)
	optimal := 0
	for _, u := range units {
		d := v.Problem.Distance(u, v.Reference)
		lo, hi := d.Ends(v.Regret)
		c.Undefined = c.Undefined || d.Undefined
		if is, _ := u.Optimal(v.Reference); is {
			optimal++
		}
		if !math.IsNaN(lo) {
			los = append(los, lo)
		}
		far := lo
		if !math.IsNaN(hi) {
			his = append(his, hi)
			far = hi
		}
		c.Failed = c.Failed || d.Lost
		// The furthest is one without a solution or whose quotient is undefined, then the largest high end, then the largest low
		// end.
		if d.Undefined {
			far = math.Inf(1)
		}
		if far > worst { // not if it is NaN
			worst, c.Worst = far, u
		}
	}
	a.los, a.his = los, his
	c.Optimal = optimal == len(units)
	c.Lo, c.Hi = math.NaN(), math.NaN()
	if len(los) > 0 && !c.Undefined {
		c.Lo = seeds(los)
	}
	if len(his) > 0 && len(his) >= len(los) && !c.Undefined {
		c.Hi = seeds(his)
	}
	if c.Failed {
		c.Lo, c.Hi = math.Inf(1), math.Inf(1)
	}
	return c
}

// seeds is the mean over the seeds of an instance; the mean of one number is that number, to the last bit.
func seeds(xs []float64) float64 {
	if len(xs) == 1 {
		return xs[0]
	}
	return stats.Mean(xs)
}

// A Class is a kind of instances within a problem; empty fields stand for all.
type Class struct {
	Source string `json:"source,omitempty"`
	Metric string `json:"metric,omitempty"`
	// Stratum has the values of the factors that vary among the instances of one source and metric, such as "load=0.5".
	Stratum string `json:"stratum,omitempty"`
	Suite   string `json:"suite,omitempty"` // the instances of a suite, whatever their kind; the other fields are empty
	// Objective is what values measure, whatever the instances' kind, where they measure several things; the other fields are empty.
	Objective string `json:"objective,omitempty"`
}

func classOf(in *ratio.Instance) Class {
	return Class{Source: in.Source, Metric: in.Metric(), Stratum: in.Stratum}
}

// Has reports whether an instance is of the class.
func (c Class) Has(in *ratio.Instance) bool {
	if c.Suite != "" {
		_, is := slices.BinarySearch(in.Suites, c.Suite)
		return is
	}
	if c.Objective != "" {
		return c.Objective == in.Objective
	}
	return c == Class{} || c == classOf(in)
}

// By is objective, family or suite; empty for the class of all instances.
func (c Class) By() string {
	switch {
	case c.Objective != "":
		return "objective"
	case c.Suite != "":
		return "suite"
	case c != Class{}:
		return "family"
	}
	return ""
}

// String names the class in tables; for a family it is ratio.Instance.Family.
func (c Class) String() string {
	if c.Suite != "" {
		return c.Suite
	}
	if c.Objective != "" {
		return c.Objective
	}
	return strings.Join(slices.DeleteFunc([]string{c.Metric, c.Source, c.Stratum}, func(s string) bool { return s == "" }), ", ")
}

// Stratified reports whether factors vary, so that tables are by class.
func (v *View) Stratified() bool {
	return slices.ContainsFunc(v.Classes(), func(c Class) bool { return c.Stratum != "" })
}

// Suites lists the suites of the instances as classes, if there are several.
func (v *View) Suites() (classes []Class) {
	var names []string
	for _, in := range v.Instances {
		names = append(names, in.Suites...)
	}
	for _, name := range distinct(names, func(name string) string { return name }) {
		classes = append(classes, Class{Suite: name})
	}
	if len(classes) < 2 {
		return nil
	}
	return classes
}

// Objectives lists the objectives of the instances as classes, if there are several.
func (v *View) Objectives() (classes []Class) {
	for _, name := range distinct(v.Instances, func(in *ratio.Instance) string { return in.Objective }) {
		classes = append(classes, Class{Objective: name})
	}
	if len(classes) < 2 {
		return nil
	}
	return classes
}

// Classes lists all instances as the first class and, if there are several kinds, each kind.
func (v *View) Classes() []Class {
	seen := map[Class]bool{}
	classes := []Class{{}}
	for _, in := range v.Instances {
		c := classOf(in)
		if !seen[c] {
			seen[c] = true
			classes = append(classes, c)
		}
	}
	if len(classes) == 2 {
		return classes[:1]
	}
	slices.SortFunc(classes[1:], func(a, b Class) int {
		return cmp.Or(cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Source, b.Source),
			cmp.Compare(slices.Index(v.Problem.Strata, a.Stratum), slices.Index(v.Problem.Strata, b.Stratum)))
	})
	return classes
}
