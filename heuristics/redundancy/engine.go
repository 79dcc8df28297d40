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

// left is the work up to which a job counts as done, relative to its own: what rounding leaves over.
const left = 1e-12

// Schedule runs d on machines of the given speed, in the order in which the simulator keeps the jobs. It returns a
// models.NotApplicable error at the first moment at which machines would have to be shared and may not be, and the context's
// error when that ends.
func Schedule(ctx context.Context, in *redundancy.Instance, d Discipline, speed float64) (redundancy.Solution, error) {
	s := redundancy.Solution{Speed: speed}
	file := redundancy.ByArrival(in)
	work := make([]float64, len(file)) // that jobs have left, by arrival
	for i, j := range file {
		work[i] = in.Jobs[j].Work
	}
	remaining := func(i int32) float64 { return work[i] }
	order := sim.NewOrder(d.Latest, file, remaining, remaining)
	var served []int32
	now, n, arrived := 0.0, 0, 0
	for arrived < len(file) || n > 0 {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		end := math.Inf(1) // the next arrival, or a completion before it
		if arrived < len(file) {
			end = in.Jobs[file[arrived]].Arrival
		}
		iv := redundancy.Interval{Start: now}
		if n > 0 {
			a := d.Rule(n, in.Machines)
			if a.Share < 1 && !in.Multitasking {
				return s, models.NotApplicablef(
					"at time %g a machine would have to be shared by %g jobs, but multitasking is false", now, math.Round(1/a.Share))
			}
			order.Serve(a.Served)
			served = append(served[:0], order.Served()...)
			first := slices.Index(served, order.First())
			served[0], served[first] = served[first], served[0]
			copies, due := a.First, int32(-1)
			for _, i := range served {
				if t := now + max(0, work[i])/(speed*a.Share*in.Speedup[copies-1]); t <= end {
					end, due = t, i
				}
				copies = a.Others
			}
			copies, iv.Alloc = a.First, make([]redundancy.Allocation, 0, len(served))
			for _, i := range served {
				iv.Alloc = append(iv.Alloc, redundancy.Allocation{Job: file[i], Copies: copies, Share: a.Share})
				work[i] -= speed * a.Share * in.Speedup[copies-1] * (end - now)
				if i == due || work[i] <= left*in.Jobs[file[i]].Work {
					order.Depart(i)
					n--
				}
				copies = a.Others
			}
			slices.SortFunc(iv.Alloc, func(x, y redundancy.Allocation) int { return x.Job - y.Job })
		}
		iv.End = end
		if end > now {
			s.Intervals = append(s.Intervals, iv)
			now = end
		}
		for ; arrived < len(file) && in.Jobs[file[arrived]].Arrival <= now; arrived++ {
			order.Arrive(int32(arrived))
			n++
		}
	}
	return s, nil
}
