package experiment

import (
	"slices"
	"strings"

	"schedgap/bench"
)

// A sample is one repetition of one policy; the zero sample is one that is missing.
type sample struct {
	run  map[string]float64
	jobs map[string][]jobValue
}

type jobValue struct {
	job   string
	value float64
}

// A place of samples is a policy in one block of a setting.
type place struct {
	setting string
	block   int
	policy  string
}

// samples are all that was measured, by repetition.
type samples map[place][]sample

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
		at, k := place{first.Workload, int(first.Seed), first.Policy}, int(first.Repetition)
		for len(all[at]) <= k {
			all[at] = append(all[at], sample{})
		}
		if all[at][k].run == nil {
			all[at][k] = sampleOf(rows[:n])
		}
		rows = rows[n:]
	}
}

func sampleOf(rows []bench.SimRecord) sample {
	s := sample{map[string]float64{}, map[string][]jobValue{}}
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
	return s
}

// of are the first repetitions of a policy; nil: some of them are missing.
func (all samples) of(at place, reps int) []sample {
	got := all[at]
	if len(got) < reps || slices.ContainsFunc(got[:reps], func(s sample) bool { return s.run == nil }) {
		return nil
	}
	return got[:reps]
}
