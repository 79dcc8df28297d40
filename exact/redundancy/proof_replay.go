package redundancy

import (
	"math/big"

	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/models/redundancy"
)

// A job that completes at the end of an interval in which it does nothing leaves spared of its work to do there, so that
// there is an event.
const spared = 1e-12

// replay turns a schedule into what jobs hold from one event to the next, as the events are in exact arithmetic, and its
// sum of flowtimes; nil where it cannot be followed. Completions that rounding made one are two events: what ran before
// the first goes on running until the second; a job that arrives at a completion may come later by what rounding takes.
// Shares below 1 are chosen at each event such that as much work is left at the end of the interval as the schedule
// leaves.
func replay(in *redundancy.Instance, s redundancy.Solution) ([][][3]float64, *big.Rat) {
	r := verifyredundancy.NewReplay(in)
	last := make([]int, len(in.Jobs)) // interval in which a job works last
	for i, iv := range s.Intervals {
		for _, a := range iv.Alloc {
			last[a.Job] = i
		}
	}
	left := planned(in, s, last)
	begin, _ := r.Time.Float64()
	end := s.Intervals[len(s.Intervals)-1].End
	near := 1e-12 * (end - begin)
	steps := [][][3]float64{}
	for i := 0; !r.Done(); {
		if len(steps) > 8*len(in.Jobs) {
			return nil, nil
		}
		t, _ := r.Time.Float64()
		for ; i+1 < len(s.Intervals) && s.Intervals[i].End <= t+near; i++ {
			late := false
			for j := range in.Jobs {
				late = late || last[j] == i && r.Left[j].Sign() != 0
			}
			if late {
				break
			}
		}
		step := [][3]float64{}
		for _, a := range s.Intervals[i].Alloc {
			if r.Left[a.Job].Sign() == 0 || new(big.Rat).SetFloat64(in.Jobs[a.Job].Arrival).Cmp(r.Time) > 0 {
				continue
			}
			share := a.Share
			if length := s.Intervals[i].End - t; share < 1 && length > near {
				work, _ := r.Left[a.Job].Float64()
				share = (work - left[i][a.Job]) / (in.Speedup[a.Copies-1] * length)
			}
			share = min(1, share)
			if share > 0 {
				step = append(step, [3]float64{float64(a.Job), float64(a.Copies), share})
			}
		}
		if in.Multitasking {
			shrink(in, step)
		}
		if err := r.Step(step); err != nil {
			return nil, nil
		}
		steps = append(steps, step)
	}
	return steps, r.Sum
}

// planned is the work left of each job at the end of each interval.
func planned(in *redundancy.Instance, s redundancy.Solution, last []int) [][]float64 {
	list := make([][]float64, len(s.Intervals))
	left := make([]float64, len(in.Jobs))
	for j := range left {
		left[j] = in.Jobs[j].Work
	}
	for i, iv := range s.Intervals {
		for _, a := range iv.Alloc {
			left[a.Job] -= a.Share * in.Speedup[a.Copies-1] * (iv.End - iv.Start)
		}
		list[i] = make([]float64, len(left))
		for j := range left {
			if i < last[j] {
				list[i][j] = max(left[j], spared*in.Jobs[j].Work)
			}
		}
	}
	return list
}

// shrink takes the excess over all machines from shares.
func shrink(in *redundancy.Instance, step [][3]float64) {
	machines := big.NewRat(int64(in.Machines), 1)
	for {
		sum := new(big.Rat)
		for _, h := range step {
			sum.Add(sum, new(big.Rat).Mul(new(big.Rat).SetFloat64(h[1]), new(big.Rat).SetFloat64(h[2])))
		}
		if sum.Cmp(machines) <= 0 {
			return
		}
		v, _ := sum.Float64()
		for k := range step {
			step[k][2] *= min(float64(in.Machines)/v, 1-0x1p-52)
		}
	}
}
