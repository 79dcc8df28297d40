package flex

import (
	"math"
	"sort"

	"schedgap/exact/prices"
	"schedgap/models/flex"
)

// pricing answers prices for a sum objective. At prices that do not increase with time a job that completes at C is cheapest
// when it runs as late as it may: at its minimum m until x = (M·C − W)/(M − m), at its maximum M from then on. So it pays
// m·Λ(x) + M·(Λ(C) − Λ(x)), Λ the integral of the prices, which is linear in C between the points where C or x is on the
// grid.
type pricing struct {
	in        *flex.Instance
	jobs      []pricedJob
	at        []float64
	price     []float64
	paid      []float64 // Λ at the points of at
	magnitude float64
	works     float64
	change    []float64 // of a rate, by interval
}

// A pricedJob is a job as the oracle sees it.
type pricedJob struct {
	work, min, max float64
	factor         float64
	early, late    float64 // range of completion times
	due            float64 // convex penalties: factor·(C − due), with a kink at least 0
	kink           bool
	steps          []flex.Step // step penalties, the tolerance and the factor in them; nil for convex ones
}

func newPricing(in *flex.Instance) *pricing {
	p := &pricing{in: in, jobs: make([]pricedJob, len(in.Jobs))}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		q := pricedJob{
			work: job.Work, min: float64(job.Min), max: float64(job.Max), factor: in.Factor(j),
			early: flex.Earliest(in, j), late: math.Inf(1),
		}
		if job.Min > 0 {
			q.late = max(q.early, job.Work/q.min)
		}
		switch in.Objective.Metric {
		case flex.Tardiness:
			q.due, q.kink = *job.Deadline, true
		case flex.Lateness:
			q.due = *job.Deadline
		case flex.Tardy:
			q.steps = []flex.Step{{At: *job.Deadline, Penalty: 1}}
		case flex.SLA:
			q.steps = job.Steps
		}
		if q.steps != nil {
			q.steps = append([]flex.Step{}, q.steps...)
			for i := range q.steps {
				q.steps[i].At += flex.Tolerance * math.Abs(q.steps[i].At)
				q.steps[i].Penalty *= q.factor
			}
		}
		p.jobs[j] = q
		p.works += job.Work
	}
	return p
}

// SetPrices implements prices.Oracle.
func (p *pricing) SetPrices(at, price []float64) {
	p.at, p.price = at, price
	p.paid = append(p.paid[:0], 0)
	for i, v := range price {
		p.paid = append(p.paid, p.paid[i]+v*(at[i+1]-at[i]))
	}
	p.magnitude = price[0] * p.works
}

// Magnitude implements prices.Oracle.
func (p *pricing) Magnitude() float64 { return p.magnitude }

// interval is the index of the last grid point at or before t ≥ 0.
func (p *pricing) interval(t float64) int {
	return sort.Search(len(p.at), func(i int) bool { return p.at[i] > t }) - 1
}

// integral is Λ(t) for t in interval i.
func (p *pricing) integral(t float64, i int) float64 {
	if i == len(p.price) {
		return p.paid[i]
	}
	return p.paid[i] + p.price[i]*(t-p.at[i])
}

// penalty is f_j at c, of a convex penalty.
func (q *pricedJob) penalty(c float64) float64 {
	v := c - q.due
	if q.kink && v < 0 {
		v = 0
	}
	return q.factor * v
}

