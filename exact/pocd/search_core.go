package pocd

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// gapTolerance is the error relative to the objective up to which the core search calls an incumbent optimal: rounding only.
const gapTolerance = 1e-12

// A knapsack lets each job j take b = 0, 1, … copies worth value[j][b], non-decreasing in b, with Σ b ≤ capacity in total.
// The sum of the values is maximised: a multiple-choice knapsack with unit steps of weight.
type knapsack struct {
	value    [][]float64
	capacity int
}

// A relaxation is the optimum of the linear relaxation, in which a job may mix its choices. Only the concave envelopes of
// the values count there, so taking their steps by falling slope until one does not fit is optimal: base without that step,
// price its slope λ, spare the rest of the capacity. Base with spare copies at price each is the relaxation's value.
type relaxation struct {
	base  []int
	price float64
	spare int
}

func (k *knapsack) relax() relaxation {
	type step struct {
		job, to int
		slope   float64
	}
	var steps []step
	for j, v := range k.value {
		from := 0
		for _, to := range envelope(v)[1:] {
			steps = append(steps, step{j, to, slope(v, from, to)})
			from = to
		}
	}
	slices.SortFunc(steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(b.slope, a.slope), a.job-b.job, a.to-b.to)
	})
	r := relaxation{base: make([]int, len(k.value)), spare: k.capacity}
	for _, s := range steps {
		width := s.to - r.base[s.job]
		if width > r.spare {
			r.price = s.slope
			break
		}
		r.base[s.job], r.spare = s.to, r.spare-width
	}
	return r
}

// envelope lists the corners of v's concave envelope: 0, then the ends of its rising steps by strictly falling slope.
func envelope(v []float64) []int {
	corners := []int{0}
	for b := 1; b < len(v); b++ {
		if v[b] <= v[corners[len(corners)-1]] {
			continue
		}
		for n := len(corners); n > 1 && slope(v, corners[n-2], corners[n-1]) <= slope(v, corners[n-1], b); n-- {
			corners = corners[:n-1]
		}
		corners = append(corners, b)
	}
	return corners
}

func slope(v []float64, from, to int) float64 { return (v[to] - v[from]) / float64(to-from) }

// total is the value of the choices.
func (k *knapsack) total(choice []int) float64 {
	sum := 0.0
	for j, b := range choice {
		sum += k.value[j][b]
	}
	return sum
}

// bound is the relaxation's value.
func (k *knapsack) bound(r relaxation) float64 { return k.total(r.base) + r.price*float64(r.spare) }

// An option is a choice of a job relative to the base: move copies more, and loss = λ·move − (value gained) ≥ 0, by which the
// choice is worth less than its copies' price.
type option struct {
	move int
	loss float64
}

// A coreJob is a job with the options that an improvement of the incumbent may use; the first is the base itself.
type coreJob struct {
	job     int
	options []option
	least   float64 // smallest loss of another option than the base
}

// A coreLayer remembers which option led to each total move, for the way back.
type coreLayer struct {
	job    *coreJob
	low    int     // total move of entry 0
	choice []int32 // indices of the job's options
}

// A coreSearch is the exact search around the relaxation's base. With the total move m ≤ spare of all jobs and the sum L of
// their losses, choices are worth base + λ·m − L, so relative to the relaxation's value they lose L + λ·(spare − m), and only
// choices that lose less than the incumbent does, the gap, improve on it. Hence options whose own loss reaches the gap are
// fixed out, jobs enter by their least loss until it reaches the gap (the expanding core of Pisinger, A minimal algorithm
// for the multiple-choice knapsack problem, EJOR 1995), and a state of the dynamic program over total moves dies when its
// losses reach the gap or when fewer copies are worth as much. Every state within the capacity is an incumbent: the gap
// shrinks on the way. All values are differences to the base, so that sums over jobs do not round away small gaps.
type coreSearch struct {
	*knapsack
	relaxation
	jobs     []coreJob
	up, down []int // up[i] and down[i]: how far jobs[i:] together can move

	gain      float64 // of the incumbent over the base
	tolerance float64
	incumbent []int
	improved  func(choice []int)
}

// solve maximises, given the relaxation's optimum and choices to start from or nil. proven is false if ctx ended first.
func (k *knapsack) solve(
	ctx context.Context, r relaxation, start []int, improved func(choice []int),
) (choice []int, proven bool) {
	s := &coreSearch{knapsack: k, relaxation: r, improved: improved}
	s.begin(start)
	s.expand()
	proven = s.search(ctx)
	return s.incumbent, proven
}

func (s *coreSearch) gap() float64 { return s.price*float64(s.spare) - s.gain - s.tolerance }

