package cloning

import "schedgap/models"

// guarantee returns the guarantee that Xu, Liu and Lau 2022 give for an algorithm, nil for most. The assumptions are listed in
// docs/problems/cloning.md#guarantees. The effective times e = θ + r·σ are not the θ of the theorems, so instances whose
// durations vary have none.
func guarantee(name string) *models.Guarantee {
	switch name {
	case DollyMPTransient.Name:
		return &models.Guarantee{
			Doc: "Theorem 1 of Xu, Liu and Lau 2022: Algorithm 1 without cloning is 6R-competitive, h ≤ R, for single-task jobs that " +
				"are all there at the start, on one server",
			Ratio: func(f map[string]any, _ string, factor float64) (float64, bool) {
				return 6 * number(f, "max_speedup"), transient(f) && factor == 1
			},
		}
	case DollyMPTransientCareful.Name:
		return &models.Guarantee{
			Doc: "Corollary 4.1 of Xu, Liu and Lau 2022: Algorithm 1 with careful clones is 6-competitive, for single-task jobs that " +
				"are all there at the start, on one server",
			Ratio: func(f map[string]any, _ string, factor float64) (float64, bool) {
				return 6, transient(f) && factor == 1
			},
		}
	case "dollymp0", "dollymp1", "dollymp2":
		return &models.Guarantee{
			Doc: "Theorem 2 and section 5.1 of Xu, Liu and Lau 2022: (3+3ε)/ε-competitive on capacity 2+ε without stragglers, for one " +
				"server or single-task jobs; as stated there, though only preemption could make it hold for all of these",
			Ratio: func(f map[string]any, _ string, factor float64) (float64, bool) {
				epsilon := factor - 2
				return 3 + 3/epsilon, epsilon > 0 && steady(f) && (single(f) || number(f, "servers") == 1)
			},
		}
	case HRDF.Name:
		return &models.Guarantee{
			Doc: "Section 5.1 of Xu, Liu and Lau 2022, after Fox and Korupolu 2013: (5+3ε)/ε-competitive on capacity 2+ε without " +
				"stragglers, on one server; as stated there, though only preemption could make it hold for all of these",
			Ratio: func(f map[string]any, _ string, factor float64) (float64, bool) {
				epsilon := factor - 2
				return 3 + 5/epsilon, epsilon > 0 && steady(f) && number(f, "servers") == 1
			},
		}
	}
	return nil
}

func number(features map[string]any, name string) float64 {
	v, _ := features[name].(float64)
	return v
}

// single reports whether every job is one task.
func single(f map[string]any) bool {
	return f["dag"] == "single" && number(f, "tasks_per_job") == 1
}

// transient is the setting of section 4.2, with times that are known.
func transient(f map[string]any) bool {
	return f["arrivals"] == "transient" && single(f) && number(f, "servers") == 1 && known(f)
}

// steady reports that there are no stragglers: times are known, and copies make nothing faster.
func steady(f map[string]any) bool { return known(f) && number(f, "max_speedup") == 1 }

func known(f map[string]any) bool {
	v, ok := f["cv"].(float64)
	return ok && v == 0
}
