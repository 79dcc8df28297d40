package flex

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"schedgap/exact"
	"schedgap/exact/milp"
	verifyflex "schedgap/exact/verify/flex"
	"schedgap/models/flex"
)

// orderRows are the rows that the order models share. Interval q ends with a completion; a_jq says whether job j is active in it.
var orderRows = []exact.Row{
	{Name: "slots", Statement: "Σ_j w_jq ≤ S·L_q"},
	{Name: "minimum", Statement: "w_jq ≥ m_j·l_jq"},
	{Name: "maximum", Statement: "w_jq ≤ M_j·l_jq"},
	{Name: "work", Statement: "Σ_q w_jq = W_j"},
	{Name: "end", Statement: "C_j = Σ_q l_jq"},
	{Name: "all", Statement: "l_jq = L_q where job j is active whatever the order"},
	{Name: "in", Statement: "l_jq ≤ L_q"},
	{Name: "off", Statement: "l_jq ≤ C̄_j·a_jq, C̄_j the latest end of job j: 0 where job j is not active"},
	{Name: "on", Statement: "l_jq ≥ L_q − (1 − a_jq): all of the interval where it is"},
	{Name: "penalty", Statement: "z ≥ w_j·f_j(C_j), max objectives, f_j linear in C_j"},
	{Name: "tardiness", Statement: "T_j ≥ C_j − d_j"},
	{Name: "step", Statement: "C_j ≤ a_k + (C̄_j − a_k)·U_jk: U_jk is 1 if job j passes its k-th step"},
	{Name: "steps", Statement: "U_jk ≤ U_j(k−1)"},
}

// A modelBuilder writes the part that the order models share: the work of jobs in the intervals between completions, and the
// objective as a function of the completion times. Times are in units of the horizon, so that feasibility tolerances mean
// the same in every instance; the objective is in the instance's own units.
type modelBuilder struct {
	in   *flex.Instance
	m    *milp.Model
	unit float64   // of time: the horizon
	late []float64 // largest completion times, in units

	before [][]bool // pairs of jobs that some optimal schedule completes in this order, all at once

	length []int   // column of an interval's length
	part   [][]int // part[j][q]: how long job j is active in interval q: all of it or nothing
	work   [][]int // work[j][q]: the work that job j does in interval q
	end    []int   // column of job j's completion time

	peak   int     // column of the largest penalty; −1 for sums
	tardy  []int   // column of job j's tardiness; −1
	passed [][]int // passed[j][k]: column of whether job j passes its k-th step
}

func newModelBuilder(in *flex.Instance, name string) *modelBuilder {
	n := len(in.Jobs)
	b := &modelBuilder{
		in: in, m: &milp.Model{Name: in.Name + "-" + name}, late: make([]float64, n), peak: -1,
		tardy: make([]int, n), passed: make([][]int, n), unit: flex.Horizon(in),
	}
	for j := range in.Jobs {
		least := flex.Earliest(in, j) / b.unit
		b.late[j] = flex.Latest(in, j, b.unit) / b.unit
		b.end = append(b.end, b.m.AddCol(milp.Col{Name: fmt.Sprintf("C[%s]", in.Jobs[j].ID), Lo: least, Hi: b.late[j]}))
		b.tardy[j] = -1
	}
	if o := in.Objective; o.Aggregate == flex.Sum && o.Metric != flex.Tardy && o.Metric != flex.SLA {
		b.before = verifyflex.Pairs(in)
	}
	b.objective()
	return b
}

// grain is the shortest time in which a job can be done by itself, in units of the horizon.
func grain(in *flex.Instance) float64 {
	least := math.Inf(1)
	for j := range in.Jobs {
		least = min(least, in.Jobs[j].Work/float64(in.Jobs[j].Max))
	}
	return least / flex.Horizon(in)
}

// objective adds the penalties as functions of the completion times; a minimiser makes the inequalities tight.
func (b *modelBuilder) objective() {
	in, m, metric := b.in, b.m, b.in.Objective.Metric
	if in.Objective.Aggregate == flex.Max {
		b.peak = m.AddCol(milp.Col{Name: "peak", Lo: -milp.Inf, Hi: milp.Inf, Cost: 1})
		if metric == flex.Tardiness {
			m.Cols[b.peak].Lo = 0
		}
	}
	for j := range in.Jobs {
		job, f := &in.Jobs[j], in.Factor(j)*b.unit
		label, end, due := "["+job.ID+"]", milp.Of(b.end[j], 1), milp.Const(0)
		if job.Deadline != nil && metric.NeedsDeadline() {
			due = milp.Const(*job.Deadline / b.unit)
		}
		switch {
		case b.peak >= 0:
			m.Relate("penalty"+label, 0, milp.Inf, milp.Of(b.peak, 1), end.Times(-f), due.Times(f))
		case metric == flex.Tardiness:
			b.tardy[j] = m.AddCol(milp.Col{Name: "T" + label, Hi: milp.Inf, Cost: f})
			m.Relate("tardiness"+label, 0, milp.Inf, milp.Of(b.tardy[j], 1), end.Times(-1), due)
		case metric == flex.Tardy || metric == flex.SLA:
			b.steps(j)
		default:
			m.Pay(end.Times(f))
			m.Pay(due.Times(-f))
		}
	}
}

