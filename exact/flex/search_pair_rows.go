package flex

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"schedgap/models/proof"
)

// A term is a lower bound rhs + own·C_j + other·C_at on the work that job j has done by some time.
type term struct {
	at              int
	rhs, own, other float64
	value           float64
}

// raise replaces t by rhs + own·C_j + other·C_at if that is larger at the given times; at < 0 means that it has no second job.
func (s *pairSearch) raise(t *term, times []float64, j, at int, rhs, own, other float64) {
	v := rhs + own*times[j]
	if at >= 0 {
		v += other * times[at]
	}
	if v > t.value {
		*t = term{at, rhs, own, other, v}
	}
}

// workBound is the best known lower bound, at the node's times, on the work that job j has done when k completes.
func (s *pairSearch) workBound(o *pairNode, j, k int) term {
	n, times := s.n, o.times
	job := &s.program.scaled.Jobs[j]
	t := term{at: -1}
	lo, hi := float64(job.Min), float64(job.Max)
	switch {
	case j == k || o.precedes[j*n+k]:
		return term{at: -1, rhs: job.Work, value: job.Work}
	case o.precedes[k*n+j]:
		s.raise(&t, times, j, k, 0, 0, lo)
		s.raise(&t, times, j, k, job.Work, -hi, hi)
		return t
	}
	if s.proves == nil && s.windowBound(o, &t, j, k) {
		return t
	}
	for words, w := s.words(), s.words()-1; w >= 0; w-- {
		if both := s.first[j*words+w] & s.first[k*words+w]; both != 0 {
			last := s.ranks[64*w+bits.Len64(both)-1] // of the jobs before both
			s.raise(&t, times, j, last, 0, 0, lo)
			s.raise(&t, times, j, last, job.Work, -hi, hi)
			break
		}
	}
	return t
}

func (s *pairSearch) words() int { return (s.n + 63) / 64 }

// rank fills ranks and first for o's times.
func (s *pairSearch) rank(o *pairNode) {
	for j := range s.ranks {
		s.ranks[j] = j
	}
	slices.SortFunc(s.ranks, func(a, b int) int { return cmp.Or(cmp.Compare(o.times[a], o.times[b]), b-a) })
	words := s.words()
	s.first = slices.Grow(s.first[:0], s.n*words)[:s.n*words]
	clear(s.first)
	for rank, a := range s.ranks {
		for j, before := range o.precedes[a*s.n : (a+1)*s.n] {
			if before {
				s.first[j*words+rank/64] |= 1 << (rank % 64)
			}
		}
	}
}

// windowBound tightens t from the completion windows of j and k, where no order of them is known. It reports whether the bound is
// exact.
func (s *pairSearch) windowBound(o *pairNode, t *term, j, k int) bool {
	times := o.times
	job := &s.program.scaled.Jobs[j]
	lo, hi := float64(job.Min), float64(job.Max)
	rate := lo
	if o.latest[k]*lo > job.Work {
		rate = job.Work / o.latest[k]
	}
	s.raise(t, times, j, k, 0, 0, rate)
	// C_j − C_k is between dl < 0 and du > 0.
	dl, du := max(o.earliest[j]-o.latest[k], -o.lag(k, j)), min(o.latest[j]-o.earliest[k], o.lag(j, k))
	if du <= 0 {
		*t = term{at: -1, rhs: job.Work, value: job.Work}
		return true
	}
	low := min(job.Work, lo*o.earliest[k])
	slope := hi * du / (du - dl)
	if zero := (job.Work - low) / hi; du > zero {
		slope = (job.Work - low) / (zero - dl)
	}
	if dl >= 0 {
		slope = hi
		dl = 0
	}
	s.raise(t, times, j, k, job.Work+slope*dl, -slope, slope)
	return false
}

// exactWork is u_j(C_j, C_k) at the node's times: the least work that j has done when k completes.
func (s *pairSearch) exactWork(o *pairNode, j, k int) float64 {
	job := &s.program.scaled.Jobs[j]
	if d := o.times[j] - o.times[k]; d > 0 {
		return max(float64(job.Min)*o.times[k], job.Work-float64(job.Max)*d)
	}
	return job.Work
}

