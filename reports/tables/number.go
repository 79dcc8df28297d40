package tables

import (
	"fmt"
	"slices"

	"schedgap/reports/summary"
)

// Number is the schedgap number of each algorithm: its mean gap on the library's set benchmark. It has no rows for other
// instances.
func Number(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ", against the best known value and bound"),
		Name:  problem.Name + "-number", Title: "The schedgap number on " + problem.Name + ", library release " + problem.Benchmark,
	}
	v, _ := problem.Lead()
	if problem.Benchmark == "" || v == nil {
		return t
	}
	var rows []*summary.Ratios
	for _, view := range problem.Views {
		if view.Reference == v.Reference {
			rows = append(rows, slices.DeleteFunc(problem.Ranked(view, summary.Class{}), func(r *summary.Ratios) bool {
				return r.Compared == 0
			})...)
		}
	}
	type ratios = *summary.Ratios
	fill(&t, rows,
		text("algorithm", func(r ratios) string { return problem.Marked(r.Label) }),
		text("by", func(r ratios) string { return map[bool]string{false: "ratio", true: "difference"}[r.Regret] }),
		number("schedgap number", func(r ratios) string {
			gap := one(problem.Percent(r.Regret, r.Mean.Lo, r.Mean.Hi))
			gap.More = mean(r, r.Mean, r.LeadInfinite()).More
			return gap.String()
		}),
		number("95 % interval", func(r ratios) string { return problem.Percent(r.Regret, r.Mean.CILo, r.Mean.CIHi) }),
		number("worst", func(r ratios) string { return worstFar(problem)(r).String() }),
		number("instances", func(r ratios) string { return fmt.Sprintf("%d/%d", r.Compared, r.Size()) }),
	)
	for i, r := range rows {
		t.Rows[i].Bold = r.Bold
	}
	t.Notes = notes("number", nil)
	return t
}
