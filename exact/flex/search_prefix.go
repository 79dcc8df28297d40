package flex

import "schedgap/models/flex"

// A prefixSim packs the first jobs of a priority order while every job behind them holds its minimum until a given time.
// For a few jobs, again and again; for whole orders there is flex.Packer.
type prefixSim struct {
	slots     float64
	work      []float64
	min       []float64
	max       []float64
	left      []float64
	rate      []float64
	active    []int
	reserving []int
	inPrefix  []bool
	path      []bool
	segs      []segment
	// jumpAt[j] is the time at which path's job j went from its minimum straight to its maximum, −1 if it had something in
	// between; firstRelease is when the first job behind path ended: until then the run agrees with MPS, whatever follows.
	jumpAt       []float64
	firstRelease float64
}

// A segment of the last run: from its start on, the jobs behind the prefix can work at rate.
type segment struct {
	start, rate float64
}

func newPrefixSim(in *flex.Instance) prefixSim {
	n := len(in.Jobs)
	s := prefixSim{
		slots: float64(in.Slots), work: make([]float64, n), min: make([]float64, n), max: make([]float64, n),
		left: make([]float64, n), rate: make([]float64, n), jumpAt: make([]float64, n), inPrefix: make([]bool, n), path: make([]bool, n),
	}
	for j := range in.Jobs {
		s.work[j], s.min[j], s.max[j] = in.Jobs[j].Work, float64(in.Jobs[j].Min), float64(in.Jobs[j].Max)
	}
	return s
}

// behind marks the jobs that are not in path. The slice is valid until the next call.
func (s *prefixSim) behind(path []int) []bool {
	for j := range s.path {
		s.path[j] = true
	}
	for _, j := range path {
		s.path[j] = false
	}
	return s.path
}

// run packs path and stores its completion times in done. Each job j that is not in path holds its minimum until ends[j].
func (s *prefixSim) run(path []int, ends, done []float64) {
	clear(s.inPrefix)
	s.active = append(s.active[:0], path...)
	for _, j := range path {
		s.inPrefix[j] = true
		s.left[j], s.jumpAt[j] = s.work[j], inf
	}
	s.firstRelease = inf
	s.reserving = s.reserving[:0]
	reserved := 0.0 // minima of all that are unfinished
	for j, m := range s.min {
		if !s.inPrefix[j] && m > 0 {
			s.reserving = append(s.reserving, j)
		}
		if s.inPrefix[j] || m > 0 {
			reserved += m
		}
	}
	s.segs = s.segs[:0]
	now := 0.0
	for len(s.active) > 0 {
		slack, own := s.slots-reserved, 0.0
		end := inf
		for _, j := range s.active {
			extra := min(slack, s.max[j]-s.min[j])
			slack -= extra
			s.rate[j] = s.min[j] + extra
			switch {
			case s.jumpAt[j] < inf:
			case extra == s.max[j]-s.min[j]:
				s.jumpAt[j] = now
			case extra > 0:
				s.jumpAt[j] = -1
			}
			own += s.rate[j]
			if s.rate[j] > 0 {
				end = min(end, now+s.left[j]/s.rate[j])
			}
		}
		release := inf
		for _, j := range s.reserving {
			release = min(release, ends[j])
		}
		end = min(end, release)
		s.segs = append(s.segs, segment{now, s.slots - own})
		keep := s.active[:0]
		for _, j := range s.active {
			s.left[j] -= s.rate[j] * (end - now)
			// The rest would take less than a rounding error of the time so far.
			if s.left[j] > s.rate[j]*end*1e-12 || s.rate[j] == 0 {
				keep = append(keep, j)
				continue
			}
			done[j] = end
			reserved -= s.min[j]
		}
		s.active = keep
		if end == release {
			s.firstRelease = min(s.firstRelease, end)
			stay := s.reserving[:0]
			for _, j := range s.reserving {
				if ends[j] > end {
					stay = append(stay, j)
					continue
				}
				reserved -= s.min[j]
			}
			s.reserving = stay
		}
		now = end
	}
	s.segs = append(s.segs, segment{now, s.slots})
}

// swappable reports whether adjacent jobs i and j of the last run's path could change places without changing the schedule,
// whatever follows the path: both went up to their maxima at once, or one of them has nothing to go up to.
func (s *prefixSim) swappable(i, j int) bool {
	if s.max[i] == s.min[i] || s.max[j] == s.min[j] {
		return true
	}
	return s.jumpAt[i] == s.jumpAt[j] && s.jumpAt[i] >= 0 && s.jumpAt[i] < s.firstRelease
}

// leftover is ∫ (work − U(t))⁺ dt, where U is the most work of the jobs behind the prefix of the last run by t.
func (s *prefixSim) leftover(work float64) float64 {
	area := 0.0
	for i, seg := range s.segs {
		if i+1 < len(s.segs) {
			dt := s.segs[i+1].start - seg.start
			if next := work - seg.rate*dt; next > 0 {
				area += (work + next) / 2 * dt
				work = next
				continue
			}
		}
		return area + work*work/(2*seg.rate)
	}
	return area
}
