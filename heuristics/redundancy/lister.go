package redundancy

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models/redundancy"
)

// A lister is a schedule at speed 1, built from priorities and events. Until the last arrival the active jobs form a line by
// priority, and after each event the machines are split by views[option]; an event may also give a job another priority, as
// optima serve two jobs in one order now and in the other order later. After the last arrival the line is ordered by remaining
// work and taken as it is, which is optimal. Jobs are numbered by arrival.
//
// A move is evaluated from the first block of arrivals that it changes to the first block at whose start the active jobs are as
// before the move.
type lister struct {
	ctx     context.Context // its end ends a run that writes no schedule down
	in      *redundancy.Instance
	weights *redundancy.Weights
	splits  [][]int   // by len(views)·the jobs in line and the option; nil: not known yet
	jobs    []int     // by number, as in the instance
	work    []float64 // by number
	at      []float64 // arrivals

	choices choices   // now, the last move included
	saved   choices   // the best ones
	block   int       // arrivals in a block
	now     []moment  // by block, without the last move
	next    []moment  // those from first to last after the last move
	done    []float64 // completion times by number
	ended   []ending  // these after the last move
	value   float64   // the sum of the flowtimes without the last move
	after   float64   // with it
	first   int
	last    int // less than first: there is nothing to undo or keep
	undo    func()
	line    []held
	near    []int
	stood   int                  // jobs in line before the arrivals, in all
	writes  *redundancy.Solution // where the schedule is written down; nil: nowhere
}

// choices determine a schedule.
type choices struct {
	key     []float64 // the jobs with the least keys stand first
	arrived []event   // at the arrival of a job
	left    []event   // at its completion
}

// An event has the machines split by views[option], and a job in line take another place, if it is not −1.
type event struct {
	option int8
	job    int32
	key    float64 // of the job from then on
}

func (c *choices) set(d *choices) {
	c.key, c.arrived, c.left = append(c.key[:0], d.key...), append(c.arrived[:0], d.arrived...), append(c.left[:0], d.left...)
}

// held is a job in line with its remaining work, ending a job with its completion time.
type (
	held struct {
		job       int
		work, key float64
	}
	ending struct {
		job int
		at  float64
	}
)

// A moment is right before the first arrival of a block.
type moment struct {
	line   []held
	option int8
	flow   float64 // the jobs' waiting time from then to the next block, in the last block to the end
}

// shortBlocks is how many jobs in line the moments may remember before blocks have more than one arrival, longBlock the arrivals
// of a block before that is known.
const (
	shortBlocks = 1 << 22
	longBlock   = 256
)

func newLister(ctx context.Context, in *redundancy.Instance) *lister {
	n := len(in.Jobs)
	l := &lister{
		ctx: ctx, in: in, weights: redundancy.NewWeights(context.WithoutCancel(ctx), in.Speedup, n+mostBehind),
		splits: make([][]int, len(views)*(n+1)), jobs: redundancy.ByArrival(in), done: make([]float64, n),
		last:    -1,
		choices: choices{make([]float64, n), make([]event, n), make([]event, n)},
	}
	for _, j := range l.jobs {
		l.work, l.at = append(l.work, in.Jobs[j].Work), append(l.at, in.Jobs[j].Arrival)
	}
	l.divide(longBlock)
	return l
}

// divide makes blocks of so many arrivals.
func (l *lister) divide(block int) {
	n := (len(l.jobs) + block - 1) / block
	l.block, l.now, l.next = block, make([]moment, n), make([]moment, n)
}

// start makes the best schedule in which all events have the same option and the jobs stand by work, or by completion in the
// schedule before; it returns its value.
func (l *lister) start() float64 {
	low := math.Inf(1)
	for option := range lines {
		copy(l.choices.key, l.work)
		for j := range l.jobs {
			l.choices.arrived[j] = event{option: int8(option), job: -1}
			l.choices.left[j] = l.choices.arrived[j]
		}
		for range 3 {
			l.all()
			if l.ctx.Err() != nil {
				return low
			}
			if l.block == longBlock {
				l.divide(1 + l.stood/shortBlocks)
				l.all()
			}
			if l.value < low {
				low = l.value
				l.Save()
			}
			copy(l.choices.key, l.done)
		}
	}
	l.Restore()
	return low
}

