package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// methods are the exact methods of a family with one model, by solver.
type methods struct {
	*summary.Scaling // of the first solver
	by               map[string]*summary.Scaling
}

// Scaling has a row for each family and model and a column for each solver. A cell that has not all of the family's instances says so
// and has no numbers.
func Scaling(problem *summary.Problem) Table {
	var rows []methods
	var solvers, machines, limits []string
	most := 0
	for i := range problem.Scaling {
		c := &problem.Scaling[i]
		k := slices.IndexFunc(rows, func(m methods) bool {
			return m.Algorithm == c.Algorithm && m.Family == c.Family && m.Model == c.Model && m.Start == c.Start
		})
		if k < 0 {
			k, rows = len(rows), append(rows, methods{c, map[string]*summary.Scaling{}})
		}
		rows[k].by[c.Solver] = c
		solvers = append(solvers, c.Solver)
		most = max(most, c.All)
	}
	for _, s := range problem.Solvers {
		for _, t := range s.Times {
			machines, limits = append(machines, t.Unit.CPUModel), append(limits, words.Seconds(stats.Value(t.Unit.TimeLimitSeconds)))
		}
	}
	t := Table{
		Name: problem.Name + "-scaling", Title: "Exact methods against the size of the instances", Notes: notes("scaling", nil),
		About: about(problem, problem.Objective, most, fmt.Sprintf(" of a family at most; time limit %s; machine %s",
			oneOf(limits), oneOf(machines))),
	}
	columns := []column[methods]{
		text("algorithm", func(m methods) string { return m.Algorithm }).low(),
		text("family", func(m methods) string { return m.Family }),
		text("model", func(m methods) string { return model(m.Model, m.Start) }),
	}
	slices.Sort(solvers)
	for _, solver := range slices.Compact(solvers) {
		columns = append(columns, number(solver, func(m methods) string { return m.cell(solver) }))
	}
	fill(&t, rows, columns...)
	return t
}

// oneOf lists the distinct texts.
func oneOf(texts []string) string {
	slices.Sort(texts)
	return strings.Join(slices.Compact(texts), ", ")
}

// cell is such as "8/10 [44, 97 %], 1.2 s [0.8 s, > 30 s]".
func (m methods) cell(solver string) string {
	c := m.by[solver]
	if c == nil {
		return words.None
	}
	if c.Instances < c.All {
		return fmt.Sprintf("%d of %d run", c.Instances, c.All)
	}
	cell := fmt.Sprintf("%d/%d [%.0f, %.0f %%], %s", c.Proven, c.Instances, 100*c.Lo, 100*c.Hi, c.Seconds(c.Median))
	if math.IsNaN(float64(c.MedianLo)) {
		return cell
	}
	return fmt.Sprintf("%s [%s, %s]", cell, c.Seconds(c.MedianLo), c.Seconds(c.MedianHi))
}
