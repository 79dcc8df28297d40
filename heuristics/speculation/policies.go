package speculation

import (
	"context"

	"schedgap/models"
	"schedgap/models/speculation"
	"schedgap/models/speculation/sim"
)

// Policies lists the package's rules as policies of the cluster simulator.
var Policies = []sim.Policy{
	WindowPolicy, HeteAwarePolicy, DefaultPolicy, NonePolicy, UnrescheduledPolicy, BlindPolicy,
}

// WindowPolicy is Window at the beginning of every window.
var WindowPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "window",
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
		Name: "hete-aware",
		Doc: "copies on free slots where they pay, once all tasks of the job have been launched\n\n" +
			"Zhou et al. 2018, section 6.1: Algorithm 1, here without rescheduling, on the slots that are free.",
	},
	Assign: HeteAwareMatching, ForRun: allocating(0),
	Gains: true,
}

// DefaultPolicy is Hadoop's speculation.
var DefaultPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "default",
		Doc: "copies on free slots, once all tasks of the job have been launched\n\n" +
			"Hadoop's default as in Zhou et al. 2018, section 6.1: the first straggler gets the first free slot on another node. " +
			"Unlike the algorithm default, which keeps the constraints of an instance, it looks at no estimate.",
	},
	Assign: blind,
}

// NonePolicy is the paper's noSpec.
var NonePolicy = sim.Policy{
	Policy: models.Policy{Name: "none", Doc: "no copies\n\nnoSpec of Zhou et al. 2018, section 6.1."},
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

// BlindPolicy tells what the estimates are worth.
var BlindPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "window-blind",
		Doc: "copies at the times of window with default's choice of slots\n\n" +
			"An ablation of Zhou et al. 2018, section 5.2: when, but not where.",
	},
	Assign: blind,
	Window: true,
}

// allocating is Algorithm 1 with k candidates for rescheduling and the score as printed.
func allocating(k int) func() sim.Assign {
	return func() sim.Assign { return (&allocation{most: k, closeness: Printed}).match }
}

// blind gives each straggler in file order the earliest slot that is left and on another node.
func blind(_ context.Context, in *speculation.Instance) speculation.Matching {
	m, taken := speculation.NoCopies(in), make([]bool, len(in.Slots))
	first := 0 // slot that is not taken
	for i := range m {
		for first < len(taken) && taken[first] {
			first++
		}
		for j := first; j < len(taken); j++ {
			if !taken[j] && in.Allowed(i, j) {
				m[i], taken[j] = j, true
				break
			}
		}
	}
	return m
}
