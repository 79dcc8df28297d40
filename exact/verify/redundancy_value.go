package verify

import (
	"fmt"
	"math"
	"math/big"

	"schedgap/models/redundancy"
)

// RedundancyValue is the sum of flowtimes, exactly, of the schedule in which jobs have the given machines from one event to the next, the first
// arrival being the first event; an error: it is no schedule, or does not complete all jobs.
func RedundancyValue(in *redundancy.Instance, steps [][][2]int) (*big.Rat, error) {
	r := NewRedundancyReplay(in)
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

// RedundancyValueUp is the least float64 that is no less than v.
func RedundancyValueUp(v *big.Rat) float64 {
	f, _ := v.Float64()
	if exactly(f).Cmp(v) < 0 {
		f = math.Nextafter(f, math.Inf(1))
	}
	return f
}

// A RedundancyReplay follows a schedule on whole machines in exact arithmetic.
type RedundancyReplay struct {
	Time *big.Rat   // of the last event
	Sum  *big.Rat   // of the flowtimes of the jobs that are done
	Left []*big.Rat // by job: work left, 0 when it is done

	in   *redundancy.Instance
	rate []*big.Rat // by machines
	done int
}

// NewRedundancyReplay begins at the first arrival.
func NewRedundancyReplay(in *redundancy.Instance) *RedundancyReplay {
	r := &RedundancyReplay{Sum: new(big.Rat), in: in, rate: []*big.Rat{new(big.Rat)}}
	for _, h := range in.Speedup {
		r.rate = append(r.rate, exactly(h))
	}
	for j := range in.Jobs {
		r.Left = append(r.Left, exactly(in.Jobs[j].Work))
		if a := exactly(in.Jobs[j].Arrival); r.Time == nil || a.Cmp(r.Time) < 0 {
			r.Time = a
		}
	}
	return r
}

// Done reports whether all jobs are done.
func (r *RedundancyReplay) Done() bool { return r.done == len(r.in.Jobs) }

// Step goes on to the next event, an arrival or a completion, with pairs of a job and its machines.
func (r *RedundancyReplay) Step(copies [][2]int) error {
	machines := 0
	seen := map[int]bool{}
	var length *big.Rat
	sooner := func(d *big.Rat) {
		if length == nil || d.Cmp(length) < 0 {
			length = d
		}
	}
	for j := range r.in.Jobs {
		if a := exactly(r.in.Jobs[j].Arrival); a.Cmp(r.Time) > 0 {
			sooner(a.Sub(a, r.Time))
		}
	}
	for _, c := range copies {
		j, n := c[0], c[1]
		switch {
		case j < 0 || j >= len(r.in.Jobs) || seen[j]:
			return fmt.Errorf("%d is no job, or comes twice", j)
		case n < 1 || n > r.in.Machines-machines:
			return fmt.Errorf("job %d has %d machines, of %d that are left", j, n, r.in.Machines-machines)
		case r.Left[j].Sign() == 0:
			return fmt.Errorf("job %d is done", j)
		case exactly(r.in.Jobs[j].Arrival).Cmp(r.Time) > 0:
			return fmt.Errorf("job %d has not arrived", j)
		}
		seen[j] = true
		machines += n
		sooner(new(big.Rat).Quo(r.Left[j], r.rate[n]))
	}
	if length == nil {
		return fmt.Errorf("nothing runs, and no job is to come")
	}
	r.Time = new(big.Rat).Add(r.Time, length)
	for _, c := range copies {
		j := c[0]
		work := new(big.Rat).Mul(r.rate[c[1]], length)
		if r.Left[j] = work.Sub(r.Left[j], work); r.Left[j].Sign() == 0 {
			r.done++
			r.Sum.Add(r.Sum, r.Time).Sub(r.Sum, exactly(r.in.Jobs[j].Arrival))
		}
	}
	return nil
}