// Columns implements prices.Oracle.
func (p *pricing) Columns(j int, w prices.Window, pay []float64, _ float64, list []prices.Column) []prices.Column {
	q := &p.jobs[j]
	from, to := max(q.early, w.From), min(q.late, w.To)
	if from > to {
		return list
	}
	offer := func(penalty, c, x float64, ic, ix int) {
		cost := penalty + q.max*p.integral(c, ic) - (q.max-q.min)*p.integral(x, ix)
		if pay != nil {
			cost += pay[ic]
		}
		list = append(list, prices.Column{Cost: cost, Interval: ic, End: c, Turn: x})
	}
	last := len(p.price)
	spread := q.max - q.min
	at := func(c float64) (x float64) {
		if spread == 0 {
			return 0
		}
		return min(c, max(0, (q.max*c-q.work)/spread))
	}
	if spread == 0 { // C = W/m = W/M; x does not matter
		c := from
		ic := p.interval(c)
		f := 0.0
		if q.steps != nil {
			f = q.stepPenalty(c)
		} else {
			f = q.penalty(c)
		}
		offer(f, c, 0, ic, 0)
		return list
	}
	if q.steps != nil {
		penalty := 0.0
		for _, s := range q.steps {
			if c := min(s.At, to); c >= from {
				x := at(c)
				offer(penalty, c, x, p.interval(c), p.interval(x))
			}
			if s.At >= to {
				return list
			}
			penalty = s.Penalty
		}
		// After the last step nothing but prices counts: as late as possible.
		c := min(to, (q.work+spread*p.at[last])/q.max)
		c = max(c, min(to, p.at[last]))
		if c >= from {
			x := at(c)
			offer(penalty, c, x, p.interval(c), p.interval(x))
		}
		return list
	}
	c, x := from, at(from)
	ic, ix := p.interval(c), p.interval(x)
	ratio := spread / q.max
	head := q.work / q.max
	kink := q.kink && q.due > from
	for {
		offer(q.penalty(c), c, x, ic, ix)
		if c >= to || ix == last {
			return list
		}
		// The next breakpoint is where C or x comes to a grid point, the kink or the end.
		next, nx, step := to, -1.0, 0
		if ic < last && p.at[ic+1] <= next {
			next, step = p.at[ic+1], 1
		}
		if c2 := head + ratio*p.at[ix+1]; c2 <= next {
			next, nx = c2, p.at[ix+1]
			step |= 2
			if c2 < p.at[min(ic+1, last)] || ic == last {
				step = 2
			}
		}
		if kink && q.due <= next {
			kink = false
			if q.due < next {
				next, step = q.due, 0
			}
		}
		c = max(c, next)
		if step&1 != 0 {
			ic++
		}
		if step&2 != 0 {
			ix++
			x = nx
		} else {
			x = max(x, min(at(c), p.at[ix+1]))
		}
	}
}

// stepPenalty is f_j at c, of a step penalty.
func (q *pricedJob) stepPenalty(c float64) float64 {
	v := 0.0
	for _, s := range q.steps {
		if c > s.At {
			v = s.Penalty
		}
	}
	return v
}

// Use implements prices.Oracle. A column's rate changes twice, at its turn and at its end: changes are summed up over the
// grid once.
func (p *pricing) Use(j int, list []prices.Column, used []float64) {
	q := &p.jobs[j]
	last := len(used)
	if cap(p.change) < last {
		p.change = make([]float64, last)
	}
	change := p.change[:last]
	clear(change)
	turned := 0 // the interval of the last turn
	for _, c := range list {
		if c.Weight == 0 {
			continue
		}
		slow, fast := c.Weight*q.min, c.Weight*q.max
		if q.max == q.min {
			slow = fast
		}
		change[0] += slow
		if fast != slow {
			if c.Turn < p.at[turned] {
				turned = p.interval(c.Turn)
			}
			for turned < last && p.at[turned+1] <= c.Turn {
				turned++
			}
			if turned < last {
				used[turned] -= (fast - slow) * (c.Turn - p.at[turned])
				change[turned] += fast - slow
			}
		}
		if c.Interval < last {
			used[c.Interval] += fast * (c.End - p.at[c.Interval])
			change[c.Interval] -= fast
		}
	}
	rate := 0.0
	for i, v := range change {
		rate += v
		used[i] += rate * (p.at[i+1] - p.at[i])
	}
}