// steps adds one binary for each time that job j's penalty jumps at: whether the job ends after it.
func (b *modelBuilder) steps(j int) {
	before := 0.0
	for k, t := range b.in.StepTimes(j) {
		label, after := fmt.Sprintf("[%s,%d]", b.in.Jobs[j].ID, k), b.in.Penalty(j, flex.JustAfter(t))
		col := b.m.Binary("U"+label, after-before)
		before = after
		due := t / b.unit
		if over := b.late[j] - due; over > 0 {
			b.m.Relate("step"+label, -milp.Inf, due, milp.Of(b.end[j], 1), milp.Of(col, -over))
		}
		if k > 0 {
			b.m.Relate("steps"+label, 0, milp.Inf, milp.Of(b.passed[j][k-1], 1), milp.Of(col, -1))
		}
		b.passed[j] = append(b.passed[j], col)
	}
}

// allocation adds interval lengths, active parts and works. active is 1 when job j is active in interval q and 0 when not, or nil
// when it always is.
func (b *modelBuilder) allocation(names []string, active func(j, q int) milp.Sum) {
	in, m := b.in, b.m
	for _, name := range names {
		b.length = append(b.length, m.AddCol(milp.Col{Name: "L" + name, Hi: 1}))
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		var parts, works []int
		for q, name := range names {
			label := fmt.Sprintf("[%s]%s", job.ID, name)
			parts = append(parts, m.AddCol(milp.Col{Name: "l" + label, Hi: b.late[j]}))
			works = append(works, m.AddCol(milp.Col{Name: "w" + label, Hi: job.Work / b.unit}))
			part, work, less := milp.Of(parts[q], 1), milp.Of(works[q], 1), milp.Of(b.length[q], -1)
			m.Relate("maximum"+label, -milp.Inf, 0, work, part.Times(-float64(job.Max)))
			if job.Min > 0 {
				m.Relate("minimum"+label, 0, milp.Inf, work, part.Times(-float64(job.Min)))
			}
			sum := active(j, q)
			if sum == nil {
				m.Relate("all"+label, 0, 0, part, less)
				continue
			}
			m.Relate("in"+label, -milp.Inf, 0, part, less)
			m.Relate("off"+label, -milp.Inf, 0, part, sum.Times(-b.late[j]))
			m.Relate("on"+label, 0, milp.Inf, part, less, milp.Const(1), sum.Times(-1))
		}
		m.Relate(fmt.Sprintf("work[%s]", job.ID), job.Work/b.unit, job.Work/b.unit, milp.Total(works...))
		m.Relate(fmt.Sprintf("end[%s]", job.ID), 0, 0, milp.Of(b.end[j], -1), milp.Total(parts...))
		b.part, b.work = append(b.part, parts), append(b.work, works)
	}
	for q, name := range names {
		slots := milp.Of(b.length[q], -float64(in.Slots))
		for j := range in.Jobs {
			slots = append(slots, milp.Of(b.work[j][q], 1)...)
		}
		m.Relate("slots"+name, -milp.Inf, 0, slots)
	}
}

// amounts are job j's work and the least of it that is done by a moment before which the job does not complete.
func (b *modelBuilder) amounts(j int, moment float64) (whole, least float64) {
	whole = b.in.Jobs[j].Work / b.unit
	return whole, min(whole, float64(b.in.Jobs[j].Min)*moment)
}

// rounding is more, relatively, than what sums and products of an instance's numbers are rounded by.
const rounding = 1e-12

// encodeTolerance is how much later than the horizon a schedule may end that is encoded.
const encodeTolerance = 1e-9

// errWasteful is returned by Encode for schedules outside a model's horizon.
var errWasteful = errors.New("the schedule ends after the models' horizon: it leaves slots idle that jobs could use")

