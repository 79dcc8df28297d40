package pocd

import (
	"cmp"
	"context"
	"slices"

	"schedgap/models"
	"schedgap/models/pocd"
)

// Hadoop is speculation as Hadoop does by default.
var Hadoop = &pocd.Algorithm{
	Name: "hadoop",
	Doc: "one extra copy a straggler, the likeliest to miss its deadline (largest q^β) first\n\n" +
		"Alamro et al. 2020, sections I and VI-A (\"default Hadoop … launch one speculative/extra attempt for each straggler\"); " +
		"docs/problems/pocd.md#rules.",
	Kind: models.Heuristic, Reference: pocd.Opt,
	Run: decided(HadoopCopies),
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
	miss      float64
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
	slices.SortStableFunc(list, func(a, b straggler) int { return cmp.Compare(tied(b.miss), tied(a.miss)) })
}
