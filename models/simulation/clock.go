package simulation

import (
	"context"
	"fmt"
	"iter"
	"math"

	"schedgap/models"
)

// A Clock is the calendar of one run: its jobs by arrival, how many have come and gone, and the time, which it reports to the
// monitor.
type Clock[J Job] struct {
	Jobs    []J   // by arrival; of those that arrive together the earlier in the file comes first
	File    []int // a job's place in the file
	Now     float64
	Arrived int // jobs
	Gone    int // jobs that ended
	*Monitor

	arrivals []float64
}

// NewClock returns the clock of a workload on resources of the given capacities. It shows the first arrival.
func NewClock[J Job](w *Workload[J], arrival func(j *J) float64, capacity ...float64) Clock[J] {
	n := len(w.Jobs)
	c := Clock[J]{
		Jobs: make([]J, n), File: models.OrderBy(n, func(i int) float64 { return arrival(&w.Jobs[i]) }), arrivals: make([]float64, n),
	}
	for i, k := range c.File {
		c.Jobs[i], c.arrivals[i] = w.Jobs[k], arrival(&w.Jobs[k])
	}
	c.Now = c.arrivals[0]
	c.Monitor = NewMonitor(c.Now, capacity...)
	return c
}

// checkEvery is how many moments pass between two looks at the context.
const checkEvery = 64

// Run has step take the run from one moment to the next until all jobs are gone or ctx ends.
func (c *Clock[J]) Run(ctx context.Context, step func() error) error {
	for moment := 0; c.Gone < len(c.Jobs); moment++ {
		if moment%checkEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Blame says which policy an error of the present moment is of, unless it is the end of ctx.
func (c *Clock[J]) Blame(ctx context.Context, policy string, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("policy %s at time %v: %w", policy, c.Now, err)
}

// Present is the number of jobs that have arrived and not ended.
func (c *Clock[J]) Present() int { return c.Arrived - c.Gone }

// NextArrival is the time at which the next job comes; +Inf: all have come.
func (c *Clock[J]) NextArrival() float64 {
	if c.Arrived == len(c.arrivals) {
		return math.Inf(1)
	}
	return c.arrivals[c.Arrived]
}

// Pass lets time pass, in which the monitor sees how many of the jobs present are served and how much is held of each resource.
func (c *Clock[J]) Pass(to float64, serving int, held ...float64) {
	c.Monitor.Advance(to, c.Present(), c.Present()-serving, held...)
	c.Now = to
}

// Arrive hands on the jobs that have come by now.
func (c *Clock[J]) Arrive(let func(id int32)) {
	for c.NextArrival() <= c.Now {
		let(int32(c.Arrived))
		c.Arrived++
		c.Monitor.Arrive(c.Present())
	}
}

// Elapsed is the time since the first arrival.
func (c *Clock[J]) Elapsed() float64 { return c.Now - c.arrivals[0] }

// Reported yields the jobs in file order, each with what emits a metric of it.
func (c *Clock[J]) Reported(emit func(models.Metric)) iter.Seq2[int, func(name, unit string, v float64)] {
	return func(yield func(int, func(string, string, float64)) bool) {
		for _, i := range InFile(c.File) {
			if !yield(i, EmitJob(c.Jobs[i].Key(), emit)) {
				return
			}
		}
	}
}
