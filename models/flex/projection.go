package flex

import "math"

// rounding is the error, relative to its row, up to which a row of a schedule has nothing but the rounding of float64 sums.
const rounding = 1e-12

// projected is the objective that an accepted schedule is given whose rows are off by more than rounding: that of a schedule
// without fault, so that no tolerance lets a schedule beat the optimum. value is its objective at its own times.
//
// There are two schedules without fault close to it: its intervals lengthened (lengthened), and the packing scheme's in the order
// in which its jobs complete. The better one counts, unless the schedule is no better than it by its own times, except for
// Tolerance, which is what it may beat the optimum by.
func (c *checker) projected(value float64) float64 {
	if c.in.Any(Metric.Steps) && c.off <= Tolerance {
		return value // comparisons with deadlines and steps forgive as much
	}
	order := OrderBy(c.in, func(j int) float64 { return c.times[j] })
	mended := c.in.Value(NewPacker(c.in).Completions(order))
	if times, ok := c.lengthened(); ok {
		mended = min(mended, c.in.Value(times))
	}
	if mended <= value+Tolerance*math.Abs(value) {
		return value
	}
	return mended
}

// lengthened are completion times of a schedule without fault in which every job holds, in each interval, no less than its
// allocation here divided by a factor φ ≥ 1 of the interval, and the interval lasts φ times as long. A job that lacks work when
// it completes gets it where it holds most slots, which makes that interval longer still. So nobody does less work in any
// interval, and jobs may complete earlier than said. It is false where no factor is large enough: when the minima leave
// nothing to a job that has slots here.
func (c *checker) lengthened() (times []float64, ok bool) {
	n := len(c.in.Jobs)
	held := make([]float64, n)
	var running []int // unfinished jobs with slots or a minimum
	place := make([]int, n)
	for j := range place {
		place[j] = -1
	}
	add := func(j int) {
		if place[j] < 0 {
			place[j] = len(running)
			running = append(running, j)
		}
	}
	drop := func(j int) {
		if k := place[j]; k >= 0 {
			last := running[len(running)-1]
			running[k], place[last], place[j] = last, k, -1
			running = running[:len(running)-1]
		}
	}
	ends := make([][]int, len(c.s))
	for j, q := range c.last {
		ends[q] = append(ends[q], j)
		if c.in.Jobs[j].Min > 0 {
			add(j)
		}
	}
	short := make([][]deficit, len(c.s))
	for _, d := range c.short {
		if d.in < 0 {
			return nil, false
		}
		short[d.in] = append(short[d.in], d)
	}
	times = make([]float64, n)
	end := c.s[len(c.s)-1].End
	now := 0.0
	var owed []deficit // to jobs that hold most slots in the next interval that lasts
	for q, iv := range c.s {
		for _, ch := range iv.Changes {
			held[ch.Job] = ch.Slots
			switch {
			case c.last[ch.Job] < q:
			case ch.Slots > 0:
				add(ch.Job)
			case c.in.Jobs[ch.Job].Min == 0:
				drop(ch.Job)
			}
		}
		owed = append(owed, short[q]...)
		if length := iv.End - iv.Start; length > 0 {
			factor := c.factor(running, held)
			if math.IsInf(factor, 1) {
				return nil, false
			}
			lack := 0.0
			for _, d := range owed {
				lack = max(lack, d.work*factor/held[d.job])
			}
			owed = owed[:0]
			now += factor*length + lack
		}
		for _, j := range ends[q] {
			drop(j)
			times[j] = c.times[j]
			if now > times[j]+rounding*end {
				times[j] = now
			}
		}
	}
	return times, true
}

// factor is the least φ ≥ 1 for which max(m_j, s_j/φ) keeps every maximum and adds up to no more than S; infinite if none does.
func (c *checker) factor(running []int, held []float64) float64 {
	factor, most := 1.0, float64(c.in.Slots)
	for _, j := range running {
		factor = max(factor, held[j]/float64(c.in.Jobs[j].Max))
	}
	for {
		// Jobs above their minima shrink with the factor; once it is larger, more of them are down at their minima.
		free, minima := 0.0, 0.0
		for _, j := range running {
			if m := float64(c.in.Jobs[j].Min); held[j] > m*factor {
				free += held[j]
			} else {
				minima += m
			}
		}
		switch next := free / (most - minima); {
		case free == 0, minima < most && next <= factor:
			return factor
		case minima >= most:
			return math.Inf(1)
		default:
			factor = next
		}
	}
}
