package pocd

import (
	"context"

	"schedgap/models"
	"schedgap/models/heap"
	"schedgap/models/pocd"
	"schedgap/models/pocd/sim"
)

// Shed is the predecessor of ShedPlus, which knows no stragglers.
var Shed = &pocd.Algorithm{
	Name: "shed",
	Doc: "one more copy of every task of the job with least PoCD, as long as some job's fits: it waives straggler\n\n" +
		"Alamro, Xu, Lan and Subramaniam, ICC 2018, as described in Alamro et al. 2020, sections I and VI-B: it \"always tries to " +
		"fully utilize the cluster\", so a job that does not fit is set aside.",
	Kind: models.Heuristic, Reference: pocd.OptAll, Waives: []string{"straggler"},
	Run: models.Decided(ShedCopies),
}

// ShedCopies is the decision of Shed.
func ShedCopies(ctx context.Context, in *pocd.Instance) pocd.Copies {
	copies, spare := pocd.NoCopies(in), in.Spare()
	if in.MaxCopies == 0 {
		return copies
	}
	misses := make([][]pocd.Miss, len(in.Jobs))
	jobs := heap.NewIndexed(len(in.Jobs))
	for j := range in.Jobs {
		if ctx.Err() != nil {
			return copies
		}
		if miss, hopeless := logMisses(&in.Jobs[j]); !hopeless {
			misses[j] = miss
			jobs.Set(int32(j), tied(uniformLogP(miss, 0)))
		}
	}
	for !jobs.Empty() && spare > 0 {
		if ctx.Err() != nil {
			return copies
		}
		j := jobs.Top()
		if len(copies[j]) > spare {
			jobs.Pop()
			continue
		}
		spare -= len(copies[j])
		for i := range copies[j] {
			copies[j][i]++
		}
		if r := copies[j][0]; r == in.MaxCopies {
			jobs.Pop()
		} else {
			jobs.Set(j, tied(uniformLogP(misses[j], r)))
		}
	}
	return copies
}

// uniformLogP is ln p_j when every task has r extra copies.
func uniformLogP(miss []pocd.Miss, r int) float64 {
	var p pocd.Sum
	for _, m := range miss {
		p.Add(pocd.LogR(m, r))
	}
	return p.Value()
}

// ShedPolicy is Shed whenever a job arrives or starts.
var ShedPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "shed",
		Doc: "as many copies of every task of a job as of the others, decided again when a job arrives\n\n" +
			"Alamro, Xu, Lan and Subramaniam, ICC 2018, as described in Alamro et al. 2020, section I: \"Shed only performs " +
			"re-optimization upon new jobs arrivals\"; β is the workload's (section VI-A). Of each task the fastest attempt is kept, as " +
			"in Shed+, and the copies go on from its progress; nothing says that it kills late jobs, so it does not.",
	},
	Copies:      ShedCopies,
	Checks:      sim.AtStart,
	KeepFastest: true, Resume: true, AllTasks: true,
}
