package summary

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/bench/simrun"
	"schedgap/reports/stats"
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
