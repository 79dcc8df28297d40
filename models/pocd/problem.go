package pocd

import (
	"cmp"
	"math"

	"schedgap/models"
)

// Aliases with the problem's types filled in, so that code about pocd reads without type parameters.
type (
	Algorithm = models.Algorithm[*Instance, Copies]
	Pass      = models.Pass[*Instance, Copies]
	Outcome   = models.Outcome[Copies]
)

// The references: classes of decisions over which an optimum is taken.
const (
	Opt    = "opt"     // extra copies of stragglers only
	OptAll = "opt-all" // extra copies of any task
)

// Problem is pocd.
var Problem = &models.Problem[*Instance, Copies]{
	Name:  "pocd",
	Title: "speculative copies to meet deadlines",
	Doc: "speculative copies to meet deadlines\n\n" +
		"Alamro et al., Shed+: Optimal Dynamic Speculation to Meet Application Deadlines in Cloud, IEEE TNSM 2020, section IV. " +
		"A snapshot of running jobs: give stragglers extra attempts within the spare machines; maximise the α-fair utility of " +
		"the jobs' probabilities of completion before their deadlines (eqs. 9 to 13).",
	Sense: models.Maximize,
	References: []models.Reference{
		{Name: Opt, Doc: "extra copies of stragglers only", Within: OptAll},
		{Name: OptAll, Doc: "extra copies of any task: the straggler constraint waived", Waives: []string{"straggler"}},
	},
	Constraints: models.Constraints([][3]string{
		{"capacity", "Σ_j Σ_i (r_i + 1) + |J| ≤ capacity", "Alamro et al. 2020, eq. 11"},
		{"copies", "r_i is an integer and 0 ≤ r_i ≤ max_copies", "Alamro et al. 2020, eq. 13 and Algorithm 1, line 20"},
		{"straggler", "r_i = 0 unless task i is a straggler", "Alamro et al. 2020, section IV-B"},
		{
			"objective", "a claimed objective is the α-fair utility of the p_j to 1e-6, relative",
			"Alamro et al. 2020, eqs. 10 and 12",
		},
	}),
	Examples:       examples,
	InstanceForm:   instanceFields{},
	SolutionForm:   solutionFields{},
	DecodeInstance: decodeInstance,
	EncodeInstance: encodeInstance,
	DecodeSolution: decodeSolution,
	EncodeSolution: encodeSolution,
	Check:          check,
	Hopeless:       leftOut,
	Size: func(in *Instance) models.Size {
		return models.Size{Jobs: len(in.Jobs), Tasks: in.BaseLoad() - len(in.Jobs), Machines: in.Capacity}
	},
	Compare:   compare,
	ScaleDoc:  "the largest utility, or for α = 1 the number of jobs",
	Scale:     scale,
	Objective: func(*Instance) string { return "utility of the chances to meet deadlines" },
	Features:  features,
	FeatureDocs: []models.FeatureDoc{
		{Name: "metric", Doc: "α, as in \"alpha 1\"; reports keep utilities of different α apart. It is the column `metric`"},
		{Name: "load", Doc: "number of tasks over the capacity K"},
		{Name: "straggler_share", Doc: "share of the tasks that are stragglers"},
		{Name: "hopeless_share", Doc: "share of the jobs that are hopeless"},
		{Name: "spare_per_straggler", Doc: "machines beyond one for each task and one for each job, over the number of stragglers; absent without stragglers"},
	},
	Chart: chart,
}

// farFromZero is the share of the largest utility that values must be sure to have for a ratio to count.
const farFromZero = 0.01

// compare takes differences for finite α ≥ 1, whose utilities are logarithms or negative. Of the others, no decision is worse
// than none, so ratios are at most 1/farFromZero where that is sure to be as good; elsewhere values may be close to 0.
func compare(in *Instance) models.Comparison {
	switch {
	case in.Alpha >= 1 && !math.IsInf(in.Alpha, 1):
		return models.Difference
	case in.Value(nil) < farFromZero*scale(in, ""):
		return models.QuotientZero
	}
	return models.Quotient
}

// scale is the unit of regret: the largest utility, Σ_j 1/(1−α) for α < 1 and 1 for α = +Inf, where it has a bound; for α
// = 1 the number of jobs, so that regret is the mean of ln p_j; for other α the utility of no copies at all, below which no
// decision is.
func scale(in *Instance, _ string) float64 {
	switch {
	case math.IsInf(in.Alpha, 1):
		return 1
	case in.Alpha == 1:
		return float64(len(in.Jobs))
	case in.Alpha < 1:
		return float64(len(in.Jobs)) / (1 - in.Alpha)
	}
	return cmp.Or(-in.Value(nil), 1) // where no job counts all values are 0
}

// features describe an instance in reports: fairness, load (of the running tasks with one attempt each, as in section VI-B),
// extra copies per straggler, and the share of stragglers.
func features(in *Instance) map[string]any {
	tasks, stragglers := in.BaseLoad()-len(in.Jobs), 0
	for j := range in.Jobs {
		for i := range in.Jobs[j].Tasks {
			if in.Jobs[j].Tasks[i].Straggler {
				stragglers++
			}
		}
	}
	f := map[string]any{
		// reports keep the utilities of different α apart
		"metric": "alpha " + alphaText(in.Alpha),
		// a task brings a machine's work a second
		"load":            models.Load([]float64{float64(tasks)}, []float64{float64(in.Capacity)}, 1),
		"straggler_share": float64(stragglers) / float64(tasks),
		"hopeless_share":  float64(len(in.Hopeless())) / float64(len(in.Jobs)),
	}
	if stragglers > 0 {
		f["spare_per_straggler"] = float64(in.Spare()) / float64(stragglers)
	}
	return f
}
