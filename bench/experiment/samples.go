package experiment

import (
	"slices"
	"strings"

	"schedgap/bench"
)

// A block is what one block of a setting gave: by policy, then by repetition.
type block map[string][]*sample

// A sample is one repetition of one policy.
type sample struct {
	run  map[string]float64
	jobs map[string][]jobValue
}

type jobValue struct {
	job   string
	value float64
}

// A place of samples is a setting with a block's number.
type place struct {
	setting string
	block   int
}

// samples are all that was measured.
type samples map[place]block

// add takes rows, those of one policy's repetition together. Repetitions that are known already stay as they are.
func (all samples) add(rows []bench.SimRecord) {
	for len(rows) > 0 {
		first := &rows[0]
		n := slices.IndexFunc(rows, func(r bench.SimRecord) bool {
			return r.Repetition != first.Repetition || r.Policy != first.Policy || r.Seed != first.Seed || r.Workload != first.Workload
		})
		if n < 0 {
			n = len(rows)
		}
		all.enter(rows[:n])
		rows = rows[n:]
	}
}

func (all samples) enter(rows []bench.SimRecord) {
	r := &rows[0]
	at := place{r.Workload, int(r.Seed)}
	b := all[at]
	if b == nil {
		b = block{}
		all[at] = b
	}
	k := int(r.Repetition)
	for len(b[r.Policy]) <= k {
		b[r.Policy] = append(b[r.Policy], nil)
	}
	if b[r.Policy][k] != nil {
		return
	}
	s := &sample{map[string]float64{}, map[string][]jobValue{}}
	for i := range rows {
		if r := &rows[i]; r.Scope == "run" {
			s.run[r.Metric] = r.Value
		} else if r.Job != nil {
			s.jobs[r.Metric] = append(s.jobs[r.Metric], jobValue{*r.Job, r.Value})
		}
	}
	for _, values := range s.jobs { // so that those of all policies are in one order
		slices.SortStableFunc(values, func(a, b jobValue) int { return strings.Compare(a.job, b.job) })
	}
	b[r.Policy][k] = s
}

// lacks lists the policies of which repetitions are missing.
func (all samples) lacks(at place, policies []string, reps int) []string {
	var missing []string
	for _, p := range policies {
		if got := all[at][p]; len(got) < reps || slices.Contains(got[:reps], nil) {
			missing = append(missing, p)
		}
	}
	return missing
}
