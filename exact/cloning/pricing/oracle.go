package pricing

import (
	"math"
	"slices"
)

// An oracle finds the cheapest schedule of each job under prices of copies. It is for one goroutine.
type oracle struct {
	*instance
	at           []int        // the grid: interval i is the slots at[i]+1 … at[i+1]; from the last point on everything is free
	slot         int64        // price of a slot of a job's flowtime, in units
	price        [][]int64    // by phase and interval, of a copy in a slot
	rank         [][]int32    // by phase, the intervals by price
	prior        []completion // by job, where its best schedule was last
	sums         []int64      // of the cheapest slots
	phaseByPhase bool         // chains of two phases, too, are taken phase by phase: tests hold one way against the other
}

// A completion is the slot in which a job completes, and that of its first phase where that is chosen too.
type completion struct{ end, firstPhaseEnd int }

// infinite is the cost of what cannot be.
const infinite = math.MaxInt64 / 4

func newOracle(p *instance, at []int, slot int64) *oracle {
	o := &oracle{instance: p, slot: slot, prior: make([]completion, len(p.In.Jobs))}
	o.price, o.rank = make([][]int64, len(p.phases)), make([][]int32, len(p.phases))
	for k := range p.phases {
		o.sums = slices.Grow(o.sums[:0], p.phases[k].depth+1)[:max(len(o.sums), p.phases[k].depth+1)]
	}
	for j := range o.prior {
		for k := p.First[j]; k < p.First[j+1]; k++ {
			o.prior[j].end = max(o.prior[j].end, p.phases[k].Head+p.phases[k].Span+p.phases[k].Tail)
		}
	}
	o.regrid(at)
	return o
}

func (o *oracle) regrid(at []int) {
	o.at = at
	n := len(at) - 1
	for k := range o.phases {
		o.price[k] = make([]int64, n)
		o.rank[k] = make([]int32, n)
		for i := range o.rank[k] {
			o.rank[k][i] = int32(n - 1 - i)
		}
	}
}

// sort orders the intervals of phase k by price; they nearly are.
func (o *oracle) sort(k int) {
	rank, price := o.rank[k], o.price[k]
	for i := 1; i < len(rank); i++ {
		r := rank[i]
		c := price[r]
		j := i
		for ; j > 0 && price[rank[j-1]] > c; j-- {
			rank[j] = rank[j-1]
		}
		rank[j] = r
	}
}

// A buyer is called with a task's purchases: copies times slots in an interval.
type buyer func(interval int, units float64)

// task is the least cost of a task of phase k in slots from+1 … to.
func (o *oracle) task(k, from, to int, buy buyer) int64 {
	ph := &o.phases[k]
	if to-from < ph.Least {
		return infinite
	}
	if ph.Profiles != nil {
		return o.cheapestProfile(k, from, to, buy)
	}
	if len(ph.gain) == 1 {
		return o.cheapestUnits(k, from, to, buy)
	}
	units, gains := o.cheapestUnits(k, from, to, nil), o.cheapestGains(k, from, to, nil)
	if buy != nil {
		if units > gains {
			o.cheapestUnits(k, from, to, buy)
		} else {
			o.cheapestGains(k, from, to, buy)
		}
	}
	return max(units, gains)
}

// free is how many slots of a window are after the grid.
func (o *oracle) free(from, to int) int { return max(0, to-max(from, o.at[len(o.at)-1])) }

// within is how many slots of an interval are in a window.
func (o *oracle) within(i int32, from, to int) int {
	return min(o.at[i+1], to) - max(o.at[i], from)
}

