package flex

import (
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
)

// Fair is the allocation layer of the Hadoop Fair Scheduler.
var Fair = &flex.Algorithm{
	Name: "fair",
	Doc: "minima, then waterline filling of the slack, recomputed at each completion\n\n" +
		"Zaharia et al. 2009 as described in Wolf et al. 2010, section 1; levels may be fractional.",
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

func fair(ctx context.Context, in *flex.Instance) (flex.Schedule, error) {
	var rec flex.Recorder
	w := NewWaterline(in)
	left := make([]float64, len(in.Jobs))
	active := FileOrder(in)
	for j := range left {
		left[j] = in.Jobs[j].Work
	}
	held := make([]float64, len(in.Jobs))
	now := 0.0
	for len(active) > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		level := w.Level(float64(in.Slots))
		step := left[active[0]] / w.Share(active[0], level)
		for _, j := range active {
			s := w.Share(j, level)
			if s != held[j] {
				held[j] = s
				rec.Set(j, s)
			}
			step = min(step, left[j]/s)
		}
		end := max(now+step, math.Nextafter(now, math.Inf(1))) // a step may be too short for a float64 so late
		rec.Advance(end)
		active = slices.DeleteFunc(active, func(j int) bool {
			left[j] -= held[j] * step
			// The rest is a small part of the work and would take less time than the rounding error of the time so far.
			if left[j] > min(held[j]*end*tieTolerance, lackTolerance*in.Jobs[j].Work) {
				return false
			}
			rec.Set(j, 0)
			w.Finish(j)
			return true
		})
		now = end
	}
	return rec.Schedule(), nil
}

// A Waterline fills slots into jobs like water into vessels: each holds between its minimum and its maximum, and the lowest
// allocation rises first.
type Waterline struct {
	in       *flex.Instance
	byMin    []int // jobs by minimum: where they begin to rise
	byMax    []int // jobs by maximum: where they stop
	finished []bool
}

// NewWaterline returns the vessels of all jobs of in.
func NewWaterline(in *flex.Instance) *Waterline {
	return &Waterline{
		in:       in,
		byMin:    flex.OrderBy(in, func(j int) float64 { return float64(in.Jobs[j].Min) }),
		byMax:    flex.OrderBy(in, func(j int) float64 { return float64(in.Jobs[j].Max) }),
		finished: make([]bool, len(in.Jobs)),
	}
}

// Finish takes job j's vessel away.
func (w *Waterline) Finish(j int) {
	w.finished[j] = true
	keep := func(k int) bool { return k == j }
	w.byMin, w.byMax = slices.DeleteFunc(w.byMin, keep), slices.DeleteFunc(w.byMax, keep)
}

// Share is job j's allocation when the water stands at level.
func (w *Waterline) Share(j int, level float64) float64 {
	job := &w.in.Jobs[j]
	return min(float64(job.Max), max(float64(job.Min), level))
}

// Level returns the level at which the unfinished jobs hold slots in all, or the largest maximum when they cannot.
func (w *Waterline) Level(slots float64) float64 {
	held := 0.0 // by all jobs at the current level
	for _, j := range w.byMin {
		held += float64(w.in.Jobs[j].Min)
	}
	level, rising := 0.0, 0
	a, b := 0, 0
	for b < len(w.byMax) {
		next := float64(w.in.Jobs[w.byMax[b]].Max)
		begins := a < len(w.byMin) && float64(w.in.Jobs[w.byMin[a]].Min) <= next
		if begins {
			next = float64(w.in.Jobs[w.byMin[a]].Min)
		}
		if rise := float64(rising) * (next - level); held+rise >= slots && rising > 0 {
			return level + (slots-held)/float64(rising)
		} else {
			held += rise
		}
		level = next
		if begins {
			a, rising = a+1, rising+1
		} else {
			b, rising = b+1, rising-1
		}
	}
	return level
}

// FairPolicy is Fair, epoch by epoch.
var FairPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "fair",
		Doc: "minima, then waterline filling of the slack\n\n" +
			"Zaharia et al. 2009 as described in Wolf et al. 2010, section 1.",
	},
	Targets: func(in *flex.Instance, targets []float64) {
		w := NewWaterline(in)
		level := w.Level(float64(in.Slots))
		for j := range targets {
			targets[j] = w.Share(j, level)
		}
	},
}
