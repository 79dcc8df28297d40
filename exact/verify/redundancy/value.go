package redundancy

import (
	"fmt"
	"math/big"

	"schedgap/exact/verify/core"
	"schedgap/models/redundancy"
)

// Value is the sum of flowtimes, exactly, of the schedule in which jobs hold the given copies and shares from
// one event to the next, the first arrival being the first event; an error: it is no schedule, or does not complete all
// jobs.
func Value(in *redundancy.Instance, steps [][][3]float64) (*big.Rat, error) {
	r := NewReplay(in)
	for i, step := range steps {
		if r.Done() {
			return nil, fmt.Errorf("step %d: all jobs are done", i)
		}
		if err := r.Step(step); err != nil {
			return nil, fmt.Errorf("step %d: %w", i, err)
		}
	}
	if !r.Done() {
		return nil, fmt.Errorf("after %d steps not all jobs are done", len(steps))
	}
	return r.Sum, nil
}

// A Replay follows a schedule in exact arithmetic.
type Replay struct {
	Time *big.Rat   // of the last event
	Sum  *big.Rat   // of the flowtimes of the jobs that are done
	Left []*big.Rat // by job: work left, 0 when it is done

	in   *redundancy.Instance
	rate []*big.Rat // by machines
	done int
}

// NewReplay begins at the first arrival.
func NewReplay(in *redundancy.Instance) *Replay {
	r := &Replay{Sum: new(big.Rat), in: in, rate: []*big.Rat{new(big.Rat)}}
	for _, h := range in.Speedup {
		r.rate = append(r.rate, core.Exactly(h))
	}
	for j := range in.Jobs {
		r.Left = append(r.Left, core.Exactly(in.Jobs[j].Work))
		if a := core.Exactly(in.Jobs[j].Arrival); r.Time == nil || a.Cmp(r.Time) < 0 {
			r.Time = a
		}
	}
	return r
}

// Done reports whether all jobs are done.
func (r *Replay) Done() bool { return r.done == len(r.in.Jobs) }

// Step goes on to the next event, an arrival or a completion. What jobs hold is a job, its copies, and its share of each of them.
func (r *Replay) Step(held [][3]float64) error {
	machines := new(big.Rat)
	rates := map[int]*big.Rat{}
	var length *big.Rat
	sooner := func(d *big.Rat) {
		if length == nil || d.Cmp(length) < 0 {
			length = d
		}
	}
	for j := range r.in.Jobs {
		if a := core.Exactly(r.in.Jobs[j].Arrival); a.Cmp(r.Time) > 0 {
			sooner(a.Sub(a, r.Time))
		}
	}
	for _, h := range held {
		j, n, share := int(h[0]), int(h[1]), h[2]
		err := r.may(h)
		if err != nil {
			return err
		}
		if rates[j] != nil {
			return fmt.Errorf("job %d comes twice", j)
		}
		s := core.Exactly(share)
		machines.Add(machines, new(big.Rat).Mul(s, core.Natural(n)))
		rates[j] = s.Mul(s, r.rate[n])
		sooner(new(big.Rat).Quo(r.Left[j], rates[j]))
	}
	if machines.Cmp(core.Natural(r.in.Machines)) > 0 {
		v, _ := machines.Float64()
		return fmt.Errorf("jobs have %v machines of %d", v, r.in.Machines)
	}
	if length == nil {
		return fmt.Errorf("nothing runs, and no job is to come")
	}
	r.Time = new(big.Rat).Add(r.Time, length)
	for j, rate := range rates {
		work := rate.Mul(rate, length)
		r.Left[j] = work.Sub(r.Left[j], work)
		if r.Left[j].Sign() == 0 {
			r.done++
			r.Sum.Add(r.Sum, r.Time).Sub(r.Sum, core.Exactly(r.in.Jobs[j].Arrival))
		}
	}
	return nil
}

// may is an error unless a job may hold what h says now: a job, its copies and its share of each.
func (r *Replay) may(h [3]float64) error {
	j, n, share := int(h[0]), int(h[1]), h[2]
	switch {
	case float64(j) != h[0] || j < 0 || j >= len(r.in.Jobs):
		return fmt.Errorf("%v is no job", h[0])
	case float64(n) != h[1] || n < 1 || n > r.in.Machines:
		return fmt.Errorf("job %d has %v machines of %d", j, h[1], r.in.Machines)
	case !(share > 0 && share <= 1) || share < 1 && !r.in.Multitasking:
		return fmt.Errorf("job %d has a share of %v", j, share)
	case r.Left[j].Sign() == 0:
		return fmt.Errorf("job %d is done", j)
	case core.Exactly(r.in.Jobs[j].Arrival).Cmp(r.Time) > 0:
		return fmt.Errorf("job %d has not arrived", j)
	}
	return nil
}
