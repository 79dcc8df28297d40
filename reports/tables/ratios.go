package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// A Cell is one entry of a ratio table: a low and a high end, mostly the same, and a text for parentheses.
type Cell struct{ Lo, Hi, More string }

// String is the cell as screens show it.
func (c Cell) String() string {
	text := words.Range(c.Lo, " … ", c.Hi)
	if c.More != "" {
		text += " (" + c.More + ")"
	}
	return text
}

func one(text string) Cell { return Cell{Lo: text, Hi: text} }

// A Column is one number of a ratio table.
type Column struct {
	Heading
	Name string // by which a paper asks for it; empty: it cannot
	Cell func(r *summary.Ratios) Cell

	only bool // it is for papers only
}

// Columns are the columns that a table of ratios, or regrets, to a reference can have.
func Columns(problem *summary.Problem, reference string, regret bool) []Column {
	type ratios = *summary.Ratios
	show := func(head, name string, cell func(r ratios) Cell) Column {
		return Column{Heading: Heading{Head: head}, Name: name, Cell: cell}
	}
	low := func(c Column) Column {
		c.Low = true
		return c
	}
	paper := func(head string, cell func(r ratios) Cell) Column {
		return Column{Heading: Heading{Head: head}, Name: head, Cell: cell, only: true}
	}
	percent := func(lo, hi summary.Number) Cell { return one(problem.Percent(true, lo, hi)) }
	label := show("algorithm", "algorithm", func(r ratios) Cell { return one(problem.Marked(r.Label)) })
	label.Words = true
	list := []Column{
		label,
		show(problem.Apart(reference, regret), "", func(r ratios) Cell { return one(problem.LeadText(r)) }),
		show("95 % interval", "", func(r ratios) Cell { return one(problem.Interval(regret, r.Lead())) }),
		show("worst", "", worstFar(problem)),
		paper("worst", func(r ratios) Cell { return worst(r, ends) }),
		show("optimal", "optimal", optimal),
		show("compared", "compared", func(r ratios) Cell { return one(fmt.Sprintf("%d/%d", r.Compared, r.Instances)) }),
		show("not compared", "", func(r ratios) Cell { return one(r.NotCompared()) }),
		low(show("rank", "", rank)),
		paper("interval", func(r ratios) Cell { return one(confidence(r.Lead())) }),
	}
	if regret {
		return append(list,
			paper("mean", func(r ratios) Cell { return mean(r, r.Mean, r.LeadInfinite()) }),
			paper("median", quantile(0.5, ends)), paper("p90", quantile(0.9, ends)),
			low(show("median", "", quantile(0.5, percent))), low(show("p90", "", quantile(0.9, percent))),
			low(show("ratio", "", func(r ratios) Cell { return mean(r, r.GeoMean, r.Infinite) })), low(time),
		)
	}
	return append(list,
		low(show("geometric mean", "mean", func(r ratios) Cell { return mean(r, r.GeoMean, r.Infinite) })),
		low(show("median", "median", quantile(0.5, ends))), low(show("p90", "p90", quantile(0.9, ends))), low(time),
	)
}

var time = Column{Heading: Heading{Head: "time"}, Name: "time", Cell: func(r *summary.Ratios) Cell {
	return one(words.Seconds(r.Seconds.ShiftedGeoMean))
}}

// rank is the place of a contender, with others that share it.
func rank(r *summary.Ratios) Cell {
	switch {
	case r.Rank == 0:
		return one(words.None)
	case len(r.Tied) > 0:
		return one(fmt.Sprintf("%d, shared", r.Rank))
	}
	return one(fmt.Sprint(r.Rank))
}

// worstFar is the worst case as a distance in percent.
func worstFar(problem *summary.Problem) func(r *summary.Ratios) Cell {
	return func(r *summary.Ratios) Cell {
		return worst(r, func(lo, hi summary.Number) Cell { return one(problem.Percent(r.Regret, lo, hi)) })
	}
}

