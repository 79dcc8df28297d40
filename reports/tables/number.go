package tables

import (
	"fmt"

	"schedgap/reports/summary"
)

// Number is the schedgap number of each algorithm: its mean gap on the library's set benchmark. It has no rows for other
// instances.
func Number(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ", against the best known value and bound"),
		Name:  problem.Name + "-number", Title: "The schedgap number on " + problem.Name + ", library release " + problem.Benchmark,
		Text: 2,
		Head: []string{"algorithm", "by", "schedgap number", "95 % interval", "worst", "instances"},
	}
	v := problem.LeadView()
	if problem.Benchmark == "" || v == nil {
		return t
	}
	for _, view := range problem.Views {
		if view.Reference != v.Reference {
			continue
		}
		by := "ratio"
		if view.Regret {
			by = "difference"
		}
		far := percentages(problem, view.Regret)
		for _, r := range problem.Ranked(view, summary.Class{}) {
			gap := one(far(r.Mean.Lo, r.Mean.Hi))
			gap.More = mean(r, r.Mean, r.LeadInfinite()).More
			t.Rows = append(t.Rows, Row{Bold: r.Bold, Cells: []string{
				problem.Marked(r.Label), by, gap.String(), far(r.Mean.CILo, r.Mean.CIHi),
				worst(r, func(lo, hi summary.Number) Cell { return one(far(lo, hi)) }).String(),
				fmt.Sprintf("%d/%d", r.Compared, r.Instances),
			}})
		}
	}
	t.Notes = notes("number", nil)
	return t
}
