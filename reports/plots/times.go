package plots

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"schedgap/reports/anytime"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

const (
	shortest = 1e-6 // seconds, below which times are not distinguished
	leastGap = 1e-4 // the smallest gap that a logarithmic axis of gaps shows; smaller gaps are drawn there
)

// proven draws the share of the units of each method of an exact algorithm that ended with a proof by a time: of the processor,
// which other work on the machine stretches least, where it is known.
func (a *artist) proven(group []summary.Solver) {
	clock, seconds := "processor time", func(t summary.InstanceTime) float64 { return t.CPU }
	for _, s := range group {
		if slices.ContainsFunc(s.Times, func(t summary.InstanceTime) bool { return t.Solved && math.IsNaN(t.CPU) }) {
			clock, seconds = "wall time", func(t summary.InstanceTime) float64 { return t.Seconds }
		}
	}
	var lines []Line
	group = slices.Clone(group)
	slices.SortStableFunc(group, func(x, y summary.Solver) int { return cmp.Compare(y.Solved, x.Solved) })
	for i, s := range group {
		var solved []float64
		for _, t := range s.Times {
			if t.Solved {
				solved = append(solved, max(seconds(t), shortest))
			}
		}
		if c := stats.Distribution(solved, s.Units).Thin(steps); len(c.X) > 0 {
			method := strings.TrimSpace(fmt.Sprintf("%s %d/%d", s.Method(), s.Solved, s.Units))
			lines = append(lines, Line{Label: method, Style: Style{Index: i}, Step: true, X: c.X, Y: c.Y})
		}
	}
	if len(lines) == 0 || len(group) < 2 {
		return
	}
	a.add(picture{
		title: "time to proof of " + group[0].Algorithm, name: []string{group[0].Algorithm, "proven"}, x: bare(clock, Seconds),
		y: bare("proven", Share),
		caption: fmt.Sprintf("The share of a method's units, of a model with a solver, that are proven after so much %s; beside its "+
			"name, how many are, of those that it is defined for. Higher and further left is better.%s", clock, grey(lines)),
	}, func(f Frame) *Figure { return Lines(f, lines) })
}

// relaxations draws how tight the relaxation of each formulation is: its value over the optimum.
func (a *artist) relaxations() {
	var boxes []Box
	n, known := 0, map[string][]float64{}
	for i := range a.problem.Formulations {
		f := &a.problem.Formulations[i]
		n = max(n, f.Instances)
		method := summary.Solver{Model: f.Model, Start: f.Start} // relaxations are the same for all solvers
		label := f.Algorithm + " " + method.Method() + ", " + f.Of()
		if len(f.Relaxations) > len(known[label]) {
			known[label] = slices.Sorted(slices.Values(f.Relaxations))
		}
	}
	for _, label := range slices.SortedFunc(maps.Keys(known), words.Natural) {
		xs, started := known[label], strings.Replace(label, ", no start", "", 1)
		if started != label && slices.Equal(xs, known[started]) {
			continue // a start tightens few models
		}
		q := func(p float64) float64 { return stats.Quantile(xs, p) }
		boxes = append(boxes, Box{
			Label: label, Style: Style{Index: len(boxes)}, Low: q(0.05), Q1: q(0.25), Median: q(0.5), Q3: q(0.75), High: q(0.95),
			Worst: none, Mean: stats.Mean(xs),
		})
	}
	if len(boxes) < 2 {
		return
	}
	a.add(picture{
		title: "relaxation over optimum, by formulation", name: []string{"relaxations"},
		x: Axis{Label: "relaxation over optimum", Base: 1},
		y: bare("", Auto),
		caption: fmt.Sprintf("The optimum of a model without integrality over the proven optimum, mirrored for "+
			"maximisation, by model and source of instances, at most %d: quartiles, whiskers from the 5th to the 95th "+
			"percentile, dot at the mean. 1 is as tight as can be.", n),
	}, func(f Frame) *Figure { return Boxes(f, boxes) })
}

