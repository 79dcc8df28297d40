package sim

import (
	"math"

	"schedgap/models"
)

// params are the options of every run; those of the policies come with them.
var params = append([]models.Param{
	models.Choice("model", "stochastic", []string{"stochastic", "expected"},
		"stochastic: each copy takes a random time and the first to end ends the task; expected: the deterministic model of "+
			"the optimum, progress h(copies) a slot by the Pareto fit"),
	models.Between("slot", 5.0, 1e-3, 1e6, "time between two decisions, seconds (section 6.3)"),
	models.Between("max_copies", 4, 1, 100, "the most running copies of a task, all counted"),
	models.Between("max_copies_per_server", 1, 1, 100, "of these on one server; 1 is the paper's x ∈ {0, 1}"),
	models.Between("servers", 0, 0, MaxServers,
		"number of servers, of the kinds of the workload's cluster in their proportions; 0: that cluster, or without one "+
			"the 30 nodes of section 6.1"),
	models.Between("load", 0.0, 0, 1e3,
		"load that is realised without copies: what is held of the bottleneck over what there is from the first arrival to "+
			"the last; the number of servers with which it is nearest; 0: servers says how many"),
	models.Between("least_tasks", 1, 1, MaxTasks,
		"jobs with fewer tasks are left out of the run; most jobs of Google's trace have one task, whose clone gains nothing"),
	models.Between("slowest", 0.0, 0, 1e9,
		"stochastic: most that a copy's random duration may be over the mean of its phase (section 6.3: up to 20 times); 0: "+
			"no bound"),
	models.Choice("clones", "fresh", []string{"fresh", "phase"},
		"stochastic: fresh: a clone takes a random time of its own; phase: as long as the first copy of a task drawn from "+
			"its phase, as in section 6.3; with measured durations it is always the latter"),
	models.Choice("estimate", "truth", []string{"truth", "learned"},
		"means and deviations of durations that policies see: truth, those of the workload; learned, as in section 5.2, of "+
			"a job whose kind ran before, from these runs; else from the ended tasks of the phase, or before any of all "+
			"jobs that ended"),
}, keepParams...)

type options struct {
	Stochastic bool    `param:"model=stochastic"`
	Slot       float64 `param:"slot"`
	MaxCopies  int     `param:"max_copies"`
	PerServer  int     `param:"max_copies_per_server"`
	Servers    int     `param:"servers"`
	Load       float64 `param:"load"`
	LeastTasks int     `param:"least_tasks"`
	Slowest    float64 `param:"slowest"`
	Alike      bool    `param:"clones=phase"`
	Learned    bool    `param:"estimate=learned"`
}

// cluster returns the servers of a run.
func (o *options) cluster(w *Workload) []Servers {
	given := w.Cluster
	if len(given) == 0 {
		given = PaperCluster()
	}
	if o.Servers > 0 && o.Load == 0 {
		return Scale(given, o.Servers)
	}
	return given
}

// Scale returns n servers of the given kinds in their proportions: each kind ends where its share of the row, rounded, ends.
func Scale(kinds []Servers, n int) []Servers {
	all := 0
	for _, k := range kinds {
		all += k.Count
	}
	scaled := make([]Servers, 0, len(kinds))
	before, done := 0, 0
	for _, k := range kinds {
		before += k.Count
		end := int(math.Round(float64(before) / float64(all) * float64(n)))
		k.Count = end - done
		if k.Count > 0 {
			scaled = append(scaled, k)
		}
		done = end
	}
	return scaled
}

// mergeParams appends the options of the policies to those of every run, each once. Policies that share a name share its meaning.
func mergeParams(policies []Policy) []models.Param {
	merged := append([]models.Param(nil), params...)
	seen := map[string]bool{}
	for _, p := range policies {
		for _, q := range p.Params {
			if !seen[q.Name] {
				seen[q.Name] = true
				merged = append(merged, q)
			}
		}
	}
	return merged
}
