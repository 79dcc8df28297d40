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

func decodeInstance(o *strict.Object, h models.Header) (*Instance, error) {
	in := &Instance{Header: h}
	var err error
	if in.Machines, err = o.Int("machines"); err != nil {
		return nil, err
	}
	if in.Machines < 1 {
		return nil, o.Get("machines").Errorf("%d must be at least 1", in.Machines)
	}
	if in.Multitasking, err = o.Bool("multitasking"); err != nil {
		return nil, err
	}
	if in.Speed, err = positive(o, "speed"); err != nil {
		return nil, err
	}
	if in.Speedup, err = decodeSpeedup(o, in.Machines); err != nil {
		return nil, err
	}
	jobs, err := o.Array("jobs")
	if err != nil {
		return nil, err
	}
	if jobs.Len() == 0 {
		return nil, o.Get("jobs").Errorf("the list of jobs must not be empty")
	}
	in.Jobs = make([]Job, jobs.Len())
	seen := make(map[string]int)
	for j, v := range jobs.All() {
		jo, err := v.Object()
		if err != nil {
			return nil, err
		}
		if in.Jobs[j], err = decodeJob(jo); err != nil {
			return nil, err
		}
		if first, twice := seen[in.Jobs[j].ID]; twice {
			return nil, jo.Get("id").Errorf("%q is also the id of jobs[%d]", in.Jobs[j].ID, first)
		}
		seen[in.Jobs[j].ID] = j
	}
	return in, checkTimes(in, jobs)
}

// Limits that keep every time of a schedule, and sums of them, numbers that tell one event from the next.
const (
	maxTime   = 1e100 // of the latest completion of a schedule that never idles
	finestJob = 1e-15 // least time that a job takes, relative to its arrival
)

// checkTimes refuses jobs that take so long, or so short beside the time at which they arrive, that no float64 holds their
// completions.
func checkTimes(in *Instance, jobs *strict.Array) error {
	latest, work := 0.0, 0.0
	for j, v := range jobs.All() {
		o, err := v.Object()
		if err != nil {
			return err
		}
		job := &in.Jobs[j]
		latest, work = max(latest, job.Arrival), work+job.Work
		if job.Arrival > maxTime {
			return o.Get("arrival").Errorf("%v must be at most %v", job.Arrival, maxTime)
		}
		if end := latest + work/min(1, in.Speed); end > maxTime {
			return o.Get("work").Errorf("%v makes the jobs, one after the other, end later than at %v", job.Work, maxTime)
		}
		shortest := job.Work / max(1, in.Speed) / in.Speedup[in.Machines-1]
		if shortest < finestJob*job.Arrival {
			return o.Get("work").Errorf("%v is too little to be told apart at the arrival, %v", job.Work, job.Arrival)
		}
	}
	return nil
}

// concavityTolerance is the relative rounding error that the differences of a speedup table are granted: 1, 1.1, 1.2, 1.3 is
// concave on paper and not in binary.
const concavityTolerance = 1e-9

func decodeSpeedup(o *strict.Object, machines int) ([]float64, error) {
	elems, err := o.Array("speedup")
	if err != nil {
		return nil, err
	}
	if elems.Len() != machines {
		return nil, o.Get("speedup").Errorf("%d entries, but there must be one for each of 1 to %d machines", elems.Len(), machines)
	}
	h := make([]float64, machines)
	for r, v := range elems.All() {
		if h[r], err = v.Float(); err != nil {
			return nil, err
		}
		if r == 0 {
			if h[0] != 1 {
				return nil, v.Errorf("%v must be 1, the rate on one machine", h[0])
			}
			continue
		}
		rise, before := h[r]-h[r-1], 1.0 // h(1) − h(0)
		if r > 1 {
			before = h[r-1] - h[r-2]
		}
		switch {
		case rise < 0:
			return nil, v.Errorf("%v must be at least the entry before it, %v", h[r], h[r-1])
		case rise > before+concavityTolerance*h[r]:
			return nil, v.Errorf("%v rises by %v after a rise by %v: the speedup must be concave", h[r], rise, before)
		}
	}
	return h, nil
}

func decodeJob(o *strict.Object) (job Job, err error) {
	if job.ID, err = o.ID("id"); err != nil {
		return job, err
	}
	if job.Arrival, err = o.Float("arrival"); err != nil {
		return job, err
	}
	if job.Arrival < 0 {
		return job, o.Get("arrival").Errorf("%v must be at least 0", job.Arrival)
	}
	if job.Work, err = positive(o, "work"); err != nil {
		return job, err
	}
	return job, o.Done()
}

// positive is a required number greater than 0.
func positive(o *strict.Object, key string) (float64, error) {
	f, err := o.Float(key)
	if err != nil {
		return 0, err
	}
	if f <= 0 {
		return 0, o.Get(key).Errorf("%v must be greater than 0", f)
	}
	return f, nil
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

func decodeSolution(o *strict.Object, in *Instance) (Solution, error) {
	var s Solution
	var err error
	if s.Speed, err = o.FloatOr("speed", 1); err != nil {
		return s, err
	}
	if v := o.Get("speed"); s.Speed <= 0 {
		return s, v.Errorf("%v must be greater than 0", s.Speed)
	}
	elems, err := o.Array("intervals")
	if err != nil {
		return s, err
	}
	index := make(map[string]int, len(in.Jobs))
	for j := range in.Jobs {
		index[in.Jobs[j].ID] = j
	}
	s.Intervals = make([]Interval, elems.Len())
	for q, e := range elems.All() {
		fields, err := e.Object()
		if err != nil {
			return s, err
		}
		if s.Intervals[q], err = decodeInterval(fields, index); err != nil {
			return s, err
		}
	}
	return s, nil
}

func decodeInterval(o *strict.Object, index map[string]int) (iv Interval, err error) {
	if iv.Start, err = o.Float("start"); err != nil {
		return iv, err
	}
	if iv.End, err = o.Float("end"); err != nil {
		return iv, err
	}
	alloc, err := o.Object("alloc")
	if err != nil {
		return iv, err
	}
	for _, id := range alloc.Keys() {
		j, ok := index[id]
		if !ok {
			return iv, alloc.Get(id).Errorf("%q is not the id of a job", id)
		}
		fields, err := alloc.Object(id)
		if err != nil {
			return iv, err
		}
		a := Allocation{Job: j}
		if a.Copies, err = fields.Int("copies"); err != nil {
			return iv, err
		}
		if a.Share, err = fields.Float("share"); err != nil {
			return iv, err
		}
		if err := fields.Done(); err != nil {
			return iv, err
		}
		iv.Alloc = append(iv.Alloc, a)
	}
	slices.SortFunc(iv.Alloc, func(a, b Allocation) int { return a.Job - b.Job })
	return iv, o.Done()
}
