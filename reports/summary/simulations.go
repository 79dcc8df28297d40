package summary

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/bench/run/simrun"
	"schedgap/reports/stats"
	"schedgap/reports/words"
)

// A Simulation is one run metric of one policy over its repetitions. It is never divided by an optimum of the
// deterministic model. Metrics that end in OverBound are divided by the bound of the same repetition, which has the same realised
// durations (docs/bounds-and-proofs.md#simulated-runs).
type Simulation struct {
	Problem     string `json:"problem"`
	Workload    string `json:"workload"`
	Metric      string `json:"metric"`
	Unit        string `json:"unit"`
	Policy      string `json:"policy"`
	Params      string `json:"params"`
	Repetitions int    `json:"repetitions"`
	Mean        Number `json:"mean"`
	CILo        Number `json:"ci_lo"` // bootstrap 95 %
	CIHi        Number `json:"ci_hi"`
	Min         Number `json:"min"`
	Median      Number `json:"median"`
	Max         Number `json:"max"`

	varying []string // the parameters in which simulations of the problem differ
}

// OverBound ends the names of metrics over the bound of their repetition, whose own names end in bound.
const (
	OverBound = "_over_bound"
	bound     = "_bound"
)

// overBounds are the metrics that have a bound, divided by it, repetition by repetition.
func overBounds(records []bench.SimRecord) (list []bench.SimRecord) {
	type key struct {
		problem, workload, policy, params, metric string
		seed, repetition                          int64
	}
	of := func(r *bench.SimRecord, metric string) key {
		return key{r.Problem, r.WorkloadSHA256, r.Policy, r.Params, metric, r.Seed, r.Repetition}
	}
	bounds := map[key]float64{}
	for i := range records {
		if metric, ok := strings.CutSuffix(records[i].Metric, bound); ok && records[i].Scope == "run" {
			bounds[of(&records[i], metric)] = records[i].Value
		}
	}
	for i := range records {
		r := records[i]
		if b, ok := bounds[of(&r, r.Metric)]; ok && r.Scope == "run" {
			r.Metric, r.Unit, r.Value = r.Metric+OverBound, "", r.Value/b
			list = append(list, r)
		}
	}
	return list
}

// simulations tabulates the metrics of scope run, over their bounds, too. A value that is not finite counts as missing.
func simulations(records []bench.SimRecord, b stats.Bootstrap) []Simulation {
	records = slices.Concat(records, overBounds(records))
	type key struct{ problem, workload, metric, unit, policy, params string }
	values := map[key][]float64{}
	var keys []key
	for i := range records {
		r := &records[i]
		if r.Scope != "run" {
			continue
		}
		k := key{r.Problem, r.Workload, r.Metric, r.Unit, r.Policy, r.Params}
		if values[k] == nil {
			keys = append(keys, k)
		}
		values[k] = append(values[k], r.Value)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(
			cmp.Compare(a.problem, b.problem), cmp.Compare(a.workload, b.workload),
			cmp.Compare(metricRank(a.metric), metricRank(b.metric)), cmp.Compare(a.metric, b.metric),
			cmp.Compare(a.unit, b.unit), cmp.Compare(a.policy, b.policy), cmp.Compare(a.params, b.params),
		)
	})
	out := make([]Simulation, len(keys))
	for i, k := range keys {
		xs := stats.Finite(values[k])
		slices.Sort(xs)
		iv := b.Mean(xs)[0]
		out[i] = Simulation{
			k.problem, k.workload, k.metric, k.unit, k.policy, k.params, len(xs),
			Number(stats.Mean(xs)), Number(iv.Lo), Number(iv.Hi),
			Number(stats.Quantile(xs, 0)), Number(stats.Quantile(xs, 0.5)), Number(stats.Quantile(xs, 1)), nil,
		}
	}
	vary(out)
	return out
}

// vary finds out in which parameters the simulations of a problem differ.
func vary(list []Simulation) {
	sets := map[string][]map[string]string{} // by problem
	for i := range list {
		sets[list[i].Problem] = append(sets[list[i].Problem], parse(list[i].Params))
	}
	keys := map[string][]string{}
	for problem, list := range sets {
		keys[problem] = varying(list)
	}
	for i := range list {
		list[i].varying = keys[list[i].Problem]
	}
}

// doubts are simrun.Doubts of all policies on all workloads.
func doubts(list []Simulation) []string {
	means := make([]simrun.Mean, len(list))
	for i := range list {
		s := &list[i]
		means[i] = simrun.Mean{
			Workload: fmt.Sprintf("%s of %s", s.Workload, s.Problem),
			Policy:   fmt.Sprintf("%s of %s on %s", s.Name(), s.Problem, s.Workload), Metric: s.Metric,
			Mean: float64(s.Mean),
		}
	}
	return simrun.Doubts(means)
}

