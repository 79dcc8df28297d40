package plots

import (
	"cmp"
	"fmt"
	"slices"

	"schedgap/reports/summary"
)

// maxSimulated is how many figures of simulations a report has.
const maxSimulated = 40

// Simulations draws every metric of every workload on which policies differ: a row a policy, the smallest mean first.
func Simulations(r *summary.Report) []Drawing {
	type workload struct{ problem, name, metric string }
	policies := map[string][]string{} // by problem
	var keys []workload
	groups := map[workload][]*summary.Simulation{}
	for i := range r.Simulations {
		s := &r.Simulations[i]
		if s.Condition() {
			continue
		}
		k := workload{s.Problem, s.Workload, s.Metric}
		if groups[k] == nil {
			keys = append(keys, k)
		}
		groups[k] = append(groups[k], s)
		if !slices.Contains(policies[s.Problem], s.Policy) {
			policies[s.Problem] = append(policies[s.Problem], s.Policy)
			slices.Sort(policies[s.Problem])
		}
	}
	a := artist{problem: &summary.Problem{}}
	for _, k := range keys {
		list := groups[k]
		same := !slices.ContainsFunc(list, func(s *summary.Simulation) bool { return s.Mean != list[0].Mean })
		if len(a.out) == maxSimulated || same && len(list) > 1 || !list[0].Mean.Known() {
			continue
		}
		slices.SortStableFunc(list, func(a, b *summary.Simulation) int { return cmp.Compare(a.Mean, b.Mean) })
		var boxes []Box
		for _, s := range list {
			b := Box{
				Label: s.Name(), Style: Style{Index: slices.Index(policies[k.problem], s.Policy)}, Median: float64(s.Mean),
				Q1: float64(s.CILo), Q3: float64(s.CIHi), Low: float64(s.Min), High: float64(s.Max), Worst: none, Mean: none,
			}
			if !s.CILo.Known() || !s.CIHi.Known() {
				b.Q1, b.Q3 = b.Median, b.Median
			}
			boxes = append(boxes, b)
		}
		a.problem.Name = k.problem
		a.add(picture{
			title: fmt.Sprintf("%s, workload %s", list[0].Axis(), k.name), name: []string{"simulated", k.metric, k.name},
			x: bare(list[0].Axis(), Auto), y: bare("", Auto),
			caption: fmt.Sprintf("%s on the workload %s: mean over %d repetitions (thick line) with its 95 %% interval (box), from the "+
				"smallest to the largest value (thin line), the smallest mean first.", list[0].Axis(), k.name, list[0].Repetitions),
		}, func(f Frame) *Figure { return Boxes(f, boxes) })
	}
	return a.out
}