// all makes the whole schedule again.
func (l *lister) all() float64 {
	l.value, l.stood, l.ended = 0, 0, l.ended[:0]
	for b := range l.now {
		l.now[b].flow = 0
	}
	l.run(0, len(l.jobs), math.Inf(1))
	l.Keep()
	return l.value
}

// schedule writes the saved schedule down.
func (l *lister) schedule() redundancy.Solution {
	s := redundancy.Solution{Speed: 1}
	w := newLister(l.ctx, l.in)
	w.writes = &s
	w.choices.set(&l.saved)
	w.all()
	return s
}

func (l *lister) Save()    { l.saved.set(&l.choices) }
func (l *lister) Restore() { l.choices.set(&l.saved); l.undo = nil; l.all() }

func (l *lister) Keep() {
	for i := l.first; i <= l.last; i++ {
		l.now[i], l.next[i] = l.next[i], l.now[i]
	}
	for _, e := range l.ended {
		l.done[e.job] = e.at
	}
	l.value, l.last, l.undo = l.after, -1, nil
}

func (l *lister) Move(random *rand.Rand, limit float64) float64 {
	l.back()
	l.last, l.ended = -1, l.ended[:0]
	j := random.IntN(len(l.jobs))
	i, ok := l.other(j, random)
	if !ok || random.IntN(10) < 4 {
		list, from := l.choices.arrived, j
		if random.IntN(2) == 0 {
			list = l.choices.left
			from, _ = slices.BinarySearch(l.at, l.done[j])
			from-- // it completes behind this arrival
		}
		old := list[j]
		list[j] = l.event(old, j, random)
		l.undo = func() { list[j] = old }
		return l.run(from, from, limit)
	}
	key := l.choices.key
	a, b := key[i], key[j]
	from := j
	switch random.IntN(3) {
	case 0:
		key[i], key[j], from = b, a, min(i, j)
	case 1:
		key[j] = math.Nextafter(a, math.Inf(1))
	default:
		key[j] = math.Nextafter(a, math.Inf(-1))
	}
	l.undo = func() { key[i], key[j] = a, b }
	return l.run(from, max(i, j), limit, i, j)
}

// event draws another event than e for job j, in line with the jobs that are near.
func (l *lister) event(e event, j int, random *rand.Rand) event {
	switch {
	case len(l.near) == 0 || random.IntN(2) == 0:
		e.option = int8((int(e.option) + 1 + random.IntN(len(views)-1)) % len(views))
	case e.job >= 0 && random.IntN(2) == 0:
		e.job = -1
	default:
		at := j
		if len(l.near) > 1 {
			at = l.near[random.IntN(len(l.near))]
		}
		e.job = int32(l.near[random.IntN(len(l.near))])
		e.key = math.Nextafter(l.choices.key[at], math.Inf(1-2*random.IntN(2)))
	}
	return e
}

// back undoes the last move.
func (l *lister) back() {
	if l.undo != nil {
		l.undo()
		l.undo = nil
	}
}

// other draws a job that is in line with j at some time.
func (l *lister) other(j int, random *rand.Rand) (int, bool) {
	l.near = l.near[:0]
	b := j / l.block
	for _, h := range l.now[b].line {
		if l.done[h.job] > l.at[j] {
			l.near = append(l.near, h.job)
		}
	}
	for i := b * l.block; i < len(l.jobs) && l.at[i] < l.done[j]; i++ {
		if i != j && l.done[i] > l.at[j] {
			l.near = append(l.near, i)
		}
	}
	if len(l.near) == 0 {
		return 0, false
	}
	return l.near[random.IntN(len(l.near))], true
}

// run makes the schedule from the block of arrival from on, and ends behind arrival through where the line is as it was, without
// the changed jobs. It returns the sum of the flowtimes, or a number larger than limit if it is hardly less.
func (l *lister) run(from, through int, limit float64, changed ...int) float64 {
	b := from / l.block
	l.after, l.first, l.last = l.value, b, -1
	m := moment{line: append(l.line[:0], l.now[b].line...), option: l.now[b].option}
	for ; ; b++ {
		if l.writes == nil && l.ctx.Err() != nil {
			return math.Inf(1)
		}
		f := &l.next[b]
		f.line, f.option = append(f.line[:0], m.line...), m.option
		m.flow = 0
		end := min(len(l.jobs), (b+1)*l.block)
		for i := b * l.block; i < end; i++ {
			m = l.advance(l.arrival(m, i), i)
		}
		l.line = m.line
		f.flow = m.flow
		l.after += f.flow - l.now[b].flow
		if l.after > limit*1.02 {
			return l.after
		}
		if end == len(l.jobs) || end > through && m.same(&l.now[b+1], changed) {
			l.last = b
			return l.after
		}
	}
}

