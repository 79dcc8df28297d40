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
	o := &offers{p, q, pay, list}
	switch {
	case q.max == q.min: // C = W/m = W/M; x does not matter
		f := 0.0
		if q.steps != nil {
			f = q.stepPenalty(from)
		} else {
			f = q.penalty(from)
		}
		o.add(f, from, 0, p.interval(from), 0)
	case q.steps != nil:
		o.atSteps(from, to)
	default:
		o.atBends(from, to)
	}
	return o.list
}

// offers are the columns of one job in a window: by its completion C, and the moment x ≤ C at which it changes from its minimum to its
// maximum.
type offers struct {
	*pricing
	q    *pricedJob
	pay  []float64 // by interval that C lies in, beside the prices; nil means nothing
	list []prices.Column
}

// add appends the column of C = c in interval ic and x in interval ix.
func (o *offers) add(penalty, c, x float64, ic, ix int) {
	cost := penalty + o.q.max*o.integral(c, ic) - (o.q.max-o.q.min)*o.integral(x, ix)
	if o.pay != nil {
		cost += o.pay[ic]
	}
	o.list = append(o.list, prices.Column{Cost: cost, Interval: ic, End: c, Turn: x})
}

// turn is the x of C = c.
func (o *offers) turn(c float64) float64 {
	return min(c, max(0, (o.q.max*c-o.q.work)/(o.q.max-o.q.min)))
}

// atSteps offers completions at the steps of a step penalty: between two of them nothing but prices counts, so as late as possible.
func (o *offers) atSteps(from, to float64) {
	last := len(o.price)
	penalty := 0.0
	for _, s := range o.q.steps {
		if c := min(s.At, to); c >= from {
			x := o.turn(c)
			o.add(penalty, c, x, o.interval(c), o.interval(x))
		}
		if s.At >= to {
			return
		}
		penalty = s.Penalty
	}
	// After the last step, too, as late as possible.
	c := min(to, (o.q.work+(o.q.max-o.q.min)*o.at[last])/o.q.max)
	c = max(c, min(to, o.at[last]))
	if c >= from {
		x := o.turn(c)
		o.add(penalty, c, x, o.interval(c), o.interval(x))
	}
}

// atBends offers completions at the bends of a convex penalty's cost, which is linear between them: where C or x comes to a grid point,
// the due date and the ends.
func (o *offers) atBends(from, to float64) {
	q, last := o.q, len(o.price)
	c, x := from, o.turn(from)
	ic, ix := o.interval(c), o.interval(x)
	ratio := (q.max - q.min) / q.max
	head := q.work / q.max
	kink := q.kink && q.due > from
	for {
		o.add(q.penalty(c), c, x, ic, ix)
		if c >= to || ix == last {
			return
		}
		next, nx := to, -1.0
		endMoves, turnMoves := false, false // to the next interval
		if ic < last && o.at[ic+1] <= next {
			next, endMoves = o.at[ic+1], true
		}
		if c2 := head + ratio*o.at[ix+1]; c2 <= next {
			next, nx, turnMoves = c2, o.at[ix+1], true
			if c2 < o.at[min(ic+1, last)] || ic == last {
				endMoves = false
			}
		}
		if kink && q.due <= next {
			kink = false
			if q.due < next {
				next, endMoves, turnMoves = q.due, false, false
			}
		}
		c = max(c, next)
		if endMoves {
			ic++
		}
		if turnMoves {
			ix++
			x = nx
		} else {
			x = max(x, min(o.turn(c), o.at[ix+1]))
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
