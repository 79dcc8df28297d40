package speculation

import (
	"context"
	"slices"

	"schedgap/models"
	"schedgap/models/speculation"
	"schedgap/models/speculation/sim"
)

// Default is speculation as Hadoop does it: wherever there is room. In the paper it also waits until the job's last task was
// launched, which is a matter of the simulator.
var Default = &speculation.Algorithm{
	Name: "default",
	Doc: "stragglers in file order, each on the earliest free slot where its copy saves time and energy\n\n" +
		"Zhou et al. 2018, section 6.1.",
	Kind: models.Heuristic, Reference: speculation.Opt,
	Run: decided(DefaultMatching),
}

// DefaultMatching is the decision of Default.
func DefaultMatching(ctx context.Context, in *speculation.Instance) speculation.Matching {
	m, free := speculation.NoCopies(in), byStart(in, nil)
	for i := range m {
		if ctx.Err() != nil {
			break
		}
		at := slices.IndexFunc(free, func(j int) bool { return speculation.Helps(in.Gain(i, j)) })
		if at >= 0 {
			m[i] = free[at]
			free = slices.Delete(free, at, at+1)
		}
	}
	return m
}

// DefaultPolicy is Hadoop's speculation.
var DefaultPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "default", Arg: scheduler,
		Doc: "copies on free slots, once all tasks of the job have been launched\n\n" +
			"Hadoop's default as in Zhou et al. 2018, section 6.1: the first straggler gets the first free slot on another node. " +
			"Unlike the algorithm default, which keeps the constraints of an instance, it looks at no estimate.",
	},
	Assign: blind,
}

// BlindPolicy ignores the estimates. Comparing it with others shows the value of the estimates.
var BlindPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "window-blind",
		Doc: "copies at the times of window with default's choice of slots\n\n" +
			"An ablation of Zhou et al. 2018, section 5.2: when, but not where.",
	},
	Assign: blind,
	Window: true,
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
