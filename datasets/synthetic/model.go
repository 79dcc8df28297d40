package synthetic

import (
	"math"
	"math/rand/v2"
)

// probabilities are those at which curves hold a value.
var probabilities = [...]float64{
	0, .005, .01, .05, .1, .25, .5, .75, .8, .85, .9, .95, .97, .98, .99, .995, .999, 1,
}

// A curve is the inverse of a distribution function, piecewise linear between the quantiles at probabilities.
type curve [len(probabilities)]float64

// at is the u-quantile, 0 ≤ u ≤ 1.
func (c *curve) at(u float64) float64 {
	i := 1
	for i < len(c)-1 && u >= probabilities[i] {
		i++
	}
	lo, hi := probabilities[i-1], probabilities[i]
	// The conversion keeps compilers from fusing the product into the sum, so that all machines generate the same bytes.
	return c[i-1] + float64((u-lo)/(hi-lo)*(c[i]-c[i-1]))
}

func (c *curve) draw(rng *rand.Rand) float64 { return c.at(rng.Float64()) }

// round4 rounds to four significant digits, as the trace gives its requests.
func round4(v float64) float64 {
	if v <= 0 {
		return 0
	}
	unit := 1.0
	for v*unit < 1000 {
		unit *= 10
	}
	return math.Round(v*unit) / unit
}

// A fate is how a job ends.
type fate uint8

// The fates, in the order of model.groups.
const (
	finished fate = iota // all tasks finish
	partly               // some tasks finish, the others are killed
	killed               // all tasks are killed
	failed               // all tasks fail
	aborted              // tasks fail or are killed, half by half
	running              // all tasks run on when the trace ends
	fates    = iota
)

// A group is the jobs of one fate.
type group struct {
	Share float64 // of all jobs
	Tasks curve   // tasks per job
	// straggling is the share of jobs with a straggler among those with 2 to 9 and with 10 or more finished tasks.
	Straggling [2]float64
}

// A class is the jobs of like size, whose tasks are alike in the trace.
type class struct {
	UpTo int // tasks
	// Of the next four, every job counts as often as it has tasks, or finished ones for the median.
	Cpu, Memory   curve // requests, the same for all tasks of a job
	FinishedShare curve // of the tasks of partly finished jobs
	Median        curve // of a job's task durations, in seconds
	// calm and wild are the durations of tasks relative to their job's median, in jobs without and with a straggler.
	Calm, Wild curve
}

// A model is the marginal distributions that traces are drawn from.
type model struct {
	JobsPerHour float64
	Gap         curve // between submissions, in seconds
	Groups      [fates]group
	Classes     []class
	// tie is the probability that memory takes the same quantile as CPU, and so their rank correlation within a class.
	Tie      float64
	Shortest float64 // duration of a finished task, in seconds
	Longest  float64
	Disk     curve
	Ranks    []rank
	Wait     curve      // from submission to the first start, in seconds
	Earlier  []float64  // share of tasks with 0, 1, 2, … earlier runs
	Attempt  curve      // length of earlier runs, in seconds
	Attempts [3]float64 // shares of earlier runs that end in eviction, failure and a kill
	// queueKills is the share of killed tasks that are killed in the queue; the others run for killAfter seconds.
	QueueKills float64
	KillAfter  curve
	Capacities []capacity
}

// A rank is a scheduling class with a priority, and how many jobs have both.
type rank struct {
	Class    int8
	Priority int16
	Jobs     int
}

// A capacity is a size of machine, and how many there are.
type capacity struct {
	Cpu, Memory float64
	Machines    int
}
