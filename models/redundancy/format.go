package redundancy

import (
	"slices"

	"schedgap/models"
	"schedgap/models/strict"
)

// instanceFields are an instance file's keys beyond the header.
type instanceFields struct {
	Machines     int       `json:"machines"`
	Multitasking bool      `json:"multitasking"`
	Speed        float64   `json:"speed"`
	Speedup      []float64 `json:"speedup"`
	Jobs         []Job     `json:"jobs"`
}

func encodeInstance(in *Instance) any {
	return instanceFields{in.Machines, in.Multitasking, in.Speed, in.Speedup, in.Jobs}
}

func decodeInstance(f strict.Fields, h models.Header) *Instance {
	in := &Instance{
		Header: h, Machines: f.Int("machines", strict.AtLeast(1)), Multitasking: f.Bool("multitasking"),
		Speed: f.Float("speed", strict.Above(0)),
	}
	in.Speedup = decodeSpeedup(f, in.Machines)
	in.Jobs = strict.List(f, "jobs", decodeJob, strict.NotEmpty, strict.Unique)
	checkTimes(f, in)
	return in
}

// Limits that keep every time of a schedule, and sums of them, numbers that tell one event from the next.
const (
	maxTime   = 1e100 // of the latest completion of a schedule that never idles
	finestJob = 1e-15 // least time that a job takes, relative to its arrival
)

// checkTimes refuses jobs that take so long, or so short beside the time at which they arrive, that no float64 holds their
// completions.
func checkTimes(f strict.Fields, in *Instance) {
	latest, work := 0.0, 0.0
	for j, v := range f.Array("jobs").All() {
		f, job := v.Fields(), &in.Jobs[j]
		latest, work = max(latest, job.Arrival), work+job.Work
		if job.Arrival > maxTime {
			f.Fail("arrival", "%v must be at most %v", job.Arrival, maxTime)
		}
		if end := latest + work/min(1, in.Speed); end > maxTime {
			f.Fail("work", "%v makes the jobs, one after the other, end later than at %v", job.Work, maxTime)
		}
		shortest := job.Work / max(1, in.Speed) / in.Speedup[in.Machines-1]
		if shortest < finestJob*job.Arrival {
			f.Fail("work", "%v is too little to be told apart at the arrival, %v", job.Work, job.Arrival)
		}
	}
}

// concavityTolerance is the relative rounding error that the differences of a speedup table are granted: 1, 1.1, 1.2, 1.3 is
// concave on paper and not in binary.
const concavityTolerance = 1e-9

func decodeSpeedup(f strict.Fields, machines int) []float64 {
	list := f.Array("speedup")
	h := make([]float64, list.Len())
	if len(h) != machines {
		f.Fail("speedup", "%d entries, but there must be one for each of 1 to %d machines", len(h), machines)
	}
	for r, v := range list.All() {
		h[r] = v.Float()
		if r == 0 {
			if h[0] != 1 {
				v.Fail("%v must be 1, the rate on one machine", h[0])
			}
			continue
		}
		rise, before := h[r]-h[r-1], 1.0 // h(1) − h(0)
		if r > 1 {
			before = h[r-1] - h[r-2]
		}
		switch {
		case rise < 0:
			v.Fail("%v must be at least the entry before it, %v", h[r], h[r-1])
		case rise > before+concavityTolerance*h[r]:
			v.Fail("%v rises by %v after a rise by %v: the speedup must be concave", h[r], rise, before)
		}
	}
	return h
}

func decodeJob(f strict.Fields) Job {
	return Job{ID: f.ID("id"), Arrival: f.Float("arrival", strict.AtLeast(0)), Work: f.Float("work", strict.Above(0))}
}

// intervalFields and allocationFields are one interval of a solution file.
type intervalFields struct {
	Start float64                     `json:"start"`
	End   float64                     `json:"end"`
	Alloc map[string]allocationFields `json:"alloc"`
}

type allocationFields struct {
	Copies int     `json:"copies"`
	Share  float64 `json:"share"`
}

func encodeSolution(in *Instance, s Solution) any {
	out := struct {
		Speed     float64          `json:"speed"`
		Intervals []intervalFields `json:"intervals"`
	}{s.speed(), make([]intervalFields, len(s.Intervals))}
	for q, iv := range s.Intervals {
		alloc := make(map[string]allocationFields, len(iv.Alloc))
		for _, a := range iv.Alloc {
			alloc[in.Jobs[a.Job].ID] = allocationFields{a.Copies, a.Share}
		}
		out.Intervals[q] = intervalFields{iv.Start, iv.End, alloc}
	}
	return out
}

func decodeSolution(f strict.Fields, in *Instance) Solution {
	index := strict.Index(in.Jobs, func(j *Job) string { return j.ID })
	return Solution{
		Speed:     f.FloatOr("speed", 1, strict.Above(0)),
		Intervals: strict.List(f, "intervals", func(f strict.Fields) Interval { return decodeInterval(f, index) }),
	}
}

func decodeInterval(f strict.Fields, index map[string]int) Interval {
	iv := Interval{Start: f.Float("start"), End: f.Float("end")}
	for id, v := range f.Map("alloc") {
		j, ok := index[id]
		if !ok {
			v.Fail("%q is not the id of a job", id)
			break
		}
		iv.Alloc = append(iv.Alloc, strict.Nested(v, func(f strict.Fields) Allocation {
			return Allocation{Job: j, Copies: f.Int("copies"), Share: f.Float("share")}
		}))
	}
	slices.SortFunc(iv.Alloc, func(a, b Allocation) int { return a.Job - b.Job })
	return iv
}
