package oracle

import (
	"math/big"

	"schedgap/models/flex"
)

// Opt returns the optimum over all malleable schedules: the least value of the linear programs of all n! completion
// orders. Under tardy and sla the choice of the step that each job meets is enumerated around that.
func Opt(in *flex.Instance) float64 {
	v, _ := opt(in)
	return rounded(v)
}

// opt returns a schedule of the optimal value as well.
func opt(in *flex.Instance) (best *big.Rat, s flex.Schedule) {
	if stepMetric(metric(in, 0)) { // and then all are
		return optSteps(in)
	}
	for order := range orders(len(in.Jobs)) {
		m := newModel(in, order)
		offset := m.minimisePenalties()
		x, v, ok := m.solve()
		if !ok {
			continue
		}
		v = add(v, offset)
		if best == nil || less(v, best) {
			best, s = v, m.schedule(x)
		}
	}
	return best, s
}

// optSteps chooses a step for one job after the other. Jobs without a choice may complete at any time, so a choice that
// is infeasible now stays so, and one that costs as much as the best known value is no improvement.
func optSteps(in *flex.Instance) (best *big.Rat, s flex.Schedule) {
	by := make([]*big.Rat, len(in.Jobs))
	var choose func(j int, paid *big.Rat, found flex.Schedule)
	choose = func(j int, paid *big.Rat, found flex.Schedule) {
		if best != nil && !less(paid, best) {
			return
		}
		if j == len(by) {
			best, s = paid, found
			return
		}
		for _, l := range levels(in, j) {
			by[j] = l.by
			if met, ok := meet(in, by); ok {
				choose(j+1, add(paid, l.penalty), met)
			}
		}
		by[j] = nil
	}
	choose(0, new(big.Rat), nil)
	return best, s
}

// meet looks for a schedule in which every job completes by its time; nil is no limit.
func meet(in *flex.Instance, by []*big.Rat) (flex.Schedule, bool) {
	for j, limit := range by {
		if limit != nil && less(limit, quo(exactly(in.Jobs[j].Work), whole(in.Jobs[j].Max))) {
			return nil, false
		}
	}
	for order := range orders(len(in.Jobs)) {
		m := newModel(in, order)
		for p, j := range order {
			if by[j] != nil {
				m.atMost(by[j], m.completion(p, whole(1)))
			}
		}
		if x, _, ok := m.solve(); ok {
			return m.schedule(x), true
		}
	}
	return nil, false
}

// A model is the linear program of one completion order. Interval q ends with the completion of order[q]. Instead of the
// work w_jq of a job in an interval it has what exceeds the minimum, w_jq − m_j·L_q, so that the minima are bounds.
type model struct {
	linear
	in     *flex.Instance
	order  []int
	length []int   // variable of L_q
	extra  [][]int // variable of w_jq − m_j·L_q by position of j and interval
}

func newModel(in *flex.Instance, order []int) *model {
	n := len(order)
	m := &model{linear: linear{cost: map[int]*big.Rat{}}, in: in, order: order, extra: make([][]int, n)}
	for range n {
		m.length = append(m.length, m.variable())
	}
	for p, j := range order {
		job := in.Jobs[j]
		total := map[int]*big.Rat{}
		for q := 0; q <= p; q++ {
			x := m.variable()
			m.extra[p] = append(m.extra[p], x)
			m.atMost(whole(0), map[int]*big.Rat{x: whole(1), m.length[q]: whole(job.Min - job.Max)})
			total[x], total[m.length[q]] = whole(1), whole(job.Min)
		}
		m.equals(exactly(job.Work), total)
	}
	for q := range n {
		free := in.Slots
		used := map[int]*big.Rat{}
		for p := q; p < n; p++ {
			free -= in.Jobs[order[p]].Min
			used[m.extra[p][q]] = whole(1)
		}
		used[m.length[q]] = whole(-free)
		m.atMost(whole(0), used)
	}
	return m
}

// completion is f·C of the job at position p.
func (m *model) completion(p int, f *big.Rat) map[int]*big.Rat {
	c := map[int]*big.Rat{}
	for q := 0; q <= p; q++ {
		c[m.length[q]] = f
	}
	return c
}

// minimisePenalties makes the objective of in the program's cost, without the constant that it returns.
func (m *model) minimisePenalties() (offset *big.Rat) {
	offset = new(big.Rat)
	o := m.in.Objective
	var worst []int // the largest penalty, as a difference of two variables where it may be negative
	if o.Aggregate == flex.Max {
		worst = append(worst, m.variable())
		m.cost[worst[0]] = whole(1)
		negative := true
		for j := range m.in.Jobs {
			negative = negative && metric(m.in, j) == flex.Lateness
		}
		if negative {
			worst = append(worst, m.variable())
			m.cost[worst[1]] = whole(-1)
		}
	}
	for p, j := range m.order {
		f := factor(m.in, j)
		fd := mul(f, due(m.in, j))
		c := m.completion(p, f)
		switch {
		case o.Aggregate == flex.Max:
			for i, v := range worst {
				c[v] = whole(2*i - 1)
			}
			m.atMost(fd, c)
		case metric(m.in, j) == flex.Tardiness:
			late := m.variable()
			m.cost[late] = whole(1)
			c[late] = whole(-1)
			m.atMost(fd, c)
		default:
			for v, k := range c {
				if m.cost[v] == nil {
					m.cost[v] = new(big.Rat)
				}
				m.cost[v] = add(m.cost[v], k)
			}
			offset = sub(offset, fd)
		}
	}
	return offset
}

// schedule reads the intervals off a solution.
func (m *model) schedule(x []*big.Rat) flex.Schedule {
	var s flex.Schedule
	now := new(big.Rat)
	for q, v := range m.length {
		if x[v].Sign() == 0 {
			continue
		}
		end := add(now, x[v])
		iv := flex.Interval{Start: rounded(now), End: rounded(end)}
		for p, j := range m.order {
			share := flex.Share{Job: j}
			if p >= q {
				share.Slots = rounded(add(whole(m.in.Jobs[j].Min), quo(x[m.extra[p][q]], x[v])))
			}
			iv.Changes = append(iv.Changes, share)
		}
		s, now = append(s, iv), end
	}
	return s
}

// PackingGap returns the excess of the best schedule of the malleable packing scheme, over all n! priority orders, over the
// optimum over all malleable schedules, as a rational number: 0 says that some list schedule is optimal.
func PackingGap(in *flex.Instance) *big.Rat {
	packed, _ := bestMPS(in)
	best, _ := opt(in)
	return sub(packed, best)
}
