package redundancy

import "slices"

// A timeline says in what order jobs complete before the beginning of a period, and between which arrivals, and some of what follows.
type timeline struct {
	level int     // the period that it ends at
	ends  [][]int // by period before it: jobs that complete in it, in their order
	after []int   // of the last period: jobs that complete first in it, in their order
	now   []int   // jobs that complete in the period that it ends at
	later []int   // jobs that complete after that
	limit []limit
}

// A limit is one on the copies that a job may have in a gap.
type limit struct{ gap, job, least, most int }

// A gap lies between two events.
type gap struct {
	period int
	count  float64 // the jobs, complete in the timeline, that wait for its end
	jobs   []int   // active ones
	least  []int   // the least and the most copies of each
	most   []int
	ends   int // the job that completes at its end, −1: the next one arrives
}

// gaps are those of a timeline.
func (s *shareSearch) gaps(line *timeline) []gap {
	var list []gap
	done := make([]bool, len(s.order)) // completes in the timeline
	for _, ends := range line.ends {
		for _, j := range ends {
			done[j] = true
		}
	}
	if line.level == len(s.begin)-1 {
		for j := range done {
			done[j] = true
		}
	}
	var active []int
	next := 0
	for i, ends := range line.ends {
		for ; next < len(s.order) && s.of[s.order[next]] <= i; next++ {
			active = append(active, s.order[next])
		}
		for k := range len(ends) + 1 {
			g := gap{period: i, jobs: slices.Clone(active), ends: -1}
			if k < len(ends) {
				g.ends = ends[k]
			}
			n := len(active)
			g.least, g.most = make([]int, n), make([]int, n)
			for x, j := range active {
				g.most[x] = s.in.Machines
				if done[j] {
					g.count++
				}
			}
			list = append(list, g)
			if k < len(ends) {
				active = slices.DeleteFunc(active, func(j int) bool { return j == ends[k] })
			}
		}
	}
	for _, l := range line.limit {
		g := &list[l.gap]
		x := slices.Index(g.jobs, l.job)
		if x < 0 {
			continue
		}
		g.least[x], g.most[x] = max(g.least[x], l.least), min(g.most[x], l.most)
	}
	return list
}

// A portion is what a job gets of a unit of a gap's time: a share of some copies.
type portion struct {
	job, copies int
	share       float64
}

// earn is the most that jobs earn in a unit of a gap's time at u for a unit of work of each; how is appended to list. A job has a share of
// some copies, at least the least or none, so what it earns is concave in its machines: the same on each of the least, then the gains.
func (s *shareSearch) earn(g *gap, u []float64, list []portion) (float64, []portion) {
	begin := len(list)
	machines := float64(s.in.Machines)
	h, gain := s.env.h, s.env.gain
	sum := 0.0
	for _, j := range g.jobs {
		list = append(list, portion{j, 0, 1})
	}
	held := list[begin:]
	for machines > 0 {
		best, most := -1, 0.0
		for x := range held {
			p := &held[x]
			if p.copies >= g.most[x] || p.share < 1 {
				continue
			}
			v := 0.0
			if least := max(1, g.least[x]); p.copies == 0 {
				v = u[p.job] * h[least] / float64(least)
			} else {
				v = u[p.job] * gain[p.copies]
			}
			if v > most {
				best, most = x, v
			}
		}
		if best < 0 {
			break
		}
		p := &held[best]
		if p.copies > 0 {
			p.copies++
			machines--
			sum += most
			continue
		}
		p.copies = max(1, g.least[best])
		used := min(machines, float64(p.copies))
		p.share = used / float64(p.copies)
		machines -= used
		sum += most * used
	}
	n := begin
	for _, p := range held {
		if p.copies > 0 {
			list[n] = p
			n++
		}
	}
	return sum, list[:n]
}
