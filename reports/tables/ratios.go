package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

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
	Head string
	Name string // by which a paper asks for it; empty: it cannot
	Cell func(r *summary.Ratios) Cell

	brief, only bool // it fits a paper; it is for papers only
}

// Columns are the columns that a table of ratios, or regrets, to a reference can have.
func Columns(problem *summary.Problem, reference string, regret bool) []Column {
	percent := func(lo, hi summary.Number) Cell { return one(words.Percentage(lo, hi)) } // of a regret
	far, lead := percentages(problem, regret), map[bool]string{false: "mean"}[regret]
	return []Column{
		{"algorithm", "algorithm", func(r *summary.Ratios) Cell { return one(problem.Marked(r.Label)) }, true, false},
		{problem.Apart(reference, regret), "", func(r *summary.Ratios) Cell { return one(problem.LeadText(r)) }, true, false},
		{"95 % interval", "", func(r *summary.Ratios) Cell {
			lo, hi := problem.Far(regret, float64(r.Lead().CILo)), problem.Far(regret, float64(r.Lead().CIHi))
			return one(words.PercentageInterval(min(lo, hi), max(lo, hi)))
		}, true, false},
		{"worst", "", func(r *summary.Ratios) Cell {
			return worst(r, func(lo, hi summary.Number) Cell { return one(far(lo, hi)) })
		}, true, false},
		{"worst", "worst", func(r *summary.Ratios) Cell { return worst(r, ends) }, false, true},
		{"optimal", "optimal", optimal, true, false},
		{"compared", "compared", func(r *summary.Ratios) Cell {
			return one(fmt.Sprintf("%d/%d", r.Compared, r.Instances))
		}, true, false},
		{"geometric mean", lead, func(r *summary.Ratios) Cell { return mean(r, r.GeoMean, r.Infinite) }, false, false},
		{"mean", map[bool]string{true: "mean"}[regret], func(r *summary.Ratios) Cell {
			return mean(r, r.Mean, r.LeadInfinite())
		}, false, true},
		{"interval", "interval", func(r *summary.Ratios) Cell { return one(confidence(r.Lead())) }, false, true},
		{"median", "median", quantile(0.5, ends), false, regret},
		{"p90", "p90", quantile(0.9, ends), false, regret},
		{"median", "", quantile(0.5, percent), false, !regret},
		{"p90", "", quantile(0.9, percent), false, !regret},
		{"not compared", "", func(r *summary.Ratios) Cell { return one(notCompared(r)) }, false, false},
		{"common mean", "common", common(ends), false, regret},
		{"common mean", "", common(percent), false, !regret},
		{"ratio", "", func(r *summary.Ratios) Cell { return mean(r, r.GeoMean, r.Infinite) }, false, false},
		{"time", "time", func(r *summary.Ratios) Cell { return one(words.Seconds(r.Seconds.ShiftedGeoMean)) }, false, false},
	}
}

// Uneven reports whether the contenders among the rows are compared on different instances.
func Uneven(rows []*summary.Ratios) bool {
	return has(rows, func(r *summary.Ratios) bool { return r.Contender() && r.Compared+r.Unsolved != r.CommonSize })
}

// Ratios compares all algorithms with one reference, over all instances, or by family or suite.
func Ratios(problem *summary.Problem, reference string, regret bool, by string) Table {
	t := Table{Name: problem.Name + "-" + reference, Title: "Ratio to " + reference, Text: 1, By: cmp.Or(by, "all")}
	if regret {
		t.Name, t.Title = t.Name+"-regret", "Regret to "+reference
	}
	rows := problem.Rows(reference, regret, func(r *summary.Ratios) bool { return r.Class.By() == by })
	uneven, quotients, never := Uneven(rows), false, []string(nil)
	for _, r := range rows {
		quotients = quotients || !math.IsNaN(float64(r.GeoMean.Hi))
		if r.Contender() && r.Compared+r.Unsolved == 0 {
			never = append(never, r.Label)
		}
	}
	summary.Rank(rows)
	problem.MineFirst(rows)
	columns := Columns(problem, reference, regret)
	skip := map[string]bool{"geometric mean": regret, "common mean": !uneven, "ratio": !regret || !quotients}
	if by != "" {
		t.Name, t.Title, t.Text = t.Name+"-by-"+by, t.Title+" by "+by, 2
		class := func(r *summary.Ratios) Cell { return one(r.Class.String()) }
		columns = append([]Column{{Head: by, Cell: class, brief: true}}, columns...)
	}
	for _, r := range rows {
		t.Rows = append(t.Rows, Row{Apart: r.Mark != "", Bold: r.Bold})
	}
	for _, c := range columns {
		if skip[c.Head] || c.only {
			continue
		}
		if c.brief {
			t.Brief = append(t.Brief, len(t.Head))
		}
		t.Head = append(t.Head, c.Head)
		for i, r := range rows {
			t.Rows[i].Cells = append(t.Rows[i].Cells, c.Cell(r).String())
		}
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
		"uneven":   uneven, "never": strings.Join(never, `", "`),
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

func common(write func(lo, hi summary.Number) Cell) func(r *summary.Ratios) Cell {
	return func(r *summary.Ratios) Cell {
		if math.IsNaN(float64(r.Common.Lo)) {
			return one(words.None)
		}
		c := write(r.Common.Lo, r.Common.Hi)
		c.More = fmt.Sprintf("n\u00a0=\u00a0%d", r.CommonSize)
		return c
	}
}

func notCompared(r *summary.Ratios) string {
	var parts []string
	for _, x := range []struct {
		n    int
		what string
	}{
		{r.Undefined, "undefined"},
		{r.NoBound, "no bound"},
		{r.NoValue, "no reference value"},
		{r.NoSolution, "no solution"},
		{r.Skipped, "not applicable"},
		{r.Untrusted, "untrusted"},
	} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	if len(parts) == 0 {
		return "0"
	}
	return strings.Join(parts, ", ")
}
