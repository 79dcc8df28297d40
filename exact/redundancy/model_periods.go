package redundancy

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models/redundancy"
)

// Periods is the model by periods. A period lasts from one moment of arrivals to the next, so that its length is a number. The
// order of completions cuts it into pieces: those that a completion ends, and the one that the next arrival ends.
var Periods = &formulation{
	Name: "periods",
	Doc: "periods between arrivals, cut into pieces by an order of completions\n\n" +
		"docs/problems/redundancy.md#models. In stages: with shares instead of whole copies, then with whole copies in the " +
		"order found; where the values do not meet, the shares in pieces that mix copies become whole, and so on.",
	Applies: func(in *redundancy.Instance) error {
		if in.Multitasking {
			return errors.New("it states whole machines, and the instance has multitasking")
		}
		if n := float64(len(in.Jobs)); n*n*n*float64(in.Machines+1) > mostColumns {
			return fmt.Errorf("it would have more than %g columns", mostColumns)
		}
		return nil
	},
	Rows: []exact.Row{
		{Name: "machines", Statement: "Σ_j Σ_r r·τ_jer ≤ M·L_e in every piece e"},
		{Name: "share", Statement: "Σ_r τ_jer ≤ L_e, and equal for the job that completes at the end of e"},
		{Name: "work", Statement: "Σ_e Σ_r h(r)·τ_jer = W_j"},
		{Name: "copies", Statement: "Σ_j Σ_r r·λ_jer ≤ M"},
		{Name: "one", Statement: "Σ_r λ_jer ≤ 1; for the job j that e ends Σ_(r>0) λ_jer = 1 − b_jk, k the last period"},
		{Name: "choice", Statement: "τ_jer ≤ (longest time on r copies)·λ_jer"},
		{Name: "event", Statement: "Σ_e L_e = length of the period; in the last one at most Σ_j W_j"},
		{Name: "ends", Statement: "L_e ≤ length·(b_jk − b_j(k+1)) for a piece of period k that job j ends"},
		{Name: "off", Statement: "Σ_r τ_jer ≤ length·d_ij for a piece that job i ends, ≤ length·b_j(k+1) for one that an " +
			"arrival ends"},
		{Name: "on", Statement: "Σ_r τ_jer ≥ L_e − length·d_ji, or ≥ L_e − length·(1 − b_j(k+1))"},
		{Name: "part", Statement: "Σ_e Σ_r τ_jer ≤ length·b_jk over the pieces of period k"},
		{Name: "whole", Statement: "Σ_e Σ_r τ_jer ≥ Σ_e L_e − length·(1 − b_j(k+1)) over the pieces of period k"},
		{Name: "arrival", Statement: "C_j = a_j + Σ_e Σ_r τ_jer, with waiting (r = 0)"},
		{Name: "late", Statement: "C_j ≥ a + (A_k − a)·b_jk, a = a_j + W_j/h(M) and A_k the beginning of period k"},
		{Name: "soon", Statement: "C_j ≤ A_k + (horizon − A_k)·b_jk"},
		{Name: "stay", Statement: "b_jk ≤ b_j(k−1)"},
		{Name: "order", Statement: "d_ij ≥ b_jk − b_ik, and ≥ 1 − b_ik where job j arrives at A_k"},
		{Name: "cycle", Statement: "0 ≤ d_ij + d_jl − d_il ≤ 1 for i < j < l"},
		{Name: "load", Statement: "M·(C_j − A_k) ≥ Σ_e Σ_r r·τ_jer + Σ_(i from A_k on) W_i·d_ij for every A_k ≤ a_j", Cut: true},
		{Name: "dominance", Statement: "d_ij = 1 where a_i ≤ a_j and W_i ≤ W_j, of relaxations", Cut: true},
	},
	Build: buildPeriods,
}

// A periodBuilder holds the columns.
type periodBuilder struct {
	frame
	begins []float64 // of periods
	first  []int     // period of a job's arrival
	end    []int     // C
	ahead  [][]int   // d[i][j], i < j
	there  [][]int   // b[j][k], −1: it has not come yet
	pieces []span
	choose [][][]int // λ by end of a piece (a job, or n + the period that an arrival ends), job and copies; nil: none
}

// A span is a piece of a period, which the completion of a job or the next arrival ends.
type span struct {
	period, end int     // end: the job, or n + period
	length      int     // column
	hold        [][]int // τ by job and copies, nil: the job has not come yet
}

