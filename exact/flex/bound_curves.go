package flex

import (
	"context"
	"math"
	"slices"

	"schedgap/exact/prices"
	"schedgap/models/flex"
)

// A curve is a job's payment, its penalty included, as a function of its completion time: it is at least the line through
// neighbouring points. Times are in units, costs in shares of the relaxation's size.
type curve struct{ at, cost []float64 }

// curves are the jobs' curves at some prices, and the slots' worth at them: every schedule costs at least
// Σ_j cost_j(C_j) − dual.
type curves struct {
	job  []curve
	dual float64
}

// A pricer finds prices for windows, from the last ones on. Copies go on from there independently.
type pricer struct {
	in     *flex.Instance
	relax  *relaxation
	at     []float64
	rows   []prices.Row
	points []prices.Point
}

func newPricer(in *flex.Instance, relax *relaxation) *pricer {
	times, _ := startTimes(in)
	p := &pricer{in: in, relax: relax}
	p.at = priceGrid(in, times)
	zero := prices.Point{Price: make([]float64, len(p.at)-1)}
	p.points = []prices.Point{zero, startPrices(in, times, p.at)}
	return p
}

// ascend returns the curves at better prices for jobs that complete between head and tail, in at most steps evaluations.
// value is the aim.
func (p *pricer) ascend(ctx context.Context, head, tail []float64, value float64, steps int) *curves {
	unit := p.relax.unit
	o, windows := newPricing(p.in), make([]prices.Window, len(head))
	for j := range head {
		w := prices.Window{From: head[j] * unit, To: tail[j] * unit}
		if o.jobs[j].min == o.jobs[j].max { // the one time it has
			w = prices.Always
		}
		w.From = min(w.From, o.jobs[j].late)
		w.To = max(w.To, w.From, o.jobs[j].early)
		windows[j] = w
	}
	r := &prices.Relaxation{
		Oracle: o, Jobs: len(head), At: p.at, Capacity: float64(p.in.Slots), Monotone: true, Windows: windows,
		Rows: slices.Clone(p.rows), // they are changed in place
	}
	c := &prices.Climb{
		Relaxation: r, Steps: steps, Bounded: func(float64) {},
		Violated: func(ctx context.Context, slack float64) []prices.Row { return covers(ctx, p.in, r, slack) },
	}
	c.Ascend(ctx, p.points, value)
	if math.IsInf(c.Best.Bound, -1) {
		return nil
	}
	p.at, p.rows, p.points = c.At, c.Rows, []prices.Point{c.Point}
	r.At, r.Rows, r.Windows = c.At, c.Rows, nil
	out := &curves{job: make([]curve, len(head))}
	dual, margin := r.Priced(c.Point, 0, func(j int, list []prices.Column) {
		f := &out.job[j]
		for _, col := range list {
			t, v := col.End/unit, col.Cost/p.relax.size
			if n := len(f.at); n > 0 && t <= f.at[n-1] {
				f.cost[n-1] = min(f.cost[n-1], v)
				continue
			}
			f.at, f.cost = append(f.at, t), append(f.cost, v)
		}
		// After the last price only penalties count, and they do not fall.
		if n := len(f.at); f.at[n-1] < p.relax.late[j] {
			f.at, f.cost = append(f.at, p.relax.late[j]), append(f.cost, f.cost[n-1])
		}
	})
	out.dual = (dual + margin) / p.relax.size
	return out
}

// value is the curve at t, before its first point that of the first.
func (f *curve) value(t float64) float64 {
	i := upper(f.at, t)
	switch {
	case i == 0:
		return f.cost[0]
	case i == len(f.at):
		return f.cost[i-1]
	}
	return between(f.at[i-1], f.cost[i-1], f.at[i], f.cost[i], t)
}

// upper is the index of the first number of sorted above t.
func upper(sorted []float64, t float64) int {
	lo, hi := 0, len(sorted)
	for lo < hi {
		if mid := (lo + hi) / 2; sorted[mid] > t {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}

func between(a, va, b, vb, t float64) float64 { return va + (vb-va)*(t-a)/(b-a) }

// least is the least value of f from lo to hi.
func (f *curve) least(lo, hi float64) float64 {
	v := min(f.value(lo), f.value(hi))
	for i := upper(f.at, lo); i < len(f.at) && f.at[i] < hi; i++ {
		v = min(v, f.cost[i])
	}
	return v
}

// span is the first and the last time from lo to hi at which f is at most most.
func (f *curve) span(lo, hi, most float64) (from, to float64) {
	first, end := upper(f.at, lo), upper(f.at, hi)
	point := func(i int) (t, cost float64) {
		switch {
		case i < first:
			return lo, f.value(lo)
		case i < end:
			return f.at[i], f.cost[i]
		}
		return hi, f.value(hi)
	}
	// search goes in steps of by from one end of the window until f is at most most.
	search := func(i, by int) (t float64, found bool) {
		last, above := point(i)
		for above > most {
			i += by
			if i < first-1 || i > end {
				return 0, false
			}
			t, cost := point(i)
			if cost <= most {
				return between(above, last, cost, t, most), true
			}
			last, above = t, cost
		}
		return last, true
	}
	from, found := search(first-1, 1)
	if !found {
		return math.Inf(1), math.Inf(-1)
	}
	to, _ = search(end, -1)
	return from, to
}
