package flex

import (
	"context"
	"math"

	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/heap"
)

// Fair is the allocation layer of the Hadoop Fair Scheduler.
var Fair = &flex.Algorithm{
	Name: "fair",
	Doc: "minima, then waterline filling of the slack, recomputed at each completion\n\n" +
		"Zaharia et al. 2009 as described in Wolf et al. 2010, section 1; levels may be fractional. From 1,000 jobs on its solution has " +
		"fair's completions and another schedule's slots.",
	Kind: models.Heuristic, Reference: flex.Opt,
	Run: func(ctx context.Context, p *flex.Pass) (flex.Outcome, error) {
		s, err := fair(ctx, p.Instance)
		return flex.Outcome{Solution: s, Found: err == nil, Status: models.Feasible}, err
	},
}

// tieTolerance merges completions that differ by rounding alone, relative to their time, where the jobs lack no more than
// lackTolerance of their work.
const (
	tieTolerance  = 1e-12
	lackTolerance = 1e-10
)

// fairInFull is the number of jobs from which on fair's schedule is that of flex.Sparse with the same completions: each completion
// raises the level of all jobs, so fair's own has n²/2 changes.
const fairInFull = 1000

func fair(ctx context.Context, in *flex.Instance) (flex.Schedule, error) {
	if len(in.Jobs) < fairInFull {
		return fairOwn(ctx, in)
	}
	times, err := fairTimes(ctx, in, nil)
	if err != nil {
		return nil, err
	}
	return flex.Sparse(in, times), nil
}

// fairOwn is the schedule in which every job holds what fair gives it at that time.
func fairOwn(ctx context.Context, in *flex.Instance) (flex.Schedule, error) {
	rec := &flex.Recorder{}
	_, err := fairTimes(ctx, in, rec)
	return rec.Schedule(), err
}

// A sharing is fair's state. The level never falls: a job holds its minimum first, then the level, and its maximum at last. All jobs
// that hold the level get the same service, the integral of the level over time.
type sharing struct {
	in             *flex.Instance
	rec            *flex.Recorder // nil: only the times are wanted
	now            float64
	level, service float64
	fixed, rising  heap.Indexed // unfinished jobs: at a limit by the time of completion, at the level by the service
	byMin, byMax   heap.Indexed // jobs below the level and at it, by the level at which that ends
	held           float64      // slots of the fixed jobs
}

// newSharing has all jobs hold their minima.
func newSharing(in *flex.Instance, rec *flex.Recorder) *sharing {
	n := len(in.Jobs)
	f := &sharing{
		in: in, rec: rec,
		fixed: heap.NewIndexed(n), rising: heap.NewIndexed(n), byMin: heap.NewIndexed(n), byMax: heap.NewIndexed(n),
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		f.fixed.Set(int32(j), job.Work/float64(job.Min)) // never, without a minimum
		f.byMin.Set(int32(j), float64(job.Min))
		f.held += float64(job.Min)
		f.set(j, float64(job.Min))
	}
	return f
}

// fairTimes are fair's completion times, in O(n log n) if nothing is recorded.
func fairTimes(ctx context.Context, in *flex.Instance, rec *flex.Recorder) ([]float64, error) {
	f := newSharing(in, rec)
	times := make([]float64, len(in.Jobs))
	for !f.fixed.Empty() || !f.rising.Empty() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f.raise()
		f.advance(times)
	}
	return times, nil
}

// set records job j's slots.
func (f *sharing) set(j int, slots float64) {
	if f.rec != nil {
		f.rec.Set(j, slots)
	}
}

// raise raises the level until the unfinished jobs hold all slots, or their maxima.
func (f *sharing) raise() {
	slots, risen := float64(f.in.Slots), f.level
	for {
		next := math.Inf(1)
		if !f.byMin.Empty() {
			next = f.byMin.Least()
		}
		begins := !f.byMin.Empty()
		if !f.byMax.Empty() && f.byMax.Least() < next {
			next, begins = f.byMax.Least(), false
		}
		if n := float64(len(f.rising.All())); n > 0 && f.held+n*next >= slots {
			f.level = max(f.level, (slots-f.held)/n)
			break
		}
		if math.IsInf(next, 1) {
			break
		}
		f.level = max(f.level, next)
		if begins {
			f.begin(int(f.byMin.Pop()))
		} else {
			f.end(int(f.byMax.Pop()))
		}
	}
	if f.rec != nil && f.level != risen {
		for _, j := range f.rising.All() {
			f.set(int(j), f.level)
		}
	}
}

// begin has job j hold the level instead of its minimum.
func (f *sharing) begin(j int) {
	job := &f.in.Jobs[j]
	f.fixed.Remove(int32(j))
	f.held -= float64(job.Min)
	f.rising.Set(int32(j), f.service+max(0, job.Work-float64(job.Min)*f.now))
	f.byMax.Set(int32(j), float64(job.Max))
}

// end has job j hold its maximum instead of the level.
func (f *sharing) end(j int) {
	most := float64(f.in.Jobs[j].Max)
	left := max(0, f.rising.Key(int32(j))-f.service)
	f.rising.Remove(int32(j))
	f.held += most
	f.fixed.Set(int32(j), f.now+left/most)
	f.set(j, most)
}

// advance goes on to the next completion, and completes all jobs whose times differ from it by rounding alone.
func (f *sharing) advance(times []float64) {
	end, next := math.Inf(1), int32(-1)
	if !f.fixed.Empty() {
		end, next = f.fixed.Least(), f.fixed.Top()
	}
	if !f.rising.Empty() {
		if t := f.now + (f.rising.Least()-f.service)/f.level; t < end {
			end, next = t, f.rising.Top()
		}
	}
	end = max(end, math.Nextafter(f.now, math.Inf(1))) // a step may be too short for a float64 so late
	f.service += f.level * (end - f.now)
	f.now = end
	if f.rec != nil {
		f.rec.Advance(end)
	}
	// What a job lacks is a small part of its work and would take less time than the rounding error of the time so far.
	done := func(j int32, slots, left float64) bool {
		return j == next || left <= min(slots*end*tieTolerance, lackTolerance*f.in.Jobs[j].Work)
	}
	for !f.fixed.Empty() {
		j := f.fixed.Top()
		slots := f.slots(int(j))
		if !done(j, slots, slots*(f.fixed.Least()-end)) {
			break
		}
		f.held -= slots
		f.complete(j, times)
	}
	for !f.rising.Empty() && done(f.rising.Top(), f.level, f.rising.Least()-f.service) {
		f.complete(f.rising.Top(), times)
	}
}

// slots is what a job holds that is at a limit.
func (f *sharing) slots(j int) float64 {
	if f.byMin.Has(int32(j)) {
		return float64(f.in.Jobs[j].Min)
	}
	return float64(f.in.Jobs[j].Max)
}

// complete takes job j out now.
func (f *sharing) complete(j int32, times []float64) {
	times[j] = f.now
	for _, q := range []*heap.Indexed{&f.fixed, &f.rising, &f.byMin, &f.byMax} {
		q.Remove(j)
	}
	f.set(int(j), 0)
}

// FairPolicy is Fair, epoch by epoch.
var FairPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "fair",
		Doc: "minima, then waterline filling of the slack\n\n" +
			"Zaharia et al. 2009 as described in Wolf et al. 2010, section 1.",
	},
	Targets: func(in *flex.Instance, targets []float64) {
		f := newSharing(in, nil)
		f.raise()
		for j, job := range in.Jobs {
			targets[j] = min(float64(job.Max), max(float64(job.Min), f.level))
		}
	},
}