// same says whether two lines are the same and have none of the changed jobs.
func (m *moment) same(o *moment, changed []int) bool {
	if m.option != o.option || len(m.line) != len(o.line) {
		return false
	}
	for k, h := range m.line {
		g := o.line[k]
		if h.job != g.job || h.key != g.key || math.Abs(h.work-g.work) > 1e-10*g.work || slices.Contains(changed, h.job) {
			return false
		}
	}
	return true
}

// arrival puts job j in line.
func (l *lister) arrival(m moment, j int) moment {
	l.stood += len(m.line)
	m.join(held{j, l.work[j], l.choices.key[j]})
	m.follow(&l.choices.arrived[j])
	return m
}

// join puts a job in line by its key.
func (m *moment) join(h held) {
	at, _ := slices.BinarySearchFunc(m.line, h.key, func(h held, x float64) int { return cmp.Compare(h.key, x) })
	m.line = slices.Insert(m.line, at, h)
}

// follow does what an event says.
func (m *moment) follow(e *event) {
	m.option = e.option
	if e.job < 0 {
		return
	}
	if at := slices.IndexFunc(m.line, func(h held) bool { return h.job == int(e.job) }); at >= 0 {
		h := m.line[at]
		h.key = e.key
		m.line = slices.Delete(m.line, at, at+1)
		m.join(h)
	}
}

// advance goes on from arrival i to the next one, or to the end.
func (l *lister) advance(m moment, i int) moment {
	now, next := l.at[i], math.Inf(1)
	if i+1 < len(l.at) {
		next = l.at[i+1]
	} else {
		slices.SortStableFunc(m.line, func(a, b held) int { return cmp.Compare(a.work, b.work) })
		m.option = 0
	}
	if i == 0 {
		l.write(0, now, nil, nil)
	}
	for now < next && len(m.line) > 0 {
		copies := l.split(len(m.line), int(m.option))
		end, due := next, -1
		for k, c := range copies {
			if t := now + m.line[k].work/l.in.Speedup[c-1]; t <= end {
				end, due = t, k
			}
		}
		l.write(now, end, m.line, copies)
		m.flow += float64(len(m.line)) * (end - now)
		for k, c := range copies {
			m.line[k].work -= l.in.Speedup[c-1] * (end - now)
		}
		now = end
		var then *event
		if due >= 0 {
			m.line[due].work = 0
			if i+1 < len(l.at) {
				then = &l.choices.left[m.line[due].job]
			}
		}
		rest := 0
		for k, h := range m.line[:len(copies)] {
			if h.work > left*l.work[h.job] {
				m.line[rest] = m.line[k]
				rest++
			} else {
				l.ended = append(l.ended, ending{h.job, now})
			}
		}
		m.line = slices.Delete(m.line, rest, len(copies))
		if then != nil {
			m.follow(then)
		}
	}
	if next < math.Inf(1) {
		l.write(now, next, nil, nil)
	}
	return m
}

// split returns the copies of the first of n jobs in line by views[option].
func (l *lister) split(n, option int) []int {
	s := &l.splits[n*len(views)+option]
	if *s == nil {
		v := views[option]
		if v.first > 0 {
			n = min(n, v.first)
		}
		*s = l.weights.Split(n, v.behind)
	}
	return *s
}

// write writes an interval down.
func (l *lister) write(start, end float64, line []held, copies []int) {
	if l.writes == nil || end <= start {
		return
	}
	iv := redundancy.Interval{Start: start, End: end}
	for k, c := range copies {
		iv.Alloc = append(iv.Alloc, redundancy.Allocation{Job: l.jobs[line[k].job], Copies: c, Share: 1})
	}
	slices.SortFunc(iv.Alloc, func(x, y redundancy.Allocation) int { return x.Job - y.Job })
	l.writes.Intervals = append(l.writes.Intervals, iv)
}