// buildPeriods states the model with its relaxations: that of shares first, then ever more ends of pieces with whole copies, those
// where a relaxation's point mixes copies.
func buildPeriods(in *redundancy.Instance, _ exact.BuildOptions) (*exact.BuiltModel[redundancy.Solution], error) {
	built := periodsWithin(in, nil)
	built.Narrow = func(
		ctx context.Context, start *redundancy.Solution, solve func(*milp.Model) (*milp.Result, error),
	) (*exact.BuiltModel[redundancy.Solution], *redundancy.Solution, error) {
		return narrowPeriods(ctx, in, start, solve)
	}
	return built, nil
}

// periodsWithin states the model for the completions that are left; nil: all.
func periodsWithin(in *redundancy.Instance, left *completions) *exact.BuiltModel[redundancy.Solution] {
	b, shares := newPeriodBuilder(in, left), newPeriodBuilder(in, left)
	whole := make([]bool, len(b.order)+len(b.begins))
	b.wholeCopies(nil)
	shares.relaxed()
	return &exact.BuiltModel[redundancy.Solution]{
		Model: b.m, Relaxation: shares.m, Grain: b.grain(), Decode: b.decode, Encode: b.encode,
		Refine: func(x []float64) *milp.Model {
			if !b.mixed(x, whole) {
				return nil
			}
			r := newPeriodBuilder(in, left)
			r.wholeCopies(whole)
			r.dominance(false)
			return r.m
		},
	}
}

// relaxed makes copies shares, and lets a job wait in the piece that its completion ends.
func (b *periodBuilder) relaxed() {
	b.dominance(true)
	for _, p := range b.pieces {
		if p.end < len(b.order) {
			b.m.Cols[p.hold[p.end][0]].Hi = b.length(p.period)
		}
	}
}

// dominance states which jobs complete first. With shares of copies it is the job that arrives no later and has no more work. With whole
// copies this holds only against jobs of the last arrival, after which shares are worth no more, and for equal jobs.
func (b *periodBuilder) dominance(shares bool) {
	last := b.in.Jobs[b.order[len(b.order)-1]].Arrival
	for i := range b.order {
		for j := range b.order {
			before, after := &b.in.Jobs[b.order[i]], &b.in.Jobs[b.order[j]]
			equal := before.Work == after.Work && before.Arrival == after.Arrival
			if i == j || equal && i > j || before.Work > after.Work || before.Arrival > after.Arrival ||
				!(shares || equal || after.Arrival == last) {
				continue
			}
			b.m.Relate(fmt.Sprintf("dominance[%s,%s]", b.id(i), b.id(j)), 1, 1, b.before(i, j))
		}
	}
}

// mixed adds the ends of pieces before the last arrival in which a job of a point has several numbers of copies, and reports
// whether there are any.
func (b *periodBuilder) mixed(x []float64, ends []bool) (more bool) {
	const some = 1e-7 // of a piece
	for _, p := range b.pieces {
		for _, hold := range p.hold {
			held := 0
			for _, tau := range hold {
				if x[tau] > some*x[p.length] {
					held++
				}
			}
			if held > 1 && !ends[p.end] && !b.last(p) {
				ends[p.end], more = true, true
			}
		}
	}
	return more
}

// last reports whether a piece begins when all jobs have arrived: then shares are worth no more than whole copies
// (docs/design/redundancy.md#optimum-once-all-jobs-have-arrived), so that none are chosen.
func (b *periodBuilder) last(p span) bool { return p.period+1 == len(b.begins) }

// newPeriodBuilder states the columns and rows that the relaxations and the model share. With nil completions all times and orders are
// left.
func newPeriodBuilder(in *redundancy.Instance, left *completions) *periodBuilder {
	n := len(in.Jobs)
	b := &periodBuilder{frame: newFrame(in, "periods")}
	for k := range n {
		if a := b.arrival(k); len(b.begins) == 0 || a > b.begins[len(b.begins)-1] {
			b.begins = append(b.begins, a)
		}
		b.first = append(b.first, len(b.begins)-1)
	}
	for j := range n {
		least, most := b.arrival(j)+b.work(j)/in.Speedup[in.Machines-1], b.top
		if left != nil {
			least, most = max(least, left.windows[j].From/b.unit), min(most, left.windows[j].To/b.unit)
		}
		b.end = append(b.end, b.m.AddCol(milp.Col{Name: fmt.Sprintf("C[%s]", b.id(j)), Lo: least, Hi: most, Cost: b.unit}))
	}
	b.addArrivals(1)
	b.orders(left)
	for k := range b.begins {
		b.period(k)
	}
	b.works()
	return b
}

// length is the length of period k.
func (b *periodBuilder) length(k int) float64 {
	if k+1 < len(b.begins) {
		return b.begins[k+1] - b.begins[k]
	}
	return b.top - b.begins[k]
}