// Axis names the metric with its unit.
func (s *Simulation) Axis() string {
	if s.Unit != "" {
		return Words(s.Metric) + " (" + s.Unit + ")"
	}
	return Words(s.Metric)
}

// Name is the policy with the parameters in which simulations differ, such as "sca (copies=2)".
func (s *Simulation) Name() string {
	if params := s.params(true); params != "" {
		return fmt.Sprintf("%s (%s)", s.Policy, params)
	}
	return s.Policy
}

// Varying are the parameters in which simulations of the problem differ, as "a=1, b=2"; empty: none.
func (s *Simulation) Varying() string { return s.params(true) }

// Fixed are the parameters that all simulations of the problem share.
func (s *Simulation) Fixed() string { return s.params(false) }

func (s *Simulation) params(varying bool) string {
	values := parse(s.Params)
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		switch {
		case slices.Contains(s.varying, key) != varying || values[key] == "":
		case key == "":
			parts = append(parts, values[key])
		default:
			parts = append(parts, key+"="+values[key])
		}
	}
	return strings.Join(parts, ", ")
}

// simulated lists the problems that have simulations and no other results.
func simulated(r *Report) []string {
	var out []string
	for _, s := range r.Simulations {
		if !slices.Contains(out, s.Problem) && !slices.ContainsFunc(r.Problems, func(p *Problem) bool { return p.Name == s.Problem }) {
			out = append(out, s.Problem)
		}
	}
	return out
}

// declared are the metrics that policies are about, the problem's objective first.
var declared = []string{
	"objective", "mean_flowtime", "average_response", "mean_response", "pocd", "mean_execution", "makespan",
}

// conditions are metrics of how a simulation went, rather than of what its policy did.
var conditions = []string{"load", "warm_up", "jobs_at_start", "jobs_at_end", "steady_half_width", "steady_state"}

// Condition reports whether the metric is one of how the simulation went, which tables and figures leave to the last: bounds are,
// since results are divided by them.
func (s *Simulation) Condition() bool {
	return slices.Contains(conditions, s.Metric) || strings.HasSuffix(s.Metric, bound) && !strings.HasSuffix(s.Metric, OverBound)
}

// metricRank orders metrics: the declared ones over their bounds, then these alone, then others, then conditions.
func metricRank(metric string) int {
	base, over := strings.CutSuffix(metric, OverBound)
	i := slices.Index(declared, base)
	switch {
	case i >= 0 && over:
		return i
	case i >= 0:
		return len(declared) + i
	case (&Simulation{Metric: metric}).Condition():
		return 2*len(declared) + 1
	}
	return 2 * len(declared)
}

// Telling is the first simulation of the metric that stands for those of a problem, the declared objective over its bound where
// that is known; nil: it has none.
func (r *Report) Telling(problem string) *Simulation {
	var lead *Simulation
	for i := range r.Simulations {
		if s := &r.Simulations[i]; s.Problem == problem && (lead == nil || metricRank(s.Metric) < metricRank(lead.Metric)) {
			lead = s
		}
	}
	return lead
}

// simulationHeadline counts the simulations and gives the range of one metric over policies on the first workload.
func simulationHeadline(r *Report, problem string) string {
	var list []*Simulation
	policies, workloads := map[string]bool{}, map[string]bool{}
	repetitions := 0
	for i := range r.Simulations {
		if s := &r.Simulations[i]; s.Problem == problem {
			list = append(list, s)
			policies[s.Name()], workloads[s.Workload] = true, true
			repetitions = max(repetitions, s.Repetitions)
		}
	}
	lead := r.Telling(problem)
	known := slices.DeleteFunc(list, func(s *Simulation) bool {
		return s.Workload != lead.Workload || s.Metric != lead.Metric || !s.Mean.Known()
	})
	byMean := func(a, b *Simulation) int { return cmp.Compare(a.Mean, b.Mean) }
	text := fmt.Sprintf("%s simulated on %s, %s each", words.Count(len(policies), "policy"),
		words.Count(len(workloads), "workload"), words.Count(repetitions, "repetition"))
	if len(known) == 0 || slices.MinFunc(known, byMean).Mean == slices.MaxFunc(known, byMean).Mean {
		return text
	}
	least, most := slices.MinFunc(known, byMean), slices.MaxFunc(known, byMean)
	unit := ""
	if lead.Unit != "" && lead.Unit != "share" {
		unit = " " + lead.Unit
	}
	write := func(s *Simulation) string {
		if lead.Unit == "share" {
			return words.Percentage(s.Mean, s.Mean)
		}
		return words.Number(s.Mean) + unit
	}
	return fmt.Sprintf("%s; %s from %s (%s) to %s (%s)", text, Words(lead.Metric), write(least), least.Name(), write(most),
		most.Name())
}
