package summary

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/reports/ratio"
	"schedgap/reports/words"
)

// Mine makes the report one on the command of that name: it comes first in the headline, tables and figures, and is marked as
// yours. Its lead view comes first, too. A pooled one is about all instances, without families and suites.
func (r *Report) Mine(name string, pooled bool) {
	for _, p := range r.Problems {
		p.Yours, p.Pooled = name, pooled
		lead, _ := p.Lead()
		if i := slices.Index(p.Views, lead); i > 0 {
			p.Views = slices.Insert(slices.Delete(p.Views, i, i+1), 0, lead)
		}
		slices.SortStableFunc(p.Outcomes, func(a, b Outcome) int { return p.Precedence(a.Label) - p.Precedence(b.Label) })
	}
	r.Headlines = headlines(r)
}

// Marked is how tables and figures show a label: that of the command that the report is on says so.
func (p *Problem) Marked(label string) string {
	if p.Precedence(label) == 0 {
		return label + " (yours)"
	}
	return label
}

// Precedence sorts by labels: 0 for the command that the report is on, 1 for all others.
func (p *Problem) Precedence(label string) int {
	if p.Yours != "" && label == p.Yours {
		return 0
	}
	return 1
}

// MineFirst puts, in each class of rows, that of the command that the report is on before the others. Rows of a class are
// together.
func (p *Problem) MineFirst(rows []*Ratios) {
	for from := 0; from < len(rows); {
		to := from
		for to < len(rows) && rows[to].Class == rows[from].Class {
			to++
		}
		slices.SortStableFunc(rows[from:to], func(a, b *Ratios) int { return p.Precedence(a.Label) - p.Precedence(b.Label) })
		from = to
	}
}

// Lead is what sentences are about: a view, and the class of its instances with the main objective, which most instances have or, of
// equals, the first. A report on one command is about the class of its solutions, any other about the first reference. Nil: nothing is
// compared.
func (p *Problem) Lead() (*View, Class) { return p.leadOf(p.Yours) }

// leadOf is Lead of a report on the algorithm of a label; empty: on all. An objective for which nothing is known of the algorithm leads
// only if there is no other.
func (p *Problem) leadOf(label string) (lead *View, class Class) {
	for _, objective := range p.objectives() {
		v, c, has := p.leadFor(label, objective)
		if has {
			return v, c
		}
		if lead == nil {
			lead, class = v, c
		}
	}
	return lead, class
}

// leadFor is leadOf among the views of one objective, and whether the algorithm is compared there.
func (p *Problem) leadFor(label, objective string) (lead *View, class Class, has bool) {
	own := false // it is the class of a command's solutions
	for _, v := range p.Views {
		c, some := v.with(objective)
		rows := p.Ranked(v, c)
		if !some || len(rows) == 0 || rows[0].unknown() > 0 {
			continue
		}
		of := slices.IndexFunc(rows, func(r *Ratios) bool { return r.Label == label && r.Compared > 0 })
		mine := of >= 0 && slices.ContainsFunc(v.Variants, func(o *Variant) bool { return o.Label == label && v.classOf(o) == v.Reference })
		if lead == nil || mine && !own || mine == own && v.Reference == lead.Reference && v.Size(c) > lead.Size(class) {
			lead, class, own, has = v, c, mine, label == "" || of >= 0
		}
	}
	return lead, class, has
}

// objectives lists what values measure, what most instances have first.
func (p *Problem) objectives() []string {
	count := map[string]int{}
	var names []string
	for _, in := range p.Views[0].Problem.Instances {
		if count[in.Objective] == 0 {
			names = append(names, in.Objective)
		}
		count[in.Objective]++
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	return names
}

// with is the class of a view's instances that have an objective, and whether there are any.
func (v *View) with(objective string) (class Class, has bool) {
	if len(v.Objectives()) > 0 {
		class.Objective = objective
	}
	return class, slices.ContainsFunc(v.Instances, func(in *ratio.Instance) bool { return in.Objective == objective })
}

// classOf is the class of a command's solutions; empty: the variant is no command, or its solutions differ in class.
func (v *View) classOf(variant *Variant) string {
	class := ""
	if variant.Kind != string(models.External) {
		return class
	}
	for i := range v.Cells[variant] {
		for _, u := range v.Cells[variant][i].Units {
			if class != "" && u.Class != class {
				return ""
			}
			class = u.Class
		}
	}
	return class
}

// Ranked lists the contenders of a view over a class of its instances, the best first, see Ratios.Rank.
func (p *Problem) Ranked(v *View, class Class) []*Ratios {
	rows := p.Rows(v.Reference, v.Regret, func(r *Ratios) bool { return r.Class == class && r.Contender() })
	slices.SortStableFunc(rows, byQuality)
	return rows
}

// Apart names the distance of an algorithm from a reference, and Far is that distance as a fraction: of the optimum for a ratio,
// of the scale for a regret.
func (p *Problem) Apart(reference string, regret bool) string {
	switch {
	case regret:
		return "regret to " + reference
	case p.Sense == models.Maximize.String():
		return "below " + reference
	}
	return "above " + reference
}

// Far is defined with Apart.
func (p *Problem) Far(regret bool, x float64) float64 {
	switch {
	case regret || math.IsInf(x, 1):
		return x
	case p.Sense == models.Maximize.String():
		return 1 - 1/x
	}
	return x - 1
}

// Percent writes the two ends of a ratio or regret as a distance in percent. Sentences, tables and figures call it, and the
// functions below.
func (p *Problem) Percent(regret bool, lo, hi Number) string {
	return words.Percentage(p.Far(regret, float64(lo)), p.Far(regret, float64(hi)))
}

// LeadText is the leading mean, an infinite one with the number of instances that make it so.
func (p *Problem) LeadText(r *Ratios) string {
	mean := r.Lead()
	text := p.Percent(r.Regret, mean.Lo, mean.Hi)
	if math.IsInf(float64(mean.Hi), 1) {
		text += fmt.Sprintf(" (%d of %d)", r.LeadInfinite(), r.Compared+r.Unsolved)
	}
	return text
}

// Interval is the confidence interval of a mean, the smaller distance first; none: a dash.
func (p *Problem) Interval(regret bool, mean Span) string {
	lo, hi := p.Far(regret, float64(mean.CILo)), p.Far(regret, float64(mean.CIHi))
	return words.PercentageInterval(min(lo, hi), max(lo, hi))
}

// OptimalOf says on how many instances the algorithm has the optimum, of those that it was run on and did not decline. Sentences,
// tables and files have both numbers from here.
func (r *Ratios) OptimalOf() (k, n int) {
	if !r.Outside {
		k = int(r.Optimal)
	}
	return k, r.Instances
}

// NotCompared says how many instances do not count in the means, and why; "0": all do.
func (r *Ratios) NotCompared() string {
	return counted([]part{
		{r.Undefined, "undefined"},
		{r.NoBound, "no bound"},
		{r.NoValue, "no reference value"},
		{r.NoSolution, "no solution"},
		{r.Skipped, r.declined()},
		{r.Untrusted, "untrusted"},
	}, "0")
}

// declined is what an algorithm did with instances that it did not take.
func (r *Ratios) declined() string {
	if r.Kind == string(models.External) {
		return "declined"
	}
	return "not applicable"
}
