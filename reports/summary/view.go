package summary

import (
	"cmp"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// A View is the results on one problem against one reference, over the instances that are compared in the same way: by
// ratio, or by difference. Tables and figures are made of views, so that they never mix references.
type View struct {
	Problem    *ratio.Problem
	Reference  string
	Difference bool
	Variants   []*Variant // without bounds
	Instances  []*ratio.Instance
	Cells      map[*Variant][]Cell // by instance, in the order of Instances; instances without units are left out
}

// A Cell is one variant on one instance. Several seeds are aggregated first, ratios by their geometric and differences by
// their arithmetic mean, so that every instance counts once.
type Cell struct {
	In        *ratio.Instance
	Units     []*ratio.Unit
	Lo, Hi    float64     // the ratio or difference; NaN: unknown
	Worst     *ratio.Unit // the unit furthest from the reference; nil: none has a value
	Undefined bool        // the quotient of some unit is undefined
	Optimal   bool        // every unit has the proven optimum
}

// Compared reports whether both ends are known.
func (c *Cell) Compared() bool { return !math.IsNaN(c.Lo) && !math.IsNaN(c.Hi) }

// solved reports whether some unit has a checked solution, comparable or not.
func (c *Cell) solved() bool {
	return slices.ContainsFunc(c.Units, func(u *ratio.Unit) bool { return u.Value != nil })
}

// Proven reports whether the optimum of the view's reference is known.
func (v *View) Proven(in *ratio.Instance) bool {
	return in.Trouble == "" && in.Best[v.Reference].Proven
}

func (v *View) worse(a, b float64) bool { return v.Problem.Sense.Better(b, a) && !ratio.Equal(a, b) }

// views splits a problem's results.
func views(p *ratio.Problem, of map[*ratio.Unit]*Variant, list []*Variant) []*View {
	units := map[*Variant]int{} // at least as many as cells in any view
	for _, u := range p.Units {
		units[of[u]]++
	}
	var out []*View
	for _, reference := range p.Reported {
		for _, difference := range []bool{false, true} {
			v := &View{Problem: p, Reference: reference, Difference: difference, Cells: map[*Variant][]Cell{}}
			for _, in := range p.Instances {
				if (in.Comparison == models.Difference) == difference {
					v.Instances = append(v.Instances, in)
				}
			}
			if len(v.Instances) == 0 {
				continue
			}
			for variant, n := range units {
				v.Cells[variant] = make([]Cell, 0, min(n, len(v.Instances)))
			}
			a := &adder{view: v, of: of, at: map[*Variant]int{}}
			for _, in := range v.Instances {
				a.add(in)
			}
			for _, variant := range list {
				if len(v.Cells[variant]) > 0 {
					v.Variants = append(v.Variants, variant)
				} else {
					delete(v.Cells, variant)
				}
			}
			out = append(out, v)
		}
	}
	return out
}

// An adder adds instances to a view. It has what would else be made anew for each.
type adder struct {
	view  *View
	of    map[*ratio.Unit]*Variant
	order []*Variant       // those of one instance
	at    map[*Variant]int // their places in order and units
	units [][]*ratio.Unit
}

func (a *adder) add(in *ratio.Instance) {
	clear(a.at)
	a.order = a.order[:0]
	for _, u := range in.Units {
		variant := a.of[u]
		if variant.Kind == string(models.Bound) || !a.view.Problem.Related(u.Class, a.view.Reference) {
			continue
		}
		i, ok := a.at[variant]
		if !ok {
			i = len(a.order)
			a.at[variant] = i
			a.order = append(a.order, variant)
			if i == len(a.units) {
				a.units = append(a.units, nil)
			}
			a.units[i] = a.units[i][:0]
		}
		a.units[i] = append(a.units[i], u)
	}
	for i, variant := range a.order {
		a.view.Cells[variant] = append(a.view.Cells[variant], a.view.cell(in, slices.Clone(a.units[i])))
	}
}

func (v *View) cell(in *ratio.Instance, units []*ratio.Unit) Cell {
	c := Cell{In: in, Units: units}
	var los, his []float64
	worst := math.Inf(-1)
	optimal := 0
	for _, u := range units {
		row := v.Problem.Row(u, v.Reference)
		lo, hi := row.RatioLo, row.RatioHi
		if v.Difference {
			lo, hi = row.DifferenceLo, row.DifferenceHi
		}
		c.Undefined = c.Undefined || row.Undefined
		if u.Value != nil && v.Proven(in) && !v.worse(*u.Value, *row.BestValue) {
			optimal++
		}
		if lo != nil {
			los = append(los, *lo)
		}
		if hi != nil {
			his = append(his, *hi)
		}
		// The furthest is the one whose optimum would be undefined, then the largest high end, then the largest low end.
		far := cmp.Or(hi, lo)
		switch {
		case row.Undefined && worst < math.Inf(1):
			worst, c.Worst = math.Inf(1), u
		case far != nil && *far > worst:
			worst, c.Worst = *far, u
		}
	}
	c.Optimal = optimal == len(units)
	mean := stats.GeoMean
	if v.Difference {
		mean = stats.Mean
	}
	c.Lo, c.Hi = math.NaN(), math.NaN()
	if len(los) > 0 && !c.Undefined {
		c.Lo = mean(los)
	}
	if len(his) > 0 && len(his) >= len(los) && !c.Undefined {
		c.Hi = mean(his)
	}
	return c
}

// A Class is a kind of instances within a problem; empty fields stand for all.
type Class struct {
	Source string `json:"source,omitempty"`
	Metric string `json:"metric,omitempty"`
}

func (c Class) has(in *ratio.Instance) bool {
	return (c.Source == "" || c.Source == in.Source) && (c.Metric == "" || c.Metric == in.Metric())
}

// Classes lists all instances as the first class and, if there are several kinds, each kind.
func (v *View) Classes() []Class {
	seen := map[Class]bool{}
	classes := []Class{{}}
	for _, in := range v.Instances {
		c := Class{in.Source, in.Metric()}
		if !seen[c] {
			seen[c] = true
			classes = append(classes, c)
		}
	}
	if len(classes) == 2 {
		return classes[:1]
	}
	slices.SortFunc(classes[1:], func(a, b Class) int {
		return cmp.Or(cmp.Compare(a.Metric, b.Metric), cmp.Compare(a.Source, b.Source))
	})
	return classes
}

// Where returns the cells of the instances of a class.
func (v *View) Where(variant *Variant, class Class) []Cell {
	if class == (Class{}) {
		return v.Cells[variant]
	}
	var cells []Cell
	for _, c := range v.Cells[variant] {
		if class.has(c.In) {
			cells = append(cells, c)
		}
	}
	return cells
}