// ordered is a schedule that costs no more and in which no job completes before one that dominance has it follow, with its
// completion times and their order.
func (b *modelBuilder) ordered(s flex.Schedule) (flex.Schedule, []float64, []int, error) {
	times := flex.Completions(b.in, s)
	switch {
	case times == nil:
		return nil, nil, nil, errors.New("the schedule does not complete every job")
	case slices.Max(times) > b.unit*(1+encodeTolerance):
		return nil, nil, nil, errWasteful
	}
	ahead := make([]int, len(times)) // by job: how many dominate it
	for _, row := range b.before {
		for j, leads := range row {
			if leads {
				ahead[j]++
			}
		}
	}
	order, exchanged := flex.OrderBy(b.in, func(j int) float64 { return float64(ahead[j]) }), false
	for again := true; again; { // an exchange takes the later time to the job with more ahead, so there is an end
		again = false
		for i, row := range b.before {
			for j, leads := range row {
				if leads && times[j] < times[i] {
					times[i], times[j] = times[j], times[i]
					again, exchanged = true, true
				}
			}
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(times[i], times[j]) })
	if !exchanged {
		return s, times, order, nil
	}
	s, err := bestInOrder(b.in, order)
	return s, flex.Completions(b.in, s), order, err
}

// encode fills in all but the order's binaries. Interval q of the model ends when job order[q] completes.
func (b *modelBuilder) encode(s flex.Schedule, interval func(q int) int) (x []float64, order []int, err error) {
	in := b.in
	s, times, order, err := b.ordered(s)
	if err != nil {
		return nil, nil, err
	}
	x = b.m.Point()
	place := make([]int, len(order))
	start := 0.0
	for q, j := range order {
		place[j] = q
		end := max(start, times[j]/b.unit)
		x[b.length[interval(q)]] = end - start
		for _, k := range order[q:] {
			x[b.part[k][interval(q)]] = end - start
		}
		start = end
		x[b.end[j]] = end
		if t := b.tardy[j]; t >= 0 {
			x[t] = max(0, end-*in.Jobs[j].Deadline/b.unit)
		}
		for k, t := range in.StepTimes(j) {
			if flex.After(times[j], t) {
				x[b.passed[j][k]] = 1
			}
		}
	}
	if b.peak >= 0 {
		x[b.peak] = in.Value(times)
	}
	// The work between two completions, with what rounding leaves put where the job does most.
	done := make([]float64, len(order))
	eachPiece(s, times, order, func(q, j int, work float64) {
		if place[j] >= q {
			x[b.work[j][interval(q)]] += work / b.unit
			done[j] += work
		}
	})
	for j := range order {
		biggest := slices.MaxFunc(b.work[j], func(a, c int) int { return cmp.Compare(x[a], x[c]) })
		x[biggest] += (in.Jobs[j].Work - done[j]) / b.unit
	}
	return x, order, nil
}

// eachPiece calls f with the work that every job does in each part of a schedule between the completions times[order[q−1]]
// and times[order[q]].
func eachPiece(s flex.Schedule, times []float64, order []int, f func(q, j int, work float64)) {
	held := make([]float64, len(order))
	q := 0
	for _, iv := range s {
		for _, ch := range iv.Changes {
			held[ch.Job] = ch.Slots
		}
		for start := iv.Start; start < iv.End && q < len(order); {
			end := min(iv.End, times[order[q]])
			if end > start {
				for j, h := range held {
					if h > 0 {
						f(q, j, h*(end-start))
					}
				}
				start = end
			}
			if times[order[q]] <= start {
				q++
			}
		}
	}
}

// rebuild is an optimal schedule given the decisions of an order model: the completion order, and for step penalties which
// steps are passed. It solves the rest exactly, so that a solver's tolerances are gone.
func (b *modelBuilder) rebuild(x []float64, order []int) (flex.Schedule, error) {
	in := b.in
	if in.Objective.Aggregate == flex.Max {
		return bestMaxInOrder(in, order)
	}
	if in.Objective.Metric != flex.Tardy && in.Objective.Metric != flex.SLA {
		return bestInOrder(in, order)
	}
	times := make([]float64, len(order))
	for j := range in.Jobs {
		times[j] = flex.Latest(in, j, b.unit)
		for k, t := range in.StepTimes(j) {
			if x[b.passed[j][k]] < 0.5 {
				times[j] = max(flex.Earliest(in, j), min(times[j], t))
				break
			}
		}
	}
	plan, _, ok := flex.Realize(in, flex.NewFilling(in).KeepRates(), times)
	if !ok {
		return nil, errors.New("flex: the steps that the solver chose cannot be met")
	}
	return plan, nil
}

// bestMaxInOrder is an optimal schedule for a max objective among those in which jobs complete in the given order.
func bestMaxInOrder(in *flex.Instance, order []int) (flex.Schedule, error) {
	s := newTargets(in)
	s.order = order
	_, hi, _ := s.bisect(context.Background())
	s.filling.KeepRates()
	if !s.meets(hi) {
		return nil, errNoSchedule
	}
	return s.filling.Schedule(s.times), nil
}
