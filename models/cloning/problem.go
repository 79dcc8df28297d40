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
	Title: "multi-resource scheduling of DAG jobs with task clones; with one copy, multi-resource DAG scheduling (Graphene, Decima)",
	Doc: "multi-resource scheduling of DAG jobs with task clones\n\n" +
		"Xu, Liu, Lau, Multi Resource Scheduling with Task Cloning in Heterogeneous Clusters (DollyMP), ICPP 2022, section 3. " +
		"Jobs are graphs of phases of equal tasks; tasks run in several copies on servers with capacities of several " +
		"resources and progress by a concave speedup function of the number of copies; minimise the jobs' total flowtime (OPT).",
	Sense: models.Minimize,
	Whole: true,
	References: []models.Reference{
		{Name: Opt, Doc: "preemptive: copies may stop, move and multiply at any slot"},
		{Name: OptNonpreemptive, Doc: "a copy, once started, runs until its task completes", Within: Opt, CheckerDecides: true},
	},
	Constraints: models.Constraints([][3]string{
		{"capacity", "Σ_(copies on server i in slot t) d_r ≤ capacity_factor·C_ir for every server i, resource r and slot t", "Xu, Liu and Lau 2022, eq. 5; the factor: Theorem 2"},
		{
			"parent", "no copy of a task runs in a slot t ≤ λ of a parent phase, the slot in which its last task completes",
			"Xu, Liu and Lau 2022, eq. 7",
		},
		{"arrival", "no copy of a task of job j runs in a slot t ≤ a_j", "Xu, Liu and Lau 2022, eq. 6"},
		{
			"copies", "a task has at most max_copies copies in any slot, each of at least one slot",
			"Xu, Liu and Lau 2022, sections 3 and 5",
		},
		{
			"copies_per_server", "a task has at most max_copies_per_server copies on one server in any slot",
			"Xu, Liu and Lau 2022, section 3, x ∈ {0, 1}",
		},
		{"work", "Σ_t h(copies of the task in slot t) ≥ θ, to 1e-9", "Xu, Liu and Lau 2022, eqs. 4 and 6"},
		{
			"after_completion", "no copy of a task runs after the slot in which the task completes",
			"Xu, Liu and Lau 2022, section 3",
		},
		{
			"regime", "with regime nonpreemptive, a copy that has started runs until its task completes",
			"docs/problems/cloning.md#references",
		},
		{"objective", "a claimed objective is Σ_j (f_j − a_j) to 1e-6, relative", "Xu, Liu and Lau 2022, eq. 8 and OPT"},
	}),
	Examples:       examples,
	InstanceForm:   instanceFields{},
	SolutionForm:   solutionFields{},
	DecodeInstance: decodeInstance,
	EncodeInstance: encodeInstance,
	DecodeSolution: decodeSolution,
	EncodeSolution: encodeSolution,
	Check:          check,
	Size:           size,
	Compare:        func(*Instance) models.Comparison { return models.Quotient },
	Objective:      func(*Instance) string { return "total flowtime" },
	Features:       features,
	FeatureDocs: []models.FeatureDoc{
		{Name: "load", Doc: "work of the scarcest resource over its capacity from the first arrival to the last; absent if all jobs arrive in one slot"},
		{Name: "work_over_horizon", Doc: "work of the scarcest resource over its capacity from the first arrival until the last job could be done, on its longest path"},
		{Name: "arrivals", Doc: "`transient` if all jobs arrive in one slot, else `online`"},
		{Name: "phases_per_job", Doc: "mean number of phases of a job"},
		{Name: "tasks_per_job", Doc: "mean number of tasks of a job"},
		{Name: "dag", Doc: "shape of the jobs: `single` (one phase), `chain`, `dag`, or `mixed`"},
		{Name: "cv", Doc: "mean of σ/θ over all tasks"},
		{Name: "max_speedup", Doc: "the largest h(max_copies) of a phase, R of Theorem 1"},
		{Name: "servers", Doc: "number of servers"},
	},
	Chart: chart,
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
