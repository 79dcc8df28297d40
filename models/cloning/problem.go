package cloning

import "schedgap/models"

// Aliases with the problem's types filled in, so that code about cloning reads without type parameters.
type (
	Algorithm = models.Algorithm[*Instance, Solution]
	Pass      = models.Pass[*Instance, Solution]
	Outcome   = models.Outcome[Solution]
)

// The references: classes of schedules over which an optimum is taken.
const (
	Opt              = "opt"               // preemptive: copies may stop, move and multiply at any slot
	OptNonpreemptive = "opt-nonpreemptive" // a copy, once started, runs until its task completes
)

// Problem is cloning.
var Problem = &models.Problem[*Instance, Solution]{
	Name:  "cloning",
	Title: "multi-resource scheduling of DAG jobs with task clones",
	Doc: "multi-resource scheduling of DAG jobs with task clones\n\n" +
		"Xu, Liu, Lau, Multi Resource Scheduling with Task Cloning in Heterogeneous Clusters (DollyMP), ICPP 2022, section 3. " +
		"Jobs are graphs of phases of equal tasks; tasks run in several copies on servers with capacities of several " +
		"resources and progress by a concave speedup function of the number of copies; minimise the jobs' total flowtime (OPT).",
	Sense: models.Minimize,
	References: []models.Reference{
		{Name: Opt, Doc: "preemptive: copies may stop, move and multiply at any slot"},
		{Name: OptNonpreemptive, Doc: "a copy, once started, runs until its task completes", Within: Opt},
	},
	Examples:       examples,
	DecodeInstance: decodeInstance,
	EncodeInstance: encodeInstance,
	DecodeSolution: decodeSolution,
	EncodeSolution: encodeSolution,
	Check:          check,
	Size:           size,
	Compare:        func(*Instance) models.Comparison { return models.Quotient },
	Features:       features,
	Chart:          chart,
}

func size(in *Instance) models.Size {
	s := models.Size{Jobs: len(in.Jobs), Machines: len(in.Servers)}
	for j := range in.Jobs {
		for k := range in.Jobs[j].Phases {
			s.Tasks += in.Jobs[j].Phases[k].Tasks
		}
	}
	return s
}
