package redundancy

import (
	"context"
	"math"

	"schedgap/exact"
	"schedgap/models/heap"
	"schedgap/models/redundancy"
)

// LowerBound is lb-srpt or, where it is larger and takes a fraction of a second, a short lb-price, with multitasking or
// without. When ctx ends it is whatever has been proven by then.
func LowerBound(ctx context.Context, in *redundancy.Instance) (float64, error) {
	const steps, most = 60, 1000
	b := srptBound(ctx, in)
	if len(in.Jobs)*in.Machines > most {
		return b, nil
	}
	if c := priceBound(ctx, in, steps, func(float64) {}); c != nil && c.Point.Price != nil {
		b = max(b, c.Best.Safe())
	}
	return b, nil
}

// LBSRPT is the bound by one fast machine as an algorithm.
var LBSRPT = exact.Bound[*redundancy.Instance, redundancy.Solution]("lb-srpt", "lower bound: one fast machine\n\n"+
	"Preemptive SRPT on one machine of speed M, valid as h(r) ≤ r, and Σ W_j/h(M). Refined: while k jobs have arrived the "+
	"machine is as fast as they can be together, and busy periods are bounded apart (docs/design/redundancy.md#bounds).", redundancy.Opt,
	func(ctx context.Context, in *redundancy.Instance) (float64, error) { return srptBound(ctx, in), nil })

// lowered is a bound less what rounding may have added to it when it was computed from values as large as size.
func lowered(bound, size float64) float64 { return bound - 1e-12*math.Abs(size) }

// pendings lists the jobs as they arrive, in time from the first arrival on.
func pendings(in *redundancy.Instance) []pending {
	var jobs []pending
	origin := firstArrival(in)
	for _, j := range redundancy.ByArrival(in) {
		jobs = append(jobs, pending{in.Jobs[j].Arrival - origin, in.Jobs[j].Work})
	}
	return jobs
}

// singles is the sum of the flowtimes if each job had all machines: Σ W_j/h(M).
func singles(in *redundancy.Instance) float64 {
	sum := 0.0
	for j := range in.Jobs {
		sum += in.Jobs[j].Work / in.Speedup[in.Machines-1]
	}
	return sum
}

// srptBound bounds the sum of flowtimes by the busy periods of one fast machine.
func srptBound(ctx context.Context, in *redundancy.Instance) float64 {
	jobs := pendings(in)
	r := &fastMachine{h: in.Speedup, jobs: jobs, env: newEnvelope(ctx, in, len(jobs))}
	sum, size := 0.0, 0.0
	for i := 0; i < len(jobs); {
		if ctx.Err() != nil { // the other jobs count their least flowtimes
			for _, j := range jobs[i:] {
				sum += j.work / in.Speedup[in.Machines-1]
			}
			break
		}
		var value float64
		value, i = r.busy(ctx, i)
		sum += value
		size = max(size, jobs[i-1].arrival*float64(len(jobs)))
	}
	return max(lowered(sum, sum+size), lowered(singles(in), singles(in)))
}

// A fastMachine is one machine that runs the shortest remaining work, as fast as all jobs that have arrived could be
// together.
type fastMachine struct {
	h    []float64
	env  *envelope
	jobs []pending
}

// busy bounds the sum of flowtimes of the jobs of the busy period that begins with job first, and returns the job after
// it.
func (f *fastMachine) busy(ctx context.Context, first int) (float64, int) {
	begin := f.jobs[first].arrival
	t, i := begin, first
	var left heap.Indexed // by work that remains
	var all []float64     // of the jobs so far
	flow, alone, late := 0.0, 0.0, 0.0
	for {
		for i < len(f.jobs) && f.jobs[i].arrival <= t {
			left.Set(int32(i-first), f.jobs[i].work)
			all = append(all, f.jobs[i].work)
			alone += f.jobs[i].work / f.h[len(f.h)-1]
			late += f.jobs[i].arrival - begin
			flow += t - f.jobs[i].arrival
			i++
		}
		if left.Empty() || ctx.Err() != nil {
			break
		}
		v := f.speed(i - first)
		end, done := t+left.Least()/v, true
		if i < len(f.jobs) && end > f.jobs[i].arrival {
			end, done = f.jobs[i].arrival, false
		}
		flow += (end - t) * float64(len(left.All()))
		left.Set(left.Top(), left.Least()-v*(end-t))
		t = end
		if done {
			left.Pop()
		}
	}
	if !left.Empty() {
		flow = 0
	}
	if len(all) <= len(f.env.Y) {
		flow = max(flow, f.env.weigh(all)-late)
	}
	return max(flow, alone), i
}

// speed is the largest rate of k jobs together.
func (f *fastMachine) speed(k int) float64 {
	if k < len(f.env.total) {
		return f.env.total[k]
	}
	return float64(len(f.h)) * f.env.Gain[0]
}

// priceIntervals is the largest number of intervals of time with prices of the greedy schedule.
const priceIntervals = 256

// A phase is a stretch of time with the same unfinished jobs.
type phase struct {
	start, end float64
	active     int
}

// startPrices are the prices of the greedy schedule's phases, and the sum of its flowtimes; ok is false when ctx has
// ended. Time is counted from the first arrival.
func startPrices(ctx context.Context, in *redundancy.Instance, env *envelope) (flow float64, p *subproblem, ok bool) {
	var phases []phase
	origin := firstArrival(in)
	for i, iv := range simulate(in, &state{t: origin}, func(at *state) []int {
		phases = append(phases, phase{active: len(at.jobs)})
		if ctx.Err() != nil {
			return nil
		}
		return env.greedily(at)
	}) {
		ph := &phases[i]
		ph.start, ph.end = iv.Start-origin, iv.End-origin
		flow += float64(ph.active) * (iv.End - iv.Start)
	}
	if ctx.Err() != nil {
		return 0, nil, false
	}
	var at, price []float64
	if parts := min(4, priceIntervals/len(phases)); parts > 0 {
		for _, ph := range phases {
			for i := range parts {
				at = append(at, ph.start+float64(i)*(ph.end-ph.start)/float64(parts))
				price = append(price, env.Price[ph.active])
			}
		}
	} else { // as many phases in each interval, the mean price over time
		for i := range priceIntervals {
			list := phases[i*len(phases)/priceIntervals : (i+1)*len(phases)/priceIntervals]
			sum, length := 0.0, list[len(list)-1].end-list[0].start
			for _, ph := range list {
				sum += env.Price[ph.active] * (ph.end - ph.start)
			}
			at, price = append(at, list[0].start), append(price, sum/max(length, math.SmallestNonzeroFloat64))
		}
	}
	return flow, newSubproblem(env, append(at, phases[len(phases)-1].end), append(price, 0)), true
}
