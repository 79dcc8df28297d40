package page

import (
	"slices"

	"schedgap/reports/summary"
	"schedgap/reports/tables"
)

// sections lists the ratio tables of a problem: reference by reference, ratios before differences.
func sections(problem *summary.Problem) []section {
	var out []section
	for _, v := range problem.Views {
		s := section{Reference: v.Reference, Regret: v.Regret, Tables: tables.OfView(problem, v)}
		s.Figures = figures(problem, func(f summary.Figure) bool {
			return f.Reference == v.Reference && f.Regret == v.Regret && !f.OverTime && !f.Strip
		})
		for i := range problem.Worst {
			if w := &problem.Worst[i]; w.Reference == v.Reference && w.Regret == v.Regret {
				s.Worst = append(s.Worst, w)
			}
		}
		out = append(out, s)
	}
	return out
}

// A section is everything about one view.
type section struct {
	Reference string
	Regret    bool
	Tables    []tables.Table // over all instances unless factors vary, by family and by suite where there are several
	Figures   []summary.Figure
	Worst     []*summary.CaseList
}

// figures selects figures of a problem.
func figures(problem *summary.Problem, of func(f summary.Figure) bool) []summary.Figure {
	return slices.DeleteFunc(slices.Clone(problem.Figures), func(f summary.Figure) bool { return !of(f) })
}
