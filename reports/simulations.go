package reports

import (
	"cmp"
	"fmt"
	"slices"

	"schedgap/bench/simrun"
	"schedgap/reports/page"
	"schedgap/reports/plots"
	"schedgap/reports/stats"
	"schedgap/reports/summary"
)

// maxSimulated is how many figures of simulations a report has.
const maxSimulated = 40

// undrawn are metrics that the table has, and no figure.
var undrawn = []string{"load", "warm_up", "jobs_at_start", "jobs_at_end", "steady_half_width", "steady_state"}

// A workload is what a figure of simulations is about: one workload, or one experiment, and one metric.
type workload struct{ problem, name, metric string }

// A simulated is one policy's point in such a figure.
type simulated struct {
	*summary.Simulation
	x     float64
	style plots.Style
}

// grouped collects simulations by what of says of them, each policy of a problem in a style of its own.
func grouped(r *summary.Report, of func(s *summary.Simulation) (name string, x float64, ok bool)) ([]workload,
	map[workload][]simulated,
) {
	policies := map[string][]string{} // by problem
	var keys []workload
	groups := map[workload][]simulated{}
	for i := range r.Simulations {
		s := &r.Simulations[i]
		name, x, ok := of(s)
		if !ok {
			continue
		}
		k := workload{s.Problem, name, s.Metric}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], simulated{Simulation: s, x: x})
		if !slices.Contains(policies[s.Problem], s.Policy) {
			policies[s.Problem] = append(policies[s.Problem], s.Policy)
		}
	}
	for _, list := range policies {
		slices.Sort(list)
	}
	for k, list := range groups {
		for i := range list {
			list[i].style.Index = slices.Index(policies[k.problem], list[i].Policy)
		}
	}
	return keys, groups
}

// drawSimulations draws every metric of every workload on which policies differ: a row a policy.
func drawSimulations(r *summary.Report) []page.Drawing {
	a := artist{problem: &summary.Problem{}}
	keys, groups := grouped(r, func(s *summary.Simulation) (string, float64, bool) {
		_, sweep := simrun.ParseSweep(s.Workload) // drawSweeps has it
		return s.Workload, 0, !sweep && !slices.Contains(undrawn, s.Metric)
	})
	for _, k := range keys {
		list := groups[k]
		same := !slices.ContainsFunc(list, func(s simulated) bool { return s.Mean != list[0].Mean })
		if len(a.out) == maxSimulated || same && len(list) > 1 || !list[0].Mean.Known() {
			continue
		}
		slices.SortStableFunc(list, func(a, b simulated) int { return cmp.Compare(a.Mean, b.Mean) })
		var boxes []plots.Box
		for _, s := range list {
			interval := stats.Interval{Lo: float64(s.CILo), Hi: float64(s.CIHi)}
			boxes = append(boxes, s.box(s.Name(), float64(s.Mean), interval, none))
		}
		title := fmt.Sprintf("%s: %s, workload %s", k.problem, list[0].Axis(), k.name)
		f := plots.Boxes(plots.Frame{Title: title, X: bare(list[0].Axis(), plots.Auto), Y: bare("", plots.Auto)}, boxes)
		a.problem.Name = k.problem
		a.add(f, title, fmt.Sprintf("Mean over %d repetitions (thick line) with its 95 %% interval (box), from the smallest to the "+
			"largest value (thin line), the smallest mean first.", list[0].Repetitions), nil, "simulated", k.metric, k.name)
	}
	return a.out
}

// box is a policy's row.
func (s simulated) box(label string, mean float64, iv stats.Interval, paper float64) plots.Box {
	if !stats.IsFinite(iv.Lo) || !stats.IsFinite(iv.Hi) {
		iv = stats.Interval{Lo: mean, Hi: mean}
	}
	return plots.Box{
		Label: label, Style: s.style, Low: float64(s.Min), Q1: iv.Lo, Median: mean, Q3: iv.Hi, High: float64(s.Max),
		Worst: none, Mean: paper,
	}
}
