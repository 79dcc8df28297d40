package redundancy

import (
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
)

// A Discipline is an order of the active jobs with a rule that divides the machines among them.
type Discipline struct {
	Rule   sim.Rule
	Latest bool // the latest arrival comes first, else the least remaining work
}

// Schedule runs d on machines of the given speed. It takes O(log n) an event and O(served jobs) to write an interval down. It
// returns a models.NotApplicable error at the first moment at which machines would have to be shared and may not be, and the
// context's error when that ends.
func Schedule(ctx context.Context, in *redundancy.Instance, d Discipline, speed float64) (redundancy.Solution, error) {
	s := redundancy.Solution{Speed: speed}
	_, err := run(ctx, in, d, speed, func(iv redundancy.Interval) { s.Intervals = append(s.Intervals, iv) })
	return s, err
}

// Completions is the completion times of Schedule, without the schedule.
func Completions(ctx context.Context, in *redundancy.Instance, d Discipline, speed float64) ([]float64, error) {
	return run(ctx, in, d, speed, nil)
}

// A line is the active jobs in a discipline's order. The jobs that an Allotment serves are the first ones. Rates are those of
// the first job and of each other served one.
type line interface {
	add(j int)
	// next returns the time until the first completion of a served job.
	next(served int, first, others float64) float64
	// advance lets the served jobs run.
	advance(time float64)
	// finish takes those out that have nothing left, at least the one that next was about if due, and hands them to done.
	finish(due bool, done func(j int))
	// served appends the jobs that run, the first one first.
	served(list []int) []int
}

// left is the work up to which a job counts as done, relative to its own: what rounding leaves over.
const left = 1e-12

func run(
	ctx context.Context, in *redundancy.Instance, d Discipline, speed float64, record func(redundancy.Interval),
) ([]float64, error) {
	arrivals := byArrival(in)
	var active line
	if d.Latest {
		active = newStack(in, arrivals)
	} else {
		active = newRemaining(in)
	}
	times := make([]float64, len(in.Jobs))
	now, n, arrived := 0.0, 0, 0
	complete := func(j int) { times[j], n = now, n-1 }
	for arrived < len(arrivals) || n > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		until := math.Inf(1) // the next arrival
		if arrived < len(arrivals) {
			until = in.Jobs[arrivals[arrived]].Arrival
		}
		end, due := until, false
		var a sim.Allotment
		if n > 0 {
			a = d.Rule(n, in.Machines)
			if a.Share < 1 && !in.Multitasking {
				return nil, models.NotApplicablef(
					"at time %g a machine would have to be shared by %g jobs, but multitasking is false", now, math.Round(1/a.Share))
			}
			first, others := in.Speedup[a.First-1], in.Speedup[a.Others-1]
			time := active.next(a.Served, speed*a.Share*first, speed*a.Share*others)
			if now+time <= until {
				end, due = now+time, true
			}
		}
		if end > now {
			if record != nil {
				record(interval(now, end, a, active))
			}
			if n > 0 {
				active.advance(end - now)
			}
			now = end
		}
		if n > 0 {
			active.finish(due, complete)
		}
		for ; arrived < len(arrivals) && in.Jobs[arrivals[arrived]].Arrival <= now; arrived++ {
			active.add(arrivals[arrived])
			n++
		}
	}
	return times, nil
}

// byArrival lists the jobs by arrival, then file order.
func byArrival(in *redundancy.Instance) []int {
	order := make([]int, len(in.Jobs))
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := in.Jobs[a].Arrival, in.Jobs[b].Arrival; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return order
}

// interval writes down who runs; nobody when a serves none.
func interval(start, end float64, a sim.Allotment, active line) redundancy.Interval {
	iv := redundancy.Interval{Start: start, End: end}
	if a.Served == 0 {
		return iv
	}
	jobs := active.served(make([]int, 0, a.Served))
	iv.Alloc = make([]redundancy.Allocation, len(jobs))
	for i, j := range jobs {
		iv.Alloc[i] = redundancy.Allocation{Job: j, Copies: a.Others, Share: a.Share}
	}
	iv.Alloc[0].Copies = a.First
	slices.SortFunc(iv.Alloc, func(x, y redundancy.Allocation) int { return x.Job - y.Job })
	return iv
}