// cheapestProfile is the cost of the cheapest profile: the slots with most copies are the cheapest ones.
func (o *oracle) cheapestProfile(k, from, to int, buy buyer) int64 {
	ph := &o.phases[k]
	sums := o.sums[:1] // by number of slots, the cheapest of them
	sums[0] = 0
	depth := min(ph.depth, to-from)
	for n := o.free(from, to); n > 0 && len(sums) <= depth; n-- {
		sums = append(sums, 0)
	}
	if len(sums) <= depth {
		price := o.price[k]
	fill:
		for _, i := range o.rank[k] {
			n := o.within(i, from, to)
			if n <= 0 {
				continue
			}
			c := price[i]
			last := sums[len(sums)-1]
			for ; n > 0; n-- {
				last += c
				sums = append(sums, last)
				if len(sums) > depth {
					break fill
				}
			}
		}
	}
	least, best := int64(infinite), -1
	for w, profile := range ph.Profiles {
		if profile[0] > depth {
			continue
		}
		total := int64(0)
		for _, n := range profile {
			total += sums[n]
		}
		if total < least {
			least, best = total, w
		}
	}
	if buy != nil && best >= 0 {
		profile := ph.Profiles[best]
		done := min(o.free(from, to), profile[0])
		for _, i := range o.rank[k] {
			if done >= profile[0] {
				break
			}
			n := o.within(i, from, to)
			if n <= 0 {
				continue
			}
			units := 0
			for _, m := range profile {
				units += max(0, min(m, done+n)-done)
			}
			buy(int(i), float64(units))
			done += n
		}
	}
	return least
}

// copiesIn is how many copies times slots, of those that are left, go into some slots.
func copiesIn(slots, most, left int) int {
	if slots >= (left+most-1)/most {
		return left
	}
	return slots * most
}

// cheapestUnits is the cheapest units of copies times slots, as many copies a slot as there may be.
func (o *oracle) cheapestUnits(k, from, to int, buy buyer) int64 {
	ph := &o.phases[k]
	most := len(ph.gain)
	left, cost := ph.Units-copiesIn(o.free(from, to), most, ph.Units), int64(0)
	price := o.price[k]
	for _, i := range o.rank[k] {
		if left <= 0 {
			break
		}
		n := o.within(i, from, to)
		if n <= 0 {
			continue
		}
		n = copiesIn(n, most, left)
		left -= n
		cost += int64(n) * price[i]
		if buy != nil {
			buy(int(i), float64(n))
		}
	}
	return cost
}

// rounding bounds the relative error of a purchase and of its part in a sum.
const rounding = 0x1p-50

// cheapestGains is the cheapest progress when the r-th copy brings h(r) − h(r−1) for a full price.
func (o *oracle) cheapestGains(k, from, to int, buy buyer) int64 {
	ph := &o.phases[k]
	left := ph.need - float64(o.free(from, to))*ph.Speedup[len(ph.gain)-1]
	if left <= 0 {
		return 0
	}
	rank, price := o.rank[k], o.price[k]
	var places [16]int
	next := places[:]
	if len(ph.gain) > len(next) {
		next = make([]int, len(ph.gain))
	}
	cost, last, terms := 0.0, 0.0, 1.0
	for left > 0 {
		best, rate, slots := -1, math.Inf(1), 0
		for r, g := range ph.gain {
			for next[r] < len(rank) && o.within(rank[next[r]], from, to) <= 0 {
				next[r]++
			}
			if next[r] == len(rank) {
				continue
			}
			i := rank[next[r]]
			if c := float64(price[i]) / g; c < rate {
				best, rate, slots = r, c, o.within(i, from, to)
			}
		}
		if best < 0 {
			break // rounding
		}
		i := rank[next[best]]
		next[best]++
		last = rate
		terms++
		take := min(float64(slots), left/ph.gain[best])
		left -= take * ph.gain[best]
		cost += take * float64(price[i])
		if buy != nil {
			buy(int(i), take)
		}
	}
	return int64(max(0, cost-terms*rounding*(cost+last*ph.need)))
}

// phaseCost is the least cost of all tasks of phase k in slots from+1 … to.
func (o *oracle) phaseCost(k, from, to int) int64 {
	c := o.task(k, from, to, nil)
	if c >= infinite/int64(o.phases[k].Tasks) {
		return infinite
	}
	return c * int64(o.phases[k].Tasks)
}

