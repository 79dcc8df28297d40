package summary

import (
	"fmt"
	"math"
	"strings"

	"schedgap/reports/ratio"
	"schedgap/reports/words"
)

// A total is about all instances that an algorithm was run on and applies to, those compared by ratio and by regret.
type total struct{ instances, optimal, lost int } // lost: without a solution

// total adds up the rows of an algorithm by one reference.
func (p *Problem) total(r *Ratios) (t total) {
	for _, regret := range []bool{false, true} {
		for _, o := range p.Rows(r.Reference, regret, func(o *Ratios) bool {
			return o.Class == (Class{}) && (o.Label == r.Label || p.Marked(o.Label) == r.Label)
		}) {
			k, n := o.OptimalOf()
			t.instances, t.optimal, t.lost = t.instances+n, t.optimal+k, t.lost+o.NoSolution
		}
	}
	return t
}

// optimalOn says on how many instances an algorithm has the optimum.
func (p *Problem) optimalOn(r *Ratios) string {
	t := p.total(r)
	return fmt.Sprintf("%s is optimal on %d of the %s it was run on", r.Label, t.optimal, words.Count(t.instances, "instance"))
}

// Over divides the instances of a problem by how the algorithms are compared on them.
type Over struct {
	Common    int `json:"common"`       // compared in the leading way, by all algorithms
	Proven    int `json:"proven"`       // of these, with a proven optimum
	Partly    int `json:"partly"`       // compared in this way, by some algorithms only
	Otherwise int `json:"otherwise"`    // by ratio where the leading way is regret, and the other way round
	NoBound   int `json:"no_bound"`     // solved, but without a bound of the optimum
	Not       int `json:"not_compared"` // for other reasons
}

// over counts that for the instances of a problem, with the ranked rows of its leading view.
func (p *Problem) over(v *View, rows []*Ratios) Over {
	o := Over{Common: rows[0].CommonSize, Proven: rows[0].commonProven}
	for _, w := range p.Views {
		if w.Reference != v.Reference {
			continue
		}
		compared, open := w.compared()
		o.NoBound += open
		if w == v {
			o.Partly = compared - o.Common
		} else {
			o.Otherwise += compared
		}
	}
	o.Not = p.Instances - o.Common - o.Partly - o.Otherwise - o.NoBound
	return o
}

// compared is the number of instances that count for some contender, and of others that are solved but have no bound.
func (v *View) compared() (counted, open int) {
	const solved, counts = 1, 2
	best := map[*ratio.Instance]int{}
	for variant, cells := range v.Cells {
		for i := range cells {
			switch c := &cells[i]; {
			case !variant.Contender() || c.In.Trouble != "":
			case c.Counted():
				best[c.In] = counts
			case !c.Undefined && !math.IsNaN(c.Lo):
				best[c.In] = max(best[c.In], solved)
			}
		}
	}
	for _, is := range best {
		if is == counts {
			counted++
		} else {
			open++
		}
	}
	return counted, open
}

// set describes the instances that the algorithms are compared on, how many of their optima are proven, and what the others are.
func (p *Problem) set(v *View, rows []*Ratios) string {
	o := p.over(v, rows)
	text := words.Count(p.Instances, "instance")
	if o.Common < p.Instances {
		text = fmt.Sprintf("%d of %s", o.Common, text)
	}
	switch o.Proven {
	case o.Common:
		text += ", all optima proven"
	case 0:
		text += ", no optimum proven"
	default:
		text += fmt.Sprintf(", %d optima proven", o.Proven)
	}
	how := "regret"
	if v.Regret {
		how = "ratio"
	}
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{o.Otherwise, "compared by " + how},
		{o.Partly, "compared for some algorithms only"},
		{o.NoBound, "without a bound"},
		{o.Not, "not compared"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	if len(parts) > 0 {
		text += "; others: " + strings.Join(parts, ", ")
	}
	return text
}
