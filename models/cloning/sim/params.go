package sim

import (
	"math"

	"schedgap/models"
)

// params are the options of every run; those of the policies come with them.
var params = []models.Param{
	{
		Name: "model", Default: stochastic, Choices: []string{stochastic, expected},
		Doc: "stochastic: each copy takes a random time and the first to end ends the task; expected: the deterministic model of " +
			"the optimum, progress h(copies) a slot by the Pareto fit",
	},
	{Name: "slot", Default: 5.0, Min: 1e-3, Max: 1e6, Doc: "time between two decisions, seconds (section 6.3)"},
	{Name: "max_copies", Default: 4, Min: 1, Max: 100, Doc: "the most running copies of a task, all counted"},
	{
		Name: "max_copies_per_server", Default: 1, Min: 1, Max: 100,
		Doc: "of these on one server; 1 is the paper's x ∈ {0, 1}",
	},
	{
		Name: "servers", Default: 0, Min: 0, Max: MaxServers,
		Doc: "number of servers, of the kinds of the workload's cluster in their proportions; 0: that cluster, or without one the " +
			"30 nodes of section 6.1",
	},
	{Name: "cpu_factor", Default: 1.0, Min: 1e-3, Max: 1e3, Doc: "factor of all servers' CPU (Figure 10 varies the number of cores)"},
}

const (
	stochastic = "stochastic"
	expected   = "expected"
)

type options struct {
	stochastic bool
	slot       float64
	maxCopies  int
	perServer  int
	servers    int
	cpuFactor  float64
}

func readOptions(v models.Values) *options {
	return &options{
		stochastic: v.Text("model") == stochastic,
		slot:       v.Float("slot"),
		maxCopies:  v.Int("max_copies"),
		perServer:  v.Int("max_copies_per_server"),
		servers:    v.Int("servers"),
		cpuFactor:  v.Float("cpu_factor"),
	}
}

// cluster returns the servers of a run.
func (o *options) cluster(given []Servers) []Servers {
	if len(given) == 0 {
		given = PaperCluster()
	}
	if o.servers == 0 {
		return given
	}
	return Scale(given, o.servers)
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
		if k.Count = end - done; k.Count > 0 {
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
