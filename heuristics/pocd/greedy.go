package pocd

import (
	"context"

	"schedgap/models/heap"
	"schedgap/models/pocd"
)

// A greedy rule gives one copy at a time: to the first job by jobKey, in it to the first straggler by taskKey, the smallest key
// being first. A straggler leaves when it has all the copies it may have, and a job when its stragglers have left.
type greedy struct {
	// taskKey ranks a straggler that has r copies, miss as in pocd.LogR.
	taskKey func(miss pocd.Miss, r int) float64
	// jobKey ranks a job by ln p_j and its first straggler, which has r copies.
	jobKey func(logP float64, miss pocd.Miss, r int) float64
}

// checkEvery is the number of copies between two looks at the context.
const checkEvery = 1024

func (g greedy) run(ctx context.Context, in *pocd.Instance) pocd.Copies {
	copies, spare := pocd.NoCopies(in), in.Spare()
	if spare == 0 || in.MaxCopies == 0 {
		return copies
	}
	tasks := make([]heap.Indexed, len(in.Jobs))
	logP := make([]pocd.Sum, len(in.Jobs))
	misses, logRs := make([][]pocd.Miss, len(in.Jobs)), make([][]float64, len(in.Jobs))
	jobs := heap.NewIndexed(len(in.Jobs))
	for j := range in.Jobs {
		if ctx.Err() != nil {
			return copies
		}
		miss, hopeless := logMisses(&in.Jobs[j])
		if hopeless {
			continue
		}
		misses[j], logRs[j] = miss, make([]float64, len(miss))
		tasks[j] = heap.NewIndexed(len(miss))
		for i, m := range miss {
			logRs[j][i] = pocd.LogR(m, 0)
			logP[j].Add(logRs[j][i])
			if in.Jobs[j].Tasks[i].Straggler {
				tasks[j].Set(int32(i), tied(g.taskKey(m, 0)))
			}
		}
		if !tasks[j].Empty() {
			jobs.Set(int32(j), tied(g.jobKey(logP[j].Value(), miss[tasks[j].Top()], 0)))
		}
	}
	for ; spare > 0 && !jobs.Empty(); spare-- {
		if spare%checkEvery == 0 && ctx.Err() != nil {
			return copies
		}
		j := jobs.Top()
		i := tasks[j].Top()
		r, miss := copies[j][i], misses[j][i]
		copies[j][i]++
		if r+1 == in.MaxCopies {
			tasks[j].Pop()
			if tasks[j].Empty() {
				jobs.Pop()
				continue
			}
		} else {
			tasks[j].Set(i, tied(g.taskKey(miss, r+1)))
		}
		logP[j].Add(-logRs[j][i])
		logRs[j][i] = pocd.LogR(miss, r+1)
		logP[j].Add(logRs[j][i])
		next := tasks[j].Top()
		jobs.Set(j, tied(g.jobKey(logP[j].Value(), misses[j][next], copies[j][next])))
	}
	return copies
}

// logMisses returns LogMiss of every task, or true when one of them makes the job hopeless.
func logMisses(job *pocd.Job) (miss []pocd.Miss, hopeless bool) {
	miss = make([]pocd.Miss, len(job.Tasks))
	for i := range miss {
		miss[i] = job.LogMiss(i)
		if miss[i] == 0 {
			return nil, true
		}
	}
	return miss, false
}
