package redundancy

// A Solution is a sequence of intervals of constant allocations, contiguous from 0.
type Solution struct {
	Speed     float64 // of the machines: 1 or the instance's; 0 stands for 1
	Intervals []Interval
}

// An Interval is a span of time in which nothing completes or changes.
type Interval struct {
	Start, End float64
	Alloc      []Allocation // jobs that run, ascending by Job
}

// An Allocation runs copies of a job, each with a share of its machine.
type Allocation struct {
	Job    int     // index of Instance.Jobs
	Copies int     // r ≥ 1
	Share  float64 // in (0, 1]
}
