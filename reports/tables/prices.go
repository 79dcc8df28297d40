package tables

import (
	"fmt"

	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// Prices says what restrictions cost.
func Prices(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ", the optimum of one class against that of a wider one"),
		Name:  problem.Name + "-prices", Title: "What restrictions cost",
		Notes: notes("prices", map[string]any{"regret": priced(problem, true), "ratio": priced(problem, false)}),
	}
	type price = *summary.Price
	percent := func(p price, lo, hi summary.Number) string { return problem.Percent(p.Regret, lo, hi) }
	fill(&t, pointers(problem.Prices),
		text("restricted to", func(p price) string { return p.Restricted }),
		text("of", func(p price) string { return p.Reference }),
		text("instances", func(p price) string { return family(p.Class, p.Regret) }),
		number("costs on average", func(p price) string { return percent(p, p.Lead().Lo, p.Lead().Hi) }),
		number("95 % interval", func(p price) string { return problem.Interval(p.Regret, p.Lead()) }),
		number("at worst", func(p price) string {
			return worst(&summary.Ratios{Worst: p.Worst}, func(lo, hi summary.Number) Cell { return one(percent(p, lo, hi)) }).String()
		}),
		number("costs nothing", func(p price) string {
			return words.Range(fmt.Sprint(p.FreeLo), "…", fmt.Sprint(p.FreeHi)) + "/" + count(p.Compared)
		}),
		number("both proven", func(p price) string { return words.Share(p.Proven, p.Instances) }),
	)
	return t
}

func priced(problem *summary.Problem, regret bool) bool {
	for i := range problem.Prices {
		if problem.Prices[i].Regret == regret {
			return true
		}
	}
	return false
}

// family names a class of instances where rows of all are beside them.
func family(class summary.Class, regret bool) string {
	switch {
	case class != summary.Class{}:
		return class.String()
	case regret:
		return "all, by difference"
	}
	return "all"
}

// NotKnowing says what not knowing costs, at most.
func NotKnowing(problem *summary.Problem) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ", the best rules that do not know works and durations"),
		Name:  problem.Name + "-not-knowing", Title: "What not knowing costs, at most", Notes: notes("not-knowing", nil),
	}
	type blind = *summary.Blind
	fill(&t, pointers(problem.NotKnowing),
		text("instances", func(b blind) string { return family(b.Class, b.Regret) }),
		text("best rule that does not know", func(b blind) string { return problem.Marked(b.Rule) }),
		number("above the optimum", func(b blind) string { return problem.Percent(b.Regret, b.Distance.Lo, b.Distance.Hi) }),
		number("95 % interval", func(b blind) string { return problem.Interval(b.Regret, b.Distance) }),
		number("at worst", func(b blind) string {
			return worstFar(problem)(&summary.Ratios{Regret: b.Regret, Worst: b.Worst}).String()
		}),
		text("best rule that knows", func(b blind) string { return words.Or(b.Knowing) }),
		number("over that", func(b blind) string { return problem.Percent(false, b.Over.Lo, b.Over.Hi) }),
		number("compared", func(b blind) string { return count(b.Compared) }),
	)
	return t
}
