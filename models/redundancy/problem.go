package redundancy

import (
	"math"

	"schedgap/models"
)

// Aliases with the problem's types filled in, so that code about redundancy reads without type parameters.
type (
	Algorithm = models.Algorithm[*Instance, Solution]
	Pass      = models.Pass[*Instance, Solution]
	Outcome   = models.Outcome[Solution]
)

// Opt is the one reference: all schedules at speed 1 that the instance's machines allow, shared or not.
const Opt = "opt"

// Problem is redundancy.
var Problem = &models.Problem[*Instance, Solution]{
	Name:  "redundancy",
	Title: "redundant execution with checkpoints at arrivals and departures",
	Doc: "redundant execution with checkpoints at arrivals and departures\n\n" +
		"Xu, Lau et al., Online Job Scheduling with Redundancy and Opportunistic Checkpointing: A Speedup-Function-Based " +
		"Analysis, 2018, section 3. A job on r machines runs at the concave rate h(r); allocations change when a job arrives or " +
		"completes and at no other time; minimise the sum of the flowtimes.",
	Sense: models.Minimize,
	References: []models.Reference{
		{Name: Opt, Doc: "all schedules at speed 1, on shared machines where the instance allows multitasking"},
	},
	Constraints: models.Constraints([][3]string{
		{
			"machines", "1 ≤ r_j ≤ M, and Σ_j x_j·r_j ≤ M at all times (x_j = 1 without multitasking)",
			"Xu, Lau et al. 2018, section 4, constraint (b)",
		},
		{"share", "x_j = 1 without multitasking, 0 < x_j ≤ 1 with it", "Xu, Lau et al. 2018, section 3.2"},
		{
			"event", "every interval begins where the one before it ends, and ends at an arrival or a completion",
			"Xu, Lau et al. 2018, Assumption 1 and section 4, constraint (d)",
		},
		{
			"work", "∫ σ·x_j(t)·h(r_j(t)) dt = W_j over the whole schedule",
			"Xu, Lau et al. 2018, section 4, constraint (a), and eqs. 8 and 10",
		},
		{"arrival", "job j does not run before a_j", "Xu, Lau et al. 2018, section 4, constraint (c)"},
		{"speed", "σ is 1 or the speed that the instance allows", "Xu, Lau et al. 2018, Definition 1"},
		{"objective", "a claimed objective is Σ_j (c_j − a_j) to 1e-6, relative", "Xu, Lau et al. 2018, section 4, OPT"},
	}),
	Examples:       examples,
	InstanceForm:   Instance{},
	SolutionForm:   solutionFields{},
	DecodeInstance: decodeInstance,
	DecodeSolution: decodeSolution,
	EncodeSolution: encodeSolution,
	Check:          check,
	Size: func(in *Instance) models.Size {
		return models.Size{Jobs: len(in.Jobs), Machines: in.Machines}
	},
	Rounding:  roundingOfDates,
	Compare:   func(*Instance) models.Comparison { return models.Quotient },
	Objective: func(*Instance) string { return "total flowtime" },
	Features:  features,
	FeatureDocs: []models.FeatureDoc{
		{Name: "metric", Doc: "`multitasking` or `non-multitasking`; reports keep the two models apart. It is the column `metric`"},
		{Name: "load", Doc: "Σ_j W_j over the capacity M of the time from the first arrival to the last; absent if all jobs arrive at once"},
		{Name: "jobs_per_machine", Doc: "number of jobs over M"},
		{Name: "speedup_share", Doc: "h(M)/M, the share of M machines' speed that all copies of one job have"},
		{Name: "speed", Doc: "speed of the machines that heuristics use"},
	},
	Chart: chart,
}

// roundingOfDates is the rounding of all jobs' completion times, each of which has the spacing of the last of them.
func roundingOfDates(in *Instance) float64 {
	last := 0.0
	for i := range in.Jobs {
		last = max(last, in.Jobs[i].Arrival)
	}
	for i := range in.Jobs {
		last += in.Jobs[i].Work
	}
	return float64(len(in.Jobs)) * (math.Nextafter(last, math.Inf(1)) - last)
}

// features returns the properties that ratios may depend on: whether machines are shared, jobs per machine, the gain h(M)/M of all
// machines over one each, the load (models.Load), and the speed that algorithms are given.
func features(in *Instance) map[string]any {
	mode := "non-multitasking"
	if in.Multitasking {
		mode = "multitasking"
	}
	work, first, last := 0.0, in.Jobs[0].Arrival, in.Jobs[0].Arrival
	for i := range in.Jobs {
		work += in.Jobs[i].Work
		first, last = min(first, in.Jobs[i].Arrival), max(last, in.Jobs[i].Arrival)
	}
	f := map[string]any{
		"metric":           mode, // reports keep the two models apart
		"jobs_per_machine": float64(len(in.Jobs)) / float64(in.Machines),
		"speedup_share":    in.Speedup[in.Machines-1] / float64(in.Machines),
		"speed":            in.Speed,
	}
	if last > first {
		f["load"] = models.Load([]float64{work}, []float64{float64(in.Machines)}, last-first)
	}
	return f
}