// chain reports whether job j is two phases, one after the other.
func (o *oracle) chain(j int) bool {
	k := o.First[j]
	return o.First[j+1] == k+2 && len(o.phases[k].Preds)+len(o.phases[k+1].Preds) == 1
}

// job is the least of (C − a_j)·slot + cost_j(C), less at most tolerance, and remembers where it is.
func (o *oracle) job(j int, tolerance int64) int64 {
	if !o.phaseByPhase && o.chain(j) {
		s := twoPhaseSearch{oracle: o, job: j, tolerance: tolerance}
		return s.least()
	}
	w := onePhaseSearch{oracle: o, job: j, tolerance: tolerance}
	return w.least()
}

// A onePhaseSearch takes every phase by itself, from its head to the completion less its tail.
type onePhaseSearch struct {
	*oracle
	job       int
	tolerance int64
	best      int64 // cost of the best completion found
	bound     int64 // no completion that was left out costs less
	at        int
}

func (w *onePhaseSearch) payment(end int) int64 {
	total := int64(0)
	for k := w.First[w.job]; k < w.First[w.job+1]; k++ {
		ph := &w.phases[k]
		total += w.phaseCost(k, ph.Head, end-ph.Tail)
		if total >= infinite {
			return infinite
		}
	}
	return total
}

func (w *onePhaseSearch) flow(end int) int64 { return int64(end-w.In.Jobs[w.job].Arrival) * w.slot }

func (w *onePhaseSearch) offer(end int, payment int64) {
	if c := w.flow(end) + payment; c < w.best {
		w.best, w.at = c, end
	}
}

func (o *oracle) earliest(j int) int {
	end := 0
	for k := o.First[j]; k < o.First[j+1]; k++ {
		end = max(end, o.phases[k].Head+o.phases[k].Span+o.phases[k].Tail)
	}
	return end
}

func (w *onePhaseSearch) least() int64 {
	from := w.earliest(w.job)
	w.best = infinite
	end := max(from, w.prior[w.job].end)
	w.offer(end, w.payment(end))
	w.bound = w.best
	// Past this completion the flowtime alone exceeds the best cost.
	last := max(end, w.In.Jobs[w.job].Arrival+int(min(w.best/w.slot, int64(w.lastUseful(end)))))
	p := w.payment(last)
	w.offer(last, p)
	w.search(from-1, last, p)
	w.prior[w.job] = completion{end: w.at}
	return min(w.best, w.bound)
}

// lastUseful is a flowtime after which nothing gets cheaper.
func (w *onePhaseSearch) lastUseful(end int) int {
	last := end
	for k := w.First[w.job]; k < w.First[w.job+1]; k++ {
		ph := &w.phases[k]
		last = max(last, max(w.oracle.at[len(w.oracle.at)-1], ph.Head)+ph.Alone+ph.Tail)
	}
	return last
}

// search looks at the completions lo+1 … hi, at hi's payment: no earlier one pays less.
func (w *onePhaseSearch) search(lo, hi int, payment int64) {
	if least := w.flow(lo+1) + payment; least >= w.best-w.tolerance {
		w.bound = min(w.bound, least)
		return
	}
	if hi-lo <= 1 {
		return
	}
	mid := lo + (hi-lo)/2
	p := w.payment(mid)
	w.offer(mid, p)
	w.search(mid, hi, payment)
	w.search(lo, mid, p)
}

// A twoPhaseSearch takes a chain of two phases over all completions and ends of the first phase.
type twoPhaseSearch struct {
	*oracle
	job       int
	tolerance int64
	best      int64
	bound     int64
	at        completion
}

func (s *twoPhaseSearch) flow(end int) int64 { return int64(end-s.In.Jobs[s.job].Arrival) * s.slot }

func (s *twoPhaseSearch) kinds() (a, b int) {
	k := s.First[s.job]
	if len(s.phases[k].Preds) > 0 {
		return k + 1, k
	}
	return k, k + 1
}

