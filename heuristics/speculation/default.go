package speculation

import (
	"context"
	"slices"

	"schedgap/models"
	"schedgap/models/speculation"
)

// Default is speculation as Hadoop does it: wherever there is room. In the paper it also waits until the job's last task was
// launched, which is a matter of the simulator.
var Default = &speculation.Algorithm{
	Name: "default",
	Doc: "stragglers in file order, each on the earliest free slot where its copy saves time and energy\n\n" +
		"Zhou et al. 2018, section 6.1; docs/problems/speculation.md#algorithm-1.",
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
