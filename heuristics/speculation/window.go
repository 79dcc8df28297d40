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
		"Zhou et al. 2018, Algorithm 1 and section 5.2.4; docs/problems/speculation.md#algorithm-1.",
	Kind: models.Heuristic, Reference: speculation.Opt,
	Params: []models.Param{candidates, closeness},
	Run:    rescheduling,
}

var (
	candidates = models.Param{
		Name: "k", Default: DefaultCandidates, Min: 0, Max: 1e6, Doc: "candidates for rescheduling; 0: no rescheduling",
	}
	closeness = models.Param{
		Name: "closeness", Default: Printed, Choices: []string{Printed, Close},
		Doc: "first part of the score, d = (ct_j − ct_i)/ct_j: d as printed, which grows with distance, or close, 1 − d",
	}
)

// rescheduling is Algorithm 1 with the options candidates and closeness.
func rescheduling(ctx context.Context, p *speculation.Pass) (speculation.Outcome, error) {
	return decided(func(ctx context.Context, in *speculation.Instance) speculation.Matching {
		return Allocate(ctx, in, p.Params.Int("k"), p.Params.Text("closeness"))
	})(ctx, p)
}

// DefaultCandidates is the paper's k.
const DefaultCandidates = 3

// The two readings of the closeness of two stragglers' criticalness: as the paper prints it, and as it is named.
const (
	Printed = "printed"
	Close   = "close"
)

// HeteAware is the paper's rule, too. What sets it apart is when it decides, a matter of the simulator: not before the job's last
// task was launched.
var HeteAware = &speculation.Algorithm{
	Name: "hete-aware",
	Doc: "the rule of window, in the simulator once all tasks of the job have been launched\n\n" +
		"Zhou et al. 2018, section 6.1: \"the same copy allocation heuristic as shown in Algorithm 1\". On one instance it equals window.",
	Kind: models.Heuristic, Reference: speculation.Opt,
	Params: []models.Param{candidates, closeness},
	Run:    rescheduling,
}

// WindowMatching is the decision of Window with the paper's k and the score as printed.
func WindowMatching(ctx context.Context, in *speculation.Instance) speculation.Matching {
	return Allocate(ctx, in, DefaultCandidates, Printed)
}

// Allocate is Algorithm 1 with k ≥ 0 candidates for rescheduling and a reading of closeness, Printed or Close.
func Allocate(ctx context.Context, in *speculation.Instance, k int, closeness string) speculation.Matching {
	return (&allocation{most: k, closeness: closeness}).match(ctx, in)
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
			"Zhou et al. 2018, sections 5.1 and 5.2: at the beginning of every window of a job, Algorithm 1 with rescheduling matches " +
			"its stragglers with the free slots and those that its attempts, or with window_slots=cluster all attempts, will leave " +
			"within it.",
	},
	Assign: WindowMatching, ForRun: allocating,
	Gains: true, Window: true,
}

// HeteAwarePolicy is HeteAware at the end of the job.
var HeteAwarePolicy = sim.Policy{
	Policy: models.Policy{
		Name: "hete-aware", Arg: scheduler,
		Doc: "copies on free slots where they pay, once all tasks of the job have been launched\n\n" +
			"Zhou et al. 2018, section 6.1: Algorithm 1 on the slots that are free.",
	},
	Assign: WindowMatching, ForRun: allocating,
	Gains: true,
}

// allocating is Algorithm 1 with the option k and the score as printed.
func allocating(v models.Values) sim.Assign {
	return (&allocation{most: v.Int("k"), closeness: Printed}).match
}