// Ratios compares all algorithms with one reference, over all instances, or by objective, family or suite.
func Ratios(problem *summary.Problem, reference string, regret bool, by string) Table {
	t := Table{Name: problem.Name + "-" + reference, Title: "Ratio to " + reference, By: cmp.Or(by, "all")}
	if regret {
		t.Name, t.Title = t.Name+"-regret", "Regret to "+reference
	}
	rows := problem.Rows(reference, regret, func(r *summary.Ratios) bool { return r.Class.By() == by })
	summary.Rank(rows)
	problem.MineFirst(rows)
	quotients := has(rows, func(r *summary.Ratios) bool { return !math.IsNaN(float64(r.GeoMean.Hi)) })
	var columns []column[*summary.Ratios]
	if by != "" {
		t.Name, t.Title = t.Name+"-by-"+by, t.Title+" by "+by
		columns = append(columns, text(by, func(r *summary.Ratios) string { return r.Class.String() }))
	}
	for _, c := range Columns(problem, reference, regret) {
		if !c.only && (c.Head != "ratio" || quotients) {
			columns = append(columns, column[*summary.Ratios]{c.Heading, func(r *summary.Ratios) string { return c.Cell(r).String() }})
		}
	}
	fill(&t, rows, columns...)
	for i, r := range rows {
		t.Rows[i].Apart, t.Rows[i].Bold = r.Mark != "", r.Bold
	}
	for _, v := range problem.Views {
		if v.Reference == reference && v.Regret == regret {
			against := ", against " + reference + ": " + v.Problem.References[v.Problem.Place(reference)].Doc
			if regret && problem.ScaleDoc != "" {
				against += ", in units of " + problem.ScaleDoc
			}
			t.About = about(problem, v.Objective(), len(v.Instances), against)
		}
	}
	t.Notes = notes("ratios", map[string]any{
		"reference": reference, "regret": regret, "class": by, "apart": words.Capital(problem.Apart(reference, regret)),
		"seeds":    has(rows, func(r *summary.Ratios) bool { return r.Units > r.Instances+r.Skipped }),
		"outside":  has(rows, func(r *summary.Ratios) bool { return r.Outside }),
		"open":     has(rows, func(r *summary.Ratios) bool { return r.Lead().Lo != r.Lead().Hi && r.Lead().Hi.Known() }),
		"interval": has(rows, func(r *summary.Ratios) bool { return r.Lead().CILo.Known() }),
		"lost":     has(rows, func(r *summary.Ratios) bool { return r.Unsolved+r.Infinite > 0 }),
		"missing":  has(rows, func(r *summary.Ratios) bool { return r.Contender() && r.Missing > 0 }),
	})
	return t
}

func has(rows []*summary.Ratios, some func(r *summary.Ratios) bool) bool {
	return slices.ContainsFunc(rows, some)
}

// mean writes one that is infinite with the number of instances that make it so.
func mean(r *summary.Ratios, s summary.Span, count int) Cell {
	c := ends(s.Lo, s.Hi)
	if math.IsInf(float64(s.Hi), 1) {
		c.More = fmt.Sprintf("%d of %d", count, r.Compared+r.Unsolved)
	}
	return c
}

// ends are numbers as they are.
func ends(lo, hi summary.Number) Cell { return Cell{Lo: words.Number(lo), Hi: words.Number(hi)} }

func optimal(r *summary.Ratios) Cell {
	k, n := r.OptimalOf()
	if r.Outside || n == 0 {
		return one(words.None)
	}
	c := one(fmt.Sprintf("%d/%d", k, n))
	c.More = words.Percent(k, n) + " %"
	return c
}

func quantile(p float64, write func(lo, hi summary.Number) Cell) func(r *summary.Ratios) Cell {
	return func(r *summary.Ratios) Cell {
		for _, q := range r.Quantiles {
			if q.P == p {
				return write(q.Lo, q.Hi)
			}
		}
		return one(words.None)
	}
}

func worst(r *summary.Ratios, write func(lo, hi summary.Number) Cell) Cell {
	if r.Worst == nil {
		return one(words.None)
	}
	where := r.Worst.Instance
	if r.Units > r.Instances+r.Skipped {
		where += fmt.Sprintf(", seed %d", uint64(r.Worst.Seed))
	}
	c := write(r.Worst.Lo, r.Worst.Hi)
	c.More = where
	return c
}

// Objectives is an algorithm's row for each objective, if values measure several things: those that bench prints.
func Objectives(problem *summary.Problem, reference, label string) Table {
	t := Table{
		About: about(problem, problem.Objective, problem.Instances, ", "+label),
		Name:  problem.Name + "-objectives", Title: "Distance from " + reference + " by objective",
	}
	type ratios = *summary.Ratios
	fill(&t, problem.ByObjectives(reference, label),
		text("objective", func(r ratios) string { return r.Objective }),
		text("on average", func(r ratios) string {
			if r.Regret {
				return problem.LeadText(r) + " of the scale"
			}
			return problem.LeadText(r)
		}),
		text("95 % interval", func(r ratios) string { return problem.Interval(r.Regret, r.Lead()) }),
		text("worst", func(r ratios) string {
			c := worstFar(problem)(r)
			return c.Lo
		}),
		text("optimal", func(r ratios) string { return optimal(r).Lo }),
		text("compared", func(r ratios) string { return fmt.Sprintf("%d/%d", r.Compared, r.Instances) }),
		text("not compared", func(r ratios) string { return r.NotCompared() }),
	)
	return t
}
