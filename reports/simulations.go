package reports

import (
	"fmt"
	"slices"

	"schedgap/bench/simrun"
	"schedgap/reports/page"
	"schedgap/reports/plots"
	"schedgap/reports/summary"
)

// maxSimulated is how many figures of simulations a report has.
const maxSimulated = 40

// undrawn are metrics that the table has, and no figure.
var undrawn = []string{"load", "warm_up", "jobs_at_start", "jobs_at_end", "steady_half_width", "steady_state"}

// drawSimulations draws every metric of every workload on which policies differ: a row a policy.
func drawSimulations(r *summary.Report) []page.Drawing {
	type key struct{ problem, workload, metric string }
	var keys []key
	groups := map[key][]*summary.Simulation{}
	policies := map[string][]string{} // by problem
	for i := range r.Simulations {
		s := &r.Simulations[i]
		if _, ok := simrun.ParseSweep(s.Workload); ok || slices.Contains(undrawn, s.Metric) {
			continue // drawSweeps has the former
		}
		k := key{s.Problem, s.Workload, s.Metric}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], s)
		if !slices.Contains(policies[s.Problem], s.Policy) {
			policies[s.Problem] = append(policies[s.Problem], s.Policy)
		}
	}
	for _, list := range policies {
		slices.Sort(list)
	}
	var out []page.Drawing
	for _, k := range keys {
		list := groups[k]
		same := !slices.ContainsFunc(list, func(s *summary.Simulation) bool { return s.Mean != list[0].Mean })
		if len(out) == maxSimulated || same && len(list) > 1 || !list[0].Mean.Known() {
			continue
		}
		slices.SortStableFunc(list, func(a, b *summary.Simulation) int {
			switch {
			case a.Mean < b.Mean:
				return -1
			case a.Mean > b.Mean:
				return 1
			}
			return 0
		})
		var boxes []plots.Box
		for _, s := range list {
			lo, hi := s.CILo, s.CIHi
			if !lo.Known() || !hi.Known() {
				lo, hi = s.Mean, s.Mean
			}
			boxes = append(boxes, plots.Box{
				Label: s.Name(), Style: plots.Style{Index: slices.Index(policies[s.Problem], s.Policy)}, Low: float64(s.Min),
				Q1: float64(lo), Median: float64(s.Mean), Q3: float64(hi), High: float64(s.Max), Worst: none, Mean: none,
			})
		}
		axis := summary.Words(k.metric)
		if unit := list[0].Unit; unit != "" {
			axis += " (" + unit + ")"
		}
		a := artist{problem: &summary.Problem{Name: k.problem}}
		title := fmt.Sprintf("%s: %s, workload %s", k.problem, axis, k.workload)
		f := plots.Boxes(plots.Frame{Title: title, X: plots.Axis{Label: axis, Base: none}, Y: plots.Axis{Base: none}}, boxes)
		a.add(f, title, fmt.Sprintf("Mean over %d repetitions (thick line) with its 95 %% interval (box), from the smallest to the largest "+
			"value (thin line), the smallest mean first.", list[0].Repetitions), nil, "simulated", k.metric, k.workload)
		out = append(out, a.out...)
	}
	return out
}
