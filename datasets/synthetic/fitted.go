package synthetic

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:embed fitted.json
var fittedJSON []byte

// fitted is the model of Google's ClusterData 2011-2 (Reiss, Wilkes and Hellerstein, 2011; published by Google under CC-BY
// 4.0, https://github.com/google/cluster-data), parts 0 to 13 of task_events: 600 s to 70,756 s, that is 15,165 jobs with
// 469,346 tasks that were submitted in this time. The numbers are derived from that trace and no part of it.
//
// They were fitted by TestFitted, which fits again and compares whenever the real trace is at hand:
//   - curves are sample quantiles (definition 7 of Hyndman and Fan) at probabilities, to four digits;
//   - jobs are grouped by how their tasks ended, and classed by how many they have: 1, 2-9, 10-99, 100-999, more;
//   - requests, class and priority come from a job's task with the least index, as 3,138 of 3,141 jobs with several tasks
//     have one request for all;
//   - durations are of finished tasks, last SCHEDULE to FINISH; a job straggles if the longest takes more than 1.5
//     times the median;
//   - tie is Spearman's rank correlation of the jobs' CPU and memory requests;
//   - wait is the time from the first submission to the first start; earlier runs ended before the last submission, in
//     eviction, failure or a kill; the last share of earlier is for 6 and more;
//   - capacities are of the machines at time 0.
//
// The window right-censors the real durations: jobs that ran longer than it are among the running ones.
var fitted = sync.OnceValue(func() *model {
	m := &model{}
	if err := json.Unmarshal(fittedJSON, m); err != nil {
		panic("fitted.json: " + err.Error()) // part of the program, read by every test of this package
	}
	return m
})
