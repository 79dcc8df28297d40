package redundancy

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/redundancy"
)

type formulation = exact.Formulation[*redundancy.Instance, redundancy.Solution]

// mostColumns is the largest number of columns that models are written with.
const mostColumns = 1e6

// A frame has what the models share. Jobs are numbered as they arrive; times are in units of the horizon from the first arrival on.
type frame struct {
	in    *redundancy.Instance
	m     *milp.Model
	order []int   // jobs as they arrive
	zero  float64 // of the model's times
	unit  float64
	top   float64 // the horizon in units, or a bit more
}

func newFrame(in *redundancy.Instance, name string) frame {
	f := frame{in: in, m: &milp.Model{Name: in.Name + "-" + name}, order: redundancy.ByArrival(in)}
	// Once all have arrived, machines that run one job at least one after another are done by then.
	last, works := in.Jobs[f.order[len(f.order)-1]].Arrival, 0.0
	for j := range in.Jobs {
		works += in.Jobs[j].Work
	}
	f.zero = in.Jobs[f.order[0]].Arrival
	f.unit = last - f.zero + works
	f.top = (last-f.zero)/f.unit + works/f.unit
	return f
}

// arrival is when the k-th to arrive does, in units, work its work and id its name.
func (f *frame) arrival(k int) float64 { return f.units(f.in.Jobs[f.order[k]].Arrival) }
func (f *frame) work(k int) float64    { return f.in.Jobs[f.order[k]].Work / f.unit }
func (f *frame) id(k int) string       { return f.in.Jobs[f.order[k]].ID }

func (f *frame) units(t float64) float64 { return (t - f.zero) / f.unit }

// addArrivals takes the arrivals off the objective so many times.
func (f *frame) addArrivals(times float64) {
	for j := range f.in.Jobs {
		f.m.Offset -= times * (f.in.Jobs[j].Arrival - f.zero)
	}
}

// grain is the shortest time in which a job can be done, in units.
func (f *frame) grain() float64 {
	least := f.work(0)
	for k := range f.order {
		least = min(least, f.work(k))
	}
	return least / f.in.Speedup[f.in.Machines-1]
}

// addWork states the k-th job's work by the times that it has so many copies.
func (f *frame) addWork(k int, hold [][]int) {
	var sum milp.Sum
	for _, cols := range hold {
		for r := 1; r < len(cols); r++ {
			sum = append(sum, milp.Of(cols[r], f.in.Speedup[r-1]/f.work(k))...)
		}
	}
	f.m.Relate(fmt.Sprintf("work[%s]", f.id(k)), 1, 1, sum)
}

// An event is the arrival or completion of the k-th job to arrive.
type event struct {
	arrival bool
	k       int
}

// runEvents runs the copies that each job, numbered as they arrive, has from event p on until the next one, whenever that is. An
// event that comes earlier than a point says, since the solver's times are not exact, changes nothing but its own job. Jobs that
// are left when all have arrived and all events are over get the copies that are best then.
func (f *frame) runEvents(events []event, chosen func(k, p int) int) (redundancy.Solution, error) {
	env, p := newEnvelope(context.Background(), f.in, len(f.order)), 0
	path := simulate(f.in, &state{t: f.in.Jobs[f.order[0]].Arrival}, func(at *state) []int {
		over := func(e event) bool {
			return e.arrival && at.arrived > e.k || !e.arrival && !slices.Contains(at.jobs, f.order[e.k])
		}
		for p+1 < len(events) && over(events[p+1]) {
			p++
		}
		if p+1 == len(events) {
			return env.greedily(at)
		}
		copies := make([]int, len(at.jobs))
		for i, j := range at.jobs {
			copies[i] = chosen(slices.Index(f.order, j), p)
		}
		return copies
	})
	if path == nil {
		return redundancy.Solution{}, fmt.Errorf("redundancy: nothing runs after event %d of the point", p)
	}
	return redundancy.Solution{Speed: 1, Intervals: fromZero(path)}, nil
}

// An instant is an event at its time, in a model's units.
type instant struct {
	event
	t float64
}

// coarsest is the share of a schedule's value that the rounding of its times may be worth where it has a point.
const coarsest = 1e-7

// instants are a solution's events in their order. Solutions that the checker refuses at speed 1, or that end after the model's
// horizon, are an error. So are those whose times are dates beside which their values are small: by rounding their points may be better
// than all schedules.
func (f *frame) instants(sol redundancy.Solution) ([]instant, error) {
	rep := redundancy.Problem.Check(f.in, sol)
	if v := rep.Worst(nil); v != nil || rep.Objective == nil || sol.Speed != 0 && sol.Speed != 1 {
		return nil, fmt.Errorf("redundancy: not a schedule at speed 1, so it has no point in the model: %+v", v)
	}
	value := *rep.Objective
	if off := roundedBy(f.in, value); off > coarsest*value {
		return nil, fmt.Errorf("redundancy: a value of %v may be off by %v, as times are dates", value, off)
	}
	var list []instant
	done := redundancy.Completions(f.in, sol)
	for k, j := range f.order {
		end := f.units(done[j])
		if end > f.top {
			return nil, fmt.Errorf("redundancy: job %s completes after the model's horizon", f.id(k))
		}
		list = append(list, instant{event{true, k}, f.arrival(k)}, instant{event{false, k}, end})
	}
	slices.SortStableFunc(list, func(a, b instant) int {
		if c := cmp.Compare(a.t, b.t); c != 0 || a.arrival == b.arrival {
			return c
		}
		if a.arrival {
			return 1
		}
		return -1
	})
	return list, nil
}

// allocations are a solution's between two instants, by number of the job.
func (f *frame) allocations(sol redundancy.Solution, from, to instant) map[int]redundancy.Allocation {
	list, t := map[int]redundancy.Allocation{}, f.zero+f.unit*(from.t+to.t)/2
	for _, iv := range sol.Intervals {
		if iv.Start <= t && t < iv.End && to.t-from.t > tieTolerance {
			for _, a := range iv.Alloc {
				list[slices.Index(f.order, a.Job)] = a
			}
		}
	}
	if !to.arrival && list[to.k].Copies == 0 { // it completes after no time
		list[to.k] = redundancy.Allocation{Copies: 1}
	}
	return list
}
