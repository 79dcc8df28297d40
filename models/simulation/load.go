package simulation

import (
	"context"
	"fmt"
	"math"
	"sync"

	"schedgap/models"
)

// Load is the option of all simulators.
var Load = models.Between("load", 0.0, 0, 1e3,
	"load that is realised without copies: what the bottleneck is held for over what it has from the first arrival to the last; "+
		"met by one factor of all arrivals, or refused; 0: arrivals as they are, or by the load of the generator")

// An LoadTarget is a load that a workload is to have.
type LoadTarget[W any] struct {
	Load float64 // 0: none is asked for
	// Nearest is whether the nearest load will do, where there are whole servers or a generator speaks of an expectation.
	Nearest bool
	// Plain names a policy without copies; the load is measured under it.
	Plain string
	// At is the workload with that much more room than it has: later arrivals, or more servers where they are whole.
	At func(room float64) (*W, error)
}

// near is the distance from the load at which the search stops; 2 % is promised.
const (
	near     = 0.002
	promised = 0.02
	rounds   = 12
)

// meet returns the workload with the load nearest to the given one, and that load. Jobs hold more where the cluster is
// fuller, so that it is looked for by simulation.
func (a *LoadTarget[W]) meet(ctx context.Context, realised func(w *W) (float64, error)) (best *W, load float64, err error) {
	off := math.Inf(1)
	over, under := 0.0, math.Inf(1) // room that is too little, and too much
	for room, k := 1.0, 0; k < rounds && off > near; k++ {
		w, err := a.At(room)
		if err != nil {
			return nil, 0, err
		}
		got, err := realised(w)
		switch {
		case err != nil:
			return nil, 0, err
		case math.IsNaN(got) || math.IsInf(got, 0):
			return nil, 0, &Fault{Err: fmt.Errorf("load %v cannot be met: all jobs arrive at the same time", a.Load)}
		}
		if d := math.Abs(got/a.Load - 1); d < off {
			best, load, off = w, got, d
		}
		if got > a.Load {
			over = room
		} else {
			under = room
		}
		// Held in proportion to the room; halfway if that is outside the known range or has been tried.
		room *= got / a.Load
		if over > 0 && !math.IsInf(under, 1) && (k%2 == 1 || room <= over || room >= under) {
			room = math.Sqrt(over * under)
		}
	}
	if !a.Nearest && off > promised {
		return nil, 0, &Fault{Err: fmt.Errorf("load %v cannot be met: the nearest is %.4g", a.Load, load)}
	}
	return best, load, ctx.Err()
}

// Moved is the workload with all arrivals times a factor.
func Moved[J Job](w *Workload[J], factor float64, arrival func(j *J) *float64) (*Workload[J], error) {
	moved := &Workload[J]{Jobs: append([]J(nil), w.Jobs...)}
	for i := range moved.Jobs {
		if at := arrival(&moved.Jobs[i]); *at > 0 {
			*at *= factor
			if *at > 1e9 {
				return nil, &Fault{Err: fmt.Errorf("the load would have jobs arrive after 1e9 units of time, at %v", *at)}
			}
		}
	}
	return moved, nil
}

// Realised is the load by what was held: of the bottleneck, over its capacity from the first arrival to the last. Of what is held
// after that the share of the jobs that still wait counts too, so that there are loads above what the cluster can hold. besides
// is what each job that has begun holds beside its tasks.
func (m *Monitor) Realised(besides float64) float64 {
	held, r := make([]float64, len(m.capacity)), len(m.capacity)
	tasks := func(sums []float64, i int) float64 { return sums[i] - besides*(sums[r]-sums[r+1]) }
	for i := range held {
		before := tasks(m.last.sums, i)
		held[i] = before + m.waitingShare*(tasks(m.sums, i)-before)
	}
	return models.Load(held, m.capacity, m.last.at-m.first)
}

// met remembers what loads were met, so that the policies of a repetition look for one only once.
type met[W any] struct {
	sync.Mutex
	of map[aimed[W]]found[W]
}

type aimed[W any] struct {
	w      *W
	seed   uint64
	params string
}

type found[W any] struct {
	w    *W
	load float64
}

// at returns the workload at the load that is asked for, and the load that is realised, 0 where none is asked for.
func (d *Definition[P, W]) at(ctx context.Context, plain func(name string) (*P, error), w *W, r *models.SimRequest) (*W, float64, error) {
	aim := d.Aim(w, r.Params)
	if aim.Load == 0 {
		return w, 0, nil
	}
	key := aimed[W]{w, r.Seed, fmt.Sprint(map[string]any(r.Params))}
	d.met.Lock()
	known, ok := d.met.of[key]
	d.met.Unlock()
	if ok {
		return known.w, known.load, nil
	}
	p, err := plain(aim.Plain)
	if err != nil {
		return nil, 0, err
	}
	best, load, err := aim.meet(ctx, func(w *W) (float64, error) {
		e, err := d.Start(ctx, p, w, r)
		if err != nil {
			return 0, err
		}
		if err := e.Run(ctx); err != nil {
			return 0, err
		}
		return e.Realised(), nil
	})
	if err != nil {
		return nil, 0, err
	}
	d.met.Lock()
	defer d.met.Unlock()
	if len(d.met.of) > 100 || d.met.of == nil { // old repetitions
		d.met.of = map[aimed[W]]found[W]{}
	}
	d.met.of[key] = found[W]{best, load}
	return best, load, nil
}