// begin sets the first incumbent: the base with the spare copies put where they are worth most in one job, or start.
func (s *coreSearch) begin(start []int) {
	s.tolerance = gapTolerance * math.Abs(s.total(s.base))
	s.incumbent = slices.Clone(s.base)
	job, to := -1, 0
	for j, v := range s.value {
		b := min(s.base[j]+s.spare, len(v)-1)
		if g := v[b] - v[s.base[j]]; g > s.gain {
			job, to, s.gain = j, b, g
		}
	}
	if job >= 0 {
		s.incumbent[job] = to
	}
	if start != nil {
		gain := 0.0
		for j, b := range start {
			gain += s.value[j][b] - s.value[j][s.base[j]]
		}
		if gain > s.gain {
			s.gain, s.incumbent = gain, slices.Clone(start)
		}
	}
	s.improved(s.incumbent)
}

// expand collects the options that may improve the incumbent and puts the jobs in the order in which they enter the core.
func (s *coreSearch) expand() {
	gap := s.gap()
	for j, v := range s.value {
		c := coreJob{job: j, options: []option{{}}, least: math.Inf(1)}
		for b := range v {
			o := option{move: b - s.base[j]}
			o.loss = s.price*float64(o.move) - (v[b] - v[s.base[j]])
			if o.move != 0 && o.loss < gap {
				c.options, c.least = append(c.options, o), min(c.least, o.loss)
			}
		}
		if len(c.options) > 1 {
			s.jobs = append(s.jobs, c)
		}
	}
	slices.SortStableFunc(s.jobs, func(a, b coreJob) int { return cmp.Compare(a.least, b.least) })
	s.up, s.down = make([]int, len(s.jobs)+1), make([]int, len(s.jobs)+1)
	for i := len(s.jobs) - 1; i >= 0; i-- {
		up, down := 0, 0
		for _, o := range s.jobs[i].options {
			up, down = max(up, o.move), max(down, -o.move)
		}
		s.up[i], s.down[i] = s.up[i+1]+up, s.down[i+1]+down
	}
}

// search is the dynamic program; false: ctx ended first.
func (s *coreSearch) search(ctx context.Context) bool {
	loss, low := []float64{0}, 0 // the least loss by total move from low on
	var layers []coreLayer
	for i := range s.jobs {
		c := &s.jobs[i]
		if len(loss) == 0 || c.least >= s.gap() {
			return true
		}
		if ctx.Err() != nil {
			return false
		}
		var choice []int32
		loss, low, choice = s.enter(c, loss, low)
		layers = append(layers, coreLayer{c, low, choice})
		if m, ok := s.improve(loss, low); ok {
			s.incumbent = s.walkBack(layers, m)
			s.improved(s.incumbent)
		}
		first, end := s.prune(loss, low, i+1)
		loss, low = loss[first:end], low+first
	}
	return true
}

// enter makes the states after job c out of those before it.
func (s *coreSearch) enter(c *coreJob, loss []float64, low int) (next []float64, nextLow int, choice []int32) {
	least, most := 0, 0
	for _, o := range c.options {
		least, most = min(least, o.move), max(most, o.move)
	}
	next, choice = make([]float64, len(loss)+most-least), make([]int32, len(loss)+most-least)
	for t := range next {
		next[t] = math.Inf(1)
	}
	gap := s.gap()
	for k, o := range c.options {
		if o.loss >= gap {
			continue
		}
		to := next[o.move-least:]
		from := choice[o.move-least:]
		for t, l := range loss {
			if sum := l + o.loss; sum < to[t] {
				to[t], from[t] = sum, int32(k)
			}
		}
	}
	return next, low + least, choice
}

// improve raises the incumbent's gain to that of the best state within the capacity and returns its total move.
func (s *coreSearch) improve(loss []float64, low int) (move int, ok bool) {
	for t, l := range loss {
		m := low + t
		if m > s.spare {
			break
		}
		if g := s.price*float64(m) - l; g > s.gain {
			s.gain, move, ok = g, m, true
		}
	}
	return move, ok
}

// prune removes the states that lose too much or are dominated and returns the range that the others lie in. Jobs from i on
// have yet to enter.
func (s *coreSearch) prune(loss []float64, low, i int) (first, end int) {
	gap, best := s.gap(), math.Inf(-1)
	first = len(loss)
	for t, l := range loss {
		m := low + t
		idle := max(0, s.spare-m-s.up[i])
		value := s.price*float64(m) - l
		if l+s.price*float64(idle) >= gap || m-s.down[i] > s.spare || value <= best {
			loss[t] = math.Inf(1)
			continue
		}
		best = value
		first, end = min(first, t), t+1
	}
	return min(first, end), end
}

// walkBack returns the choices that lead to a total move after the last layer.
func (s *coreSearch) walkBack(layers []coreLayer, move int) []int {
	choice := slices.Clone(s.base)
	for _, l := range slices.Backward(layers) {
		o := l.job.options[l.choice[move-l.low]]
		choice[l.job.job] += o.move
		move -= o.move
	}
	return choice
}