// before is 1 when job i completes before job j.
func (b *periodBuilder) before(i, j int) milp.Sum {
	if i < j {
		return milp.Of(b.ahead[i][j], 1)
	}
	return append(milp.Of(b.ahead[j][i], -1), milp.Const(1)...)
}

// present is 1 while job j is there at the beginning of period k, in which or before which it arrives.
func (b *periodBuilder) present(j, k int) milp.Sum {
	switch {
	case k <= b.first[j]:
		return milp.Const(1)
	case k == len(b.begins):
		return nil
	}
	return milp.Of(b.there[j][k], 1)
}

// orders adds the order of completions, and who is there at the beginnings of periods.
func (b *periodBuilder) orders(left *completions) {
	n, m := len(b.order), b.m
	for j := range n {
		b.ahead = append(b.ahead, make([]int, n))
		for i := j + 1; i < n; i++ {
			b.ahead[j][i] = m.Binary(fmt.Sprintf("d[%s,%s]", b.id(j), b.id(i)), 0)
			switch d := &m.Cols[b.ahead[j][i]]; {
			case left == nil:
			case !left.first[i][j]:
				d.Lo = 1
			case !left.first[j][i]:
				d.Hi = 0
			}
		}
		there := make([]int, len(b.begins))
		least := m.Cols[b.end[j]].Lo
		for k := range there {
			there[k] = -1
			if k <= b.first[j] {
				continue
			}
			label := fmt.Sprintf("[%s,%d]", b.id(j), k)
			there[k] = m.Binary("b"+label, 0)
			at := b.begins[k]
			if later := at - least; later > 0 {
				m.Relate("late"+label, least, milp.Inf, milp.Of(b.end[j], 1), milp.Of(there[k], -later))
			} else if least > at*(1+1e-12) {
				m.Cols[there[k]].Lo = 1 // it cannot be done by then
			}
			if m.Cols[b.end[j]].Hi < at {
				m.Cols[there[k]].Hi = 0
			}
			m.Relate("soon"+label, -milp.Inf, at, milp.Of(b.end[j], 1), milp.Of(there[k], at-b.top))
			if k > b.first[j]+1 {
				m.Relate("stay"+label, 0, milp.Inf, milp.Of(there[k-1], 1), milp.Of(there[k], -1))
			}
		}
		b.there = append(b.there, there)
	}
	for i := range n {
		for j := range n {
			for k := b.first[i] + 1; k < len(b.begins) && i != j; k++ {
				if k >= b.first[j] {
					m.Relate(fmt.Sprintf("order[%s,%s,%d]", b.id(i), b.id(j), k), 0, milp.Inf, b.before(i, j), b.present(i, k),
						b.present(j, k).Times(-1))
				}
			}
			for l := j + 1; l < n && i < j; l++ {
				m.Relate(fmt.Sprintf("cycle[%d,%d,%d]", i, j, l), 0, 1, b.before(i, j), b.before(j, l), b.before(i, l).Times(-1))
			}
		}
	}
}

// period adds the pieces of period k.
func (b *periodBuilder) period(k int) {
	n, m, last, length := len(b.order), b.m, k+1 == len(b.begins), b.length(k)
	var here []int
	for j := range n {
		if b.first[j] <= k {
			here = append(here, j)
		}
	}
	ends := slices.Clone(here)
	if !last {
		ends = append(ends, n+k)
	}
	var all milp.Sum
	active := make([]milp.Sum, n)
	for _, end := range ends {
		name := "next"
		if end < n {
			name = b.id(end)
		}
		label := fmt.Sprintf("[%s,%d]", name, k)
		p := span{period: k, end: end, length: m.AddCol(milp.Col{Name: "L" + label, Hi: length}), hold: make([][]int, n)}
		long := milp.Of(p.length, 1)
		all = append(all, long...)
		if end < n {
			m.Relate("ends"+label, -milp.Inf, 0, long, b.present(end, k).Times(-length), b.present(end, k+1).Times(length))
		}
		machines := long.Times(-float64(b.in.Machines))
		for _, j := range here {
			label := fmt.Sprintf("[%s,%s,%d]", b.id(j), name, k)
			for r := range b.in.Machines + 1 {
				most := length
				switch {
				case r > 0: // the time that r copies take for all of the work
					most = min(length, b.work(j)/b.in.Speedup[r-1])
				case j == end:
					most = 0 // else it could wait and end where it pleases
				}
				tau := m.AddCol(milp.Col{Name: fmt.Sprintf("tau[%s,%s,%d,%d]", b.id(j), name, k, r), Hi: most})
				p.hold[j] = append(p.hold[j], tau)
				machines = append(machines, milp.Of(tau, float64(r))...)
			}
			time := milp.Total(p.hold[j]...)
			active[j] = append(active[j], time...)
			if j == end {
				m.Relate("share"+label, 0, 0, time, long.Times(-1))
				continue
			}
			m.Relate("share"+label, -milp.Inf, 0, time, long.Times(-1))
			off, on := b.present(j, k+1), append(b.present(j, k+1).Times(-1), milp.Const(1)...)
			if end < n {
				off, on = b.before(end, j), b.before(j, end)
			}
			m.Relate("off"+label, -milp.Inf, 0, time, off.Times(-length))
			m.Relate("on"+label, 0, milp.Inf, time, long.Times(-1), on.Times(length))
		}
		m.Relate("machines"+label, -milp.Inf, 0, machines)
		b.pieces = append(b.pieces, p)
	}
	least := length
	if last {
		least = -milp.Inf
	}
	m.Relate(fmt.Sprintf("event[%d]", k), least, length, all)
	for _, j := range here {
		label := fmt.Sprintf("[%s,%d]", b.id(j), k)
		m.Relate("part"+label, -milp.Inf, 0, active[j], b.present(j, k).Times(-length))
		if !last {
			m.Relate("whole"+label, -length, milp.Inf, active[j], all.Times(-1), b.present(j, k+1).Times(-length))
		}
	}
}

