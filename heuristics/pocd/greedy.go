package pocd

import (
	"context"

	"schedgap/models/pocd"
)

// A greedy rule gives one copy at a time: to the first job by jobKey, in it to the first straggler by taskKey, the smallest key
// being first. A straggler leaves when it has all the copies it may have, and a job when its stragglers have left.
type greedy struct {
	// taskKey ranks a straggler that has r copies, miss as in pocd.LogR.
	taskKey func(miss float64, r int) float64
	// jobKey ranks a job by ln p_j and the key of its first straggler.
	jobKey func(logP, first float64) float64
}

// checkEvery is the number of copies between two looks at the context.
const checkEvery = 1024

func (g greedy) run(ctx context.Context, in *pocd.Instance) pocd.Copies {
	copies, spare := pocd.NoCopies(in), in.Spare()
	if spare == 0 || in.MaxCopies == 0 {
		return copies
	}
	tasks := make([]queue, len(in.Jobs))
	logP := make([]pocd.Sum, len(in.Jobs))
	misses := make([][]float64, len(in.Jobs))
	jobs := make(queue, 0, len(in.Jobs))
	for j := range in.Jobs {
		if ctx.Err() != nil {
			return copies
		}
		miss, hopeless := logMisses(&in.Jobs[j])
		if hopeless {
			continue
		}
		misses[j] = miss
		for i, m := range miss {
			logP[j].Add(pocd.LogR(m, 0))
			if in.Jobs[j].Tasks[i].Straggler {
				tasks[j] = append(tasks[j], entry{g.taskKey(m, 0), i})
			}
		}
		if len(tasks[j]) > 0 {
			tasks[j].order()
			jobs = append(jobs, entry{g.jobKey(logP[j].Value(), tasks[j][0].key), j})
		}
	}
	jobs.order()
	for ; spare > 0 && len(jobs) > 0; spare-- {
		if spare%checkEvery == 0 && ctx.Err() != nil {
			return copies
		}
		j := jobs[0].index
		i := tasks[j][0].index
		r, miss := copies[j][i], misses[j][i]
		copies[j][i]++
		if r+1 == in.MaxCopies {
			if tasks[j].drop(); len(tasks[j]) == 0 {
				jobs.drop()
				continue
			}
		} else {
			tasks[j].rekey(g.taskKey(miss, r+1))
		}
		logP[j].Add(-pocd.LogR(miss, r))
		logP[j].Add(pocd.LogR(miss, r+1))
		jobs.rekey(g.jobKey(logP[j].Value(), tasks[j][0].key))
	}
	return copies
}

// logMisses returns LogMiss of every task, or true when one of them makes the job hopeless.
func logMisses(job *pocd.Job) (miss []float64, hopeless bool) {
	miss = make([]float64, len(job.Tasks))
	for i := range miss {
		if miss[i] = job.LogMiss(i); miss[i] == 0 {
			return nil, true
		}
	}
	return miss, false
}