// moments adds violated cuts at ends of jobs.
func (s *pairSearch) moments(ctx context.Context, o *pairNode) bool {
	r, n := s.program, s.n
	found := false
	s.rank(o)
	for k := range n {
		if ctx.Err() != nil {
			return found
		}
		if s.overload(o, k) <= cutTolerance*float64(s.in.Slots) { // the known work is no more than the work done
			continue
		}
		sum := -float64(s.in.Slots) * o.times[k]
		for j := range n {
			t := s.workBound(o, j, k)
			s.terms[j] = t
			sum += t.value
		}
		if sum <= cutTolerance*float64(s.in.Slots) {
			continue
		}
		clear(r.coef)
		r.coef[k] = float64(s.in.Slots)
		rhs := 0.0
		for j, t := range s.terms {
			rhs += t.rhs
			r.coef[j] -= t.own
			if t.at >= 0 {
				r.coef[t.at] -= t.other
			}
		}
		found = s.cut(o, rhs, func() *rowOrigin { return s.origin(k) }) || found
	}
	return found
}

// origin names the cut at the end of k that was added last.
func (s *pairSearch) origin(k int) *rowOrigin {
	m, scale := &proof.MomentCut{End: k, From: make([]int, s.n), Late: []int{}}, 0.0
	for j, t := range s.terms {
		switch m.From[j] = t.at; {
		case t.at < 0 && t.rhs > 0: // all of its work
			m.From[j] = j
			m.Late = append(m.Late, j)
		case t.own != 0:
			m.Late = append(m.Late, j)
		}
		scale = max(scale, math.Abs(s.program.coef[j]))
	}
	return &rowOrigin{line: proof.OrderLine{Moment: m}, unit: s.program.size / (s.program.unit * scale)}
}

// cut adds Σ coef·C ≥ rhs if it is violated. A proof asks where it is from.
func (s *pairSearch) cut(o *pairNode, rhs float64, from func() *rowOrigin) bool {
	r := s.program
	got, scale := 0.0, 0.0
	for j, v := range r.coef {
		got += v * o.times[j]
		scale = max(scale, math.Abs(v))
	}
	if scale < 1e-9 || (rhs-got)/scale <= cutTolerance {
		return false
	}
	var origin *rowOrigin
	if s.proves != nil {
		origin = from()
	}
	r.add(o.d, rhs, false, origin)
	return true
}

// limits adds the rows of windows and pairs that are violated.
func (s *pairSearch) limits(o *pairNode) bool {
	r, n := s.program, s.n
	found := false
	for j := range n {
		if o.times[j] < o.earliest[j]-cutTolerance {
			clear(r.coef)
			r.coef[j] = 1
			r.add(o.d, o.earliest[j], false, nil)
			found = true
		}
		if o.times[j] > o.latest[j]+cutTolerance {
			clear(r.coef)
			r.coef[j] = -1
			r.add(o.d, -o.latest[j], false, nil)
			found = true
		}
		worst, by := -1, cutTolerance
		for i := range n {
			late := o.times[i] - o.times[j]
			if o.precedes[i*n+j] && late > by {
				worst, by = i, late
			}
			if lag := o.lag(i, j); late > lag+cutTolerance {
				clear(r.coef)
				r.coef[j], r.coef[i] = 1, -1
				found = s.cut(o, -lag, nil) || found
			}
		}
		if worst >= 0 {
			clear(r.coef)
			r.coef[j], r.coef[worst] = 1, -1
			found = s.cut(o, 0, func() *rowOrigin { return &rowOrigin{i: worst, j: j, unit: r.size / r.unit} }) || found
		}
	}
	return found
}

// excess is the most by which jobs need more than the slots when one of them completes.
func (s *pairSearch) excess(o *pairNode) float64 {
	worst := 0.0
	for k := range s.n {
		worst = max(worst, s.overload(o, k))
	}
	return worst
}

// overload is Σ_j u_j(C_j, C_k) − S·C_k, the work by which the jobs exceed the slots when k completes.
func (s *pairSearch) overload(o *pairNode, k int) float64 {
	sum := -float64(s.in.Slots) * o.times[k]
	for j := range s.n {
		sum += s.exactWork(o, j, k)
	}
	return sum
}
