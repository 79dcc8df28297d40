package speculation

import (
	"context"

	"schedgap/models"
	"schedgap/models/speculation"
	"schedgap/models/speculation/sim"
)

// Window is the paper's rule.
var Window = &speculation.Algorithm{
	Name: "window",
	Doc: "the most critical straggler first, its slot by skyline comparison, with opportunistic rescheduling\n\n" +
		"Zhou et al. 2018, Algorithm 1 and section 5.2.4. Slots are compared in the order of their starts and a slot that is " +
		"taken leaves; a straggler without a slot may take over that of one of the k earlier ones with the highest scores, " +
		"once more than k+1 stragglers came before it.",
	Kind: models.Heuristic, Reference: speculation.Opt,
	Params: []models.Param{
		{Name: "k", Default: DefaultCandidates, Min: 0, Max: 1e6, Doc: "candidates for rescheduling; 0: no rescheduling"},
		{
			Name: "closeness", Default: Printed, Choices: []string{Printed, Close},
			Doc: "first part of the score, d = (ct_j − ct_i)/ct_j: d as printed, which grows with distance, or close, 1 − d",
		},
	},
	Run: func(ctx context.Context, p *speculation.Pass) (speculation.Outcome, error) {
		rule := func(ctx context.Context, in *speculation.Instance) speculation.Matching {
			return Allocate(ctx, in, p.Params.Int("k"), p.Params.Text("closeness"))
		}
		return decided(rule)(ctx, p)
	},
}

// DefaultCandidates is the paper's k.
const DefaultCandidates = 3

// The two readings of the closeness of two stragglers' criticalness: as the paper prints it, and as it is named.
const (
	Printed = "printed"
	Close   = "close"
)

// HeteAware is the paper's rule without rescheduling. In the paper it also waits until the job's last task was launched, which
// is a matter of the simulator.
var HeteAware = &speculation.Algorithm{
	Name: "hete-aware",
	Doc: "the most critical straggler first, its slot by skyline comparison, no rescheduling\n\n" +
		"Zhou et al. 2018, section 6.1 and Algorithm 1, without the rescheduling that it contains (docs/problems/speculation.md#algorithm-1).",
	Kind: models.Heuristic, Reference: speculation.Opt,
	Run: decided(HeteAwareMatching),
}

// WindowMatching is the decision of Window with the paper's k and the score as printed.
func WindowMatching(ctx context.Context, in *speculation.Instance) speculation.Matching {
	return Allocate(ctx, in, DefaultCandidates, Printed)
}

// HeteAwareMatching is the decision of HeteAware.
func HeteAwareMatching(ctx context.Context, in *speculation.Instance) speculation.Matching {
	return Allocate(ctx, in, 0, Printed)
}

// Allocate is Algorithm 1 with k ≥ 0 candidates for rescheduling and a reading of closeness, Printed or Close.
func Allocate(ctx context.Context, in *speculation.Instance, k int, closeness string) speculation.Matching {
	return (&allocation{most: k, closeness: closeness}).match(ctx, in)
}

// Looks is how many times Allocate looks at a pair of a straggler and a slot.
func Looks(ctx context.Context, in *speculation.Instance, k int, closeness string) int {
	a := &allocation{most: k, closeness: closeness}
	a.match(ctx, in)
	return a.looks
}

// score says how promising it is that the late straggler takes over the slot of an earlier one: the sum of closeness and of the
// relative gains in time and energy (section 5.2.4). Only pairs that gain both count. The late straggler may use the slot then,
// as it saves more there than the earlier one, which saves something.
func (a *allocation) score(earlier, late *applicant) (float64, bool) {
	slot, i := a.matching[earlier.straggler], late.straggler
	// Most gain no time, which needs no more than this to see.
	if !(a.in.Stragglers[i].Finish-a.in.Slots[slot].Start-a.in.CopyTime[i][slot] > earlier.time) {
		return 0, false
	}
	time, energy := a.in.Gain(i, slot)
	if !(time > earlier.time && energy > earlier.energy) {
		return 0, false
	}
	distance := 0.0 // of a criticalness too small for a number
	if ct := earlier.critical; ct > 0 {
		distance = (ct - late.critical) / ct
	}
	if a.closeness == Close {
		distance = 1 - distance
	}
	return distance + (time-earlier.time)/earlier.time + (energy-earlier.energy)/earlier.energy, true
}

// WindowPolicy is Window at the beginning of every window.
var WindowPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "window", Arg: scheduler,
		Doc: "slots of the coming window are reserved for copies\n\n" +
			"Zhou et al. 2018, sections 5.1 and 5.2: at the beginning of every window of a job, Algorithm 1 with rescheduling (k = 3) " +
			"matches its stragglers with the free slots and those that its attempts will leave within the window.",
	},
	Assign: WindowMatching, ForRun: allocating(DefaultCandidates),
	Gains: true, Window: true,
}

// HeteAwarePolicy is HeteAware at the end of the job.
var HeteAwarePolicy = sim.Policy{
	Policy: models.Policy{
		Name: "hete-aware", Arg: scheduler,
		Doc: "copies on free slots where they pay, once all tasks of the job have been launched\n\n" +
			"Zhou et al. 2018, section 6.1: Algorithm 1, here without rescheduling, on the slots that are free.",
	},
	Assign: HeteAwareMatching, ForRun: allocating(0),
	Gains: true,
}

// UnrescheduledPolicy tells what rescheduling is worth.
var UnrescheduledPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "window-k0",
		Doc:  "window without rescheduling\n\nAn ablation of Zhou et al. 2018, section 5.2.4.",
	},
	Assign: HeteAwareMatching, ForRun: allocating(0),
	Gains: true, Window: true,
}

// allocating is Algorithm 1 with k candidates for rescheduling and the score as printed.
func allocating(k int) func() sim.Assign {
	return func() sim.Assign { return (&allocation{most: k, closeness: Printed}).match }
}