func (s *twoPhaseSearch) least() int64 {
	a, b := s.kinds()
	first, second := &s.phases[a], &s.phases[b]
	s.best = infinite
	end := max(s.earliest(s.job), s.prior[s.job].end)
	between := s.prior[s.job].firstPhaseEnd
	if between < first.Head+first.Span || between > end-second.Span {
		between = max(first.Head+first.Span, end-second.Span)
	}
	s.offer(between, end, s.phaseCost(a, first.Head, between)+s.phaseCost(b, between, end))
	s.bound = s.best
	// A phase that ends later than these pays no less: its copies are free, and it has its span.
	lastFirst := max(max(s.oracle.at[len(s.oracle.at)-1], first.Head)+first.Alone, first.Head+first.Span)
	last := lastFirst + max(second.Alone, second.Span)
	last = max(end, min(last, s.In.Jobs[s.job].Arrival+int(min(s.best/s.slot, int64(last)))))
	from := first.Head + first.Span
	box := rectangle{from - 1, min(lastFirst, last-second.Span), from + second.Span - 1, last}
	s.search(box, s.phaseCost(a, first.Head, box.first1), 0)
	s.prior[s.job] = s.at
	return min(s.best, s.bound)
}

func (s *twoPhaseSearch) offer(firstPhaseEnd, end int, payment int64) {
	if c := s.flow(end) + payment; c < s.best {
		s.best, s.at = c, completion{end, firstPhaseEnd}
	}
}

// A rectangle is ends first0+1 … first1 of the first phase and completions end0+1 … end1.
type rectangle struct{ first0, first1, end0, end1 int }

// search covers a rectangle. before is the first phase's cost by its last end. after is a lower bound on the second phase's; 0 means not
// computed.
func (s *twoPhaseSearch) search(x rectangle, before, after int64) {
	a, b := s.kinds()
	span := s.phases[b].Span
	x.end0 = max(x.end0, x.first0+span)
	cut := x.first1 > x.end1-span
	x.first1 = min(x.first1, x.end1-span)
	if x.first0 >= x.first1 || x.end0 >= x.end1 {
		return
	}
	if cut {
		before = s.phaseCost(a, s.phases[a].Head, x.first1)
	}
	flow := s.flow(x.end0 + 1)
	if least := flow + before + after; least >= s.best-s.tolerance {
		s.bound = min(s.bound, least)
		return
	}
	after = s.phaseCost(b, x.first0+1, x.end1)
	if least := flow + before + after; least >= s.best-s.tolerance {
		s.bound = min(s.bound, least)
		return
	}
	if x.first1-x.first0 == 1 && x.end1-x.end0 == 1 {
		s.offer(x.first1, x.end1, before+after)
		return
	}
	if x.end1-x.end0 >= x.first1-x.first0 {
		mid := x.end0 + (x.end1-x.end0)/2
		late, early := x, x
		late.end0, early.end1 = mid, mid
		s.search(late, before, after)
		s.search(early, before, after)
		return
	}
	mid := x.first0 + (x.first1-x.first0)/2
	late, early := x, x
	late.first0, early.first1 = mid, mid
	s.search(late, before, after)
	s.search(early, s.phaseCost(a, s.phases[a].Head, mid), after)
}

// purchases calls buy, by phase, with the copies of the job's last choice.
func (o *oracle) purchases(j int, buy func(k, interval int, units float64)) {
	c := o.prior[j]
	for k := o.First[j]; k < o.First[j+1]; k++ {
		ph := &o.phases[k]
		from, to := ph.Head, c.end-ph.Tail
		if !o.phaseByPhase && o.chain(j) {
			if len(ph.Preds) == 0 {
				to = c.firstPhaseEnd
			} else {
				from, to = c.firstPhaseEnd, c.end
			}
		}
		n := float64(ph.Tasks)
		o.task(k, from, to, func(i int, units float64) { buy(k, i, n*units) })
	}
}
