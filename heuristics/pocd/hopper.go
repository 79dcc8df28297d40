package pocd

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/pocd/sim"
)

// Hopper reserves machines for speculation in proportion to the jobs' sizes.
var Hopper = &pocd.Algorithm{
	Name: "hopper",
	Doc: "jobs by virtual size, 2/β times their tasks, each up to that many machines for its tasks and copies\n\n" +
		"Ren et al., Hopper: Decentralized Speculation-aware Cluster Scheduling at Scale, SIGCOMM 2015, section 4, as a rule for one " +
		"snapshot: β is the least of the job's stragglers, and the smallest virtual size comes first. Its stragglers get copies in " +
		"rounds, the largest q^β first.",
	Kind: models.Heuristic, Reference: pocd.Opt,
	Run: models.Decided(HopperCopies),
}

// HopperCopies is the decision of Hopper.
func HopperCopies(ctx context.Context, in *pocd.Instance) pocd.Copies {
	type virtual struct {
		size       float64
		stragglers []straggler
	}
	copies, spare := pocd.NoCopies(in), in.Spare()
	var jobs []virtual
	for j := range in.Jobs {
		if ctx.Err() != nil {
			return copies
		}
		list := stragglers(in, j)
		if len(list) == 0 {
			continue
		}
		tasks := in.Jobs[j].Tasks
		beta := tasks[list[0].task].Beta
		for _, s := range list {
			beta = min(beta, tasks[s.task].Beta)
		}
		byMiss(list)
		jobs = append(jobs, virtual{2 * float64(len(tasks)) / beta, list})
	}
	slices.SortStableFunc(jobs, func(a, b virtual) int { return cmp.Compare(tied(a.size), tied(b.size)) })
	for _, job := range jobs {
		if ctx.Err() != nil || spare == 0 {
			return copies
		}
		j := job.stragglers[0].job
		// The size counts the machines of the tasks' own attempts too; an integer may come out a bit below.
		room := math.Floor(job.size*(1+1e-9)) - float64(len(copies[j]))
		n := len(job.stragglers)
		extra := int(max(0, min(room, float64(spare), float64(n)*float64(in.MaxCopies))))
		for k, s := range job.stragglers {
			copies[j][s.task] = extra / n
			if k < extra%n {
				copies[j][s.task]++
			}
		}
		spare -= extra
	}
	return copies
}

// HopperPolicy is Hopper at every check.
var HopperPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "hopper",
		Doc: "copies of stragglers within the jobs' virtual sizes, the smallest first\n\n" +
			"Ren et al., SIGCOMM 2015, section 4, with the rule of the algorithm hopper at ξ of every new job and every θ. It knows " +
			"no deadlines: a straggler is a task whose estimated remaining time exceeds the mean time of the job's completed tasks. " +
			"β is the workload's; copies start from zero and run until the task completes.",
	},
	Copies:     HopperCopies,
	Checks:     sim.AtProgress | sim.Periodic,
	ByMeanTime: true,
}
