package reports

import (
	"cmp"
	"fmt"
	"slices"

	"schedgap/bench/simrun"
	"schedgap/models/simulation"
	"schedgap/reports/page"
	"schedgap/reports/plots"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// A Sweep is what the program knows of an experiment.
type Sweep struct {
	Title string
	Axis  string // what x is; empty: unknown
	Paper []PaperValue
	// Metrics are those that it is about; others of simulation.Beside are rows and no figures.
	Metrics []string
}

// A PaperValue is what the paper reports of a metric: a range, one of whose ends may be infinite, and what stands for it.
type PaperValue struct {
	Metric, Policy    string
	X                 float64
	Low, High, Middle float64
}

// drawSweeps draws every metric of every experiment at its default point: a line a policy against x, or, where there is one case,
// a row a policy; with the intervals over seeds, and the paper's values.
func drawSweeps(r *summary.Report, know func(name string) Sweep) []page.Drawing {
	keys, groups := grouped(r, func(s *summary.Simulation) (string, float64, bool) {
		place, ok := simrun.ParseSweep(s.Workload)
		return place.Name, place.X, ok && place.At == ""
	})
	slices.SortStableFunc(keys, func(a, b workload) int { return cmp.Compare(a.problem+"\x00"+a.name, b.problem+"\x00"+b.name) })
	a := artist{problem: &summary.Problem{}}
	for _, k := range keys {
		var sweep Sweep
		if know != nil {
			sweep = know(k.name)
		}
		if len(a.out) >= maxSimulated || slices.Contains(simulation.Beside, k.metric) && !slices.Contains(sweep.Metrics, k.metric) {
			continue
		}
		list := groups[k]
		slices.SortStableFunc(list, func(a, b simulated) int { return cmp.Or(cmp.Compare(a.Policy, b.Policy), cmp.Compare(a.x, b.x)) })
		several := slices.ContainsFunc(list, func(s simulated) bool { return s.x != list[0].x })
		var lines, paper []plots.Line
		var boxes []plots.Box
		for len(list) > 0 {
			policy, style := list[0].Policy, list[0].style
			ours := plots.Line{Label: policy, Style: style, Points: true, Low: []float64{}, High: []float64{}}
			theirs := plots.Line{Style: style, Crosses: true, Low: []float64{}, High: []float64{}}
			for ; len(list) > 0 && list[0].Policy == policy; list = list[1:] {
				s, value := list[0], none
				mean, iv := s.Blocks()
				ours.X, ours.Y = append(ours.X, s.x), append(ours.Y, mean)
				ours.Low, ours.High = append(ours.Low, iv.Lo), append(ours.High, iv.Hi)
				for _, v := range sweep.Paper {
					if v.Metric == k.metric && v.Policy == policy && v.X == s.x {
						value = v.Middle
						theirs.X, theirs.Y = append(theirs.X, s.x), append(theirs.Y, value)
						theirs.Low, theirs.High = append(theirs.Low, v.Low), append(theirs.High, v.High)
					}
				}
				boxes = append(boxes, s.box(policy, mean, iv, value))
			}
			lines = append(lines, ours)
			if len(theirs.X) > 0 {
				if len(paper) == 0 {
					theirs.Label = "the paper"
				}
				paper = append(paper, theirs)
			}
		}
		last := groups[k][len(groups[k])-1]
		axis, seeds := last.Axis(), last.Seeds()
		a.problem.Name = k.problem
		title := fmt.Sprintf("%s: %s", k.name, axis)
		var f *plots.Figure
		caption := fmt.Sprintf("Mean over %d seeds with the 95 %% interval (bar)", seeds)
		if several {
			frame := plots.Frame{Title: title, X: bare(cmp.Or(sweep.Axis, "x"), plots.Linear), Y: bare(axis, plots.Linear)}
			f = plots.Lines(frame, append(lines, paper...))
		} else {
			f = plots.Boxes(plots.Frame{Title: title, X: bare(axis, plots.Linear), Y: bare("", plots.Auto)}, boxes)
			caption = fmt.Sprintf("Mean over %d seeds (thick line) with the 95 %% interval (box), from the smallest to the largest "+
				"repetition (thin line)", seeds)
		}
		if len(paper) > 0 {
			caption += "; crosses and dots are the paper's values"
		}
		if sweep.Title != "" {
			caption = fmt.Sprintf("%s. %s", words.Capital(sweep.Title), caption)
		}
		a.add(f, title, caption+".", nil, "sweep", k.name, k.metric)
	}
	return a.out
}
