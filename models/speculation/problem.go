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

// Opt is the one reference.
const Opt = "opt"

// Problem is speculation.
var Problem = &models.Problem[*Instance, Solution]{
	Name:  "speculation",
	Title: "which stragglers get a copy, on which freed slot",
	Doc: "which stragglers get a copy, on which freed slot\n\n" +
		"Zhou, Phan, Ibrahim, He, Energy-Efficient Speculative Execution using Advanced Reservation for Heterogeneous Clusters, " +
		"ICPP 2018, section 5 (the window problem). Stragglers and the slots that become free in a window of time: match them " +
		"so that copies save time (eq. 2) and energy (eq. 5); maximise a weighted sum of both.",
	Sense: models.Maximize,
	References: []models.Reference{
		{Name: Opt, Doc: "time saved plus energy_weight times energy saved, by one matching"},
	},
	Constraints: models.Constraints([][3]string{
		{"pair", "a copy of i on j has an estimate, Δt_ij > 0 and ΔE_ij > 0", "Zhou et al. 2018, eqs. 2 and 5 and section 5.2.3"},
		{"slot", "Σ_i x_ij ≤ 1 for every slot j", "Zhou et al. 2018, section 5.1: P(|V|, n) choices of slots"},
		{
			"straggler", "Σ_j x_ij ≤ 1 for every straggler i",
			"Zhou et al. 2018, Algorithm 1: a straggler that has a copy leaves S",
		},
		{
			"objective", "a claimed objective is Σ (Δt_ij + energy_weight·ΔE_ij) to 1e-6, relative",
			"docs/problems/speculation.md#readings-of-the-paper",
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
	Size: func(in *Instance) models.Size {
		return models.Size{Jobs: len(in.Stragglers), Machines: len(in.Slots)}
	},
	// Where no pair helps, all values are 0.
	Compare:   func(*Instance) models.Comparison { return models.QuotientZero },
	ScaleDoc:  "the savings if every straggler had its best slot",
	Scale:     scale,
	Objective: func(*Instance) string { return "time saved, with weighted energy" },
	Features:  features,
	FeatureDocs: []models.FeatureDoc{
		{Name: "energy_weight", Doc: "weight of the energy saved, as in the instance"},
		{Name: "slots_per_straggler", Doc: "number of slots over the number of stragglers"},
		{Name: "helping_share", Doc: "share of the pairs of a straggler and a slot that save both time and energy"},
	},
	Chart: chart,
}

// scale is the unit of regret: the savings if every straggler had its best slot.
func scale(in *Instance, _ string) float64 {
	sum := 0.0
	for i := range in.Stragglers {
		best := 0.0
		for _, value := range in.Helping(i) {
			best = max(best, value)
		}
		sum += best
	}
	return cmp.Or(sum, 1) // where no pair helps all values are 0
}

// features describe an instance in reports: slots per straggler, the share of pairs that help, and the weight of energy.
func features(in *Instance) map[string]any {
	helping := 0
	for i := range in.Stragglers {
		for range in.Helping(i) {
			helping++
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
