package flex

// A Schedule is a sequence of intervals, contiguous from time 0. An allocation stays in force until it is changed, so that a
// schedule of n jobs in which each changes its slots a few times takes O(n) memory, not O(n²). Solution files of few jobs write
// every interval's allocation in full.
type Schedule []Interval

// An Interval of constant allocation, from Start to End in the instance's unit of time.
type Interval struct {
	Start, End float64
	Changes    []Share // what differs from the interval before; before the first one every job has 0 slots
}

// A Share is the slots that a job holds. Fractional slots stand for time averages: since S, m and M are integers, a
// fractional allocation is a mixture of integer ones within the interval.
type Share struct {
	Job   int // index into Instance.Jobs
	Slots float64
}

// A Recorder builds a schedule from allocations that change over time.
type Recorder struct {
	schedule Schedule
	now      float64
	pending  []Share
	places   []int // by job: its place in pending, if it is there
}

// Set gives job j s slots from now on.
func (r *Recorder) Set(j int, s float64) {
	for len(r.places) <= j {
		r.places = append(r.places, 0)
	}
	if i := r.places[j]; i < len(r.pending) && r.pending[i].Job == j {
		r.pending[i].Slots = s
		return
	}
	r.places[j] = len(r.pending)
	r.pending = append(r.pending, Share{j, s})
}

// Advance ends the current interval at time t; a t that is not later than now only collects changes.
func (r *Recorder) Advance(t float64) {
	if t <= r.now {
		return
	}
	r.schedule = append(r.schedule, Interval{Start: r.now, End: t, Changes: r.pending})
	r.now, r.pending = t, nil
}

func (r *Recorder) Schedule() Schedule { return r.schedule }
