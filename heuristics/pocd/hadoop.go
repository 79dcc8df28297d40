package pocd

import (
	"cmp"
	"context"
	"slices"

	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/pocd/sim"
)

// Hadoop is speculation as Hadoop does by default.
var Hadoop = &pocd.Algorithm{
	Name: "hadoop",
	Doc: "one extra copy a straggler, the likeliest to miss its deadline (largest q^β) first\n\n" +
		"Alamro et al. 2020, sections I and VI-A.",
	Kind: models.Heuristic, Reference: pocd.Opt,
	Run: models.Decided(HadoopCopies),
}

// HadoopCopies is the decision of Hadoop.
func HadoopCopies(ctx context.Context, in *pocd.Instance) pocd.Copies {
	copies := pocd.NoCopies(in)
	if in.MaxCopies == 0 {
		return copies
	}
	var list []straggler
	for j := range in.Jobs {
		if ctx.Err() != nil {
			return copies
		}
		list = append(list, stragglers(in, j)...)
	}
	byMiss(list)
	for _, s := range list[:min(in.Spare(), len(list))] {
		copies[s.job][s.task] = 1
	}
	return copies
}

// A straggler is a task that extra copies help, with its LogMiss.
type straggler struct {
	job, task int
	miss      pocd.Miss
}

// stragglers lists those of job j, none if the job is hopeless.
func stragglers(in *pocd.Instance, j int) []straggler {
	miss, hopeless := logMisses(&in.Jobs[j])
	if hopeless {
		return nil
	}
	var list []straggler
	for i, m := range miss {
		if in.Jobs[j].Tasks[i].Straggler {
			list = append(list, straggler{j, i, m})
		}
	}
	return list
}

// byMiss puts the likeliest to miss first and keeps the file's order among equals.
func byMiss(list []straggler) {
	slices.SortStableFunc(list, func(a, b straggler) int { return cmp.Compare(tied(float64(b.miss)), tied(float64(a.miss))) })
}

// HadoopPolicy is Hadoop at every check.
var HadoopPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "hadoop",
		Doc: "one copy of each straggler\n\n" +
			"Hadoop's default speculation as in Alamro et al. 2020, section I, at ξ of every new job and every θ. It knows no " +
			"deadlines: a straggler is a task whose estimated remaining time exceeds the mean time of the job's completed tasks; the " +
			"slowest come first. Copies start from zero and run until the task completes.",
	},
	Copies:       HadoopCopies,
	Checks:       sim.AtProgress | sim.Periodic,
	EstimateBeta: true,
	ByMeanTime:   true,
}
