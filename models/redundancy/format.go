package redundancy

import (
	"fmt"
	"slices"

	"schedgap/models"
	"schedgap/models/strict"
)

func decodeInstance(f *strict.File, h models.Header) *Instance {
	in := &Instance{Header: h}
	if f.Read(in) {
		checkSpeedup(f, in)
	}
	if f.Err() == nil {
		checkTimes(f, in)
	}
	return in
}

// Limits that keep every time of a schedule, and sums of them, numbers that tell one event from the next.
const (
	maxTime   = 1e100 // of the latest completion of a schedule that never idles
	finestJob = 1e-15 // least time that a job takes, relative to its arrival
)

// checkTimes refuses jobs that take so long, or so short beside the time at which they arrive, that no float64 holds their
// completions.
func checkTimes(f *strict.File, in *Instance) {
	latest, work := 0.0, 0.0
	for j, job := range in.Jobs {
		latest, work = max(latest, job.Arrival), work+job.Work
		fault := ""
		if end := latest + work/min(1, in.Speed); end > maxTime {
			fault = fmt.Sprintf("makes the jobs, one after the other, end later than at %v", maxTime)
		} else if shortest := job.Work / max(1, in.Speed) / in.Speedup[in.Machines-1]; shortest < finestJob*job.Arrival {
			fault = fmt.Sprintf("is too little to be told apart at the arrival, %v", job.Arrival)
		}
		if fault != "" {
			f.Fail(strict.At("jobs", j, "work"), "%v %s", job.Work, fault)
			return
		}
	}
}

// concavityTolerance is the relative rounding error that the differences of a speedup table are granted: 1, 1.1, 1.2, 1.3 is
// concave on paper and not in binary.
const concavityTolerance = 1e-9

func checkSpeedup(f *strict.File, in *Instance) {
	h := in.Speedup
	if len(h) != in.Machines {
		f.Fail("speedup", "%d entries, but there must be one for each of 1 to %d machines", len(h), in.Machines)
	}
	fail := func(r int, format string, args ...any) { f.Fail(strict.At("speedup", r), format, args...) }
	if h[0] != 1 {
		fail(0, "%v must be 1, the rate on one machine", h[0])
	}
	before := 1.0 // h(1) − h(0)
	for r := 1; r < len(h) && f.Err() == nil; r++ {
		switch rise := h[r] - h[r-1]; {
		case rise < 0:
			fail(r, "%v must be at least the entry before it, %v", h[r], h[r-1])
		case rise > before+concavityTolerance*h[r]:
			fail(r, "%v rises by %v after a rise by %v: the speedup must be concave", h[r], rise, before)
		default:
			before = rise
		}
	}
}

// solutionFields are a solution file's keys beyond its head.
type solutionFields struct {
	Speed     float64                     `json:"speed" is:">0" default:"1" doc:"1 or the instance's"`
	Intervals strict.List[intervalFields] `json:"intervals" doc:"one after the other from 0 on"`
}

type intervalFields struct {
	Start float64                      `json:"start"`
	End   float64                      `json:"end"`
	Alloc strict.Map[allocationFields] `json:"alloc" doc:"by job; a job that is not named holds nothing"`
}

type allocationFields struct {
	Copies int     `json:"copies" doc:"r_j"`
	Share  float64 `json:"share" doc:"x_j"`
}

func encodeSolution(in *Instance, s Solution) any {
	var alloc strict.Map[allocationFields]
	write := func(q int, fields *intervalFields) {
		iv := &s.Intervals[q]
		alloc = alloc[:0]
		for _, a := range iv.Alloc {
			alloc = append(alloc, strict.Entry[allocationFields]{Key: in.Jobs[a.Job].ID, Value: allocationFields{a.Copies, a.Share}})
		}
		*fields = intervalFields{iv.Start, iv.End, alloc.Sort()}
	}
	return solutionFields{s.speed(), strict.List[intervalFields]{Len: len(s.Intervals), Item: write}}
}

func decodeSolution(f *strict.File, in *Instance) Solution {
	index := strict.Index(in.Jobs, func(j *Job) string { return j.ID })
	s := Solution{Intervals: []Interval{}}
	var file solutionFields
	file.Intervals.Each = func(q int, fields *intervalFields) {
		iv := Interval{Start: fields.Start, End: fields.End, Alloc: slices.Grow([]Allocation(nil), len(fields.Alloc))}
		for _, e := range fields.Alloc {
			j, _ := f.Find(index, e.Key, "a job", "intervals", q, "alloc", e.Key)
			iv.Alloc = append(iv.Alloc, Allocation{Job: j, Copies: e.Value.Copies, Share: e.Value.Share})
		}
		slices.SortFunc(iv.Alloc, func(a, b Allocation) int { return a.Job - b.Job })
		s.Intervals = append(s.Intervals, iv)
	}
	f.Read(&file)
	s.Speed = file.Speed
	return s
}