// gaps draws, for the problem's first reference, how far from it the values of each algorithm were over time: for each objective, if
// there are several.
func (a *artist) gaps() {
	reference := a.problem.References[0].Name
	var rows []summary.Anytime
	var objectives []string
	for _, row := range a.problem.OverTime {
		if row.Reference != reference {
			continue
		}
		rows = append(rows, row)
		for _, t := range row.Traces {
			if !slices.Contains(objectives, t.In.Objective) {
				objectives = append(objectives, t.In.Objective)
			}
		}
	}
	slices.SortStableFunc(rows, func(x, y summary.Anytime) int {
		return cmp.Or(a.problem.Precedence(x.Label)-a.problem.Precedence(y.Label), min(1, len(x.Mark))-min(1, len(y.Mark)),
			cmp.Compare(x.GapHi, y.GapHi), cmp.Compare(x.PrimalHi, y.PrimalHi))
	})
	if len(objectives) < 2 {
		a.gapsOf(rows, summary.Class{})
		return
	}
	for _, objective := range objectives {
		class := summary.Class{Objective: objective}
		var part []summary.Anytime
		for _, row := range rows {
			row.Traces = slices.DeleteFunc(slices.Clone(row.Traces), func(t summary.Trace) bool { return !class.Has(t.In) })
			row.Units = len(row.Traces)
			if row.Units > 0 {
				part = append(part, row)
			}
		}
		a.gapsOf(part, class)
	}
}

// gapsOf draws the gaps of a class, the best algorithm first.
func (a *artist) gapsOf(rows []summary.Anytime, class summary.Class) {
	from, until, open := math.Inf(1), 0.0, false
	for _, row := range rows {
		until = float64(row.Horizon)
		for _, t := range row.Traces {
			if len(t.Lo.X) > 0 {
				from = min(from, max(t.Lo.X[0], shortest))
			}
		}
	}
	if !(from < until) {
		return
	}
	var lines []Line
	var n []string
	for _, row := range rows {
		line := gapLine(&row, from, until)
		line.Label, line.Style = a.problem.Marked(row.Label), Style{Index: a.problem.Styles[row.Variant], Marked: row.Mark != ""}
		lines, n, open = append(lines, line), append(n, fmt.Sprintf("%s %d", row.Label, row.Units)), open || line.Edge != nil
	}
	reference := rows[0].Reference
	caption := fmt.Sprintf("Mean over units of the gap between the best value so far and %s, by wall time. A gap is |x − y| / "+
		"max(|x|, |y|), and 100 %% before there is a value (Berthold 2013); less than %g %% is drawn as that. Units: %s.%s",
		reference, 100*leastGap, strings.Join(n, ", "), grey(lines))
	if open {
		caption += bandNote
	}
	d := a.add(picture{
		class: class, title: "gap to " + reference + " over time", name: []string{reference, "over-time"}, x: bare("wall time", Seconds),
		y: bare("mean gap, percent", Log), caption: caption,
	}, func(f Frame) *Figure { return Lines(f, lines) })
	d.OverTime = true
}

// gapLine is the mean gap of an algorithm in percent, with the low ends as its edge: from 100 % at one second to another.
func gapLine(row *summary.Anytime, from, until float64) Line {
	var los, his []anytime.Gap
	for _, t := range row.Traces {
		los, his = append(los, t.Lo), append(his, t.Hi)
	}
	lo, hi := anytime.Mean(los), anytime.Mean(his)
	line := Line{Label: row.Label, X: []float64{from}, Y: []float64{100}, Edge: []float64{100}}
	open := false
	add := func(x, l, h float64) { // a corner, and the step from it
		n := len(line.X) - 1
		l, h = 100*max(leastGap, l), 100*max(leastGap, h)
		line.X, line.Y, line.Edge = append(line.X, x, x), append(line.Y, line.Y[n], h), append(line.Edge, line.Edge[n], l)
		open = open || h-l > 1e-9
	}
	for _, x := range stats.Thin(slices.Compact(slices.Sorted(slices.Values(slices.Concat(hi.X, lo.X)))), steps) {
		if x < until {
			add(max(x, shortest), lo.At(x), hi.At(x))
		}
	}
	add(until, lo.At(until), hi.At(until))
	if !open {
		line.Edge = nil
	}
	return line
}