// works states works, ends and loads.
func (b *periodBuilder) works() {
	copies := float64(b.in.Machines)
	for j := range b.order {
		var time, machines milp.Sum
		var hold [][]int
		for _, p := range b.pieces {
			hold = append(hold, p.hold[j])
			for r, tau := range p.hold[j] {
				time, machines = append(time, milp.Of(tau, -1)...), append(machines, milp.Of(tau, -float64(r))...)
			}
		}
		end := milp.Of(b.end[j], 1)
		b.m.Relate(fmt.Sprintf("arrival[%s]", b.id(j)), b.arrival(j), b.arrival(j), end, time)
		b.addWork(j, hold)
		for k := range b.first[j] + 1 {
			load := append(end.Times(copies), machines...)
			for i := range b.order {
				if b.first[i] >= k && i != j {
					load = append(load, b.before(i, j).Times(-b.work(i))...)
				}
			}
			b.m.Relate(fmt.Sprintf("load[%s,%d]", b.id(j), k), copies*b.begins[k], milp.Inf, load)
		}
	}
}

// wholeCopies makes copies whole in the pieces that the given ends bound; nil means in all pieces. Only one piece of an end has a positive
// length, so they share one choice.
func (b *periodBuilder) wholeCopies(ends []bool) {
	n, m := len(b.order), b.m
	b.choose = make([][][]int, n+len(b.begins))
	for end := range b.choose {
		b.choose[end] = make([][]int, n)
		pieces := slices.DeleteFunc(slices.Clone(b.pieces), func(p span) bool { return p.end != end || b.last(p) })
		if len(pieces) == 0 || ends != nil && !ends[end] {
			continue
		}
		name := fmt.Sprintf("next,%d", end-n)
		if end < n {
			name = b.id(end)
		}
		var copies milp.Sum
		for j := range n {
			if pieces := slices.DeleteFunc(slices.Clone(pieces), func(p span) bool { return p.hold[j] == nil }); len(pieces) > 0 {
				copies = append(copies, b.choice(j, pieces, b.id(j)+","+name)...)
			}
		}
		m.Relate("copies["+name+"]", -milp.Inf, float64(b.in.Machines), copies)
	}
}

// choice adds the choice of job j's copies in pieces of one end, and returns how many they are.
func (b *periodBuilder) choice(j int, pieces []span, label string) (copies milp.Sum) {
	m, end, least := b.m, pieces[0].end, -milp.Inf
	var one milp.Sum
	for r := range b.in.Machines + 1 {
		if r == 0 && j == end {
			b.choose[end][j] = append(b.choose[end][j], -1)
			continue
		}
		var held milp.Sum
		longest := 0.0
		for _, p := range pieces {
			held = append(held, milp.Of(p.hold[j][r], 1)...)
			longest = max(longest, m.Cols[p.hold[j][r]].Hi)
		}
		l := m.Binary(fmt.Sprintf("l[%s,%d]", label, r), 0)
		b.choose[end][j] = append(b.choose[end][j], l)
		m.Relate(fmt.Sprintf("choice[%s,%d]", label, r), -milp.Inf, 0, held, milp.Of(l, -longest))
		one, copies = append(one, milp.Of(l, 1)...), append(copies, milp.Of(l, float64(r))...)
	}
	if j == end {
		one, least = append(one, milp.Of(b.there[j][len(b.begins)-1], 1)...), 1
	}
	m.Relate("one["+label+"]", least, 1, one)
	return copies
}
