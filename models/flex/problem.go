package flex

import "schedgap/models"

// Aliases with the problem's types filled in, so that code about flex reads without type parameters.
type (
	Algorithm = models.Algorithm[*Instance, Schedule]
	Pass      = models.Pass[*Instance, Schedule]
	Outcome   = models.Outcome[Schedule]
)

// The references: classes of schedules over which an optimum is taken.
const (
	Opt         = "opt"          // all malleable schedules
	OptMPS      = "opt-mps"      // the malleable packing scheme over all priority orders
	OptMoldable = "opt-moldable" // one constant integer allocation a job, all starting at 0
)

// Problem is flex.
var Problem = &models.Problem[*Instance, Schedule]{
	Name:  "flex",
	Title: "malleable slot allocation with minima and maxima",
	Doc: "malleable slot allocation with minima and maxima\n\n" +
		"Wolf et al., FLEX: A Slot Allocation Scheduling Optimizer for MapReduce Workloads, Middleware 2010. One epoch: jobs " +
		"with work, minimum and maximum slots share S slots; linear speedup; minimise the sum or the maximum of penalties " +
		"of the completion times.",
	Sense: models.Minimize,
	References: []models.Reference{
		{Name: Opt, Doc: "all malleable schedules"},
		{Name: OptMPS, Doc: "the malleable packing scheme over all priority orders", Within: Opt},
		{Name: OptMoldable, Doc: "one constant integer allocation a job, all starting at 0", Within: Opt},
	},
	Constraints: models.Constraints([][3]string{
		{"slots", "Σ_j s_j(t) ≤ S at all times t", "Wolf et al. 2010, sections 1 and 3.1"},
		{"minimum", "s_j(t) ≥ m_j for every t < C_j", "Wolf et al. 2010, section 1 and Fig. 3, line 4"},
		{
			"maximum", "s_j(t) ≤ M_j for every t < C_j, and s_j(t) = 0 for t > C_j",
			"Wolf et al. 2010, section 1.1 and Fig. 3, lines 8 and 14",
		},
		{"work", "∫ s_j(t) dt = W_j over the whole schedule", "Wolf et al. 2010, section 2.5: linear speedup, F_j(s) = W_j/s"},
		{
			"contiguity", "T_0 = 0 and T_(q−1) ≤ T_q: each interval begins where the one before it ends",
			"Wolf et al. 2010, section 2.2",
		},
		{
			"objective", "a claimed objective is Σ_j w_j·f_j(C_j) or max_j w_j·f_j(C_j) to 1e-6, relative",
			"Wolf et al. 2010, section 2.1",
		},
	}),
	Examples:       examples,
	InstanceForm:   Instance{},
	SolutionForm:   solutionFields{},
	DecodeInstance: decodeInstance,
	DecodeSolution: decodeSolution,
	EncodeSolution: encodeSolution,
	Check:          check,
	Size: func(in *Instance) models.Size {
		return models.Size{Jobs: len(in.Jobs), Machines: in.Slots}
	},
	Least:     least,
	Compare:   compare,
	ScaleDoc:  "a lower bound on Σ w·C (tardy, sla: the value if every job is late)",
	Scale:     scale,
	Objective: func(in *Instance) string { return uniformObjective(in).Words() },
	Features:  features,
	FeatureDocs: []models.FeatureDoc{
		{Name: "metric", Doc: "the objective with its metric, aggregate and weights; a metric that not all jobs share is \"mixed\". It is the column `metric`"},
		{Name: "slack", Doc: "1 − Σ_j m_j/S, the share of the slots that the minima leave free"},
		{Name: "small_share", Doc: "share of the jobs with less work than the mean"},
	},
	Chart: chart,
}

func compare(in *Instance) models.Comparison {
	switch {
	case in.Any(func(m Metric) bool { return m == Lateness }):
		return models.Difference
	case in.Any(func(m Metric) bool { return m == Tardiness || m.Steps() }):
		return models.QuotientZero
	}
	return models.Quotient
}

// features are the axes of the paper's Figure 5: slack, the share of small jobs and the metric.
func features(in *Instance) map[string]any {
	mean, small := 0.0, 0
	for i := range in.Jobs {
		mean += in.Jobs[i].Work / float64(len(in.Jobs))
	}
	for i := range in.Jobs {
		if in.Jobs[i].Work < mean {
			small++
		}
	}
	return map[string]any{
		"metric":      uniformObjective(in).String(),
		"slack":       1 - float64(in.TotalMin())/float64(in.Slots),
		"small_share": float64(small) / float64(len(in.Jobs)),
	}
}

// uniformObjective is the instance's objective with the metric that its jobs share, or "mixed".
func uniformObjective(in *Instance) Objective {
	o := in.Objective
	o.Metric = in.MetricOf(0)
	if in.Mixed() {
		o.Metric = "mixed"
	}
	return o
}
