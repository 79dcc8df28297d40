package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"schedgap/bench/simrun"
	"schedgap/models/simulation"
	"schedgap/reports/page"
	"schedgap/reports/plots"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

// A Sweep is what the program knows of an experiment.
type Sweep struct {
	Title string
	Axis  string // what x is; empty: unknown
	Paper []PaperValue
	// Metrics are those that it is about; others of simulation.Beside are rows and no figures.
	Metrics []string
}

// A PaperValue is what the paper reports of a metric, from Low to High; one of them may be infinite.
type PaperValue struct {
	Metric, Policy string
	X              float64
	Low, High      float64
}

// drawSweeps draws every metric of every experiment at its default point: a line a policy against x, or, where there is one case, a
// row a policy; with the intervals over seeds, and the paper's values.
func drawSweeps(r *summary.Report, know func(name string) Sweep) []page.Drawing {
	type key struct{ problem, name, metric string }
	type point struct {
		x float64
		s *summary.Simulation
	}
	groups := map[key]map[string][]point{} // by policy
	var keys []key
	policies := map[string][]string{} // by problem
	for i := range r.Simulations {
		s := &r.Simulations[i]
		place, ok := simrun.ParseSweep(s.Workload)
		if !ok || place.At != "" {
			continue
		}
		k := key{s.Problem, place.Name, s.Metric}
		if groups[k] == nil {
			keys = append(keys, k)
			groups[k] = map[string][]point{}
		}
		groups[k][s.Policy] = append(groups[k][s.Policy], point{place.X, s})
		if !slices.Contains(policies[s.Problem], s.Policy) {
			policies[s.Problem] = append(policies[s.Problem], s.Policy)
		}
	}
	slices.SortStableFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.problem, b.problem), cmp.Compare(a.name, b.name)) })
	for _, list := range policies {
		slices.Sort(list)
	}
	var out []page.Drawing
	for _, k := range keys {
		var sweep Sweep
		if know != nil {
			sweep = know(k.name)
		}
		if len(out) >= maxSimulated || slices.Contains(simulation.Beside, k.metric) && !slices.Contains(sweep.Metrics, k.metric) {
			continue
		}
		var lines, paper []plots.Line
		var boxes []plots.Box
		xs, unit, seeds := map[float64]bool{}, "", 0
		for _, policy := range policies[k.problem] {
			list := groups[k][policy]
			if list == nil {
				continue
			}
			slices.SortStableFunc(list, func(a, b point) int { return cmp.Compare(a.x, b.x) })
			style := plots.Style{Index: slices.Index(policies[k.problem], policy)}
			ours := plots.Line{Label: policy, Style: style, Points: true, Low: []float64{}, High: []float64{}}
			theirs := plots.Line{Style: style, Crosses: true, Low: []float64{}, High: []float64{}}
			for _, p := range list {
				mean, iv := p.s.Blocks()
				xs[p.x], unit, seeds = true, p.s.Unit, p.s.Seeds()
				ours.X, ours.Y, ours.Low, ours.High = append(ours.X, p.x), append(ours.Y, mean), append(ours.Low, iv.Lo), append(ours.High, iv.Hi)
				value := none
				for _, v := range sweep.Paper {
					if v.Metric == k.metric && v.Policy == policy && v.X == p.x {
						value = v.middle()
						theirs.X, theirs.Y = append(theirs.X, p.x), append(theirs.Y, value)
						theirs.Low, theirs.High = append(theirs.Low, v.Low), append(theirs.High, v.High)
					}
				}
				boxes = append(boxes, rowOf(policy, style, mean, iv, p.s, value))
			}
			lines = append(lines, ours)
			if len(theirs.X) > 0 {
				if len(paper) == 0 {
					theirs.Label = "the paper"
				}
				paper = append(paper, theirs)
			}
		}
		axis := summary.Words(k.metric)
		if unit != "" {
			axis += " (" + unit + ")"
		}
		a := artist{problem: &summary.Problem{Name: k.problem}}
		title := fmt.Sprintf("%s: %s", k.name, axis)
		var f *plots.Figure
		caption := fmt.Sprintf("Mean over %d seeds with the 95 %% interval (bar)", seeds)
		if len(xs) > 1 {
			f = plots.Lines(plots.Frame{
				Title: title, X: plots.Axis{Label: cmp.Or(sweep.Axis, "x"), Scale: plots.Linear, Base: none}, Y: plots.Axis{Label: axis, Scale: plots.Linear, Base: none},
			}, append(lines, paper...))
		} else {
			f = plots.Boxes(plots.Frame{Title: title, X: plots.Axis{Label: axis, Scale: plots.Linear, Base: none}, Y: plots.Axis{Base: none}}, boxes)
			caption = fmt.Sprintf("Mean over %d seeds (thick line) with the 95 %% interval (box), from the smallest to the largest repetition (thin line)", seeds)
		}
		if len(paper) > 0 {
			caption += "; crosses and dots are the paper's values"
		}
		if sweep.Title != "" {
			caption = fmt.Sprintf("%s%s. %s", strings.ToUpper(sweep.Title[:1]), sweep.Title[1:], caption)
		}
		a.add(f, title, caption+".", nil, "sweep", k.name, k.metric)
		out = append(out, a.out...)
	}
	return out
}

// middle stands for the range.
func (v PaperValue) middle() float64 {
	switch {
	case math.IsInf(v.Low, 0):
		return v.High
	case math.IsInf(v.High, 0):
		return v.Low
	}
	return (v.Low + v.High) / 2
}

// rowOf is a policy's row where there is one case.
func rowOf(policy string, style plots.Style, mean float64, iv stats.Interval, s *summary.Simulation, paper float64) plots.Box {
	if math.IsNaN(iv.Lo) {
		iv = stats.Interval{Lo: mean, Hi: mean}
	}
	return plots.Box{
		Label: policy, Style: style, Low: float64(s.Min), Q1: iv.Lo, Median: mean, Q3: iv.Hi, High: float64(s.Max), Worst: none, Mean: paper,
	}
}
