package speculation

import (
	"cmp"

	"schedgap/models"
)

// Aliases with the problem's types filled in, so that code about speculation reads without type parameters.
type (
	Algorithm = models.Algorithm[*Instance, Solution]
	Pass      = models.Pass[*Instance, Solution]
	Outcome   = models.Outcome[Solution]
)

// The references: what an optimum is of. Neither bounds the other.
const (
	Opt    = "opt"    // the scalar objective of one matching
	Pareto = "pareto" // the hypervolume of a front
)

// Problem is speculation.
var Problem = &models.Problem[*Instance, Solution]{
	Name:  "speculation",
	Title: "which stragglers get a copy, on which freed slot",
	Doc: "which stragglers get a copy, on which freed slot\n\n" +
		"Zhou, Phan, Ibrahim, He, Energy-Efficient Speculative Execution using Advanced Reservation for Heterogeneous Clusters, " +
		"ICPP 2018, section 5 (the window problem). Stragglers and the slots that become free in a window of time: match them " +
		"so that copies save time (eq. 2) and energy (eq. 5); maximise a weighted sum, or the hypervolume of a front of both.",
	Sense: models.Maximize,
	References: []models.Reference{
		{Name: Opt, Doc: "time saved plus energy_weight times energy saved, by one matching"},
		{Name: Pareto, Doc: "hypervolume of a set of matchings, time saved against energy saved, from (0, 0)"},
	},
	Constraints: models.Constraints([][3]string{
		{"pair", "a copy of i on j has an estimate, Δt_ij > 0 and ΔE_ij > 0", "Zhou et al. 2018, eqs. 2 and 5 and section 5.2.3"},
		{"slot", "Σ_i x_ij ≤ 1 for every slot j", "Zhou et al. 2018, section 5.1: P(|V|, n) choices of slots"},
		{
			"straggler", "Σ_j x_ij ≤ 1 for every straggler i",
			"Zhou et al. 2018, Algorithm 1: a straggler that has a copy leaves S",
		},
		{
			"objective", "a claimed objective is Σ (Δt_ij + energy_weight·ΔE_ij) or the hypervolume of the front to 1e-6, relative; " +
				"points of a front carry their own ΣΔt and ΣΔE, ascend in time, and none dominates another",
			"docs/problems/speculation.md#readings-of-the-paper",
		},
	}),
	Examples:       examples,
	InstanceForm:   instanceFields{},
	SolutionForm:   solutionFields{},
	SolutionChoice: []string{"assign", "front"},
	DecodeInstance: decodeInstance,
	EncodeInstance: encodeInstance,
	DecodeSolution: decodeSolution,
	EncodeSolution: encodeSolution,
	Check:          check,
	Size: func(in *Instance) models.Size {
		return models.Size{Jobs: len(in.Stragglers), Machines: len(in.Slots)}
	},
	// Where no pair helps, all values are 0.
	Compare:   func(*Instance) models.Comparison { return models.QuotientZero },
	Scale:     scale,
	Objective: func(*Instance) string { return "time saved, with weighted energy" },
	Features:  features,
	Chart:     chart,
}

// scale is what regret is measured in: what is saved if every straggler had the slot that is best for it. For a front the area of
// both.
func scale(in *Instance, reference string) float64 {
	value, time, energy := 0.0, 0.0, 0.0
	for i := range in.Stragglers {
		v, t, e := 0.0, 0.0, 0.0
		for j := range in.Slots {
			if dt, de := in.Gain(i, j); Helps(dt, de) {
				v, t, e = max(v, in.Scalar(dt, de)), max(t, dt), max(e, de)
			}
		}
		value, time, energy = value+v, time+t, energy+e
	}
	if reference == Pareto {
		value = time * energy
	}
	return cmp.Or(value, 1) // where no pair helps all values are 0
}

// features are what ratios depend on: how many slots there are for a straggler, which share of the pairs helps, and the weight
// of energy.
func features(in *Instance) map[string]any {
	helping := 0
	for i := range in.Stragglers {
		for j := range in.Slots {
			if Helps(in.Gain(i, j)) {
				helping++
			}
		}
	}
	f := map[string]any{
		"energy_weight":       in.EnergyWeight,
		"slots_per_straggler": float64(len(in.Slots)) / float64(len(in.Stragglers)),
		"helping_share":       0.0,
	}
	if pairs := len(in.Stragglers) * len(in.Slots); pairs > 0 {
		f["helping_share"] = float64(helping) / float64(pairs)
	}
	return f
}
